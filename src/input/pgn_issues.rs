//! Warnings about the games of PGN files: the first ones are printed, all are counted.

use crate::streams;
use threefold_games::pgn_results::BlockResults;
use threefold_report::formats::ratings::{InputSummary, Note};

/// The most warnings that are printed.
const MOST: u64 = 20;

/// Prints the first warnings and counts the others.
pub struct Complaints {
    /// Are all of them kept for a file?
    pub keep: bool,
    /// The number printed so far.
    pub shown: u64,
}

impl Complaints {
    /// Takes the warnings of a block.
    pub fn take(&mut self, file: &str, block_results: &BlockResults, input: &mut InputSummary) {
        for complaint in &block_results.issues {
            *input.reasons.entry(complaint.reason).or_default() += 1;
            if self.shown >= MOST && !self.keep {
                continue;
            }
            let note = Note { file: file.to_owned(), complaint: complaint.clone() };
            if self.shown < MOST {
                self.shown += 1;
                streams::notice(&format!("warning: {}", note.line()));
            }
            if self.keep {
                input.notes.push(note);
            }
        }
    }

    /// Prints the number of the other warnings, and the numbers of games.
    pub fn summarize(&self, input: &InputSummary) {
        let all: u64 = input.reasons.values().sum();
        if all > self.shown {
            let remedy = if self.keep { "" } else { "; --warnings FILE writes all of them" };
            streams::notice(&format!("warning: … and {} more{remedy}", all - self.shown));
        }
        streams::notice(&input.summary());
    }
}
