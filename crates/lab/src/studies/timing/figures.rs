//! What one manager did with its clocks under one control.

use std::collections::BTreeMap;
use std::time::Duration;

use super::course::Course;
use super::half::Half;
use threefold_chess::clock::{SearchEnd, TimeReport};
use threefold_echo::timeman::TimeManager;
use threefold_stats::{Estimate, mean};

/// A manager's figures. Means are over pairs of games, with 95 % intervals: the games of an opening are not independent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figures {
    pub(super) manager: TimeManager,
    /// Games that it played on a clock.
    pub(super) games: usize,
    /// Games that it lost on time.
    pub(super) flags: usize,
    /// The first aim: the share of all time granted that was used when a game ended.
    pub(super) used: Option<Estimate<f64>>,
    /// The same when its last whole period ended; nothing where the clock knows no periods.
    pub(super) used_of_periods: Option<Estimate<f64>>,
    /// The second aim: the coefficient of variation of the trees of a game; nothing where no account is given.
    pub(super) unevenness: Option<Estimate<f64>>,
    /// The farthest that a search went beyond its budget, and beyond the most that it might use.
    pub(super) overruns: Option<[Duration; 2]>,
    /// How many searches ended why.
    pub(super) ends: BTreeMap<SearchEnd, usize>,
    /// Means by move.
    pub(super) courses: Vec<(Course, Vec<(f64, f64)>)>,
}

impl Figures {
    /// What these games say, each with the number of its pair.
    pub(super) fn of(manager: TimeManager, games: &[(usize, Half<'_>)]) -> Self {
        let accounts = || games.iter().flat_map(|(_, half)| half.accounts());
        let mut ends = BTreeMap::new();
        for account in accounts() {
            *ends.entry(account.end).or_default() += 1;
        }
        let worst = |limit: fn(&TimeReport) -> Duration| {
            accounts().map(|account| account.used.saturating_sub(limit(account))).max()
        };
        let halves: Vec<&Half<'_>> = games.iter().map(|(_, half)| half).collect();
        Self {
            manager,
            games: games.len(),
            flags: halves.iter().filter(|half| half.flagged).count(),
            used: over_games(games, Half::used).map(|share| within(share, [0.0, 1.0])),
            used_of_periods: over_games(games, Half::used_of_periods).map(|share| within(share, [0.0, 1.0])),
            unevenness: over_games(games, Half::unevenness)
                .map(|spread| within(spread, [0.0, f64::INFINITY])),
            overruns: worst(|account| account.budget)
                .and_then(|budget| Some([budget, worst(|account| account.hard_limit)?])),
            ends,
            courses: Course::ALL.iter().map(|&course| (course, course.means(&halves))).collect(),
        }
    }

    /// How many searches ended so.
    pub(super) fn ended(&self, end: SearchEnd) -> usize {
        self.ends.get(&end).copied().unwrap_or_default()
    }

    /// The same as a share of all; nought where there are none.
    pub(super) fn share_ended(&self, end: SearchEnd) -> f64 {
        self.ended(end) as f64 / self.searches().max(1) as f64
    }

    /// Searches that an account was given of.
    pub(super) fn searches(&self) -> usize {
        self.ends.values().sum()
    }
}

/// The mean over games, where a pair is one observation.
fn over_games<'h>(
    games: &[(usize, Half<'h>)],
    of: impl Fn(&Half<'h>) -> Option<f64>,
) -> Option<Estimate<f64>> {
    mean::of_groups(games.iter().filter_map(|(pair, half)| Some((*pair, of(half)?))))
}

/// An estimate whose interval ends where the numbers themselves do.
fn within(mean: Estimate<f64>, [least, most]: [f64; 2]) -> Estimate<f64> {
    Estimate { low: mean.low.max(least), high: mean.high.min(most), ..mean }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::super::specimen::{game, told, untold};
    use super::*;
    use SearchEnd::{Budget, NoChoice, Settled};
    use threefold_harness::arena::game::{End, Outcome, Played};

    /// What White's games say, of which two are a pair.
    fn figures(games: &[(&[Played], bool)]) -> Figures {
        let late = || End::TimeForfeit { over: Duration::from_millis(2), waited: None };
        let end = |flagged: bool| {
            if flagged { (Outcome::Black, late()) } else { (Outcome::Draw, End::Stalemate) }
        };
        let games: Vec<_> = games
            .iter()
            .map(|&(moves, flagged)| game(1, ["Smooth", "Classic"], "1", [moves, &[]], end(flagged)))
            .collect();
        let halves = games.iter().enumerate();
        let halves =
            halves.map(|(index, game)| (index / 2, Half::of(game, Color::White).expect("it has a clock")));
        Figures::of(TimeManager::Smooth, &halves.collect::<Vec<_>>())
    }

    #[test]
    fn pairs_are_what_intervals_are_made_of() {
        let half = [told(200, 250, 3000, 0, Settled), told(200, 250, 3000, 0, Budget)];
        let whole =
            [told(400, 400, 1000, 0, Budget), told(400, 600, 3000, 0, Budget), told(9, 0, 1, 0, NoChoice)];
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
    fn what_is_not_told_is_not_made_up() {
        let dumb = figures(&[(&[untold(300), untold(200)], false), (&[untold(700)], true)]);
        assert_eq!((dumb.games, dumb.flags, dumb.searches()), (2, 1, 0));
        assert_eq!((dumb.unevenness, dumb.overruns), (None, None));
        // A flag falls when all is used, and one pair bounds nothing: everything that a share can be.
        let used = dumb.used.expect("there are clocks");
        let shown = [used.low, used.value, used.high].map(|share| format!("{share:.2}"));
        assert_eq!(shown, ["0.00", "0.75", "1.00"]);
        let nothing = figures(&[]);
        assert_eq!((nothing.games, nothing.used, nothing.unevenness), (0, None, None));
    }
}
