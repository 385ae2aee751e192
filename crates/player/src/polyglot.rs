//! Opening books in Polyglot's format (`.bin`), from which an engine's own first moves are taken.
//!
//! An entry has 16 bytes, big-endian: the key of the position, a move, its weight, and a number for learning,
//! which is not used. Entries are sorted by their keys. Keys are Polyglot's Zobrist keys, which are those of
//! shakmaty's `Zobrist64`. Castling is written as the king's move to the square of its rook. The format:
//! <http://hgm.nubati.net/book_format.html>.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role, Square};

/// Bytes of an entry.
const ENTRY: usize = 16;
/// The most positions that are checked for illegal moves, from the start position on.
const CHECKED: usize = 20_000;

/// A book.
#[derive(Debug, PartialEq, Eq)]
pub struct PolyglotBook(Vec<BookEntry>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BookEntry {
    key: u64,
    mv: u16,
    weight: u16,
}

/// Why bytes are not a book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolyglotError {
    /// It ends within an entry, or has none.
    #[error("{0} bytes are no whole number of entries of 16 bytes; give a Polyglot book (.bin)")]
    Size(usize),
    /// A key is smaller than the one before.
    #[error(
        "entry {0} has a smaller key than the one before; the entries of a Polyglot book are sorted, so make it again"
    )]
    Order(usize),
    /// A move that the rules do not allow.
    #[error("its move {given} is illegal in {fen}; the book is for other rules or damaged, so make it again")]
    Illegal {
        /// The move as UCI would write it.
        given: String,
        /// The position, as FEN.
        fen: String,
    },
}

/// The book moves of one player in one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookMoves {
    book: Arc<PolyglotBook>,
    /// The number of full moves of a game, its opening included, in which the book is used.
    depth: usize,
    random: ChaCha8Rng,
}

impl PolyglotBook {
    /// Reads and checks a book.
    pub fn parse(bytes: &[u8]) -> Result<Self, PolyglotError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if entries.is_empty() || !rest.is_empty() {
            return Err(PolyglotError::Size(bytes.len()));
        }
        let entries: Vec<BookEntry> = entries.iter().map(BookEntry::parse).collect();
        if let Some(index) = entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            return Err(PolyglotError::Order(index + 2));
        }
        let book = Self(entries);
        book.check_moves()?;
        Ok(book)
    }

    /// Plays all moves of the book from the start position.
    fn check_moves(&self) -> Result<(), PolyglotError> {
        let mut open = vec![Chess::default()];
        let mut seen = BTreeSet::new();
        while let Some(position) = open.pop() {
            // Lines of a book transpose into each other, so positions are compared by their keys.
            if seen.len() == CHECKED || !seen.insert(key(&position)) {
                continue;
            }
            for entry in self.entries(&position) {
                let illegal = || PolyglotError::Illegal {
                    given: entry.uci().to_string(),
                    fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
                };
                let mv = entry.played_in(&position).ok_or_else(illegal)?;
                let mut next = position.clone();
                next.play_unchecked(mv);
                open.push(next);
            }
        }
        Ok(())
    }

    fn entries(&self, position: &Chess) -> &[BookEntry] {
        let key = key(position);
        let begin = self.0.partition_point(|entry| entry.key < key);
        let count = self.0[begin..].partition_point(|entry| entry.key == key);
        &self.0[begin..begin + count]
    }
}

/// Polyglot counts an en passant file only if a pawn stands ready to capture, whether it is pinned or not.
fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

impl BookEntry {
    fn parse(bytes: &[u8; ENTRY]) -> Self {
        let number =
            |range: Range<usize>| bytes[range].iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let short = |range| u16::try_from(number(range)).unwrap_or_default();
        Self { key: number(0..8), mv: short(8..10), weight: short(10..12) }
    }

    /// Six bits each for the target and the origin, then three for the promotion.
    fn uci(self) -> UciMove {
        let square = |shift: u16| Square::new(u32::from(self.mv >> shift & 63));
        let promotion = match self.mv >> 12 & 7 {
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            _ => None,
        };
        UciMove::Normal { from: square(6), to: square(0), promotion }
    }

    fn played_in(self, position: &Chess) -> Option<Move> {
        self.uci().to_move(position).ok()
    }
}

impl BookMoves {
    /// The book moves of a player in the game with this index. Equal seeds, games and positions give equal
    /// moves.
    pub fn new(book: Arc<PolyglotBook>, depth: usize, seed: u64, game: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // A stream for each game, so that the moves do not depend on the order in which games are played.
        random.set_stream(game as u64);
        Self { book, depth, random }
    }

    /// The move in a position after this number of plies; `None` if the player must find its own. A move of
    /// twice the weight is chosen twice as often; weight 0 is never chosen.
    pub fn choose(&mut self, position: &Chess, plies: usize) -> Option<Move> {
        if plies / 2 >= self.depth {
            return None;
        }
        let entries = self.book.entries(position);
        let total: u32 = entries.iter().map(|entry| u32::from(entry.weight)).sum();
        if total == 0 {
            return None;
        }
        let mut pick = self.random.random_range(0..total);
        let chosen = entries.iter().find(|entry| {
            let is_it = pick < u32::from(entry.weight);
            pick = pick.saturating_sub(u32::from(entry.weight));
            is_it
        });
        // Only a part of the book was checked, so the move may be illegal. The player then finds its own.
        chosen?.played_in(position)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Bits of a move in Polyglot's form.
    fn bits(text: &str) -> u16 {
        let UciMove::Normal { from, to, promotion } = text.parse().expect("a move") else { panic!("{text}") };
        let piece = match promotion {
            None => 0,
            Some(Role::Knight) => 1,
            Some(Role::Bishop) => 2,
            Some(Role::Rook) => 3,
            Some(_) => 4,
        };
        piece << 12 | (u32::from(from) as u16) << 6 | u32::from(to) as u16
    }

    fn after(moves: &str) -> Chess {
        moves.split_whitespace().fold(Chess::default(), |position, mv| {
            let mv = mv.parse::<UciMove>().expect("a move").to_move(&position).expect(moves);
            position.play(mv).expect("legal")
        })
    }

    /// A book with these lines: moves that lead to a position, a move in it, and its weight.
    pub(crate) fn written(lines: &[(&str, &str, u16)]) -> Vec<u8> {
        let mut entries: Vec<(u64, u16, u16)> =
            lines.iter().map(|(line, mv, weight)| (key(&after(line)), bits(mv), *weight)).collect();
        entries.sort_unstable();
        entries
            .into_iter()
            .flat_map(|(key, mv, weight)| {
                [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
            })
            .collect()
    }

    #[test]
    fn polyglot_keys_are_those_of_the_published_examples() {
        let table = [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ];
        for (moves, expected) in table {
            assert_eq!(key(&after(moves)), expected, "{moves}");
        }
    }

    #[test]
    fn moves_are_chosen_by_weight_and_repeat_with_the_seed() {
        let book = Arc::new(
            PolyglotBook::parse(&written(&[("", "e2e4", 3), ("", "d2d4", 1), ("", "a2a3", 0)]))
                .expect("sound"),
        );
        let choose = |seed, game| {
            let mut moves = BookMoves::new(Arc::clone(&book), 1, seed, game);
            moves
                .choose(&Chess::default(), 0)
                .expect("in the book")
                .to_uci(shakmaty::CastlingMode::Standard)
                .to_string()
        };
        let count = |mv: &str| (0..1000).filter(|&game| choose(7, game) == mv).count();
        assert!((700..800).contains(&count("e2e4")) && (200..300).contains(&count("d2d4")), "3 to 1");
        assert_eq!(count("a2a3"), 0, "weight 0");
        let series = |seed| (0..50).map(|game| choose(seed, game)).collect::<Vec<_>>();
        assert!(series(1) == series(1) && series(1) != series(2));
    }

    #[test]
    fn book_ends_after_its_depth_and_outside_of_its_positions() {
        let book = Arc::new(
            PolyglotBook::parse(&written(&[("", "e2e4", 1), ("e2e4 e7e5", "g1f3", 1)])).expect("sound"),
        );
        let mut moves = BookMoves::new(book, 1, 0, 0);
        assert!(moves.choose(&Chess::default(), 0).is_some());
        assert!(moves.choose(&after("e2e4"), 1).is_none(), "no entry");
        assert!(moves.choose(&after("e2e4 e7e5"), 2).is_none(), "beyond the depth");
        moves.depth = 2;
        assert!(moves.choose(&after("e2e4 e7e5"), 2).is_some());
    }

    #[test]
    fn castling_and_promotions_have_polyglots_form() {
        let castling = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
        let promotion = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6";
        let lines = [(castling, "e1h1", 1), (promotion, "b7a8n", 1)];
        let book = Arc::new(PolyglotBook::parse(&written(&lines)).expect("sound"));
        let mut moves = BookMoves::new(book, 9, 0, 0);
        assert!(moves.choose(&after(castling), 6).is_some_and(Move::is_castle));
        let promoted = moves.choose(&after(promotion), 8).expect("in the book");
        assert_eq!(promoted.promotion(), Some(Role::Knight));
    }

    #[test]
    fn unusable_books_are_refused() {
        let sound = written(&[("", "e2e4", 1), ("e2e4", "e7e5", 1)]);
        assert!(PolyglotBook::parse(&sound).is_ok());
        let reversed = [&sound[16..], &sound[..16]].concat();
        let table = [
            (Vec::new(), "0 bytes are no whole number"),
            (sound[..31].to_vec(), "31 bytes are no whole number of entries"),
            (reversed, "entry 2 has a smaller key"),
            (written(&[("", "e2e5", 1)]), "its move e2e5 is illegal in rnbqkbnr/"),
            (written(&[("", "e2e4", 1), ("e2e4", "e2e4", 1)]), "its move e2e4 is illegal in rnbqkbnr/"),
        ];
        for (bytes, message) in table {
            let error = PolyglotBook::parse(&bytes).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
