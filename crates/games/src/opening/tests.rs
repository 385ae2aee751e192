//! Books of both formats, plain and packed.

use std::io::Write;

use proptest::prelude::*;

use super::*;

const BOOK: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).expect("memory takes all");
    packer.finish().expect("memory takes all")
}

#[test]
fn compressed_book_equals_a_plain_one() {
    let plain = parse_book(BOOK.as_bytes(), BookFormat::Epd, None).expect("sound");
    assert_eq!(plain.openings.len(), 2);
    assert_eq!(parse_book(&gzip(BOOK), BookFormat::Epd, None).expect("sound"), plain);
    // Compressed in two members, as parallel compressors write it.
    let members = [gzip(&BOOK[..28]), gzip(&BOOK[28..])].concat();
    assert_eq!(parse_book(&members, BookFormat::Epd, None).expect("sound"), plain);
    let torn = &gzip(BOOK)[..20];
    let error = parse_book(torn, BookFormat::Epd, None).expect_err("torn").to_string();
    assert!(error.starts_with("the gzip data is damaged"), "{error}");
}

#[test]
fn selected_openings_are_the_same_from_every_format() {
    let games = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - -\"]\n\n*\n\n[FEN \"4k3/8/8/8/8/8/3P4/4K3 w - -\"]\n\n*\n";
    for (bytes, format) in [
        (BOOK.as_bytes(), BookFormat::Epd),
        (&gzip(BOOK), BookFormat::Epd),
        (games.as_bytes(), BookFormat::Pgn),
        (&gzip(games), BookFormat::Pgn),
    ] {
        let all = parse_book(bytes, format, None).expect("sound").openings;
        let select = |indices: &[usize]| {
            read_selected(Cursor::new(bytes), format, None, |size| {
                assert_eq!(size, 2);
                indices.to_vec()
            })
        };
        assert_eq!(select(&[1, 0, 1]).expect("sound"), [all[1].clone(), all[0].clone(), all[1].clone()]);
        assert_eq!(select(&[]), Ok(Vec::new()), "a book is not empty because nothing of it is wanted");
    }
    for (bytes, format) in [(&b"# none\n"[..], BookFormat::Epd), (b"\n", BookFormat::Pgn)] {
        let error = read_selected(Cursor::new(bytes), format, None, |_| Vec::new()).expect_err("empty");
        assert!(error.to_string().starts_with("the book is empty"), "{error}");
    }
}

#[test]
fn duplicates_are_reported_by_position() {
    // The same position by another move order, and with other counters.
    let games = b"1. e4 e6 2. d4 *\n\n1. d4 e6 2. e4 *\n\n1. d4 d5 *\n";
    let book = parse_book(games, BookFormat::Pgn, None).expect("sound");
    assert_eq!(book.duplicates, [Duplicate { entry: 2, of: 1 }]);
    let lines = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 7 30\n";
    let book = parse_book(lines, BookFormat::Epd, None).expect("sound");
    assert_eq!(book.duplicates, [Duplicate { entry: 2, of: 1 }]);
}

#[test]
fn empty_book_is_refused() {
    for (bytes, format) in
        [(&b""[..], BookFormat::Epd), (b"# none\n\n", BookFormat::Epd), (b"\n", BookFormat::Pgn)]
    {
        let error = parse_book(bytes, format, None).expect_err("empty").to_string();
        assert!(error.starts_with("the book is empty"), "{error}");
    }
    let error = parse_book(b"ok\n\0", BookFormat::Epd, None).expect_err("no text").to_string();
    assert!(error.starts_with("line 2 has a zero byte"), "{error}");
}

#[test]
fn books_of_every_encoding_are_the_same() {
    let plain = parse_book(BOOK.as_bytes(), BookFormat::Epd, None).expect("sound").openings;
    let utf16: Vec<u8> =
        "\u{feff}".chars().chain(BOOK.chars()).flat_map(|letter| (letter as u16).to_le_bytes()).collect();
    let marked = [b"\xef\xbb\xbf", BOOK.as_bytes()].concat();
    let latin = [BOOK.as_bytes(), b"# M\xfcller\n"].concat();
    let old = BOOK.replace('\n', "\r").into_bytes();
    for bytes in [utf16, marked, latin, old, BOOK.replace('\n', "\r\n").into_bytes()] {
        assert_eq!(parse_book(&bytes, BookFormat::Epd, None).expect("sound").openings, plain);
        let all = read_selected(Cursor::new(&bytes), BookFormat::Epd, None, |size| (0..size).collect());
        assert_eq!(all.expect("sound"), plain, "{bytes:?}");
    }
    let games = b"\xef\xbb\xbf[Opening \"M\xfcller\"]\r\n\r\n1. e4 e5 *\r\n";
    let book = parse_book(games, BookFormat::Pgn, None).expect("sound").openings;
    assert_eq!((book.len(), book[0].name.as_deref()), (1, Some("Müller")));
}

#[test]
fn book_of_the_other_format_is_named() {
    let games = "\u{feff}[Event \"x\"]\n\n1. e4 e5 *\n";
    let table = [
        (games, BookFormat::Epd, "is read as epd by its name or setting, but has the form of pgn"),
        ("1. e4 e5 *", BookFormat::Epd, "is read as epd by its name or setting, but has the form of pgn"),
        (BOOK, BookFormat::Pgn, "is read as pgn by its name or setting, but has the form of epd"),
    ];
    for (text, format, start) in table {
        let error = parse_book(text.as_bytes(), format, None).expect_err("the other format").to_string();
        assert!(error.starts_with(start), "{error}");
        let selected = read_selected(Cursor::new(text.as_bytes()), format, None, |_| vec![0]);
        assert_eq!(selected.expect_err("the other format").to_string(), error);
    }
}

#[test]
fn book_format_follows_from_the_file_name() {
    let table = [
        ("book.epd", BookFormat::Epd),
        ("b/openings.PGN", BookFormat::Pgn),
        ("openings.pgn.gz", BookFormat::Pgn),
        ("openings.pgn.ZIP", BookFormat::Pgn),
        ("openings.pgn.zst", BookFormat::Pgn),
        ("openings.epd.gz", BookFormat::Epd),
        ("openings", BookFormat::Epd),
    ];
    for (name, format) in table {
        assert_eq!(BookFormat::of_file(Path::new(name)), format, "{name}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for &format in BookFormat::ALL {
            _ = parse_book(&bytes, format, Some(Ply(8)));
            _ = parse_book(&[&[0x1f, 0x8b, 8, 0][..], &bytes].concat(), format, None);
        }
    }

    #[test]
    fn nearly_valid_books_never_panic(
        text in "([1-3kKpPrR/]{5,40} [wb] [KQkq-]{1,4} [a-h36-]{1,2}( [0-9]{1,12}){0,3}\n){1,3}",
        moves in "(\\[FEN \"[1-8kK/]{3,20} w - -\"\\]\n\n)?([1-9]\\.|[a-hKQRBNOx1-8=+#-]{1,5}|[(){};%*]|\n| ){0,60}",
    ) {
        _ = parse_book(text.as_bytes(), BookFormat::Epd, None);
        _ = parse_book(moves.as_bytes(), BookFormat::Pgn, None);
    }
}
