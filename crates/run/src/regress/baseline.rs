//! The baseline of a regression run: verdicts and figures of an earlier run, committed with the code.
//!
//! Three texts: `cases.csv`, one line per case; `figures.json`, named numbers; and `environment.json`, where they
//! were measured. The first two are sorted and, but for the speed of a bench, independent of the machine, so that
//! updating a baseline changes only the lines with new results.

use std::collections::BTreeMap;

use serde::Deserialize;

pub use super::baseline_files::{BaselineError, CASES, ENVIRONMENT, FIGURES, FILES};
use super::figures::{self, FigureFile, FigureName, Figures, PartCount, SuiteLimits};
use crate::calibration::fit;
use crate::environment::{Environment, UnreadableEnvironment};
use crate::job::{BaselineText, SuiteTask};
use crate::{MeasuredElo, PartResult, Purpose, RunRecord, Task, measured_elo};
use threefold_chess::clock::{Limits, duration};
use threefold_player::dialogue::NO_MOVE;
use threefold_stats::{Estimate, Logistic};
use threefold_suites::csv_line::line_of_record;
use threefold_suites::{CaseRecord, Cause, FailCause, Suite, Verdict, VerdictKind};

/// Identifies a case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseName {
    /// The suite of the case.
    pub suite: String,
    /// Its id there.
    pub id: String,
}

/// A case of the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineCase {
    /// The class of the case.
    pub class: String,
    /// Why it passed, failed, was skipped or is a fault.
    pub cause: Cause,
    /// Details of the individual case.
    pub detail: String,
    /// The move played.
    pub played: String,
    /// The nodes that the search took to the solution, if it has been found and they are known.
    pub solved_nodes: Option<u64>,
    /// The verdict before a worse one was accepted. The other cases of its class and suite are judged as if it were still
    /// that, so that an accepted loss excuses no other one.
    pub accepted: Option<VerdictKind>,
}

impl BaselineCase {
    /// From a case of this run.
    pub fn from_record(case: &CaseRecord) -> Self {
        let Verdict { cause, detail, played, solved_nodes, .. } = &case.verdict;
        Self {
            class: case.class.clone(),
            cause: *cause,
            detail: detail.clone(),
            played: played.clone(),
            solved_nodes: *solved_nodes,
            accepted: None,
        }
    }

    /// Passed, failed, skipped or a fault.
    pub const fn kind(&self) -> VerdictKind {
        self.cause.kind()
    }

    /// Is it a dialogue that broke the protocol? What is sent at another moment may get another answer.
    pub(super) fn breaks_protocol(&self) -> bool {
        self.cause == FailCause::ProtocolViolated.into()
    }

    /// Is it a dialogue in which a move did not come in time?
    pub(super) fn lacks_move(&self) -> bool {
        self.breaks_protocol() && self.detail.contains(NO_MOVE)
    }

    /// Is it a game that was lost on time twice?
    pub(super) fn is_lost_on_time(&self) -> bool {
        self.cause == FailCause::LostOnTime.into()
    }

    /// Is it a search that was not the same twice?
    pub(super) fn shows_nondeterminism(&self) -> bool {
        self.cause.shows_nondeterminism()
    }

    /// The cause and the detail in one line.
    pub fn reason(&self) -> String {
        self.cause.with_detail(&self.detail)
    }
}

/// Verdicts and figures of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Baseline {
    /// By suite and id.
    pub cases: BTreeMap<CaseName, BaselineCase>,
    /// By part and figure.
    pub figures: Figures,
    /// The search limits by suite, in words. Baselines of earlier versions have none.
    pub limits: SuiteLimits,
    /// The environment of the run. Baselines of earlier versions have an empty one.
    pub environment: Environment,
    /// The Elo that the engine under test has against its opponents, by part. It is recorded for the history
    /// and compared with nothing. Baselines of earlier versions have none.
    pub elo: BTreeMap<String, MeasuredElo>,
}

/// The columns of `cases.csv`.
const COLUMNS: [&str; 9] =
    ["suite", "id", "class", "verdict", "cause", "detail", "played", "solved_nodes", "accepted"];

/// A line of `cases.csv`. Other columns are ignored, so a report's file of cases can be read, too.
#[derive(Debug, Deserialize)]
struct CaseRow {
    suite: String,
    id: String,
    #[serde(default)]
    class: String,
    verdict: String,
    #[serde(default)]
    cause: String,
    #[serde(default)]
    detail: String,
    #[serde(default)]
    played: String,
    #[serde(default)]
    solved_nodes: Option<u64>,
    #[serde(default)]
    accepted: String,
}

impl Baseline {
    /// The results of a run.
    pub fn from_run(run: &RunRecord) -> Self {
        let mut baseline = Self { environment: run.environment(), ..Self::default() };
        for part in run.planned_parts() {
            if let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) {
                baseline.limits.insert(suite.name.clone(), limits_in_words(task, suite));
            }
            for case in part.cases() {
                let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
                baseline.cases.insert(name, BaselineCase::from_record(case));
            }
            let found = of_part(&part).into_iter();
            baseline.figures.extend(found.map(|(name, value)| (name, rounded(value))));
        }
        for engine in measured_elo::tested_engines(run) {
            let measured = measured_elo::of_engine(run, &engine).into_iter();
            baseline.elo.extend(measured.map(|(part, it)| (part, with_rounded_ends(it))));
        }
        baseline
    }

    /// Parses a baseline.
    pub fn parse(text: &BaselineText) -> Result<Self, BaselineError> {
        let cases = read_cases(&text.cases)?;
        let FigureFile { figures, limits, elo } = figures::parse_figures(&text.figures)?;
        let environment = text.environment.as_deref().map(read_environment).transpose()?.unwrap_or_default();
        Ok(Self { cases, figures, limits, environment, elo })
    }

    /// The part of it with these cases, without figures of matches.
    #[must_use]
    pub fn of_cases(&self, is_kept: impl Fn(&CaseName) -> bool) -> Self {
        let cases = self.cases.iter().filter(|(name, _)| is_kept(name));
        let cases: BTreeMap<CaseName, BaselineCase> =
            cases.map(|(name, case)| (name.clone(), case.clone())).collect();
        let has_suite = |suite: &str| cases.keys().any(|name| name.suite == suite);
        let limits = self.limits.iter().filter(|(suite, _)| has_suite(suite));
        let limits = limits.map(|(suite, limits)| (suite.clone(), limits.clone())).collect();
        Self { cases, limits, ..Self::default() }
    }

    /// Its texts; parsing them gives the same baseline.
    pub fn to_text(&self) -> BaselineText {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Most baselines have no such case, and no such column.
        let has_accepted = self.cases.values().any(|case| case.accepted.is_some());
        let columns = &COLUMNS[..COLUMNS.len() - usize::from(!has_accepted)];
        let mut write = |row: &[&str]| {
            writer.write_record(&row[..columns.len()]).expect("rows of text, written to memory");
        };
        write(&COLUMNS);
        for (CaseName { suite, id }, known) in &self.cases {
            let BaselineCase { class, cause, detail, played, solved_nodes, accepted } = known;
            let nodes = solved_nodes.map(|nodes| nodes.to_string()).unwrap_or_default();
            let accepted = accepted.map_or("", VerdictKind::name);
            write(&[suite, id, class, cause.kind().name(), cause.name(), detail, played, &nodes, accepted]);
        }
        let cases = writer.into_inner().expect("memory takes everything");
        BaselineText {
            cases: String::from_utf8(cases).expect("text went in"),
            figures: figures::write(&FigureFile {
                figures: self.figures.clone(),
                limits: self.limits.clone(),
                elo: self.elo.clone(),
            }),
            environment: (!self.environment.is_empty()).then(|| self.environment.to_text()),
        }
    }
}

/// Two decimals: the last digits of a logarithm differ between machines.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn with_rounded_ends(measured: MeasuredElo) -> MeasuredElo {
    let Estimate { low, value, high } = measured.elo;
    let [low, value, high] = [low, value, high].map(|elo| Logistic(rounded(elo.0)));
    MeasuredElo { elo: Estimate { low, value, high }, ..measured }
}

/// The figures of a part.
fn of_part(part: &PartResult<'_>) -> Vec<(FigureName, f64)> {
    let name = part.part.name.as_str();
    let count = |count: PartCount, value: f64| (FigureName::count(name, count), value);
    let Some(games) = part.match_task() else {
        let passed = part.cases().filter(|case| case.verdict.kind() == VerdictKind::Passed).count();
        return vec![
            count(PartCount::Cases, part.cases().count() as f64),
            count(PartCount::Passed, passed as f64),
        ];
    };
    let mut found = vec![count(PartCount::Budget, part.progress.jobs as f64)];
    match games.purpose {
        Purpose::Match => found.push(count(PartCount::Games, part.games().count() as f64)),
        Purpose::Test(_) => {
            if let Some(test) = part.progress.test {
                found.push(count(PartCount::Pairs, test.running.results().pairs().trials() as f64));
                let value = test.path.last();
                found.extend(value.map(|&value| (FigureName::statistic(name, test.statistic()), value)));
            }
        }
        // Which values come out is no figure of an engine.
        Purpose::Tuning => {}
        Purpose::Calibration => {
            let names: Vec<String> = games.engines.iter().map(|engine| engine.name.clone()).collect();
            // Games that determine no ratings give no figures.
            let ratings = fit(&names, part.games()).map(|scale| scale.ratings).unwrap_or_default();
            found.extend(
                ratings.into_iter().map(|rating| (FigureName::rating(name, rating.player), rating.elo)),
            );
        }
    }
    found
}

/// The search limits of a suite as a baseline records them: `5000 nodes`, `depth 12, 100 ms`.
fn limits_in_words(task: &SuiteTask, suite: &Suite) -> String {
    let Limits { clocks, movetime, nodes, depth, mate } =
        task.limits.as_deref().copied().unwrap_or(suite.limits);
    let parts = [
        nodes.map(|nodes| if nodes == 1 { "1 node".to_owned() } else { format!("{nodes} nodes") }),
        depth.map(|depth| format!("depth {}", depth.0)),
        mate.map(|moves| format!("mate {moves}")),
        movetime.map(duration::format_duration),
        clocks.map(|clocks| format!("clock {clocks}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "the limits of each case".to_owned() } else { parts.join(", ") }
}

fn read_environment(text: &str) -> Result<Environment, BaselineError> {
    let wrong = |UnreadableEnvironment { line, what }| BaselineError { file: ENVIRONMENT, line, what };
    Environment::parse(text).map_err(wrong)
}

fn read_cases(text: &str) -> Result<BTreeMap<CaseName, BaselineCase>, BaselineError> {
    let wrong = |line: Option<u64>, what: String| BaselineError { file: CASES, line, what };
    let at = |position: Option<&csv::Position>| position.map(|place| line_of_record(text, place, None));
    let unreadable = |error: csv::Error| wrong(at(error.position()), error.to_string());
    let mut cases = BTreeMap::new();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(unreadable)?.clone();
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        let row: CaseRow = record.deserialize(Some(&header)).map_err(unreadable)?;
        let name = CaseName { suite: row.suite, id: row.id };
        let line = at(record.position());
        let mark = row.verdict.parse().map_err(|error| wrong(line, format!("verdict {error}")))?;
        let cause = match row.cause.as_str() {
            "" => Cause::unclassified(mark),
            cause => Cause::named(mark, cause).map_err(|error| wrong(line, format!("cause {error}")))?,
        };
        let accepted = match row.accepted.as_str() {
            "" => None,
            kind => Some(kind.parse().map_err(|error| wrong(line, format!("accepted: verdict {error}")))?),
        };
        let CaseRow { class, detail, played, solved_nodes, .. } = row;
        let known = BaselineCase { class, cause, detail, played, solved_nodes, accepted };
        if cases.contains_key(&name) {
            return Err(wrong(line, format!("case `{}` of `{}` is there twice", name.id, name.suite)));
        }
        cases.insert(name, known);
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Property;
    use threefold_stats::stopping::RULES;

    fn known(mark: VerdictKind) -> BaselineCase {
        BaselineCase {
            class: "dawdle".to_owned(),
            cause: Cause::unclassified(mark),
            detail: "a, \"quoted\" reason\nin two lines".to_owned(),
            played: "e2e4".to_owned(),
            solved_nodes: Some(1234),
            accepted: (mark == VerdictKind::Failed).then_some(VerdictKind::Passed),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let name = |suite: &str, id: &str| CaseName { suite: suite.to_owned(), id: id.to_owned() };
        let cases = BTreeMap::from([
            (name("mate", "b"), known(VerdictKind::Failed)),
            (name("mate", "a"), known(VerdictKind::Passed)),
            (name("repetition", "a"), known(VerdictKind::Fault)),
        ]);
        let figures = Figures::from([
            (FigureName::statistic("policies", RULES[0].statistic), -0.31),
            (FigureName::count("mate", PartCount::Passed), 60.0),
        ]);
        let limits = SuiteLimits::from([("mate".to_owned(), "300 nodes".to_owned())]);
        let environment = Environment::default().with(Property::Governor, Some("performance".to_owned()));
        let baseline = Baseline { cases, figures, limits, environment, ..Baseline::default() };
        let text = baseline.to_text();
        assert!(text.cases.starts_with(
            "suite,id,class,verdict,cause,detail,played,solved_nodes,accepted\nmate,a,dawdle,passed,"
        ));
        assert_eq!(Baseline::parse(&text), Ok(baseline.clone()));
        let earlier = BaselineText { environment: None, ..text };
        let unknown = Baseline { environment: Environment::default(), ..baseline };
        assert_eq!(Baseline::parse(&earlier), Ok(unknown), "a version that wrote no environment");
    }

    #[test]
    fn cases_of_a_report_can_be_read() {
        let cases = "engine,verdict,id,nodes,suite\nEcho,passed,a,300,mate\n".to_owned();
        let figures = "{\"version\":1,\"figures\":{}}".to_owned();
        let text = BaselineText { cases, figures, environment: None };
        assert_eq!(Baseline::parse(&text).expect("sound").cases.len(), 1);
    }

    #[test]
    fn baseline_errors_name_file_and_line() {
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
            (
                "suite,id,verdict,cause\nmate,a,passed,missed\n",
                figures,
                "cases.csv:2: cause `missed` is not known",
            ),
            (
                "suite,id,verdict,detail\r\nmate,a,passed,\"two\r\nlines\"\r\n\r\nmate,b,great,\r\n",
                figures,
                "cases.csv:5: verdict `great` is not known",
            ),
            ("suite,id\nmate,a\n", figures, "cases.csv:2: "),
            ("suite,id,verdict\nmate\n", figures, "cases.csv:2: "),
            ("suite,id,verdict\n", "{\n}", "figures.json:2: missing field"),
            (
                "suite,id,verdict\n",
                "{\"version\":5,\"figures\":{}}",
                "figures.json: version 5 is not known here",
            ),
        ];
        for (cases, figures, message) in table {
            let text =
                BaselineText { cases: cases.to_owned(), figures: figures.to_owned(), environment: None };
            let error = Baseline::parse(&text).expect_err(message).to_string();
            assert!(error.starts_with(message) && error.ends_with("`regress --accept`"), "{error}");
        }
    }
}
