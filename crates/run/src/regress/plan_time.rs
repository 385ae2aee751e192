//! A plan that takes too long leaves out slow cases, and then asks fewer of each class.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::time::Duration;

use super::baseline::CaseName;
use threefold_suites::sampled_per_class;

/// The longest time of a plan on two cores: three minutes, less a reserve for lost cases, which are asked again.
pub const LONGEST: Duration = Duration::from_secs(165);

/// The cores of that time; hosted CI has no more.
const CORES: u32 = 2;

/// Fewer cases of a class say too little about it. With three of each, on a machine with many other programs, `init` chose a
/// suite `symmetry` that no longer showed what it is for.
const FEWEST_PER_CLASS: usize = 6;

/// A case that takes longer costs a plan as much as a whole suite. With an engine that reads nothing while it searches, one case
/// took 82 s, because it stops many searches, and each of them goes on to its end.
const SLOW_CASE: Duration = Duration::from_secs(30);

/// Fewer cases of a suite are asked only if that saves at least this much of the workers' time.
const LEAST_SAVED: Duration = Duration::from_secs(2);

/// A suite of a first run.
#[derive(Debug, Clone)]
pub struct TimedSuite<'r> {
    /// Its name.
    pub name: &'r str,
    /// The cases of each class that were asked; all if `None`.
    pub per_class: Option<NonZeroUsize>,
    /// May fewer be asked?
    pub can_be_smaller: bool,
    /// Its cases, in their order.
    pub cases: Vec<TimedCase<'r>>,
}

/// A case of a first run.
#[derive(Debug, Clone, Copy)]
pub struct TimedCase<'r> {
    /// Its id.
    pub id: &'r str,
    /// Its class.
    pub class: &'r str,
    /// The time that a worker needs for it in later runs; zero if it is left out.
    pub time: Duration,
}

/// A smaller plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmallerPlan {
    /// The cases of each class that are asked, by suite, where they are fewer than before.
    pub per_class: BTreeMap<String, NonZeroUsize>,
    /// The cases that are no longer asked.
    pub removed: BTreeSet<CaseName>,
    /// The cases that the plan leaves out, since each of them is slow.
    pub slow: BTreeSet<CaseName>,
    /// The times of both plans on two cores.
    pub times: [Duration; 2],
}

/// The plan with so few cases that it takes no more than [`LONGEST`], or with as few as there may be; `None` if it is short
/// enough. The slowest cases are left out first. Then, where most time goes, the number of cases is halved, and so on: what remains
/// was asked in the first run, too.
pub fn smaller_plan(suites: &[TimedSuite<'_>]) -> Option<SmallerPlan> {
    let before = suites.iter().flat_map(|suite| &suite.cases).map(|case| case.time).sum::<Duration>() / CORES;
    let mut suites = suites.to_vec();
    let slow = leave_out_slow_cases(&mut suites, before);
    let mut sampled: Vec<Sampled<'_>> = suites.iter().map(Sampled::new).collect();
    let time = |sampled: &[Sampled<'_>]| sampled.iter().map(Sampled::time).sum::<Duration>() / CORES;
    while time(&sampled) > LONGEST {
        let halves = sampled.iter().enumerate().filter_map(|(number, it)| Some((number, it.smaller()?)));
        let longest = halves.max_by_key(|(number, _)| sampled[*number].time());
        let Some((number, half)) = longest else { break };
        sampled[number] = half;
    }
    let changed: Vec<&Sampled<'_>> = sampled.iter().filter(|it| it.is_smaller).collect();
    let per_class = changed.iter().filter_map(|it| Some((it.suite.name.to_owned(), it.per_class?)));
    let removed = changed.iter().flat_map(|it| it.removed());
    let is_smaller = !changed.is_empty() || !slow.is_empty();
    is_smaller.then(|| SmallerPlan {
        per_class: per_class.collect(),
        removed: removed.collect(),
        slow,
        times: [before, time(&sampled)],
    })
}

/// Leaves out the slowest cases of a plan that takes this time, until it takes no more than [`LONGEST`] or none is slow.
fn leave_out_slow_cases(suites: &mut [TimedSuite<'_>], mut time: Duration) -> BTreeSet<CaseName> {
    let all = suites.iter_mut().flat_map(|suite| suite.cases.iter_mut().map(|case| (suite.name, case)));
    let mut slow: Vec<_> = all.filter(|(_, case)| case.time > SLOW_CASE).collect();
    slow.sort_by_key(|(_, case)| Reverse(case.time));
    let mut left_out = BTreeSet::new();
    for (suite, case) in slow {
        if time > LONGEST {
            time -= case.time / CORES;
            case.time = Duration::ZERO;
            left_out.insert(CaseName { suite: suite.to_owned(), id: case.id.to_owned() });
        }
    }
    left_out
}

/// A suite of which not all cases may be asked.
struct Sampled<'r> {
    suite: &'r TimedSuite<'r>,
    per_class: Option<NonZeroUsize>,
    is_asked: Vec<bool>,
    is_smaller: bool,
}

impl<'r> Sampled<'r> {
    fn new(suite: &'r TimedSuite<'r>) -> Self {
        let is_asked = vec![true; suite.cases.len()];
        Self { suite, per_class: suite.per_class, is_asked, is_smaller: false }
    }

    fn time(&self) -> Duration {
        self.suite
            .cases
            .iter()
            .zip(&self.is_asked)
            .filter(|(_, asked)| **asked)
            .map(|(case, _)| case.time)
            .sum()
    }

    /// The same suite with half of the cases; `None` if there may be no fewer, or if that hardly saves time.
    fn smaller(&self) -> Option<Self> {
        self.half().filter(|half| half.time() + LEAST_SAVED <= self.time())
    }

    /// The same suite with half of the cases; `None` if there may be no fewer.
    fn half(&self) -> Option<Self> {
        let classes: Vec<&str> = self.suite.cases.iter().map(|case| case.class).collect();
        let size = |class: &&str| classes.iter().filter(|it| *it == class).count();
        let largest = classes.iter().map(size).max().unwrap_or(0);
        let (now, can_be_halved) = match self.per_class {
            // A number above the largest class leaves out no case, so that class is halved instead.
            Some(per_class) if self.is_smaller || per_class.get() <= largest => {
                // Half of an odd number would ask cases that the first run did not ask.
                (per_class.get(), per_class.get() % 2 == 0)
            }
            _ => (largest, true),
        };
        let half = NonZeroUsize::new(now / 2).filter(|it| it.get() >= FEWEST_PER_CLASS)?;
        if !can_be_halved || !self.suite.can_be_smaller {
            return None;
        }
        let is_asked = sampled_per_class(&classes, half);
        Some(Self { per_class: Some(half), is_asked, is_smaller: true, ..*self })
    }

    fn removed(&self) -> impl Iterator<Item = CaseName> {
        let cases = self.suite.cases.iter().zip(&self.is_asked).filter(|(_, asked)| !**asked);
        cases.map(|(case, _)| CaseName { suite: self.suite.name.to_owned(), id: case.id.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [&str; 2] = ["dawdle", "refuge"];

    /// A suite with this number of cases of each class, each of which takes a second.
    fn suite<'r>(name: &'r str, ids: &'r [String], per_class: Option<usize>) -> TimedSuite<'r> {
        let second = Duration::from_secs(1);
        let case =
            |(number, id): (usize, &'r String)| TimedCase { id, class: CLASSES[number % 2], time: second };
        TimedSuite {
            name,
            per_class: per_class.and_then(NonZeroUsize::new),
            can_be_smaller: true,
            cases: ids.iter().enumerate().map(case).collect(),
        }
    }

    fn ids(number: usize) -> Vec<String> {
        (0..number).map(|number| format!("c{number}")).collect()
    }

    #[test]
    fn cases_are_halved_where_most_time_goes_until_the_plan_is_short() {
        let [long, short] = [ids(280), ids(100)];
        let suites = [suite("value", &long, None), suite("mate", &short, Some(50))];
        let smaller = smaller_plan(&suites).expect("190 s on two cores");
        let number = |number| NonZeroUsize::new(number).expect("not zero");
        assert_eq!(smaller.per_class, BTreeMap::from([("value".to_owned(), number(70))]));
        assert_eq!(smaller.times, [190, 120].map(Duration::from_secs));
        assert_eq!(smaller.removed.len(), 140);
        assert!(smaller.removed.iter().all(|name| name.suite == "value"));
        assert_eq!(smaller_plan(&suites[..1]), None, "140 s");
    }

    #[test]
    fn cases_that_are_left_out_take_no_time() {
        let ids = ids(400);
        let mut suite = suite("value", &ids, None);
        for case in &mut suite.cases[320..] {
            case.time = Duration::ZERO;
        }
        assert_eq!(smaller_plan(&[suite]), None);
    }

    #[test]
    fn suite_that_takes_hardly_any_time_keeps_its_cases() {
        let [long, short] = [ids(400), ids(100)];
        let fixed = TimedSuite { can_be_smaller: false, ..suite("dialogue", &long, None) };
        let mut fast = suite("value", &short, None);
        for (saved, per_class) in [(1, None), (2, NonZeroUsize::new(25))] {
            fast.cases.iter_mut().for_each(|case| case.time = Duration::from_secs(saved) / 50);
            let smaller = smaller_plan(&[fixed.clone(), fast.clone()]);
            assert_eq!(smaller.and_then(|it| it.per_class.get("value").copied()), per_class);
        }
    }

    #[test]
    fn slowest_cases_are_left_out_until_the_plan_is_short() {
        let ids = ids(206);
        let mut suite = TimedSuite { can_be_smaller: false, ..suite("output", &ids, None) };
        for (number, seconds) in [(3, 30), (4, 31), (5, 80), (6, 40)] {
            suite.cases[number].time = Duration::from_secs(seconds);
        }
        let smaller = smaller_plan(&[suite]).expect("191.5 s on two cores");
        let slow: Vec<&str> = smaller.slow.iter().map(|name| name.id.as_str()).collect();
        assert_eq!(slow, ["c5"]);
        assert_eq!(smaller.times, [191_500, 151_500].map(Duration::from_millis));
        assert!(smaller.per_class.is_empty() && smaller.removed.is_empty());
    }

    #[test]
    fn a_plan_that_stays_long_has_as_few_cases_as_there_may_be() {
        let [long, fixed] = [ids(28), ids(2)];
        let half_minutes = |mut suite: TimedSuite<'_>| {
            suite.cases.iter_mut().for_each(|case| case.time = SLOW_CASE);
            smaller_plan(&[suite])
        };
        // Of 14, 7, which is odd; of all, 7 and then 3 would be no part of them.
        for per_class in [Some(14), None] {
            let smaller = half_minutes(suite("value", &long, per_class)).expect("seven minutes");
            assert_eq!(smaller.per_class["value"].get(), 7, "{per_class:?}");
            assert_eq!(smaller.times, [420, 210].map(Duration::from_secs));
        }
        for per_class in [7, 13] {
            assert_eq!(half_minutes(suite("value", &long[..2 * per_class], Some(per_class))), None);
        }
        let dialogues = TimedSuite { can_be_smaller: false, ..suite("dialogue", &fixed, None) };
        assert_eq!(half_minutes(dialogues), None);
    }
}
