//! A calibration on one page.

use maud::{Markup, html};

use super::{CHANGES, Graded, HEAD, Shown, change, row};
use crate::html::{document, table};
use crate::svg::Dot;
use crate::{phrase, svg};
use threefold_harness::calibration::character::JUDGED_BY;
use threefold_harness::calibration::{Mark, Rated, Role};

/// The page, with the curve drawn.
pub fn page(graded: &Graded) -> String {
    let content = html! {
        h1 { (graded.title) }
        @if !graded.made.command.is_empty() { p class="faint" { "Made by " code { (graded.made.command) } } }
        p { "Games at " (graded.terms) " on " (graded.made.machine) ". Echo's bench: " (graded.made.bench) "." }
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
        h2 { "Requested and measured Elo" }
        p {
            "Dots: each level from its own games, with its 95 % interval. Curve: monotone fit, with a simultaneous 95 % band for "
            "all levels."
            @if graded.called_by_elo { " Straight line: measured equals requested Elo. Second plot: the error." }
        }
        (svg::graduation(graduation, &measured, graded.called_by_elo))
        @if graded.called_by_elo { (svg::deviation(graduation, &measured)) }
    }
}

fn levels(graded: &Graded) -> Markup {
    let columns = HEAD.iter().copied().chain(["seconds per game"]).collect::<Vec<_>>();
    let rows = graded.levels().map(|shown| {
        let cost = format!("{:.2}", shown.player.cost);
        row(shown).into_iter().chain([cost]).collect()
    });
    html! {
        h2 { "Levels" }
        p { "White's advantage: " (phrase::tenths(graded.survey.white_advantage)) " Elo." }
        div class="together" { (table(&columns, rows)) }
    }
}

fn characters(graded: &Graded) -> Markup {
    if graded.characters.is_empty() {
        return html! {};
    }
    let (head, rows) = super::characters(graded);
    html! {
        h2 { "Error profile" }
        p {
            "Loss of the levels' moves against the best move, in centipawns, by Echo at full strength with "
            (phrase::grouped(JUDGED_BY)) " nodes. Scores beyond ten pawns count as ten pawns."
        }
        div class="together" { (table(&head, rows.map(Vec::from))) }
    }
}

fn anchors(graded: &Graded) -> Markup {
    if graded.survey.anchors().next().is_none() {
        return html! {};
    }
    let head = HEAD.iter().copied().chain(["measured before"]).collect::<Vec<_>>();
    let rows = graded.anchors().map(|shown| {
        let before = match shown.player.role {
            Role::Anchor(Rated { here: Some(here), .. }) => format!("{here:.0}"),
            Role::Anchor(Rated { here: None, .. }) | Role::Level(_) => String::new(),
        };
        row(shown).into_iter().chain([before]).collect()
    });
    html! {
        h2 { "Anchors" }
        p {
            "Second column: the listed rating. Third column: the rating from these games alone. Last column: an earlier "
            "measurement at this time control."
        }
        div class="together" { (table(&head, rows)) }
    }
}

fn marks(graded: &Graded) -> Markup {
    let Some(graduation) = &graded.graduation else { return html! {} };
    let columns = ["Elo".to_owned(), graded.option.clone(), "95 % band".to_owned()];
    let rows = graduation.marks().map(|Mark { elo, level, low, high }| {
        vec![elo.to_string(), level.to_string(), format!("{low:.0} to {high:.0}")]
    });
    html! {
        h2 { "Settings for round Elo values" }
        (table(&columns, rows))
    }
}

fn since(graded: &Graded) -> Markup {
    let Some(since) = &graded.since else { return html! {} };
    let columns = CHANGES.map(str::to_owned);
    html! {
        h2 { "Changes since an earlier calibration" }
        p { "Compared with " (since.file) "; p-values are corrected for the number of figures." }
        (table(&columns, since.changes.iter().map(change)))
    }
}
