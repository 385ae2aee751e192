//! Foreign text in a comment: words that GitHub or GitLab could take for Markdown, HTML, a mention, a
//! reference or a link become inline code.
//!
//! The comment of a pull request is written with a token, and its text comes from a job that ran the code of
//! that pull request. So `ci/pull-request.sh` refuses a text that is not of this form. Outside inline code it
//! has none of the characters `` ` < > @ # $ ^ & ~ \ ``, brackets only around numbers, and nothing that is
//! linked without a sign. Inline code has no vertical bar, which would end the cell of a table, and ends in
//! its line.

use crate::format;

/// Characters that are never plain text.
const SIGNS: &str = "`<>@#$^&~\\|*[]";

/// A part of a text.
enum Token {
    Plain(String),
    Code(String),
    Space,
}

/// The text as Markdown that shows it: in one line, without a link, and without anyone being notified.
pub(super) fn plain(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut code = String::new();
    let mut spaces = 0;
    for token in tokens(text) {
        match token {
            Token::Space => spaces += 1,
            // Two spans without a character between them would be one with other ends.
            Token::Code(word) if !code.is_empty() => {
                code.extend(std::iter::repeat_n(' ', spaces));
                code.push_str(&word);
                spaces = 0;
            }
            Token::Code(word) => {
                said.extend(std::iter::repeat_n(' ', spaces));
                (code, spaces) = (word, 0);
            }
            Token::Plain(word) => {
                said.push_str(&span(&std::mem::take(&mut code)));
                said.extend(std::iter::repeat_n(' ', spaces));
                said.push_str(&word);
                spaces = 0;
            }
        }
    }
    said + &span(&code)
}

/// The text as inline code; nothing for an empty one.
pub(super) fn span(text: &str) -> String {
    let text = format::visible(text).replace('|', "¦").replace('`', "'");
    if text.trim().is_empty() { String::new() } else { format!("`{text}`") }
}

/// A line of a block of code, in which nothing can be marked as code: of words that are not plain, only letters
/// and digits are left.
pub(super) fn code_line(text: &str) -> String {
    let shown = |token| match token {
        Token::Plain(word) => word,
        Token::Code(word) => format!(" {} ", word.replace(|it: char| !it.is_alphanumeric(), "")),
        Token::Space => " ".to_owned(),
    };
    tokens(text).into_iter().map(shown).collect()
}

/// The words of a text, with what stands between backticks as code.
fn tokens(text: &str) -> Vec<Token> {
    let characters: Vec<char> = text.chars().map(format::picture).collect();
    let mut tokens = Vec::new();
    let mut word = Word::default();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let after = &characters[at + 1..];
        if character == ' ' {
            tokens.extend(word.take());
            tokens.push(Token::Space);
        } else if let Some(length) = quoted(character, after) {
            tokens.extend(word.take());
            tokens.push(Token::Code(after[..length].iter().collect()));
            at += length + 1;
        } else if let Some(length) = numbers(character, after) {
            word.text.push(character);
            word.text.extend(&after[..length]);
            at += length;
        } else {
            let before = word.text.chars().next_back();
            let is_inside = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
            let is_sign = match character {
                // Inside a word an underscore marks nothing.
                '_' => !(is_inside(before) && is_inside(after.first().copied())),
                _ => SIGNS.contains(character),
            };
            word.has_sign |= is_sign;
            // The word becomes a span, which a backtick in it would end.
            word.text.push(if character == '`' { '\'' } else { character });
        }
        at += 1;
    }
    tokens.extend(word.take());
    tokens
}

/// A word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    has_sign: bool,
}

impl Word {
    /// The word that ends here, if it has a character.
    fn take(&mut self) -> Option<Token> {
        let Self { text, has_sign } = std::mem::take(self);
        if text.is_empty() {
            return None;
        }
        Some(if has_sign || is_linked(&text) { Token::Code(text) } else { Token::Plain(text) })
    }
}

/// Do GitHub or GitLab link a word without any sign, such as an address, `GH-7`, `!7` or `%7`, or obey it at the
/// beginning of a line, such as `/close`?
fn is_linked(word: &str) -> bool {
    let small = word.to_lowercase();
    let follows = |sign: &str, is_part: fn(char) -> bool| {
        small.match_indices(sign).any(|(at, _)| small[at + sign.len()..].starts_with(is_part))
    };
    small.starts_with('/')
        || small.contains("://")
        || small.contains("www.")
        || follows("gh-", |it| it.is_ascii_digit())
        || follows("!", |it| it.is_ascii_digit())
        || follows("%", |it| it.is_alphanumeric() || it == '"')
}

/// The length of what stands between this backtick and the next one.
fn quoted(character: char, after: &[char]) -> Option<usize> {
    let length = after.iter().position(|it| *it == '`')?;
    (character == '`' && after[..length].iter().any(|it| *it != ' ')).then_some(length)
}

/// The length of a list of numbers after this bracket, with its end: `0, 10]`. One before `(`, `[` or `:` could
/// be a link.
fn numbers(character: char, after: &[char]) -> Option<usize> {
    let length = after.iter().position(|it| *it == ']')?;
    let is_number = |it: &char| it.is_ascii_digit() || "-+., ".contains(*it);
    let is_link = after.get(length + 1).is_some_and(|it| "([:".contains(*it));
    (character == '[' && !is_link && after[..length].iter().all(is_number)).then_some(length + 1)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use regex::Regex;

    /// What is wrong with a comment, by the rules of `ci/pull-request.sh`.
    pub(crate) fn breach(comment: &str) -> Option<String> {
        let rule = |pattern: &str| Regex::new(pattern).expect("a pattern");
        let code = rule("`[^`|]+`");
        let numbers = rule(r"\[[-+0-9., ]*\](?<end>[^(\[:]|$)");
        let forbidden =
            rule(r#"(?i)[\[\]`<>@#$^&~\\\x00-\x1f\x7f]|://|www\.|gh-[0-9]|![0-9]|%[a-z0-9"]|^\s*/"#);
        comment.lines().find_map(|line| {
            let text = line.strip_prefix("### ").unwrap_or(line);
            let text = numbers.replace_all(&code.replace_all(text, "_"), "$end").into_owned();
            forbidden.find(&text).map(|found| format!("{:?} in {line:?}", found.as_str()))
        })
    }

    #[test]
    fn text_from_outside_is_shown_and_does_nothing() {
        let table = [
            ("mate_in_3 is 41.2 % (95 %)", "mate_in_3 is 41.2 % (95 %)"),
            ("LLR 0.36 (-2.94, 2.94) [0, 10]", "LLR 0.36 (-2.94, 2.94) [0, 10]"),
            ("engine `mine` (`./mine`): gone", "engine `mine` (`./mine`): gone"),
            ("by @team, #7 and !8", "by `@team, #7` and `!8`"),
            ("[0, 1](x) [0]: y", "`[0, 1](x) [0]:` y"),
            ("<img src=x> | b", "`<img src=x> ¦` b"),
            ("/close x", "`/close` x"),
            ("`a``b` `", "`ab '`"),
            ("see https://x.org or WWW.x.org", "see `https://x.org` or `WWW.x.org`"),
            ("GH-7, a%20b, *x*, _x_, a\\b", "`GH-7, a%20b, *x*, _x_, a\\b`"),
            ("line\n/close", "line␊/close"),
        ];
        for (given, expected) in table {
            let said = plain(given);
            assert_eq!(said, expected, "{given}");
            assert_eq!(breach(&said), None, "{given}");
        }
        assert_eq!((span("a`|b"), span(" ")), ("`a'¦b`".to_owned(), String::new()));
    }

    #[test]
    fn every_dangerous_line_is_a_breach() {
        for line in [
            "by @team",
            "\\`@team`",
            "``@team`",
            "a `b | @c` d",
            "`open",
            "[x](y)",
            "[1](y)",
            "[1]: y",
            "![1](y)",
            "<b>",
            "&lt;",
            "#7",
            "# Title",
            "~~~",
            "```",
            "/close",
            "  /close",
            "http://x",
            "www.x.org",
            "gh-7",
            "!7",
            "%7",
            "$x$",
            "a\u{1b}b",
        ] {
            assert!(breach(line).is_some(), "{line}");
        }
        assert_eq!(breach("### Title\n\n| a | `b@c` |\n- [0, 10]; 5 %"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_shown_without_a_breach(text in "[a-z0-9 `|\\[\\](){}:!%@#<>&\\\\_*~$^/.,\"'+-]{0,60}") {
            prop_assert_eq!(breach(&plain(&text)), None);
            prop_assert_eq!(breach(&span(&text)), None);
            prop_assert_eq!(breach(&format!("a | {}", code_line(&text))), None);
        }
    }
}
