//! The tokens of a PGN text.
//!
//! Every character of a text is white space, a comment, a variation, or part of a token. Readers that look
//! for moves only skip what they do not know, and a book in another notation loses its moves in silence.

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PgnToken<'t> {
    /// `[Name "value"]`; the value is without escapes.
    Tag { name: &'t str, value: String },
    /// A line that begins with a bracket and is no tag.
    NoTag(&'t str),
    /// The number of a move, and its number of dots.
    MoveNumber { number: u64, dots: usize },
    /// `1-0`, `0-1`, `1/2-1/2`, `½-½` or `*`.
    Result,
    /// An empty line.
    EmptyLine,
    /// The text between the braces of a comment.
    Comment(&'t str),
    /// A comment that is never closed.
    OpenComment,
    /// A variation that is not closed before the next game's tags.
    OpenVariation,
    /// Anything else: a move, if the text is sound.
    Word(&'t str),
}

/// The tokens outside variations, each with the offset of its first byte.
pub(crate) struct PgnTokens<'t> {
    text: &'t str,
    at: usize,
    /// The offsets of the open variations.
    open: Vec<usize>,
}

impl<'t> PgnTokens<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0, open: Vec::new() }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// The rest of the line.
    fn line(&self) -> &'t str {
        self.rest().split('\n').next().unwrap_or_default()
    }

    /// Nothing but white space is before this byte in its line.
    fn begins_line(&self) -> bool {
        let before = &self.text[..self.at];
        matches!(
            before.trim_end_matches([' ', '\t', '\r', '\u{feff}']).chars().next_back(),
            None | Some('\n')
        )
    }

    /// The outermost variation that is open here, which ends.
    fn open_variation(&mut self) -> Option<(usize, PgnToken<'t>)> {
        self.open.drain(..).next().map(|start| (start, PgnToken::OpenVariation))
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Goes behind a comment and returns its text; `None` if it is never closed.
    fn comment(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let end = rest.find('}');
        self.at += end.map_or(rest.len(), |end| end + 1);
        end.map(|end| &rest[1..end])
    }

    /// Goes to the end of a line; is the next line empty?
    fn skip_line_end(&mut self) -> bool {
        self.at += 1;
        let blank = self.rest().trim_start_matches([' ', '\t', '\r']);
        if !blank.starts_with('\n') {
            return false;
        }
        self.at = self.text.len() - blank.len();
        true
    }

    fn bracket(&mut self) -> PgnToken<'t> {
        let line = self.line();
        if let Some((name, value, length)) = tag(line) {
            self.at += length;
            return PgnToken::Tag { name, value };
        }
        self.skip_line();
        PgnToken::NoTag(line.trim_end())
    }

    /// A run of characters up to white space or a character that ends it.
    fn word(&mut self) -> PgnToken<'t> {
        let rest = self.rest();
        let ends =
            |letter: char| letter.is_whitespace() || matches!(letter, '{' | '}' | ';' | '[' | ']' | '$');
        // `a8(Q)` is a move; any other bracket begins or ends a variation.
        let promotion = |at: usize| {
            let behind = &rest.as_bytes()[at + 1..];
            at > 0 && behind.first().is_some_and(u8::is_ascii_uppercase) && behind.get(1) == Some(&b')')
        };
        // One character at least: a `]` alone is a word, or the reader would not move on.
        let mut length =
            rest.find(ends).unwrap_or(rest.len()).max(rest.chars().next().map_or(0, char::len_utf8));
        if let Some(bracket) = rest[..length].find(['(', ')']) {
            length = if promotion(bracket) { bracket + 3 } else { bracket.max(1) };
        }
        let word = &rest[..length];
        let (token, length) = classified(word);
        self.at += length;
        token
    }
}

impl<'t> Iterator for PgnTokens<'t> {
    type Item = (usize, PgnToken<'t>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(first) = self.rest().chars().next() else { return self.open_variation() };
            let start = self.at;
            match first {
                '\n' => {
                    if self.skip_line_end() && self.open.is_empty() {
                        return Some((start, PgnToken::EmptyLine));
                    }
                }
                '%' if self.begins_line() => self.skip_line(),
                // An open variation ends here and is reported first. The next call reads the tag.
                '[' if self.begins_line() => {
                    return self.open_variation().or_else(|| Some((start, self.bracket())));
                }
                // Files without a last line end, one after the other, or several tags in a line.
                '[' if self.open.is_empty() && tag(self.line()).is_some() => {
                    return Some((start, self.bracket()));
                }
                ';' => self.skip_line(),
                '{' => match self.comment() {
                    None => return Some((start, PgnToken::OpenComment)),
                    Some(text) if self.open.is_empty() => return Some((start, PgnToken::Comment(text))),
                    Some(_) => {}
                },
                '(' => {
                    self.open.push(start);
                    self.at += 1;
                }
                ')' if !self.open.is_empty() => {
                    self.open.pop();
                    self.at += 1;
                }
                '$' => {
                    let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.at += 1 + digits;
                }
                '!' | '?' | '\u{feff}' => self.at += first.len_utf8(),
                _ if first.is_whitespace() => self.at += first.len_utf8(),
                _ if !self.open.is_empty() => self.at += first.len_utf8(),
                _ => match self.word() {
                    // A comment on the move before it.
                    PgnToken::Word("e.p.") => {}
                    token => return Some((start, token)),
                },
            }
        }
    }
}

/// What a word is, and how many bytes of it belong to that.
fn classified(word: &str) -> (PgnToken<'_>, usize) {
    for result in ["1-0", "0-1", "1/2-1/2", "½-½", "*"] {
        if let Some(behind) = word.strip_prefix(result)
            && !behind.starts_with(['-', '/'])
        {
            return (PgnToken::Result, result.len());
        }
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &word[digits..];
    let dotted = behind.trim_start_matches(['.', '…']);
    let dots = &behind[..behind.len() - dotted.len()];
    // `0-0` and `1e4` are no numbers of moves.
    if !(dots.is_empty() && (digits == 0 || !behind.is_empty())) {
        let dots_length = dots.len();
        let dots = dots.chars().map(|dot| if dot == '…' { 3 } else { 1 }).sum();
        // A number too large for a game has no successor in it.
        let number = word[..digits].parse().unwrap_or(0);
        return (PgnToken::MoveNumber { number, dots }, digits + dots_length);
    }
    (PgnToken::Word(word), word.len())
}

/// The tag at the beginning of a line: name, value, and its length in bytes.
///
/// The value ends at the first quote that a bracket follows, which ends the line or stands before another tag
/// or a comment. So a quote inside a value need not be escaped.
pub(crate) fn tag(line: &str) -> Option<(&str, String, usize)> {
    let inner = line.strip_prefix('[')?.trim_start();
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_+#=:-".contains(letter);
    let name = &inner[..inner.find(|letter| !is_part(letter)).unwrap_or(inner.len())];
    let quoted = inner[name.len()..].trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let start = line.len() - quoted.len();
    let mut escaped = false;
    for (at, letter) in quoted.char_indices() {
        if letter == '"' && !escaped {
            let behind = quoted[at + 1..].trim_start();
            if let Some(rest) = behind.strip_prefix(']')
                && matches!(rest.trim_start().chars().next(), None | Some('[' | ';' | '%'))
            {
                return Some((name, unescaped(&quoted[..at]), start + quoted.len() - rest.len()));
            }
        }
        escaped = letter == '\\' && !escaped;
    }
    None
}

/// A value without its escapes.
fn unescaped(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('"' | '\\')) => plain.extend(letters.next()),
            _ => plain.push(letter),
        }
    }
    plain
}

/// Does a line have the form of a game's first line?
pub fn begins_game(line: &str) -> bool {
    tag(line).is_some() || line.starts_with("1.") || line.starts_with("1 ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens without comments.
    fn tokens(text: &str) -> Vec<PgnToken<'_>> {
        let tokens = PgnTokens::new(text).map(|(_, token)| token);
        tokens.filter(|token| !matches!(token, PgnToken::Comment(_))).collect()
    }

    #[test]
    fn comments_outside_variations_are_tokens() {
        let comments = |text| -> Vec<String> {
            let tokens = PgnTokens::new(text);
            tokens
                .filter_map(|(_, token)| match token {
                    PgnToken::Comment(comment) => Some(comment.to_owned()),
                    _ => None,
                })
                .collect()
        };
        assert_eq!(
            comments("1. e4 {+0.3/9} (1. d4 {no}) e5 {} 2. Nf3 {a\n[b \"c\"]} ; {d}"),
            ["+0.3/9", "", "a\n[b \"c\"]"]
        );
    }

    #[test]
    fn every_word_outside_comments_is_a_token() {
        let number = |number, dots| PgnToken::MoveNumber { number, dots };
        let word = PgnToken::Word;
        let table: &[(&str, &[PgnToken<'_>])] = &[
            ("1.e2-e4 e7-e5", &[number(1, 1), word("e2-e4"), word("e7-e5")]),
            (
                "1 e4 1... e5 2…Sf6",
                &[number(1, 0), word("e4"), number(1, 3), word("e5"), number(2, 3), word("Sf6")],
            ),
            ("a8(Q) (a8=R (a8=B)) a1Q", &[word("a8(Q)"), word("a1Q")]),
            ("exd6 e.p. e5 )", &[word("exd6"), word("e5"), word(")")]),
            ("e4 (e5\n\n1. c4", &[word("e4"), PgnToken::OpenVariation]),
            ("a8 (Q) 0-0 0-0-0", &[word("a8"), word("0-0"), word("0-0-0")]),
            ("e4! $14 e5$1 {x} Nf3?! Nc6", &[word("e4!"), word("e5"), word("Nf3?!"), word("Nc6")]),
            ("e4 ; e5\n% e6\nd5", &[word("e4"), word("d5")]),
            ("e4{[White \"x\"]\n[Black \"y\"]\n}e5", &[word("e4"), word("e5")]),
            ("♘f3 hello, 1e4", &[word("♘f3"), word("hello,"), word("1e4")]),
            ("e4 1-0\n\n0-1 1/2-1/2 ½-½ *", &{
                let mut all = vec![word("e4"), PgnToken::Result, PgnToken::EmptyLine];
                all.extend([const { PgnToken::Result }; 4]);
                all
            }),
            ("e4 {x", &[word("e4"), PgnToken::OpenComment]),
            ("\u{feff}\u{a0}e4\r\n \r\n", &[word("e4"), PgnToken::EmptyLine]),
            ("[Event x]\ne4 ] }", &[PgnToken::NoTag("[Event x]"), word("e4"), word("]"), word("}")]),
        ];
        for (text, expected) in table {
            assert_eq!(tokens(text), *expected, "{text}");
        }
    }

    #[test]
    fn tags_are_read_with_quotes_and_several_in_a_line() {
        let table: &[(&str, &[(&str, &str)])] = &[
            ("[Event \"x\"]\n", &[("Event", "x")]),
            ("[ Event   \"x\" ] \r\n", &[("Event", "x")]),
            ("[Event \"5th \"Big\" Open\"]", &[("Event", "5th \"Big\" Open")]),
            (r#"[Event "a \"b\" \\"]"#, &[("Event", r#"a "b" \"#)]),
            (r#"[Site "C:\books"]"#, &[("Site", r"C:\books")]),
            ("[White \"a\"][Black \"b\"] ; c", &[("White", "a"), ("Black", "b")]),
            ("1-0[White \"a\"]", &[("White", "a")]),
            ("  [White \"a\"]", &[("White", "a")]),
        ];
        for (text, expected) in table {
            let read: Vec<_> = tokens(text)
                .into_iter()
                .filter_map(|token| match token {
                    PgnToken::Tag { name, value } => Some((name, value)),
                    _ => None,
                })
                .collect();
            let expected: Vec<_> = expected.iter().map(|&(name, value)| (name, value.to_owned())).collect();
            assert_eq!(read, expected, "{text}");
        }
    }
}
