//! The last traffic of engines with faults. The written form is version 1.
//!
//! It has wall times, so it is separate from the results, which do not depend on the time.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::JournalError;
use super::fields::{json, nanos};
use crate::job::JobKey;
use threefold_player::FaultTraffic;
use threefold_player::traffic::{LogPlace, TrafficLine};

/// The number of faults whose traffic a journal keeps: at most 25 MiB in total.
pub(super) const MOST_FAULTS: usize = 100;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrafficV1 {
    engine: String,
    /// File and line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<(String, u64)>,
    /// Nanoseconds since the player was launched, the mark of the sender, and the text.
    lines: Vec<(u64, String, String)>,
}

/// Writes the traffic of a job, replacing that of a process that was killed before it recorded the job.
/// Returns how many jobs have traffic now that had none before.
pub(super) fn write(db: &Connection, key: JobKey, traffic: &FaultTraffic) -> rusqlite::Result<usize> {
    const INSERT: &str = "INSERT INTO traffic (part, job, said) VALUES (?1, ?2, ?3)";
    const DELETE: &str = "DELETE FROM traffic WHERE part = ?1 AND job = ?2";
    let [part, job] = [key.part, key.job].map(|number| i64::try_from(number).expect("orders are smaller"));
    let transaction = db.unchecked_transaction()?;
    // `INSERT OR REPLACE` does not report whether it replaced a row.
    let earlier = transaction.execute(DELETE, params![part, job])?;
    let now = transaction.execute(INSERT, params![part, job, written(traffic)])?;
    transaction.commit()?;
    Ok(now - earlier)
}

/// All traffic, by job.
pub(super) fn read_traffic(
    file: &Path,
    db: &Connection,
) -> Result<BTreeMap<JobKey, FaultTraffic>, JournalError> {
    let texts = || {
        let mut select = db.prepare("SELECT part, job, said FROM traffic")?;
        let rows = select.query_map([], |row| {
            let [part, job] = [row.get::<_, u32>(0)?, row.get(1)?].map(|number| number as usize);
            Ok((JobKey { part, job }, row.get::<_, String>(2)?))
        })?;
        rows.collect::<rusqlite::Result<Vec<_>>>()
    };
    let texts = texts().map_err(|error| JournalError::of_sqlite(file, &error))?;
    let restored = texts.into_iter().map(|(key, text)| Ok((key, read_text(&text)?)));
    restored.collect::<Result<_, String>>().map_err(|error| JournalError::Damaged {
        file: file.to_owned(),
        what: format!("the traffic of an engine: {error}"),
    })
}

/// Parses the traffic of a job.
pub(super) fn read_text(text: &str) -> Result<FaultTraffic, String> {
    let written: TrafficV1 = serde_json::from_str(text).map_err(|error| error.to_string())?;
    written.restore()
}

/// The written form of the traffic of a job.
pub(super) fn written(traffic: &FaultTraffic) -> String {
    json(&TrafficV1::from(traffic))
}

impl From<&FaultTraffic> for TrafficV1 {
    fn from(traffic: &FaultTraffic) -> Self {
        let FaultTraffic { engine, log, lines } = traffic.clone();
        let line = |TrafficLine { at, direction, text }| (nanos(at), direction.name().to_owned(), text);
        Self {
            engine,
            log: log.map(|LogPlace { file, line }| (file, line)),
            lines: lines.into_iter().map(line).collect(),
        }
    }
}

impl TrafficV1 {
    fn restore(self) -> Result<FaultTraffic, String> {
        let line = |(at, direction, text): (u64, String, String)| {
            let direction = direction.parse().map_err(|error| format!("direction {error}"))?;
            Ok(TrafficLine { at: Duration::from_nanos(at), direction, text })
        };
        Ok(FaultTraffic {
            engine: self.engine,
            log: self.log.map(|(file, line)| LogPlace { file, line }),
            lines: self.lines.into_iter().map(line).collect::<Result<_, String>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;
    use crate::RunSpec;
    use crate::journal::Journal;
    use threefold_player::traffic::Direction;

    fn traffic(text: &str) -> FaultTraffic {
        let line = |direction| TrafficLine { at: Duration::new(3, 7), direction, text: text.to_owned() };
        FaultTraffic {
            engine: "E".to_owned(),
            log: Some(LogPlace { file: "m.log".to_owned(), line: 12 }),
            lines: Direction::ALL.iter().copied().map(line).collect(),
        }
    }

    #[test]
    fn last_written_traffic_of_a_job_counts() {
        let mut journal = Journal::in_memory(RunSpec::default(), SystemTime::UNIX_EPOCH).expect("memory");
        let key = JobKey { part: 1, job: 5 };
        for text in ["first", "info\u{1b}[2J\0 \u{202e}\"\\"] {
            journal.keep_traffic(key, &traffic(text)).expect("memory");
            let read = journal.contents().traffic().expect("sound");
            assert_eq!(read, [(key, traffic(text))].into());
        }
    }

    #[test]
    fn stored_traffic_is_bounded() {
        let mut journal = Journal::in_memory(RunSpec::default(), SystemTime::UNIX_EPOCH).expect("memory");
        for job in 0..MOST_FAULTS + 5 {
            journal.keep_traffic(JobKey { part: 0, job }, &traffic("x")).expect("memory");
        }
        assert_eq!(journal.contents().traffic().expect("sound").len(), MOST_FAULTS);
    }
}
