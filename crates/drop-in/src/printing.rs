//! What is printed of a run.

use std::path::PathBuf;

use super::peer::Peer;
use super::result_format::ResultFormat;

/// The form of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The lines of fastchess.
    Fastchess,
    /// The lines of cutechess-cli.
    Cutechess,
}

/// What is printed, and what ends or fails the run.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Clone)]
pub struct Printing {
    pub(super) peer: Peer,
    pub(super) form: Form,
    /// Do the results blocks of fastchess count pairs?
    pub(super) reports_pairs: bool,
    /// Pairs or games between two results blocks; 0 for the last one only.
    pub(super) rating_interval: usize,
    /// Games between two score lines; 0 for the last one only.
    pub(super) score_interval: usize,
    /// Games between two lists of outcomes; 0 for the last one only.
    pub(super) outcome_interval: usize,
    pub(super) result_format: ResultFormat,
    /// The book that the heading names.
    pub(super) book: Option<PathBuf>,
    /// Are the variations of mate scores checked?
    pub(super) checks_mate_pvs: bool,
    /// Are the engines' latencies shown?
    pub(super) shows_latency: bool,
    /// Does the run go on after an engine fault?
    pub(super) recovers: bool,
    /// Does a warning about an engine fail the run?
    pub(super) is_strict: bool,
}

impl Printing {
    /// The defaults of a program.
    pub(super) fn defaults(peer: Peer) -> Self {
        let is_fastchess = peer == Peer::Fastchess;
        Self {
            peer,
            form: if is_fastchess { Form::Fastchess } else { Form::Cutechess },
            reports_pairs: is_fastchess,
            // The default of fastchess' `-ratinginterval`.
            rating_interval: if is_fastchess { 10 } else { 0 },
            score_interval: 1,
            outcome_interval: 0,
            result_format: ResultFormat::default(),
            book: None,
            checks_mate_pvs: false,
            shows_latency: false,
            recovers: false,
            is_strict: false,
        }
    }
}
