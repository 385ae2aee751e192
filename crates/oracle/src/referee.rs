//! The arbiter: side to move, legal moves, and game endings by rule.
//!
//! It is in this crate because suites need the same rules as matches: a case that is played out ends by the
//! same third occurrence.

use std::fmt;

use shakmaty::uci::{IllegalUciMoveError, UciMove};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, Position, PositionError, Square,
    attacks,
};

use threefold_chess::position::GamePosition;

/// The identity of a position for repetitions: pieces, side to move, castling rights, and legal en passant
/// capture.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    board: Board,
    turn: Color,
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl Identity {
    fn new(position: &Chess) -> Self {
        Self {
            board: position.board().clone(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
        }
    }
}

/// The ending of a game by rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleEnd {
    /// Checkmate of the side to move.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The third occurrence of the position.
    Threefold,
    /// 100 plies without capture or pawn move.
    FiftyMoves,
    /// Neither side can mate.
    InsufficientMaterial,
}

impl fmt::Display for RuleEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Threefold => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
            Self::InsufficientMaterial => "insufficient material",
        })
    }
}

/// Why a game is illegal.
#[derive(Debug, thiserror::Error)]
pub enum IllegalGame {
    /// The start is not a legal position.
    #[error("no legal position: {0}")]
    Start(String),
    /// A move of the history is illegal.
    #[error("move {number} of the history, `{mv}`, is illegal")]
    Move {
        /// The number of the move after the start position, from 1.
        number: usize,
        /// The move as UCI writes it.
        mv: UciMove,
        /// The error of shakmaty.
        cause: IllegalUciMoveError,
    },
}

/// A game under the rules of chess, with its history.
///
/// ```
/// use threefold_chess::position::GamePosition;
/// use threefold_oracle::Referee;
///
/// let there_and_back = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
/// let start = GamePosition::start_position();
/// let mut referee = Referee::new(&start)?;
/// for mv in there_and_back.split(' ') {
///     assert!(referee.ending().is_none());
///     referee.play(mv.parse().expect("a move")).expect("legal");
/// }
/// assert_eq!(referee.occurrences(), 3);
/// assert!(referee.ending().is_some(), "a draw by threefold repetition");
/// # Ok::<(), threefold_oracle::referee::IllegalGame>(())
/// ```
#[derive(Debug, Clone)]
pub struct Referee {
    position: Chess,
    castling: CastlingMode,
    /// The positions since the last capture or pawn move, the current one last. No earlier one can recur.
    seen: Vec<Identity>,
}

impl Referee {
    /// Replays a game and checks every move.
    pub fn new(history: &GamePosition) -> Result<Self, IllegalGame> {
        let castling = CastlingMode::detect(history.start.as_setup());
        let position: Chess = history
            .start
            .clone()
            .into_position(castling)
            // Two knights give check in suites of other authors; engines search such positions.
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| IllegalGame::Start(error.to_string()))?;
        let seen = vec![Identity::new(&position)];
        let mut referee = Self { position, castling, seen };
        for (index, &mv) in history.moves.iter().enumerate() {
            referee.play(mv).map_err(|cause| IllegalGame::Move { number: index + 1, mv, cause })?;
        }
        Ok(referee)
    }

    /// The current position.
    pub const fn position(&self) -> &Chess {
        &self.position
    }

    /// Converts a UCI move to a legal move of this position.
    pub fn legal(&self, mv: UciMove) -> Result<Move, IllegalUciMoveError> {
        mv.to_move(&self.position)
    }

    /// The UCI notation of a legal move.
    pub fn uci(&self, mv: Move) -> UciMove {
        mv.to_uci(self.castling)
    }

    /// Plays a legal move; returns an error for an illegal one.
    pub fn play(&mut self, mv: UciMove) -> Result<(), IllegalUciMoveError> {
        let legal = self.legal(mv)?;
        self.position.play_unchecked(legal);
        if self.position.halfmoves() == 0 {
            self.seen.clear();
        }
        self.seen.push(Identity::new(&self.position));
        Ok(())
    }

    /// The number of occurrences of the current position, including this one.
    pub fn occurrences(&self) -> usize {
        self.seen.last().map_or(0, |current| self.count(current))
    }

    fn count(&self, position: &Identity) -> usize {
        self.seen.iter().filter(|seen| *seen == position).count()
    }

    /// The number of earlier occurrences of the position after a legal move.
    pub fn occurrences_after(&self, mv: Move) -> usize {
        let mut next = self.position.clone();
        next.play_unchecked(mv);
        if next.halfmoves() == 0 { 0 } else { self.count(&Identity::new(&next)) }
    }

    /// The ending by rule in the current position. Checkmate on the hundredth ply counts as checkmate.
    pub fn ending(&self) -> Option<RuleEnd> {
        ending(&self.position, || self.occurrences())
    }

    /// The ending by rule of a position in a line of legal moves from the current position. `earlier` are the
    /// positions of the line before it, without the current one.
    pub fn ending_in_line<'p>(
        &self,
        earlier: impl Iterator<Item = &'p Chess>,
        position: &Chess,
    ) -> Option<RuleEnd> {
        let occurrences = || {
            let identity = Identity::new(position);
            let in_line =
                // The boards are compared first: most differ, and an identity needs a copy of the board.
                earlier.filter(|it| it.board() == position.board() && Identity::new(it) == identity);
            1 + in_line.count() + self.count(&identity)
        };
        ending(position, occurrences)
    }
}

/// The ending by rule of a position that occurred that often.
fn ending(position: &Chess, occurrences: impl FnOnce() -> usize) -> Option<RuleEnd> {
    /// The fewest reversible plies after which a position can occur for the third time.
    const THIRD_OCCURRENCE: u32 = 8;
    if !plainly_has_moves(position) && position.legal_moves().is_empty() {
        Some(if position.is_check() { RuleEnd::Checkmate } else { RuleEnd::Stalemate })
    } else if position.is_insufficient_material() {
        Some(RuleEnd::InsufficientMaterial)
    } else if position.halfmoves() >= 100 {
        Some(RuleEnd::FiftyMoves)
    } else if position.halfmoves() >= THIRD_OCCURRENCE && occurrences() >= 3 {
        Some(RuleEnd::Threefold)
    } else {
        None
    }
}

/// Is there a legal move that is found without generating all? A knight or a pawn that stands on no line of
/// its king is not pinned.
fn plainly_has_moves(position: &Chess) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(turn) else { return false };
    if position.is_check() {
        return false;
    }
    let (own, occupied) = (board.by_color(turn), board.occupied());
    let free = own & !attacks::queen_attacks(king, occupied);
    let pawns = free & board.pawns();
    let advanced = turn.fold_wb(pawns.shift(8), pawns.shift(-8));
    (advanced & !occupied).any()
        || (free & board.knights()).into_iter().any(|knight| (attacks::knight_attacks(knight) & !own).any())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;
    use rand::seq::IndexedRandom as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn referee_detects_all_endings_by_rule() {
        let table = [
            // FEN, moves, ending
            (START, "f2f3 e7e5 g2g4 d8h4", Some(RuleEnd::Checkmate)),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "", Some(RuleEnd::Stalemate)),
            ("8/8/8/4k3/8/8/3b4/K7 w - - 0 1", "", Some(RuleEnd::InsufficientMaterial)),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2", Some(RuleEnd::FiftyMoves)),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8", Some(RuleEnd::Checkmate)),
            (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", None),
            (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", Some(RuleEnd::Threefold)),
            // The first occurrence had castling rights, so this is the second.
            ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 a8a7 h2h1 a7a8 h1h2 a8a7 h2h1 a7a8", None),
            // The pawn move allowed an illegal en passant capture: the king would be in check.
            (
                "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
                "e2e4 a4b4 h4h3 b4a4 h3h4 a4b4 h4h3 b4a4 h3h4",
                Some(RuleEnd::Threefold),
            ),
        ];
        for (fen, moves, ending) in table {
            let position = GamePosition::parse(fen, moves).expect("sound");
            assert_eq!(Referee::new(&position).expect("legal").ending(), ending, "{position}");
        }
    }

    #[test]
    fn impossible_check_is_a_position_and_an_exposed_king_is_none() {
        let referee = |fen: &str| Referee::new(&GamePosition::parse(fen, "").expect("a FEN"));
        let knights = referee("8/8/8/4k3/2N3N1/8/8/K7 b - - 0 1").expect("two checks by knights");
        assert!(knights.position().is_check());
        let exposed = referee("8/8/8/4k3/2N3N1/8/8/K7 w - - 0 1").expect_err("White could take the king");
        assert!(matches!(exposed, IllegalGame::Start(_)), "{exposed}");
    }

    #[test]
    fn illegal_history_is_named() {
        let position = GamePosition::parse(START, "e2e4 e7e5 e4e5").expect("sound");
        let error = Referee::new(&position).expect_err("blocked").to_string();
        assert_eq!(error, "move 3 of the history, `e4e5`, is illegal");
    }

    /// In random games: a move that is plainly there exists, and most positions have one.
    #[test]
    fn a_plain_move_is_legal() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let (mut plain, mut all) = (0, 0);
        for _ in 0..200 {
            let mut position = Chess::default();
            for _ in 0..150 {
                let legal = position.legal_moves();
                let is_plain = plainly_has_moves(&position);
                assert!(!is_plain || !legal.is_empty(), "{position:?}");
                (plain, all) = (plain + usize::from(is_plain), all + 1);
                let Some(&mv) = legal.choose(&mut random) else { break };
                position.play_unchecked(mv);
            }
        }
        assert!(plain > all / 2 && plain < all, "{plain} of {all}");
        // Every piece but the king stands on a line of its king, or cannot move.
        for fen in [
            "7k/8/8/8/8/1r6/1N6/1K6 w - - 0 1",
            "7k/8/8/8/8/8/p7/K7 w - - 0 1",
            "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
        ] {
            let history = GamePosition::parse(fen, "").expect(fen);
            assert!(!plainly_has_moves(Referee::new(&history).expect(fen).position()), "{fen}");
        }
    }
}
