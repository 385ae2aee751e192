//! What fastchess said of a pair: its check of the protocol, and the warnings of its games.

use serde::{Deserialize, Serialize};

/// The words of a warning; the grep of engines' CI scripts.
const WARNINGS: [&str; 7] =
    ["warning", "illegal", "disconnect", "stall", "loses on time", "timeout", "crash"];
/// Warnings that the record keeps.
const MOST_EXAMPLES: usize = 5;

/// What fastchess said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PeerRecord {
    /// Exit code of the protocol check of the first program; `None` if it did not end.
    pub first_compliance: Option<i32>,
    /// The same for the second program.
    pub second_compliance: Option<i32>,
    /// Exit code of the games.
    pub games: Option<i32>,
    /// The lines with a warning.
    pub warnings: usize,
    /// The lines with a warning that name the second program.
    pub warnings_of_second: usize,
    /// The first warnings.
    pub examples: Vec<String>,
    /// The result, as fastchess prints it.
    pub score: String,
    /// The time of all.
    pub seconds: f64,
}

impl PeerRecord {
    /// Does the check of the protocol fail only with the second program?
    pub fn compliance_differs(&self) -> bool {
        self.first_compliance == Some(0) && self.second_compliance != Some(0)
    }

    /// Do all warnings name the second program, and is there one?
    pub const fn warns_of_second(&self) -> bool {
        self.warnings > 0 && self.warnings == self.warnings_of_second
    }

    /// Reads the output of the games.
    pub(super) fn read_games(&mut self, text: &str, second: &str) {
        let is_warning = |line: &&str| {
            let line = line.to_lowercase();
            WARNINGS.iter().any(|word| line.contains(word))
        };
        let warnings: Vec<&str> = text.lines().filter(is_warning).collect();
        self.warnings = warnings.len();
        self.warnings_of_second = warnings.iter().filter(|line| blames(line, second)).count();
        self.examples = warnings.iter().take(MOST_EXAMPLES).map(|line| (*line).to_owned()).collect();
        let score = text.lines().rev().find(|line| line.starts_with("Games:"));
        score.unwrap_or_default().clone_into(&mut self.score);
    }
}

/// Is it this engine that a line warns of? A line of a game names both, with a reason such as
/// `{White loses on time}`.
fn blames(line: &str, engine: &str) -> bool {
    let Some((_, players)) = line.split_once(" (") else { return line.contains(engine) };
    let Some((white, rest)) = players.split_once(" vs ") else { return line.contains(engine) };
    let black = rest.split_once(')').map_or(rest, |(black, _)| black);
    let reason = line.rsplit_once('{').map_or("", |(_, reason)| reason);
    (reason.contains("White") && white == engine) || (reason.contains("Black") && black == engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_counted_by_the_engine_that_they_name() {
        let mut record = PeerRecord::default();
        record.read_games(
            "Started game 1 of 4 (fix vs parent)\n\
             Finished game 1 (fix vs parent): 1-0 {Black makes an illegal move}\n\
             Warning; Illegal PV move e1e9 from parent\n\
             Finished game 2 (parent vs fix): 1-0 {Black loses on time}\n\
             Games: 2, Wins: 1, Losses: 1\n",
            "parent",
        );
        assert_eq!((record.warnings, record.warnings_of_second), (3, 2));
        assert!(!record.warns_of_second());
        assert_eq!(record.score, "Games: 2, Wins: 1, Losses: 1");
    }
}
