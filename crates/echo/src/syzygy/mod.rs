//! Tablebases: outcomes of positions, and the root moves that preserve the result.
//!
//! The search probes only after captures and pawn moves, with the fifty-move counter at 0, since only then a
//! Syzygy result is the game's result. At the root the counter is arbitrary, so distances to the next zeroing
//! move decide; the search below then needs no probes and can look for mate.

mod files;

use cozy_chess::{Board, CastleRights, Color, Move};

pub(super) use files::{SyzygyFiles, SyzygyPathError};

/// The outcome with best play for the side to move, under the fifty-move rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TablebaseOutcome {
    /// Lost.
    Loss,
    /// Drawn, including cursed wins and blessed losses.
    Draw,
    /// Won.
    Win,
}

impl TablebaseOutcome {
    /// The outcome from the opponent's view.
    const fn turned(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// A source of solved endings.
pub(super) trait EndgameTables: Send + Sync {
    /// The largest number of pieces, including kings.
    fn max_pieces(&self) -> u32;

    /// The outcome of a position with the fifty-move counter at 0.
    fn outcome(&self, board: &Board) -> Option<TablebaseOutcome>;

    /// The distance to zeroing (DTZ): plies to the winner's next capture or pawn move, or to mate. Negative
    /// if the side to move loses, 0 for a draw, regardless of the counter. It may be one ply too small, as
    /// Syzygy's.
    fn distance(&self, board: &Board) -> Option<i32>;
}

/// Whether a position may be in the tables.
pub(super) fn covers(endings: &dyn EndgameTables, board: &Board) -> bool {
    let castles = Color::ALL.iter().any(|&side| *board.castle_rights(side) != CastleRights::EMPTY);
    board.occupied().len() <= endings.max_pieces() && !castles
}

/// The fifty-move limit minus the rounding of distances: a table may give a distance one ply too small.
const CLOCK: i32 = 99;

/// The result of a root move, best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RootMoveResult {
    Lost,
    /// Blessed loss: drawn by the fifty-move rule.
    Saved,
    Drawn,
    /// Cursed win: drawn by the fifty-move rule.
    Spoilt,
    Won,
}

/// The legal moves that preserve the best result, and that result. `None` if any is unknown.
///
/// After a repetition in the game only the fastest wins are kept, to make progress.
pub(super) fn keeping(
    endings: &dyn EndgameTables,
    board: &Board,
    moves: &[Move],
    stood_before: bool,
) -> Option<(TablebaseOutcome, Vec<Move>)> {
    if !covers(endings, board) {
        return None;
    }
    let clock = i32::from(board.halfmove_clock());
    let mut fared = Vec::with_capacity(moves.len());
    for &mv in moves {
        let distance = distance_by(endings, board, mv)?;
        // A zeroing move has a distance of one ply.
        // A distance may be one ply too small, so a win must be certain, and a loss need only be possible.
        let standing = match distance {
            0 => RootMoveResult::Drawn,
            1.. if distance == 1 || distance + clock <= CLOCK => RootMoveResult::Won,
            1.. => RootMoveResult::Spoilt,
            _ if distance == -1 || clock - distance <= CLOCK + 1 => RootMoveResult::Lost,
            _ => RootMoveResult::Saved,
        };
        fared.push((standing, distance, mv));
    }
    let best = fared.iter().map(|&(standing, ..)| standing).max()?;
    let quickest = fared.iter().filter(|fare| fare.0 == best).map(|fare| fare.1).min()?;
    let keeps = |&(standing, distance, _): &(RootMoveResult, i32, Move)| {
        standing == best && (best != RootMoveResult::Won || !stood_before || distance == quickest)
    };
    let outcome = match best {
        RootMoveResult::Lost => TablebaseOutcome::Loss,
        RootMoveResult::Saved | RootMoveResult::Drawn | RootMoveResult::Spoilt => TablebaseOutcome::Draw,
        RootMoveResult::Won => TablebaseOutcome::Win,
    };
    Some((outcome, fared.iter().filter(|fare| keeps(fare)).map(|fare| fare.2).collect()))
}

/// The distance to zeroing with this move, including the move itself; signed for the moving side.
fn distance_by(endings: &dyn EndgameTables, board: &Board, mv: Move) -> Option<i32> {
    let mut next = board.clone();
    next.play_unchecked(mv);
    if !next.generate_moves(|_| true) {
        // Checkmate counts as a zeroing move of the winner, stalemate as a draw.
        return Some(i32::from(!next.checkers().is_empty()));
    }
    if next.halfmove_clock() == 0 {
        return endings.outcome(&next).map(|outcome| match outcome.turned() {
            TablebaseOutcome::Win => 1,
            TablebaseOutcome::Draw => 0,
            TablebaseOutcome::Loss => -1,
        });
    }
    // One ply more for the move itself, away from 0 on either side.
    endings.distance(&next).map(|distance| -distance + -distance.signum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table for tests: the distance by the square of White's king.
    struct ByKing(&'static [(&'static str, i32)]);

    impl EndgameTables for ByKing {
        fn max_pieces(&self) -> u32 {
            3
        }

        fn outcome(&self, _: &Board) -> Option<TablebaseOutcome> {
            Some(TablebaseOutcome::Draw)
        }

        fn distance(&self, board: &Board) -> Option<i32> {
            let king = board.king(Color::White).to_string();
            self.0.iter().find(|(square, _)| *square == king).map(|&(_, distance)| distance)
        }
    }

    /// White to move has Ka2, Kb1 and Kb2; the distances are for Black to move after them.
    fn kept(
        distances: &'static [(&'static str, i32)],
        clock: u32,
        stood_before: bool,
    ) -> Option<(TablebaseOutcome, String)> {
        let fen = format!("6k1/8/8/8/8/8/8/K6R w - - {clock} 80");
        let board: Board = fen.parse().expect("sound");
        let moves: Vec<Move> =
            ["a1a2", "a1b1", "a1b2"].iter().map(|mv| mv.parse().expect("a move")).collect();
        let (outcome, kept) = keeping(&ByKing(distances), &board, &moves, stood_before)?;
        Some((outcome, kept.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
    }

    #[test]
    fn syzygy_keeps_the_moves_that_preserve_the_result() {
        const WINS: &[(&str, i32)] = &[("a2", -10), ("b1", -20), ("b2", 0)];
        const LOSES: &[(&str, i32)] = &[("a2", 10), ("b1", 20), ("b2", 30)];
        const DRAWS: &[(&str, i32)] = &[("a2", 10), ("b1", 0), ("b2", 4)];
        let table = [
            // distances, clock, occurrences before, outcome, moves
            (WINS, 0, false, TablebaseOutcome::Win, "a1a2 a1b1"),
            (WINS, 0, true, TablebaseOutcome::Win, "a1a2"),
            (WINS, 80, false, TablebaseOutcome::Win, "a1a2"),
            (WINS, 95, false, TablebaseOutcome::Draw, "a1a2 a1b1"),
            (LOSES, 0, false, TablebaseOutcome::Loss, "a1a2 a1b1 a1b2"),
            (LOSES, 75, false, TablebaseOutcome::Draw, "a1b2"),
            (DRAWS, 0, false, TablebaseOutcome::Draw, "a1b1"),
        ];
        for (distances, clock, stood_before, outcome, moves) in table {
            let expected = Some((outcome, moves.to_owned()));
            assert_eq!(kept(distances, clock, stood_before), expected, "{distances:?} at {clock}");
        }
        assert_eq!(kept(&[("a2", 0)], 0, false), None, "one move is unknown");
    }

    #[test]
    fn syzygy_covers_no_castling_rights_or_too_many_pieces() {
        for (fen, may) in [
            ("6k1/8/8/8/8/8/8/K6R w - - 0 1", true),
            ("6k1/8/8/8/8/8/8/4K2R w K - 0 1", false),
            ("6k1/7p/8/8/8/8/8/K6R w - - 0 1", false),
        ] {
            assert_eq!(covers(&ByKing(&[]), &fen.parse().expect("sound")), may, "{fen}");
        }
    }
}
