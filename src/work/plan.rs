//! Which job comes next, and which results count.
//!
//! The planner is a pure function of what is known: it is told findings in whatever order they arrive and
//! asked for the next step. What counts is the complete prefix in the order of the schedule, never the order
//! of arrival. A sequential test therefore stops at the same pair whether games run one at a time or many at
//! once, interrupted or not, and quick games can't be counted before slow ones. Games that were under way
//! beyond that pair are surplus: they are kept, and never counted.

use std::collections::BTreeSet;

use super::job::JobKey;
use crate::stats::anytime::Esprt;
use crate::stats::{Conduct, GameResult, Judgement, Look, Pentanomial, Running};

crate::closed_set! {
    /// Why a part is over.
    pub enum Ending {
        /// Everything that was asked for is done.
        Complete = "complete",
        /// The test accepted the hypothesis of the upper bound.
        AcceptedH1 = "H1 accepted",
        /// The test accepted the hypothesis of the lower bound.
        AcceptedH0 = "H0 accepted",
        /// The test spent its budget of games between its bounds.
        Undecided = "undecided",
    }
}

/// What the planner knows of a part beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// How many jobs it has at most.
    pub jobs: usize,
    /// The test that may end it earlier; games 2n and 2n + 1 are a pair.
    pub test: Option<Conduct>,
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// This job.
    Do(JobKey),
    /// Nothing, until something that is under way has ended.
    Wait,
    /// Nothing more: every part is over.
    Done,
}

/// What a sequential test knows so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The test, with the pairs that count, from the first engine's view.
    pub running: Running,
    /// The log-likelihood ratio after each of them, in order.
    pub path: Vec<f64>,
    /// The betting test that goes along with it, in the order of the schedule; it decides nothing.
    pub bets: Esprt<5>,
}

impl Evidence {
    fn new(test: Conduct) -> Self {
        Self { running: Running::new(test), path: Vec::new(), bets: Esprt::new(&test.sprt()) }
    }

    /// The next pair, and what the test makes of it.
    fn record(&mut self, pair: [GameResult; 2]) -> Judgement {
        self.bets.record(Pentanomial::class(pair));
        let Look { llr, judgement } = self.running.learn(pair);
        self.path.push(llr);
        judgement
    }
}

/// How far a part has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'p> {
    /// Jobs that have ended, surplus ones included.
    pub found: usize,
    /// The jobs before this one count, in the order of the schedule.
    pub counted: usize,
    /// Jobs at most.
    pub jobs: usize,
    /// Why it is over, if it is.
    pub ending: Option<Ending>,
    /// What its test knows, if it has one.
    pub evidence: Option<&'p Evidence>,
}

/// The state of a run: what has ended, what counts, and so what comes next.
#[derive(Debug, Clone)]
pub struct Plan {
    courses: Vec<Course>,
}

impl Plan {
    /// A plan with nothing done yet.
    pub fn new(extents: impl IntoIterator<Item = Extent>) -> Self {
        Self { courses: extents.into_iter().map(Course::new).collect() }
    }

    /// Takes in that a job has ended, a game of a sequential test with the first engine's result.
    /// A job that isn't part of the plan, or that has ended before, changes nothing.
    pub fn learn(&mut self, key: JobKey, result: Option<GameResult>) {
        if let Some(course) = self.courses.get_mut(key.part) {
            course.learn(key.job, result);
        }
    }

    /// What to do next, given what is under way.
    pub fn next_step(&self, under_way: &BTreeSet<JobKey>) -> Step {
        let open = self.courses.iter().enumerate().filter(|(_, course)| course.ending.is_none());
        let mut missing =
            open.flat_map(|(part, course)| course.missing().map(move |job| JobKey { part, job }));
        match missing.find(|key| !under_way.contains(key)) {
            Some(key) => Step::Do(key),
            None if self.is_done() => Step::Done,
            None => Step::Wait,
        }
    }

    /// Is this job still to be done? Not if it has ended, nor if its part is over without it.
    pub fn wants(&self, key: JobKey) -> bool {
        self.courses.get(key.part).is_some_and(|course| course.ending.is_none() && course.lacks(key.job))
    }

    /// How far a part has come; `None` where there is no such part.
    pub fn progress(&self, part: usize) -> Option<Progress<'_>> {
        self.courses.get(part).map(Course::progress)
    }

    /// How far every part has come, in order.
    pub fn parts(&self) -> impl Iterator<Item = Progress<'_>> {
        self.courses.iter().map(Course::progress)
    }

    /// Is every part over?
    pub fn is_done(&self) -> bool {
        self.courses.iter().all(|course| course.ending.is_some())
    }
}

/// What a job has come to, as far as planning goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Open,
    Ended(Option<GameResult>),
}

/// What a part has come to so far.
#[derive(Debug, Clone)]
struct Course {
    slots: Vec<Slot>,
    /// Jobs ended, whether they count or not.
    found: usize,
    /// Every job before this one has ended.
    frontier: usize,
    /// Every job before this one counts.
    counted: usize,
    evidence: Option<Evidence>,
    ending: Option<Ending>,
}

impl Course {
    fn new(extent: Extent) -> Self {
        let slots = vec![Slot::Open; extent.jobs];
        let evidence = extent.test.map(Evidence::new);
        let mut course = Self { slots, found: 0, frontier: 0, counted: 0, evidence, ending: None };
        course.advance();
        course
    }

    fn learn(&mut self, job: usize, result: Option<GameResult>) {
        if self.evidence.is_some() && result.is_none() {
            return;
        }
        if let Some(slot @ Slot::Open) = self.slots.get_mut(job) {
            *slot = Slot::Ended(result);
            self.found += 1;
            self.advance();
        }
    }

    /// Counts what has become part of the complete prefix, until the part is over.
    fn advance(&mut self) {
        while self.slots.get(self.frontier).is_some_and(|slot| *slot != Slot::Open) {
            self.frontier += 1;
        }
        if self.ending.is_none() {
            if self.evidence.is_some() {
                self.advance_test();
            } else {
                self.counted = self.frontier;
                self.ending = (self.counted == self.slots.len()).then_some(Ending::Complete);
            }
        }
    }

    /// Counts pair after pair; each one may be the last.
    fn advance_test(&mut self) {
        let Some(evidence) = &mut self.evidence else { return };
        while self.counted + 2 <= self.frontier {
            let [Slot::Ended(Some(first)), Slot::Ended(Some(second))] = self.slots[self.counted..][..2]
            else {
                return;
            };
            let judgement = evidence.record([first, second]);
            self.counted += 2;
            self.ending = match judgement {
                Judgement::AcceptH1 => Some(Ending::AcceptedH1),
                Judgement::AcceptH0 => Some(Ending::AcceptedH0),
                Judgement::KeepPlaying => None,
            };
            if self.ending.is_some() {
                return;
            }
        }
        self.ending = (self.counted + 2 > self.slots.len()).then_some(Ending::Undecided);
    }

    /// Jobs that haven't ended, in order. The odd last game of a test can't become a pair.
    fn missing(&self) -> impl Iterator<Item = usize> {
        (self.frontier..self.end()).filter(|&job| self.lacks(job))
    }

    fn lacks(&self, job: usize) -> bool {
        job < self.end() && self.slots[job] == Slot::Open
    }

    fn end(&self) -> usize {
        if self.evidence.is_some() { self.slots.len() / 2 * 2 } else { self.slots.len() }
    }

    fn progress(&self) -> Progress<'_> {
        Progress {
            found: self.found,
            counted: self.counted,
            jobs: self.slots.len(),
            ending: self.ending,
            evidence: self.evidence.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use std::num::NonZeroU32;

    use crate::stats::{Counts, Model, Overshoot, Risks, Sprt};

    const RESULTS: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

    fn test_of(elo0: f64, elo1: f64) -> Conduct {
        Sprt::new(Model::Normalized, elo0, elo1, Risks::USUAL).expect("sound").into()
    }

    /// The ways in which a test of these hypotheses may be carried out.
    fn conduct(elo0: f64, elo1: f64) -> impl Strategy<Value = Conduct> {
        let choices = (
            prop::sample::select(Model::ALL),
            prop::sample::select(Counts::ALL),
            1..6_u32,
            prop::sample::select(Overshoot::ALL),
        );
        choices.prop_filter_map("BayesElo knows no pairs", move |(model, counts, batch, overshoot)| {
            let sprt = Sprt::new(model, elo0, elo1, Risks::USUAL).expect("sound");
            Conduct::new(sprt, counts, NonZeroU32::new(batch)?, overshoot).ok()
        })
    }

    /// What counts in the end: jobs, ending and evidence of each part.
    fn counted(plan: &Plan) -> Vec<(usize, Option<Ending>, Option<Evidence>)> {
        plan.parts().map(|part| (part.counted, part.ending, part.evidence.cloned())).collect()
    }

    /// Plays a plan to its end with so many jobs under way, whose results are fixed beforehand. `order`
    /// chooses which of those under way ends next; `cuts` says after how many ends the run is killed: what
    /// was under way is lost, and a new plan learns what the journal holds.
    fn carry_out(
        extents: &[Extent],
        results: &[GameResult],
        workers: usize,
        order: &[usize],
        cuts: &[usize],
    ) -> Plan {
        let result = |key: JobKey| extents[key.part].test.map(|_| results[key.job]);
        let mut plan = Plan::new(extents.iter().copied());
        let mut journal = Vec::new();
        let mut under_way = BTreeSet::new();
        loop {
            while under_way.len() < workers {
                match plan.next_step(&under_way) {
                    Step::Do(key) => {
                        assert!(plan.wants(key), "{key:?} is asked for and not wanted");
                        assert!(under_way.insert(key), "{key:?} is handed out twice");
                    }
                    Step::Wait | Step::Done => break,
                }
            }
            if under_way.is_empty() {
                assert_eq!(plan.next_step(&under_way), Step::Done, "nothing is under way and nothing comes");
                return plan;
            }
            let pick = order.get(journal.len()).copied().unwrap_or(0) % under_way.len();
            let key = *under_way.iter().nth(pick).expect("below its length");
            under_way.remove(&key);
            journal.push(key);
            plan.learn(key, result(key));
            if cuts.contains(&journal.len()) {
                under_way.clear();
                plan = Plan::new(extents.iter().copied());
                let mut replayed = journal.clone();
                replayed.sort_unstable();
                for key in replayed {
                    plan.learn(key, result(key));
                }
            }
            assert_eq!(journal.iter().collect::<BTreeSet<_>>().len(), journal.len(), "a job was done twice");
        }
    }

    #[test]
    fn parts_end_for_their_reasons() {
        use GameResult::{Draw, Loss, Win};
        let table = [
            // test, jobs, the results again and again, ending
            (None, 5, &[Draw][..], Ending::Complete),
            (None, 0, &[Draw], Ending::Complete),
            (Some(test_of(0.0, 50.0)), 2000, &[Win, Draw, Loss, Draw, Win, Win], Ending::AcceptedH1),
            (Some(test_of(0.0, 50.0)), 2000, &[Loss, Draw, Win, Draw, Loss, Loss], Ending::AcceptedH0),
            (Some(test_of(0.0, 2.0)), 20, &[Win, Draw, Loss, Draw], Ending::Undecided),
            // The odd last game can't become a pair.
            (Some(test_of(0.0, 2.0)), 7, &[Win, Draw, Loss, Draw], Ending::Undecided),
            (Some(test_of(0.0, 2.0)), 1, &[Win], Ending::Undecided),
        ];
        for (test, jobs, again, ending) in table {
            let results: Vec<GameResult> = again.iter().copied().cycle().take(jobs).collect();
            let count = test.map_or(jobs, |test| first_decision(&test, &results));
            let plan = carry_out(&[Extent { jobs, test }], &results, 1, &[], &[]);
            let part = plan.progress(0).expect("one part");
            assert_eq!((part.ending, part.counted), (Some(ending), count), "{test:?}, {jobs} of {again:?}");
        }
    }

    /// How many games it takes until the test is decided or no pair is left.
    fn first_decision(test: &Conduct, results: &[GameResult]) -> usize {
        let pairs: Vec<[GameResult; 2]> = results.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let decided = |&count: &usize| {
            test.sprt().judge(&pairs[..count].iter().copied().collect::<Pentanomial>())
                != Judgement::KeepPlaying
        };
        2 * (1..=pairs.len()).find(decided).unwrap_or(pairs.len())
    }

    #[test]
    fn what_is_under_way_is_waited_for() {
        let mut plan = Plan::new([Extent { jobs: 1, test: None }, Extent { jobs: 1, test: None }]);
        let [first, second] = [0, 1].map(|part| JobKey { part, job: 0 });
        assert_eq!(plan.next_step(&BTreeSet::new()), Step::Do(first));
        // The next part begins while the last job of this one is still under way.
        assert_eq!(plan.next_step(&BTreeSet::from([first])), Step::Do(second));
        assert_eq!(plan.next_step(&BTreeSet::from([first, second])), Step::Wait);
        plan.learn(second, None);
        assert_eq!(plan.next_step(&BTreeSet::from([first])), Step::Wait);
        plan.learn(first, None);
        plan.learn(first, None);
        plan.learn(JobKey { part: 7, job: 0 }, None);
        assert_eq!(plan.next_step(&BTreeSet::new()), Step::Done);
    }

    proptest! {
        /// Neither the number of workers, nor which game ends first, nor being killed changes what counts.
        #[test]
        fn what_counts_depends_on_nothing_but_the_results(
            results in prop::collection::vec(prop::sample::select(&RESULTS), 60),
            bias in 0..4_usize,
            workers in 1..6_usize,
            order in prop::collection::vec(0..6_usize, 200),
            cuts in prop::collection::vec(1..80_usize, 0..4),
            tests in (conduct(0.0, 60.0), conduct(0.0, 200.0)),
        ) {
            // Lopsided results, so that tests end early as well as late.
            let results: Vec<GameResult> =
                results.iter().enumerate().map(|(n, &result)| if n % 4 < bias { GameResult::Win } else { result }).collect();
            let extents = [
                Extent { jobs: 60, test: Some(tests.0) },
                Extent { jobs: 9, test: None },
                Extent { jobs: 41, test: Some(tests.1) },
            ];
            let alone = carry_out(&extents, &results, 1, &[], &[]);
            let together = carry_out(&extents, &results, workers, &order, &cuts);
            prop_assert_eq!(counted(&alone), counted(&together));
        }
    }
}
