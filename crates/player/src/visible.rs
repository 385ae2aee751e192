//! Makes invisible characters in foreign text visible.
//!
//! Engine names, engine output, player names, file names and file contents come from other programs. Control
//! characters in them can move a terminal's cursor, and bidirectional marks can disguise a name. Each is
//! replaced by a visible character.

use std::fmt::Write;

/// Text on one line without invisible characters: control characters become their Unicode pictures.
pub fn visible(text: &str) -> String {
    text.chars().map(picture).collect()
}

/// Shows the control characters of a text with several lines; its line ends and tabs stay.
pub fn visible_lines(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { picture(c) }).collect()
}

/// JSON without invisible characters in its strings: they become JSON escapes, so that it parses to the same
/// value.
pub fn visible_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        // Line ends and tabs can only be between values: a string of JSON has them as escapes.
        if matches!(character, '\n' | '\t' | '\r') || picture(character) == character {
            text.push(character);
        } else {
            // An escape of JSON is a UTF-16 unit, so characters above U+FFFF need two.
            for unit in character.encode_utf16(&mut [0; 2]) {
                _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text
}

/// The picture of a control character; the replacement character for one that has no glyph, such as a bidirectional mark; any
/// other character unchanged.
pub fn picture(character: char) -> char {
    match u32::from(character) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        // The last range is that of tags.
        0x80..0xa0
        | 0xad
        | 0x061c
        | 0x180e
        | 0x200b..=0x200f
        | 0x2028..=0x202e
        | 0x2060..=0x206f
        | 0xfeff
        | 0xe_0000..=0xe_0fff => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(visible("a\0b\nc\u{1b}[1m\u{202e}"), "a␀b␊c␛[1m\u{fffd}");
        assert_eq!(visible_lines("a\n\tb\r\u{9b}2J\u{7f}"), "a\n\tb␍\u{fffd}2J␡");
        for hostile in [
            '\u{61c}',
            '\u{ad}',
            '\u{200b}',
            '\u{feff}',
            '\u{e0041}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{202a}',
            '\u{2066}',
            '\u{2069}',
        ] {
            assert_eq!(visible(&hostile.to_string()), "\u{fffd}");
        }
        assert_eq!(visible("Škoda 漢字 ½ ♔"), "Škoda 漢字 ½ ♔");
    }

    #[test]
    fn json_reads_back_the_same() {
        let hostile = "a\u{1b}]0;\u{7}\u{9b}\u{202e}\u{7f}\u{200f}\u{e0041}\n\t\"\\";
        let written = serde_json::to_string_pretty(&[hostile]).expect("strings are JSON");
        let shown = visible_json(&written);
        assert!(shown.chars().all(|c| c == '\n' || picture(c) == c), "{shown}");
        let read: Vec<String> = serde_json::from_str(&shown).expect("still JSON");
        assert_eq!(read, [hostile]);
    }
}
