//! Means by move number over all games of a manager.

use super::game_side::GameSide;
use threefold_games::game::MoveRecord;

threefold_named_enum::named_enum! {
    /// A quantity by move number.
    pub enum MoveFigure {
        /// Time left on the clock
        Left = "seconds left",
        /// Time planned for a move
        Planned = "seconds planned",
        /// Time used for a move
        Used = "seconds used",
        /// Part of the budget that was used
        Spent = "used / planned",
        /// Nodes of the tree, new and inherited
        Tree = "thousand nodes",
        /// Part of the tree that was there before the search
        Reused = "inherited / tree",
        /// Reuse that the manager reckons with (ρ)
        ReuseForeseen = "reuse foreseen",
        /// Use of a budget that the manager reckons with (u)
        UseForeseen = "use foreseen",
    }
}

/// Points are drawn while one game in this number lasts; the means of a few long games are noise.
const OF_GAMES: usize = 10;

impl MoveFigure {
    /// Means by move number from 1, over the games with data: the sum divided by the whole that it is a part
    /// of, or by the number of games.
    pub(super) fn means(self, sides: &[&GameSide<'_>]) -> Vec<(f64, f64)> {
        let longest = sides.iter().map(|half| half.moves.len()).max().unwrap_or_default();
        let at_move = |index: usize| {
            let text: Vec<[f64; 2]> =
                sides.iter().filter_map(|half| self.part_of_whole(half.moves.get(index)?)).collect();
            let [part, whole] = text.iter().fold([0.0, 0.0], |sum, one| [sum[0] + one[0], sum[1] + one[1]]);
            let enough = sides.len().div_ceil(OF_GAMES) <= text.len() && whole > 0.0;
            enough.then(|| ((index + 1) as f64, part / whole))
        };
        (0..longest).filter_map(at_move).collect()
    }

    /// What a move adds to the mean, as a part of a whole.
    fn part_of_whole(self, played: &MoveRecord) -> Option<[f64; 2]> {
        let account = played.account.as_ref();
        let seconds = |time: std::time::Duration| time.as_secs_f64();
        match self {
            Self::Left => Some([seconds(played.left?), 1.0]),
            Self::Planned => Some([seconds(account?.budget), 1.0]),
            Self::Used => Some([seconds(played.used?), 1.0]),
            Self::Spent => account.map(|account| [seconds(account.used), seconds(account.budget)]),
            Self::Tree => Some([account?.tree as f64 / 1e3, 1.0]),
            Self::Reused => account.map(|account| [account.reused as f64, account.tree as f64]),
            Self::ReuseForeseen => Some([account?.estimates.reuse?.get(), 1.0]),
            Self::UseForeseen => Some([account?.estimates.time_use?.get(), 1.0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::super::sample_games::{game, reported_move, unreported_move};
    use super::*;
    use threefold_chess::clock::SearchEnd::Budget;
    use threefold_games::game::{GameEnd, GameOutcome};
    use threefold_report::model::report::NumberedGame;

    #[test]
    fn time_course_is_the_mean_of_the_games_of_that_length() {
        let of = |moves: &[MoveRecord]| {
            game(1, ["A", "B"], "9+1", [moves, &[]], (GameOutcome::White, GameEnd::Checkmate))
        };
        // Budget, time used, tree, reused.
        let short = of(&[reported_move(1000, 500, 4000, 1000, Budget)]);
        let long =
            of(&[reported_move(3000, 1500, 2000, 2000, Budget), reported_move(1000, 1000, 6000, 0, Budget)]);
        let dumb = of(&[unreported_move(700), unreported_move(900)]);
        let long_and_short: &[&NumberedGame] = &[&short, &long];
        let one_of_eleven: &[&NumberedGame] = &[&[&short; 10][..], &[&long]].concat();
        let table = [
            // which games, what of them, the points
            (long_and_short, MoveFigure::Planned, vec![(1.0, 2.0), (2.0, 1.0)]),
            (long_and_short, MoveFigure::Used, vec![(1.0, 1.0), (2.0, 1.0)]),
            (long_and_short, MoveFigure::Spent, vec![(1.0, 0.5), (2.0, 1.0)]),
            (long_and_short, MoveFigure::Tree, vec![(1.0, 3.0), (2.0, 6.0)]),
            (long_and_short, MoveFigure::Reused, vec![(1.0, 0.5), (2.0, 0.0)]),
            (long_and_short, MoveFigure::ReuseForeseen, vec![]),
            // One of eleven games is fewer than one of ten.
            (one_of_eleven, MoveFigure::Used, vec![(1.0, 6.5 / 11.0)]),
            (&[&dumb], MoveFigure::Used, vec![(1.0, 0.7), (2.0, 0.9)]),
            (&[&dumb], MoveFigure::Tree, vec![]),
            (&[], MoveFigure::Left, vec![]),
        ];
        for (games, course, points) in table {
            let sides: Vec<GameSide<'_>> =
                games.iter().map(|game| GameSide::new(game, Color::White).expect("a clock")).collect();
            let shown = |points: Vec<(f64, f64)>| {
                points.into_iter().map(|(mv, mean)| format!("{mv}: {mean:.6}")).collect::<Vec<_>>()
            };
            let means = course.means(&sides.iter().collect::<Vec<_>>());
            assert_eq!(shown(means), shown(points), "{course} of {}", games.len());
        }
    }
}
