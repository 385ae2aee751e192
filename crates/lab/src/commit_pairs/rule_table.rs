//! False alarms and bugs found under each rule, and what a choice of the rule is worth for an engine that was not
//! part of the choice.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::experiment::Experiment;
use super::outcome::{BENCH, Outcome};
use super::rule::{Evidence, LostCaseRule};
use threefold_stats::interval::Rate;

/// Error probability of the intervals.
const ALPHA: f64 = 0.05;
/// The largest share of false alarms of a rule that may be chosen.
const MOST_FALSE_ALARMS: f64 = 0.05;

/// A pair under the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct RulePair {
    /// Its name.
    pub id: String,
    /// The repository of its engine, which is left out as a whole.
    pub engine: String,
    /// What decides about the second program.
    pub evidence: Evidence,
}

/// The pairs of both experiments.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RulePairs {
    /// Parents of fixes. One that is red for another reason than its bug is not among them.
    pub bugs: Vec<RulePair>,
    /// Accepted patches.
    pub patches: Vec<RulePair>,
}

/// The columns of pairs.csv that are used here.
#[derive(Debug, Deserialize)]
struct PairLine {
    id: String,
    repository: String,
    result: String,
}

/// The pairs of an experiment whose first program is green, with what decides about the second one. A parent that is red
/// for another reason than its bug is left out.
///
/// # Errors
/// If pairs.csv in the folder or the journal of a pair can't be read.
pub fn rule_pairs(experiment: Experiment, folder: &Path) -> anyhow::Result<Vec<RulePair>> {
    let file = folder.join("pairs.csv");
    let text = threefold::files::text(&file)?;
    let counts = |line: &PairLine| {
        [Outcome::Red, Outcome::Green, Outcome::Unjudged, Outcome::BenchAlone]
            .iter()
            .any(|outcome| outcome.words(experiment) == line.result)
    };
    // Every change of the search changes the bench count, so it shows no bug.
    let left_out = match experiment {
        Experiment::RealBugs => &[BENCH][..],
        Experiment::OrdinaryCommits => &[],
    };
    let mut pairs = Vec::new();
    for line in csv::Reader::from_reader(text.as_bytes()).deserialize() {
        let line: PairLine = line.with_context(|| format!("{}: can't be read", file.display()))?;
        if counts(&line) {
            let journal = folder.join(&line.id).join("changed").join("run.sqlite");
            let evidence = Evidence::from_journal(&journal, left_out)?;
            pairs.push(RulePair { id: line.id, engine: line.repository, evidence });
        }
    }
    Ok(pairs)
}

fn rate<'p>(pairs: impl Iterator<Item = &'p RulePair>, rule: LostCaseRule) -> Rate {
    pairs.fold(Rate { successes: 0, failures: 0 }, |rate, pair| {
        let red = u64::from(rule.is_red(&pair.evidence));
        Rate { successes: rate.successes + red, failures: rate.failures + 1 - red }
    })
}

impl RulePairs {
    /// The rule that finds most bugs of the other engines, among those with few false alarms for the other engines; of
    /// equals the one with fewer false alarms, and then the first.
    pub fn best_without(&self, engine: &str) -> LostCaseRule {
        let others =
            |pairs: &'_ [RulePair], rule| rate(pairs.iter().filter(|pair| pair.engine != engine), rule);
        let allowed = LostCaseRule::ALL.iter().copied().filter(|rule| {
            others(&self.patches, *rule).share().is_none_or(|share| share <= MOST_FALSE_ALARMS)
        });
        let score = |rule: LostCaseRule| {
            (others(&self.bugs, rule).successes, std::cmp::Reverse(others(&self.patches, rule).successes))
        };
        // `max_by_key` gives the last of equals.
        let best = allowed.rev().max_by_key(|rule| score(*rule));
        best.unwrap_or(LostCaseRule::Nothing)
    }

    /// The rates of the choice, each engine judged by the rule that the others choose: bugs found, false alarms.
    pub fn cross_validated(&self) -> [Rate; 2] {
        [&self.bugs, &self.patches].map(|pairs| {
            pairs.iter().fold(Rate { successes: 0, failures: 0 }, |sum, pair| {
                let red = u64::from(self.best_without(&pair.engine).is_red(&pair.evidence));
                Rate { successes: sum.successes + red, failures: sum.failures + 1 - red }
            })
        })
    }

    /// The rows of the table: rule, bugs found and false alarms with their intervals.
    pub fn rows(&self) -> Vec<[String; 3]> {
        let row = |name: &str, bugs: Rate, patches: Rate| [name.to_owned(), share(bugs), share(patches)];
        let of_rule = |rule: &LostCaseRule| {
            row(rule.name(), rate(self.bugs.iter(), *rule), rate(self.patches.iter(), *rule))
        };
        let [bugs, patches] = self.cross_validated();
        let chosen = row("chosen by the other engines", bugs, patches);
        LostCaseRule::ALL.iter().map(of_rule).chain([chosen]).collect()
    }

    /// The table for a page, with the rules that the engines choose for each other.
    pub fn markdown(&self) -> String {
        let mut text = "| red is | red parents | false alarms |\n| --- | --- | --- |\n".to_owned();
        for row in self.rows() {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        let engines: BTreeSet<&str> =
            self.bugs.iter().chain(&self.patches).map(|pair| pair.engine.as_str()).collect();
        text.push_str("\n| engine left out | rule that the others choose |\n| --- | --- |\n");
        for engine in engines {
            let _ = writeln!(text, "| {engine} | {} |", self.best_without(engine));
        }
        text
    }

    /// A row for each pair and a column for each rule, for programs.
    ///
    /// # Errors
    /// Never for text in memory; the writer's type requires it.
    pub fn csv(&self) -> anyhow::Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rules = LostCaseRule::ALL.iter().map(|rule| rule.name());
        writer.write_record(["experiment", "id", "repository"].into_iter().chain(rules))?;
        for (experiment, pairs) in [("real-bugs", &self.bugs), ("ordinary-commits", &self.patches)] {
            for pair in pairs {
                let verdicts = LostCaseRule::ALL
                    .iter()
                    .map(|rule| if rule.is_red(&pair.evidence) { "red" } else { "green" });
                writer.write_record([experiment, &pair.id, &pair.engine].into_iter().chain(verdicts))?;
            }
        }
        Ok(String::from_utf8(writer.into_inner()?)?)
    }
}

/// `12 of 40, 30 % (17 to 47 %)`
fn share(rate: Rate) -> String {
    let Some(share) = rate.share() else { return "no pairs".to_owned() };
    let interval = rate.clopper_pearson(ALPHA);
    format!(
        "{} of {}, {:.0} % ({:.0} to {:.0} %)",
        rate.successes,
        rate.trials(),
        100.0 * share,
        100.0 * interval.low,
        100.0 * interval.high
    )
}

#[cfg(test)]
mod tests {
    use super::super::rule::LostSearchCase;
    use super::*;

    fn pair(engine: &str, evidence: Evidence) -> RulePair {
        RulePair { id: "p".to_owned(), engine: engine.to_owned(), evidence }
    }

    fn lost(solved_in_stage: Option<usize>) -> Evidence {
        let case = LostSearchCase { suite: 0, solved_in_stage, is_class_full: true, is_in_part: false };
        Evidence { lost: vec![case], ..Evidence::default() }
    }

    #[test]
    fn rule_is_chosen_by_the_other_engines_alone() {
        let green = Evidence::default();
        let pairs = RulePairs {
            bugs: vec![pair("a", lost(None)), pair("b", lost(Some(1)))],
            patches: vec![pair("a", lost(Some(0))), pair("b", green.clone()), pair("b", green)],
        };
        // b has no false alarm, so b would let any lost case decide, which is a false alarm of a.
        assert_eq!(pairs.best_without("a"), LostCaseRule::AnyCase);
        // a has one.
        assert_eq!(pairs.best_without("b"), LostCaseRule::FailsAtTwo);
        let [bugs, patches] = pairs.cross_validated();
        assert_eq!((bugs.successes, bugs.trials(), patches.successes, patches.trials()), (2, 2, 1, 3));
        let page = pairs.markdown();
        assert!(
            page.contains("| any lost case | 2 of 2, 100 % (16 to 100 %) | 1 of 3, 33 % (1 to 91 %) |"),
            "{page}"
        );
        let figures = pairs.csv().expect("text");
        assert_eq!(figures.lines().count(), 6, "{figures}");
    }
}
