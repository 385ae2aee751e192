//! The compiler of an engine, if its `id name` or its program says it. The engine is asked nothing: a command
//! such as Stockfish's `compiler` is no UCI, and may confuse another engine.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;

use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, FileKind, ReadCache, ReadRef, elf};
use regex::Regex;

/// The longest description, in characters.
const LONGEST: usize = 200;

/// A section `.comment` of more bytes is not read.
const LARGEST_COMMENT: u64 = 1 << 16;

/// The section in which compilers name themselves.
const COMMENT: &[u8] = b".comment";

/// The compiler in an `id name`: its usual name with a version.
pub(super) fn in_name(name: &str) -> Option<String> {
    static PATTERN: OnceLock<Regex> = OnceLock::new();
    let pattern = PATTERN.get_or_init(|| {
        // ASCII alone: the tables of Unicode would take a millisecond at the start of each run.
        Regex::new(r"(?i-u)\b((?:gcc|g\+\+|clang(?:\+\+)?|rustc|msvc|icx|icc)[ /:v-]*\d+(?:\.\d+)*)")
            .expect("a sound pattern")
    });
    Some(pattern.captures(name)?.get(1)?.as_str().to_owned())
}

/// The compilers that the section `.comment` of an ELF file names; `None` for other files, or without that section.
pub(super) fn of_program(file: &Path) -> Option<String> {
    of_elf(&ReadCache::new(File::open(file).ok()?))
}

/// The same from the bytes of a file.
pub fn of_elf<'d, R: ReadRef<'d>>(data: R) -> Option<String> {
    match FileKind::parse(data).ok()? {
        FileKind::Elf32 => of_elf_of::<elf::FileHeader32<Endianness>, R>(data),
        FileKind::Elf64 => of_elf_of::<elf::FileHeader64<Endianness>, R>(data),
        _ => None,
    }
}

/// Reads the headers and the section alone: `object::File` would read the symbols, too, which may be most of a file.
fn of_elf_of<'d, Elf: FileHeader<Endian = Endianness>, R: ReadRef<'d>>(data: R) -> Option<String> {
    let header = Elf::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let sections = header.sections(endian, data).ok()?;
    let (_, section) = sections.section_by_name(endian, COMMENT)?;
    let is_short = section.sh_size(endian).into() <= LARGEST_COMMENT;
    of_comment(is_short.then(|| section.data(endian, data).ok()).flatten()?)
}

/// The compilers in the texts of a section `.comment`. The start files of the C library name the GCC that compiled them, so it
/// counts only if there is no other compiler. Linkers do not count.
fn of_comment(section: &[u8]) -> Option<String> {
    let mut compilers: Vec<String> = Vec::new();
    for text in section.split(|&byte| byte == 0) {
        let text = String::from_utf8_lossy(text).trim().to_owned();
        if !text.is_empty() && !text.starts_with("Linker:") && !compilers.contains(&text) {
            compilers.push(text);
        }
    }
    let is_gcc = |text: &String| text.starts_with("GCC: ");
    if !compilers.iter().all(is_gcc) {
        compilers.retain(|text| !is_gcc(text));
    }
    let text: String =
        compilers.join(", ").chars().filter(|letter| !letter.is_control()).take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiler_is_read_from_the_comment_section() {
        let gcc = "GCC: (Debian 12.2.0-14) 12.2.0";
        let table = [
            (format!("{gcc}\0{gcc}\0"), Some(gcc)),
            (format!("{gcc}\0Debian clang version 14.0.6\0"), Some("Debian clang version 14.0.6")),
            (
                format!("Linker: LLD 21.1.8\0rustc version 1.95.0 (0 2026-04-14)\0{gcc}\0"),
                Some("rustc version 1.95.0 (0 2026-04-14)"),
            ),
            ("\0Linker: LLD 17\0".to_owned(), None),
            (String::new(), None),
        ];
        for (section, expected) in table {
            assert_eq!(of_comment(section.as_bytes()).as_deref(), expected, "{section:?}");
        }
        let long = of_comment("é\u{1}".repeat(300).as_bytes()).expect("a text");
        assert_eq!((long.chars().count(), long.contains('\u{1}')), (LONGEST, false));
    }

    #[test]
    fn name_has_a_compiler_if_it_has_its_version() {
        let table = [
            ("Stockfish 17 g++ 13.2.0", Some("g++ 13.2.0")),
            ("Engine 1.0 (clang-17)", Some("clang-17")),
            ("Engine 1.0 (GCC v12.2)", Some("GCC v12.2")),
            ("Icconica 3", None),
            ("Gcc", None),
            ("Stockfish 16.1", None),
        ];
        for (name, expected) in table {
            assert_eq!(in_name(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn file_that_is_no_elf_has_no_compiler() {
        for bytes in [&b""[..], b"#!/bin/sh\nexec ./engine\n", b"\x7fELF", b"MZ\x90\0"] {
            assert_eq!(of_elf(bytes), None);
        }
        assert_eq!(of_program(Path::new("/no/such/file")), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn rust_program_names_its_compiler() {
        let own = std::env::current_exe().expect("this test");
        assert!(of_program(&own).is_some_and(|compiler| compiler.contains("rustc version")));
    }
}
