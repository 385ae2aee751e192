//! Tests of the summary: what it says, and how long it may be.

use super::*;
use crate::model::baseline_fixture::{compare, passing};
use crate::model::fixture;
use crate::model::report::{FaultStop, Report};
use crate::words::page_link;
use threefold_games::game::{GameEnd, GameOutcome};
use threefold_player::{FaultCause, RecordedFault};
use threefold_suites::{FailCause, Verdict};

#[test]
fn a_summary_leads_with_the_answer() {
    insta::assert_snapshot!(page(&fixture::report()));
}

#[test]
fn names_from_outside_stay_text() {
    let mut report = fixture::report();
    report.title = "a | b\n# `c` <script>*x*\0".to_owned();
    let page = page(&report);
    let title = page.lines().next().expect("a title");
    assert_eq!(title, r"# a \| b␊\# \`c\` \<script\>\*x\*␀");
}

#[test]
fn title_of_a_section_is_html() {
    let section = Section { title: "Games of <a_b>".to_owned(), blocks: vec!["text".to_owned()] };
    let expected = "<details><summary>Games of &lt;a_b&gt;</summary>\n\ntext\n\n</details>\n";
    assert_eq!(unfolded(&section), expected);
}

/// Lines outside `<details>`.
fn lines_outside(page: &str) -> usize {
    let mut is_inside = false;
    let mut lines = 0;
    for line in page.lines() {
        is_inside |= line.starts_with("<details>");
        lines += usize::from(!is_inside);
        is_inside &= line != "</details>";
    }
    lines
}

fn check(page: &str) {
    assert!(lines_outside(page) <= MOST_LINES, "{} lines:\n{page}", lines_outside(page));
    assert!(page.chars().count() < MOST_CHARACTERS, "{} characters", page.chars().count());
    assert_eq!(page.matches("<details>").count(), page.matches("</details>").count(), "{page}");
    // GitHub links `#7` and notifies `@name` wherever they are not code.
    let outside_code: String = page.split('`').step_by(2).collect();
    let characters: Vec<char> = outside_code.chars().filter(|it| *it != '\\').collect();
    let is_reference = |pair: &[char]| {
        (pair[0] == '#' && pair[1].is_ascii_digit()) || (pair[0] == '@' && pair[1].is_alphanumeric())
    };
    assert!(!characters.windows(2).any(is_reference), "{page}");
}

#[test]
fn a_pass_has_forty_lines_at_most() {
    for suites in [1, 11, 60] {
        let report = passing(suites, 60);
        assert_eq!(report.acceptance(), Acceptance::Accepted);
        let page = page(&report);
        check(&page);
        assert!(page.lines().count() <= MOST_LINES, "{} lines:\n{page}", page.lines().count());
        let cases = suites * 60;
        let said = format!("as in the baseline: {0} of {0} cases passed.", format::grouped(cases as u64));
        assert!(page.contains(&said), "{page}");
        assert!(!page.contains("| lost |"), "{page}");
        assert_eq!(suites > 1, page.contains("All suites; see [index.html]"), "{page}");
    }
}

#[test]
fn a_regression_of_hundreds_of_cases_is_short() {
    let mut report = passing(24, 50);
    report.failure_reasons = fixture::report().failure_reasons;
    compare(&mut report, |verdict| {
        *verdict = Verdict::unanswered(FailCause::Longer, "#7 instead of #3, by @somebody ".repeat(40));
    });
    let page = page(&report);
    check(&page);
    assert!(page.contains("regression: 1\u{202f}200 cases are worse than in the baseline"), "{page}");
    assert!(page.contains("Ten of 1\u{202f}200 cases:"), "{page}");
    assert!(page.contains("and 17 more suites"), "{page}");
    assert!(page.contains("1\u{202f}140 more rows in [index.html]"), "{page}");
    // Suites take turns.
    for suite in 0..10 {
        let link = format!("[`case_0`]({})", page_link::case(&report.suites[suite], "case_0"));
        assert!(page.contains(&link), "{link}:\n{page}");
    }
}

#[test]
fn three_hundred_faults_with_long_last_words_are_short() {
    let mut report = passing(30, 10);
    compare(&mut report, |verdict| {
        let words =
            format!("it ended (signal: 11); its last output: {}", "|<b>@admin #1 `x`\n".repeat(2_000));
        *verdict = Verdict::unanswered(FaultCause::Crash, words);
    });
    let mut game = fixture::report().matches[0].games[1].clone();
    game.record.outcome = GameOutcome::White;
    let causes = FaultCause::ALL.iter().copied();
    report.matches[0].games = causes
        .map(|cause| {
            let detail = "last words ".repeat(5_000);
            game.record.end = GameEnd::EngineFault(RecordedFault { cause, detail });
            game.clone()
        })
        .collect();
    report.stopped =
        Some(FaultStop { part: "policies".to_owned(), allowed: 0, jobs: 9, unit: "game", is_test: true });
    let page = page(&report);
    check(&page);
    assert!(page.contains("Stopped by engine faults: "), "{page}");
}

#[test]
fn a_run_without_a_baseline_lists_its_suites_and_failures() {
    let mut report = fixture::report();
    report.baseline = crate::model::report::Baseline::Absent("no baseline is given".to_owned());
    report.worse.clear();
    report.failure_reasons.clear();
    report.suites[0].thresholds.clear();
    let page = page(&report);
    check(&page);
    assert!(page.contains("Not compared with a baseline: no baseline is given."), "{page}");
    assert!(page.contains("](index.html#suite-repetition) | new | 2/4 solved |"), "{page}");
    assert!(
        page.contains("[`dawdle`](index.html#case-repetition--dawdle) (repetition) not solved: "),
        "{page}"
    );
}

/// A run that is one round robin of this number of engines.
fn round_robin(engines: usize) -> Report {
    let mut report = passing(1, 1);
    report.suites.clear();
    let names: Vec<String> = (0..engines).map(|number| format!("engine {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut played = Vec::new();
    for (index, first) in names.iter().enumerate() {
        played.extend(
            names[index + 1..]
                .iter()
                .flat_map(|second| [([*first, *second], "wd"), ([*first, *second], "lw")]),
        );
    }
    report.matches = vec![crate::model::tournament::tests::part(&names, &played)];
    report.matches[0].ending = Some("complete".to_owned());
    report.baseline = crate::model::report::Baseline::Absent("no baseline is given".to_owned());
    report
}

#[test]
fn a_tournament_has_its_ratings_in_the_answer_and_its_cross_table_below() {
    let page = page(&round_robin(4));
    check(&page);
    let (answer, rest) = page.split_once("<details>").expect("sections");
    for text in [
        "| engine | Elo (logistic, 95 %) | points | games | score | W-D-L |",
        " ± ",
        "| 7.5 | 12 | 62.5 % |",
        "Elo relative to ",
    ] {
        assert!(answer.contains(text), "{text}:\n{page}");
    }
    assert!(rest.contains("<summary>Cross table of match</summary>"), "{page}");
    assert!(rest.contains("| engine | 1 | 2 | 3 | 4 |") && rest.contains(" | 2.5/4 | "), "{page}");
}

#[test]
fn a_large_tournament_is_short() {
    for engines in [3, 11, 12, 40] {
        let report = round_robin(engines);
        let page = page(&report);
        check(&page);
        assert_eq!(
            page.contains(&format!("{} more engine", engines - 11.min(engines))),
            engines > 11,
            "{page}"
        );
    }
    let page = page(&of_groups(20));
    check(&page);
    assert!(page.contains("each table has its own scale."), "{page}");
}

/// A tournament of this number of pairs of engines, each with its own scale.
fn of_groups(groups: usize) -> Report {
    let mut report = round_robin(3);
    let names: Vec<String> = (0..2 * groups).map(|number| format!("engine {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let played: Vec<_> = names
        .as_chunks::<2>()
        .0
        .iter()
        .flat_map(|pair| [(*pair, "wd"), (*pair, "ld"), (*pair, "lw")])
        .collect();
    report.matches = vec![crate::model::tournament::tests::part(&names, &played)];
    report
}

#[test]
fn engines_that_the_answer_leaves_out_are_in_the_figures() {
    for groups in [1, 2, 3, 5] {
        let page = page(&of_groups(groups));
        check(&page);
        assert_eq!(
            page.contains("<summary>Figures of the matches</summary>"),
            page.contains("more engine"),
            "{page}"
        );
        assert_eq!(page.contains("more engine"), groups > 2, "{page}");
    }
}
