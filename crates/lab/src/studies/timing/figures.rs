//! Statistics of one manager under one time control.

use std::collections::BTreeMap;
use std::time::Duration;

use super::course::MoveFigure;
use super::game_side::GameSide;
use threefold_chess::clock::{SearchEnd, TimeReport};
use threefold_echo::timeman::TimeManager;
use threefold_stats::{Estimate, mean};

/// A manager's figures. Means are over pairs of games, with 95 % intervals: the games of an opening are not
/// independent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figures {
    pub(super) manager: TimeManager,
    /// Games that it played on a clock.
    pub(super) games: usize,
    /// Games that it lost on time.
    pub(super) flags: usize,
    /// The first goal: the share of the total time that was used at the end of a game.
    pub(super) used: Option<Estimate<f64>>,
    /// The share of the total time that was used at the end of a game's last whole period; `None` without
    /// periods.
    pub(super) used_of_periods: Option<Estimate<f64>>,
    /// The second goal: the coefficient of variation of the tree sizes in a game; `None` if unknown.
    pub(super) unevenness: Option<Estimate<f64>>,
    /// The largest excess of a search over its budget, and over its hard limit.
    pub(super) overruns: Option<[Duration; 2]>,
    /// Number of searches by the reason of their end.
    pub(super) ends: BTreeMap<SearchEnd, usize>,
    /// Means by move.
    pub(super) courses: Vec<(MoveFigure, Vec<(f64, f64)>)>,
}

impl Figures {
    /// The statistics of these games, each with the number of its pair.
    pub(super) fn new(manager: TimeManager, games: &[(usize, GameSide<'_>)]) -> Self {
        let accounts = || games.iter().flat_map(|(_, half)| half.accounts());
        let mut ends = BTreeMap::new();
        for account in accounts() {
            *ends.entry(account.end).or_default() += 1;
        }
        let worst = |limit: fn(&TimeReport) -> Duration| {
            accounts().map(|account| account.used.saturating_sub(limit(account))).max()
        };
        let sides: Vec<&GameSide<'_>> = games.iter().map(|(_, half)| half).collect();
        Self {
            manager,
            games: games.len(),
            flags: sides.iter().filter(|half| half.flagged).count(),
            used: over_games(games, GameSide::used).map(|share| within(share, [0.0, 1.0])),
            used_of_periods: over_games(games, GameSide::used_of_periods)
                .map(|share| within(share, [0.0, 1.0])),
            unevenness: over_games(games, GameSide::unevenness)
                .map(|spread| within(spread, [0.0, f64::INFINITY])),
            overruns: worst(|account| account.budget)
                .and_then(|budget| Some([budget, worst(|account| account.hard_limit)?])),
            ends,
            courses: MoveFigure::ALL.iter().map(|&course| (course, course.means(&sides))).collect(),
        }
    }

    /// Number of searches that ended for this reason.
    pub(super) fn ended(&self, end: SearchEnd) -> usize {
        self.ends.get(&end).copied().unwrap_or_default()
    }

    /// The share of the searches that ended so, 0 to 1; 0 if there are none.
    pub(super) fn share_ended(&self, end: SearchEnd) -> f64 {
        self.ended(end) as f64 / self.searches().max(1) as f64
    }

    /// Number of searches with a time report.
    pub(super) fn searches(&self) -> usize {
        self.ends.values().sum()
    }
}

/// The mean over games, where a pair is one observation.
fn over_games<'h>(
    games: &[(usize, GameSide<'h>)],
    of: impl Fn(&GameSide<'h>) -> Option<f64>,
) -> Option<Estimate<f64>> {
    mean::of_groups(games.iter().filter_map(|(pair, half)| Some((*pair, of(half)?))))
}

/// An estimate with its interval clamped to the range of the values.
fn within(mean: Estimate<f64>, [least, most]: [f64; 2]) -> Estimate<f64> {
    Estimate { low: mean.low.max(least), high: mean.high.min(most), ..mean }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::super::sample_games::{game, reported_move, unreported_move};
    use super::*;
    use SearchEnd::{Budget, NoChoice, Settled};
    use threefold_games::game::{GameEnd, GameOutcome, MoveRecord};

    /// The statistics of White's games; two are a pair.
    fn figures(games: &[(&[MoveRecord], bool)]) -> Figures {
        let late =
            || GameEnd::TimeForfeit { over: Duration::from_millis(2), margin: Duration::ZERO, delays: None };
        let end = |flagged: bool| {
            if flagged { (GameOutcome::Black, late()) } else { (GameOutcome::Draw, GameEnd::Stalemate) }
        };
        let games: Vec<_> = games
            .iter()
            .map(|&(moves, flagged)| game(1, ["Smooth", "Classic"], "1", [moves, &[]], end(flagged)))
            .collect();
        let sides = games.iter().enumerate();
        let sides = sides
            .map(|(index, game)| (index / 2, GameSide::new(game, Color::White).expect("it has a clock")));
        Figures::new(TimeManager::Smooth, &sides.collect::<Vec<_>>())
    }

    #[test]
    fn intervals_count_pairs() {
        let half = [reported_move(200, 250, 3000, 0, Settled), reported_move(200, 250, 3000, 0, Budget)];
        let whole = [
            reported_move(400, 400, 1000, 0, Budget),
            reported_move(400, 600, 3000, 0, Budget),
            reported_move(9, 0, 1, 0, NoChoice),
        ];
        let got = figures(&[(&half, false), (&whole, false), (&whole, false), (&half, false)]);
        let used = got.used.expect("there are clocks");
        let shown = [used.low, used.value, used.high].map(|share| format!("{share:.6}"));
        assert_eq!(shown, ["0.750000"; 3], "the two pairs are alike");
        let unevenness = got.unevenness.expect("there are accounts");
        assert!((unevenness.value - 0.5_f64.sqrt() / 2.0).abs() < 1e-12);
        assert_eq!(got.overruns, Some([Duration::from_millis(200), Duration::ZERO]));
        assert_eq!((got.games, got.flags, got.searches()), (4, 0, 10));
        assert_eq!(got.ends, BTreeMap::from([(Settled, 2), (Budget, 6), (NoChoice, 2)]));
        assert_eq!(got.used_of_periods, None);
    }

    #[test]
    fn missing_data_has_no_figures() {
        let dumb = figures(&[
            (&[unreported_move(300), unreported_move(200)], false),
            (&[unreported_move(700)], true),
        ]);
        assert_eq!((dumb.games, dumb.flags, dumb.searches()), (2, 1, 0));
        assert_eq!((dumb.unevenness, dumb.overruns), (None, None));
        // A time loss uses the whole clock, and one pair gives no bound: the interval is the whole range.
        let used = dumb.used.expect("there are clocks");
        let shown = [used.low, used.value, used.high].map(|share| format!("{share:.2}"));
        assert_eq!(shown, ["0.00", "0.75", "1.00"]);
        let nothing = figures(&[]);
        assert_eq!((nothing.games, nothing.used, nothing.unevenness), (0, None, None));
    }
}
