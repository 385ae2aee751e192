//! Finds the end of a game's moves and its result.
//!
//! Nearly every game ends in a result token with nothing unusual before it. That is seen from the end,
//! without reading the moves. Everything else is read token by token, with comments and variations.

use memchr::{memchr, memmem, memrchr, memrchr2};

use threefold_stats::GameResult;

/// The last token of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultToken {
    /// White's result.
    Known(GameResult),
    /// `*`
    Unfinished,
}

impl ResultToken {
    /// Parses a result as PGN writes it in the tag `Result` and after the moves.
    pub(super) const fn parse(token: &[u8]) -> Option<Self> {
        match token {
            b"1-0" => Some(Self::Known(GameResult::Win)),
            b"0-1" => Some(Self::Known(GameResult::Loss)),
            b"1/2-1/2" => Some(Self::Known(GameResult::Draw)),
            b"*" => Some(Self::Unfinished),
            _ => None,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Known(GameResult::Win) => "1-0",
            Self::Known(GameResult::Loss) => "0-1",
            Self::Known(GameResult::Draw) => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

/// How the text after a game's tags ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MovetextEnd {
    /// There is no text.
    NoMoves,
    /// There is no result.
    Missing,
    /// With a result.
    Marked(ResultToken),
}

/// Text after a game's end without tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TrailingText {
    /// Its first byte, counted from the start of the movetext.
    pub(super) at: usize,
    /// Its last token; `None` for text that is not a game.
    pub(super) marker: Option<ResultToken>,
}

/// The text after a game's tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Movetext {
    pub(super) ending: MovetextEnd,
    pub(super) extras: Vec<TrailingText>,
}

impl Movetext {
    /// Reads the text from the end of the tags to the next game's tags.
    pub(super) fn parse(text: &[u8]) -> Self {
        let trimmed = text.trim_ascii_end();
        if trimmed.is_empty() {
            return Self { ending: MovetextEnd::NoMoves, extras: Vec::new() };
        }
        match plain_ending(trimmed) {
            Some(marker) => Self { ending: MovetextEnd::Marked(marker), extras: Vec::new() },
            None => by_tokens(trimmed),
        }
    }
}

/// Is there nothing but comments, variations and lines that begin with `%`?
pub(super) fn is_blank(text: &[u8]) -> bool {
    MovetextTokens { text, at: 0, depth: 0 }.next().is_none()
}

/// The last token of a text in which nothing can change its meaning: no empty line and no open comment.
fn plain_ending(text: &[u8]) -> Option<ResultToken> {
    let line_start = memrchr(b'\n', text).map_or(0, |newline| newline + 1);
    let line = &text[line_start..];
    let token_start =
        line.iter().rposition(|byte| matches!(byte, b' ' | b'\t' | b'}')).map_or(0, |at| at + 1);
    let marker = ResultToken::parse(&line[token_start..])?;
    // Such a comment ends with its line, so only the last line matters.
    let remarked = line[0] == b'%' || memchr(b';', line).is_some();
    let open = memrchr2(b'{', b'}', text).is_some_and(|brace| text[brace] == b'{');
    // Line ends are the same throughout a game, so the last one shows which.
    let torn = if line_start >= 2 && text[line_start - 2] == b'\r' {
        memmem::find(text, b"\n\r\n").is_some()
    } else {
        memmem::find(text, b"\n\n").is_some()
    };
    // A variation that is never closed does not matter: the end of the text outweighs it.
    (!remarked && !open && !torn).then_some(marker)
}

/// What a token means for the end of the game.
enum MovetextToken {
    Marker(ResultToken),
    Other,
}

fn by_tokens(text: &[u8]) -> Movetext {
    let mut ending = None;
    let mut extras = Vec::new();
    // Where the text after the last result began.
    let mut open = None;
    MovetextTokens { text, at: 0, depth: 0 }.for_each(|(start, token)| match (token, ending) {
        (MovetextToken::Marker(marker), None) => ending = Some(marker),
        (MovetextToken::Marker(marker), Some(_)) => {
            extras.push(TrailingText { at: open.take().unwrap_or(start), marker: Some(marker) });
        }
        (MovetextToken::Other, Some(_)) => _ = open.get_or_insert(start),
        (MovetextToken::Other, None) => {}
    });
    extras.extend(open.map(|at| TrailingText { at, marker: None }));
    Movetext { ending: ending.map_or(MovetextEnd::Missing, MovetextEnd::Marked), extras }
}

/// The tokens outside comments and variations, with their positions.
struct MovetextTokens<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Iterator for MovetextTokens<'_> {
    type Item = (usize, MovetextToken);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at;
            let rest = &self.text[start..];
            let fresh_line = start == 0 || self.text[start - 1] == b'\n';
            match *rest.first()? {
                b'{' => self.skip_to(b'}'),
                b';' => self.skip_to(b'\n'),
                b'%' if fresh_line => self.skip_to(b'\n'),
                b'(' => {
                    self.depth += 1;
                    self.at += 1;
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.at += 1;
                }
                b'}' => self.at += 1,
                byte if byte.is_ascii_whitespace() => self.at += 1,
                _ => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{};()".contains(byte);
                    let length = rest.iter().position(ends).unwrap_or(rest.len());
                    self.at += length;
                    if self.depth == 0 {
                        let marker = ResultToken::parse(&rest[..length]);
                        return Some((start, marker.map_or(MovetextToken::Other, MovetextToken::Marker)));
                    }
                }
            }
        }
    }
}

impl MovetextTokens<'_> {
    /// Continues after this byte, or at the end.
    fn skip_to(&mut self, wanted: u8) {
        self.at = memchr(wanted, &self.text[self.at..]).map_or(self.text.len(), |found| self.at + found + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: MovetextEnd = MovetextEnd::Marked(ResultToken::Known(GameResult::Win));

    #[test]
    fn game_termination_is_found_after_any_text() {
        let table: [(&str, MovetextEnd); 16] = [
            ("1. e4 e5 1-0\n\n", WON),
            ("1. e4 {+0.3/12 0.1s} e5 {White mates} 1-0\r\n\r\n", WON),
            ("1. e4 e5 {adjudicated}1-0", WON),
            ("1-0", WON),
            ("1. e4 {a comment\n\nwith an empty line} e5 1-0", WON),
            ("1. e4 {a comment\r\n\r\nwith an empty line} e5\r\n1-0", WON),
            ("1. e4 ; the rest of a line 0-1\n1-0 ; and after it", WON),
            ("% 0-1\n1. e4 (1. d4 0-1) (1. c4 (1. a4) 0-1) 1-0", WON),
            ("1. e4 *", MovetextEnd::Marked(ResultToken::Unfinished)),
            ("1. e4 e5 {cut off 1-0", MovetextEnd::Missing),
            ("1. e4 e5 ; 1-0", MovetextEnd::Missing),
            ("1. e4 e5 2. Nf3\n% 1-0", MovetextEnd::Missing),
            ("1. e4 (e5 {why} 1-0", WON), // the end of the text outweighs a variation that is never closed
            ("1. e4 e5 1-0+", MovetextEnd::Missing),
            ("", MovetextEnd::NoMoves),
            (" \r\n\n", MovetextEnd::NoMoves),
        ];
        for (text, ending) in table {
            let moves = Movetext::parse(text.as_bytes());
            assert_eq!(moves, Movetext { ending, extras: Vec::new() }, "{text}");
        }
    }

    #[test]
    fn text_after_a_game_is_reported() {
        let text = "1. e4 1-0\n\n1. d4 {x} d5 0-1\n\nhello {1-0}\n";
        let extras = vec![
            TrailingText { at: 11, marker: Some(ResultToken::Known(GameResult::Loss)) },
            TrailingText { at: 29, marker: None },
        ];
        assert_eq!(Movetext::parse(text.as_bytes()), Movetext { ending: WON, extras });
    }
}
