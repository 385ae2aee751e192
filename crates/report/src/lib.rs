//! What people and CI read: every format a pure function of one [`Report`], and the folder they are put in.
//!
//! [`model`] says what a report holds; a format turns that into the bytes of one file and knows nothing else,
//! so a new one is one file and one line of [`FORMATS`].

pub mod model;

mod battery;
mod conclusion;
mod contest;
mod contrast;
mod counts;
mod curve;
mod family;
mod faults;
mod figures;
mod flags;
mod gather;
mod headline;
mod homogeneity;
mod phrase;
mod signature;
mod tally;

mod ablation;
mod csv;
pub mod graded;
mod html;
pub mod json;
mod junit;
mod markdown;
mod pgn;
mod rates;
pub mod ratings;
pub mod repetition;
mod svg;
mod terminal;
pub mod timing;

mod folder;

#[cfg(test)]
mod specimen;

use std::io;

pub use faults::{Fault, FaultGroup};
pub use folder::{Unwritten, write_all};
pub use headline::Acceptance;
pub use json::case_line;
pub use model::Report;
pub use pgn::game;

use threefold_lab::fit::Loss;

/// The loss of a fit over its epochs, as an SVG file.
pub fn loss_curve(losses: &[Loss]) -> String {
    svg::loss(losses)
}

/// A way to tell what a run came to.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The name on the command line.
    pub name: &'static str,
    /// The file it is written to.
    pub file: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// The file's bytes. Equal reports give equal bytes.
    pub render: fn(&Report) -> io::Result<Vec<u8>>,
}

impl Format {
    /// What people read on a terminal.
    pub const SUMMARY: Self = terminal::FORMAT;
    /// What features are worth, where each match is about one.
    pub const ABLATION: Self = ablation::FORMAT;
    /// What each answer to repetitions costs and is worth: the page, and its figures.
    pub const REPETITION: [Self; 2] = repetition::FORMATS;
    /// How each time manager uses its clock, and what it is worth: the page, and its figures.
    pub const TIME: [Self; 2] = timing::FORMATS;
    /// The same figures but those of every move.
    pub const TIME_IN_SHORT: Self = timing::PRINTED;
}

/// Every format there is: a new one is one file and one line here.
pub const FORMATS: &[Format] = &[
    html::FORMAT,
    markdown::FORMAT,
    junit::FORMAT,
    csv::FORMAT,
    pgn::FORMAT,
    json::FORMAT,
    rates::FORMATS[0],
    rates::FORMATS[1],
    rates::FORMATS[2],
];

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
