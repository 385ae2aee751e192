//! Moves in SAN with move numbers, and a position as text.

use std::fmt::Write;

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, File, Position, Rank, Square};

use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// The legal moves at the start of a line, in SAN with move numbers: `1. Ra8+ Ke7 2. Ra1`. Moves from the
/// first illegal one on are given as they are.
pub(crate) fn numbered(start: &GamePosition, moves: &[UciMove]) -> String {
    let Ok(mut referee) = Referee::new(start) else { return uci(moves) };
    let mut words: Vec<String> = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let position = referee.position();
        let Ok(legal) = referee.legal(mv) else {
            words.push(uci(&moves[index..]));
            break;
        };
        let san = SanPlus::from_move(position.clone(), legal);
        words.push(match position.turn() {
            Color::White => format!("{}. {san}", position.fullmoves()),
            Color::Black if words.is_empty() => format!("{}… {san}", position.fullmoves()),
            Color::Black => san.to_string(),
        });
        // Cannot fail, since `legal` has accepted the move.
        if referee.play(mv).is_err() {
            break;
        }
    }
    words.join(" ")
}

fn uci(moves: &[UciMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A move with its squares: `Kb7 (a7 to b7)`; `None` if it is not legal.
pub(crate) fn with_squares(referee: &Referee, mv: UciMove) -> Option<String> {
    let legal = referee.legal(mv).ok()?;
    let san = SanPlus::from_move(referee.position().clone(), legal);
    let UciMove::Normal { from, to, .. } = mv else { return Some(san.to_string()) };
    Some(format!("{san} ({from} to {to})"))
}

/// How a square is marked on a board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SquareMarks {
    /// A square of the move played.
    pub(crate) is_played: bool,
    /// A square of an accepted move.
    pub(crate) is_accepted: bool,
}

/// The board from the view of the side to move: white pieces are upper-case, an empty square is a dot.
/// Squares of the move played are in `[ ]`, those of accepted moves in `( )`, and those of both in `{ }`.
pub(crate) fn board(position: &Chess, marks: impl Fn(Square) -> SquareMarks) -> String {
    let mut ranks: Vec<Rank> = Rank::ALL.to_vec();
    let mut files: Vec<File> = File::ALL.to_vec();
    if position.turn().is_white() {
        ranks.reverse();
    } else {
        files.reverse();
    }
    let mut text = String::new();
    for rank in ranks {
        // Writing to text never fails.
        _ = write!(text, "  {} ", rank.char());
        for &file in &files {
            let square = Square::from_coords(file, rank);
            let piece = position.board().piece_at(square).map_or('.', shakmaty::Piece::char);
            let SquareMarks { is_played, is_accepted } = marks(square);
            _ = match (is_played, is_accepted) {
                (false, false) => write!(text, " {piece} "),
                (true, false) => write!(text, "[{piece}]"),
                (false, true) => write!(text, "({piece})"),
                (true, true) => write!(text, "{{{piece}}}"),
            };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let names: Vec<String> = files.iter().map(|file| format!(" {} ", file.char())).collect();
    _ = writeln!(text, "    {}", names.concat().trim_end());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> GamePosition {
        text.parse().expect("a position")
    }

    #[test]
    fn moves_are_numbered_and_illegal_ones_are_kept() {
        let start = position("fen 4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let moves = |text: &str| position(&format!("fen 8/8/8/8/8/8/8/8 w - - 0 1 moves {text}")).moves;
        assert_eq!(numbered(&start, &moves("a1a8 e8e7 a8a1")), "1. Ra8+ Ke7 2. Ra1");
        assert_eq!(numbered(&start, &moves("a1a8 e1c1 a8a1")), "1. Ra8+ e1c1 a8a1");
        let black = position("fen 4k3/8/8/8/8/8/8/R3K3 b Q - 0 7");
        assert_eq!(numbered(&black, &moves("e8d7")), "7… Kd7");
    }

    #[test]
    fn board_is_seen_from_the_side_to_move() {
        let marks =
            |square| SquareMarks { is_played: square == Square::E8, is_accepted: square == Square::A1 };
        let of = |text: &str| board(Referee::new(&position(text)).expect("legal").position(), marks);
        let white = of("fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        let rows: Vec<&str> = white.lines().collect();
        assert_eq!(rows[0], "  8  .  .  .  . [k] .  .  .");
        assert_eq!(rows[7], "  1 (R) .  .  .  K  .  .  .");
        assert_eq!(rows[8], "     a  b  c  d  e  f  g  h");
        let black = of("fen 4k3/8/8/8/8/8/8/R3K3 b - - 0 1");
        let rows: Vec<&str> = black.lines().collect();
        assert_eq!(rows[0], "  1  .  .  .  K  .  .  . (R)");
        assert_eq!(rows[8], "     h  g  f  e  d  c  b  a");
    }
}
