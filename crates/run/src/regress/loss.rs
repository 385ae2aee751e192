//! What became of a lost case when it was asked again.
//!
//! A dialogue of a strict suite that failed is held again some times. It depends on the moment of each line, so an engine
//! with a race fails it now and then; if it passes more than once, it is flaky and no regression. A single pass excuses
//! nothing, or a change that makes a race likely would never show. The same holds for a smoke game that was lost on time, and
//! for a search that differed from itself, if hardly any other did. If several cases of a suite are lost and none of them ever
//! passes, or many are lost and a quarter of them never passes, the run has failed, and fewer attempts at the cases of all strict suites
//! are enough: each waits for a line that does not come. The rest is about search suites.
//!
//! A case is lost for good if the new version fails at every limit, the baseline passed the whole class of the
//! case, and the base version, if it is asked, passes at every limit but one at most. A single such case of a suite is no
//! regression: of the ordinary patches of engines, some lose one. A class that was not passed
//! in full has cases at the edge of what the engine can do, and partial points are no clear verdict; of such cases
//! nothing is decided.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::baseline::{Baseline, BaselineCase, CaseName};
use threefold_suites::{FailCause, LostCase, VerdictKind};

/// What became of a lost case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// It is passed at another limit, the smallest of which is this one.
    Later(String),
    /// It is a case of a strict suite that passed when it was tried again.
    Flaky,
    /// It is a case of a strict suite that failed in all or most attempts.
    Again {
        /// The number of failed attempts, with that of the suite.
        failed: usize,
        /// The number of attempts.
        attempts: usize,
    },
    /// It is failed at every limit.
    ForGood {
        /// The number of limits, the first included.
        limits: usize,
        /// At how many of them the base version passes, if it was asked.
        base: Option<usize>,
    },
    /// It is lost for good, but no other case of its suite is.
    Alone(usize),
    /// It is failed at every limit, but for this reason that does not say that something is broken.
    Undecided(&'static str),
    /// It was asked again this number of times, but each attempt was skipped, so nothing excuses it.
    Skipped(usize),
    /// It was not asked again, since enough other lost cases of its suite were.
    LeftOut,
    /// It was not asked again, for this reason.
    NotAsked(&'static str),
}

/// How a lost case of a strict suite is held again.
struct Attempts {
    /// How often it is held.
    most: usize,
    /// How often it may pass then and still be a regression.
    may_pass: usize,
}

/// Chosen on the pairs of `docs/src/research/real-bugs.md`: no unchanged engine failed more than three attempts before it
/// passed, and two with a missed bug failed four of five.
const ATTEMPTS: Attempts = Attempts { most: 4, may_pass: 1 };
/// The same for a suite of which the engine passes other cases by chance. It may have passed this one by chance, too: a Laser that
/// crashes at `stop` now and then passed such a dialogue in three attempts, and failed it in four of five later.
const ATTEMPTS_WITH_RACES: Attempts = Attempts { most: 9, may_pass: 1 };
/// The same for a move that does not come, if the engine lost answers in the run of the baseline, too. A Koivisto and an early
/// Stash that lose every second move pass a dialogue of several searches once in a while.
const ATTEMPTS_FOR_LOST_MOVE: Attempts = Attempts { most: 9, may_pass: 0 };

/// This number of further attempts at the lost dialogues of a suite, all of them failed, shows that no race is at work.
/// Chosen: a race that lets every second attempt fail does that in one of 64 cases. If a suite lost many
/// cases, it is enough that a quarter of those that are held again fail: of 65 unchanged engines none lost more than one dialogue.
const NO_RACE: usize = 6;

impl Loss {
    /// Is the case a regression?
    pub const fn is_regression(&self) -> bool {
        match self {
            Self::Again { .. } | Self::ForGood { .. } | Self::Skipped(_) | Self::NotAsked(_) => true,
            Self::Flaky | Self::Later(_) | Self::Alone(_) | Self::Undecided(_) | Self::LeftOut => false,
        }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Later(limit) => write!(f, "solved at {limit}"),
            Self::Flaky => f.write_str("passed when it was tried again"),
            Self::Again { failed, attempts } if failed == attempts => {
                write!(f, "failed in each of {attempts} attempts")
            }
            Self::Again { failed, attempts } => write!(f, "failed in {failed} of {attempts} attempts"),
            Self::ForGood { limits, base: None } => write!(f, "not solved at any of {limits} limits"),
            Self::ForGood { limits, base: Some(solved) } => {
                write!(f, "not solved at any of {limits} limits, of which the base version solves {solved}")
            }
            Self::Alone(limits) => {
                write!(f, "not solved at any of {limits} limits, but it is the only such case of its suite")
            }
            Self::Undecided(why) => write!(f, "not solved at any limit, but {why}"),
            Self::Skipped(1) => f.write_str("asked again, but that attempt was skipped"),
            Self::Skipped(attempts) => {
                write!(f, "asked again, but each of {attempts} attempts was skipped")
            }
            Self::LeftOut => f.write_str("not asked again, since many other lost cases of its suite were"),
            Self::NotAsked(why) => write!(f, "not asked again: {why}"),
        }
    }
}

/// The answers at other limits, and which suites have them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AskedAgain {
    /// What a lost case means, by suite.
    pub(super) lost_cases: BTreeMap<String, LostCase>,
    /// The suites with a node or depth limit that can be raised.
    pub(super) adjustable: BTreeSet<String>,
    /// Did the engine lose answers of searches by chance in the run of the baseline, or pass many dialogues by chance?
    pub(super) loses_answers: bool,
    /// The suites of which the engine passed cases by chance in the run of the baseline.
    pub(super) passed_by_chance: BTreeSet<String>,
    /// How often the new version was asked a case again, with or without an answer.
    pub(super) questions: BTreeMap<CaseName, usize>,
    /// The answers of the new version: the limit, and whether it passed.
    pub(super) new: BTreeMap<CaseName, Vec<(String, bool)>>,
    /// The same of the base version.
    pub(super) base: BTreeMap<CaseName, Vec<(String, bool)>>,
}

impl AskedAgain {
    /// What became of a lost case of a strict suite that may be chance.
    pub(super) fn loss_of_attempts(&self, name: &CaseName, now: &BaselineCase) -> Loss {
        let answers = self.new.get(name).map_or(0, Vec::len);
        if answers == 0 {
            return self.unanswered(name);
        }
        let passed = self.passed(name);
        let attempts = self.attempts(name, now);
        // If the attempts ended early, the failures are too few to outweigh a pass.
        if passed > attempts.may_pass || passed > 0 && answers < attempts.most {
            return Loss::Flaky;
        }
        // The failure in the plan itself is an attempt, too.
        Loss::Again { failed: answers - passed + 1, attempts: answers + 1 }
    }

    /// What became of a lost case without an answer of the new version.
    fn unanswered(&self, name: &CaseName) -> Loss {
        if let Some(&attempts) = self.questions.get(name) {
            return Loss::Skipped(attempts);
        }
        if self.new.keys().any(|asked| asked.suite == name.suite) {
            Loss::LeftOut
        } else {
            Loss::NotAsked("the run ended before")
        }
    }

    /// Is a lost case asked again? A case of a search suite is not once it is solved.
    pub(super) fn is_open(&self, name: &CaseName, now: &BaselineCase, lost_case: LostCase) -> bool {
        let passed = self.passed(name);
        match lost_case {
            LostCase::Strict => {
                let attempts = self.attempts(name, now);
                passed <= attempts.may_pass
                    // Questions without an answer count, too, or the case would be asked without end.
                    && self.questions.get(name).is_none_or(|&asked| asked < attempts.most)
            }
            LostCase::Search => passed == 0,
        }
    }

    /// Have lost cases of one strict suite failed so often that no further attempt is needed, at those of any? `many_lost` are
    /// the suites that lost more cases than a race explains. An engine that loses answers is excused by each that comes.
    pub(super) fn is_no_race(&self, many_lost: &BTreeSet<&str>) -> bool {
        let strict = self.lost_cases.iter().filter(|(_, lost_case)| **lost_case == LostCase::Strict);
        let decides = |(suite, _): (&String, _)| {
            let cases = self.new.iter().filter(|(name, _)| name.suite == *suite);
            let passes: Vec<bool> =
                cases.flat_map(|(_, answers)| answers).map(|(_, passed)| *passed).collect();
            passes.len() >= NO_RACE && passes.iter().all(|passed| !passed)
                || many_lost.contains(suite.as_str()) && self.many_never_pass(suite)
        };
        !self.loses_answers && strict.into_iter().any(decides)
    }

    /// Has at least a quarter of the cases of a suite that were asked again, and are not few, failed in each attempt?
    fn many_never_pass(&self, suite: &str) -> bool {
        let cases = || self.new.iter().filter(|(name, _)| name.suite == suite);
        let failed = cases().filter(|(_, answers)| answers.iter().all(|(_, passed)| !passed)).count();
        cases().count() >= NO_RACE && 4 * failed >= cases().count()
    }

    /// How a lost case of a strict suite is held again.
    fn attempts(&self, name: &CaseName, now: &BaselineCase) -> Attempts {
        if self.loses_answers && now.lacks_move() {
            ATTEMPTS_FOR_LOST_MOVE
        } else if self.passed_by_chance.contains(&name.suite) {
            ATTEMPTS_WITH_RACES
        } else {
            ATTEMPTS
        }
    }

    /// How often a case passed when the new version was asked again.
    fn passed(&self, name: &CaseName) -> usize {
        self.new.get(name).into_iter().flatten().filter(|(_, is_passed)| *is_passed).count()
    }

    /// What became of a lost case of a search suite.
    pub(super) fn loss(
        &self,
        name: &CaseName,
        was: &BaselineCase,
        now: &BaselineCase,
        baseline: &Baseline,
    ) -> Loss {
        let answers = self.new.get(name).map_or(&[][..], Vec::as_slice);
        if let Some((limit, _)) = answers.iter().find(|(_, is_passed)| *is_passed) {
            return Loss::Later(limit.clone());
        }
        if !self.adjustable.contains(&name.suite) {
            return Loss::NotAsked("its suite has no node or depth limit");
        }
        if answers.is_empty() {
            return self.unanswered(name);
        }
        let mut class = baseline.cases.iter().filter(|(other, known)| {
            other.suite == name.suite && known.class == was.class && known.kind() != VerdictKind::Skipped
        });
        if class.any(|(_, known)| known.kind() != VerdictKind::Passed && !known.is_accepted_loss()) {
            return Loss::Undecided("the baseline did not solve its whole class");
        }
        if now.cause == FailCause::InPart.into() {
            return Loss::Undecided("it has a part of the points");
        }
        let base = self
            .base
            .get(name)
            .map(|answers| (answers.len(), answers.iter().filter(|(_, is_passed)| *is_passed).count()));
        match base {
            Some((limits, passed)) if passed + 1 < limits => {
                Loss::Undecided("the base version does not solve it at each limit either")
            }
            // The limit of the plan itself is one of them.
            _ => Loss::ForGood { limits: answers.len() + 1, base: base.map(|(_, passed)| passed) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of attempts at lost cases, by suite and id.
    fn asked(attempts: &[(&str, &str, &[bool])], loses_answers: bool) -> AskedAgain {
        let answers = |passed: &[bool]| passed.iter().map(|passed| (String::new(), *passed)).collect();
        let name = |suite: &str, id: &str| CaseName { suite: suite.to_owned(), id: id.to_owned() };
        let new = attempts.iter().map(|(suite, id, passed)| (name(suite, id), answers(passed)));
        let lost_cases =
            [("dialogue", LostCase::Strict), ("output", LostCase::Strict), ("mate", LostCase::Search)];
        let lost_cases = lost_cases.map(|(suite, lost_case)| (suite.to_owned(), lost_case)).into();
        AskedAgain { new: new.collect(), loses_answers, lost_cases, ..AskedAgain::default() }
    }

    #[test]
    fn six_failed_attempts_at_the_cases_of_a_strict_suite_are_no_race() {
        let three =
            |suite, last| [(suite, "a", &[false; 2][..]), (suite, "b", &[false; 2]), (suite, "c", last)];
        let [failed, passed] = [&[false, false][..], &[false, true]];
        assert!(asked(&three("dialogue", failed), false).is_no_race(&BTreeSet::new()));
        assert!(
            !asked(&three("dialogue", failed), true).is_no_race(&BTreeSet::new()),
            "each answer excuses it"
        );
        assert!(!asked(&three("dialogue", passed), false).is_no_race(&BTreeSet::new()));
        assert!(
            !asked(&three("dialogue", &failed[1..]), false).is_no_race(&BTreeSet::new()),
            "five attempts"
        );
        assert!(!asked(&three("mate", failed), false).is_no_race(&BTreeSet::new()), "a search suite");
        let two = [("output", "a", &[false; 5][..]), ("dialogue", "a", &[false; 5])];
        assert!(!asked(&two, false).is_no_race(&BTreeSet::new()), "five of each suite");
        let with_passed = [&three("dialogue", failed)[..], &[("output", "a", passed)]].concat();
        assert!(asked(&with_passed, false).is_no_race(&BTreeSet::new()), "one suite decides");
    }

    #[test]
    fn quarter_of_the_cases_is_enough_if_many_are_lost() {
        let many_lost = BTreeSet::from(["dialogue"]);
        let six = |suite, passed: usize| {
            let ids = ["a", "b", "c", "d", "e", "f"];
            let case =
                |(number, id)| (suite, id, if number < passed { &[true, false][..] } else { &[false; 2] });
            ids.into_iter().enumerate().map(case).collect::<Vec<_>>()
        };
        for (passed, suite, expected) in
            [(4, "dialogue", true), (5, "dialogue", false), (4, "output", false), (0, "output", true)]
        {
            let asked = asked(&six(suite, passed), false);
            assert_eq!(asked.is_no_race(&many_lost), expected, "{passed} {suite}");
        }
        assert!(!asked(&six("dialogue", 3)[1..], false).is_no_race(&many_lost), "five cases");
        assert!(!asked(&six("dialogue", 0), true).is_no_race(&many_lost), "each answer excuses it");
    }

    #[test]
    fn case_whose_attempts_were_skipped_counts_whatever_becomes_of_others() {
        let name = CaseName { suite: "dialogue".to_owned(), id: "a".to_owned() };
        let [class, detail, played] = [const { String::new() }; 3];
        let cause = FailCause::ProtocolViolated.into();
        let lost = BaselineCase { class, cause, detail, played, solved_nodes: None, accepted: None };
        for others in [&[][..], &[("dialogue", "b", &[true, true][..])]] {
            let mut asked = asked(others, false);
            asked.questions.insert(name.clone(), 4);
            asked.adjustable.insert(name.suite.clone());
            let of_search = asked.loss(&name, &lost, &lost, &Baseline::default());
            for loss in [asked.loss_of_attempts(&name, &lost), of_search] {
                assert_eq!(loss, Loss::Skipped(4), "{others:?}");
                assert!(loss.is_regression());
            }
        }
    }
}
