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
    pub fn from_file_start(text: &[u8]) -> Self {
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
    pub(super) variant: Option<&'b [u8]>,
    /// A malformed line of one of these tags.
    pub(super) damaged: Option<&'b [u8]>,
}

impl<'b> ResultTags<'b> {
    /// Reads the tags that begin at a byte; returns them with the offset after them.
    pub(super) fn parse(block: &'b [u8], start: usize, head: FirstTag) -> (Self, usize) {
        let mut tags = Self::default();
        let mut at = start;
        while let Some(&first) = block.get(at) {
            let end = memchr(b'\n', &block[at..]).map_or(block.len(), |length| at + length);
            let line = &block[at..end];
            match first {
                b'[' => {
                    if let Some(next) =
                        // The tag `Event` that begins this game does not begin the next one.
                        tags.take_line(line, if at == start { FirstTag::Any } else { head }, head)
                    {
                        at += next;
                        break;
                    }
                }
                b'%' => {}
                _ if line.trim_ascii().is_empty() => {}
                _ => break,
            }
            at = (end + 1).min(block.len());
        }
        (tags, at)
    }

    /// Takes the tags of a line; returns the offset of the first one that belongs to the next game. The
    /// line's first tag is compared with `first`, the others with `head`.
    fn take_line(&mut self, line: &'b [u8], first: FirstTag, head: FirstTag) -> Option<usize> {
        let (mut rest, mut head_here) = (line, first);
        while rest.first() == Some(&b'[') {
            let (taken, behind) = self.take(rest, head_here);
            if taken == TagLine::NextGame {
                return Some(line.len() - rest.len());
            }
            (rest, head_here) = (behind, head);
        }
        None
    }

    /// Takes the first tag of a text; returns it with the text after it.
    fn take(&mut self, line: &'b [u8], head: FirstTag) -> (TagLine, &'b [u8]) {
        let Some((name, rest)) = name(line) else { return (TagLine::Here, behind_other_tag(line)) };
        if matches!((&name, head), (TagName::Event, FirstTag::Event)) {
            return (TagLine::NextGame, rest);
        }
        let place = match name {
            TagName::Event => &mut self.event,
            TagName::White => &mut self.white,
            TagName::Black => &mut self.black,
            TagName::Result => &mut self.result,
            TagName::Round => &mut self.round,
            TagName::Fen => &mut self.fen,
            TagName::Variant => &mut self.variant,
        };
        if place.is_some() {
            return (TagLine::NextGame, rest);
        }
        let Some((value, behind)) = value(rest) else {
            // The end of the damaged tag is unknown, so the rest of its line is left out.
            self.damaged = Some(line);
            return (TagLine::Here, b"");
        };
        *place = Some(value);
        (TagLine::Here, behind)
    }
}

/// The text of a line after a tag that a rating list does not need.
fn behind_other_tag(line: &[u8]) -> &[u8] {
    // Nearly every line has one tag, and no bracket in its value.
    if memchr(b']', line).is_none_or(|at| line[at + 1..].trim_ascii().is_empty()) {
        return b"";
    }
    let named = line[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    value(&line[1 + named..]).map_or(b"", |(_, behind)| behind)
}

enum TagName {
    Event,
    White,
    Black,
    Result,
    Round,
    Fen,
    Variant,
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
        // The first letters of all names below.
        _ if !b"EWBRFV".contains(&line[1]) => return None,
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
        b"Variant" => TagName::Variant,
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

/// The text between the quotes, and the text after the bracket; `None` unless both quotes and the bracket are
/// there.
///
/// The value ends at the first quote that a bracket follows, which ends the line or stands before another tag
/// or a comment. So a quote inside a value need not be escaped.
fn value(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let value = rest.trim_ascii().strip_prefix(b"\"")?;
    let mut escaped = false;
    for (at, &byte) in value.iter().enumerate() {
        if byte == b'"'
            && !escaped
            && let Some(behind) = value[at + 1..].trim_ascii_start().strip_prefix(b"]")
        {
            let behind = behind.trim_ascii_start();
            if matches!(behind.first(), None | Some(b'[' | b';' | b'%')) {
                return Some((&value[..at], behind));
            }
        }
        escaped = byte == b'\\' && !escaped;
    }
    None
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
        let table: [(&str, Option<&str>, bool); 16] = [
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
            ("[White \"A\"] [Black \"B\"]", Some("A"), false),
            ("[Site \"[x]\"][White \"A\"] ; both", Some("A"), false),
            ("[White \"A \"B\" C\"]", Some("A \"B\" C"), false),
            ("[Event \"5th \"Big\" Open\"]", None, false),
            ("[Site \"[x\"][White \"A", None, true),
            (r#"[White "A\"]"#, None, true),
        ];
        for (line, white, damaged) in table {
            let (tags, _) = ResultTags::parse(line.as_bytes(), 0, FirstTag::Any);
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
            assert_eq!(ResultTags::parse(text.as_bytes(), 0, head).1, end, "{text}");
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
