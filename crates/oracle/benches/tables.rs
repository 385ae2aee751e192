//! Cost of tables: building one, and probing through a mapped file.
//!
//! `cargo bench --bench tables`. Probes use random addresses, so that a table of 11 million entries does not
//! stay in the L1 or L2 cache. `address` is the bare look-up, and `position` starts from a shakmaty board.
//! `read` is a probe without a mapped file: one `read_at`. `making` builds a table.

#![expect(clippy::disallowed_methods, reason = "a file to map is written here")]

use std::fs::{self, File};
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::os::unix::fs::FileExt;

use divan::counter::ItemsCount;
use divan::{Bencher, bench};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::Chess;
use tempfile::TempDir;
use threefold_oracle::{Material, Tables};

/// Probes per benchmark sample.
const PROBES: usize = 100_000;

fn main() {
    divan::main();
}

fn material(name: &str) -> Material {
    name.parse().expect("a material")
}

/// A table and those of all its conversions, mapped from files.
fn mapped(name: &str) -> (TempDir, Tables) {
    let folder = TempDir::new().expect("a folder");
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut tables = Tables::new(cores);
    tables
        .make(&[material(name)], &mut |table| {
            let file = folder.path().join(Tables::file_name(table.material()));
            fs::write(file, table.bytes()).expect("the folder is ours");
        })
        .expect("few pieces");
    let mut mapped = Tables::with_folder(cores, folder.path());
    mapped.make(&[material(name)], &mut |_| {}).expect("just written");
    (folder, mapped)
}

/// Random addresses below a limit.
fn addresses(below: usize) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    (0..PROBES).map(|_| rng.random_range(0..below)).collect()
}

const TABLES: &[&str] = &["KQK", "KQKR", "KRKP"];

#[bench(args = TABLES)]
fn address(bencher: Bencher, name: &str) {
    let (_folder, tables) = mapped(name);
    let table = tables.table(material(name)).expect("mapped");
    let addresses = addresses(table.addresses());
    bencher.counter(ItemsCount::new(PROBES)).bench_local(|| {
        for &address in &addresses {
            black_box(table.value_at(address));
        }
    });
}

#[bench(args = TABLES)]
fn position(bencher: Bencher, name: &str) {
    let (_folder, tables) = mapped(name);
    let table = tables.table(material(name)).expect("mapped");
    let positions: Vec<Chess> =
        addresses(table.addresses()).into_iter().filter_map(|address| table.position(address)).collect();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in &positions {
            black_box(tables.probe(position));
        }
    });
}

#[bench(args = TABLES)]
fn read(bencher: Bencher, name: &str) {
    let (folder, tables) = mapped(name);
    let file = File::open(folder.path().join(Tables::file_name(material(name)))).expect("just written");
    let length = tables.table(material(name)).expect("mapped").bytes().len();
    let offsets = addresses(length - 2);
    bencher.counter(ItemsCount::new(PROBES)).bench_local(|| {
        for &offset in &offsets {
            let mut bytes = [0; 2];
            file.read_exact_at(&mut bytes, offset as u64).expect("inside the file");
            black_box(bytes);
        }
    });
}

#[bench(args = ["KPK", "KBNK", "KQKR"], sample_count = 3)]
fn making(name: &str) -> usize {
    let mut tables = Tables::new(NonZeroUsize::MIN);
    tables.make(&[material(name)], &mut |_| {}).expect("few pieces");
    tables.table(material(name)).expect("made").bytes().len()
}
