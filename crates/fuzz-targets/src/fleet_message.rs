//! The messages of a fleet: jobs, results, and what coordinators and workers say of themselves.
//!
//! Messages are compressed, and random changes of compressed bytes rarely decompress. So each input is also
//! tried as the text that is compressed. Results that are read are offered to a run, as a coordinator does.

use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

use serde::Serialize;
use serde::de::DeserializeOwned;
use threefold_fleet::protocol::{
    self, JobMessage, JobReport, LARGEST_MESSAGE, LONGEST_NAME, MessageError, ProgressNotice, ResultMessage,
    RunId, RunNotice, WorkerName, WorkerNotice,
};
use threefold_run::JobKey;
use threefold_run::journal::rows;
use threefold_run::prepared::PreparedRun;

use crate::{Accepted, Target, reads_back, text};

/// The fuzz target `fleet_message`.
pub const TARGET: Target = Target { name: "fleet_message", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\\"",
    "null",
    "0",
    "-1",
    "4294967296",
    "\"version\":1",
    "\"version\":2",
    "\"jobs\":",
    "[0,1]",
    "\"run\":",
    "\"0123456789abcdef\"",
    "0123456789abcdef",
    "\"worker\":",
    "\"w1\"",
    "host-1_a",
    ".",
    "*",
    ">",
    "\"number\":",
    "\"token\":",
    "\"part\":",
    "\"job\":",
    "\"result\":",
    "\"traffic\":",
    "\"error\":",
    "\"title\":",
    "\"bench\":",
    "\"priority\":",
    "\"share\":",
    "\"spec_sha256\":",
    "\"reference_speed\":",
    "\"slots\":",
    "\"speed\":",
    "\"machine\":",
    "\"program\":",
    "\"done\":",
    "\"refused\":",
    "\"last_minute\":",
    "\"parts\":",
    "\u{1b}[2J",
    " ",
    "",
];

/// A match and a suite, which results are offered to.
static RUN: LazyLock<PreparedRun> = LazyLock::new(|| {
    let text = include_str!("../../../fuzz/corpus/journal/order-match-and-suite.json");
    let spec = rows::read_spec(text).expect("a specification");
    PreparedRun::prepare(Arc::new(spec)).expect("two parts")
});

/// Reads the bytes unchanged, as the text of a compressed message, and as a name.
pub fn check(bytes: &[u8]) -> Accepted {
    let packed = protocol::compress(bytes).expect("a slice is readable");
    Accepted(messages(bytes) + messages(&packed) + text(bytes).map_or(0, names))
}

fn messages(packed: &[u8]) -> usize {
    let others = [
        reads_back_as::<JobMessage>(packed).is_some(),
        reads_back_as::<RunNotice>(packed).is_some(),
        reads_back_as::<WorkerNotice>(packed).is_some(),
        reads_back_as::<ProgressNotice>(packed).is_some(),
    ];
    let others = others.into_iter().filter(|&is_read| is_read).count();
    others + reads_back_as::<ResultMessage>(packed).map_or(0, |message| 1 + results(message))
}

/// The message, if it is a `T`; it must encode and decode to the same value.
fn reads_back_as<T: Serialize + DeserializeOwned + PartialEq + Debug>(packed: &[u8]) -> Option<T> {
    let message: T = protocol::decode(packed).ok()?;
    match protocol::encode(&message) {
        Ok(encoded) => {
            assert!(encoded.len() <= LARGEST_MESSAGE);
            assert_eq!(protocol::decode::<T>(&encoded).expect("its own bytes"), message);
        }
        // Another compressor may be better than ours.
        Err(error) => assert!(matches!(error, MessageError::TooLarge { .. }), "{error}"),
    }
    Some(message)
}

/// Offers results to a run; returns how many it accepts, which belong to jobs of the run.
fn results(message: ResultMessage) -> usize {
    let offer = |report: JobReport| {
        let key = JobKey { part: report.part as usize, job: report.job as usize };
        let result = rows::read_result(&report.result?).ok()?;
        RUN.check_result(key, &result).ok()?;
        assert!(RUN.scheduler().is_missing(key), "no job {key:?}");
        RUN.job_outcome(key, &result).expect("a result that was accepted");
        Some(())
    };
    message.jobs.into_iter().filter_map(offer).count()
}

/// A name is one word of a subject.
fn names(text: &str) -> usize {
    let near = WorkerName::near(text);
    assert_eq!(near.to_string().parse::<WorkerName>().expect("its own text"), near);
    let accepted = reads_back::<RunId>(text) + reads_back::<WorkerName>(text);
    if let Ok(run) = text.parse::<RunId>() {
        for name in [run.jobs_subject(), run.results_subject()] {
            assert_eq!(name.split('.').count(), 3, "{name}");
        }
    }
    if accepted > 0 {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        assert!(text.len() <= LONGEST_NAME && text.bytes().all(is_plain), "{text:?}");
    }
    accepted
}
