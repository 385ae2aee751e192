//! Opening books with one position per line.
//!
//! A line is a FEN with four or six fields. EPD opcodes may follow; only `id` is read, as the opening's name.
//! Blank lines and lines that start with `#` are skipped.

use threefold_chess::position::GamePosition;

use super::{Opening, OpeningError, check};

/// Reads every line of a book; each is checked.
pub fn read_epd(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (number, entry) in (1..).zip(text.lines()) {
        let entry = entry.trim();
        if entry.is_empty() || entry.starts_with('#') {
            continue;
        }
        let opening = read_entry(entry).map_err(|(cause, remedy)| OpeningError::Entry {
            line: number,
            entry: openings.len() + 1,
            text: entry.to_owned(),
            cause,
            remedy,
        })?;
        openings.push(opening);
    }
    Ok(openings)
}

fn read_entry(entry: &str) -> Result<Opening, (String, &'static str)> {
    let fields: Vec<&str> = entry.split_whitespace().collect();
    let counts = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let position =
        if fields.iter().skip(4).take(2).filter(|field| counts(field)).count() == 2 { 6 } else { 4 };
    let fen = fields[..position.min(fields.len())].join(" ");
    let line = GamePosition::parse(&fen, "").map_err(|error| {
        (
            error.to_string(),
            "write a position such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`, or without the counters",
        )
    })?;
    check(&line)?;
    Ok(Opening { line, name: name(entry) })
}

/// The operand of the opcode `id`.
fn name(entry: &str) -> Option<String> {
    let (_, rest) = entry.split_once(" id \"")?;
    let (name, _) = rest.split_once('"')?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_openings_have_four_or_six_fields() {
        let text = "\u{20}# our own\r\n\
            4k3/8/8/8/8/8/4P3/4K3 w - -\r\n\
            \n\
            4k3/8/8/8/8/8/4P3/4K3 b - - 7 30\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn, free\"; c0 \"x\";\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 id \"counted\";";
        let read: Vec<_> = read_epd(text)
            .expect("sound")
            .into_iter()
            .map(|opening| (opening.line.start.to_string(), opening.name))
            .collect();
        let name = |name: &str| Some(name.to_owned());
        let expected = [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/4P3/4K3 b - - 7 30", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", name("pawn, free")),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", name("counted")),
        ];
        assert_eq!(read, expected.map(|(fen, name)| (fen.to_owned(), name)));
    }

    #[test]
    fn opening_errors_name_line_cause_and_remedy() {
        let table = [
            // line 2 of a book, parts of the answer
            (
                "4k3/8/8/8/8/8/4P3/4K4 w - -",
                ["line 2, opening 2", "is not a FEN", "write a position such as"],
            ),
            (
                "4k3/8/8/8/8/8/4P3/8 w - -",
                ["line 2, opening 2", "no legal position", "the rules of chess allow"],
            ),
            ("hello", ["`hello`", "is not a FEN", "write a position such as"]),
            ("7k/5Q2/8/8/8/8/8/K7 b - -", ["opening 2", "the game is over there", "leave something to play"]),
        ];
        for (bad, answers) in table {
            let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - -\n{bad}\n");
            let error = read_epd(&text).expect_err(bad).to_string();
            for answer in answers {
                assert!(error.contains(answer), "{bad}: {error}");
            }
        }
    }
}
