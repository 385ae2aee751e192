//! One side of one game: its use of the clock, and the variation of its tree sizes.

use shakmaty::Color;

use threefold_chess::clock::{SearchEnd, TimeControl, TimeReport};
use threefold_games::game::MoveRecord;
use threefold_report::model::report::NumberedGame;
use threefold_stats::mean;

/// One side of one game on a clock.
pub(super) struct GameSide<'g> {
    control: TimeControl,
    /// Its moves, in order, without a move after a time loss.
    pub(super) moves: Vec<&'g MoveRecord>,
    /// Did it lose on time?
    pub(super) flagged: bool,
}

impl<'g> GameSide<'g> {
    /// A side's game; `None` without a clock.
    pub(super) fn new(game: &'g NumberedGame, color: Color) -> Option<Self> {
        let [white, black] = game.tags.controls;
        let control = match color {
            Color::White => white.time,
            Color::Black => black.time,
        };
        Some(Self {
            control: control?,
            moves: game.record.moves_of(color).collect(),
            flagged: game.record.lost_on_time() == Some(color),
        })
    }

    /// The time reports of its moves.
    pub(super) fn accounts(&self) -> impl Iterator<Item = &'g TimeReport> {
        self.moves.iter().filter_map(|played| played.account.as_ref())
    }

    /// The share of the total time that was used at the end of the game; 1 after a time loss.
    pub(super) fn used(&self) -> Option<f64> {
        if self.flagged { Some(1.0) } else { self.used_within(self.moves.len()) }
    }

    /// The share of the time that was used at the end of the last whole period; `None` if no period was
    /// completed.
    pub(super) fn used_of_periods(&self) -> Option<f64> {
        let period = self.control.moves?.get() as usize;
        self.used_within(self.moves.len() / period * period)
    }

    /// The share used of the time for the first moves: the time of each period begun, and an increment for
    /// each move. The increment after the last move can't be used and is not counted.
    fn used_within(&self, moves: usize) -> Option<f64> {
        let TimeControl { moves: period, base, increment } = self.control;
        let periods = period.map_or(1, |period| moves.div_ceil(period.get() as usize));
        let granted = base.as_secs_f64() * periods as f64 + increment.as_secs_f64() * moves as f64;
        let used: Option<f64> =
            self.moves[..moves].iter().map(|played| Some(played.used?.as_secs_f64())).sum();
        used.filter(|_| moves > 0).map(|used| (used / granted).min(1.0))
    }

    /// The coefficient of variation of the tree sizes. Forced moves and moves with a proven result are not
    /// counted, because they need no time.
    pub(super) fn unevenness(&self) -> Option<f64> {
        let asked = self.accounts().filter(|account| account.end != SearchEnd::NoChoice);
        mean::variation(&asked.map(|account| account.tree as f64).collect::<Vec<f64>>())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_games::{game, reported_move, unreported_move};
    use super::*;
    use SearchEnd::{Budget, NoChoice};
    use threefold_games::game::{GameEnd, GameOutcome};

    const WHITE_MATES: (GameOutcome, GameEnd) = (GameOutcome::White, GameEnd::Checkmate);

    #[test]
    fn used_share_of_the_clock_is_measured() {
        let flag = || {
            (
                GameOutcome::Black,
                GameEnd::TimeForfeit {
                    over: std::time::Duration::from_millis(3),
                    margin: std::time::Duration::ZERO,
                    delays: None,
                },
            )
        };
        let table = [
            // control, milliseconds of White's moves, how it ended; used by the end, and by that of a period
            ("1", &[250, 250][..], WHITE_MATES, Some("0.500"), None),
            // The first increment is available before the first move; the increment after the last move is
            // not counted.
            ("1+0.5", &[500, 500], WHITE_MATES, Some("0.500"), None),
            ("1", &[400], flag(), Some("1.000"), None),
            ("1", &[], flag(), Some("1.000"), None),
            ("1", &[], WHITE_MATES, None, None),
            // A period and a half.
            ("2/1", &[300, 600, 500], WHITE_MATES, Some("0.700"), Some("0.900")),
            ("2/1", &[300, 600], WHITE_MATES, Some("0.900"), Some("0.900")),
            ("2/1", &[300], WHITE_MATES, Some("0.300"), None),
            // Within the margin, more than the available time may be used.
            ("1", &[1010], WHITE_MATES, Some("1.000"), None),
        ];
        for (control, used, end, by_the_end, by_periods) in table {
            let moves: Vec<_> = used.iter().map(|&used| reported_move(used, used, 100, 0, Budget)).collect();
            let game = game(1, ["A", "B"], control, [&moves, &[]], end);
            let half = GameSide::new(&game, Color::White).expect("it has a clock");
            let shown = |share: Option<f64>| share.map(|share| format!("{share:.3}"));
            assert_eq!(shown(half.used()).as_deref(), by_the_end, "{control} {used:?}");
            assert_eq!(shown(half.used_of_periods()).as_deref(), by_periods, "{control} {used:?}");
        }
    }

    #[test]
    fn unevenness_of_trees_is_measured() {
        let tree = |nodes, end| reported_move(100, 100, nodes, 0, end);
        let table = [
            // moves, the coefficient of variation of their trees
            (vec![tree(5000, Budget); 3], Some(0.0)),
            (vec![tree(1000, Budget), tree(3000, Budget)], Some(0.5_f64.sqrt())),
            // Only forced moves.
            (vec![tree(5000, Budget), tree(1, NoChoice), tree(5000, Budget)], Some(0.0)),
            (vec![tree(5000, Budget)], None),
            (vec![tree(1, NoChoice), tree(2, NoChoice)], None),
            // An engine without time reports.
            (vec![unreported_move(100), unreported_move(200)], None),
            (vec![], None),
        ];
        for (moves, expected) in table {
            let game = game(1, ["A", "B"], "9+1", [&[], &moves], WHITE_MATES);
            let half = GameSide::new(&game, Color::Black).expect("it has a clock");
            let shown = |number: Option<f64>| number.map(|number| format!("{number:.6}"));
            assert_eq!(shown(half.unevenness()), shown(expected), "{moves:?}");
        }
    }

    #[test]
    fn games_without_a_clock_have_no_figures() {
        let mut game = game(1, ["A", "B"], "9+1", [&[unreported_move(1)], &[]], WHITE_MATES);
        game.tags.controls[0] = "nodes=100".parse().expect("sound");
        assert!(GameSide::new(&game, Color::White).is_none());
        assert!(GameSide::new(&game, Color::Black).is_some());
    }
}
