//! The figures of two engines' games with their names, once for all formats.
//!
//! Each name says which figure it is: a draw ratio of games or of pairs, a fixed-N or an anytime interval,
//! logistic or normalized Elo. If the data do not allow a figure, the value says why.

use crate::format;
use crate::model::report::{Duel, Test};
use threefold_run::regress::BudgetComparison;
use threefold_stats::anytime::Wealth;
use threefold_stats::scoresheet::LevelPairs;
use threefold_stats::{Logistic, Risks};

/// The name and the value of a figure.
pub(crate) type Row = [String; 2];

/// How pairs end for the first engine, worst first.
pub(crate) const PAIR_CLASSES: [&str; 5] = ["LL", "LD", "WL+DD", "WD", "WW"];

fn row(name: &str, text: impl Into<String>) -> Row {
    [name.to_owned(), text.into()]
}

impl Duel {
    /// The difference that the figures describe.
    pub(crate) fn point_of_view(&self) -> String {
        format!("{} minus {}", self.ours, self.theirs)
    }

    /// The pentanomial counts, pairs with 0 to 2 points: `[3, 20, 41, 24, 5]`.
    pub fn pentanomial(&self) -> String {
        format!("[{}]", self.sheet.pairs().counts.map(|count| count.to_string()).join(", "))
    }

    /// The estimates of a match with a fixed number of games, and the anytime interval.
    pub(crate) fn estimates(&self) -> Vec<Row> {
        let describe = |figure: Option<String>| figure.unwrap_or_else(|| self.too_one_sided().to_owned());
        vec![
            row("Elo (logistic, 95 %)", describe(self.fixed.map(|it| format::logistic(it.logistic)))),
            row("nElo (normalized, 95 %)", describe(self.fixed.map(|it| format::normalized(it.normalized)))),
            row("LOS", describe(self.fixed.map(|it| format::percent(it.superiority)))),
            self.anytime_interval(),
        ]
    }

    fn anytime_interval(&self) -> Row {
        row("Elo (logistic, 95 %, valid at any time)", format::range(self.anytime))
    }

    /// The reason for a missing figure.
    fn too_one_sided(&self) -> &'static str {
        if self.sheet.pairs().trials() == 0 {
            "unknown: no pair is complete"
        } else {
            "unknown: all pairs have the same result"
        }
    }

    /// Draws, balanced pairs and opening bias.
    pub(crate) fn character(&self) -> Vec<Row> {
        let (pairs, games) = (self.sheet.pairs(), self.sheet.games());
        let share = |share: Option<f64>| share.map_or_else(|| "unknown".to_owned(), format::percent);
        let level = self.sheet.level_pairs().map_or_else(
            || "unknown".to_owned(),
            |LevelPairs { drawn, traded }| {
                // The prior's thousandths must not show as a negative share, or as more than all balanced
                // pairs.
                let all = pairs.level_pair_ratio().unwrap_or_default();
                let [traded, drawn] = [traded, drawn].map(|share| format::percent(share.clamp(0.0, all)));
                format!("WL {traded}, DD {drawn}")
            },
        );
        let openings = self.openings();
        let describe = |figure: Option<String>| figure.unwrap_or_else(|| "unknown".to_owned());
        vec![
            row("draw ratio (games)", share(games.draw_ratio())),
            row("balanced pairs (1 point each)", share(pairs.level_pair_ratio())),
            row("balanced pairs by results", level),
            row("pairs ratio (won to lost)", pairs_ratio(pairs.pairs_ratio())),
            row("pair Elo", pair_elo(threefold_stats::elo::pair_elo(pairs))),
            row(
                "opening bias (RMS)",
                // A bias that rounds to zero may have a sign; a root mean square has none.
                describe(
                    openings.map(|(Logistic(bias), _)| format!("{:.0} logistic Elo", bias.round().abs())),
                ),
            ),
            row(
                "variance ratio (pairs to games)",
                describe(openings.map(|(_, ratio)| format!("{ratio:.2}"))),
            ),
        ]
    }
}

/// Note that the figures of a match are not compared, because the baseline has another number of games.
pub(crate) fn budget_note(budget: &BudgetComparison) -> String {
    let games = |games: f64| format::count(games as usize, "game");
    let was = budget.was.map_or_else(|| "an unknown number of games".to_owned(), games);
    format!(
        "Figures of {} are not compared: the baseline played it with at most {was}, this run with at most {}.",
        budget.part,
        games(budget.now)
    )
}

fn pairs_ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "no pair was decided".to_owned(),
        Some(f64::INFINITY) => "no pair was lost".to_owned(),
        Some(ratio) => format!("{ratio:.2}"),
    }
}

/// The pair Elo, or why it has no number.
fn pair_elo(elo: Option<Logistic>) -> String {
    match elo {
        None => "no pair was decided".to_owned(),
        Some(Logistic(f64::INFINITY)) => "no pair was lost".to_owned(),
        Some(Logistic(f64::NEG_INFINITY)) => "no pair was won".to_owned(),
        Some(Logistic(elo)) => format::tenths(elo),
    }
}

impl Test {
    /// The estimates of a sequential test.
    pub(crate) fn estimates(&self) -> Vec<Row> {
        let statistic = row(self.statistic().name, self.evidence_figure());
        std::iter::once(statistic).chain(self.e_values()).chain(self.corrected_estimates()).collect()
    }

    /// The e-values against H0 and against H1.
    pub(crate) fn e_values(&self) -> [Row; 2] {
        let Risks { alpha, beta } = self.hypotheses().risks();
        let [against_h0, against_h1] = self.e_value_names();
        [[against_h0, self.e_value(|bets| bets[0], alpha)], [against_h1, self.e_value(|bets| bets[1], beta)]]
    }

    /// The estimates that allow for the stopping rule.
    pub(crate) fn corrected_estimates(&self) -> Vec<Row> {
        let describe =
            |figure: Option<String>| figure.unwrap_or_else(|| self.duel.too_one_sided().to_owned());
        vec![
            row(
                "Elo (logistic, 95 %, corrected for stopping)",
                describe(self.stopped.map(|stopped| format::logistic(stopped.elo))),
            ),
            row(
                "LOS (corrected for stopping)",
                describe(self.stopped.map(|stopped| format::percent(stopped.superiority))),
            ),
            self.duel.anytime_interval(),
        ]
    }

    /// The names of the two e-values.
    fn e_value_names(&self) -> [String; 2] {
        match self.bets.hypotheses() {
            Some([elo0, elo1]) => [
                format!("e-value against H0 (at most {} logistic Elo)", format::rounded(elo0)),
                format!("e-value against H1 (at least {} logistic Elo)", format::rounded(elo1)),
            ],
            None => ["e-value against H0", "e-value against H1"].map(str::to_owned),
        }
    }

    /// `3.1 of the 20 that reject it, p = 0.250 at any time`.
    fn e_value(&self, of: fn([Wealth; 2]) -> Wealth, risk: f64) -> String {
        let Some(bets) = self.bets.bets() else {
            return "not available yet: too little data on the variance".to_owned();
        };
        let wealth = of([bets.against_h0(), bets.against_h1()]);
        let (needed, p) = (format::needed(risk), format::p_value(wealth.p_value()));
        format!("{} of the {needed} that reject it, {p} at any time", wealth.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    #[test]
    fn opening_bias_of_zero_has_no_sign() {
        // The variance of pairs exceeds that of games, so the estimated bias of the openings is 0.
        let pairs = [[Win, Win], [Loss, Loss], [Draw, Draw], [Win, Win], [Loss, Loss]];
        let duel = Duel::from_pairs(["A", "B"].map(str::to_owned), &pairs);
        let [_, text] = duel.character().swap_remove(5);
        assert_eq!(text, "0 logistic Elo");
    }
}
