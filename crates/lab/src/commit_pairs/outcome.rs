//! What the record of a pair means.

use super::experiment::Experiment;
use super::list::{CommitPair, Judgement, Shows};
use super::record::{PairRecord, StepRecord};

threefold_named_enum::named_enum! {
    /// The result of a pair.
    pub enum Outcome {
        /// The second program is red.
        Red = "red",
        /// The second program is green.
        Green = "green",
        /// The second program is red, and there is no judgement yet whether a case shows the bug.
        Unjudged = "red, not judged",
        /// The second program is red, but a person says that no case shows the bug.
        AnotherReason = "red for another reason",
        /// Only the bench count differs, which every change of the search changes.
        BenchAlone = "red for bench alone",
        /// The first program is red against its own baseline.
        UnchangedRed = "unchanged program red",
        /// `init` gave no baseline.
        NotSetUp = "not set up",
        /// A run ended without a comparison, for example at the time limit.
        NotCompared = "not compared",
        /// A program of the pair is missing.
        NotBuilt = "not built",
        /// The pair was not run yet.
        NotRun = "not run",
    }
}

/// A suite whose lost case only says that something changed.
pub(super) const BENCH: &str = "bench";

/// Exit codes of a run that went through: green, a regression, engine faults.
const GREEN: i32 = 0;
const RED: [i32; 2] = [1, 3];

/// A pair with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRow {
    /// The pair.
    pub pair: CommitPair,
    /// The result.
    pub outcome: Outcome,
    /// Why: a judgement, the headline of a red run, or the reason of a pair that was not compared.
    pub why: String,
    /// What was measured.
    pub record: Option<PairRecord>,
}

impl Outcome {
    /// Its name in this experiment.
    pub const fn words(self, experiment: Experiment) -> &'static str {
        match (experiment, self) {
            (Experiment::RealBugs, Self::Red) => "found",
            (Experiment::RealBugs, Self::Green) => "not found",
            (Experiment::OrdinaryCommits, Self::Red) => "false alarm",
            (Experiment::OrdinaryCommits, Self::Green) => "let through",
            (_, other) => other.name(),
        }
    }

    /// Did both runs of `regress` go through? Only then does the pair count in the rates.
    pub const fn is_compared(self) -> bool {
        match self {
            Self::Red
            | Self::Green
            | Self::Unjudged
            | Self::AnotherReason
            | Self::BenchAlone
            | Self::UnchangedRed => true,
            Self::NotSetUp | Self::NotCompared | Self::NotBuilt | Self::NotRun => false,
        }
    }
}

impl PairRow {
    /// The row of a pair that was measured.
    pub fn measured(
        experiment: Experiment,
        pair: CommitPair,
        record: PairRecord,
        judgement: &Judgement,
    ) -> Self {
        let (outcome, why) = judge(experiment, &record, judgement.shows);
        let why = if judgement.why.is_empty() { why } else { judgement.why.clone() };
        Self { pair, outcome, why, record: Some(record) }
    }

    /// The row of a pair without a record.
    pub fn without_record(pair: CommitPair, outcome: Outcome, why: String) -> Self {
        Self { pair, outcome, why, record: None }
    }
}

fn judge(experiment: Experiment, record: &PairRecord, shows: Option<Shows>) -> (Outcome, String) {
    let (Some(unchanged), Some(changed)) = (&record.unchanged, &record.changed) else {
        return (Outcome::NotSetUp, stopped(&record.init, "init"));
    };
    for (step, name) in [(unchanged, "the first program again"), (changed, "the second program")] {
        if step.exit != Some(GREEN) && !is_red(step) {
            return (Outcome::NotCompared, stopped(step, name));
        }
    }
    if is_red(unchanged) {
        return (Outcome::UnchangedRed, unchanged.headline.clone());
    }
    let outcome = if !is_red(changed) {
        Outcome::Green
    } else if shows == Some(Shows::SomethingElse) {
        Outcome::AnotherReason
    } else if experiment == Experiment::RealBugs && changed.red_suites() == [BENCH] {
        Outcome::BenchAlone
    } else if experiment == Experiment::RealBugs && shows.is_none() {
        Outcome::Unjudged
    } else {
        Outcome::Red
    };
    (outcome, changed.headline.clone())
}

fn is_red(step: &StepRecord) -> bool {
    step.exit.is_some_and(|exit| RED.contains(&exit))
}

fn stopped(step: &StepRecord, name: &str) -> String {
    match step.exit {
        Some(exit) => format!("{name}: exit code {exit}: {}", step.headline),
        None => format!("{name}: stopped after {:.0} s", step.seconds),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::record::RedReason;
    use super::*;

    fn step(exit: impl Into<Option<i32>>, suites: &[&str]) -> StepRecord {
        let reason = |suite: &&str| RedReason {
            kind: "regression".to_owned(),
            suite: (*suite).to_owned(),
            what: "c.1".to_owned(),
        };
        StepRecord {
            exit: exit.into(),
            seconds: 61.0,
            cpu_seconds: Some(30.0),
            headline: format!("headline of {suites:?}"),
            reasons: suites.iter().map(reason).collect(),
            lost: Vec::new(),
        }
    }

    /// A record with these steps.
    pub(in super::super) fn record(
        init: i32,
        unchanged: Option<i32>,
        changed: Option<i32>,
        suites: &[&str],
    ) -> PairRecord {
        PairRecord {
            version: 1,
            threefold: "0".to_owned(),
            init: step(init, &[]),
            unchanged: (init == 0).then(|| step(unchanged, &[])),
            changed: (init == 0).then(|| step(changed, suites)),
            peers: None,
        }
    }

    #[test]
    fn outcome_follows_from_exit_codes_and_suites() {
        use Experiment::{OrdinaryCommits, RealBugs};
        let something_else = Some(Shows::SomethingElse);
        for (experiment, record, shows, outcome) in [
            (RealBugs, record(0, Some(0), Some(1), &["mate"]), None, Outcome::Unjudged),
            (RealBugs, record(0, Some(0), Some(1), &["mate"]), Some(Shows::Bug), Outcome::Red),
            (OrdinaryCommits, record(0, Some(0), Some(1), &["mate"]), None, Outcome::Red),
            (RealBugs, record(0, Some(0), Some(3), &["smoke"]), Some(Shows::Bug), Outcome::Red),
            (RealBugs, record(0, Some(0), Some(1), &["mate"]), something_else, Outcome::AnotherReason),
            (RealBugs, record(0, Some(0), Some(1), &["bench"]), None, Outcome::BenchAlone),
            (OrdinaryCommits, record(0, Some(0), Some(1), &["bench"]), None, Outcome::Red),
            (RealBugs, record(0, Some(0), Some(0), &[]), None, Outcome::Green),
            (RealBugs, record(0, Some(1), Some(1), &["mate"]), None, Outcome::UnchangedRed),
            (RealBugs, record(0, Some(0), None, &[]), None, Outcome::NotCompared),
            (RealBugs, record(0, Some(2), Some(1), &["mate"]), None, Outcome::NotCompared),
            (RealBugs, record(2, None, None, &[]), None, Outcome::NotSetUp),
        ] {
            let judgement = Judgement { shows, why: String::new() };
            let row = PairRow::measured(experiment, CommitPair::default(), record.clone(), &judgement);
            assert_eq!(row.outcome, outcome, "{record:?}");
        }
    }
}
