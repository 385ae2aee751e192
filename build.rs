//! Compresses suites, positions and Echo's baseline into the program, so that it works in any folder, and
//! gives the program its version text.
//!
//! Every file of these folders is packed: a new one needs no line here. They are packed one by one, and
//! unpacked when they are asked for. gzip, since flate2 is there in any case; zstd would save a seventh, and
//! have its C library compiled once more for this script.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

#[path = "build/version.rs"]
mod version;

/// The folders that are packed, seen from the package's root.
const FOLDERS: [&str; 3] = ["suites", "positions", "reports/baseline"];

#[expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and the package, and writes to the build's folder"
)]
fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let commit = version::commit(Path::new("."));
    // Without a commit nothing is watched: a missing file would have Cargo run this script in each build.
    for file in commit.iter().flat_map(|commit| &commit.watched) {
        println!("cargo::rerun-if-changed={file}");
    }
    let version = version::text(env!("CARGO_PKG_VERSION"), commit.as_ref(), &out);
    println!("cargo::rustc-env=THREEFOLD_VERSION={version}");
    let mut table = String::from("/// Every file that is built in, in the order of their paths.\n");
    table.push_str("static FILES: &[BuiltIn] = &[\n");
    println!("cargo::rerun-if-changed=build.rs");
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={folder}");
        for name in names(Path::new(folder))? {
            let path = format!("{folder}/{name}");
            let packed = format!("{}.gz", path.replace('/', "-"));
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&fs::read(&path)?)?;
            fs::write(out.join(&packed), encoder.finish()?)?;
            let bytes = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{packed}\"))");
            writeln!(table, "    BuiltIn {{ path: \"{path}\", packed: {bytes} }},")?;
        }
    }
    table.push_str("];\n");
    fs::write(out.join("built_in.rs"), table)?;
    Ok(())
}

/// The names of a folder's files, without those that editors and systems hide.
fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry
            .file_name()
            .into_string()
            .map_err(|name| format!("{}: {} is no text", folder.display(), name.display()))?;
        if entry.file_type()?.is_file() && !name.starts_with('.') {
            names.push(name);
        }
    }
    // The system lists files in any order, and the program must not depend on it.
    names.sort();
    Ok(names)
}
