//! The list as one page for a browser: ratings with their intervals, the scores of the players against each
//! other, and actual against expected scores. The page needs no script and loads nothing.

mod expected;
mod matrix;

use maud::{Markup, html};

use super::listing::{Line, Listing, RatingUnit};
use super::text;
use crate::format;
use crate::formats::html::{document, table};
use crate::formats::svg;
use crate::model::report::Rated;
use threefold_stats::rating::RatingStatus;

/// The most players of a plot. The table has all.
const PLOTTED: usize = 40;

/// The page, as the text of one HTML file.
pub fn page(listing: &Listing) -> String {
    let games = format::grouped(listing.input.census.counted);
    let players = format::count(listing.lines.len(), "player");
    let content = html! {
        h1 { "Rating list" }
        p class="faint" { (games) " games, " (players) ". Intervals: " (listing.shown.level()) "." }
        nav aria-label="Contents" {
            a href="#ratings" { "Ratings" }
            a href="#head-to-head" { "Head to head" }
            a href="#expected" { "Actual and expected scores" }
            a href="#method" { "Method" }
        }
        h2 id="ratings" { "Ratings" }
        @for group in 0..listing.groups() { (standings(listing, group)) }
        (matrix::section(listing))
        (expected::section(listing))
        (method(listing))
    };
    document("Rating list", &content)
}

/// The players of a group: a plot of the best, and a table of all.
fn standings(listing: &Listing, group: usize) -> Markup {
    let lines: Vec<&Line> = listing.lines.iter().filter(|line| line.group == group).collect();
    let plotted: Vec<Rated> = lines.iter().filter_map(|line| rated(listing, line)).take(PLOTTED).collect();
    let caption = match listing.groups() {
        1 => "Ratings".to_owned(),
        _ => format!("Ratings, group {}, on its own scale", group + 1),
    };
    // The name comes first: it is the head of its row.
    let by_name = |mut cells: Vec<String>| {
        cells.swap(0, 1);
        cells
    };
    let columns = by_name(text::columns(listing).to_vec());
    html! {
        @if plotted.len() > 1 { (svg::ratings_in(unit(listing), &plotted)) }
        @if plotted.len() == PLOTTED && lines.len() > PLOTTED {
            p class="faint" { "The plot has the first " (PLOTTED) " players." }
        }
        @if !lines.is_empty() {
            (table(&caption, &columns, lines.iter().map(|line| by_name(text::cells(listing, line)))))
        }
    }
}

/// A player with an interval, or without one if its rating is given; `None` if it won or lost every game.
fn rated(listing: &Listing, line: &Line) -> Option<Rated> {
    (line.status == RatingStatus::Rated).then(|| Rated {
        name: line.name.clone(),
        elo: line.rating,
        error: line.error.filter(|error| *error > 0.0).map(|error| listing.shown.half_interval(error)),
        games: line.games(),
        points: line.points(),
    })
}

const fn unit(listing: &Listing) -> &'static str {
    match listing.shown.unit {
        RatingUnit::Elo => "Elo, with interval",
        RatingUnit::Points => "points of the model, with interval",
    }
}

/// The model, its estimates and its inputs.
fn method(listing: &Listing) -> Markup {
    let facts = text::facts(listing).into_iter().map(|(name, value)| vec![name.to_owned(), value]);
    html! {
        h2 id="method" { "Method" }
        (table("How the list was computed", &["what", "value"], facts))
        p class="faint" {
            (listing.input.summary()) ". LOS is the likelihood that a player is stronger than the next one."
        }
    }
}

#[cfg(test)]
mod tests;
