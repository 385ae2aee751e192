//! The tags that a rating list needs.
//!
//! A tag is a line `[Name "value"]`. A tag that occurs a second time begins the next game. So does `Event` in
//! a file that begins with it. So a file of tags only can be read, and a game that is cut off in its tags
//! does not swallow the next one.

use std::borrow::Cow;

use memchr::memchr;

/// The first tag of games, as far as the first line of a file shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstTag {
    /// The tag `Event`, as in PGN's export format.
    Event,
    /// Any tag.
    Any,
}

impl FirstTag {
    /// From the first bytes of a file.
    pub fn of(text: &[u8]) -> Self {
        if text.trim_ascii_start().starts_with(EVENT) { Self::Event } else { Self::Any }
    }
}

pub(super) const EVENT: &[u8] = b"[Event \"";

/// The tags of one game, as written.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ResultTags<'b> {
    event: Option<&'b [u8]>,
    pub(super) white: Option<&'b [u8]>,
    pub(super) black: Option<&'b [u8]>,
    pub(super) result: Option<&'b [u8]>,
    pub(super) round: Option<&'b [u8]>,
    pub(super) fen: Option<&'b [u8]>,
    /// A malformed line of one of these tags.
    pub(super) damaged: Option<&'b [u8]>,
}

impl<'b> ResultTags<'b> {
    /// Reads the tags that begin at a byte; returns them with the offset after them.
    pub(super) fn read(block: &'b [u8], start: usize, head: FirstTag) -> (Self, usize) {
        let mut tags = Self::default();
        let mut at = start;
        while let Some(&first) = block.get(at) {
            let end = memchr(b'\n', &block[at..]).map_or(block.len(), |length| at + length);
            let line = &block[at..end];
            match first {
                b'[' if tags.take(line, if at == start { FirstTag::Any } else { head })
                    == TagLine::NextGame =>
                {
                    break;
                }
                b'[' | b'%' => {}
                _ if line.trim_ascii().is_empty() => {}
                _ => break,
            }
            at = (end + 1).min(block.len());
        }
        (tags, at)
    }

    fn take(&mut self, line: &'b [u8], head: FirstTag) -> TagLine {
        let Some((name, rest)) = name(line) else { return TagLine::Here };
        if matches!((&name, head), (TagName::Event, FirstTag::Event)) {
            return TagLine::NextGame;
        }
        let place = match name {
            TagName::Event => &mut self.event,
            TagName::White => &mut self.white,
            TagName::Black => &mut self.black,
            TagName::Result => &mut self.result,
            TagName::Round => &mut self.round,
            TagName::Fen => &mut self.fen,
        };
        if place.is_some() {
            return TagLine::NextGame;
        }
        match value(rest) {
            Some(value) => *place = Some(value),
            None => self.damaged = Some(line),
        }
        TagLine::Here
    }
}

enum TagName {
    Event,
    White,
    Black,
    Result,
    Round,
    Fen,
}

/// The relevant tag of a line, if any, with the text after the name.
fn name(line: &[u8]) -> Option<(TagName, &[u8])> {
    const WHITE: u64 = u64::from_be_bytes(*b"[White \"");
    const BLACK: u64 = u64::from_be_bytes(*b"[Black \"");
    const EVENT: u64 = u64::from_be_bytes(*b"[Event \"");
    const ROUND: u64 = u64::from_be_bytes(*b"[Round \"");
    const RESULT: u64 = u64::from_be_bytes(*b"[Result ");
    // This runs for millions of lines; the first eight bytes decide nearly all of them.
    match u64::from_be_bytes(*line.first_chunk()?) {
        WHITE => return Some((TagName::White, &line[6..])),
        BLACK => return Some((TagName::Black, &line[6..])),
        EVENT => return Some((TagName::Event, &line[6..])),
        ROUND => return Some((TagName::Round, &line[6..])),
        RESULT => return Some((TagName::Result, &line[7..])),
        _ if !b"EWBRF".contains(&line[1]) => return None,
        _ => {}
    }
    let length = line[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, rest) = line[1..].split_at(length);
    let name = match name {
        b"Event" => TagName::Event,
        b"White" => TagName::White,
        b"Black" => TagName::Black,
        b"Result" => TagName::Result,
        b"Round" => TagName::Round,
        b"FEN" => TagName::Fen,
        _ => return None,
    };
    Some((name, rest))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagLine {
    Here,
    /// The tag occurred before: this line belongs to the next game.
    NextGame,
}

/// The text between the quotes; `None` unless there is exactly one quote before and one after it.
fn value(rest: &[u8]) -> Option<&[u8]> {
    let value = rest.trim_ascii().strip_prefix(b"\"")?.strip_suffix(b"]")?.trim_ascii_end();
    let value = value.strip_suffix(b"\"")?;
    let mut bytes = value.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return None,
            // An escape needs a next byte; without one this is not a closed value.
            b'\\' => _ = bytes.next()?,
            _ => {}
        }
    }
    Some(value)
}

/// Does a tag begin here, in its full form `[Name "`?
pub(super) fn begins(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"[") else { return false };
    let named = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let (name, rest) = rest.split_at(named);
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    name.first().is_some_and(u8::is_ascii_alphabetic) && blanks > 0 && rest[blanks..].starts_with(b"\"")
}

/// A value without its escapes.
pub(super) fn unescaped(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', value).is_none() {
        return Cow::Borrowed(value);
    }
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(if byte == b'\\' { *bytes.next().unwrap_or(&byte) } else { byte });
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_lines_have_a_value_or_are_invalid() {
        let table: [(&str, Option<&str>, bool); 12] = [
            ("[White \"A b\"]", Some("A b"), false),
            ("[White \"A b\"]  \r", Some("A b"), false),
            ("[White   \"A\" ]", Some("A"), false),
            (r#"[White "a \"b\" \\"]"#, Some(r#"a \"b\" \\"#), false),
            ("[White \"\"]", Some(""), false),
            ("[WhiteElo \"2500\"]", None, false),
            ("[Whi", None, false),
            ("[White \"A", None, true),
            ("[White \"A\"", None, true),
            ("[White A]", None, true),
            ("[White \"A\"] [Black \"B\"]", None, true),
            (r#"[White "A\"]"#, None, true),
        ];
        for (line, white, damaged) in table {
            let (tags, _) = ResultTags::read(line.as_bytes(), 0, FirstTag::Any);
            assert_eq!((tags.white, tags.damaged.is_some()), (white.map(str::as_bytes), damaged), "{line}");
        }
    }

    #[test]
    fn tags_of_the_next_game_are_not_used() {
        let table = [
            // text, where the next game begins
            ("[White \"A\"]\n\n[Black \"B\"]\n% x\n\n1. e4", FirstTag::Any, 30),
            ("[White \"A\"]\n[White \"B\"]\n", FirstTag::Any, 12),
            ("[White \"A\"]\n[Event \"B\"]\n1-0", FirstTag::Any, 24),
            ("[White \"A\"]\n[Event \"B\"]\n1-0", FirstTag::Event, 12),
            ("[White \"A\"]", FirstTag::Event, 11),
        ];
        for (text, head, end) in table {
            assert_eq!(ResultTags::read(text.as_bytes(), 0, head).1, end, "{text}");
        }
    }

    #[test]
    fn block_begins_only_at_a_complete_tag() {
        for (text, begins_tag) in [
            ("[Event \"", true),
            ("[_x \"", false),
            ("[E_1\t \"", true),
            ("[", false),
            ("[%clk \"", false),
            ("[Event", false),
            ("[Event\n\"", false),
            ("[see \"", true),
            ("[see below]", false),
        ] {
            assert_eq!(begins(text.as_bytes()), begins_tag, "{text}");
        }
    }

    #[test]
    fn escape_characters_are_removed() {
        for (value, plain) in [("a", "a"), (r#"\"a\" \\"#, r#""a" \"#), (r"a\", r"a\")] {
            assert_eq!(unescaped(value.as_bytes()), plain.as_bytes(), "{value}");
        }
    }
}
