//! Opening books.
//!
//! Every entry that a run uses is checked before a game starts: one from which no game can start is an error
//! with its line number. Input is bytes, so that a file, a test and built-in data are read in the same way.
//! Archives are unpacked (see [`packed`]).

pub mod epd;
mod mersenne_twister;
pub mod order;
pub mod pgn;

use std::collections::HashMap;
use std::io::{self, BufRead, Cursor, Seek};
use std::path::Path;

use shakmaty::EnPassantMode;
use shakmaty::fen::Epd;

use crate::bounded::{self, Excess, ReadError};
use crate::foreign_text::{self, NotText};
use crate::packed::{self, Packing, UnpackError};
use crate::pgn_tokens;
use crate::position_line;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_oracle::Referee;

pub use epd::read_epd;
pub use order::{OpeningOrder, OpeningSelection};
pub use pgn::read_pgn;

threefold_named_enum::named_enum! {
    /// The format of a book.
    pub enum BookFormat {
        /// One position per line: FEN or EPD; opcodes other than `id` are ignored.
        Epd = "epd",
        /// Games; their first moves are the openings.
        Pgn = "pgn",
    }
}

impl BookFormat {
    /// Taken from the file name: PGN if it ends in `.pgn`, with or without the end of an archive
    /// (`.pgn.zip`), EPD otherwise.
    pub fn of_file(file: &Path) -> Self {
        let ends_in =
            |path: &Path, wanted: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(wanted));
        let is_packed = ["gz", "zip", "zst"].iter().any(|end| ends_in(file, end));
        let plain = if is_packed { file.with_extension("") } else { file.to_owned() };
        if ends_in(&plain, "pgn") { Self::Pgn } else { Self::Epd }
    }

    /// What a book of this format consists of.
    const fn form(self) -> &'static str {
        match self {
            Self::Epd => "a position a line",
            Self::Pgn => "games with tags or numbered moves",
        }
    }
}

/// An opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position, with the moves that led to it if the book gives them.
    pub history: GamePosition,
    /// Its code in the Encyclopaedia of Chess Openings, such as `C20`, if the book has it.
    pub eco: Option<String>,
    /// Its name in the book.
    pub name: Option<String>,
}

impl Opening {
    /// The start position, without a name.
    pub fn start_position() -> Self {
        Self { history: GamePosition::start_position(), eco: None, name: None }
    }
}

/// Every opening of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningBook {
    /// In the book's order.
    pub openings: Vec<Opening>,
    /// Entries whose position occurred earlier in the book. They are kept; the caller decides whether they
    /// matter.
    pub duplicates: Vec<Duplicate>,
}

/// An entry with the same final position as an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duplicate {
    /// The entry, counted from 1.
    pub entry: usize,
    /// The first entry with its position, counted from 1.
    pub of: usize,
}

/// Why a book cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// It can't be unpacked.
    #[error(transparent)]
    Packed(#[from] UnpackError),
    /// The system reports an error.
    #[error("can't be read: {cause}; check the path")]
    Unreadable {
        /// The error of the system.
        cause: String,
    },
    /// Too large, or not text.
    #[error(transparent)]
    Excess(#[from] Excess),
    /// No text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// The book has the form of the other format.
    #[error(
        "is read as {format} by its name or setting, but has the form of {found}: {}; end its name in `.{found}`, or set the format {found}",
        found.form()
    )]
    OtherForm {
        /// The format it was read as.
        format: BookFormat,
        /// The format that it has.
        found: BookFormat,
    },
    /// An entry is wrong.
    #[error("line {line}, opening {entry}: `{text}`: {cause}; {remedy}")]
    Entry {
        /// The line where the entry starts, from 1.
        line: usize,
        /// The number of the entry, from 1.
        entry: usize,
        /// The wrong text.
        text: String,
        /// What is wrong with it.
        cause: String,
        /// How to correct it.
        remedy: &'static str,
    },
    /// The book has no entry.
    #[error("the book is empty; an {format} book has {wanted}")]
    Empty {
        /// The format it was read as.
        format: BookFormat,
        /// What an entry looks like.
        wanted: &'static str,
    },
}

impl From<io::Error> for OpeningError {
    fn from(error: io::Error) -> Self {
        Self::Unreadable { cause: error.to_string() }
    }
}

/// Reads a book, plain or packed. `plies` cuts a PGN game's moves; without it, the whole game is the opening.
pub fn parse_book(bytes: &[u8], format: BookFormat, plies: Option<Ply>) -> Result<OpeningBook, OpeningError> {
    let packed::Unpacked { bytes, .. } = packed::unpack(bytes)?;
    let (text, _) = foreign_text::decode(&bytes)?;
    let openings = match format {
        BookFormat::Epd => read_epd(&text)?,
        BookFormat::Pgn => read_pgn(&text, plies)?,
    };
    if openings.is_empty() {
        return Err(empty(format));
    }
    let duplicates = duplicates(&openings);
    Ok(OpeningBook { openings, duplicates })
}

/// Reads the entries of a book that `select` names by their indices, in its order; it gets the number of
/// entries. Of an EPD book the others are not parsed, and a plain one is not kept in memory.
///
/// # Errors
/// If the book cannot be read, if it has no entry, or if no game can start from a selected one.
pub fn read_selected(
    mut source: impl BufRead + Seek,
    format: BookFormat,
    plies: Option<Ply>,
    select: impl FnOnce(usize) -> Vec<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let is_plain = has_readable_lines(source.fill_buf()?);
    // The number of entries distinguishes an empty book from an empty selection.
    let mut size = 0;
    let select = |entries| {
        size = entries;
        select(entries)
    };
    let openings = match format {
        BookFormat::Epd if is_plain => epd::read_selected(source, select)?,
        BookFormat::Epd => {
            let bytes = all(source)?;
            let packed::Unpacked { bytes, .. } = packed::unpack(&bytes)?;
            let (text, _) = foreign_text::decode(&bytes)?;
            epd::read_selected(Cursor::new(text.as_bytes()), select)?
        }
        BookFormat::Pgn => {
            let openings = parse_book(&all(source)?, format, plies)?.openings;
            select(openings.len()).into_iter().map(|index| openings[index].clone()).collect()
        }
    };
    if size == 0 { Err(empty(format)) } else { Ok(openings) }
}

fn all(source: impl BufRead) -> Result<Vec<u8>, OpeningError> {
    bounded::read_bounded(source).map_err(|error| match error {
        ReadError::System(error) => error.into(),
        ReadError::Excess(excess) => excess.into(),
    })
}

/// Can a file that begins with these bytes be read line by line, without decoding it first?
fn has_readable_lines(head: &[u8]) -> bool {
    let has_old_line_ends = head.contains(&b'\r') && !head.contains(&b'\n');
    Packing::from_first_bytes(head).is_none() && !foreign_text::is_utf16(head) && !has_old_line_ends
}

/// The other format, if the first line of a text has its form.
fn other_form(text: &str, format: BookFormat) -> Option<BookFormat> {
    let lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(['#', '%', ';']));
    let line = lines.next()?;
    match format {
        BookFormat::Epd => pgn_tokens::begins_game(line).then_some(BookFormat::Pgn),
        BookFormat::Pgn => {
            position_line::is_board(line.split_whitespace().next()?).then_some(BookFormat::Epd)
        }
    }
}

/// The error of a book without an entry.
const fn empty(format: BookFormat) -> OpeningError {
    let wanted = match format {
        BookFormat::Epd => "a position a line, such as `4k3/8/8/8/8/8/4P3/4K3 w - -`",
        BookFormat::Pgn => "games, such as `1. e4 e5 *`",
    };
    OpeningError::Empty { format, wanted }
}

/// The line number, from 1, of a byte offset.
fn line_at(bytes: &[u8], offset: usize) -> usize {
    bytes[..offset.min(bytes.len())].split(|&byte| byte == b'\n').count()
}

/// Checks that a game can start here; otherwise returns the cause and the remedy.
fn check(history: &GamePosition) -> Result<(), (String, &'static str)> {
    let referee = Referee::new(history)
        .map_err(|error| (error.to_string(), "give a position and moves that the rules of chess allow"))?;
    match referee.ending() {
        None => Ok(()),
        Some(end) => Err((format!("the game is over there ({end:?})"), "leave something to play")),
    }
}

/// The openings whose position an earlier one has.
pub fn duplicates(openings: &[Opening]) -> Vec<Duplicate> {
    let mut first = HashMap::with_capacity(openings.len());
    let mut duplicates = Vec::new();
    for (entry, opening) in (1..).zip(openings) {
        let Ok(referee) = Referee::new(&opening.history) else { continue };
        // EPD has no counters: they make no other opening.
        let position = Epd::from_position(referee.position(), EnPassantMode::Legal);
        let of = *first.entry(position).or_insert(entry);
        if of != entry {
            duplicates.push(Duplicate { entry, of });
        }
    }
    duplicates
}

#[cfg(test)]
mod tests;
