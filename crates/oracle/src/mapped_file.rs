//! A memory-mapped file.
//!
//! One of two places with `unsafe`; the other is `echo::table::hints`. A probe through the map takes tens of
//! nanoseconds (`benches/tables.rs`), with `seek` and `read` more than ten times as long. Reading whole files
//! at the start would cost seconds and gigabytes for a few positions with five pieces.
#![expect(
    unsafe_code,
    reason = "mapping a file is what makes probing fast; the bench `tables` says how fast"
)]

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// A file's bytes, read-only.
#[derive(Debug)]
pub(super) struct Mapped(Mmap);

impl Mapped {
    pub(super) fn open(file: &Path) -> io::Result<Self> {
        let file = File::open(file)?;
        // SAFETY: the bytes must not change while they are mapped. This program never writes into a table's
        // file: a new one is written to a temporary file and renamed, and the map keeps the old one. Another
        // program that overwrites a table in place breaks this, as it breaks any reader of shared files.
        Ok(Self(unsafe { Mmap::map(&file)? }))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
