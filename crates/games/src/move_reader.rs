//! Reads moves as people and other programs write them: in SAN, in long algebraic notation, and as UCI does.
//!
//! Books and suites circulate with `e2-e4`, `Ng1-f3`, `e7e8q`, `a8Q`, `0-0` and figurines. Each of these has
//! one meaning, so it is read. Piece letters of other languages are refused: `D`, `T`, `L` and `C` mean
//! different pieces in different languages, and `R` is a rook in English and the king in French. `P` is a
//! pawn, unless a knight can make the move: `Pf3` is Dutch for `Nf3`.

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, File, Move, Position, Rank, Role, Square};

use threefold_oracle::referee::Referee;

/// Why a text is no move of a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// A move that the rules do not allow here.
    #[error("`{0}` is no legal move here")]
    Illegal(String),
    /// Several pieces can make the move.
    #[error("`{0}` can be the move of several pieces; add the square where it starts")]
    Ambiguous(String),
    /// A piece letter of another language.
    #[error("`{written}` begins with `{letter}`, which is no English piece letter; write K, Q, R, B or N")]
    OtherLanguage {
        /// The move as written.
        written: String,
        /// Its first letter.
        letter: char,
    },
    /// Something else.
    #[error("`{0}` is no move")]
    NoMove(String),
}

/// Reads a move of the position.
///
/// # Errors
/// If the text is no move, or not exactly one legal move.
pub fn parse_move(referee: &Referee, written: &str) -> Result<UciMove, MoveError> {
    // `0000` parses as the null move, which no game has.
    if let Ok(mv) = written.parse::<UciMove>()
        && mv != UciMove::Null
    {
        return referee
            .legal(mv)
            .map(|mv| referee.uci(mv))
            .map_err(|_| MoveError::Illegal(written.to_owned()));
    }
    let text = plain(written);
    let found = match (castling(&text), WrittenMove::parse(&text)) {
        (Some(side), _) => castle(referee, side),
        // A knight in Dutch.
        (None, Some(mv)) if text.starts_with('P') && !mv.with_role(Role::Knight).find(referee).is_empty() => {
            return Err(MoveError::OtherLanguage { written: written.to_owned(), letter: 'P' });
        }
        (None, Some(mv)) => mv.find(referee),
        (None, None) => return Err(no_move(written, &text)),
    };
    match found.as_slice() {
        [mv] => Ok(referee.uci(*mv)),
        [] => Err(MoveError::Illegal(written.to_owned())),
        _ => Err(MoveError::Ambiguous(written.to_owned())),
    }
}

/// The text with English letters for figurines, without signs of check and comments on the move.
fn plain(written: &str) -> String {
    let text: String = written
        .chars()
        .filter_map(|letter| match letter {
            '♔' | '♚' => Some('K'),
            '♕' | '♛' => Some('Q'),
            '♖' | '♜' => Some('R'),
            '♗' | '♝' => Some('B'),
            '♘' | '♞' => Some('N'),
            // A pawn has no letter; U+FE0E and U+FE0F only choose how the figurine looks.
            '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
            '×' => Some('x'),
            '–' | '‐' | '‑' => Some('-'),
            other => Some(other),
        })
        .collect();
    let signs = |text: &str| text.trim_end_matches(['!', '?', '+', '#']).to_owned();
    let text = signs(&text);
    // A sign may be on either side of `e.p.`, so signs are removed twice.
    let en_passant = text.strip_suffix("e.p.").or_else(|| text.strip_suffix("ep"));
    en_passant.map_or_else(|| text.clone(), signs)
}

/// The side of castling, written with letters or zeros.
fn castling(text: &str) -> Option<CastlingSide> {
    match text.replace(['0', 'o'], "O").as_str() {
        "O-O" => Some(CastlingSide::KingSide),
        "O-O-O" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

fn castle(referee: &Referee, side: CastlingSide) -> Vec<Move> {
    San::Castle(side).to_move(referee.position()).into_iter().collect()
}

/// A move of one piece, as far as the text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct WrittenMove {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    to: Square,
    promotion: Option<Role>,
}

impl WrittenMove {
    /// `Nf3`, `Ng1-f3`, `exd6`, `e5xd6`, `a8=Q`, `a8Q`, `a8(Q)`, `a8/Q`.
    fn parse(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes();
        let role = match rest.first()? {
            b'P' => Some(Role::Pawn),
            // Only capital letters are pieces: `b` is a file.
            letter if letter.is_ascii_uppercase() => Some(Role::from_char(char::from(*letter))?),
            _ => None,
        };
        if role.is_some() {
            rest = &rest[1..];
        }
        let promotion;
        (rest, promotion) = without_promotion(rest)?;
        let to;
        (rest, to) = rest.split_last_chunk::<2>()?;
        let to = Square::from_ascii(to).ok()?;
        let mut captures = false;
        if let Some((sign, before)) = rest.split_last()
            && matches!(sign, b'-' | b'x' | b'X' | b':')
        {
            (captures, rest) = (*sign != b'-', before);
        }
        let (file, rank) = match rest {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(*file), None),
            [rank @ b'1'..=b'8'] => (None, Some(*rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(*file), Some(*rank)),
            _ => return None,
        };
        let file = file.and_then(|file| File::from_char(char::from(file)));
        let rank = rank.and_then(|rank| Rank::from_char(char::from(rank)));
        Some(Self { role: role.unwrap_or(Role::Pawn), file, rank, captures, to, promotion })
    }

    /// The move, made by another piece.
    const fn with_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// The legal moves that the text describes. A capture need not be marked; a marked one must be a capture.
    fn find(self, referee: &Referee) -> Vec<Move> {
        let is_meant = |mv: &Move| {
            let Some(from) = mv.from() else { return false };
            !mv.is_castle()
                && self.file.is_none_or(|file| file == from.file())
                && self.rank.is_none_or(|rank| rank == from.rank())
                && (!self.captures || mv.is_capture())
                // A pawn's capture names the file of origin, so `d6` alone is a push.
                && (self.role != Role::Pawn || self.file.is_some() || !mv.is_capture())
                && self.promotion == mv.promotion()
        };
        referee.position().san_candidates(self.role, self.to).into_iter().filter(is_meant).collect()
    }
}

/// The text before a promotion, and the piece that the pawn becomes.
fn without_promotion(text: &[u8]) -> Option<(&[u8], Option<Role>)> {
    let (text, is_closed) = text.strip_suffix(b")").map_or((text, false), |text| (text, true));
    let Some((last, before)) = text.split_last() else { return Some((text, None)) };
    if !last.is_ascii_alphabetic() {
        return (!is_closed).then_some((text, None));
    }
    let role = Role::from_char(char::from(*last)).filter(|role| !matches!(role, Role::King | Role::Pawn))?;
    let before = match (before.split_last(), is_closed) {
        (Some((b'(', before)), true) | (Some((b'=' | b'/', before)), false) => before,
        (_, true) => return None,
        (_, false) => before,
    };
    Some((before, Some(role)))
}

/// What is said of a text that is no move.
fn no_move(written: &str, text: &str) -> MoveError {
    let written = written.to_owned();
    match text.chars().next() {
        // Without a foreign piece letter the text has the form of a pawn's move.
        Some(letter)
            if letter.is_alphabetic()
                && WrittenMove::parse(&text[letter.len_utf8()..]).is_some_and(|mv| mv.role == Role::Pawn) =>
        {
            MoveError::OtherLanguage { written, letter }
        }
        _ => MoveError::NoMove(written),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::SanPlus;

    use super::*;
    use threefold_chess::position::GamePosition;

    fn referee(fen: &str) -> Referee {
        Referee::new(&GamePosition::parse(fen, "").expect("a FEN")).expect("legal")
    }

    fn read(referee: &Referee, written: &str) -> Result<String, String> {
        parse_move(referee, written).map(|mv| mv.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn moves_are_read_in_every_notation() {
        let table = [
            // FEN, moves, the move
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                "e4 e2-e4 e2e4 e2–e4 ♙e4 Pe4 e4!?",
                "e2e4",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                "Nf3 Ng1-f3 Ng1f3 g1f3 ♘f3 ♞f3 Ngf3 N1f3",
                "g1f3",
            ),
            ("8/P6k/8/8/8/8/8/K7 w - -", "a8=Q a8Q a8(Q) a8/Q a7a8q a7-a8=Q a7a8Q a8=q a8=♕ a8Q!", "a7a8q"),
            ("1n6/P6k/8/8/8/8/8/K7 w - -", "axb8=N a7xb8N axb8(N) a7:b8N ab8N a7-b8N a7b8n", "a7b8n"),
            ("8/7k/8/3pP3/8/8/8/K7 w - d6", "exd6 exd6e.p. e5xd6ep ed6 e5-d6 exd6+", "e5d6"),
            ("8/7k/8/3r4/8/8/8/K2R4 w - -", "Rxd5 R1xd5 Rd1xd5 Rd1-d5 Rd5 R:d5 d1d5 R×d5", "d1d5"),
            ("4k2r/8/8/8/8/8/8/4K3 b k -", "O-O 0-0 o-o 0-0+ e8g8", "e8g8"),
            ("r3k3/8/8/8/8/8/8/4K3 b q -", "O-O-O 0-0-0 O–O–O", "e8c8"),
        ];
        for (fen, moves, expected) in table {
            let referee = referee(fen);
            for written in moves.split(' ') {
                assert_eq!(read(&referee, written).as_deref(), Ok(expected), "{written}");
            }
        }
    }

    #[test]
    fn text_that_is_no_move_says_why() {
        let referee = referee("8/P6k/8/8/3r4/8/1N3N2/K2R4 w - -");
        let table = [
            ("Sd3", "`Sd3` begins with `S`, which is no English piece letter; write K, Q, R, B or N"),
            ("Фf1", "`Фf1` begins with `Ф`, which is no English piece letter; write K, Q, R, B or N"),
            ("Pd3", "`Pd3` begins with `P`, which is no English piece letter; write K, Q, R, B or N"),
            ("Nd3", "`Nd3` can be the move of several pieces; add the square where it starts"),
            ("Rxd2", "`Rxd2` is no legal move here"),
            ("a8", "`a8` is no legal move here"),
            ("a8=K", "`a8=K` is no move"),
            ("a8(Q", "`a8(Q` is no move"),
            ("Na1b1c1", "`Na1b1c1` is no move"),
            ("0-0", "`0-0` is no legal move here"),
            ("e2e4", "`e2e4` is no legal move here"),
            ("--", "`--` is no move"),
            ("0000", "`0000` is no move"),
            ("Z0", "`Z0` is no move"),
            ("", "`` is no move"),
            ("♘", "`♘` is no move"),
        ];
        for (written, message) in table {
            assert_eq!(read(&referee, written).expect_err(written), message);
        }
    }

    proptest! {
        #[test]
        fn legal_moves_are_read_from_their_own_text(choices in prop::collection::vec(any::<prop::sample::Index>(), 0..80)) {
            let mut referee = Referee::new(&GamePosition::start_position()).expect("legal");
            for choice in choices {
                let moves = referee.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &mv in &moves {
                    let san = SanPlus::from_move(referee.position().clone(), mv).to_string();
                    let uci = referee.uci(mv);
                    prop_assert_eq!(parse_move(&referee, &san), Ok(uci));
                    prop_assert_eq!(parse_move(&referee, &uci.to_string()), Ok(uci));
                }
                referee.play(referee.uci(moves[choice.index(moves.len())])).expect("legal");
            }
        }

        #[test]
        fn foreign_text_never_panics(text in "[a-hKQRBNPSD1-8xO0=()/:.\\-♘é+]{0,9}") {
            let _ = read(&referee("8/P6k/8/8/3r4/8/1N3N2/K2R4 w - -"), &text);
        }
    }
}
