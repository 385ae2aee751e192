//! The data that identify two games as a pair: the round tag and the opening.
//!
//! fastchess gives both games of a pair the same round. cutechess, c-chess-cli and threefold write
//! `round.game`; games 1 and 2 are a pair, 3 and 4 the next.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use super::tags::ResultTags;

/// Identifies the pair of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairLabel {
    /// A hash of round and opening, equal in both games of a pair; `None` without a round.
    pub round: Option<u64>,
    /// A hash of the opening's position; `None` for the usual start position.
    pub opening: Option<u64>,
    /// Does the round number its games, as in `7.2`?
    pub numbered: GameNumbering,
}

/// Whether a round tag has a game number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameNumbering {
    /// `7.2`: only another game of the same round can be its partner.
    InRound,
    /// `7`, or no round.
    No,
}

impl PairLabel {
    /// From a game's tags.
    pub(super) fn from_tags(tags: &ResultTags<'_>) -> Self {
        let opening = tags.fen.map(fingerprint);
        let round = tags.round.filter(|round| !matches!(round.trim_ascii(), b"" | b"?" | b"-"));
        let counted = round.and_then(|round| {
            let dot = round.iter().rposition(|&byte| byte == b'.')?;
            Some((&round[..dot], number(&round[dot + 1..])?.checked_sub(1)? / 2))
        });
        let (meeting, numbered) = match (round, counted) {
            (_, Some((base, pair))) => (Some(mixed(identity(base), pair)), GameNumbering::InRound),
            (Some(round), None) => (Some(identity(round)), GameNumbering::No),
            (None, None) => (None, GameNumbering::No),
        };
        Self { round: meeting.map(|meeting| mixed(meeting, opening.unwrap_or(0))), opening, numbered }
    }
}

/// A whole number of at most 18 digits.
fn number(digits: &[u8]) -> Option<u64> {
    // Numbers of 18 digits cannot overflow 64 bits.
    let sound = (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    sound.then(|| digits.iter().fold(0, |number, digit| 10 * number + u64::from(digit - b'0')))
}

/// A round's number, or else a hash of its name.
fn identity(round: &[u8]) -> u64 {
    number(round).unwrap_or_else(|| fingerprint(round))
}

/// Combines two numbers; for a fixed first or second number it is injective in the other.
const fn mixed(one: u64, other: u64) -> u64 {
    // The factor is 2⁶⁴ divided by the golden ratio. It is odd, so it has an inverse modulo 2⁶⁴.
    one.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(32)
}

/// A 64-bit hash of a text.
fn fingerprint(text: &[u8]) -> u64 {
    // Fixed keys: the hashes of blocks that several threads scan are compared.
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::super::{BrokenOffGames, FirstTag, scan};

    #[test]
    fn pairs_of_games_share_a_label() {
        let label = |round: &str, fen: &str| {
            let tags =
                format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[Round \"{round}\"]\n{fen}\n1-0\n");
            scan(tags.as_bytes(), FirstTag::Any, BrokenOffGames::Ignored).games[0].label.round
        };
        let (one, other) = ("[FEN \"8/8 w - - 0 1\"]\n", "[FEN \"8/8 b - - 0 1\"]\n");
        let same = [(("7.1", ""), ("7.2", "")), (("7", one), ("7", one)), (("2.7.3", ""), ("2.7.4", ""))];
        for ((round_a, fen_a), (round_b, fen_b)) in same {
            assert_eq!(label(round_a, fen_a), label(round_b, fen_b), "{round_a} {round_b}");
        }
        let different = [
            (("7.1", ""), ("8.1", "")),
            (("7.2", ""), ("7.3", "")),
            (("7", one), ("7", other)),
            (("7.1", one), ("7.2", "")),
            (("1.7.3", ""), ("2.7.4", "")),
        ];
        for ((round_a, fen_a), (round_b, fen_b)) in different {
            assert_ne!(label(round_a, fen_a), label(round_b, fen_b), "{round_a} {round_b}");
        }
        for round in ["", "?", "-"] {
            assert_eq!(label(round, one), None);
        }
    }
}
