//! How an engine's repository is built, and where its programs are afterwards.
//!
//! The files of build systems say it: `Cargo.toml`, a makefile and so on, in the order of `KINDS`. OpenBench
//! wants a makefile in every repository, so a makefile counts only where no other build system is.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A build system that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildSystem {
    /// The command, for a shell in the root of the repository.
    pub command: String,
    /// Folders with the built programs, relative to the root.
    pub folders: Vec<PathBuf>,
    /// The names of the programs, if the build system lists them.
    pub programs: Vec<String>,
}

/// A kind of build system: a file, the command, and the folders of its programs.
struct Kind {
    files: &'static [&'static str],
    command: &'static str,
    folders: &'static [&'static str],
}

const KINDS: &[Kind] = &[
    Kind { files: &["Cargo.toml"], command: "cargo build --release", folders: &["target/release"] },
    Kind {
        files: &["CMakeLists.txt"],
        command: "cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build",
        folders: &["build", "build/bin", "build/src"],
    },
    Kind {
        files: &["meson.build"],
        command: "meson setup build --buildtype release --reconfigure && meson compile -C build",
        folders: &["build", "build/src"],
    },
    Kind { files: &["go.mod"], command: "go build", folders: &["."] },
    Kind {
        files: &["makefile", "Makefile", "GNUmakefile"],
        command: "make",
        folders: &[".", "bin", "build"],
    },
    Kind {
        files: &["src/makefile", "src/Makefile", "src/GNUmakefile"],
        command: "make -C src",
        folders: &["src", ".", "bin", "src/bin", "build"],
    },
];

impl BuildSystem {
    /// A build by a command that the user gives, where no build system is known.
    pub fn unknown() -> Self {
        let folders = [".", "bin", "build", "src"].map(PathBuf::from).to_vec();
        Self { command: String::new(), folders, programs: Vec::new() }
    }

    /// The build system of a folder; `None` if there is none that is known.
    pub fn of(root: &Path) -> Option<Self> {
        let kind = KINDS.iter().find(|kind| kind.files.iter().any(|file| root.join(file).is_file()))?;
        Some(Self {
            command: kind.command.to_owned(),
            folders: kind.folders.iter().map(PathBuf::from).collect(),
            programs: if kind.files[0] == "Cargo.toml" { cargo_programs(root) } else { Vec::new() },
        })
    }
}

/// The programs of a Cargo package or workspace; empty if `cargo` does not list them.
fn cargo_programs(root: &Path) -> Vec<String> {
    let words = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let output = Command::new("cargo").args(words).current_dir(root).output();
    let listed = output.ok().and_then(|output| serde_json::from_slice::<Value>(&output.stdout).ok());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let values = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut programs = Vec::new();
    for package in listed.iter().flat_map(|listed| values(&listed["packages"])) {
        for target in values(&package["targets"]) {
            if values(&target["kind"]).iter().any(|kind| kind == "bin") {
                programs.extend(text(&target["name"]));
            }
        }
    }
    programs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_system_is_known_by_its_file() {
        let table: [(&[&str], Option<&str>); 6] = [
            (&["go.mod", "Makefile"], Some("go build")),
            (&["Makefile"], Some("make")),
            (&["Makefile", "src/Makefile"], Some("make")),
            (&["src/makefile"], Some("make -C src")),
            (
                &["CMakeLists.txt", "Makefile"],
                Some("cmake -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build"),
            ),
            (&["README.md"], None),
        ];
        for (files, command) in table {
            let folder = tempfile::tempdir().expect("a folder");
            for file in files {
                let file = folder.path().join(file);
                std::fs::create_dir_all(file.parent().expect("a folder")).expect("created");
                std::fs::File::create(file).expect("created");
            }
            let found = BuildSystem::of(folder.path()).map(|found| found.command);
            assert_eq!(found.as_deref(), command, "{files:?}");
        }
    }
}
