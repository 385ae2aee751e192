//! The differences of a run from a baseline, one by one, and what becomes of the baseline if one is accepted.
//!
//! The baseline after a review is that of several runs, so it lists the cases that were accepted (`accepted.csv`).
//! `regress --accept` replaces it as a whole.

use serde::{Deserialize, Serialize};

use super::baseline::{Baseline, BaselineCase, BaselineError, CaseName};
use super::coverage::{self, NotCompared};
use super::figures::{FigureName, PartCount};
use threefold_suites::VerdictKind;
use threefold_suites::csv_line::line_of_record;
use threefold_suites::kinds::bench;

/// The file name of the list of accepted cases.
pub const ACCEPTED: &str = "accepted.csv";

threefold_named_enum::named_enum! {
    /// How a case of a run differs from the baseline.
    pub enum DifferenceKind {
        /// It is worse than in the baseline.
        Worse = "worse",
        /// It is better than in the baseline.
        Better = "better",
        /// The bench has another count of nodes.
        OtherCount = "other count",
        /// The baseline does not have it.
        New = "new",
        /// This run skipped it.
        Skipped = "skipped now",
        /// The baseline skipped it.
        NotSkipped = "skipped before",
        /// This run does not have it.
        Gone = "gone",
    }
}

/// A case that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseDifference {
    /// The case.
    pub name: CaseName,
    /// How it differs.
    pub kind: DifferenceKind,
    /// In the baseline.
    pub was: Option<BaselineCase>,
    /// In the run.
    pub now: Option<BaselineCase>,
}

/// The cases that differ, by suite and kind, and the suites that are not compared case by case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Differences {
    /// The cases.
    pub cases: Vec<CaseDifference>,
    /// The suites of the run at other search limits than in the baseline, in words. A baseline has one limit for each
    /// suite, so their cases can be accepted together only.
    pub other_limits: Vec<String>,
}

/// A line of `accepted.csv`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AcceptedCase {
    /// The suite of the case.
    pub suite: String,
    /// Its id there.
    pub id: String,
    /// Its verdict before, or `none`.
    pub was: String,
    /// Its verdict since, or `none`.
    pub now: String,
    /// What was played.
    pub played: String,
    /// The build that played it, if it is known.
    pub build: String,
    /// The specification of the engine. Lists of earlier versions have none.
    #[serde(default)]
    pub engine: String,
}

/// The verdict of a case that is not there.
const NONE: &str = "none";

impl Differences {
    /// The differences of a run from a baseline. Suites that the run does not have are left out.
    pub fn new(baseline: &Baseline, now: &Baseline) -> Self {
        let mut found = Self::default();
        for covered in coverage::all_suites(baseline, now) {
            match &covered.compared {
                Err(NotCompared::DidNotRun) => {}
                Err(why @ NotCompared::OtherLimits { .. }) => {
                    found.other_limits.push(format!("{}: {why}", covered.suite));
                }
                Ok(_) | Err(_) => found.cases.extend(of_suite(&covered.suite, baseline, now)),
            }
        }
        found
    }
}

/// The differences of a suite, the worse cases first.
fn of_suite(suite: &str, baseline: &Baseline, now: &Baseline) -> Vec<CaseDifference> {
    let of = |name: &&CaseName| name.suite == suite;
    let gone = baseline.cases.keys().filter(of).filter(|name| !now.cases.contains_key(name));
    let names = now.cases.keys().filter(of).chain(gone);
    let differences = names.filter_map(|name| {
        let (was, now) = (baseline.cases.get(name), now.cases.get(name));
        let kind = kind_of(name, was, now)?;
        Some(CaseDifference { name: name.clone(), kind, was: was.cloned(), now: now.cloned() })
    });
    let mut differences: Vec<CaseDifference> = differences.collect();
    // The sort is stable: cases of one kind stay in the order of their ids.
    differences.sort_by_key(|difference| difference.kind);
    differences
}

fn kind_of(
    name: &CaseName,
    was: Option<&BaselineCase>,
    now: Option<&BaselineCase>,
) -> Option<DifferenceKind> {
    let (was, now) = match (was, now) {
        (Some(was), Some(now)) => (was, now),
        (None, _) => return Some(DifferenceKind::New),
        (_, None) => return Some(DifferenceKind::Gone),
    };
    // The commit may promise another count than the accepted one, which is no news.
    if was.is_accepted_count(now) {
        return None;
    }
    let rank = |case: &BaselineCase| match case.kind() {
        VerdictKind::Passed => Some(2),
        VerdictKind::Failed => Some(1),
        VerdictKind::Fault => Some(0),
        VerdictKind::Skipped => None,
    };
    match (rank(was), rank(now)) {
        (Some(was), Some(now)) if now < was => Some(DifferenceKind::Worse),
        (Some(was), Some(now)) if now > was => Some(DifferenceKind::Better),
        (Some(_), None) => Some(DifferenceKind::Skipped),
        (None, Some(_)) => Some(DifferenceKind::NotSkipped),
        (Some(_), Some(_)) | (None, None) => {
            let is_bench = name.id == bench::ID && now.class == bench::ID;
            (is_bench && was.played != now.played).then_some(DifferenceKind::OtherCount)
        }
    }
}

impl CaseDifference {
    /// Why the case must not become part of a baseline, with the remedy; `None` if it may.
    pub fn refusal(&self) -> Option<&'static str> {
        let now = self.now.as_ref()?;
        if now.kind() == VerdictKind::Fault {
            return Some(
                "an engine fault never becomes part of the baseline; fix the engine, or name the case in [left-out] of the plan",
            );
        }
        now.shows_nondeterminism().then_some(
            "the engine does not search the same twice; let it use one thread, or give it restart=on",
        )
    }

    /// The line of `accepted.csv`, with the build that played the case and the specification of its engine.
    pub fn accepted(&self, build: Option<String>, engine: &str) -> AcceptedCase {
        let verdict = |case: &Option<BaselineCase>| {
            case.as_ref().map_or_else(|| NONE.to_owned(), |case| case.kind().to_string())
        };
        AcceptedCase {
            suite: self.name.suite.clone(),
            id: self.name.id.clone(),
            was: verdict(&self.was),
            now: verdict(&self.now),
            played: self.now.as_ref().map(|case| case.played.clone()).unwrap_or_default(),
            build: build.unwrap_or_default(),
            engine: engine.to_owned(),
        }
    }
}

impl Baseline {
    /// Takes over a case of a run, with the limits and the counts of its suite; with a bench, also the environment, since
    /// only its speed depends on it.
    pub fn accept(&mut self, difference: &CaseDifference, run: &Self) {
        let CaseDifference { name, now, .. } = difference;
        match now {
            Some(case) => {
                self.accept_case(name, case);
                if case.class == bench::ID && name.id == bench::ID {
                    self.environment = run.environment.clone();
                }
            }
            None => _ = self.cases.remove(name),
        }
        // A suite at other limits than in the baseline is not accepted case by case, so known limits stay.
        if let (None, Some(limits)) = (self.limits.get(&name.suite), run.limits.get(&name.suite)) {
            self.limits.insert(name.suite.clone(), limits.clone());
        }
        let of_suite = self.cases.iter().filter(|(known, _)| known.suite == name.suite);
        let kinds: Vec<VerdictKind> = of_suite.map(|(_, case)| case.kind()).collect();
        let passed = kinds.iter().filter(|&&kind| kind == VerdictKind::Passed).count();
        for (count, value) in [(PartCount::Cases, kinds.len()), (PartCount::Passed, passed)] {
            self.figures.insert(FigureName::count(&name.suite, count), value as f64);
        }
    }
}

/// Reads `accepted.csv`.
///
/// # Errors
/// If a line is not understood.
pub fn read_accepted(text: &str) -> Result<Vec<AcceptedCase>, BaselineError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize().collect::<Result<_, csv::Error>>();
    rows.map_err(|error| {
        let line = error.position().map(|position| line_of_record(text, position, None));
        BaselineError { file: ACCEPTED, line, what: error.to_string() }
    })
}

/// The text of `accepted.csv` after another case was accepted. An earlier line of the same case is replaced.
pub fn write_accepted(known: &[AcceptedCase], added: &AcceptedCase) -> String {
    let is_other = |case: &&AcceptedCase| (&case.suite, &case.id) != (&added.suite, &added.id);
    let mut writer = csv::Writer::from_writer(Vec::new());
    for case in known.iter().filter(is_other).chain([added]) {
        writer.serialize(case).expect("rows of text, written to memory");
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("text went in")
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
