//! The expected number of moves left in a game.
//!
//! Lc0's estimate: game lengths follow a log-logistic distribution, and the estimate is the median residual
//! life. It decreases to a minimum and then increases: a very long game will last longer.

/// A distribution of game lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GameLengthModel {
    /// The median length of a game, in moves.
    pub(super) midpoint: f64,
    /// The steepness of the distribution.
    pub(super) steepness: f64,
}

/// Lc0's parameters until 2021.
pub(super) const LEGACY: GameLengthModel = GameLengthModel { midpoint: 51.5, steepness: 7.0 };

impl GameLengthModel {
    /// The expected moves left after this number of plies.
    pub(super) fn left_after(self, ply: u32) -> f64 {
        let Self { midpoint, steepness } = self;
        let moves = f64::from(ply) / 2.0;
        // After this number of moves the survival function 1 / (1 + (moves / midpoint)^steepness) has halved.
        midpoint * (1.0 + 2.0 * (moves / midpoint).powf(steepness)).powf(steepness.recip()) - moves
    }

    /// The expected moves left, limited by the moves to the end of the period; at least one.
    pub(super) fn left(self, ply: u32, moves_to_go: Option<u32>) -> f64 {
        let left = self.left_after(ply);
        moves_to_go.filter(|&moves| moves > 0).map_or(left, |moves| left.min(f64::from(moves))).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_left_match_the_published_table() {
        let today = GameLengthModel { midpoint: 45.2, steepness: 5.93 };
        let plies = [0, 20, 40, 60, 80, 100, 120, 160, 200];
        let table = [
            (today, [45.2, 35.202, 25.320, 16.452, 10.670, 8.549, 8.461, 10.174, 12.485]),
            (LEGACY, [51.5, 41.5, 31.520, 21.829, 13.705, 9.117, 7.761, 8.613, 10.485]),
        ];
        for (model, left) in table {
            for (ply, left) in plies.into_iter().zip(left) {
                assert!((model.left_after(ply) - left).abs() < 6e-4, "{model:?} after {ply}: {left}");
            }
        }
    }

    #[test]
    fn moves_left_are_limited_by_the_period() {
        let table = [
            (0, Some(40), 40.0),
            (0, Some(60), 51.5),
            (0, None, 51.5),
            (0, Some(0), 51.5),
            (100, Some(1), 1.0),
        ];
        for (ply, moves_to_go, left) in table {
            assert!((LEGACY.left(ply, moves_to_go) - left).abs() < 1e-9, "{ply}, {moves_to_go:?}");
        }
    }
}
