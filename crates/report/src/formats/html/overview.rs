//! The answer at the top of the page: the verdict, each test and match, and each suite as a row of squares.

use maud::{Markup, html};

use super::case_states::{CaseState, JudgedSuite};
use super::table::table;
use super::tournament::{self, MOST_ROWS};
use super::{cases, format, matches, most_cases, takes, tuning};
use crate::model::knockout::NOTE;
use crate::model::node_curve;
use crate::model::report::{
    Duel, FailureKind, Knockout, MatchPart, MatchResult, Rated, Report, Test, TestStanding, TournamentRounds,
};
use crate::words::anchor;
use crate::words::headline::Acceptance;

/// The colour class of the headline: green only if nothing is undecided or faulty.
pub(super) fn colour(report: &Report) -> &'static str {
    match report.acceptance() {
        Acceptance::Accepted if report.is_doubtful() => DOUBTFUL,
        acceptance => acceptance.name(),
    }
}

/// An accepted run with an undecided test or engine faults.
pub(super) const DOUBTFUL: &str = "doubtful";

/// The most worse cases of a suite that the verdict names.
const NAMED: usize = 3;

/// The verdict and its reasons, one line for each part of the run, each with a link.
pub(super) fn verdict(report: &Report, suites: &[JudgedSuite<'_>]) -> Markup {
    let unfinished = report.unfinished_lines();
    let basis = report.basis();
    let gaps: Vec<_> = basis.all_gaps().collect();
    // The headline has the reason of a run that did not start.
    let failure_reasons = report.failure_reasons.iter().filter(|it| it.kind != FailureKind::FailedStart);
    let mut parts: Vec<&str> = failure_reasons.map(|reason| reason.part.as_str()).collect();
    parts.sort_unstable();
    parts.dedup();
    html! {
        div class=(format!("verdict {}", colour(report))) {
            strong { (report.headline()) }
            @if !parts.is_empty() || !unfinished.is_empty() || !gaps.is_empty() || !report.faults().is_empty() {
                ul {
                    @for part in parts { li { (reasons(part, report, suites)) } }
                    @for gap in gaps { li { (gap) } }
                    @for line in unfinished { li { (line) } }
                    @if !report.faults().is_empty() { li { a href="#faults" { "Engine faults" } } }
                }
            }
        }
        @if let Some(differs) = report.environment.describe() { p class="faint" { (differs) } }
    }
}

/// The reasons against a part of the run.
fn reasons(part: &str, report: &Report, suites: &[JudgedSuite<'_>]) -> Markup {
    // A threshold names the part; a regression names the suite, which the baseline compares with its last
    // part.
    let by_name = suites.iter().find(|suite| suite.part.name == part);
    let suite = by_name.or_else(|| suites.iter().rev().find(|suite| suite.part.suite == part));
    let games = report.matches.iter().position(|games| games.name == part);
    let link = suite.map(|suite| anchor::suite(suite.part)).or_else(|| games.map(matches::anchor));
    let failure_reasons = report.failure_reasons.iter().filter(|reason| reason.part == part);
    html! {
        @match link {
            Some(link) => a href=(format!("#{link}")) { (part) },
            None => (part),
        }
        ": "
        @for (index, reason) in failure_reasons.enumerate() {
            @if index > 0 { "; " }
            @match suite.filter(|_| reason.kind == FailureKind::Regression) {
                Some(suite) => (worse(suite)),
                None => (reason.what),
            }
        }
    }
}

/// The number of worse verdicts, and the cases if they are few.
fn worse(suite: &JudgedSuite<'_>) -> Markup {
    let lost: Vec<&str> = suite
        .cases()
        .filter(|(_, state)| *state == CaseState::Lost)
        .map(|(case, _)| case.id.as_str())
        .collect();
    html! {
        (format::count(lost.len(), "verdict")) " worse than in the baseline"
        @if lost.len() <= NAMED {
            @for (index, id) in lost.iter().enumerate() {
                (if index == 0 { ": " } else { ", " })
                a href=(format!("#{}", anchor::case(suite.part, id))) { code { (id) } }
            }
        }
    }
}

/// A card for each match and test, or the tournament whose encounters the matches are.
pub(super) fn match_cards(report: &Report) -> Markup {
    html! {
        @match &report.tournament {
            Some(TournamentRounds::Knockout(bracket)) => {
                h2 id="bracket" { "Bracket" }
                (table("Bracket", &Knockout::COLUMNS, bracket.rows().into_iter().map(|row| row.to_vec())))
                p class="faint" { (NOTE) }
            }
            Some(TournamentRounds::Swiss(swiss)) => (tournament::swiss(swiss, &report.matches)),
            None => @if let Some(several) = &report.takes {
                (takes::section(report, several))
            } @else if !report.matches.is_empty() {
                div class="cards" {
                    @for (index, part) in report.matches.iter().enumerate() { (match_card(index, part)) }
                }
            },
        }
    }
}

fn match_card(index: usize, part: &MatchPart) -> Markup {
    let head = |rest: Option<String>| {
        html! {
            h2 {
                a href=(format!("#{}", matches::anchor(index))) { (part.name) }
                @if let Some(rest) = rest { span class="faint" { (rest) } }
            }
        }
    };
    html! {
        article class="card" {
            @match &part.result {
                MatchResult::Test(test) => { (head(Some(test.duel.point_of_view()))) (test_card(test)) }
                MatchResult::Duel(duel) => { (head(Some(duel.point_of_view()))) (duel_card(duel)) }
                MatchResult::Ratings(Ok(ratings)) => { (head(None)) (ratings_card(part, ratings)) }
                MatchResult::Ratings(Err(why)) => { (head(None)) p class="warn" { "No ratings: " (why) "." } }
                MatchResult::Table => { (head(None)) (tournament::card(part)) }
                MatchResult::Tuning(tuning) => { (head(None)) (tuning::card(tuning)) }
            }
        }
    }
}

fn test_card(test: &Test) -> Markup {
    let bounds = test.running.bounds();
    let value = test.running.value();
    // The last pair may carry the statistic beyond a bound.
    let share = ((value - bounds.lower) / (bounds.upper - bounds.lower)).clamp(0.0, 1.0);
    let elo = test.stopped.map_or_else(|| "unknown".to_owned(), |stopped| format::plus_minus(stopped.elo));
    html! {
        p class="figure" { "Elo " (elo) }
        p { b { (outcome(test.standing)) } " after " (test.duel.counted_games()) }
        div class="llr" role="img" aria-label=(test.evidence()) {
            span { "H0 " (format!("{:.2}", bounds.lower)) }
            div class="track" { i style=(format!("left:{:.1}%", 100.0 * share)) {} }
            span { "H1 " (format!("{:.2}", bounds.upper)) }
        }
        p class="middle" { b { (test.statistic().name) " " (format!("{value:+.2}")) } ", hypotheses " (test.hypotheses()) }
        p { (test.conclusion()) }
    }
}

/// The state of a test, in a word or two.
const fn outcome(standing: TestStanding) -> &'static str {
    match standing {
        TestStanding::BudgetSpent => "Undecided",
        TestStanding::Interrupted => "Interrupted",
        TestStanding::Running => "Running",
        TestStanding::NoNewGames | TestStanding::DependsOnFaults | TestStanding::AnotherPassed => {
            "Not decided"
        }
        TestStanding::AcceptedH1 | TestStanding::AcceptedH0 | TestStanding::TooManyFaults => standing.name(),
    }
}

fn duel_card(duel: &Duel) -> Markup {
    let [lost, drawn, won] = duel.sheet.games().counts.map(format::grouped);
    html! {
        p class="figure" {
            "Elo " (duel.fixed.map_or_else(|| "unknown".to_owned(), |fixed| format::plus_minus(fixed.logistic)))
        }
        p { "Won " (won) ", drawn " (drawn) ", lost " (lost) }
        (matches::pair_bar(duel))
        @if let Some(fixed) = duel.fixed { p { "LOS " (format::percent(fixed.superiority)) } }
        @if let Some(note) = duel.fault_note() { p class="warn" { (note) } }
    }
}

fn ratings_card(part: &MatchPart, ratings: &[Rated]) -> Markup {
    html! {
        @if let Some(curve) = &part.curve {
            @for sentence in node_curve::describe(curve).into_iter().take(1) { p { (sentence) } }
        }
        ol class="ranking" {
            @for rated in ratings.iter().take(MOST_ROWS) {
                li { span { (rated.name) } b { (format::rating(rated.elo, rated.error)) } }
            }
        }
        @if ratings.len() > MOST_ROWS { p class="faint" { "and " (ratings.len() - MOST_ROWS) " more" } }
    }
}

/// Each suite as a row of squares, one for each case.
pub(super) fn suite_rows(suites: &[JudgedSuite<'_>]) -> Markup {
    let seen: Vec<CaseState> = CaseState::ALL
        .iter()
        .copied()
        .filter(|&state| suites.iter().any(|suite| suite.count(state) > 0))
        .collect();
    let several = suites.iter().any(|suite| suite.part.engine != suites[0].part.engine);
    html! {
        @if !suites.is_empty() {
            h2 id="suites" { "Suites" }
            p class="legend" {
                @for &state in &seen { span { (cases::mark(state)) (state.words()) } " " }
            }
            div class="suites" { @for suite in suites { (suite_row(suite, several)) } }
        }
    }
}

fn suite_row(suite: &JudgedSuite<'_>, names_engine: bool) -> Markup {
    let part = suite.part;
    let missed =
        part.thresholds.iter().any(|threshold| threshold.missed_by().is_some()) && !part.is_skipped();
    html! {
        div class="suite" {
            div class="name" {
                a href=(format!("#{}", anchor::suite(part))) { (part.title) }
                @if names_engine { span class="faint" { (part.engine) } }
                span class="tally" {
                    (part.tally())
                    @for (state, sign) in [(CaseState::Lost, "−"), (CaseState::Gained, "+")] {
                        @if suite.count(state) > 0 {
                            " " b class=(state) title=(state.words()) { (sign) (suite.count(state)) }
                        }
                    }
                    @if suite.comparison.is_some_and(|it| it.compared() > 0) && suite.is_as_in_the_baseline() { " as in the baseline" }
                    @if missed { " " b class="lost" { "below threshold" } }
                }
            }
            (squares(suite))
        }
    }
}

/// A square for each case, with a link to it.
fn squares(suite: &JudgedSuite<'_>) -> Markup {
    let part = suite.part;
    let is_long = part.cases.len() > most_cases::SQUARES;
    let is_drawn = |state: CaseState| !is_long || most_cases::is_notable(state);
    // Even the notable cases of a suite can be too many.
    let drawn = suite.cases().filter(|(_, state)| is_drawn(*state)).take(most_cases::SQUARES);
    let density = if part.cases.len() > most_cases::LARGE_SQUARES { "squares dense" } else { "squares" };
    html! {
        div class=(density) {
            @for (case, state) in drawn {
                a class=(format!("mark {state}")) href=(format!("#{}", anchor::case(part, &case.id)))
                    aria-label=(format!("{} {}", case.id, state.words())) title=(format!("{}: {}", case.id, state.words())) {}
            }
            @if is_long { span class="faint" { "passed, skipped and known failures are not drawn" } }
        }
    }
}
