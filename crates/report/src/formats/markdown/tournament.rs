//! A tournament of several engines in `summary.md`: the ratings or standings, the cross table, and the result
//! of each pairing.

use super::tables::{ROWS, cell, long_table, opening, standings};
use super::text::{plain, table};
use crate::format;
use crate::model::cross_table::CrossTable;
use crate::model::knockout::NOTE;
use crate::model::report::{Knockout, MatchPart, MatchResult, Report, Swiss};
use crate::model::swiss_standings::RatedSwiss;
use crate::model::tournament::{Pairing, Tournament, TournamentRating, rating_note};

/// The tournaments of a run.
pub(super) fn all(report: &Report) -> impl Iterator<Item = (&MatchPart, Tournament)> {
    let tournaments = report.matches.iter().filter(|part| part.result == MatchResult::Table);
    tournaments.map(|part| (part, Tournament::from_match(part)))
}

/// The most lines of the ratings in the answer.
const LINES: usize = 14;

/// The lines of a table besides its rows, with the empty line after it.
const TABLE_LINES: usize = 3;

/// The ratings for the answer of a run that is one tournament. Another run has no room there.
pub(super) fn answer(report: &Report) -> Option<String> {
    let part = only(report)?;
    let blocks = std::iter::once(opening(part)).chain(ratings(part, LINES));
    Some(blocks.collect::<Vec<_>>().join("\n\n"))
}

/// The bracket of a knockout tournament for the answer: the last places, if there are too many.
pub(super) fn bracket(tournament: &Knockout) -> String {
    /// The most rows.
    const PLACES: usize = 20;
    let rows = tournament.rows();
    let earlier = rows.len().saturating_sub(PLACES);
    // The rows are in the order of the rounds, so the last ones have the final.
    let shown = rows.into_iter().skip(earlier).map(|row| row.map(|text| cell(&text)).to_vec());
    let more = match earlier {
        0 => String::new(),
        more => format!(" {} in [index.html](index.html).", format::count(more, "earlier place")),
    };
    format!("{}\n\n{NOTE}{more}", table(&Knockout::COLUMNS, shown))
}

/// The standings of a Swiss tournament with the results of each round, for the answer: the first places, if
/// there are too many.
pub(super) fn swiss_standings(swiss: &Swiss, encounters: &[MatchPart]) -> String {
    /// The most rows.
    const PLACES: usize = 20;
    let rated = RatedSwiss::new(swiss, encounters);
    let heads: Vec<String> = swiss.round_heads().collect();
    let heads: Vec<&str> = RatedSwiss::COLUMNS.into_iter().chain(heads.iter().map(String::as_str)).collect();
    let rows = rated.rows().into_iter().zip(&swiss.placings).take(PLACES);
    let rows = rows.map(|(row, placing)| row.into_iter().chain(swiss.results(placing)));
    let rows = rows.map(|row| row.map(|text| cell(&text)).collect());
    let more = match swiss.placings.len().saturating_sub(PLACES) {
        0 => String::new(),
        more => format!(" {} in [index.html](index.html).", format::count(more, "more engine")),
    };
    let note = format!("{} {}", rated.note(), swiss.results_note());
    format!("{}\n\n{}{more}", table(&heads, rows), plain(&note))
}

/// The results of the pairings of a Swiss tournament.
pub(super) fn swiss_pairings(swiss: &Swiss, encounters: &[MatchPart]) -> Vec<String> {
    vec![pairings(&RatedSwiss::new(swiss, encounters).tournament)]
}

/// Does the answer have the ratings of all engines of a part?
pub(super) fn is_in_the_answer(report: &Report, part: &MatchPart) -> bool {
    // A table for each group, as `ratings` writes them.
    let lines = || match Tournament::from_match(part).ratings {
        Ok(ratings) => ratings.len() + groups(&ratings).len() * TABLE_LINES,
        Err(_) => part.standings.len() + 2 * TABLE_LINES,
    };
    only(report).is_some_and(|only| only.name == part.name) && lines() <= LINES
}

/// The tournament of a run that is nothing else.
fn only(report: &Report) -> Option<&MatchPart> {
    match &report.matches[..] {
        [part] if report.suites.is_empty() && part.result == MatchResult::Table => Some(part),
        _ => None,
    }
}

/// The ratings, within a number of lines; a table for each group of engines that the games connect.
pub(super) fn ratings(part: &MatchPart, lines: usize) -> Vec<String> {
    let row = |rated: &TournamentRating| rated.row().map(|text| cell(&text)).to_vec();
    let ratings = match Tournament::from_match(part).ratings {
        Ok(ratings) => ratings,
        Err(why) => {
            let points = standings(&part.standings, lines.saturating_sub(2 * TABLE_LINES));
            return vec![format!("No ratings: {}.", plain(&why.to_string())), points];
        }
    };
    let groups = groups(&ratings);
    let (mut blocks, mut room, mut hidden) = (Vec::new(), lines, 0);
    for group in &groups {
        let shown = group.len().min(room.saturating_sub(TABLE_LINES));
        if shown > 0 {
            blocks.push(table(&TournamentRating::COLUMNS, group.iter().take(shown).map(row)));
            room -= shown + TABLE_LINES;
        }
        hidden += group.len() - shown;
    }
    let rest = match hidden {
        0 => String::new(),
        more => format!(" {} in [index.html](index.html).", format::count(more, "more engine")),
    };
    blocks.push(format!("{}{rest}", rating_note(groups.len())));
    blocks
}

/// The engines that the games connect.
fn groups(ratings: &[TournamentRating]) -> Vec<&[TournamentRating]> {
    ratings.chunk_by(|one, other| one.group == other.group).collect()
}

/// A row for each engine.
pub(super) fn cross_table(scores: &CrossTable) -> String {
    let heads: Vec<String> = scores.heads().iter().map(|head| cell(head)).collect();
    let header: Vec<&str> = std::iter::once("engine").chain(heads.iter().map(String::as_str)).collect();
    let rows = scores.rows.iter().map(|row| {
        let name = format!("{}. {}", row.number, cell(&row.name));
        std::iter::once(name).chain(row.scores.iter().cloned()).collect()
    });
    format!("Points/games by opponent:\n\n{}", long_table(&header, rows, ROWS))
}

/// Wins, draws and losses of each pairing.
pub(super) fn pairings(tournament: &Tournament) -> String {
    let rows = tournament.pairings.iter().map(|pairing| pairing.row().map(|text| cell(&text)).to_vec());
    long_table(&Pairing::COLUMNS, rows, ROWS)
}
