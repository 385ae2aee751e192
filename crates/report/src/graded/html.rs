//! A calibration on one page.

use maud::{Markup, html};

use super::{CHANGES, Graded, HEAD, Shown, change, row};
use crate::html::{document, table};
use crate::svg::Dot;
use crate::{phrase, svg};
use threefold_harness::calibration::error_profile::JUDGE_NODES;
use threefold_harness::calibration::{AnchorRating, EloMark, PlayerRole};

/// The page, with the curve drawn.
pub fn page(graded: &Graded) -> String {
    let content = html! {
        h1 { (graded.title) }
        @if !graded.made.command.is_empty() { p class="faint" { "Made by " code { (graded.made.command) } } }
        p { "Games under " (graded.terms) ", " (graded.made.machine) "; the Echo that wrote this is bench " (graded.made.bench) "." }
        ul { @for sentence in graded.told() { li { (sentence) } } }
        (curve(graded))
        (levels(graded))
        (characters(graded))
        (anchors(graded))
        (marks(graded))
        (since(graded))
    };
    document(&graded.title, &content)
}

fn curve(graded: &Graded) -> Markup {
    let Some(graduation) = &graded.graduation else { return html! {} };
    let dot =
        |Shown { asked, player, .. }: Shown<'_>| Dot { level: asked, elo: player.elo, error: player.error };
    let measured: Vec<Dot> = graded.levels().map(dot).collect();
    html! {
        h2 { "Asked against measured" }
        p {
            "Dots are what each level's games say of it, with its own 95 % interval; the curve is smooth and never falls, and "
            "the band holds the truth at all levels at once with 95 %."
            @if graded.called_by_elo { " On the straight line measured would be what was asked; below, how far it is off." }
        }
        (svg::graduation(graduation, &measured, graded.called_by_elo))
        @if graded.called_by_elo { (svg::deviation(graduation, &measured)) }
    }
}

fn levels(graded: &Graded) -> Markup {
    let columns = HEAD.iter().copied().chain(["seconds a game"]).collect::<Vec<_>>();
    let rows = graded.levels().map(|shown| {
        let cost = format!("{:.2}", shown.player.cost);
        row(shown).into_iter().chain([cost]).collect()
    });
    html! {
        h2 { "Levels" }
        p { "White's pieces are worth " (phrase::tenths(graded.survey.white_advantage)) " Elo." }
        div class="together" { (table(&columns, rows)) }
    }
}

fn characters(graded: &Graded) -> Markup {
    if graded.characters.is_empty() {
        return html! {};
    }
    let (head, rows) = super::characters(graded);
    html! {
        h2 { "How the levels play" }
        p {
            "Moves of their games in the eyes of Echo at full strength, by searches of "
            (phrase::grouped(JUDGE_NODES)) " nodes: what each loses against the best, values beyond ten pawns counting as "
            "ten."
        }
        div class="together" { (table(&head, rows.map(Vec::from))) }
    }
}

fn anchors(graded: &Graded) -> Markup {
    if graded.survey.anchors().next().is_none() {
        return html! {};
    }
    let head = HEAD.iter().copied().chain(["here, before"]).collect::<Vec<_>>();
    let rows = graded.anchors().map(|shown| {
        let before = match shown.player.role {
            PlayerRole::Anchor(AnchorRating { measured: Some(here), .. }) => format!("{here:.0}"),
            PlayerRole::Anchor(AnchorRating { measured: None, .. }) | PlayerRole::Level(_) => String::new(),
        };
        row(shown).into_iter().chain([before]).collect()
    });
    html! {
        h2 { "Anchors" }
        p {
            "Rated elsewhere as in the second column; what the games alone make of them is beside, and last, what they "
            "were measured to be worth at this time control before."
        }
        div class="together" { (table(&head, rows)) }
    }
}

fn marks(graded: &Graded) -> Markup {
    let Some(graduation) = &graded.graduation else { return html! {} };
    let columns = ["Elo".to_owned(), graded.option.clone(), "95 % band".to_owned()];
    let rows = graduation.marks().map(|EloMark { elo, level, low, high }| {
        vec![elo.to_string(), level.to_string(), format!("{low:.0} to {high:.0}")]
    });
    html! {
        h2 { "What to set for a round number" }
        (table(&columns, rows))
    }
}

fn since(graded: &Graded) -> Markup {
    let Some(since) = &graded.since else { return html! {} };
    let columns = CHANGES.map(str::to_owned);
    html! {
        h2 { "Since the calibration before" }
        p { "Against " (since.file) "; the chance is that of a difference like this among all figures, were none changed." }
        (table(&columns, since.changes.iter().map(change)))
    }
}
