//! Games that were read, counted and ignored, and the warnings, in words.

use std::collections::BTreeMap;

use crate::format;
use threefold_games::pgn_results::{Consequence, GameCounts, IssueKind, PgnIssue};

/// Something wrong in one of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The path of the PGN file, as given.
    pub file: String,
    /// What is wrong there.
    pub complaint: PgnIssue,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputSummary {
    /// The files, as the user named them.
    pub files: Vec<String>,
    /// How many games there are.
    pub census: GameCounts,
    /// What was wrong, by reason.
    pub reasons: BTreeMap<IssueKind, u64>,
    /// What was wrong, one by one, as far as it was kept.
    pub notes: Vec<Note>,
}

impl InputSummary {
    /// How many complaints have this consequence.
    pub fn complaints(&self, consequence: Consequence) -> u64 {
        self.with_consequence(consequence).map(|(_, count)| count).sum()
    }

    fn with_consequence(&self, consequence: Consequence) -> impl Iterator<Item = (IssueKind, u64)> {
        let reasons = self.reasons.iter().map(|(&reason, &count)| (reason, count));
        reasons.filter(move |(reason, _)| reason.consequence() == consequence)
    }

    /// Numbers of games read, counted and ignored, with the reasons.
    pub fn summary(&self) -> String {
        let GameCounts { read, counted, left_out, between_synonyms, drawn, repeated, counted_again, .. } =
            self.census;
        let games = format::count(usize::try_from(read).unwrap_or(usize::MAX), "game");
        let mut parts = vec![format!("{games} read, {} counted", format::grouped(counted))];
        if left_out > 0 {
            parts.push(format!("{} of excluded players", format::grouped(left_out)));
        }
        if between_synonyms > 0 {
            parts.push(format!("{} between names of one player", format::grouped(between_synonyms)));
        }
        if drawn > 0 {
            parts.push(format!("{} drawn and ignored", format::grouped(drawn)));
        }
        if repeated > 0 {
            parts.push(format!("{} repeated and not counted again", format::grouped(repeated)));
        }
        if counted_again > 0 {
            parts.push(format!("{} repeated and counted again", format::grouped(counted_again)));
        }
        for (consequence, said) in [
            (Consequence::Excluded, "ignored"),
            (Consequence::Counted, "counted with a warning"),
            (Consequence::NoGame, "warnings outside of games"),
        ] {
            match self.complaints(consequence) {
                0 => {}
                count => {
                    parts.push(format!(
                        "{} {said}: {}",
                        format::grouped(count),
                        named(self.with_consequence(consequence))
                    ));
                }
            }
        }
        parts.join("; ")
    }

    /// `98 of 100 games repeat earlier ones and are not counted again`; `None` if no game repeats another.
    pub fn repeats(&self) -> Option<String> {
        let GameCounts { counted, repeated, counted_again, .. } = self.census;
        let games = format::count(usize::try_from(counted + repeated).unwrap_or(usize::MAX), "game");
        match (repeated, counted_again) {
            (0, 0) => None,
            (0, again) => Some(format!(
                "{} of {games} repeat earlier ones and are counted again, so errors are too small",
                format::grouped(again)
            )),
            (repeated, _) => Some(format!(
                "{} of {games} repeat earlier ones and are not counted again",
                format::grouped(repeated)
            )),
        }
    }

    /// What was wrong, by reason: `3 unfinished, 1 broken-off`.
    pub fn reasons(&self) -> String {
        named(self.reasons.iter().map(|(&reason, &count)| (reason, count)))
    }
}

fn named(reasons: impl Iterator<Item = (IssueKind, u64)>) -> String {
    let named: Vec<String> =
        reasons.map(|(reason, count)| format!("{} {reason}", format::grouped(count))).collect();
    named.join(", ")
}

impl Note {
    /// One line: `games.pgn:12: game 2: the game is unfinished (ignored)`.
    pub fn line(&self) -> String {
        let PgnIssue { reason, game, line, what } = &self.complaint;
        let (place, end) = match (reason.consequence(), game) {
            (Consequence::NoGame, 0) => ("before the first game".to_owned(), ""),
            (Consequence::NoGame, game) => (format!("after game {game}"), ""),
            (Consequence::Excluded, game) => (format!("game {game}"), " (ignored)"),
            (Consequence::Counted, game) => (format!("game {game}"), " (counted)"),
        };
        format!("{}:{line}: {place}: {}{end}", format::visible(&self.file), format::visible(what))
    }
}
