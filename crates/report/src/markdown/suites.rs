//! Suites in Markdown: pass rates, the cases that did not pass, and comparisons of engines.

use super::super::counts;
use super::super::model::{Difference, PairedComparison, Report, SuitePart};
use super::super::p_adjust;
use super::super::paired_comparison::Wording;
use super::super::{format, signature};
use super::groups;
use super::text::{code, plain, table};
use threefold_harness::suite::CaseRecord;

/// Everything about the suites of a run.
pub(super) fn blocks(report: &Report) -> Vec<String> {
    if report.suites.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec!["## Suites".to_owned(), overview(&report.suites)];
    blocks.push("Intervals of rates are Wilson's, 95 %.".to_owned());
    blocks.extend(report.suites.iter().flat_map(one));
    let rivalries = report.rivalries();
    if !rivalries.is_empty() {
        blocks.push("## The same cases, another engine".to_owned());
        blocks.push(p_adjust::PAIRED.to_owned());
        blocks.extend(rivalries.iter().flat_map(|rivalry| comparison(rivalry, &Wording::RIVAL)));
        blocks.extend(groups::adjusted_tests(&rivalries));
    }
    blocks
}

fn overview(suites: &[SuitePart]) -> String {
    let rows = suites.iter().map(|part| {
        let missed = part.demands.iter().filter(|demand| demand.shortfall.is_some()).count();
        let thresholds = match (part.demands.len(), missed) {
            (0, _) => "none set".to_owned(),
            _ if part.is_skipped() => "not checked".to_owned(),
            (_, 0) => "met".to_owned(),
            (all, missed) => format!("**{missed} of {all} missed**"),
        };
        vec![
            plain(&part.title),
            plain(&part.engine),
            part.tally(),
            format::share(part.rate()),
            thresholds,
            plain(&part.limits),
        ]
    });
    table(&["suite", "engine", "passed", "rate", "thresholds", "limits"], rows)
}

fn one(part: &SuitePart) -> Vec<String> {
    let mut blocks = vec![format!("### {}, {}", plain(&part.title), plain(&part.engine))];
    if !part.summary.is_empty() {
        blocks.push(plain(&part.summary));
    }
    blocks.extend(format::flawless(part.rate()));
    blocks.extend(counts::describe(part).map(|text| format!("Counted: {}.", plain(&text))));
    if let Some(reading) = &part.signature {
        blocks.push(format!("Policy signature: **{}**.", reading.signature));
        let row = signature::cells(part, reading).iter().map(|cell| plain(cell)).collect();
        blocks.push(table(&signature::COLUMNS, [row]));
        blocks.push(signature::RULE.to_owned());
    }
    let classes = part
        .classes()
        .into_iter()
        .map(|(class, rate)| vec![plain(class), format::fraction(rate), format::share(rate)]);
    blocks.push(table(&["class", "passed", "rate"], classes));
    let causes = part
        .causes()
        .into_iter()
        .map(|(cause, count)| vec![cause.kind().to_string(), plain(cause.name()), count.to_string()]);
    blocks.push(table(&["verdict", "cause", "cases"], causes));
    let is_timed = part.is_timed();
    let describe = |case: &CaseRecord| {
        let time = || case.verdict.time.map(format::duration).unwrap_or_default();
        describe(case).into_iter().chain(is_timed.then(time)).collect::<Vec<String>>()
    };
    let listed: Vec<Vec<String>> = if part.cases.len() <= LISTED_IN_FULL {
        part.cases.iter().map(describe).collect()
    } else {
        part.unpassed().map(describe).collect()
    };
    if !listed.is_empty() {
        let columns = ["case", "verdict", "class", "reason", "played", "accepted", "time"];
        blocks.push(table(&columns[..if is_timed { 7 } else { 6 }], listed));
    }
    blocks
}

/// Suites of at most this size list every case; larger ones list those that did not pass.
const LISTED_IN_FULL: usize = 12;

fn describe(case: &CaseRecord) -> Vec<String> {
    let verdict = &case.verdict;
    vec![
        code(&case.id),
        verdict.kind().to_string(),
        plain(&case.class),
        plain(&verdict.reason()),
        plain(&verdict.played),
        plain(&case.accepted),
    ]
}

/// The cases that only one of two engines passes.
pub(super) fn comparison(comparison: &PairedComparison, wording: &Wording) -> Vec<String> {
    let PairedComparison { suite, ours, theirs, .. } = comparison;
    let mut blocks = vec![
        format!("### {}: {} against {}", plain(suite), plain(ours), plain(theirs)),
        comparison.describe(),
    ];
    for (cases, label, nothing) in [
        (&comparison.lost, wording.lost, wording.nothing_lost),
        (&comparison.gained, wording.gained, wording.nothing_gained),
    ] {
        blocks.push(if cases.is_empty() { nothing.to_owned() } else { format!("{label}:") });
        if !cases.is_empty() {
            blocks.push(differences(cases, wording.sides));
        }
    }
    for (label, ids) in [("New cases", &comparison.only_ours), ("Cases missing", &comparison.only_theirs)] {
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(|id| code(id)).collect();
            blocks.push(format!("{label}: {}.", format::listed(&ids)));
        }
    }
    blocks
}

fn differences(cases: &[Difference], [ours, theirs]: [&str; 2]) -> String {
    let rows = cases
        .iter()
        .map(|case| vec![code(&case.id), plain(&case.class), plain(&case.ours), plain(&case.theirs)]);
    table(&["case", "class", ours, theirs], rows)
}
