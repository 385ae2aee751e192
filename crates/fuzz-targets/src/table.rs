//! Files of endgame tables.
//!
//! A table file has a checksum, so random changes are refused. To reach the code after the checksum, each
//! input is also tried with a correct checksum. An accepted table must then answer at every address without a
//! panic; the answers may be wrong.

use std::collections::HashMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use shakmaty::Color;
use threefold_oracle::table::Table;
use threefold_oracle::{Material, Tables};
use xxhash_rust::xxh3::Xxh3Default;

use crate::{Accepted, Target};

/// The fuzz target `table`.
pub const TARGET: Target = Target { name: "table", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "3foldDTM",
    "\u{1}\0\0\0",
    "KRK\0\0\0\0\0\0\0\0\0\0\0\0\0",
    "KNK\0\0\0\0\0\0\0\0\0\0\0\0\0",
    "KRKR",
    "\0",
    "\0\0",
    "\0\0\0\0\0\0\0\0",
    "\u{1}\0",
    "\u{2}\0",
    "\u{7f}\u{7f}",
];

/// Positions of the material and the checksum in a file.
const NAME: std::ops::Range<usize> = 12..28;
const CHECKSUM: std::ops::Range<usize> = 36..44;

/// Maps the file unchanged, and with a correct checksum.
pub fn check(bytes: &[u8]) -> Accepted {
    let material = material(bytes);
    let Some(table) = mapped(material, bytes) else {
        if let Some(table) = sealed(bytes).and_then(|bytes| mapped(material, &bytes)) {
            answers(&table);
        }
        return Accepted(0);
    };
    answers(&table);
    let ours = ours(material);
    let ours = ours.table(material).expect("made");
    assert_eq!(table.addresses(), ours.addresses());
    for address in 0..table.addresses() {
        assert_eq!(table.value_at(address), ours.value_at(address), "{material}, address {address}");
    }
    Accepted(1)
}

/// The material in the bytes, if it has three pieces; or else KRK.
fn material(bytes: &[u8]) -> Material {
    let named = bytes.get(NAME).map(String::from_utf8_lossy);
    let named = named.and_then(|name| name.trim_end_matches('\0').parse::<Material>().ok());
    let fits = |material: &Material| material.piece_count() == 3 && material.canonical().0 == *material;
    named.filter(fits).unwrap_or_else(|| "KRK".parse().expect("a material"))
}

/// The table of a file with these bytes, if it is accepted.
fn mapped(material: Material, bytes: &[u8]) -> Option<Table> {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("space for a three-piece table");
    Table::map(material, file.path()).ok()
}

/// Probes every address of a table.
fn answers(table: &Table) {
    for address in 0..table.addresses() {
        let _ = table.value_at(address);
    }
    for address in [0, 1, table.addresses() / 2, table.addresses() - 1] {
        let _ = table.position(address);
    }
    assert_eq!(table.value_at(table.addresses()), None, "no value after the end");
    let _ = Color::ALL.map(|winner| table.longest_win(winner));
}

/// The bytes with a correct checksum.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut sealed = bytes.to_vec();
    let mut sum = Xxh3Default::new();
    sum.update(sealed.get(..CHECKSUM.start)?);
    sum.update(sealed.get(CHECKSUM.end..)?);
    sealed[CHECKSUM].copy_from_slice(&sum.digest().to_le_bytes());
    Some(sealed)
}

/// A table of this material, built once in this process.
fn ours(material: Material) -> Arc<Tables> {
    static MADE: LazyLock<Mutex<HashMap<Material, Arc<Tables>>>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let tables = made.entry(material).or_insert_with(|| {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&[material], &mut |_| {}).expect("three pieces");
        Arc::new(tables)
    });
    Arc::clone(tables)
}
