//! Shipped files are proven; changed ones are rejected.

use std::num::NonZeroUsize;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::*;
use crate::trap::TrapClass;
use crate::trap::counts::{TrapCounts, by_difficulty, by_ending};
use crate::trap::csv_file::{self, render};
use crate::traps::{TrapQuota, mine};

const TRAPS: &str = include_str!("../../../../positions/traps.csv");
const MATES: &str = include_str!("../../../../positions/mates.epd");
const FIFTY: &str = include_str!("../../../../positions/fifty.csv");
const BONUS: &str = include_str!("../../../../positions/perpetual-bonus.csv");
const OPENINGS: &str = include_str!("../../../../positions/openings.epd");

/// Tables are slow without optimisation, so all tests share one set.
static TABLES: LazyLock<Mutex<Tables>> =
    LazyLock::new(|| Mutex::new(Tables::new(NonZeroUsize::new(2).expect("two"))));

fn checked(file: &str, text: &str) -> Result<ProofCounts, String> {
    let kind = FileKind::for_file(file).expect(file);
    let source_file = SourceFile { file: "shipped".to_owned(), text: text.to_owned() };
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let results =
        check(&[(kind, source_file)], &mut tables, &mut |_| {}).map_err(|error| error.to_string())?;
    results.into_iter().next().expect("one file").map_err(|refused| refused.to_string())
}

/// The lines that pass, and all comments and headers.
fn only(text: &str, mut passes: impl FnMut(&str) -> bool) -> String {
    let head = |line: &str| line.starts_with('#') || line.starts_with("id,");
    text.split_inclusive('\n').filter(|line| head(line) || passes(line)).collect()
}

#[test]
fn shipped_positions_are_proven() {
    // All of it needs four-piece tables: `threefold positions check` does that.
    let pawn = only(TRAPS, |line| line.contains(".KPK."));
    let proven = checked("traps.csv", &pawn).expect("proven");
    assert!(proven.by_tables >= 5, "{proven:?}");
    let mut perpetuals = 0;
    let found = only(TRAPS, |line| line.starts_with("perpetual-find."));
    let found = only(&found, |_| {
        perpetuals += 1;
        perpetuals <= 3
    });
    assert_eq!(checked("traps.csv", &found).map(|checked| checked.by_search), Ok(3));
    let mut mates = 0;
    let short = only(MATES, |line| {
        mates += usize::from(line.contains("\"search, "));
        line.contains("\"search, ")
            && mates % 8 == 0
            && ["#1;", "#-1;", "#2;", "#-2;", "#3;"].iter().any(|it| line.contains(it))
    });
    assert!(checked("mates.epd", &short).expect("proven").by_search >= 8);
    let mut openings = 0;
    let some = only(OPENINGS, |_| {
        openings += 1;
        openings % 50 == 0
    });
    assert_eq!(checked("openings.epd", &some).map(|proven| proven.by_rules), Ok(40));
    assert_eq!(openings, 2000);
    assert_eq!(checked("fifty.csv", FIFTY).map(|proven| proven.by_tables), Ok(36));
    assert_eq!(checked("perpetual-bonus.csv", BONUS).map(|proven| proven.by_rules), Ok(24));
}

#[test]
fn corrupted_bonus_cases_are_refused() {
    let row = only(BONUS, |line| line.starts_with("bonus-harms.004,"));
    assert!(checked("perpetual-bonus.csv", &row).is_ok());
    for (right, wrong) in [
        (",win,", ",draw,"),
        (",judged,", ",search,"),
        (",h3g5,f4g4,", ",f4g4,h3g5,"),
        (",bonus-harms,", ",bonus-helps,"),
        (",bonus-harms,", ",other,"),
        // The position occurs for the first time, so that no check leads to a third occurrence.
        ("g2f1 g4f4 f1g2 f4g4 g2f1 g4f4 f1g2", "g2f1 g4f4 f1g2"),
    ] {
        let changed = row.replacen(right, wrong, 1);
        assert!(changed != row && checked("perpetual-bonus.csv", &changed).is_err(), "{wrong}");
    }
}

#[test]
fn corrupted_fifty_move_counters_are_refused() {
    let row = only(FIFTY, |line| line.starts_with("keyed.001,"));
    assert!(checked("fifty.csv", &row).is_ok());
    for (right, wrong) in
        [(",draw,", ",win,"), (",0,tablebase", ",5,tablebase"), (",keyed,", ",late,"), (",keyed,", ",other,")]
    {
        let changed = row.replacen(right, wrong, 1);
        assert!(changed != row && checked("fifty.csv", &changed).is_err(), "{wrong}");
    }
}

#[test]
fn corrupted_traps_of_every_class_are_refused() {
    // Two pawns on adjacent files need four-piece tables: see the test below.
    for &class in TrapClass::ALL.iter().filter(|&&class| class != TrapClass::LiveEnPassant) {
        let start = match class.proof() {
            ProofMethod::Search => format!("{class}."),
            ProofMethod::Tablebase => format!("{class}.KPK."),
        };
        let mut rows = 0;
        let row = only(TRAPS, |line| {
            rows += usize::from(line.starts_with(&start));
            line.starts_with(&start) && rows == 1
        });
        assert!(rows > 0, "no {class} that is quickly proven ships");
        corrupt_everywhere(class, &row);
    }
}

#[test]
fn mined_traps_depend_on_the_seed_only_and_are_proven() {
    let mut tables = Tables::new(NonZeroUsize::MIN);
    tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
    let want = TrapQuota { class: TrapClass::OnlyWinRepeats, count: 4 };
    let mined = |threads| mine(&tables, 3, want, NonZeroUsize::new(threads).expect("some"), &|| {});
    let traps = mined(1);
    assert_eq!(mined(3), traps);
    let rows: Vec<_> = traps.iter().map(|graded| (graded.trap.class.name(), graded)).collect();
    let text = render(csv_file::TITLE, "a test", &rows);
    assert_eq!(checked("traps.csv", &text).map(|checked| checked.by_tables), Ok(4));
    let TrapCounts { header, rows } = by_ending(&traps);
    assert_eq!(header, ["class", "KPK", "all"]);
    assert_eq!(rows, [["only-win-repeats", "4", "4"], ["all", "4", "4"]]);
    let graded = by_difficulty(&traps).rows;
    let counts: usize = graded[0][1..4].iter().map(|count| count.parse::<usize>().expect("a count")).sum();
    assert_eq!(counts, 4, "each has one grade: {graded:?}");
}

#[test]
fn corrupted_four_piece_rows_are_refused() {
    let class = TrapClass::LiveEnPassant;
    corrupt_everywhere(class, &only(TRAPS, |line| line.contains(".001") && line.starts_with(class.name())));
}

/// A row passes, and fails when a column is changed, its history is shifted or it has another class.
fn corrupt_everywhere(class: TrapClass, row: &str) {
    checked("traps.csv", row).unwrap_or_else(|error| panic!("{class}: {error}"));
    let (best, avoid) = (field(row, "best"), field(row, "avoid"));
    let swapped = corrupted(&corrupted(row, "avoid", ""), "best", &avoid);
    assert!(checked("traps.csv", &swapped).is_err(), "{class}: {avoid} for {best}");
    let columns = [
        ("moves", ""),
        ("avoid", ""),
        ("result", "loss"),
        ("dtm", "99"),
        ("after", "99"),
        ("erred", "99"),
        ("pull", "7"),
        ("depth", "99"),
        ("grade", "unheard"),
        ("note", "because"),
    ];
    // If the counter decides, there may be no history to shift.
    let history = field(row, "moves");
    for (column, value) in columns.into_iter().filter(|&(column, _)| column != "moves" || !history.is_empty())
    {
        let error = checked("traps.csv", &corrupted(row, column, value)).expect_err(column);
        assert!(error.starts_with("shipped:"), "{class} {column}: {error}");
    }
    for other in TrapClass::ALL.iter().filter(|&&other| other != class) {
        checked("traps.csv", &corrupted(row, "class", other.name())).expect_err(other.name());
    }
}

/// A field of a file's only row.
fn field(text: &str, column: &str) -> String {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a row").expect("sound");
    let cell = header.iter().zip(&row).find(|(name, _)| *name == column);
    cell.map(|(_, cell)| cell.to_owned()).expect("a column")
}

/// A file with one field of its only row changed.
fn corrupted(text: &str, column: &str, value: &str) -> String {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a row").expect("sound");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect("memory");
    let fields = header.iter().zip(&row).map(|(name, field)| if name == column { value } else { field });
    writer.write_record(fields).expect("memory");
    String::from_utf8(writer.into_inner().expect("memory")).expect("text")
}

#[test]
fn false_mates_and_invalid_openings_are_refused() {
    let table = [
        ("mates.epd", "k7/8/1K6/8/8/8/8/1R6 w - - bm #3; id \"a\";", "`bm #3` is not proven: mate 2"),
        ("mates.epd", "k7/8/1K6/8/8/8/8/1R6 w - - bm #2; id \"a\"; PV: b1h1;", "`PV` does not mate"),
        ("mates.epd", "k7/8/1K6/8/8/8/8/1R6 w - - id \"a\";", "no distance"),
        ("mates.epd", "6k1/5ppp/8/8/8/8/PPP5/K2R4 w - - bm #-1; id \"a\";", "`bm #-1` is not proven: mate 1"),
        ("openings.epd", "4k3/8/8/8/8/8/8/R3K3 w - - id \"a\";", "material is unbalanced"),
        (
            "openings.epd",
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - id \"a\";",
            "a search of 20000 nodes finds more than 150",
        ),
        ("conversions.epd", "4k3/8/4K3/4P3/8/8/8/8 w - - dm 12; id \"a\";", "`dm` says `12`, proven is `11`"),
        ("conversions.epd", "4k3/8/4K3/4P3/8/8/8/8 w - - 80 90 dm 11; id \"a\";", "mate takes 21 plies"),
        ("conversions.epd", "4k3/4P3/4K3/8/8/8/8/8 b - - dm 11; id \"a\";", "does not win"),
        ("defences.epd", "4k3/8/4K3/4P3/8/8/8/8 w - - dm 11; id \"a\";", "the side to move wins"),
        (
            "defences.epd",
            "8/8/8/8/8/8/8/K1k5 w - - result \"draw\"; id \"a\";",
            "moves draw: too few moves lose",
        ),
        (
            "openings.epd",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a\"; c0 \"e2e4\";",
            "`c0` leads elsewhere",
        ),
    ];
    for (kind, line, what) in table {
        let error = checked(kind, line).expect_err(what);
        assert!(error.contains("shipped:1: `a`: ") && error.contains(what), "{error}");
    }
    let mated = "6k1/5ppp/8/8/8/8/PPP5/K2R4 w - - bm #1; id \"a\";\n6k1/5ppp/8/8/8/8/PPP5/K2R4 w - - bm #1; id \"b\";\n";
    assert!(checked("mates.epd", mated).expect_err("twice").contains("the position occurs above already"));
    let twice = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"a\";\n\
                 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"b\";\n";
    assert!(checked("openings.epd", twice).expect_err("twice").contains("occurs above already"));
}
