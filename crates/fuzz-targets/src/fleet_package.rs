//! The package of a run, which workers fetch: its specification, its engines and their files.
//!
//! As with [messages](crate::fleet_message), each input is also tried as the text that is compressed.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use threefold_fleet::engine_files::{EngineFile, FileHash, MOST_BYTES, MOST_FILES, Signature};
use threefold_fleet::package::{PackedEngine, RunPackage};
use threefold_fleet::protocol;
use threefold_player::{EngineSource, EngineSpec};
use threefold_run::RunSpec;
use threefold_run::journal::rows;
use threefold_run::prepared::PreparedRun;

use crate::{Accepted, Target, reads_back};

/// The fuzz target `fleet_package`.
pub const TARGET: Target = Target { name: "fleet_package", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\\"",
    "null",
    "0",
    "1",
    "536870913",
    "\"version\":1",
    "\"version\":2",
    "\"spec\":",
    "\"engines\":",
    "\"name\":",
    "\"text\":",
    "\"files\":",
    "\"size\":",
    "\"sha256\":",
    "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
    "\"role\":",
    "\"data\"",
    "{\"program\":",
    "\"format\":",
    "\"elf\"",
    "\"architectures\":",
    "\"x86_64\"",
    "\"signatures\":",
    "./engine",
    "net.nnue",
    "../",
    "/",
    "\\\\",
    "C:",
    "dir=/",
    "stderr=/x",
    "book=",
    "\\u0000",
    "",
];

/// The folder of a worker's copies.
const STORE: &str = "/store";

/// Reads the bytes unchanged, and as the text of a compressed package.
pub fn check(bytes: &[u8]) -> Accepted {
    let packed = protocol::compress(bytes).expect("a slice is readable");
    let packages = [bytes, &packed].map(RunPackage::unpack);
    Accepted(packages.into_iter().flatten().map(|package| hold(&package)).sum())
}

/// Checks a package; returns 1, and 1 more for a specification.
fn hold(package: &RunPackage) -> usize {
    let again = RunPackage::unpack(&package.pack().expect("a slice is readable")).expect("its own bytes");
    assert_eq!(&again, package);
    for signature in &package.signatures {
        assert_eq!(reads_back::<Signature>(&signature.to_string()), 1);
    }
    for engine in &package.engines {
        files(engine);
    }
    rows::read_spec(&package.spec).map_or(1, |spec| 1 + run(package, &spec))
}

/// A worker's copy of a file is in its store, whatever its name.
fn files(engine: &PackedEngine) {
    let files = engine.files.files();
    assert!(files.len() <= MOST_FILES);
    for (index, file) in files.iter().enumerate() {
        let mut parts = Path::new(&file.name).components();
        assert!(matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)), "{file:?}");
        assert!(file.size <= MOST_BYTES, "{file:?}");
        assert_eq!(reads_back::<FileHash>(file.sha256.as_str()), 1);
        assert!(index == 0 || !file.is_program(), "{file:?}");
    }
}

/// Prepares the run; 1 if that succeeds. A program or a book that is not in the list is never used.
fn run(package: &RunPackage, spec: &RunSpec) -> usize {
    for named in spec.parts.iter().flat_map(|part| part.task.engines()) {
        for engine in &package.engines {
            let place = |file: &EngineFile| PathBuf::from(STORE).join(&file.name);
            if let Ok(local) = engine.files.relocate(named, &place) {
                relocated(named, &local);
            }
        }
    }
    let Ok(prepared) = PreparedRun::prepare(Arc::new(spec.clone())) else { return 0 };
    assert_eq!(prepared.scheduler().parts().count(), spec.parts.len());
    1
}

fn relocated(named: &EngineSpec, local: &EngineSpec) {
    assert_eq!((&local.name, &local.text), (&named.name, &named.text));
    assert!(local.stderr.is_none(), "{local:?}");
    if let EngineSource::Command { program, dir, .. } = &local.source {
        assert!(Path::new(program).starts_with(STORE) && dir.is_none(), "{local:?}");
    }
    assert!(local.book.as_ref().is_none_or(|book| book.starts_with(STORE)), "{local:?}");
}
