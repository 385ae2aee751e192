//! The answer: verdict, reasons, the suites that differ, the worst cases, and one line for each test.

use super::tables::cell;
use super::text::{clipped, code, link, plain, table};
use super::tournament;
use crate::format;
use crate::model::faults;
use crate::model::figures::budget_note;
use crate::model::report::{
    Baseline, FailureKind, MatchPart, MatchResult, PairedComparison, Report, SuitePart, TournamentRounds,
};
use crate::model::take_table::Take;
use crate::model::tournament::Tournament;
use crate::model::worst::{self, WorstCase};
use crate::words::{page_link, suite_changes};

/// The most characters of a name, of a reason, and of the headline.
const NAME: usize = 80;
const REASON: usize = 240;
const HEADLINE: usize = 1_000;

/// The most rows or lines of each list, with the line that counts the rest. Their sum keeps the answer within
/// its lines.
const REASONS: usize = 4;
const SUITES: usize = 7;
const CASES: usize = 10;
const MATCHES: usize = 3;

/// The blocks of the answer, between which there is an empty line.
pub(super) fn blocks(report: &Report) -> Vec<String> {
    let mut blocks = vec![
        format!("# {}", plain(&clipped(&report.title, NAME))),
        format!("**{}**", plain(&clipped(&report.headline(), HEADLINE))),
    ];
    blocks.extend(report.environment.describe().map(|differs| plain(&clipped(&differs, HEADLINE))));
    blocks.extend(reasons(report));
    blocks.extend(suites(report));
    blocks.extend(benches(report));
    blocks.extend(cases(report));
    let of_rounds = report.tournament.as_ref().map(|it| match it {
        TournamentRounds::Knockout(knockout) => tournament::bracket(knockout),
        TournamentRounds::Swiss(swiss) => tournament::swiss_standings(swiss, &report.matches),
    });
    blocks.extend(
        of_rounds
            .or_else(|| takes(report))
            .or_else(|| tournament::answer(report))
            .or_else(|| matches(report)),
    );
    blocks.push("Boards, plots and every case: [index.html](index.html).".to_owned());
    blocks
}

/// A list of a maximum number of lines; the last one counts those that are left out.
fn listed(lines: Vec<String>, most: usize, noun: &str) -> Option<String> {
    let mut lines = lines;
    if lines.len() > most {
        let rest = lines.len() - (most - 1);
        lines.truncate(most - 1);
        lines.push(format!("- and {}", format::count(rest, &format!("more {noun}"))));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The reasons against the run, except worse cases, which have a table of their own; unfinished parts; faults
/// of games.
fn reasons(report: &Report) -> Option<String> {
    // The table has the worse cases, and the headline says why a run did not start.
    let is_shown = |kind| !matches!(kind, FailureKind::Regression | FailureKind::FailedStart);
    let failure_reasons = report.failure_reasons.iter().filter(|reason| is_shown(reason.kind));
    let failure_reasons = failure_reasons.map(|reason| {
        let what = clipped(&reason.what, REASON);
        format!("- {} in {}: {}", reason.kind, plain(&clipped(&reason.part, NAME)), plain(&what))
    });
    let unfinished = report.unfinished_lines();
    let unfinished = unfinished.iter().map(|line| format!("- {}", plain(&clipped(line, REASON))));
    let game_faults = report.matches.iter().flat_map(|part| {
        let groups = faults::grouped(faults::of_games(part));
        groups.into_iter().map(|group| format!("- {}", plain(&clipped(&group.in_part(), REASON))))
    });
    listed(failure_reasons.chain(unfinished).chain(game_faults).collect(), REASONS, "reason")
}

/// The suites that differ from the baseline, or that none does. Without a baseline, the result of each suite.
fn suites(report: &Report) -> Option<String> {
    match &report.baseline {
        Baseline::Absent(_) if report.suites.is_empty() => None,
        Baseline::Absent(why) => Some(format!(
            "Not compared with a baseline: {}.\n\n{}",
            plain(&clipped(why, REASON)),
            suites_alone(&report.suites)
        )),
        Baseline::Compared { suites, other_budgets, .. } => {
            let notes: Vec<String> = other_budgets.iter().map(budget_note).collect();
            let notes = clipped(&notes.join(" "), 2 * REASON);
            let text = compared(report, suites);
            Some(if notes.is_empty() { text } else { format!("{text}\n\n{}", plain(&notes)) })
        }
    }
}

/// The bench of this run and that of the baseline.
fn benches(report: &Report) -> Option<String> {
    let lines: Vec<String> = report.benches.iter().map(|bench| bench.describe(&report.environment)).collect();
    let lines: Vec<String> = lines.iter().map(|line| plain(&clipped(line, 2 * REASON))).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn suites_alone(suites: &[SuitePart]) -> String {
    let header = ["suite", "engine", "result", "rate (95 %)", "thresholds"];
    let columns = header.len() - usize::from(!have_thresholds(suites));
    let rows = suites.iter().map(|part| {
        let (suite, engine) = (suite_link(part), plain(&clipped(&part.engine, NAME)));
        let cells = [suite, engine, part.tally(), format::share(part.rate()), thresholds(part)];
        cells.into_iter().take(columns).collect()
    });
    short_table(&header[..columns], rows.collect(), "suite")
}

/// Does a suite have thresholds? If only a baseline decides, none has.
pub(super) fn have_thresholds(suites: &[SuitePart]) -> bool {
    suites.iter().any(|part| !part.thresholds.is_empty())
}

/// Whether a suite meets its thresholds.
pub(super) fn thresholds(part: &SuitePart) -> String {
    let missed = part.thresholds.iter().filter(|threshold| threshold.missed_by().is_some()).count();
    match (part.thresholds.len(), missed) {
        (0, _) => "not set".to_owned(),
        _ if part.is_unchecked() => "not checked".to_owned(),
        (_, 0) => "met".to_owned(),
        (all, missed) => format!("**{missed} of {all} missed**"),
    }
}

fn compared(report: &Report, comparisons: &[PairedComparison]) -> String {
    let changed = suite_changes::changed(report, comparisons);
    let rows = changed.iter().map(|suite| {
        vec![
            suite_link(suite.part),
            suite.part.tally(),
            suite.baseline(),
            suite.lost.to_string(),
            suite.gained.to_string(),
        ]
    });
    let mut said = if changed.is_empty() {
        suite_changes::unchanged(comparisons)
    } else {
        short_table(&["suite", "this run", "baseline", "lost", "gained"], rows.collect(), "suite")
    };
    said.extend(suite_changes::coverage(report, comparisons).map(|text| format!("\n\n{text}")));
    said
}

/// A table of few rows; a line below counts those that are left out.
fn short_table(header: &[&str], rows: Vec<Vec<String>>, noun: &str) -> String {
    let more = rows.len().saturating_sub(SUITES);
    let mut text = table(header, rows.into_iter().take(SUITES));
    if more > 0 {
        let cells = std::iter::repeat_n(String::new(), header.len() - 1);
        let last = format!("and {}", format::count(more, &format!("more {noun}")));
        let row: Vec<String> = std::iter::once(last).chain(cells).collect();
        text = format!("{text}\n| {} |", row.join(" | "));
    }
    text
}

fn suite_link(part: &SuitePart) -> String {
    link(&plain(&clipped(&part.title, NAME)), &page_link::suite(part))
}

/// The worst cases, each with a line and a link.
fn cases(report: &Report) -> Option<String> {
    let worst = worst::cases(report);
    let heading = match worst.len() {
        0 => return None,
        1..=CASES => "Cases:".to_owned(),
        all => format!("Ten of {}:", format::count(all, "case")),
    };
    let lines: Vec<String> = worst.iter().take(CASES).map(line).collect();
    Some(format!("{heading}\n\n{}", lines.join("\n")))
}

fn line(worst: &WorstCase<'_>) -> String {
    let WorstCase { part, case, .. } = worst;
    let verdict = &case.verdict;
    let played = match (verdict.played.as_str(), case.accepted.as_str()) {
        ("", _) => String::new(),
        (played, "") => format!("; played {}", code(&clipped(played, NAME))),
        (played, accepted) => {
            format!("; played {}, accepted {}", code(&clipped(played, NAME)), code(&clipped(accepted, NAME)))
        }
    };
    format!(
        "- {} ({}) {}: {}{played}",
        link(&code(&clipped(&case.id, NAME)), &page_link::case(part, &case.id)),
        plain(&clipped(&part.suite, NAME)),
        part.lost_case.word(verdict.kind()),
        plain(&clipped(&verdict.reason(), REASON)),
    )
}

/// The table of several takes: the first ones, if there are too many.
fn takes(report: &Report) -> Option<String> {
    /// The most rows.
    const TAKES: usize = 16;
    let takes = report.take_list();
    let rows = takes.iter().take(TAKES).map(|take| take.row().map(|text| cell(&text)).to_vec());
    let more = match takes.len().saturating_sub(TAKES) {
        0 => String::new(),
        more => format!("\n\n{} in [index.html](index.html).", format::count(more, "more take")),
    };
    (!takes.is_empty()).then(|| format!("{}{more}", table(&Take::COLUMNS, rows)))
}

/// One line for each match that the headline is not about.
fn matches(report: &Report) -> Option<String> {
    let headline = report.headline();
    let lines = report.matches.iter().filter_map(|part| {
        let result = result(part);
        let name = plain(&clipped(&part.name, NAME));
        (!headline.contains(&result)).then(|| format!("- {name}: {}", plain(&clipped(&result, 2 * REASON))))
    });
    listed(lines.collect(), MATCHES, "result")
}

/// The result of a match in a line.
fn result(part: &MatchPart) -> String {
    match &part.result {
        MatchResult::Test(test) => test.line(),
        MatchResult::Duel(duel) => duel.headline(),
        MatchResult::Table => {
            let ratings = Tournament::from_match(part).ratings.unwrap_or_default();
            let best = ratings.first();
            let best = best.map(|best| format!("; highest rating: {} ({})", best.standing.name, best.elo()));
            format!(
                "{} of {} engines{}",
                format::count(part.games.len(), "game"),
                part.standings.len(),
                best.unwrap_or_default()
            )
        }
        MatchResult::Ratings(Ok(ratings)) => {
            let rated: Vec<String> = ratings
                .iter()
                .map(|rated| format!("{} {}", rated.name, format::rating(rated.elo, rated.error)))
                .collect();
            format!("ratings: {}", rated.join(", "))
        }
        MatchResult::Ratings(Err(why)) => format!("no ratings: {why}"),
        MatchResult::Tuning(tuning) => tuning.line(),
    }
}
