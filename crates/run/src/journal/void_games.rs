//! Games that count for nothing: the machine or the runner caused their time loss, and they were played
//! again.
//!
//! They are kept as evidence. No result depends on them, so a run that is resumed or reported does not read
//! them.

use rusqlite::params;

use super::{Journal, JournalError, rows};
use crate::job::{JobKey, JobResult};

pub(super) const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS void (
        part INTEGER NOT NULL,
        job INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        found TEXT NOT NULL,
        PRIMARY KEY (part, job, attempt)
    ) STRICT;
";

impl Journal {
    /// Records the void games of a job, in order. Call it before the job is recorded, so that a recorded job
    /// is complete. Those of a process that was killed in between are replaced.
    pub fn keep_void(&mut self, key: JobKey, games: &[JobResult]) -> Result<(), JournalError> {
        const INSERT: &str =
            "INSERT OR REPLACE INTO void (part, job, attempt, found) VALUES (?1, ?2, ?3, ?4)";
        for (attempt, game) in games.iter().enumerate() {
            let [part, job, attempt] = [key.part, key.job, attempt + 1]
                .map(|number| i64::try_from(number).expect("neither orders nor attempts are that many"));
            self.contents
                .db
                .execute(INSERT, params![part, job, attempt, rows::write_result(game)])
                .map_err(|cause| self.cannot_write(cause))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::tests::results;
    use super::*;
    use crate::job::RunSpec;

    #[test]
    fn void_games_are_kept_in_order() {
        let mut journal = Journal::in_memory(RunSpec::default(), SystemTime::UNIX_EPOCH).expect("memory");
        let key = JobKey { part: 1, job: 7 };
        let games: Vec<JobResult> =
            results().into_iter().filter(|result| matches!(result, JobResult::Game(_))).take(2).collect();
        journal.keep_void(key, &games).expect("memory");
        journal.keep_void(key, &games).expect("a killed process had written them");
        let mut select = journal
            .contents
            .db
            .prepare("SELECT part, job, attempt, found FROM void ORDER BY attempt")
            .expect("SQL");
        let row =
            |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, String>(3)?));
        let found: Vec<(i64, i64, i64, String)> =
            select.query_map([], row).expect("SQL").collect::<Result<_, _>>().expect("rows");
        let [first, second] = [&games[0], &games[1]].map(rows::write_result);
        assert_eq!(found, [(1, 7, 1, first), (1, 7, 2, second)]);
    }
}
