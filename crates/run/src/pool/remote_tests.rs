//! Results that arrive twice, out of order, late or wrong change nothing that counts.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::tests::{NOW, counted, real_order, run, workers};
use super::*;
use crate::job::JobResult;
use crate::scheduler::PartProgress;
use threefold_games::game::{GameEnd, GameOutcome};
use threefold_oracle::Tables;

/// What other machines do wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// Every message comes twice, and a job that was handed out is sometimes done late.
    Deliveries,
    /// Results of other jobs, forged players, illegal moves and errors.
    Results,
    /// Everything that was handed out is lost, again and again.
    Losses,
}

/// A fleet in this process.
struct LocalFleet {
    spec: RunSpec,
    wrong: Wrong,
    accepted: Arc<AtomicUsize>,
    refusals: Arc<AtomicUsize>,
}

/// A run of it: jobs are done when they are waited for, in random order.
struct LocalRun {
    prepared: PreparedRun,
    tables: Arc<Tables>,
    rng: ChaCha8Rng,
    wrong: Wrong,
    queue: Vec<Vec<JobKey>>,
    again: Vec<Vec<JobKey>>,
    confirmed: Mutex<Vec<u64>>,
    receipts: u64,
    accepted: Arc<AtomicUsize>,
    refusals: Arc<AtomicUsize>,
}

impl RemoteWorkers for LocalFleet {
    fn open(&self, _: &PreparedRun, _: &Journal) -> Result<Box<dyn RemoteRun>, RemoteError> {
        let prepared = PreparedRun::prepare(Arc::new(self.spec.clone())).expect("sound");
        let tables = tables_of(&prepared, &Stop::default()).expect("few pieces").expect("not stopped");
        Ok(Box::new(LocalRun {
            prepared,
            tables,
            rng: ChaCha8Rng::seed_from_u64(1),
            wrong: self.wrong,
            queue: Vec::new(),
            again: Vec::new(),
            confirmed: Mutex::default(),
            receipts: 0,
            accepted: Arc::clone(&self.accepted),
            refusals: Arc::clone(&self.refusals),
        }))
    }
}

impl LocalRun {
    fn done(&self, key: JobKey) -> RemoteResult {
        let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
        let mut runner = JobRunner::new(&self.prepared, &self.tables, &threefold_player::launch, options);
        runner.run(&key.into()).expect("Echo runs")
    }

    /// A result that does not belong to the job, or none.
    fn forged(&mut self, key: JobKey) -> Result<RemoteResult, String> {
        let mut done = self.done(key);
        match (&mut done.result, self.rng.random_range(0..4)) {
            (_, 0) => return Err("the engine can't be started".to_owned()),
            (JobResult::Case(case), _) => case.id.push('x'),
            (JobResult::Game(game), 1) => game.players.swap(0, 1),
            (JobResult::Game(game), 2) => {
                // A result without a game.
                game.played.clear();
                (game.outcome, game.end) = (GameOutcome::White, GameEnd::Checkmate);
            }
            (JobResult::Game(game), _) => {
                game.outcome = GameOutcome::White;
                if let [first, .., last] = game.played.as_mut_slice() {
                    std::mem::swap(first, last);
                }
            }
        }
        Ok(done)
    }
}

impl RemoteRun for LocalRun {
    fn capacity(&mut self) -> usize {
        7
    }

    fn jobs_together(&mut self) -> usize {
        self.rng.random_range(0..6)
    }

    fn hand_out(&mut self, jobs: &[ReadyJob]) -> Result<(), RemoteError> {
        let jobs: Vec<JobKey> = jobs.iter().map(|job| job.key).collect();
        assert!(jobs.iter().all(|key| key.part == jobs[0].part));
        if self.wrong == Wrong::Nothing
            && matches!(self.prepared.spec().parts[jobs[0].part].task, Task::Match(_))
        {
            let is_first = |key: &JobKey| key.job.is_multiple_of(2);
            assert!(jobs.iter().enumerate().all(|(index, key)| is_first(key) == index.is_multiple_of(2)));
        }
        self.queue.push(jobs);
        Ok(())
    }

    fn wait(&mut self, _: &Stop) -> Result<RemoteEvent, RemoteError> {
        if self.wrong == Wrong::Losses && self.rng.random_bool(0.3) {
            self.queue.clear();
            return Ok(RemoteEvent::JobsLost);
        }
        self.queue.shuffle(&mut self.rng);
        let is_again = self.wrong == Wrong::Deliveries && self.rng.random();
        let jobs = if is_again { self.again.pop() } else { None };
        let Some(jobs) = jobs.or_else(|| self.queue.pop()) else {
            return Ok(RemoteEvent::Nothing);
        };
        self.again.push(jobs.clone());
        self.receipts += 1;
        let is_forged = self.wrong == Wrong::Results && self.rng.random_bool(0.8);
        let result = |run: &mut Self, key| if is_forged { run.forged(key) } else { Ok(run.done(key)) };
        let jobs = jobs.into_iter().map(|key| (key, result(self, key))).collect();
        Ok(RemoteEvent::Results(RemoteResults {
            worker: WorkerId(self.rng.random_range(0..3)),
            receipt: self.receipts,
            jobs,
        }))
    }

    fn confirm(&mut self, receipt: u64) {
        self.confirmed.get_mut().expect("no panic").push(receipt);
    }

    fn progress(&mut self, parts: &[PartProgress<'_>]) {
        assert_eq!(parts.len(), self.prepared.spec().parts.len());
    }

    fn accepted(&mut self, _: WorkerId, _: &JobResult) {
        self.accepted.fetch_add(1, Ordering::Relaxed);
    }

    fn refused(&mut self, _: WorkerId, _: &str) {
        self.refusals.fetch_add(1, Ordering::Relaxed);
    }

    fn withdraw(&mut self) {
        // They were done already, and arrive all the same.
        self.again.append(&mut self.queue);
    }

    fn close(&mut self) {
        assert_eq!(self.confirmed.get_mut().expect("no panic").len() as u64, self.receipts);
    }
}

fn remotely(wrong: Wrong) -> (Vec<String>, usize) {
    let [accepted, refusals] = [0; 2].map(|none| Arc::new(AtomicUsize::new(none)));
    let fleet = LocalFleet {
        spec: real_order(),
        wrong,
        accepted: Arc::clone(&accepted),
        refusals: Arc::clone(&refusals),
    };
    let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
    let config = PoolConfig { remote: Some(&fleet), ..PoolConfig::new(workers(1), Stop::default()) };
    let outcome = run(&mut journal, &config, &mut |_| {}).expect("no trouble");
    assert_eq!(outcome, RunStatus::Finished);
    assert_eq!(
        accepted.load(Ordering::Relaxed),
        journal.results(),
        "repeated and refused results don't count"
    );
    (counted(&journal), refusals.load(Ordering::Relaxed))
}

#[test]
fn results_of_other_machines_are_those_of_this_one() {
    let mut journal = Journal::in_memory(real_order(), NOW).expect("memory");
    run(&mut journal, &PoolConfig::new(workers(1), Stop::default()), &mut |_| {}).expect("no trouble");
    let here = counted(&journal);
    assert_eq!(remotely(Wrong::Nothing), (here.clone(), 0));
    assert_eq!(remotely(Wrong::Deliveries), (here.clone(), 0));
    assert_eq!(remotely(Wrong::Losses), (here.clone(), 0));
    let (there, refusals) = remotely(Wrong::Results);
    assert_eq!(there, here);
    assert!(refusals > 10, "{refusals}");
}
