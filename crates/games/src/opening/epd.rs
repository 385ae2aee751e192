//! Opening books with one position per line.
//!
//! A line is a FEN with four to six fields. EPD opcodes may follow: `id` is the opening's name, and `hmvc`
//! and `fmvn` are the counters of a line without them. Blank lines and lines that start with `#` or, as in
//! PGN, with `%` are skipped. Moves after the position are an error: they would be dropped.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use memchr::memchr_iter;

use super::{BookFormat, Opening, OpeningError, check, other_form};
use crate::bounded::{Excess, LONGEST_LINE, MOST};
use crate::foreign_text::{MARK, decode_line};
use crate::move_reader::{self, MoveError};
use crate::position_line::PositionLine;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// Reads every line of a book; each is checked.
pub fn read_epd(text: &str) -> Result<Vec<Opening>, OpeningError> {
    let read: Result<Vec<_>, _> =
        (1..).zip(lines(text)).map(|(entry, line)| read_line(entry, line)).collect();
    read.map_err(|error| with_form(error, text))
}

/// The error of a book, or that it has the form of the other format.
fn with_form(error: OpeningError, text: &str) -> OpeningError {
    match other_form(text, BookFormat::Epd) {
        Some(found) => OpeningError::OtherForm { format: BookFormat::Epd, found },
        None => error,
    }
}

/// Reads the entries that `select` names by their indices, in its order; it gets the number of entries. The
/// whole book is read once to find where its entries begin. Only those that are wanted are read again and
/// parsed, so that memory does not depend on the length of the lines.
pub(super) fn read_selected<S: BufRead + Seek>(
    mut source: S,
    select: impl FnOnce(usize) -> Vec<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let starts = entry_starts(&mut source)?;
    let mut line = Vec::new();
    let mut openings = Vec::new();
    for index in select(starts.len()) {
        let start = starts[index];
        source.seek(SeekFrom::Start(start.into()))?;
        line.clear();
        source.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line)?;
        let (text, _) = decode_line(&line);
        let text = text.trim();
        match read_entry(text) {
            Ok(opening) => openings.push(opening),
            Err((cause, remedy)) => {
                // Offsets are kept, and line numbers are not: lines are counted only for an error.
                let number = line_number(&mut source, start)?;
                let text = text.to_owned();
                let error = OpeningError::Entry { line: number, entry: index + 1, text, cause, remedy };
                return Err(with_form(error, &head(&mut source)?));
            }
        }
    }
    Ok(openings)
}

/// The first lines of a book.
fn head(source: &mut (impl BufRead + Seek)) -> io::Result<String> {
    const ENOUGH: u64 = 4096;
    // The first entry shows the form of a book.
    let mut bytes = Vec::new();
    source.rewind()?;
    source.take(ENOUGH).read_to_end(&mut bytes)?;
    Ok(decode_line(bytes.strip_prefix(MARK).unwrap_or(&bytes)).0.into_owned())
}

/// The offsets of the lines that are entries. Four bytes are enough for each: [`MOST`] is 1 GiB.
fn entry_starts(source: &mut impl BufRead) -> Result<Vec<u32>, OpeningError> {
    let (mut starts, mut line) = (Vec::new(), Vec::new());
    let (mut start, mut number) = (0_usize, 0);
    loop {
        line.clear();
        number += 1;
        let length = source.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok(starts);
        }
        if length > LONGEST_LINE {
            return Err(Excess::Line { line: number }.into());
        }
        // A byte order mark would make a comment in the first line an entry.
        let mark = if start == 0 && line.starts_with(MARK) { MARK.len() } else { 0 };
        if is_entry(&line[mark..]) {
            starts.push(u32::try_from(start + mark).map_err(|_| Excess::Whole)?);
        }
        start += length;
        if start > MOST {
            return Err(Excess::Whole.into());
        }
    }
}

/// Is a line an entry, neither blank nor a comment?
fn is_entry(line: &[u8]) -> bool {
    match line.trim_ascii().first() {
        None | Some(b'#' | b'%') => false,
        Some(first) if first.is_ascii_graphic() => true,
        // Other white space of Unicode, perhaps.
        Some(_) => is_entry_text(String::from_utf8_lossy(line).trim()),
    }
}

fn is_entry_text(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['#', '%'])
}

/// The number, from 1, of the line that begins at an offset.
fn line_number(source: &mut (impl BufRead + Seek), start: u32) -> io::Result<usize> {
    source.rewind()?;
    let mut before = source.by_ref().take(start.into());
    let mut number = 1;
    loop {
        let piece = before.fill_buf()?;
        let length = piece.len();
        if length == 0 {
            return Ok(number);
        }
        number += memchr_iter(b'\n', piece).count();
        before.consume(length);
    }
}

/// The lines that are entries, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| is_entry_text(line))
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
    let entry = PositionLine::parse(entry);
    let history = GamePosition::parse(&entry.fen(), "").map_err(|error| {
        (
            error.to_string(),
            "write a position such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1`, or without the counters",
        )
    })?;
    check(&history)?;
    if let Some(word) = move_after_position(&history, &entry.operations) {
        let cause =
            format!("`{word}` after the position is no operation of EPD, and moves are not read here");
        return Err((cause, "give the position after the moves, or write a book of games in a file `.pgn`"));
    }
    Ok(Opening { history, eco: None, name: entry.operand("id").map(str::to_owned) })
}

/// A move, a move number or the word `moves` in the place of an operation's code. `c3 "a comment"` is an
/// operation.
fn move_after_position<'o>(position: &GamePosition, operations: &'o [(String, String)]) -> Option<&'o str> {
    let referee = operations.first().and_then(|_| Referee::new(position).ok())?;
    let is_move = |word: &str| {
        matches!(
            move_reader::parse_move(&referee, word),
            // An illegal move is meant as a move, too.
            Ok(_) | Err(MoveError::Illegal(_) | MoveError::Ambiguous(_))
        )
    };
    let is_number =
        |word: &str| word.starts_with(|first: char| first.is_ascii_digit()) && word.ends_with('.');
    let is_part = |word: &str| word == "moves" || is_number(word) || is_move(word);
    let is_comment = |code: &str, operand: &str| {
        let is_code = matches!(code.as_bytes(), [b'c', b'0'..=b'9']);
        is_code && operand.split_whitespace().next().is_some_and(|first| !is_part(first))
    };
    let found = operations.iter().find(|(code, operand)| is_part(code) && !is_comment(code, operand));
    found.map(|(code, _)| code.as_str())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn epd_openings_have_four_to_six_fields() {
        let text = "\u{20}# our own\r\n\
            % of two kings\n\
            4k3/8/8/8/8/8/4P3/4K3 w - -\r\n\
            \n\
            4k3/8/8/8/8/8/4P3/4K3 b - - 7 30\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"pawn, free\"; c0 \"x\";\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - 3 9 id \"counted\"; c3 \"white wins\"; c4 draw;\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 5; fmvn 12;\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 5;\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - 10\n\
            4k3/8/8/8/8/8/4P3/4K3 w - - - 0 1;";
        let read: Vec<_> = read_epd(text)
            .expect("sound")
            .into_iter()
            .map(|opening| (opening.history.start.to_string(), opening.name))
            .collect();
        let name = |name: &str| Some(name.to_owned());
        let expected = [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/4P3/4K3 b - - 7 30", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", name("pawn, free")),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", name("counted")),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 12", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 5 1", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 10 1", None),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None),
        ];
        assert_eq!(read, expected.map(|(fen, name)| (fen.to_owned(), name)));
    }

    fn selected(book: &[u8], indices: &[usize]) -> Result<Vec<String>, OpeningError> {
        let openings = read_selected(Cursor::new(book), |_| indices.to_vec())?;
        Ok(openings.iter().map(|opening| opening.history.start.to_string()).collect())
    }

    #[test]
    fn only_selected_entries_are_read() {
        let book =
            b"# two sound lines\r\n4k3/8/8/8/8/8/4P3/4K3 w - -\r\nhello\n\n\xff\n4k3/8/8/8/8/8/3P4/4K3 w - -";
        let files = selected(book, &[3, 0, 3]).expect("sound lines");
        assert!(files[0].contains("3P4") && files[1].contains("4P3") && files[0] == files[2], "{files:?}");
        let error = |index| selected(book, &[0, index]).expect_err("a wrong line").to_string();
        assert!(error(1).starts_with("line 3, opening 2: `hello`"), "{}", error(1));
        assert!(error(2).starts_with("line 5, opening 3: `ÿ`"), "{}", error(2));
        let number = |book: &[u8]| {
            let mut number = None;
            _ = read_selected(Cursor::new(book), |size| {
                number = Some(size);
                Vec::new()
            });
            number
        };
        assert_eq!(number(book), Some(4));
        assert_eq!(number(b""), Some(0));
        assert_eq!(number(&vec![b' '; LONGEST_LINE + 1]), None, "the line is too long");
    }

    #[test]
    fn entries_are_the_same_lines_in_a_text_and_in_a_stream() {
        let odd = "\u{a0}\n%\n\u{a0}# x\n\u{a0}4k3/8/8/8/8/8/4P3/4K3 w - -\n\u{b}\n \t\r\n#\n\n x \n\r\n\u{feff}#\n5\r";
        let starts = entry_starts(&mut Cursor::new(odd)).expect("short lines");
        let of_text: Vec<usize> = lines(odd).map(|(number, _)| number).collect();
        let numbers = starts.iter().map(|&start| line_number(&mut Cursor::new(odd), start).expect("memory"));
        assert_eq!(numbers.collect::<Vec<_>>(), of_text);
        assert_eq!(of_text, [4, 9, 11, 12]);
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
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc x; fmvn 12;",
                ["line 2, opening 2", "is not a FEN", "write a position such as"],
            ),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 e4",
                ["opening 2", "`e4` after the position", "in a file `.pgn`"],
            ),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 1. e4 Kd7", ["opening 2", "`1.` after", "give the position"]),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\"; e8d7;",
                ["opening 2", "`e8d7` after", "give the position"],
            ),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4",
                ["opening 2", "`moves` after", "give the position"],
            ),
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
