//! Finds where the next game of a text starts.
//!
//! A game starts at a line that begins with a tag, and where a tag follows a result directly, as in files
//! without a last line end that were put together. A tag inside a comment is text, if the comment ends in the
//! same paragraph. Otherwise the game was cut off in the middle of the comment, and must not swallow the
//! games after it.

use memchr::{memchr, memchr_iter, memmem, memrchr, memrchr2};

use super::tags;
use crate::foreign_text::MARK;

/// What is known of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// It ends where a game ends.
    Whole,
    /// The stream goes on after it.
    MoreFollows,
}

/// The first tag of the next game, from a byte after a game's tags; the end if there is none.
pub(super) fn next_tag(block: &[u8], from: usize) -> usize {
    if tags::begins(&block[from..]) {
        return from;
    }
    // A bracket is rare in movetext, so searching for it is faster than searching for line ends.
    memchr_iter(b'[', &block[from..])
        .map(|found| from + found)
        .find(|&at| is_tag_line(block, from, at, Context::Whole) || follows_result(block, from, at))
        .unwrap_or(block.len())
}

/// Does a line that begins with a tag begin here, outside of a comment? The moves begin at `from`, or later.
pub(super) fn is_tag_line(block: &[u8], from: usize, at: usize, context: Context) -> bool {
    let before = block[..at].strip_suffix(MARK).unwrap_or(&block[..at]);
    matches!(before.last(), None | Some(b'\n'))
        && tags::begins(&block[at..])
        && !(is_in_comment(block, from, at) && comment_ends_soon(&block[at..], context))
}

/// Does a tag begin here, directly after a result?
fn follows_result(block: &[u8], from: usize, at: usize) -> bool {
    let before = block[from..at].strip_suffix(MARK).unwrap_or(&block[from..at]);
    let line = &before[memrchr(b'\n', before).map_or(0, |newline| newline + 1)..];
    let ends_in_result = [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].iter().any(|result| line.ends_with(result));
    ends_in_result
        && tags::begins(&block[at..])
        && !line.starts_with(b"%")
        && memchr(b';', line).is_none()
        && !is_in_comment(block, from, at)
}

fn is_in_comment(block: &[u8], from: usize, at: usize) -> bool {
    memrchr2(b'{', b'}', &block[from..at]).is_some_and(|brace| block[from + brace] == b'{')
}

/// Does a comment end before the next empty line?
fn comment_ends_soon(text: &[u8], context: Context) -> bool {
    let ends = [&b"\n\n"[..], b"\n\r\n"].iter().filter_map(|end| memmem::find(text, end)).min();
    let paragraph = &text[..ends.unwrap_or(text.len())];
    // At the end of a block the rest is not known yet. A cut there could split a game, so the tag is text.
    memchr(b'}', paragraph).is_some() || ends.is_none() && context == Context::MoreFollows
}

#[cfg(test)]
mod tests {
    use super::super::{BrokenOffGames, FirstTag, IssueKind, scan};

    /// A game without its last line end.
    const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 1-0";

    #[test]
    fn games_are_separated_without_line_ends() {
        let table = [
            // text between two games
            "",
            "\n",
            "\u{feff}",
            "\n\n\u{feff}",
            "\r\n\r\n",
        ];
        for between in table {
            let block_results =
                scan([GAME, GAME].join(between).as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
            assert_eq!((block_results.games.len(), block_results.issues.len()), (2, 0), "{between:?}");
        }
        let text = GAME.replace("1-0\"]\n\n1. e4 1-0", "1/2-1/2\"]\n\n1. e4 1/2-1/2");
        assert_eq!(scan(text.repeat(3).as_bytes(), FirstTag::Any, BrokenOffGames::Ignored).games.len(), 3);
    }

    #[test]
    fn tags_in_comments_are_text() {
        let comment = |comment: &str| GAME.replace("1. e4", &format!("1. e4 {{{comment}}}"));
        for inside in ["1-0[Event \"x\"]", "\n[White \"C\"]\n", "x\n[White \"C\"]\n[Black \"D\"]"] {
            let block_results = scan(comment(inside).as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
            assert_eq!((block_results.games.len(), block_results.issues.len()), (1, 0), "{inside:?}");
        }
        let text = format!("{}\n{GAME}\n", GAME.replace(" 1-0", " {+0.1"));
        let block_results = scan(text.as_bytes(), FirstTag::Any, BrokenOffGames::Ignored);
        let kinds: Vec<_> = block_results.issues.iter().map(|issue| issue.reason).collect();
        assert_eq!((block_results.games.len(), kinds), (1, vec![IssueKind::BrokenOff]));
    }
}
