//! Identifies the moves of a game, so that a game that is in the files twice is noticed.
//!
//! Comments, variations, move numbers, glyphs and check marks are left out: they differ between copies of a
//! game. The moves are compared as they are written, since they aren't parsed: a copy in another notation is
//! another game.

use std::hash::Hasher;

use memchr::memchr;

use super::movetext::ResultToken;
use super::pair_matcher::NumberHasher;

const START: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A 64-bit hash of the start position and the moves; `None` if there are no moves.
pub(super) fn identity(fen: Option<&[u8]>, text: &[u8]) -> Option<u64> {
    let mut hasher = NumberHasher::default();
    // The usual start position in a tag `FEN` makes no other game.
    if let Some(fen) = fen.map(<[u8]>::trim_ascii).filter(|&fen| fen != START) {
        add(&mut hasher, fen);
    }
    let start = hasher.finish();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' => at = past(text, at, b'}'),
            b';' => at = past(text, at, b'\n'),
            b'%' if at == 0 || text[at - 1] == b'\n' => at = past(text, at, b'\n'),
            b'(' => (at, depth) = (at + 1, depth + 1),
            b')' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            _ if byte.is_ascii_whitespace() || byte == b'}' => at += 1,
            _ => {
                let token = token(&text[at..]);
                at += token.len();
                if depth > 0 {
                    continue;
                }
                if ResultToken::parse(token).is_some() {
                    break;
                }
                add_move(&mut hasher, token);
            }
        }
    }
    let moves = hasher.finish();
    (moves != start).then_some(moves)
}

/// The place after the next such byte.
fn past(text: &[u8], at: usize, end: u8) -> usize {
    memchr(end, &text[at..]).map_or(text.len(), |found| at + found + 1)
}

/// The bytes up to the next space or mark; one byte at least.
fn token(text: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')' | b';');
    let length = text.iter().position(is_end).unwrap_or(text.len());
    &text[..length.max(1)]
}

/// Adds a move without its number and its marks; nothing for a number or a glyph alone.
fn add_move(hasher: &mut NumberHasher, token: &[u8]) {
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Digits are a move number before a dot or alone: `0-0` begins with a digit, too.
    let token = if token[digits..].first() == Some(&b'.') || digits == token.len() {
        &token[digits..]
    } else {
        token
    };
    let dots = token.iter().take_while(|&&byte| byte == b'.').count();
    let marks = token.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?')).count();
    let mv = token.get(dots..token.len() - marks).unwrap_or_default();
    match mv {
        [] | [b'$', ..] | b"e.p." => {}
        b"0-0" => add(hasher, b"O-O"),
        b"0-0-0" => add(hasher, b"O-O-O"),
        mv => add(hasher, mv),
    }
}

/// Adds some bytes with their number, eight at a time.
fn add(hasher: &mut NumberHasher, bytes: &[u8]) {
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hasher.write_u64(u64::from_le_bytes(word));
    }
    // The length marks the end of the move, and distinguishes the padding from zero bytes.
    hasher.write_u64(bytes.len() as u64);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_moves_have_the_same_identity() {
        let same = [
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0",
            "1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7 1-0",
            "1. e4 {book} 1... e5\n2. Bc4 (2. Nf3 {(} Nc6) Nc6 $1 3. Qh5?! Nf6?? 4. Qxf7# {mate} 1-0",
            "% a line\n1. e4 e5 ; 2. d4\n2. Bc4 Nc6\r\n3. Qh5 Nf6 4. Qxf7# 1-0\n\n2. x 1-0",
            "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#",
        ];
        let first = identity(None, same[0].as_bytes());
        for text in same {
            assert_eq!(identity(None, text.as_bytes()), first, "{text}");
        }
        assert_eq!(identity(Some(START), same[0].as_bytes()), first);
        assert_ne!(identity(Some(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1"), same[0].as_bytes()), first);
        let other = [
            "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 1-0",
            "1. e4 e5 2. Bc4 Nc6 3. Qf3 Nf6 4. Qxf7# 1-0",
            "1. e4 e52. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0",
        ];
        for text in other {
            assert_ne!(identity(None, text.as_bytes()), first, "{text}");
        }
        assert_eq!(identity(None, b"1. 0-0 0-0-0 1-0"), identity(None, b"1. O-O O-O-O *"));
        for text in ["", "1-0", " {no moves} 1/2-1/2", "1. *", "$1 ...", "(1. e4) 1-0", "{"] {
            assert_eq!(identity(None, text.as_bytes()), None, "{text}");
            assert_eq!(identity(Some(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1"), text.as_bytes()), None, "{text}");
        }
    }
}
