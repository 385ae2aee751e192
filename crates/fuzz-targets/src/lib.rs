//! The laws of everything that parses foreign bytes, one function for each kind of input.
//!
//! Each function takes any bytes, parses them as the program does, and panics where a law is broken: what parses prints
//! and parses back to the same, accepted input obeys its invariants, an error names a line that is there. The functions
//! have two callers: cargo-fuzz on nightly (`fuzz/fuzz_targets`), and this crate's test, which runs each over its corpus
//! (`fuzz/corpus/NAME`) and for a bounded time over random input on the stable toolchain.

pub mod cases;
pub mod csv;
pub mod engine_spec;
pub mod epd;
pub mod journal;
pub mod limits;
pub mod pgn;
pub mod proof;
pub mod table;
pub mod toml;
pub mod uci_line;

/// How many values of an input were accepted, and so held against the laws of accepted values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Accepted(pub usize);

/// A kind of input.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: of the file in `fuzz/fuzz_targets` and of the folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Parses bytes, and panics where a law is broken.
    pub check: fn(&[u8]) -> Accepted,
    /// Words of which inputs of this kind are made.
    pub vocabulary: &'static [&'static str],
}

/// All kinds, by name.
pub const TARGETS: &[Target] = &[
    csv::TARGET,
    engine_spec::TARGET,
    epd::TARGET,
    journal::TARGET,
    limits::TARGET,
    pgn::TARGET,
    proof::TARGET,
    table::TARGET,
    toml::TARGET,
    uci_line::TARGET,
];

/// Bytes as text. Readers of text refuse other bytes before anything is parsed.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
