//! EPD and FEN: positions of suites, and books.

use threefold_games::foreign_text::{self, NotText};
use threefold_games::opening::{self, BookFormat, OpeningError};
use threefold_games::packed::Packing;
use threefold_oracle::Referee;
use threefold_suites::{SourceFile, epd};

use crate::{Accepted, Target, cases};

/// The fuzz target `epd`.
pub const TARGET: Target = Target { name: "epd", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "k7/8/1K6/8/8/8/8/1R6 w - -",
    "k7/8/1K6/8/8/8/8/1R6 b - - 0 1",
    "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    " ",
    " ",
    "w",
    "b",
    "-",
    "KQkq",
    "AHah",
    "e3",
    "0",
    "99",
    "150",
    "65536",
    "4294967296",
    "bm",
    "am",
    "id",
    "c0",
    "hmvc",
    "fmvn",
    "acd",
    "D1",
    "D2",
    "dm",
    "PV",
    "#1",
    "Rh1",
    "- bm",
    "Rb1-h1",
    "0-0",
    "am",
    "b1h1",
    ";",
    ":",
    "\"",
    "#",
    "\n",
    "\r\n",
    "/",
    "8",
    "k",
    "K",
    "p",
    "Q",
];

/// Reads a file of positions as suites do, and as a book.
pub fn check(bytes: &[u8]) -> Accepted {
    let mut accepted = book(bytes);
    if let Ok((text, _)) = foreign_text::decode(bytes) {
        accepted += records(&SourceFile { file: "p.epd".to_owned(), text: text.into_owned() });
    }
    Accepted(accepted)
}

fn records(source_file: &SourceFile) -> usize {
    let records = match epd::parse_epd(source_file) {
        Ok(records) => records,
        Err(error) => {
            cases::line_is_there(&error, &[source_file]);
            return 0;
        }
    };
    for record in &records {
        assert!((1..=cases::lines(&source_file.text)).contains(&record.number));
        assert!(record.position.moves.is_empty());
        Referee::new(&record.position).expect("an accepted position is legal");
        assert!(!record.id().contains('\n') && !record.remarks(&[]).contains('\n'));
        // EPD has no escape for a quotation mark inside an operand.
        if record.operations.iter().all(|(code, operand)| !code.contains('"') && !operand.contains('"')) {
            let operations =
                record.operations.iter().map(|(code, operand)| format!(" {code} \"{operand}\";"));
            let text = format!("{}{}", record.position.start, operations.collect::<String>());
            let again = epd::parse_epd(&SourceFile { file: source_file.file.clone(), text: text.clone() });
            let again = again.unwrap_or_else(|error| panic!("`{text}`: {error}"));
            assert_eq!(again.len(), 1, "`{text}`");
            assert_eq!(
                (&again[0].position, &again[0].operations),
                (&record.position, &record.operations),
                "`{text}`"
            );
        }
    }
    records.len() + cases::of_every_kind(source_file)
}

fn book(bytes: &[u8]) -> usize {
    match opening::parse_book(bytes, BookFormat::Epd, None) {
        Ok(book) => {
            let mut positions = String::new();
            for opening in &book.openings {
                let referee = Referee::new(&opening.history).expect("an accepted opening is legal");
                assert_eq!(referee.ending(), None, "something is left to play");
                positions.extend([opening.history.start.to_string(), "\n".to_owned()]);
            }
            let again = opening::parse_book(positions.as_bytes(), BookFormat::Epd, None)
                .expect("a book's own positions");
            assert_eq!(again.duplicates, book.duplicates);
            assert!(
                again.openings.iter().zip(&book.openings).all(|(one, other)| one.history == other.history)
            );
            book.openings.len()
        }
        Err(error) => {
            line_is_there(&error, bytes);
            0
        }
    }
}

/// An error of a book names an existing line, of the decompressed text.
pub(crate) fn line_is_there(error: &OpeningError, bytes: &[u8]) {
    let (OpeningError::Entry { line, .. } | OpeningError::NotText(NotText::ZeroByte { line })) = error else {
        return;
    };
    let lines = cases::lines(bytes);
    assert!(
        Packing::from_first_bytes(bytes).is_some() || (1..=lines).contains(line),
        "of {lines} lines: {error}"
    );
}
