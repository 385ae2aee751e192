//! Tables of `summary.md`, and the line above those of a match.

use super::text::{clipped, code, plain, table};
use crate::format;
use crate::model::report::{MatchPart, Standing};

/// The most rows of a table, and characters of a cell.
pub(super) const ROWS: usize = 60;
pub(super) const CELL: usize = 240;

/// A table of at most this number of rows with escaped cells; a line below counts the rows that are left out.
pub(super) fn long_table(
    header: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    most: usize,
) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let more = rows.len().saturating_sub(most);
    let text = table(header, rows.into_iter().take(most));
    if more == 0 {
        return text;
    }
    format!("{text}\n\n{} in [index.html](index.html).", format::count(more, "more row"))
}

/// A text for a cell.
pub(super) fn cell(text: &str) -> String {
    plain(&clipped(text, CELL))
}

/// Inline code for a cell.
pub(super) fn code_cell(text: &str) -> String {
    // A vertical bar ends a cell even in code.
    code(&clipped(text, CELL)).replace('|', "\\|")
}

/// The number of games of a match, its ending and its limits.
pub(super) fn opening(part: &MatchPart) -> String {
    let ending = part.ending.as_deref().unwrap_or("not finished");
    format!(
        "{}{} of at most {} ({}); {}.",
        format::count(part.games.len(), "game"),
        part.distinct_games().map(|distinct| format!(" ({distinct})")).unwrap_or_default(),
        part.planned,
        cell(ending),
        cell(&part.terms)
    )
}

/// The points of each engine.
pub(super) fn standings(standings: &[Standing], most: usize) -> String {
    let rows = standings.iter().map(|standing| {
        vec![
            cell(&standing.name),
            format::points(standing.points()),
            standing.games().to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ]
    });
    long_table(&["engine", "points", "games", "won", "drawn", "lost"], rows, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertical_bar_does_not_end_a_cell() {
        assert_eq!([cell("a|b"), code_cell("a|b")], ["a\\|b", "`a\\|b`"]);
    }
}
