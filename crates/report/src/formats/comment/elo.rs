//! The result of a match as a block of lines, in the form that engine authors know from OpenBench and copy into
//! commit messages.

use super::text::{code_line, plain};
use crate::format;
use crate::formats::block::games;
use crate::formats::markdown::text::clipped;
use crate::model::report::{Duel, MatchPart, MatchResult, Test, TestStanding};

/// The most characters of a line.
const LINE: usize = 160;

/// The block of a test or of a match of two engines, below a line that names them; `None` for other games.
pub(super) fn block(part: &MatchPart) -> Option<String> {
    let (duel, lines) = match &part.result {
        MatchResult::Test(test) => (&test.duel, of_test(part, test)),
        MatchResult::Duel(duel) => (duel, of_duel(part, duel)),
        MatchResult::Table | MatchResult::Ratings(_) | MatchResult::Tuning(_) => return None,
    };
    let title = format!("{}: {} against {}", part.name, duel.ours, duel.theirs);
    let lines: Vec<String> = lines
        .into_iter()
        .map(|(name, text)| format!("    {name:<5} | {}", code_line(&clipped(&text, LINE))))
        .collect();
    Some(format!("{}\n\n{}", plain(&clipped(&title, LINE)), lines.join("\n")))
}

fn of_test(part: &MatchPart, test: &Test) -> Vec<(&'static str, String)> {
    let elo = match &test.stopped {
        Some(stopped) => format!("{} (95 %)", format::plus_minus(stopped.elo)),
        None => "unknown".to_owned(),
    };
    let kind = if test.rule.has_deadline() { "Test" } else { "SPRT" };
    vec![
        ("Elo", elo),
        (kind, format!("{}; {}", part.terms, test.question())),
        (test.statistic().name, format!("{}, {}", test.evidence_figure(), standing(test))),
        ("Games", games(&test.duel)),
        ("Penta", test.duel.pentanomial()),
    ]
}

fn standing(test: &Test) -> &'static str {
    match test.standing {
        TestStanding::BudgetSpent => "undecided",
        other => other.name(),
    }
}

fn of_duel(part: &MatchPart, duel: &Duel) -> Vec<(&'static str, String)> {
    let elo = duel.fixed.map_or_else(
        || "unknown".to_owned(),
        |fixed| format!("{} (95 %)", format::plus_minus(fixed.logistic)),
    );
    vec![("Elo", elo), ("Conf", part.terms.clone()), ("Games", games(duel)), ("Penta", duel.pentanomial())]
}
