//! The table of several takes: what each has come to, and the games that it got.

use serde_json::{Value, json};

use crate::format;
use crate::model::report::{MatchPart, MatchResult, Report, Takes, Test, TestStanding};
use threefold_stats::takes::Guarantee;

/// A take in the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Take<'r> {
    /// Its name.
    pub(crate) name: &'r str,
    /// Its test.
    pub(crate) test: &'r Test,
    /// Its games that count.
    pub(crate) games: u64,
    /// Its share of the games of all; 0 without games.
    pub(crate) share: f64,
}

impl Report {
    /// The takes of the run; empty if it is none of several takes.
    pub(crate) fn take_list(&self) -> Vec<Take<'_>> {
        if self.takes.is_none() {
            return Vec::new();
        }
        let all: usize = self.matches.iter().map(|part| part.games.len()).sum();
        let take = |part| take(part, all as f64);
        self.matches.iter().filter_map(take).collect()
    }
}

fn take(part: &MatchPart, all: f64) -> Option<Take<'_>> {
    let MatchResult::Test(test) = &part.result else { return None };
    let games = part.games.len() as u64;
    Some(Take { name: &part.name, test, games, share: games as f64 / all.max(1.0) })
}

impl Take<'_> {
    /// The columns of the table.
    pub(crate) const COLUMNS: [&'static str; 9] =
        ["take", "result", "games", "share", "W-D-L", "Ptnml(0-2)", "Elo", "statistic", "E against H0"];

    /// The row of the take.
    pub(crate) fn row(&self) -> [String; 9] {
        let [lost, drawn, won] = self.test.duel.sheet.games().counts;
        [
            self.name.to_owned(),
            self.result().to_owned(),
            format::grouped(self.games),
            format::percent(self.share),
            format!("{won}-{drawn}-{lost}"),
            self.test.duel.pentanomial(),
            self.test.elo(),
            self.with_bounds(),
            self.e_value(),
        ]
    }

    /// The statistic, and the bound that it needs to pass: `2.31 of 4.33`.
    pub(crate) fn of_bound(&self) -> String {
        // A value that rounds to zero has no sign.
        let value = (100.0 * self.test.running.value()).round() / 100.0 + 0.0;
        format!("{value:.2} of {:.2}", self.test.running.bounds().upper)
    }

    /// The statistic between its bounds: `LLR 2.31 (-2.94, 4.33)`.
    fn with_bounds(&self) -> String {
        let bounds = self.test.running.bounds();
        let value = (100.0 * self.test.running.value()).round() / 100.0 + 0.0;
        format!("{} {value:.2} ({:.2}, {:.2})", self.test.statistic().name, bounds.lower, bounds.upper)
    }

    fn e_value(&self) -> String {
        self.test.bets.bets().map_or_else(|| "–".to_owned(), |bets| bets.against_h0().now.to_string())
    }

    /// What the take has come to, in words.
    pub(crate) const fn result(&self) -> &'static str {
        match self.test.standing {
            TestStanding::AcceptedH1 => "passes",
            TestStanding::AcceptedH0 => "rejected",
            TestStanding::BudgetSpent => "undecided",
            TestStanding::NoNewGames => "no new games",
            TestStanding::DependsOnFaults => "depends on engine faults",
            TestStanding::AnotherPassed => "another take passed",
            TestStanding::Interrupted | TestStanding::Running => "not finished",
            TestStanding::TooManyFaults => "too many engine faults",
        }
    }

    /// Its object in `report.json`.
    fn json(&self) -> Value {
        json!({
            "name": self.name, "result": self.result(), "games": self.games, "share": self.share,
            "value": self.test.running.value(), "needed": self.test.running.bounds().upper,
        })
    }
}

/// The object of the takes in `report.json`.
pub(crate) fn json(report: &Report) -> Option<Value> {
    let Takes { rule, games: _ } = report.takes.as_ref()?;
    let takes = report.take_list();
    Some(json!({
        "stop": rule.end.name(), "guarantee": rule.guarantee.name(), "alpha": alpha(rule.guarantee, &takes),
        "takes": takes.iter().map(Take::json).collect::<Vec<_>>(),
    }))
}

/// The error probability that was asked for: of all takes together, or of each.
pub(crate) fn alpha(guarantee: Guarantee, takes: &[Take<'_>]) -> f64 {
    let each = takes.first().map_or(0.0, |take| take.test.hypotheses().risks().alpha);
    match guarantee {
        // Each test has the level of the family divided by the number of takes (Bonferroni).
        Guarantee::Family => each * takes.len() as f64,
        Guarantee::Each => each,
    }
}
