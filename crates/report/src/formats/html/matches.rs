//! Matches, sequential tests and calibrations on the page.

use maud::{Markup, html};

use super::table::table;
use super::{differences, format, groups, tournament, tuning};
use crate::formats::svg;
use crate::model::families::OpeningFamilies;
use crate::model::figures::{PAIR_CLASSES, Row};
use crate::model::report::{ClockUse, Duel, MatchPart, MatchResult, Rated, Report, Standing, Test};
use crate::model::shadow::ShadowRow;
use crate::model::time_losses;
use threefold_run::tournament::ROUND_LABEL;

/// The anchor of a match by its place in the run.
pub(super) fn anchor(index: usize) -> String {
    format!("match-{index}")
}

/// Everything about all matches. Those of a Swiss tournament are many, and its tables have their results, so a
/// click opens the encounters of a round.
pub(super) fn all(report: &Report) -> Markup {
    let matches: Vec<(usize, &MatchPart)> = report.matches.iter().enumerate().collect();
    let round = |part: &MatchPart| part.labels.get(ROUND_LABEL).unwrap_or_default().to_owned();
    html! {
        @if report.is_swiss() {
            h2 id="encounters" { "Encounters" }
            @for encounters in matches.chunk_by(|(_, one), (_, other)| round(one) == round(other)) {
                details {
                    summary { "Round " (round(encounters[0].1)) }
                    @for (index, part) in encounters { (section(*index, part)) }
                }
            }
        } @else {
            @for (index, part) in matches { (section(index, part)) }
        }
    }
}

/// Everything about one match.
fn section(index: usize, part: &MatchPart) -> Markup {
    html! {
        section {
            h2 id=(anchor(index)) { (part.name) }
            p {
                (format::count(part.games.len(), "game"))
                @if let Some(distinct) = part.distinct_games() { " (" b { (distinct) } ")" }
                " of at most " (part.planned) " ("
                (part.ending.as_deref().unwrap_or("not finished")) "); " (part.terms) "."
            }
            @match &part.result {
                MatchResult::Table => (tournament::section(part)),
                MatchResult::Duel(duel) => (fixed_length(duel)),
                MatchResult::Test(test) => (sequential(test)),
                MatchResult::Ratings(Ok(ratings)) => (rating_list(part, ratings)),
                MatchResult::Ratings(Err(why)) => p class="warn" { "No ratings: " (why) "." },
                MatchResult::Tuning(tuning) => (tuning::section(tuning)),
            }
            @if let Some(note) = part.families.as_ref().and_then(OpeningFamilies::note) { p class="warn" { (note) } }
            (differences::section(part))
            (shadow(part))
            (groups::homogeneity(part))
            @if !part.clocks.is_empty() { (clocks(&part.clocks)) }
        }
    }
}

/// What adjudication would have changed, in shadow mode.
fn shadow(part: &MatchPart) -> Markup {
    let rows: Vec<Vec<String>> = ShadowRow::from_match(part).iter().map(|row| row.cells().to_vec()).collect();
    html! {
        @if !rows.is_empty() {
            h3 { "What adjudication would have changed" }
            (table("What adjudication would have changed", &ShadowRow::COLUMNS, rows))
        }
    }
}

/// The conclusion is in the test's card.
fn sequential(test: &Test) -> Markup {
    html! {
        p { (test.rule.kind().title) " of " b { (test.duel.ours) } " minus " b { (test.duel.theirs) } ": " (test.question()) "." }
        (svg::evidence(test))
        (figures(&test.duel, test.corrected_estimates()))
        details {
            summary { "E-values" }
            (svg::e_values(test))
            (rows("E-values", test.e_values().to_vec()))
            p class="faint" { (test.caveat()) }
        }
    }
}

fn fixed_length(duel: &Duel) -> Markup {
    figures(duel, duel.estimates())
}

fn figures(duel: &Duel, estimates: Vec<Row>) -> Markup {
    let pairs = duel.sheet.pairs();
    let [lost, drawn, won] = duel.sheet.games().counts.map(format::grouped);
    html! {
        @if pairs.trials() > 0 {
            p {
                (duel.ours) " won " (won) ", drew " (drawn) ", lost " (lost) ". "
                (format::count(pairs.trials() as usize, "pair")) ": Ptnml(0-2) " (duel.pentanomial()) "."
            }
            (pair_bar(duel))
        }
        (rows(&duel.point_of_view(), estimates))
        @if pairs.trials() > 0 {
            details { summary { "Draws, pairs and openings" } (rows("games and openings", duel.character())) }
        }
    }
}

/// Pairs by their result, for the first engine.
pub(super) fn pair_bar(duel: &Duel) -> Markup {
    let pairs = duel.sheet.pairs();
    html! {
        @if pairs.trials() > 0 {
            div class="pairs" role="img" aria-label=(format!("Pairs, worst to best: {}", duel.pentanomial())) {
                @for (class, &count) in pairs.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                    span class=(format!("pair-{class}")) style=(format!("flex-grow:{count}"))
                        title=(format!("{} {count}", PAIR_CLASSES[class])) { b { (PAIR_CLASSES[class]) } " " (format::grouped(count)) }
                }
            }
        }
    }
}

fn rows(heading: &str, rows: Vec<Row>) -> Markup {
    table(heading, &["figure", "value"], rows.into_iter().map(Vec::from))
}

/// The curve, or else the ratings with their intervals; then one table of them.
fn rating_list(part: &MatchPart, ratings: &[Rated]) -> Markup {
    let columns = ["engine", "Elo, 95 %", "points", "games", "won", "drawn", "lost"];
    let rows = ratings.iter().map(|rated| {
        let standing = part.standings.iter().find(|standing| standing.name == rated.name);
        let results = standing.map_or_else(
            || [const { String::new() }; 3],
            |Standing { wins, draws, losses, .. }| [*wins, *draws, *losses].map(format::grouped),
        );
        let rating = format::rating(rated.elo, rated.error);
        let of_engine =
            [rated.name.clone(), rating, format::points(rated.points), format::grouped(rated.games)];
        of_engine.into_iter().chain(results).collect()
    });
    html! {
        @match &part.curve {
            Some(curve) => (groups::calibration(curve)),
            None => (svg::ratings(ratings)),
        }
        (table("Ratings", &columns, rows))
    }
}

fn clocks(clocks: &[ClockUse]) -> Markup {
    let columns = ["engine", "moves", "mean", "longest", "least left", "time losses"];
    let rows = clocks.iter().map(|clock| {
        let times = [clock.mean, clock.longest, clock.least_left].map(format::duration);
        let first = [clock.name.clone(), format::grouped(clock.moves)];
        first.into_iter().chain(times).chain([time_losses::counted(clock)]).collect()
    });
    html! {
        h3 { "Time used" }
        (svg::clock_use(clocks))
        (table("Time used", &columns, rows))
    }
}
