//! The parts of a target: a row of `TARGETS`, a file in `fuzz/fuzz_targets`, a binary of `fuzz/Cargo.toml`, a
//! corpus.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use threefold_fuzz_targets::TARGETS;

/// Maximum size of all corpora in bytes, because every clone downloads them.
const LARGEST: u64 = 500_000;

/// Removes a part.
type Spoil = fn(&mut Inventory);

/// The existing parts.
#[derive(Debug, Clone)]
pub(crate) struct Inventory {
    rows: BTreeSet<String>,
    /// Files by target, with their text.
    files: BTreeMap<String, String>,
    binaries: BTreeSet<String>,
    /// Number of files in each corpus.
    corpora: BTreeMap<String, usize>,
    corpus_bytes: u64,
}

/// Reads the folder of cargo-fuzz.
pub(crate) fn read(fuzz: &Path) -> Inventory {
    let list = |folder: &str| {
        let entries =
            fs::read_dir(fuzz.join(folder)).unwrap_or_else(|error| panic!("fuzz/{folder}: {error}"));
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let text =
        |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let manifest: toml::Table = text(&fuzz.join("Cargo.toml")).parse().expect("a manifest is TOML");
    let binaries = manifest["bin"].as_array().expect("binaries").iter();
    let mut corpus_bytes = 0;
    let mut count = |folder: &Path| {
        let files = fs::read_dir(folder).expect("a corpus is a folder");
        files.map(|file| corpus_bytes += file.expect("a file").metadata().expect("its size").len()).count()
    };
    let corpora = list("corpus").iter().map(|folder| (stem(folder), count(folder))).collect();
    Inventory {
        rows: TARGETS.iter().map(|target| target.name.to_owned()).collect(),
        files: list("fuzz_targets").iter().map(|path| (stem(path), text(path))).collect(),
        binaries: binaries.filter_map(|binary| Some(binary["name"].as_str()?.to_owned())).collect(),
        corpora,
        corpus_bytes,
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

impl Inventory {
    /// The missing parts.
    pub(crate) fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        let mut names = self.rows.clone();
        names.extend(self.files.keys().chain(&self.binaries).chain(self.corpora.keys()).cloned());
        for name in &names {
            if !self.rows.contains(name) {
                gaps.push(format!("{name}: no row of TARGETS in crates/fuzz-targets/src/lib.rs"));
            }
            match self.files.get(name) {
                None => gaps.push(format!("{name}: no fuzz/fuzz_targets/{name}.rs")),
                Some(text) if !text.contains(&format!("threefold_fuzz_targets::{name}::check(")) => {
                    gaps.push(format!("{name}: fuzz/fuzz_targets/{name}.rs does not call {name}::check"));
                }
                Some(_) => {}
            }
            if !self.binaries.contains(name) {
                gaps.push(format!("{name}: no [[bin]] in fuzz/Cargo.toml"));
            }
            if self.corpora.get(name).is_none_or(|&files| files == 0) {
                gaps.push(format!("{name}: no file in fuzz/corpus/{name}"));
            }
        }
        if self.corpus_bytes > LARGEST {
            gaps.push(format!("fuzz/corpus has {} bytes, and may have {LARGEST}", self.corpus_bytes));
        }
        gaps
    }
}

/// Counterexamples: each part that can be missing.
pub(crate) fn every_gap_is_named() {
    let set = || BTreeSet::from(["epd".to_owned()]);
    let sound = Inventory {
        rows: set(),
        files: BTreeMap::from([("epd".to_owned(), "threefold_fuzz_targets::epd::check(bytes)".to_owned())]),
        binaries: set(),
        corpora: BTreeMap::from([("epd".to_owned(), 1)]),
        corpus_bytes: LARGEST,
    };
    assert_eq!(sound.gaps(), Vec::<String>::new());
    let table: [(Spoil, &str); 7] = [
        (|it| it.rows.clear(), "epd: no row of TARGETS in crates/fuzz-targets/src/lib.rs"),
        (|it| it.files.clear(), "epd: no fuzz/fuzz_targets/epd.rs"),
        (
            |it| it.files.values_mut().for_each(|text| *text = text.replace("epd", "pgn")),
            "epd: fuzz/fuzz_targets/epd.rs does not call epd::check",
        ),
        (|it| it.binaries.clear(), "epd: no [[bin]] in fuzz/Cargo.toml"),
        (|it| it.corpora.clear(), "epd: no file in fuzz/corpus/epd"),
        (|it| it.corpora.values_mut().for_each(|files| *files = 0), "epd: no file in fuzz/corpus/epd"),
        (|it| it.corpus_bytes += 1, "fuzz/corpus has 500001 bytes, and may have 500000"),
    ];
    for (spoil, gap) in table {
        let mut spoiled = sound.clone();
        spoil(&mut spoiled);
        assert_eq!(spoiled.gaps(), [gap]);
    }
    // A file without a row lacks all other parts.
    let mut stray = sound;
    stray.files.insert("stray".to_owned(), String::new());
    assert_eq!(stray.gaps().len(), 4, "{:?}", stray.gaps());
}
