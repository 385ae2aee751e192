//! How many cases of a suite must pass.
//!
//! A threshold is a share of cases, of the whole suite or of one class. A fault counts as not passed; a
//! skipped case does not count at all, so nothing is required of an engine that lacks what every case needs.
//! The required number is rounded up: 0.95 of 44 cases is 42.

use std::collections::BTreeMap;
use std::fmt;

use super::verdict::{CaseRecord, VerdictKind};

/// A share, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Share(f64);

impl Share {
    /// `None` outside 0 to 1.
    pub fn new(share: f64) -> Option<Self> {
        (0.0..=1.0).contains(&share).then_some(Self(share))
    }

    /// The required number of cases, rounded up. Rounding errors of decimal fractions do not require an extra
    /// case.
    fn required(self, cases: usize) -> usize {
        (self.0 * cases as f64 - 1e-9).ceil() as usize
    }
}

/// In per cent, in the shortest form.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = format!("{:.2}", self.0 * 100.0);
        write!(f, "{} %", percent.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// The required shares of passed cases.
///
/// ```
/// use threefold_suites::{Share, Thresholds};
///
/// let thresholds = Thresholds { pass: Share::new(0.95), ..Thresholds::default() };
/// assert_eq!(thresholds.pass.expect("within 0 to 1").to_string(), "95 %");
/// assert!(thresholds.judge(&[]).is_empty(), "no case misses it");
/// assert_eq!(Share::new(1.5), None);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thresholds {
    /// Of all cases; `None` for no requirement.
    pub pass: Option<Share>,
    /// Of the cases of a class.
    pub class: BTreeMap<String, Share>,
}

/// A threshold that was missed.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortfall {
    /// The class; `None` for the suite as a whole.
    pub class: Option<String>,
    /// Cases that passed.
    pub passed: usize,
    /// Cases that were not skipped.
    pub cases: usize,
    /// The required number of passed cases.
    pub needed: usize,
    /// The required share.
    pub asked: Share,
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.class {
            Some(class) => write!(f, "class {class}: ")?,
            None => write!(f, "all: ")?,
        }
        let Self { passed, cases, needed, asked, .. } = self;
        write!(f, "{passed} of {cases} passed, {needed} needed ({asked})")
    }
}

impl Thresholds {
    /// The thresholds that the records of one engine in one suite miss: the whole suite first, then classes
    /// by name.
    pub fn judge(&self, records: &[CaseRecord]) -> Vec<Shortfall> {
        let whole = self.pass.map(|asked| (None, asked));
        let classes = self.class.iter().map(|(class, &asked)| (Some(class), asked));
        whole
            .into_iter()
            .chain(classes)
            .filter_map(|(class, asked)| fall_short(class, asked, records))
            .collect()
    }
}

fn fall_short(class: Option<&String>, asked: Share, records: &[CaseRecord]) -> Option<Shortfall> {
    let mut cases = 0;
    let mut passed = 0;
    let asked_of = |record: &&CaseRecord| class.is_none_or(|class| *class == record.class);
    let judged = |record: &&CaseRecord| record.verdict.kind() != VerdictKind::Skipped;
    for record in records.iter().filter(asked_of).filter(judged) {
        cases += 1;
        passed += usize::from(record.verdict.kind() == VerdictKind::Passed);
    }
    let needed = asked.required(cases);
    (passed < needed).then(|| Shortfall { class: class.cloned(), passed, cases, needed, asked })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cause, FailCause, PassCause, SkipCause, Verdict};
    use threefold_chess::position::GamePosition;
    use threefold_player::FaultCause;

    fn records(class: &str, passed: usize, cases: usize) -> Vec<CaseRecord> {
        let unpassed = [FailCause::NoPoint.into(), FaultCause::Crash.into()].into_iter().cycle();
        std::iter::repeat_n(PassCause::AcceptedMove.into(), passed)
            .chain(unpassed)
            .take(cases)
            .map(|cause: Cause| CaseRecord {
                suite: "s".to_owned(),
                id: String::new(),
                class: class.to_owned(),
                engine: String::new(),
                accepted: String::new(),
                note: String::new(),
                line: GamePosition::start_position(),
                verdict: Verdict::unanswered(cause, ""),
            })
            .collect()
    }

    #[test]
    fn threshold_rounds_up_to_whole_cases() {
        let table = [
            // share, cases, needed
            (0.95, 44, 42),
            (0.95, 40, 38),
            (0.7, 10, 7),
            (0.1, 30, 3),
            (1.0, 7, 7),
            (0.0, 7, 0),
            (0.01, 7, 1),
            (0.5, 0, 0),
        ];
        for (share, cases, needed) in table {
            let asked = Share::new(share).expect("a share");
            assert_eq!(asked.required(cases), needed, "{asked} of {cases}");
            let thresholds = Thresholds { pass: Some(asked), class: BTreeMap::new() };
            assert_eq!(thresholds.judge(&records("a", needed, cases)), [], "{asked}: {needed} of {cases}");
            if let Some(fewer) = needed.checked_sub(1) {
                assert_eq!(thresholds.judge(&records("a", fewer, cases)).len(), 1, "{asked}: {fewer}");
            }
        }
        assert_eq!([-0.1, 1.1, f64::NAN].map(Share::new), [None; 3]);
    }

    #[test]
    fn skipped_case_does_not_count() {
        let skipped = CaseRecord {
            verdict: Verdict::unanswered(SkipCause::NotSupported, "an option"),
            ..records("a", 0, 1).remove(0)
        };
        let strict = Thresholds { pass: Share::new(1.0), class: BTreeMap::new() };
        let table = [(5, 5, 0), (4, 5, 1), (0, 0, 0)];
        for (passed, cases, shortfalls) in table {
            let records = [records("a", passed, cases), vec![skipped.clone(); 3]].concat();
            let found = strict.judge(&records);
            assert_eq!(found.len(), shortfalls, "{passed} of {cases}");
            assert!(found.iter().all(|shortfall| shortfall.cases == cases));
        }
    }

    #[test]
    fn suite_and_classes_have_separate_thresholds() {
        let share = |share| Share::new(share).expect("a share");
        let thresholds = Thresholds {
            pass: Some(share(0.625)),
            class: BTreeMap::from([("b".to_owned(), share(0.5)), ("a".to_owned(), share(1.0))]),
        };
        let records = [records("a", 4, 6), records("b", 1, 2)].concat();
        assert_eq!(
            thresholds.judge(&records),
            [Shortfall { class: Some("a".to_owned()), passed: 4, cases: 6, needed: 6, asked: share(1.0) }]
        );
        let strict = Thresholds { pass: Some(share(0.925)), class: BTreeMap::new() };
        let said: Vec<_> = strict.judge(&records).iter().map(ToString::to_string).collect();
        assert_eq!(said, ["all: 5 of 8 passed, 8 needed (92.5 %)"]);
        assert_eq!(Thresholds::default().judge(&records), []);
    }
}
