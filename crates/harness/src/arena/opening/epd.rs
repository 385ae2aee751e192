//! Opening books with one position per line.
//!
//! A line is a FEN with four or six fields. EPD opcodes may follow: `id` is the opening's name, and `hmvc` and `fmvn` are the
//! counters of a line with four fields.
//! Blank lines and lines that start with `#` are skipped.

use threefold_chess::position::GamePosition;

use super::{Opening, OpeningError, check};

/// Reads every line of a book; each is checked.
pub fn read_epd(text: &str) -> Result<Vec<Opening>, OpeningError> {
    (1..).zip(lines(text)).map(|(entry, line)| read_line(entry, line)).collect()
}

/// Reads the entries that `select` names by their indices, in its order; it gets the number of entries.
pub(super) fn read_selected(
    text: &str,
    select: impl FnOnce(usize) -> Vec<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let lines: Vec<(usize, &str)> = lines(text).collect();
    select(lines.len()).into_iter().map(|index| read_line(index + 1, lines[index])).collect()
}

/// The lines that are entries, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn read_line(entry: usize, (line, text): (usize, &str)) -> Result<Opening, OpeningError> {
    read_entry(text).map_err(|(cause, remedy)| OpeningError::Entry {
        line,
        entry,
        text: text.to_owned(),
        cause,
        remedy,
    })
}

fn read_entry(entry: &str) -> Result<Opening, (String, &'static str)> {
    let fields: Vec<&str> = entry.split_whitespace().collect();
    let counts = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let position =
        if fields.iter().skip(4).take(2).filter(|field| counts(field)).count() == 2 { 6 } else { 4 };
    let mut fen = fields[..position.min(fields.len())].join(" ");
    if position == 4
        && let (Some(plies), Some(number)) = (counter(&fields, "hmvc"), counter(&fields, "fmvn"))
    {
        fen = format!("{fen} {plies} {number}");
    }
    let line = GamePosition::parse(&fen, "").map_err(|error| {
        (
            error.to_string(),
            "write a position such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`, or without the counters",
        )
    })?;
    check(&line)?;
    Ok(Opening { line, eco: None, name: name(entry) })
}

/// The operand of an opcode whose operand is a number.
fn counter(fields: &[&str], opcode: &str) -> Option<u32> {
    let operand = fields.iter().skip(4).skip_while(|field| **field != opcode).nth(1)?;
    operand.trim_end_matches(';').parse().ok()
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
            4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 id \"counted\";\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 5; fmvn 12;\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x; fmvn 12;";
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
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 12", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
        ];
        assert_eq!(read, expected.map(|(fen, name)| (fen.to_owned(), name)));
    }

    #[test]
    fn only_selected_entries_are_read() {
        let text = "# two sound lines\n4k3/8/8/8/8/8/4P3/4K3 w - -\nhello\n\n4k3/8/8/8/8/8/3P4/4K3 w - -\n";
        let read = |indices: &[usize]| {
            read_selected(text, |size| {
                assert_eq!(size, 3);
                indices.to_vec()
            })
        };
        let openings = read(&[2, 0, 2]).expect("sound lines");
        let files: Vec<_> = openings.iter().map(|opening| opening.line.start.to_string()).collect();
        assert!(files[0].contains("3P4") && files[1].contains("4P3") && files[0] == files[2], "{files:?}");
        let error = read(&[0, 1]).expect_err("a wrong line").to_string();
        assert!(error.starts_with("line 3, opening 2: `hello`"), "{error}");
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
