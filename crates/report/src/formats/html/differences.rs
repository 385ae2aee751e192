//! *Where they differ*: the positions in which the games of a pair part, with the moves of both engines.

use maud::{Markup, html};

use super::two_moves::TwoMoves;
use crate::format;
use crate::model::coupling::MOST_DIFFERENCES;
use crate::model::report::{Choice, Coupling, Duel, MatchPart, PairDifference};
use threefold_stats::GameResult;

/// The section of a match; empty unless its pairs are coupled.
pub(super) fn section(part: &MatchPart) -> Markup {
    let (Some(duel), Some(coupling), Some(note)) = (part.duel(), &part.coupling, part.coupling_note()) else {
        return html! {};
    };
    html! {
        h3 { "Where they differ" }
        p { (note) }
        @if !coupling.differences.is_empty() { (cards(coupling, duel)) }
    }
}

fn cards(coupling: &Coupling, duel: &Duel) -> Markup {
    let (shown, all) = (coupling.differences.len(), coupling.parted());
    html! {
        p class="faint" {
            "The first position of each pair in which the engines chose different moves; the largest effect on the result first. "
            "Green is the move of " (duel.ours) ", red that of " (duel.theirs) "."
            @if shown < all { " The first " (MOST_DIFFERENCES) " of " (format::grouped(all as u64)) "." }
        }
        @for difference in &coupling.differences { (card(difference, [&duel.ours, &duel.theirs])) }
    }
}

fn card(difference: &PairDifference, engines: [&str; 2]) -> Markup {
    let games = html! {
        (difference.game) " and " (difference.game + 1) ", after " (format::count(difference.ply, "move"))
    };
    TwoMoves {
        position: &difference.position,
        engines,
        moves: difference.choices.each_ref().map(|choice| Some(choice.played.mv)),
        in_short: difference.choices.each_ref().map(|choice| word(choice.result).to_owned()),
        in_full: difference.choices.each_ref().map(|choice| html! { (search(choice)) }),
        more: Some(("games", games)),
    }
    .card()
}

/// `cp 20, depth 9, 5 000 nodes; won`.
fn search(choice: &Choice) -> String {
    let played = &choice.played;
    let score = played.score.map_or_else(|| "no score".to_owned(), |score| score.to_string());
    let (depth, nodes) = (played.depth.0, format::grouped(played.nodes));
    format!("{score}, depth {depth}, {nodes} nodes; the game was {}", word(choice.result))
}

/// The result for the engine that moved.
const fn word(result: GameResult) -> &'static str {
    match result {
        GameResult::Win => "won",
        GameResult::Draw => "drawn",
        GameResult::Loss => "lost",
    }
}
