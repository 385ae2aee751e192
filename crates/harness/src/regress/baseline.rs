//! What a run is compared with: the verdicts and figures of an earlier one, committed beside the code.
//!
//! Two texts: `cases.csv`, a line a case, and `figures.json`, named numbers. Both are sorted and hold nothing
//! that depends on the machine, so that renewing a baseline changes the lines that changed, and no other.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::calibration::fit;
use crate::suite::Mark;
use crate::work::job::BaselineText;
use crate::work::{PartRecord, Purpose, Run};

/// The file of cases.
pub const CASES: &str = "cases.csv";

/// The file of figures.
pub const FIGURES: &str = "figures.json";

/// The end of the name of a match's budget: the number of games that it may have at most.
pub const BUDGET: &str = ".budget";

/// What tells a case from all others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseName {
    /// Its suite.
    pub suite: String,
    /// Its id there.
    pub id: String,
}

/// What is known of a case from an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its class.
    pub class: String,
    /// Passed, failed or a fault.
    pub mark: Mark,
    /// Why.
    pub reason: String,
    /// The move played.
    pub played: String,
}

/// Verdicts and figures of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Baseline {
    /// By suite and id.
    pub cases: BTreeMap<CaseName, Known>,
    /// By name: `repetition.passed`, `policies.llr`, `ladder.Echo@500`.
    pub figures: BTreeMap<String, f64>,
}

/// What is wrong with a baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct BaselineError {
    /// Which of its files.
    pub file: &'static str,
    /// The line, from 1, where it is in one.
    pub line: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}; restore it, or renew the baseline with `regress --accept`", self.what)
    }
}

/// A line of `cases.csv`. Other columns are skipped, so that a report's own file of cases can be read, too.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    suite: String,
    id: String,
    #[serde(default)]
    class: String,
    verdict: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    played: String,
}

/// `figures.json`, version 1.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FiguresV1 {
    version: u32,
    figures: BTreeMap<String, f64>,
}

impl Baseline {
    /// What a run found.
    pub fn of(run: &Run) -> Self {
        let mut baseline = Self::default();
        for part in run.parts() {
            for case in part.cases() {
                let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
                let verdict = &case.verdict;
                let known = Known {
                    class: case.class.clone(),
                    mark: verdict.mark,
                    reason: verdict.reason.clone(),
                    played: verdict.played.clone(),
                };
                baseline.cases.insert(name, known);
            }
            if part.games_ordered().is_some() {
                let budget = format!("{}{BUDGET}", part.part.name);
                baseline.figures.insert(budget, part.progress.jobs as f64);
            }
            for (name, value) in figures(&part) {
                // Two decimals: the last digits of a logarithm are the machine's.
                baseline
                    .figures
                    .insert(format!("{}.{name}", part.part.name), (value * 100.0).round() / 100.0);
            }
        }
        baseline
    }

    /// Reads a baseline's texts.
    pub fn read(text: &BaselineText) -> Result<Self, BaselineError> {
        Ok(Self { cases: read_cases(&text.cases)?, figures: read_figures(&text.figures)? })
    }

    /// Its texts; reading them gives the same baseline.
    pub fn text(&self) -> BaselineText {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for (CaseName { suite, id }, known) in &self.cases {
            let Known { class, mark, reason, played } = known.clone();
            let (suite, id, verdict) = (suite.clone(), id.clone(), mark.name().to_owned());
            writer
                .serialize(Row { suite, id, class, verdict, reason, played })
                .expect("rows of text, written to memory");
        }
        let cases = writer.into_inner().expect("memory takes everything");
        let figures = FiguresV1 { version: 1, figures: self.figures.clone() };
        BaselineText {
            cases: String::from_utf8(cases).expect("text went in"),
            figures: serde_json::to_string_pretty(&figures).expect("names and numbers") + "\n",
        }
    }
}

/// The figures of a part, without its name.
fn figures(part: &PartRecord<'_>) -> Vec<(String, f64)> {
    let figure = |name: &str, value: f64| (name.to_owned(), value);
    let Some(games) = part.games_ordered() else {
        let passed = part.cases().filter(|case| case.verdict.mark == Mark::Passed).count();
        return vec![figure("cases", part.cases().count() as f64), figure("passed", passed as f64)];
    };
    match games.purpose {
        Purpose::Match => vec![figure("games", part.games().count() as f64)],
        Purpose::Test(_) => {
            let evidence = part.progress.evidence;
            let llr = evidence.and_then(|evidence| evidence.path.last().copied());
            let pairs = evidence.map(|evidence| figure("pairs", evidence.running.pairs().trials() as f64));
            pairs.into_iter().chain(llr.map(|llr| figure("llr", llr))).collect()
        }
        Purpose::Calibration => {
            let names: Vec<String> = games.engines.iter().map(|engine| engine.name.clone()).collect();
            let ratings = fit(&names, part.games()).map(|scale| scale.ratings).unwrap_or_default();
            ratings.into_iter().map(|rating| (rating.player, rating.elo)).collect()
        }
    }
}

fn read_cases(text: &str) -> Result<BTreeMap<CaseName, Known>, BaselineError> {
    let wrong = |line: Option<u64>, what: String| BaselineError { file: CASES, line, what };
    let mut cases = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    for row in reader.deserialize::<Row>() {
        let row = row.map_err(|error| wrong(error.position().map(csv::Position::line), error.to_string()))?;
        let name = CaseName { suite: row.suite, id: row.id };
        let line = Some(cases.len() as u64 + 2);
        let mark = row.verdict.parse().map_err(|error| wrong(line, format!("verdict {error}")))?;
        let known = Known { class: row.class, mark, reason: row.reason, played: row.played };
        if cases.contains_key(&name) {
            return Err(wrong(line, format!("case `{}` of `{}` is there twice", name.id, name.suite)));
        }
        cases.insert(name, known);
    }
    Ok(cases)
}

fn read_figures(text: &str) -> Result<BTreeMap<String, f64>, BaselineError> {
    let wrong = |line: Option<u64>, what: String| BaselineError { file: FIGURES, line, what };
    let read: FiguresV1 = serde_json::from_str(text)
        .map_err(|error| wrong(Some(error.line() as u64).filter(|&line| line > 0), error.to_string()))?;
    if read.version != 1 {
        return Err(wrong(None, format!("version {} is not known here, version 1 is", read.version)));
    }
    Ok(read.figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(mark: Mark) -> Known {
        Known {
            class: "dawdle".to_owned(),
            mark,
            reason: "a, \"quoted\" reason\nin two lines".to_owned(),
            played: "e2e4".to_owned(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let name = |suite: &str, id: &str| CaseName { suite: suite.to_owned(), id: id.to_owned() };
        let cases = BTreeMap::from([
            (name("mate", "b"), known(Mark::Failed)),
            (name("mate", "a"), known(Mark::Passed)),
            (name("repetition", "a"), known(Mark::Fault)),
        ]);
        let figures = BTreeMap::from([("policies.llr".to_owned(), -0.31), ("mate.passed".to_owned(), 60.0)]);
        let baseline = Baseline { cases, figures };
        let text = baseline.text();
        assert!(text.cases.starts_with("suite,id,class,verdict,reason,played\nmate,a,dawdle,passed,"));
        assert_eq!(Baseline::read(&text), Ok(baseline));
    }

    #[test]
    fn a_reports_own_cases_can_be_read() {
        let cases = "engine,verdict,id,nodes,suite\nEcho,passed,a,300,mate\n".to_owned();
        let text = BaselineText { cases, figures: "{\"version\":1,\"figures\":{}}".to_owned() };
        assert_eq!(Baseline::read(&text).expect("sound").cases.len(), 1);
    }

    #[test]
    fn what_is_no_baseline_is_named_by_file_and_line() {
        let figures = "{\"version\":1,\"figures\":{}}";
        let table = [
            (
                "suite,id,verdict\nmate,a,passed\nmate,b,great\n",
                figures,
                "cases.csv:3: verdict `great` is not known",
            ),
            (
                "suite,id,verdict\nmate,a,passed\nmate,a,failed\n",
                figures,
                "cases.csv:3: case `a` of `mate` is there",
            ),
            ("suite,id\nmate,a\n", figures, "cases.csv:2: "),
            ("suite,id,verdict\nmate\n", figures, "cases.csv:2: "),
            ("suite,id,verdict\n", "{\n}", "figures.json:2: missing field"),
            (
                "suite,id,verdict\n",
                "{\"version\":2,\"figures\":{}}",
                "figures.json: version 2 is not known here",
            ),
        ];
        for (cases, figures, message) in table {
            let text = BaselineText { cases: cases.to_owned(), figures: figures.to_owned() };
            let error = Baseline::read(&text).expect_err(message).to_string();
            assert!(error.starts_with(message) && error.ends_with("`regress --accept`"), "{error}");
        }
    }
}
