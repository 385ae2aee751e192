//! A calibration on one page.

use maud::{Markup, html};

use super::{CHANGES, CalibrationReport, HEAD, Shown, change, row};
use crate::format;
use crate::formats::html::{document, table};
use crate::formats::svg;
use crate::formats::svg::Dot;
use threefold_run::calibration::error_profile::JUDGE_NODES;
use threefold_run::calibration::{AnchorRating, EloMark, PlayerRole};

/// The page, with the curve drawn.
pub fn page(report: &CalibrationReport) -> String {
    let content = html! {
        h1 { (report.title) }
        (curve(report))
        ul { @for sentence in report.describe() { li { (sentence) } } }
        (levels(report))
        (error_profiles(report))
        (anchors(report))
        (marks(report))
        (since(report))
        h2 { "How to reproduce" }
        p { "Games at " (report.terms) " on " (report.provenance.machine) ". Echo's bench: " (report.provenance.bench) "." }
        @if !report.provenance.command.is_empty() { p { code { (report.provenance.command) } } }
    };
    document(&report.title, &content)
}

fn curve(report: &CalibrationReport) -> Markup {
    let Some(elo_curve) = &report.elo_curve else { return html! {} };
    let dot =
        |Shown { asked, player, .. }: Shown<'_>| Dot { level: asked, elo: player.elo, error: player.error };
    let measured: Vec<Dot> = report.levels().map(dot).collect();
    html! {
        h2 { "Requested and measured Elo" }
        (svg::elo_curve(elo_curve, &measured, report.called_by_elo))
        @if report.called_by_elo { (svg::deviation(elo_curve, &measured)) }
        p class="faint" {
            "Dots: each level from its own games, with its 95 % interval. Curve: monotone fit, with a simultaneous 95 % band for "
            "all levels."
            @if report.called_by_elo { " Straight line: measured equals requested Elo. Second plot: the error." }
        }
    }
}

fn levels(report: &CalibrationReport) -> Markup {
    let columns = HEAD.iter().copied().chain(["seconds per game"]).collect::<Vec<_>>();
    let rows = report.levels().map(|shown| {
        let cost = format!("{:.2}", shown.player.cost);
        row(shown).into_iter().chain([cost]).collect()
    });
    html! {
        h2 { "Levels" }
        p { "White's advantage: " (format::tenths(report.ratings.white_advantage)) " Elo." }
        div class="together" { (table("Levels", &columns, rows)) }
    }
}

fn error_profiles(report: &CalibrationReport) -> Markup {
    if report.error_profiles.is_empty() {
        return html! {};
    }
    let (head, rows) = super::error_profiles(report);
    html! {
        h2 { "Error profile" }
        p {
            "Loss of the levels' moves against the best move, in centipawns, by Echo at full strength with "
            (format::grouped(JUDGE_NODES)) " nodes. Scores beyond ten pawns count as ten pawns."
        }
        div class="together" { (table("Loss of the levels' moves", &head, rows.map(Vec::from))) }
    }
}

fn anchors(report: &CalibrationReport) -> Markup {
    if report.ratings.anchors().next().is_none() {
        return html! {};
    }
    let head = HEAD.iter().copied().chain(["measured before"]).collect::<Vec<_>>();
    let rows = report.anchors().map(|shown| {
        let before = match shown.player.role {
            PlayerRole::Anchor(AnchorRating { measured: Some(here), .. }) => format!("{here:.0}"),
            PlayerRole::Anchor(AnchorRating { measured: None, .. }) | PlayerRole::Level(_) => String::new(),
        };
        row(shown).into_iter().chain([before]).collect()
    });
    html! {
        h2 { "Anchors" }
        p {
            "Second column: the listed rating. Third column: the rating from these games alone. Last column: an earlier "
            "measurement at this time control."
        }
        div class="together" { (table("Anchors", &head, rows)) }
    }
}

fn marks(report: &CalibrationReport) -> Markup {
    let Some(elo_curve) = &report.elo_curve else { return html! {} };
    let columns = ["Elo".to_owned(), report.option.clone(), "95 % band".to_owned()];
    let rows = elo_curve.marks().map(|EloMark { elo, level, low, high }| {
        vec![elo.to_string(), level.to_string(), format!("{low:.0} to {high:.0}")]
    });
    html! {
        h2 { "Settings for round Elo values" }
        (table("Settings for round Elo values", &columns, rows))
    }
}

fn since(report: &CalibrationReport) -> Markup {
    let Some(since) = &report.since else { return html! {} };
    let columns = CHANGES.map(str::to_owned);
    html! {
        h2 { "Changes since an earlier calibration" }
        p { "Compared with " (since.file) "; p-values are corrected for the number of figures." }
        (table("Changes of the levels", &columns, since.changes.iter().map(change)))
    }
}
