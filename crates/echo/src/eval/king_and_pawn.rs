//! King and pawn against king: a bitbase computed by retrograde analysis.
//!
//! White has the pawn, on one of the files a to d; other positions are mirrored. A position is won if the
//! side to move can reach a won position, or, with Black to move, if all moves lead to won positions. All
//! others are drawn. The table takes 25 kB and is computed on first use.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square, get_king_moves, get_pawn_attacks};

static WON: LazyLock<Table> = LazyLock::new(Table::made);

/// Files from a, ranks from the second: the squares of the pawn.
const PAWN_FILES: usize = 4;
const PAWN_RANKS: usize = 6;
const POSITIONS: usize = 2 * PAWN_FILES * PAWN_RANKS * Square::NUM * Square::NUM;

/// The outcome of king and pawn against king; `None` for other material.
pub fn outcome(board: &Board) -> Option<KpkOutcome> {
    if board.occupied().len() != 3 {
        return None;
    }
    let pawn = board.pieces(Piece::Pawn).next_square()?;
    let color = board.color_on(pawn)?;
    let upright = |square: Square| {
        let square = square.relative_to(color);
        if pawn.file() > File::D { square.flip_file() } else { square }
    };
    let position = Position {
        white_to_move: board.side_to_move() == color,
        white: upright(board.king(color)),
        black: upright(board.king(!color)),
        pawn: upright(pawn),
    };
    Some(if WON.has(position) {
        KpkOutcome::Won { by: color, pawn: position.pawn }
    } else {
        KpkOutcome::Drawn
    })
}

/// The outcome with best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KpkOutcome {
    /// The pawn promotes.
    Won {
        /// The pawn's side.
        by: Color,
        /// The pawn's square, mirrored to White and to the files a to d.
        pawn: Square,
    },
    /// Drawn.
    Drawn,
}

#[derive(Debug, Clone, Copy)]
struct Position {
    white_to_move: bool,
    white: Square,
    black: Square,
    pawn: Square,
}

impl Position {
    fn index(self) -> usize {
        let pawn = (self.pawn.rank() as usize - 1) * PAWN_FILES + self.pawn.file() as usize;
        let kings = self.white as usize * Square::NUM + self.black as usize;
        (usize::from(self.white_to_move) * PAWN_FILES * PAWN_RANKS + pawn) * Square::NUM * Square::NUM + kings
    }

    /// Whether the position is legal.
    fn is_legal(self) -> bool {
        let apart = self.white != self.black && self.white != self.pawn && self.black != self.pawn;
        let in_check = get_pawn_attacks(self.pawn, Color::White).has(self.black);
        apart && !get_king_moves(self.white).has(self.black) && !(self.white_to_move && in_check)
    }
}

struct Table(Vec<u64>);

impl Table {
    fn has(&self, position: Position) -> bool {
        let index = position.index();
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn made() -> Self {
        let mut table = Self(vec![0; POSITIONS / 64]);
        // Pawns only advance: further ranks are computed first.
        for rank in (1..=PAWN_RANKS).rev() {
            let mut open: Vec<Position> = with_pawn_on(Rank::index(rank)).collect();
            loop {
                // Until a pass finds no further won position: what is left is drawn.
                let before = open.len();
                open.retain(|&position| {
                    let won = table.is_won(position);
                    if won {
                        table.note(position);
                    }
                    !won
                });
                if open.len() == before {
                    break;
                }
            }
        }
        table
    }

    fn note(&mut self, position: Position) {
        let index = position.index();
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// Whether it is won, as far as known.
    fn is_won(&self, position: Position) -> bool {
        if position.white_to_move { self.can_win(position) } else { self.must_lose(position) }
    }

    fn can_win(&self, position: Position) -> bool {
        let Position { white, black, pawn, .. } = position;
        let then = |white, pawn| self.has(Position { white_to_move: false, white, black, pawn });
        let near = get_king_moves(black);
        let kings = get_king_moves(white) & !near & !pawn.bitboard();
        if kings.into_iter().any(|to| then(to, pawn)) {
            return true;
        }
        let free = !(white.bitboard() | black.bitboard());
        let before = Square::new(pawn.file(), Rank::index(pawn.rank() as usize + 1));
        if !free.has(before) {
            return false;
        }
        if before.rank() == Rank::Eighth {
            // The new queen must not be captured at once.
            return !near.has(before) || get_king_moves(white).has(before);
        }
        let twice = Square::new(pawn.file(), Rank::Fourth);
        then(white, before) || (pawn.rank() == Rank::Second && free.has(twice) && then(white, twice))
    }

    fn must_lose(&self, position: Position) -> bool {
        let Position { white, black, pawn, .. } = position;
        let guarded: BitBoard = get_king_moves(white) | get_pawn_attacks(pawn, Color::White);
        let moves = get_king_moves(black) & !guarded;
        // A king that takes the pawn draws.
        let lost = |to| to != pawn && self.has(Position { white_to_move: true, white, black: to, pawn });
        // Without a move Black is stalemated: a king and a pawn cannot give mate.
        !moves.is_empty() && moves.into_iter().all(lost)
    }
}

/// All legal positions with the pawn on a rank.
fn with_pawn_on(rank: Rank) -> impl Iterator<Item = Position> {
    let pawns = (0..PAWN_FILES).map(move |file| Square::new(File::index(file), rank));
    let kings = || (0..Square::NUM * Square::NUM).map(|pair| [pair / Square::NUM, pair % Square::NUM]);
    let positions = pawns.flat_map(move |pawn| {
        kings().flat_map(move |kings| {
            let [white, black] = kings.map(Square::index);
            [true, false].map(|white_to_move| Position { white_to_move, white, black, pawn })
        })
    });
    positions.filter(|position| position.is_legal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn king_and_pawn_endings_follow_the_textbook() {
        let table = [
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true, "the king on the sixth before its pawn wins"),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true, "with either side to move"),
            ("4k3/8/8/4K3/4P3/8/8/8 b - - 0 1", false, "Black takes the opposition"),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false, "the opposition is Black's"),
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true, "the opposition is White's"),
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false, "the rook's pawn"),
            ("8/8/8/8/8/k7/p7/K7 w - - 0 1", false, "stalemate, Black's pawn"),
            ("8/8/8/7P/8/8/k7/7K w - - 0 1", true, "out of the king's square"),
            ("8/8/8/7P/3k4/8/8/7K b - - 0 1", false, "inside it"),
        ];
        for (fen, won, why) in table {
            let board: Board = fen.parse().expect("a position");
            let found = outcome(&board).expect("king and pawn against king");
            assert_eq!(found != KpkOutcome::Drawn, won, "{why}: {fen}");
        }
    }

    #[test]
    fn kpk_table_has_the_known_number_of_wins() {
        // The count of other engines' bitbases.
        let won = WON.0.iter().map(|word| word.count_ones()).sum::<u32>();
        assert_eq!(won, 111_282);
    }
}
