//! Matches, sequential tests and calibrations in Markdown.

use super::super::figures::{PAIR_CLASSES, Row};
use super::super::format;
use super::super::model::{ClockUse, Duel, MatchPart, MatchResult, Rated, Standing, Test};
use super::super::time_losses;
use super::groups;
use super::text::{plain, table};

/// Everything about one match.
pub(super) fn blocks(part: &MatchPart) -> Vec<String> {
    let mut blocks = vec![format!("## {}", plain(&part.name)), opening(part)];
    match &part.result {
        MatchResult::Table => blocks.push(standings(&part.standings)),
        MatchResult::Duel(duel) => {
            blocks.push(standings(&part.standings));
            blocks.extend(fixed(duel));
        }
        MatchResult::Test(test) => {
            blocks.extend(sequential(test));
            blocks.push(standings(&part.standings));
        }
        MatchResult::Ratings(Ok(ratings)) => blocks.push(rating_list(ratings)),
        MatchResult::Ratings(Err(why)) => {
            blocks.push(format!("No ratings: {}.", plain(why)));
            blocks.push(standings(&part.standings));
        }
    }
    blocks.extend(part.stretches.iter().flat_map(groups::homogeneity));
    blocks.extend(part.curve.iter().flat_map(groups::calibration));
    if !part.clocks.is_empty() {
        blocks.push("Time used:".to_owned());
        blocks.push(clocks(&part.clocks));
    }
    blocks
}

fn opening(part: &MatchPart) -> String {
    let ending = part.ending.as_deref().unwrap_or("not finished");
    format!(
        "{} of at most {} ({}); {}.",
        format::count(part.games.len(), "game"),
        part.planned,
        plain(ending),
        plain(&part.terms)
    )
}

fn standings(standings: &[Standing]) -> String {
    let rows = standings.iter().map(|standing| {
        vec![
            plain(&standing.name),
            format::points(standing.points()),
            standing.games().to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ]
    });
    table(&["engine", "points", "games", "won", "drawn", "lost"], rows)
}

fn sequential(test: &Test) -> Vec<String> {
    let point_of_view = plain(&test.duel.point_of_view());
    let mut blocks = vec![
        format!("SPRT of {point_of_view}: {}.", test.question()),
        format!("**{}**: {}", test.standing, plain(&test.conclusion())),
        rows(&point_of_view, test.estimates()),
    ];
    blocks.extend(games(&test.duel));
    blocks.push(test.caveat());
    blocks
}

fn fixed(duel: &Duel) -> Vec<String> {
    let mut blocks = vec![rows(&plain(&duel.point_of_view()), duel.estimates())];
    blocks.extend(games(duel));
    blocks
}

/// The results of the pairs, and figures of the games and openings.
fn games(duel: &Duel) -> Vec<String> {
    let ours = plain(&duel.ours);
    let counts = vec![duel.sheet.pairs().counts.map(|count| count.to_string()).to_vec()];
    vec![
        format!("Game pairs by result, from {ours}'s side:"),
        table(&PAIR_CLASSES, counts),
        rows("games and openings", duel.character()),
    ]
}

fn rows(heading: &str, rows: Vec<Row>) -> String {
    table(&[heading, "value"], rows.into_iter().map(|row| row.map(|cell| plain(&cell)).to_vec()))
}

fn rating_list(ratings: &[Rated]) -> String {
    let rows = ratings.iter().map(|rated| {
        vec![
            plain(&rated.name),
            format::rating(rated.elo, rated.error),
            format::points(rated.points),
            rated.games.to_string(),
        ]
    });
    table(&["engine", "Elo (95 %)", "points", "games"], rows)
}

fn clocks(clocks: &[ClockUse]) -> String {
    let rows = clocks.iter().map(|clock| {
        vec![
            plain(&clock.name),
            format::grouped(clock.moves),
            format::duration(clock.mean),
            format::duration(clock.longest),
            format::duration(clock.least_left),
            time_losses::counted(clock),
        ]
    });
    table(&["engine", "moves", "mean", "longest", "least left", "time losses"], rows)
}
