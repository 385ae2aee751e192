//! Removes the results of a worker, so that its jobs are done again.

use rusqlite::params;

use super::{Journal, JournalError};
use crate::job::WorkerId;

impl Journal {
    /// Removes all results of a worker; returns their number. A resumed run does these jobs again.
    ///
    /// # Errors
    ///
    /// If the journal can't be written.
    pub fn exclude(&mut self, worker: WorkerId) -> Result<usize, JournalError> {
        let number = i64::try_from(worker.0).unwrap_or(i64::MAX);
        let remove = || {
            let transaction = self.contents.db.unchecked_transaction()?;
            let of_worker = "SELECT part, job FROM finding WHERE slot = ?1";
            let of_jobs = |table| format!("DELETE FROM {table} WHERE (part, job) IN ({of_worker})");
            // The results last, because the rows of the other tables are found by them.
            let traffic = transaction.execute(&of_jobs("traffic"), params![number])?;
            transaction.execute(&of_jobs("void"), params![number])?;
            let removed = transaction.execute("DELETE FROM finding WHERE slot = ?1", params![number])?;
            transaction.commit()?;
            Ok((removed, traffic))
        };
        let (removed, traffic) = remove().map_err(|cause| self.cannot_write(cause))?;
        self.results -= removed;
        self.kept_traffic -= traffic;
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use shakmaty::Color;

    use super::*;
    use crate::RunSpec;
    use crate::job::{JobKey, JobResult};
    use threefold_chess::position::GamePosition;
    use threefold_games::game::GameRecord;
    use threefold_player::{EngineFault, FaultTraffic};

    #[test]
    fn results_of_one_worker_are_removed_with_traffic_and_void_games() {
        const NOW: SystemTime = SystemTime::UNIX_EPOCH;
        let mut journal = Journal::in_memory(RunSpec::default(), NOW).expect("memory");
        let names = ["A", "B"].map(str::to_owned);
        let game = GameRecord::unstarted(
            names,
            GamePosition::start_position(),
            Color::White,
            &EngineFault::Interrupted,
        );
        let result = JobResult::Game(game);
        for job in 0..6 {
            let key = JobKey { part: 0, job };
            let traffic = FaultTraffic { engine: "A".to_owned(), log: None, lines: Vec::new() };
            journal.keep_traffic(key, &traffic).expect("memory");
            journal.keep_void(key, std::slice::from_ref(&result)).expect("memory");
            journal.record(key, &result, WorkerId(job % 3), NOW).expect("memory");
        }
        assert_eq!(journal.exclude(WorkerId(1)).expect("memory"), 2);
        assert_eq!((journal.exclude(WorkerId(7)).expect("memory"), journal.results()), (0, 4));
        let mut left = Vec::new();
        let replayed = journal.contents().replay(&mut |key, _| {
            left.push(key.job);
            Ok(())
        });
        replayed.expect("memory");
        assert_eq!(left, [0, 2, 3, 5]);
        let traffic = journal.contents().traffic().expect("memory");
        assert!(traffic.keys().map(|key| key.job).eq(left.iter().copied()));
        assert_eq!(journal.kept_traffic, left.len());
        let mut select = journal.contents.db.prepare("SELECT job FROM void ORDER BY job").expect("SQL");
        let void = select.query_map([], |row| row.get::<_, u32>(0)).expect("SQL");
        let void = void.map(|job| job.expect("a row") as usize);
        assert!(void.eq(left));
        drop(select);
        journal.record(JobKey { part: 0, job: 1 }, &result, WorkerId(0), NOW).expect("it may be done again");
    }
}
