//! The figures of two engines' games with their names, once for all formats.
//!
//! A figure without its name misleads: a *draw ratio* may be of games or of pairs, an interval may hold at one look or
//! at all, an Elo may be logistic or normalized. So the names are long and say it, and where data is too one-sided
//! for a figure, words stand in its place.

use super::model::{Duel, Test};
use super::phrase;
use threefold_harness::regress::BudgetComparison;
use threefold_stats::anytime::Wealth;
use threefold_stats::scoresheet::LevelPairs;
use threefold_stats::{Logistic, Risks};

/// What a figure is called, and how it is told.
pub(super) type Row = [String; 2];

/// How pairs end for the first engine, worst first.
pub(super) const PAIR_CLASSES: [&str; 5] = ["LL", "LD", "WL+DD", "WD", "WW"];

fn row(name: &str, told: impl Into<String>) -> Row {
    [name.to_owned(), told.into()]
}

impl Duel {
    /// Whose difference is told, and from whose point of view.
    pub(super) fn point_of_view(&self) -> String {
        format!("{} minus {}", self.ours, self.theirs)
    }

    /// `LL 3, LD 20, WL+DD 41, WD 24, WW 5`.
    pub fn classes(&self) -> String {
        let counts = self.sheet.pairs().counts;
        let named: Vec<String> =
            PAIR_CLASSES.iter().zip(counts).map(|(class, count)| format!("{class} {count}")).collect();
        named.join(", ")
    }

    /// What the games say if their number was settled beforehand, and what they say at any look.
    pub(super) fn estimates(&self) -> Vec<Row> {
        let told = |figure: Option<String>| figure.unwrap_or_else(|| self.too_one_sided().to_owned());
        vec![
            row("logistic Elo, fixed-N 95 %", told(self.fixed.map(|it| phrase::logistic(it.logistic)))),
            row("normalized Elo, fixed-N 95 %", told(self.fixed.map(|it| phrase::normalized(it.normalized)))),
            self.at_every_look(),
            row(
                "likelihood of superiority, fixed-N",
                told(self.fixed.map(|it| phrase::percent(it.superiority))),
            ),
        ]
    }

    fn at_every_look(&self) -> Row {
        row("logistic Elo, anytime 95 % (holds at every look)", phrase::range(self.anytime))
    }

    /// Why there is no figure.
    fn too_one_sided(&self) -> &'static str {
        if self.sheet.pairs().trials() == 0 {
            "unknown: no pair is complete"
        } else {
            "unknown: all pairs ended alike and show no spread"
        }
    }

    /// What the games were like.
    pub(super) fn character(&self) -> Vec<Row> {
        let (pairs, games) = (self.sheet.pairs(), self.sheet.games());
        let share = |share: Option<f64>| share.map_or_else(|| "unknown".to_owned(), phrase::percent);
        let level = self.sheet.level_pairs().map_or_else(
            || "unknown".to_owned(),
            |LevelPairs { drawn, traded }| {
                // The prior's thousandths must not be told as less than nought, or as more than all balanced pairs.
                let all = pairs.level_pair_ratio().unwrap_or_default();
                let [traded, drawn] = [traded, drawn].map(|share| phrase::percent(share.clamp(0.0, all)));
                format!("WL {traded}, DD {drawn}")
            },
        );
        let openings = self.openings();
        let told = |figure: Option<String>| figure.unwrap_or_else(|| "unknown".to_owned());
        vec![
            row("draw ratio, of games", share(games.draw_ratio())),
            row("balanced-pair ratio, of pairs (one point each)", share(pairs.level_pair_ratio())),
            row("balanced pairs by kind, of pairs", level),
            row("pairs ratio (won for each lost)", pairs_ratio(pairs.pairs_ratio())),
            row(
                "opening bias (root mean square)",
                // A bias that rounds to zero may have a sign; a root mean square has none.
                told(openings.map(|(Logistic(bias), _)| format!("{:.0} logistic Elo", bias.round().abs()))),
            ),
            row(
                "variance ratio (pairs to single games)",
                told(openings.map(|(_, ratio)| format!("{ratio:.2}"))),
            ),
        ]
    }
}

/// Why the figures of a match are not compared: the baseline played it with another number of games.
pub(super) fn budget_note(budget: &BudgetComparison) -> String {
    let games = |games: f64| phrase::count(games as usize, "game");
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

impl Test {
    /// What a test says, whenever it stopped.
    pub(super) fn estimates(&self) -> Vec<Row> {
        let Risks { alpha, beta } = self.sprt().risks();
        let told = |figure: Option<String>| figure.unwrap_or_else(|| self.duel.too_one_sided().to_owned());
        let [against_h0, against_h1] = self.wagers();
        vec![
            row("LLR", self.evidence()),
            [against_h0, self.wealth(|bets| bets[0], alpha)],
            [against_h1, self.wealth(|bets| bets[1], beta)],
            row(
                "logistic Elo, corrected for the stop, 95 %",
                told(self.stopped.map(|stopped| phrase::logistic(stopped.elo))),
            ),
            row(
                "likelihood of superiority, corrected for the stop",
                told(self.stopped.map(|stopped| phrase::percent(stopped.superiority))),
            ),
            self.duel.at_every_look(),
        ]
    }

    /// What is bet against.
    fn wagers(&self) -> [String; 2] {
        match self.bets.hypotheses() {
            Some([elo0, elo1]) => [
                format!("E for (bets against at most {} logistic Elo)", phrase::rounded(elo0)),
                format!("E against (bets against at least {} logistic Elo)", phrase::rounded(elo1)),
            ],
            None => ["E for (bets against H0)", "E against (bets against H1)"].map(str::to_owned),
        }
    }

    /// `3.1 (decides at 20), anytime p = 0.250`.
    fn wealth(&self, of: fn([Wealth; 2]) -> Wealth, risk: f64) -> String {
        let Some(bets) = self.bets.bets() else {
            return "no bets yet: the pairs say too little of their spread".to_owned();
        };
        let wealth = of([bets.against_h0(), bets.against_h1()]);
        let (needed, p) = (phrase::needed(risk), phrase::p_value(wealth.p_value()));
        format!("{} (decides at {needed}), anytime {p}", wealth.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::GameResult::{Draw, Loss, Win};

    #[test]
    fn an_opening_bias_of_zero_has_no_sign() {
        // Pairs scatter more than games, so that nothing is left for the openings.
        let pairs = [[Win, Win], [Loss, Loss], [Draw, Draw], [Win, Win], [Loss, Loss]];
        let duel = Duel::of(["A", "B"].map(str::to_owned), &pairs);
        let [_, told] = duel.character().swap_remove(4);
        assert_eq!(told, "0 logistic Elo");
    }
}
