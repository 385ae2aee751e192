//! Matches, sequential tests and calibrations in Markdown.

use super::super::conclusion::PAIR_CLASSES;
use super::super::model::{ClockUse, Duel, MatchPart, MatchResult, Rated, Standing, Test};
use super::super::phrase;
use super::groups;
use super::text::{plain, table};

/// Everything about one match.
pub(super) fn blocks(part: &MatchPart) -> Vec<String> {
    let mut blocks = vec![format!("## {}", plain(&part.name)), opening(part)];
    match &part.result {
        MatchResult::Table => blocks.push(standings(&part.standings)),
        MatchResult::Duel(duel) => {
            blocks.push(standings(&part.standings));
            blocks.extend(figures(duel));
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
        "{} of at most {} counted ({}); {}.",
        phrase::count(part.games.len(), "game"),
        part.planned,
        plain(ending),
        plain(&part.terms)
    )
}

fn standings(standings: &[Standing]) -> String {
    let rows = standings.iter().map(|standing| {
        vec![
            plain(&standing.name),
            phrase::points(standing.points()),
            standing.games().to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
        ]
    });
    table(&["engine", "points", "games", "won", "drawn", "lost"], rows)
}

fn sequential(test: &Test) -> Vec<String> {
    let (ours, theirs) = (plain(&test.duel.ours), plain(&test.duel.theirs));
    let mut blocks = vec![
        format!("Sequential test of {ours} minus {theirs}: {}.", test.question()),
        format!("**{}**: {}. {}", test.standing, test.evidence(), plain(&test.conclusion())),
    ];
    blocks.extend(figures(&test.duel));
    blocks.push(test.caveat().to_owned());
    blocks
}

fn figures(duel: &Duel) -> Vec<String> {
    let (ours, theirs) = (plain(&duel.ours), plain(&duel.theirs));
    let counts = vec![duel.pairs.counts.map(|count| count.to_string()).to_vec()];
    let superiority = duel.superiority.map_or_else(|| "unknown".to_owned(), phrase::percent);
    vec![
        format!("Pairs, from {ours}'s side:"),
        table(&PAIR_CLASSES, counts),
        table(
            &[&format!("{ours} minus {theirs}"), "Elo (95 %)"],
            [
                vec!["logistic".to_owned(), phrase::logistic(duel.logistic)],
                vec!["normalized".to_owned(), phrase::normalized(duel.normalized)],
                vec!["likelihood of superiority".to_owned(), superiority],
            ],
        ),
    ]
}

fn rating_list(ratings: &[Rated]) -> String {
    let rows = ratings.iter().map(|rated| {
        vec![
            plain(&rated.name),
            phrase::rating(rated.elo, rated.error),
            phrase::points(rated.points),
            rated.games.to_string(),
        ]
    });
    table(&["engine", "Elo (95 %)", "points", "games"], rows)
}

fn clocks(clocks: &[ClockUse]) -> String {
    let rows = clocks.iter().map(|clock| {
        vec![
            plain(&clock.name),
            phrase::grouped(clock.moves),
            phrase::duration(clock.mean),
            phrase::duration(clock.longest),
            phrase::duration(clock.least_left),
            clock.flags.to_string(),
        ]
    });
    table(&["engine", "moves", "mean", "longest", "least left", "flags fallen"], rows)
}
