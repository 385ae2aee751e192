//! Matches, sequential tests and calibrations on the page.

use maud::{Markup, html};

use super::super::figures::{PAIR_CLASSES, Row};
use super::super::model::{ClockUse, Duel, MatchPart, MatchResult, Rated, Standing, Test};
use super::super::svg;
use super::super::time_losses;
use super::{format, groups};

/// Everything about one match.
pub(super) fn section(index: usize, part: &MatchPart) -> Markup {
    html! {
        h2 id=(format!("match-{index}")) { (part.name) }
        p {
            (format::count(part.games.len(), "game")) " of at most " (part.planned) " ("
            (part.ending.as_deref().unwrap_or("not finished")) "); " (part.terms) "."
        }
        @match &part.result {
            MatchResult::Table => {},
            MatchResult::Duel(duel) => (figures(duel, duel.estimates())),
            MatchResult::Test(test) => (sequential(test)),
            MatchResult::Ratings(Ok(ratings)) => (rating_list(ratings)),
            MatchResult::Ratings(Err(why)) => p class="warn" { "No ratings: " (why) "." },
        }
        @if let Some(curve) = &part.curve { (groups::calibration(curve)) }
        @if !part.games.is_empty() { (standings(&part.standings)) }
        (groups::homogeneity(part))
        @if !part.clocks.is_empty() { (clocks(&part.clocks)) }
    }
}

fn sequential(test: &Test) -> Markup {
    html! {
        p {
            "SPRT of " b { (test.duel.ours) } " minus " b { (test.duel.theirs) } ": " (test.question()) "."
        }
        p { b { (test.standing) } ": " (test.conclusion()) }
        (svg::evidence(test))
        (figures(&test.duel, test.estimates()))
        p class="faint" { (test.caveat()) }
    }
}

fn figures(duel: &Duel, estimates: Vec<Row>) -> Markup {
    let pairs = duel.sheet.pairs();
    html! {
        (rows(&duel.point_of_view(), estimates))
        @if pairs.trials() > 0 {
            p { (format::count(pairs.trials() as usize, "pair")) ", from " (duel.ours) "’s side: Ptnml(0-2) " (duel.pentanomial()) "." }
            div class="pairs" {
                @for (class, &count) in pairs.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                    span class=(format!("pair-{class}")) style=(format!("flex: {count}"))
                        title=(format!("{} {count}", PAIR_CLASSES[class])) { (PAIR_CLASSES[class]) " " (count) }
                }
            }
            (rows("games and openings", duel.character()))
        }
    }
}

fn rows(heading: &str, rows: Vec<Row>) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr { th { (heading) } th { "value" } }
                @for [name, text] in rows { tr { td { (name) } td { (text) } } }
            }
        }
    }
}

fn rating_list(ratings: &[Rated]) -> Markup {
    html! {
        (svg::ratings(ratings))
        div class="scroll" {
            table {
                tr { th { "engine" } th { "Elo, 95 %" } th class="number" { "points" } th class="number" { "games" } }
                @for rated in ratings {
                    tr {
                        td { (rated.name) }
                        td { (format::rating(rated.elo, rated.error)) }
                        td class="number" { (format::points(rated.points)) }
                        td class="number" { (rated.games) }
                    }
                }
            }
        }
    }
}

fn standings(standings: &[Standing]) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr {
                    th { "engine" }
                    @for label in ["points", "games", "won", "drawn", "lost"] { th class="number" { (label) } }
                }
                @for standing in standings {
                    tr {
                        td { (standing.name) }
                        td class="number" { (format::points(standing.points())) }
                        @for number in [standing.games(), standing.wins, standing.draws, standing.losses] {
                            td class="number" { (number) }
                        }
                    }
                }
            }
        }
    }
}

fn clocks(clocks: &[ClockUse]) -> Markup {
    html! {
        h3 { "Time used" }
        (svg::clock_use(clocks))
        div class="scroll" {
            table {
                tr {
                    th { "engine" }
                    @for label in ["moves", "mean", "longest", "least left", "time losses"] {
                        th class="number" { (label) }
                    }
                }
                @for clock in clocks {
                    tr {
                        td { (clock.name) }
                        td class="number" { (format::grouped(clock.moves)) }
                        @for time in [clock.mean, clock.longest, clock.least_left] {
                            td class="number" { (format::duration(time)) }
                        }
                        td class="number" { (time_losses::counted(clock)) }
                    }
                }
            }
        }
    }
}
