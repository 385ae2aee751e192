//! Reads the position of a line: FEN or EPD, as books, suites and tags of PGN have it.
//!
//! The forms that circulate differ in small ways that do not change the position: four, five or six fields, a
//! semicolon after the last field, and a dash too many before the operations. Each is read as other programs
//! read it.

use threefold_chess::position::{GamePosition, GamePositionError};

/// A line, split into the fields of its position and the operations after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionLine<'t> {
    fields: Vec<&'t str>,
    /// Code and operand, in order, without quotes.
    pub operations: Vec<(String, String)>,
}

impl<'t> PositionLine<'t> {
    /// Splits a line.
    pub fn parse(line: &'t str) -> Self {
        let (fields, rest) = fields(line);
        Self { fields, operations: operations(rest) }
    }

    /// The operand of the first operation with this code.
    pub fn operand(&self, code: &str) -> Option<&str> {
        self.operations.iter().find(|(known, _)| known == code).map(|(_, operand)| operand.as_str())
    }

    /// The FEN with its counters: those of the fields, or else of the operations `hmvc` and `fmvn`, or else 0
    /// and 1.
    pub fn fen(&self) -> String {
        let mut fields = self.fields.clone();
        if fields.len() == 4 {
            fields.push(self.operand("hmvc").unwrap_or("0"));
        }
        if fields.len() == 5 {
            fields.push(self.operand("fmvn").unwrap_or("1"));
        }
        fields.join(" ")
    }
}

/// Reads a position without operations, such as the tag `FEN` of a game.
///
/// # Errors
/// If it is no FEN, or if text follows it.
pub fn position(text: &str) -> Result<GamePosition, GamePositionError> {
    let (_, rest) = fields(text);
    // With text after the position the whole text is parsed, which fails.
    let fen = if rest.is_empty() { PositionLine::parse(text).fen() } else { text.to_owned() };
    GamePosition::parse(&fen, "")
}

/// Is a word the first field of a FEN, by its form?
pub fn is_board(word: &str) -> bool {
    word.bytes().filter(|&byte| byte == b'/').count() == 7
        && word.bytes().all(|byte| b"/12345678pnbrqkPNBRQK~".contains(&byte))
}

/// The fields of the position, and the text after them.
fn fields(line: &str) -> (Vec<&str>, &str) {
    let mut rest = line.trim();
    let mut fields = Vec::new();
    while fields.len() < 6 {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let field = if fields.len() < 3 { word } else { word.trim_end_matches(';') };
        let is_counter = field.starts_with(|first: char| first.is_ascii_digit());
        // `w - - - bm …`: a dash too many.
        let is_surplus = fields.len() == 4 && field == "-";
        if field.is_empty() || (fields.len() >= 4 && !is_counter && !is_surplus) {
            break;
        }
        if !is_surplus {
            fields.push(field);
        }
        rest = behind.trim_start();
        if field != word {
            break;
        }
    }
    (fields, rest.trim_start_matches([';', ' ']))
}

/// Splits at semicolons outside of quotes.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut quoted = false;
    let parts = text.split(|letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    });
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    let split = parts.map(|part| part.split_once(char::is_whitespace).unwrap_or((part, "")));
    split
        .map(|(code, operand)| {
            let code = code.trim_end_matches(':').to_owned();
            (code, operand.trim().trim_matches('"').to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_lines_are_split_into_fen_and_operations() {
        let board = "8/8/4k3/8/8/4K3/4P3/8";
        let table = [
            // after the board; FEN after the board; codes
            ("w - -", "w - - 0 1", ""),
            ("w - - 10", "w - - 10 1", ""),
            ("w - - 10 7", "w - - 10 7", ""),
            ("w - - 10 7;", "w - - 10 7", ""),
            ("w - -; acn 99;", "w - - 0 1", "acn"),
            ("w - - 10; acn 99;", "w - - 10 1", "acn"),
            ("w - - - bm e4;", "w - - 0 1", "bm"),
            ("w - - - 3 4 bm e4;", "w - - 3 4", "bm"),
            ("w - - bm e4; hmvc 3;", "w - - 3 1", "bm hmvc"),
            ("w - - 5 bm e4; fmvn 9;", "w - - 5 9", "bm fmvn"),
            ("w - - id \"a; - b\"", "w - - 0 1", "id"),
            ("w  -\t- 0 1 ; bm e4", "w - - 0 1", "bm"),
        ];
        for (text, fen, codes) in table {
            let text = format!("{board} {text}");
            let line = PositionLine::parse(&text);
            assert_eq!(line.fen(), format!("{board} {fen}"), "{text}");
            let seen: Vec<&str> = line.operations.iter().map(|(code, _)| code.as_str()).collect();
            assert_eq!(seen.join(" "), codes, "{text}");
        }
    }

    #[test]
    fn positions_of_tags_have_no_operations() {
        for fen in ["8/8/4k3/8/8/4K3/4P3/8 w - - 10", "8/8/4k3/8/8/4K3/4P3/8 w - - 10 1;"] {
            let position = position(fen).expect("a FEN");
            assert_eq!(position.start.to_string(), "8/8/4k3/8/8/4K3/4P3/8 w - - 10 1");
        }
        position("8/8/4k3/8/8/4K3/4P3/8 w - - bm e4;").expect_err("an operation");
        position("8/8/4k3 w - -").expect_err("three ranks");
    }

    #[test]
    fn boards_are_recognised_by_their_form() {
        for (word, expected) in
            [("8/8/4k3/8/8/4K3/4P3/8", true), ("1/2-1/2", false), ("e4", false), ("a/b/c/d/e/f/g/h", false)]
        {
            assert_eq!(is_board(word), expected, "{word}");
        }
    }
}
