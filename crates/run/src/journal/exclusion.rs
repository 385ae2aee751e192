//! Removes the results of a worker, so that its jobs are done again.

use std::sync::Arc;

use rusqlite::params;

use super::{Journal, JournalError, rows};
use crate::RunSpec;
use crate::job::{JobKey, WorkerId};

/// The numbers of results that were removed from a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExcludedResults {
    /// Those of the worker.
    pub of_worker: usize,
    /// Those of other workers that depend on them.
    pub dependent: usize,
}

impl Journal {
    /// Removes all results of a worker, and all that belong to this job or later ones; the specification keeps the parts before
    /// it.
    pub(crate) fn exclude(
        &mut self,
        worker: WorkerId,
        outdated: JobKey,
    ) -> Result<ExcludedResults, JournalError> {
        let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let (slot, part, job) = (number(worker.0), number(outdated.part), number(outdated.job));
        let kept_parts = outdated.part + usize::from(outdated.job > 0);
        let mut spec = RunSpec::clone(self.spec());
        spec.parts.truncate(kept_parts);
        let remove = || {
            let transaction = self.contents.db.unchecked_transaction()?;
            let of_worker = "SELECT part, job FROM finding WHERE slot = ?1";
            let of_jobs = |table| {
                format!("DELETE FROM {table} WHERE (part, job) IN ({of_worker}) OR (part, job) >= (?2, ?3)")
            };
            // The results last, because the rows of the other tables are found by them.
            let traffic = transaction.execute(&of_jobs("traffic"), params![slot, part, job])?;
            transaction.execute(&of_jobs("void"), params![slot, part, job])?;
            let of_worker = transaction.execute("DELETE FROM finding WHERE slot = ?1", params![slot])?;
            let later = "DELETE FROM finding WHERE (part, job) >= (?1, ?2)";
            let dependent = transaction.execute(later, params![part, job])?;
            if spec.parts.len() < self.spec().parts.len() {
                transaction.execute("UPDATE run SET ordered = ?1", params![rows::write_spec(&spec)])?;
            }
            transaction.commit()?;
            Ok((ExcludedResults { of_worker, dependent }, traffic))
        };
        let (removed, traffic) = remove().map_err(|cause| self.cannot_write(cause))?;
        self.results -= removed.of_worker + removed.dependent;
        self.kept_traffic -= traffic;
        self.contents.spec = Arc::new(spec);
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
        let end = JobKey { part: 0, job: 6 };
        let mut exclude = |worker, outdated| {
            let excluded = journal.exclude(WorkerId(worker), outdated).expect("memory");
            (excluded.of_worker, excluded.dependent, journal.results())
        };
        assert_eq!(exclude(1, end), (2, 0, 4));
        assert_eq!(exclude(7, end), (0, 0, 4));
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
        let outdated = JobKey { part: 0, job: 5 };
        let excluded = journal.exclude(WorkerId(0), outdated).expect("memory");
        assert_eq!(excluded, ExcludedResults { of_worker: 2, dependent: 1 });
        assert_eq!(
            journal.contents().traffic().expect("memory").keys().map(|key| key.job).collect::<Vec<_>>(),
            [2]
        );
        journal.record(JobKey { part: 0, job: 1 }, &result, WorkerId(0), NOW).expect("it may be done again");
    }
}
