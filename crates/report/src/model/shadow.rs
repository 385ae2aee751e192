//! What adjudication would have changed in games that were played to their end (`--adjudication shadow`).
//!
//! Each rule is counted alone: the first time that it would have ended a game, with the result that it would
//! have given. A last row has all rules together, as they would have worked: the first rule that applies ends
//! the game.

use std::time::Duration;

use serde_json::{Value, json};

use crate::format;
use crate::model::json_intervals::estimate;
use crate::model::report::{MatchPart, NumberedSummary};
use threefold_games::game::GameOutcome;
use threefold_games::game_summary::GameSummary;
use threefold_games::playout::ShadowEnd;
use threefold_games::playout::adjudication::RULES;
use threefold_stats::Estimate;
use threefold_stats::interval::Rate;

/// The quantile of the normal distribution for intervals of 95 %.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// What a rule would have changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ShadowRow {
    /// The rule's name, or `all rules`.
    pub rule: &'static str,
    /// Games that it would have ended.
    pub ended: u64,
    /// All games.
    pub games: u64,
    /// Those of the ended games that have the same result without it.
    pub same: Rate,
    /// Plies that it would have saved.
    pub plies: u64,
    /// The share of all plies, with its 95 % interval; `None` with fewer than two games.
    pub plies_share: Option<Estimate<f64>>,
    /// Thinking time that it would have saved.
    pub time: Duration,
    /// The share of the time, with its 95 % interval; `None` without clocks.
    pub time_share: Option<Estimate<f64>>,
    /// The change of the first engine's mean score per game, with its 95 % interval; `None` unless two
    /// engines play at least two games.
    pub score_change: Option<Estimate<f64>>,
}

/// What one game is without and with a rule.
struct Saving<'g> {
    game: &'g GameSummary,
    /// Where the rule ends it, with the time used after it.
    end: Option<(ShadowEnd, Duration)>,
}

impl ShadowRow {
    /// The columns of a table.
    pub(crate) const COLUMNS: [&'static str; 6] = [
        "rule",
        "games ended",
        "same result (95 %)",
        "plies saved (95 %)",
        "time saved (95 %)",
        "score change (95 %)",
    ];

    /// The rows of a match; empty if adjudication was applied, or if there is none.
    pub fn from_match(part: &MatchPart) -> Vec<Self> {
        if !part.is_shadow {
            return Vec::new();
        }
        let rules = RULES.iter().map(|kind| kind.name);
        let seen = |rule: &str| {
            part.games.iter().any(|game| game.record.shadow.iter().any(|end| end.rule.name == rule))
        };
        let alone =
            rules.filter(|rule| seen(rule)).map(|rule| Self::with(part, rule, |end| end.rule.name == rule));
        let all = Self::with(part, "all rules", |_| true);
        alone.chain([all]).collect()
    }

    /// Each game ends where the first of its ends that `counts` is.
    fn with(part: &MatchPart, rule: &'static str, counts: impl Fn(&ShadowEnd) -> bool) -> Self {
        let saving = |game: &'_ NumberedSummary| game.record.shadow_ends().find(|(end, _)| counts(end));
        let savings: Vec<Saving<'_>> =
            part.games.iter().map(|game| Saving { game: &game.record, end: saving(game) }).collect();
        let ended = || savings.iter().filter_map(|saving| Some((saving.game, saving.end?.0)));
        let same = ended().filter(|(game, end)| game.outcome == end.outcome).count() as u64;
        let first = part.standings.first().filter(|_| part.standings.len() == 2).map(|it| it.name.as_str());
        let changes = || savings.iter().map(|saving| saving.score_change(first.unwrap_or_default()));
        let plies = || savings.iter().map(|saving| (saving.plies() as f64, saving.game.played.plies as f64));
        let times =
            || savings.iter().map(|saving| (saving.time().as_secs_f64(), saving.game.used().as_secs_f64()));
        Self {
            rule,
            ended: ended().count() as u64,
            games: savings.len() as u64,
            same: Rate { successes: same, failures: ended().count() as u64 - same },
            plies: savings.iter().map(|saving| saving.plies() as u64).sum(),
            plies_share: ratio(plies()),
            time: savings.iter().map(Saving::time).sum(),
            time_share: ratio(times()),
            // With weights of 1 the ratio is the mean of the changes, and its interval that of a mean.
            score_change: first.and_then(|_| ratio(changes().map(|change| (change, 1.0)))),
        }
    }

    /// The cells of a table.
    pub(crate) fn cells(&self) -> [String; 6] {
        let share =
            |share: Option<Estimate<f64>>| share.map_or_else(|| "unknown".to_owned(), format::mean_share);
        [
            self.rule.to_owned(),
            format!("{} of {}", format::grouped(self.ended), format::grouped(self.games)),
            format::rate(self.same),
            format!("{}, {}", format::grouped(self.plies), share(self.plies_share)),
            self.time_share.map_or_else(
                || "no clock".to_owned(),
                |_| format!("{}, {}", format::duration(self.time), share(self.time_share)),
            ),
            share(self.score_change),
        ]
    }

    /// Its object in `report.json`.
    pub(crate) fn json(&self) -> Value {
        let interval = self.same.wilson(0.05);
        let share = |share: Option<Estimate<f64>>| share.map(|it| estimate(it.low, it.value, it.high));
        json!({
            "rule": self.rule, "ended": self.ended, "games": self.games,
            "same_result": {
                "games": self.same.successes, "of": self.same.trials(), "low": interval.low, "high": interval.high,
            },
            "plies": self.plies, "plies_share": share(self.plies_share),
            "time_s": self.time_share.map(|_| self.time.as_secs_f64()), "time_share": share(self.time_share),
            "score_change": share(self.score_change),
        })
    }
}

impl Saving<'_> {
    fn plies(&self) -> usize {
        self.end.map_or(0, |(end, _)| self.game.played.plies.saturating_sub(end.ply))
    }

    /// The thinking time of both engines.
    fn time(&self) -> Duration {
        self.end.map_or(Duration::ZERO, |(_, used)| used)
    }

    /// How the rule changes the score of an engine.
    fn score_change(&self, engine: &str) -> f64 {
        let score = |outcome: GameOutcome| match outcome.winner() {
            None => 0.5,
            Some(winner) if self.game.players[winner.fold_wb(0, 1)] == engine => 1.0,
            Some(_) => 0.0,
        };
        self.end.map_or(0.0, |(end, _)| score(end.outcome) - score(self.game.outcome))
    }
}

/// The ratio of two sums over games with its 95 % interval, by linearisation (Cochran, Sampling Techniques,
/// 6.3).
fn ratio(games: impl Iterator<Item = (f64, f64)>) -> Option<Estimate<f64>> {
    let games: Vec<(f64, f64)> = games.collect();
    let n = games.len() as f64;
    let (part, whole) = games.iter().fold((0.0, 0.0), |(part, whole), game| (part + game.0, whole + game.1));
    // The sum of the thinking times is 0 in a match without clocks.
    if n < 2.0 || whole <= 0.0 {
        return None;
    }
    let value = part / whole;
    // The residuals `part - value * whole` sum to 0, so their mean need not be subtracted.
    let squares: f64 = games.iter().map(|(part, whole)| (part - value * whole).powi(2)).sum();
    let error = (squares * n / (n - 1.0)).sqrt() / whole;
    Some(Estimate { low: value - NORMAL_95 * error, value, high: value + NORMAL_95 * error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use threefold_games::playout::RuleKind;

    fn end(rule: &str, outcome: GameOutcome, ply: usize) -> ShadowEnd {
        ShadowEnd { rule: RuleKind::named(rule).expect("a rule"), outcome, ply }
    }

    /// Four games of `new`, White, against `old`, each of four plies of 90 ms, with these results.
    fn part(games: [(GameOutcome, Vec<ShadowEnd>); 4]) -> MatchPart {
        let mut part = fixture::report().matches.remove(0);
        let game = part.games_with_moves[0].clone();
        part.is_shadow = true;
        part.games = games
            .into_iter()
            .map(|(outcome, shadow)| {
                let mut game = game.clone();
                (game.record.outcome, game.record.shadow) = (outcome, shadow);
                game.summary()
            })
            .collect();
        part
    }

    #[test]
    fn each_rule_and_all_together_are_compared_with_the_real_results() {
        let (white, black, draw) = (GameOutcome::White, GameOutcome::Black, GameOutcome::Draw);
        let part = part([
            (white, vec![end("resign", white, 2)]),
            (draw, vec![end("draw", draw, 1), end("resign", black, 3)]),
            (draw, vec![end("resign", white, 3)]),
            (black, Vec::new()),
        ]);
        let rows = ShadowRow::from_match(&part);
        let counts: Vec<_> =
            rows.iter().map(|row| (row.rule, row.ended, row.same.successes, row.plies, row.time)).collect();
        let millis = Duration::from_millis;
        assert_eq!(
            counts,
            [
                ("resign", 3, 1, 4, millis(360)),
                ("draw", 1, 1, 3, millis(270)),
                ("all rules", 3, 2, 6, millis(540)),
            ]
        );
        // Of 16 plies.
        let share = rows[2].plies_share.expect("four games");
        assert!(
            (share.value - 6.0 / 16.0).abs() < 1e-12 && share.low < share.value && share.value < share.high
        );
        // One game of four becomes a win instead of a draw; alone, `resign` also makes a loss of a draw.
        let change = |row: &ShadowRow| row.score_change.expect("two engines").value;
        assert!((change(&rows[2]) - 0.125).abs() < 1e-12 && change(&rows[0]).abs() < 1e-12, "{rows:#?}");
        assert_eq!(rows[2].cells()[1], "3 of 4");
        assert!(rows[2].cells()[2].starts_with("2/3, 66.7 % ("), "{:?}", rows[2].cells());
        assert_eq!(rows[2].json()["same_result"]["of"], 3);
    }

    #[test]
    fn applied_adjudication_has_no_rows() {
        let mut part = part([(); 4].map(|()| (GameOutcome::Draw, Vec::new())));
        let rows = ShadowRow::from_match(&part);
        assert_eq!((rows.len(), rows[0].ended, rows[0].plies), (1, 0, 0));
        assert_eq!(rows[0].cells()[2], "no cases");
        part.is_shadow = false;
        assert_eq!(ShadowRow::from_match(&part), []);
    }

    #[test]
    fn interval_of_a_ratio_is_that_of_the_mean_for_equal_wholes() {
        // Mean 0.5, standard deviation 0.5774, n = 4: 0.5 ± 1.96 · 0.2887.
        let estimate = ratio([(0.0, 1.0), (1.0, 1.0), (0.0, 1.0), (1.0, 1.0)].into_iter()).expect("four");
        assert!((estimate.high - (0.5 + 1.96 * 0.288_675)).abs() < 1e-4, "{estimate:?}");
        assert_eq!(ratio([(1.0, 1.0)].into_iter()), None);
        assert_eq!(ratio([(0.0, 0.0), (0.0, 0.0)].into_iter()), None);
    }
}
