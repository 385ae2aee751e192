//! The score of two players against each other, and its lines.
//!
//! Elo, its error and the likelihood of superiority are those of fastchess: moments of the counts as they
//! are, without a prior, and an interval that is symmetric in the score.

use super::number::fixed;
use threefold_stats::elo::{Logistic, NORMALIZED_SCALE, Z95, normal_cdf};
use threefold_stats::sample::Sample;
use threefold_stats::{EloHypotheses, GameResult, Pentanomial, Sprt, Trinomial};

/// Games and pairs of the first player against the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) games: Trinomial,
    pub(super) pairs: Pentanomial,
    /// Pairs of one win each. The pairs of two draws are the others with one point.
    pub(super) won_and_lost: u64,
}

impl Default for Score {
    fn default() -> Self {
        Self { games: Trinomial::EMPTY, pairs: Pentanomial::EMPTY, won_and_lost: 0 }
    }
}

/// What a results block counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Pairs,
    Games,
}

/// The figures of a sample, as text.
struct Figures {
    elo: String,
    normalized: String,
    superiority: String,
}

impl Score {
    /// Adds a game.
    pub(super) fn add_game(&mut self, result: GameResult) {
        self.games.record(result);
    }

    /// Adds a pair, with its games.
    pub(super) fn add_pair(&mut self, pair: [GameResult; 2]) {
        for result in pair {
            self.add_game(result);
        }
        self.pairs.record(pair);
        let [mut low, mut high] = pair;
        if low > high {
            (low, high) = (high, low);
        }
        self.won_and_lost += u64::from((low, high) == (GameResult::Loss, GameResult::Win));
    }

    /// From the second player's side.
    pub(super) fn reversed(&self) -> Self {
        Self { games: self.games.reversed(), pairs: self.pairs.reversed(), won_and_lost: self.won_and_lost }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            games: self.games + other.games,
            pairs: self.pairs + other.pairs,
            won_and_lost: self.won_and_lost + other.won_and_lost,
        }
    }

    /// Losses, draws and wins.
    pub(super) fn results(&self) -> [u64; 3] {
        self.games.counts
    }

    /// The share of the points, from 0 to 1; not a number before the first game.
    pub(super) fn share(&self) -> f64 {
        self.games.points() / self.games.games() as f64
    }

    /// The log-likelihood ratio of a test; 0 before the first trial.
    pub(super) fn llr(&self, test: &Sprt, unit: Unit) -> f64 {
        let llr = match unit {
            Unit::Pairs => test.llr(&self.pairs),
            Unit::Games => test.llr(&self.games),
        };
        llr.unwrap_or_default()
    }

    fn figures(&self, unit: Unit) -> Figures {
        match unit {
            Unit::Pairs => figures(&self.pairs.counts),
            Unit::Games => figures(&self.games.counts),
        }
    }

    /// The lines of a results block between the heading and the test.
    pub(super) fn lines(&self, unit: Unit) -> Vec<String> {
        let Figures { elo, normalized, superiority } = self.figures(unit);
        let [losses, draws, wins] = self.results();
        let [ll, ld, level, wd, ww] = self.pairs.counts;
        let pairs_ratio = match unit {
            Unit::Pairs => format!(", PairsRatio: {}", fixed((ww + wd) as f64 / (ld + ll) as f64, 2)),
            Unit::Games => String::new(),
        };
        let mut lines = vec![
            format!("Elo: {elo}, nElo: {normalized}"),
            format!(
                "LOS: {superiority} %, DrawRatio: {} %{pairs_ratio}",
                fixed(self.draw_percentage(unit), 2)
            ),
            format!(
                "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {} ({} %)",
                self.games.games(),
                fixed(self.games.points(), 1),
                fixed(100.0 * self.share(), 2)
            ),
        ];
        if unit == Unit::Pairs {
            // A division by zero gives `inf` or `-nan`, as in fastchess.
            let ratio = self.won_and_lost as f64 / (level - self.won_and_lost) as f64;
            lines.push(format!("Ptnml(0-2): {}, WL/DD Ratio: {}", self.pair_counts(), fixed(ratio, 2)));
        }
        lines
    }

    /// `Elo difference: …`, as fastchess prints it in cutechess-cli's form.
    pub(super) fn elo_line(&self) -> String {
        let Figures { elo, superiority, .. } = self.figures(Unit::Games);
        let draws = fixed(self.draw_percentage(Unit::Games), 2);
        format!("Elo difference: {elo}, LOS: {superiority} %, DrawRatio: {draws} %")
    }

    /// The columns of a player in a table of several players.
    pub(super) fn columns(&self, unit: Unit) -> String {
        let elo = self.figures(unit);
        let [elo, normalized] = [elo.elo, elo.normalized].map(|text| {
            let (value, error) = text.split_once(" +/- ").unwrap_or((&text, ""));
            format!("{value:>10} {error:>10}")
        });
        let percentage = |value| fixed(value, 1);
        let pairs = if unit == Unit::Pairs { self.pair_counts() } else { String::new() };
        let columns = format!(
            "{elo} {normalized} {:>10} {:>9}% {:>9}%",
            self.games.games(),
            percentage(100.0 * self.share()),
            percentage(self.draw_percentage(unit)),
        );
        format!("{columns} {pairs:>20}")
    }

    fn pair_counts(&self) -> String {
        format!("[{}]", self.pairs.counts.map(|count| count.to_string()).join(", "))
    }

    /// The share of drawn games, or of pairs with one point each.
    fn draw_percentage(&self, unit: Unit) -> f64 {
        100.0
            * match unit {
                Unit::Pairs => self.pairs.counts[2] as f64 / self.pairs.trials() as f64,
                Unit::Games => self.games.counts[1] as f64 / self.games.trials() as f64,
            }
    }
}

/// Logistic Elo and half of its 95 % interval; not numbers without games.
pub(super) fn logistic<const K: usize>(counts: &[u64; K]) -> [f64; 2] {
    let sample = Sample::<K>::from_weights(counts.map(|count| count as f64));
    let (mean, error) =
        sample.map_or((f64::NAN, f64::NAN), |sample| (sample.mean(), sample.standard_error()));
    let [low, elo, high] =
        [mean - Z95 * error, mean, mean + Z95 * error].map(|score| Logistic::of_score(score).0);
    [elo, (high - low) / 2.0]
}

/// `value +/- error` of both kinds of Elo, and the likelihood of superiority in per cent.
fn figures<const K: usize>(counts: &[u64; K]) -> Figures {
    let sample = Sample::<K>::from_weights(counts.map(|count| count as f64));
    let (mean, error, deviation) = sample.map_or((f64::NAN, f64::NAN, f64::NAN), |sample| {
        (sample.mean(), sample.standard_error(), sample.variance_per_game().sqrt())
    });
    let (low, high) = (mean - Z95 * error, mean + Z95 * error);
    let with_error = |value: f64, error: f64| format!("{} +/- {}", fixed(value, 2), fixed(error, 2));
    let [elo, elo_error] = logistic(counts);
    // Normalized Elo is the distance from one half in standard deviations of a game.
    let [normal_low, normal, normal_high] =
        [low, mean, high].map(|score| (score - 0.5) / deviation * NORMALIZED_SCALE);
    Figures {
        elo: with_error(elo, elo_error),
        normalized: with_error(normal, (normal_high - normal_low) / 2.0),
        superiority: fixed(100.0 * normal_cdf((mean - 0.5) / error), 2),
    }
}

/// `LLR: …`, the line of a test.
pub(super) fn llr_line(llr: f64, test: &Sprt) -> String {
    let bounds = test.bounds();
    // The lower bound is negative: the sign makes the share of a negative ratio negative.
    let share = if llr >= 0.0 { llr / bounds.upper } else { -llr / bounds.lower };
    format!(
        "LLR: {} ({}%) ({:.2}, {:.2}) {}",
        fixed(llr, 2),
        fixed(100.0 * share, 1),
        bounds.lower,
        bounds.upper,
        hypotheses(test.hypotheses())
    )
}

/// `SPRT: llr …`, as fastchess prints it in cutechess-cli's form.
pub(super) fn sprt_line(llr: f64, test: &Sprt) -> String {
    let bounds = test.bounds();
    // In this form the share of a negative ratio is positive.
    let share = if llr < 0.0 { llr / bounds.lower } else { llr / bounds.upper };
    let accepted = match llr {
        _ if llr >= bounds.upper => " - H1 was accepted",
        _ if llr <= bounds.lower => " - H0 was accepted",
        _ => "",
    };
    format!(
        "SPRT: llr {llr:.2} ({:.1}%), lbound {:.2}, ubound {:.2}{accepted}",
        100.0 * share,
        bounds.lower,
        bounds.upper
    )
}

/// `[elo0, elo1]`.
pub(super) fn hypotheses(test: &EloHypotheses) -> String {
    format!("[{:.2}, {:.2}]", test.elo0(), test.elo1())
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::{EloModel, Risks};

    /// A run of fastchess 1.8.2 with these counts printed these figures.
    #[test]
    fn results_block_has_the_figures_of_fastchess() {
        let mut score = Score::default();
        let (loss, draw, win) = (GameResult::Loss, GameResult::Draw, GameResult::Win);
        // WL/DD 4.76 of 144 pairs: 119 with one win each, 25 of two draws.
        for (pair, times) in [
            ([loss, loss], 43),
            ([loss, draw], 61),
            ([win, loss], 119),
            ([draw, draw], 25),
            ([draw, win], 55),
            ([win, win], 37),
        ] {
            (0..times).for_each(|_| score.add_pair(pair));
        }
        assert_eq!(
            score.lines(Unit::Pairs),
            [
                "Elo: -9.20 +/- 20.93, nElo: -11.50 +/- 26.11",
                "LOS: 19.41 %, DrawRatio: 42.35 %, PairsRatio: 0.88",
                "Games: 680, Wins: 248, Losses: 266, Draws: 166, Points: 331.0 (48.68 %)",
                "Ptnml(0-2): [43, 61, 144, 55, 37], WL/DD Ratio: 4.76",
            ]
        );
        let games = score.lines(Unit::Games);
        assert_eq!((games.len(), games[1].contains("PairsRatio")), (3, false));
        let sprt = Sprt::new(EloModel::Normalized, 0.0, 2.0, Risks::USUAL).expect("sound");
        let line = llr_line(score.llr(&sprt, Unit::Pairs), &sprt);
        assert!(line.ends_with("%) (-2.94, 2.94) [0.00, 2.00]"), "{line}");
        assert_eq!(score.reversed().results(), [248, 166, 266]);
    }

    #[test]
    fn one_sided_scores_are_printed_as_they_are() {
        let mut score = Score::default();
        score.add_pair([GameResult::Win; 2]);
        let lines = score.lines(Unit::Pairs);
        assert_eq!(lines[0], "Elo: inf +/- -nan, nElo: inf +/- -nan");
        assert_eq!(lines[1], "LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf");
        assert_eq!(lines[3], "Ptnml(0-2): [0, 0, 0, 0, 1], WL/DD Ratio: -nan");
    }
}
