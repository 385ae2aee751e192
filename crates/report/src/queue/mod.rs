//! A queue of tests: the state of each, and which of them can be merged.
//!
//! A test that accepts H1 is wrong with a probability of at most its alpha, if H0 is true. Of many tests
//! without a gain, that share is accepted, so among few accepted tests many can be false. The queue therefore
//! names the tests whose e-values reject H0 together, by online e-BH: the expected share of false ones among
//! them is at most the level of the queue.

mod json;
mod page;
mod text;

use threefold_stats::anytime::{EValue, OnlineEbh};
use threefold_stats::{Estimate, Logistic};

threefold_named_enum::named_enum! {
    /// The state of a test in a queue.
    pub enum QueueState {
        /// It was not started.
        Waiting = "waiting",
        /// A process runs it.
        Running = "running",
        /// It was started, and has no result yet.
        Interrupted = "interrupted",
        /// It accepted H1.
        Accepted = "accepted",
        /// It accepted H0.
        Rejected = "rejected",
        /// Its games or its time are used up, and it accepted no hypothesis.
        Undecided = "undecided",
        /// It could not be started or finished, or engine faults decide its result.
        Fault = "fault",
        /// The user withdrew it after it was started.
        Withdrawn = "withdrawn",
    }
}

impl QueueState {
    /// Has a test in this state a result?
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Accepted | Self::Rejected | Self::Undecided)
    }

    /// Does `queue run` take a test in this state without being asked for it by name?
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Waiting | Self::Interrupted)
    }
}

/// A queue of tests.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// What decides which tests can be merged.
    pub online: OnlineEbh,
    /// The tests, in the order in which they were added.
    pub tests: Vec<QueuedTest>,
}

/// A test in a queue.
#[derive(Debug, Clone, PartialEq)]
pub struct QueuedTest {
    /// Its number, which no other test of the queue ever has.
    pub number: u32,
    /// Its name, which no other test of the queue has.
    pub name: String,
    /// Tests with a higher priority are run first.
    pub priority: i32,
    /// Its state.
    pub state: QueueState,
    /// Its place in the order of the first starts, from 0; `None` if it was not started.
    pub place: Option<usize>,
    /// The command line that it is.
    pub command: String,
    /// What its games have shown so far; `None` without games.
    pub result: Option<QueueResult>,
    /// Why it has no result, if something is wrong.
    pub problem: Option<String>,
    /// Its journal, if there is one.
    pub journal: Option<String>,
    /// Its page, relative to that of the queue, if there is one.
    pub page: Option<String>,
}

/// What the games of a test have shown.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueResult {
    /// The number of games that count.
    pub games: u64,
    /// The estimate that allows for the stop; `None` if it is unknown.
    pub elo: Option<Estimate<Logistic>>,
    /// The e-value against H0; `None` while too little is known of the variance.
    pub e_value: Option<EValue>,
    /// The probability with which the test accepts H1 if H0 is true.
    pub alpha: f64,
    /// The result in a sentence.
    pub conclusion: String,
}

/// Can a test be merged?
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Merge {
    /// Yes: its H0 is rejected together with those of others.
    Yes,
    /// No: it accepted H0.
    No,
    /// Not now: it would need this e-value.
    Needs(EValue),
    /// It has no result.
    Unknown,
}

/// The tests that are accepted by themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alone {
    /// The number of tests that accepted a hypothesis, or ended undecided.
    pub finished: usize,
    /// The number of those that accepted H1.
    pub accepted: usize,
    /// The expected number of accepted tests if H0 is true of all finished ones: the sum of their alphas.
    pub by_chance: f64,
}

impl Alone {
    /// The expected false ones among 100 accepted tests, at most; `None` if no test is accepted.
    pub fn false_per_hundred(self) -> Option<f64> {
        (self.accepted > 0).then(|| (100.0 * self.by_chance / self.accepted as f64).min(100.0))
    }
}

impl Queue {
    /// Whether each test can be merged, in the order of the tests.
    pub fn merges(&self) -> Vec<Merge> {
        let values = self.values();
        let discoveries = self.online.discoveries(&values);
        let merge = |test: &QueuedTest| match (test.place, test.state) {
            (Some(place), _) if discoveries.get(place) == Some(&true) => Merge::Yes,
            (_, QueueState::Rejected) => Merge::No,
            (Some(place), _) if test.counted().is_some() => Merge::Needs(self.online.needed(&values, place)),
            _ => Merge::Unknown,
        };
        self.tests.iter().map(merge).collect()
    }

    /// The names of the tests that can be merged.
    pub fn merged(&self) -> Vec<&str> {
        let merges = self.tests.iter().zip(self.merges());
        merges.filter(|(_, merge)| *merge == Merge::Yes).map(|(test, _)| test.name.as_str()).collect()
    }

    /// What the tests would be by themselves.
    pub fn alone(&self) -> Alone {
        let finished = || self.tests.iter().filter(|test| test.state.is_finished());
        Alone {
            finished: finished().count(),
            accepted: finished().filter(|test| test.state == QueueState::Accepted).count(),
            by_chance: finished().filter_map(|test| test.result.as_ref()).map(|result| result.alpha).sum(),
        }
    }

    /// The e-values of the finished tests, by their places.
    fn values(&self) -> Vec<Option<EValue>> {
        let places = self.tests.iter().filter_map(|test| test.place).max().map_or(0, |last| last + 1);
        // A test without a result keeps its place, since the level is shared by the order of the starts.
        let mut values = vec![None; places];
        for test in &self.tests {
            if let Some(place) = test.place {
                values[place] = test.counted();
            }
        }
        values
    }

    /// The tests in the order in which they are run: those with the highest priority first, and of these the
    /// oldest.
    pub fn in_order(&self) -> Vec<&QueuedTest> {
        let mut tests: Vec<&QueuedTest> = self.tests.iter().collect();
        tests.sort_by_key(|test| (std::cmp::Reverse(test.priority), test.number));
        tests
    }
}

impl QueuedTest {
    /// The e-value that counts: that of a test with a result.
    fn counted(&self) -> Option<EValue> {
        self.result.as_ref().filter(|_| self.state.is_finished())?.e_value
    }
}

#[cfg(test)]
pub(crate) mod fixture {
    use std::num::NonZeroU32;

    use super::*;

    pub(crate) fn test(number: u32, state: QueueState, e_value: Option<f64>) -> QueuedTest {
        let estimate = Estimate { value: Logistic(4.2), low: Logistic(0.9), high: Logistic(7.5) };
        let result = e_value.map(|value| QueueResult {
            games: 21_050,
            elo: Some(estimate),
            e_value: Some(EValue::new(value)),
            alpha: 0.05,
            conclusion: format!("H1 accepted by test {number}."),
        });
        let place = (state != QueueState::Waiting).then_some(number as usize - 1);
        QueuedTest {
            number,
            name: format!("patch-{number}"),
            priority: 0,
            state,
            place,
            command: "threefold sprt --engine ./new --engine ./old --elo0 0 --elo1 5 --tc 8+0.08".to_owned(),
            result,
            problem: (state == QueueState::Fault).then(|| "engine `<new>` can't be started".to_owned()),
            journal: place.map(|_| format!("tests/{number}/run.sqlite")),
            page: state.is_finished().then(|| format!("tests/{number}/index.html")),
        }
    }

    /// With a horizon of 1, these tests need 40, 120, 240, … alone.
    pub(crate) fn queue() -> Queue {
        let urgent = QueuedTest { priority: 5, ..test(6, QueueState::Waiting, None) };
        Queue {
            online: OnlineEbh::new(0.05, NonZeroU32::MIN).expect("a level"),
            tests: vec![
                test(1, QueueState::Accepted, Some(21.0)),
                test(2, QueueState::Accepted, Some(3.1e5)),
                test(3, QueueState::Rejected, Some(0.02)),
                test(4, QueueState::Fault, None),
                test(5, QueueState::Accepted, Some(24.0)),
                urgent,
                test(7, QueueState::Waiting, None),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_merged_by_what_all_have_shown() {
        let mut queue = fixture::queue();
        // Test 5 has the weight 1/30: the third of three needs 200.
        let needed = EValue::new(200.0);
        let [Merge::Yes, Merge::Yes, Merge::No, Merge::Unknown, Merge::Needs(found), Merge::Unknown, _] =
            queue.merges()[..]
        else {
            panic!("{:?}", queue.merges())
        };
        assert!((found.log() - needed.log()).abs() < 1e-12, "{found}");
        assert_eq!(queue.merged(), ["patch-1", "patch-2"]);
        // Without the strong test, the other lacks evidence, too.
        queue.tests[1].state = QueueState::Interrupted;
        assert_eq!(queue.merged(), Vec::<&str>::new());
    }

    #[test]
    fn accepted_tests_alone_have_more_false_ones() {
        let alone = fixture::queue().alone();
        assert_eq!((alone.finished, alone.accepted), (4, 3));
        assert!((alone.by_chance - 0.2).abs() < 1e-12);
        let share = alone.false_per_hundred().expect("some are accepted");
        assert!((share - 100.0 * 0.2 / 3.0).abs() < 1e-9, "{share}");
        let none = Alone { accepted: 0, ..alone };
        assert_eq!(none.false_per_hundred(), None);
    }

    #[test]
    fn higher_priority_and_then_age_decide_the_order() {
        let queue = fixture::queue();
        let numbers: Vec<u32> = queue.in_order().iter().map(|test| test.number).collect();
        assert_eq!(numbers, [6, 1, 2, 3, 4, 5, 7]);
    }
}
