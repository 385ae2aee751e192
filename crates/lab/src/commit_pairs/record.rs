//! The record of a pair on disk: each step with its result and its times.

use serde::{Deserialize, Serialize};

use super::peer_record::PeerRecord;

/// What was measured for a pair; `record.json` in its folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The version of this format: 1.
    pub version: u32,
    /// The version of threefold that ran.
    pub threefold: String,
    /// `init` on the first program.
    pub init: StepRecord,
    /// `regress` on the first program again; `None` if there is no baseline.
    pub unchanged: Option<StepRecord>,
    /// `regress` on the second program.
    pub changed: Option<StepRecord>,
    /// What another tool says of the pair, if it was asked.
    pub peers: Option<PeerRecord>,
}

/// A command that ended.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepRecord {
    /// The exit code; `None` after the time limit or a signal.
    pub exit: Option<i32>,
    /// Wall-clock time.
    pub seconds: f64,
    /// CPU time with all engines, where the system says it.
    pub cpu_seconds: Option<f64>,
    /// The headline of the report, or the last lines of a command without one.
    pub headline: String,
    /// The reasons against the run.
    pub reasons: Vec<RedReason>,
    /// The cases that passed in the baseline and fail now.
    pub lost: Vec<LostCase>,
}

/// A reason against a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedReason {
    /// Its kind, such as `regression` or `engine fault`.
    pub kind: String,
    /// The suite.
    pub suite: String,
    /// A clause.
    pub what: String,
}

/// A case that passed in the baseline and fails now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostCase {
    /// Its suite.
    pub suite: String,
    /// Its id.
    pub id: String,
    /// The verdict in the baseline.
    pub was: String,
    /// The verdict now.
    pub now: String,
}

/// The fields of `report.json` that are used here.
#[derive(Debug, Deserialize)]
struct ReportFile {
    headline: String,
    #[serde(default)]
    complaints: Vec<Complaint>,
    #[serde(default)]
    faults: Vec<Fault>,
    #[serde(default)]
    baseline: BaselineComparison,
}

#[derive(Debug, Deserialize)]
struct Complaint {
    kind: String,
    part: String,
    what: String,
}

#[derive(Debug, Deserialize)]
struct Fault {
    part: String,
    what: String,
}

#[derive(Debug, Default, Deserialize)]
struct BaselineComparison {
    #[serde(default)]
    suites: Vec<SuiteComparison>,
}

#[derive(Debug, Deserialize)]
struct SuiteComparison {
    suite: String,
    newly_failing: Vec<Difference>,
}

#[derive(Debug, Deserialize)]
struct Difference {
    id: String,
    ours: String,
    theirs: String,
}

impl StepRecord {
    /// Adds what `report.json` says.
    ///
    /// # Errors
    /// If the text is no such file.
    pub fn read_report(&mut self, text: &str) -> Result<(), serde_json::Error> {
        let report: ReportFile = serde_json::from_str(text)?;
        self.headline = report.headline;
        let complaint = |it: Complaint| RedReason { kind: it.kind, suite: it.part, what: it.what };
        let fault = |it: Fault| RedReason { kind: "engine fault".to_owned(), suite: it.part, what: it.what };
        self.reasons = report.complaints.into_iter().map(complaint).collect();
        self.reasons.extend(report.faults.into_iter().map(fault));
        let lost = |comparison: SuiteComparison| {
            let suite = comparison.suite;
            let case = move |it: Difference| LostCase {
                suite: suite.clone(),
                id: it.id,
                was: it.theirs,
                now: it.ours,
            };
            comparison.newly_failing.into_iter().map(case)
        };
        self.lost = report.baseline.suites.into_iter().flat_map(lost).collect();
        Ok(())
    }

    /// The suites that are named against the run, each once.
    pub fn red_suites(&self) -> Vec<&str> {
        let mut suites: Vec<&str> = Vec::new();
        for reason in &self.reasons {
            if !suites.contains(&reason.suite.as_str()) {
                suites.push(&reason.suite);
            }
        }
        suites
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_gives_reasons_and_lost_cases() {
        let text = r#"{"headline": "1 regression", "complaints": [{"kind": "regression", "part": "mate", "what": "m.1"}],
            "faults": [{"part": "smoke", "what": "crash", "count": 2}],
            "baseline": {"suites": [{"suite": "mate", "newly_failing": [{"id": "m.1", "ours": "failed", "theirs": "passed"}]}]}}"#;
        let mut step = StepRecord::default();
        step.read_report(text).expect("a report");
        assert_eq!(step.headline, "1 regression");
        assert_eq!(step.red_suites(), ["mate", "smoke"]);
        assert_eq!((step.lost[0].id.as_str(), step.lost[0].was.as_str()), ("m.1", "passed"));
        step.read_report(r#"{"headline": "h", "baseline": {"absent": "none"}}"#).expect("a report");
        assert!(step.reasons.is_empty() && step.lost.is_empty());
    }
}
