//! Tables in files: a mapped table equals the built one, and damaged files are refused.

#![expect(clippy::disallowed_methods, reason = "files are what is tested")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use shakmaty::Chess;
use tempfile::TempDir;
use threefold_oracle::table::Table;
use threefold_oracle::tables::TableError;
use threefold_oracle::{Material, ProvenValue, Tables};

fn material(name: &str) -> Material {
    name.parse().expect("a material")
}

fn made(name: &str) -> Tables {
    let mut tables = Tables::new(NonZeroUsize::MIN);
    tables.make(&[material(name)], &mut |_| {}).expect("few pieces");
    tables
}

/// KQK, a small file to damage.
static KQK: LazyLock<Vec<u8>> =
    LazyLock::new(|| made("KQK").table(material("KQK")).expect("made").bytes().to_vec());

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    fs::write(folder.join(Tables::file_name(material(name))), bytes).expect("the folder is ours");
}

#[test]
fn mapped_table_equals_the_built_one() {
    let folder = TempDir::new().expect("a folder");
    let tables = made("KPK");
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        write(folder.path(), name, tables.table(material(name)).expect("made").bytes());
    }
    let mut mapped = Tables::with_folder(NonZeroUsize::MIN, folder.path());
    mapped.make(&[material("KPK")], &mut |_| {}).expect("all there");
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        let [made, mapped] = [&tables, &mapped].map(|tables| tables.table(material(name)).expect("there"));
        assert_eq!(made.addresses(), mapped.addresses());
        assert!(
            (0..made.addresses()).all(|address| made.value_at(address) == mapped.value_at(address)),
            "{name}"
        );
    }
    let won: Chess = mapped
        .table(material("KQK"))
        .and_then(|kqk| (0..99).find_map(|address| kqk.position(address)))
        .expect("one");
    assert_eq!(mapped.probe(&won), tables.probe(&won));
    // Nothing more was written.
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 5);
}

#[test]
fn missing_tables_are_built_or_named() {
    let folder = TempDir::new().expect("a folder");
    let mut tables = Tables::with_folder(NonZeroUsize::MIN, folder.path());
    let error = tables.map(&[material("KQK")]).expect_err("no file").to_string();
    assert!(error.contains("KQK.dtm: there is no such table"), "{error}");
    assert!(error.contains("threefold tablebase build KQK --dir "), "{error}");
    tables.make(&[material("KQK")], &mut |_| {}).expect("made");
    assert!(tables.table(material("KQK")).is_some());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn renamed_table_file_is_an_error_with_a_remedy() {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), "KRK", &KQK);
    let mut tables = Tables::with_folder(NonZeroUsize::MIN, folder.path());
    let error = tables.make(&[material("KRK")], &mut |_| {}).expect_err("another material");
    assert!(matches!(error, TableError::TableFileError { .. }));
    let said = error.to_string();
    for part in ["KRK.dtm: is the table of KQK, not of KRK", "remove it", "threefold tablebase build KRK"] {
        assert!(said.contains(part), "{said}");
    }
}

/// A change to a file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Vec<(usize, u8)>),
    Cut(usize),
    Grow(Vec<u8>),
    Swap(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = 0..KQK.len();
    // The header is a fiftieth of the file, and its bytes matter most.
    let head = 0..600_usize;
    prop_oneof![
        prop::collection::vec((prop_oneof![at.clone(), head], 1..=u8::MAX), 1..6).prop_map(Damage::Flip),
        at.clone().prop_map(Damage::Cut),
        prop::collection::vec(any::<u8>(), 1..40).prop_map(Damage::Grow),
        (at.clone(), at).prop_map(|(one, other)| Damage::Swap(one, other)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]

    #[test]
    fn damaged_table_file_is_an_error_or_equal(damage in damage()) {
        let mut bytes = KQK.clone();
        match &damage {
            Damage::Flip(flips) => flips.iter().for_each(|&(at, with)| bytes[at] ^= with),
            Damage::Cut(at) => bytes.truncate(*at),
            Damage::Grow(more) => bytes.extend(more),
            Damage::Swap(one, other) => bytes.swap(*one, *other),
        }
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("KQK.dtm");
        fs::write(&file, &bytes).expect("the folder is ours");
        match Table::map(material("KQK"), &file) {
            Err(_) => prop_assert!(bytes != *KQK),
            Ok(table) => {
                let sound = made("KQK");
                let sound = sound.table(material("KQK")).expect("made");
                for address in 0..sound.addresses() {
                    prop_assert_eq!(table.value_at(address), sound.value_at(address));
                }
            }
        }
    }
}

/// KRPKR has 710 million addresses: at least ten minutes of CPU time and about 2 GB.
#[test]
#[ignore = "for its time and memory; `.ci/long` runs it"]
fn krpkr_table_matches_statistics_and_shakmaty() {
    let mut tables = Tables::new(std::thread::available_parallelism().expect("cores"));
    let krpkr = material("KRPKR");
    tables.make(&[krpkr], &mut |_| {}).expect("five pieces");
    let table = tables.table(krpkr).expect("made");
    assert_eq!(threefold_oracle::published_statistics::check(table).ok(), Some(1));
    let held = tables.verify(krpkr, NonZeroUsize::new(101).expect("a step")).expect("made").expect("agrees");
    assert!(held > 4_000_000, "{held}");
    let lucena = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1".parse::<shakmaty::fen::Fen>().expect("a FEN");
    let lucena: Chess = lucena.into_position(shakmaty::CastlingMode::Standard).expect("a position");
    assert!(matches!(tables.probe(&lucena), Some(ProvenValue::Mate(mate)) if mate.is_win()));
}
