//! A file as memory.
//!
//! One of two places with `unsafe`; the other is `echo::table::hints`. Probing through the map takes tens of
//! nanoseconds (`benches/tables.rs`), a `seek` and a `read` for each probe more than ten times as long, and
//! reading whole files at the start would cost seconds and gigabytes for the sake of a few positions of five
//! men.
#![expect(
    unsafe_code,
    reason = "mapping a file is what makes probing fast; the bench `tables` says how fast"
)]

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// A file's bytes, to be read.
#[derive(Debug)]
pub(super) struct Mapped(Mmap);

impl Mapped {
    pub(super) fn open(file: &Path) -> io::Result<Self> {
        let file = File::open(file)?;
        // SAFETY: nobody may change the bytes while they are mapped. This program never writes into a table's
        // file: a new one is written beside it and renamed, and then the map keeps the old one. Another
        // program that overwrites a table in place breaks this as it breaks any reader of shared files.
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
