//! The points of each player against each other player.

use maud::{Markup, html};

use super::super::listing::{Line, Listing};
use crate::format;
use crate::formats::html::marked_up;

/// The most players that have a row and a column.
const MOST: usize = 30;

/// The matrix of the first players.
pub(super) fn section(listing: &Listing) -> Markup {
    let shown = &listing.lines[..listing.lines.len().min(MOST)];
    let number = |index: usize| (index + 1).to_string();
    let columns: Vec<String> =
        std::iter::once("player".to_owned()).chain((0..shown.len()).map(number)).collect();
    let rows = shown.iter().enumerate().map(|(index, line)| {
        let name = format!("{}. {}", number(index), line.name);
        std::iter::once(html! { (name) }).chain(scores(listing, line, shown)).collect()
    });
    html! {
        h2 id="head-to-head" { "Head to head" }
        div class="together" {
            (marked_up("Points/games of the row against the column, and below the points that the list expects", &columns, rows))
        }
        @if listing.lines.len() > MOST {
            p class="faint" {
                "The first " (MOST) " of " (format::grouped(listing.lines.len() as u64)) " players. "
                code { "threefold rate --head-to-head" } " prints all."
            }
        }
    }
}

/// A cell for each opponent; empty where two players did not meet.
fn scores(listing: &Listing, line: &Line, shown: &[Line]) -> Vec<Markup> {
    let meetings = listing.meetings(line);
    let score = |other: &Line| {
        let met = meetings.iter().find(|meeting| meeting.opponent == other.name);
        html! {
            @if other.seat == line.seat { "–" }
            @if let Some(meeting) = met {
                (format::points(meeting.points())) "/" (meeting.games())
                @if let Some(expected) = meeting.expected {
                    br; span class="faint" { (format!("{:.1}", expected.points)) }
                }
            }
        }
    };
    shown.iter().map(score).collect()
}
