//! The names on the server and the messages.

mod codec;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub(crate) use codec::decode_notice;
pub use codec::{MessageError, compress, decode, decompress, encode, sha256};
pub(crate) use codec::{one_line, parse};

/// The version of all messages. Coordinators and workers of different versions refuse each other.
pub const VERSION: u32 = 2;

/// The stream of jobs; each is kept until a worker acknowledges it.
pub const JOBS: &str = "threefold-jobs";
/// The stream of results; each is kept until its coordinator acknowledges it.
pub const RESULTS: &str = "threefold-results";
/// The bucket of the announcements of runs, by run.
pub const RUNS: &str = "threefold-runs";
/// The bucket of the workers that are there, by name. An entry expires if it is not renewed.
pub const WORKERS: &str = "threefold-workers";
/// The bucket of the numbers of workers, by public key: a worker's number is the revision of its entry.
pub const NUMBERS: &str = "threefold-numbers";
/// The bucket of workers that a coordinator takes no more results from, by run and public key.
pub const QUARANTINE: &str = "threefold-quarantine";
/// The bucket of the progress of runs, by run.
pub const PROGRESS: &str = "threefold-progress";
/// The store of specifications and engine files, by name.
pub const FILES: &str = "threefold-files";

/// The largest message on the wire in bytes, which is the default limit of a NATS server.
pub const LARGEST_MESSAGE: usize = 1 << 20;
/// The largest message after decompression, in bytes.
pub const LARGEST_TEXT: u64 = 64 << 20;
/// The largest notice in a bucket after decompression, in bytes.
pub(crate) const LARGEST_NOTICE: u64 = 64 << 10;
/// The largest specification of a run after decompression, in bytes.
pub const LARGEST_SPEC: u64 = 512 << 20;
/// The most jobs in a message.
pub const MOST_JOBS: usize = 64;
/// The longest name of a worker, in characters.
pub const LONGEST_NAME: usize = 64;

/// Identifies a run: sixteen hexadecimal digits of a hash of its specification and its beginning.
///
/// ```
/// use threefold_fleet::protocol::RunId;
///
/// let run = RunId::new("{}", 1_700_000_000);
/// assert_eq!(run.to_string().len(), 16);
/// assert_eq!(run.jobs_subject(), format!("threefold.jobs.{run}"));
/// assert_ne!(run, RunId::new("{}", 1_700_000_001), "the same run, begun later");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// The id of a run with this specification that began at this time, in seconds since 1970.
    pub fn new(spec: &str, begun: i64) -> Self {
        let mut hash = Sha256::new();
        // The time has a fixed length, so no other pair of time and text has the same bytes.
        hash.update(begun.to_be_bytes());
        hash.update(spec.as_bytes());
        Self(codec::hex(&hash.finalize()[..8]))
    }

    /// The subject of its jobs.
    pub fn jobs_subject(&self) -> String {
        format!("threefold.jobs.{self}")
    }

    /// The subject of its results.
    pub fn results_subject(&self) -> String {
        format!("threefold.results.{self}")
    }

    /// The name of its specification in the store.
    pub fn spec_object(&self) -> String {
        format!("run-{self}")
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for RunId {
    type Err = MessageError;

    fn from_str(text: &str) -> Result<Self, MessageError> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 16 && text.bytes().all(is_digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(MessageError::Malformed(format!("`{}` is no id of a run", text.escape_debug())))
        }
    }
}

impl TryFrom<String> for RunId {
    type Error = MessageError;

    fn try_from(text: String) -> Result<Self, MessageError> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(run: RunId) -> Self {
        run.0
    }
}

/// The name of a worker: letters, digits, `-` and `_`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerName(String);

impl WorkerName {
    /// The nearest valid name: other characters become `-`.
    pub fn near(text: &str) -> Self {
        let valid = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let name: String = text.chars().map(valid).take(LONGEST_NAME).collect();
        Self(if name.is_empty() { "worker".to_owned() } else { name })
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for WorkerName {
    type Err = MessageError;

    fn from_str(text: &str) -> Result<Self, MessageError> {
        let name = Self::near(text);
        if name.0 == text {
            Ok(name)
        } else {
            Err(MessageError::Malformed(format!(
                "`{}` is no name of a worker; use up to {LONGEST_NAME} letters, digits, `-` and `_`",
                text.escape_debug()
            )))
        }
    }
}

impl TryFrom<String> for WorkerName {
    type Error = MessageError;

    fn try_from(text: String) -> Result<Self, MessageError> {
        text.parse()
    }
}

impl From<WorkerName> for String {
    fn from(name: WorkerName) -> Self {
        name.0
    }
}

/// The announcement of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunNotice {
    /// [`VERSION`].
    pub version: u32,
    /// The run that is announced.
    pub run: RunId,
    /// The title of the run.
    pub title: String,
    /// The node count of the coordinator's `bench`: a worker with another Echo does not take part.
    pub bench: u64,
    /// Runs with a higher priority go first.
    pub priority: i32,
    /// The share of the fleet among the runs of its priority.
    pub share: u32,
    /// The SHA-256 of its specification in the store, in hexadecimal.
    pub spec_sha256: String,
    /// The speed that time controls are meant for, in nodes per second of Echo; `None` if no wall clock
    /// limits a search.
    pub reference_speed: Option<u64>,
}

/// Jobs for one worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobMessage {
    /// [`VERSION`].
    pub version: u32,
    /// The jobs that the worker is to play.
    pub jobs: Vec<HandedJob>,
}

/// A job that is handed to a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandedJob {
    /// The part, as an index.
    pub part: u32,
    /// The job in it.
    pub job: u32,
    /// Shows in the result that the worker was handed the job.
    pub token: String,
    /// The options of each engine in this game, by name and value, in the order of the match; none if games have
    /// no options of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Vec<(String, String)>>,
}

/// Results of the jobs of one message. The worker signs it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultMessage {
    /// [`VERSION`].
    pub version: u32,
    /// The run that the message belongs to.
    pub run: RunId,
    /// The worker's name.
    pub worker: WorkerName,
    /// The finished jobs with their results.
    pub jobs: Vec<JobReport>,
}

/// The result of a job, or why it has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobReport {
    /// The part, as an index.
    pub part: u32,
    /// The job in it.
    pub job: u32,
    /// The token of the job.
    pub token: String,
    /// The result, as the journal writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The last traffic of an engine with a fault, as the journal writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<String>,
    /// Why the job can't be done, in place of a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A worker that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerNotice {
    /// [`VERSION`].
    pub version: u32,
    /// The worker's number in the fleet.
    pub number: u32,
    /// The jobs that it does at a time.
    pub slots: u32,
    /// The speed of Echo's `bench` on it, in nodes per second.
    pub speed: u64,
    /// Operating system and processor architecture, such as `linux x86_64`.
    pub machine: String,
    /// The version of threefold.
    pub program: String,
    /// The jobs that it has done since its start.
    pub done: u64,
    /// The runs that it does not work for, and why.
    pub refused: Vec<(RunId, String)>,
}

/// The progress of a run, for `fleet status`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgressNotice {
    /// [`VERSION`].
    pub version: u32,
    /// The jobs in the journal.
    pub done: u64,
    /// The jobs that have ended in the last minute.
    pub last_minute: u64,
    /// A line about each part.
    pub parts: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_names_are_parts_of_subjects() {
        let run = RunId::new("spec", 5);
        assert_eq!(run.to_string().parse::<RunId>().expect("its own text"), run);
        assert_ne!(run, RunId::new("spec", 6));
        for wrong in ["", "0123", "0123456789abcdeF", "0123456789abcde.", "*", ">"] {
            assert!(wrong.parse::<RunId>().is_err(), "{wrong}");
        }
        assert_eq!(WorkerName::near("host.a b>").to_string(), "host-a-b-");
        for wrong in ["", "a.b", "a>", "a*", "a b", &"a".repeat(65)] {
            assert!(wrong.parse::<WorkerName>().is_err(), "{wrong}");
        }
    }
}
