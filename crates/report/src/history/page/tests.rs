//! The page of made-up runs.

use std::collections::BTreeSet;

use super::super::tests::{history, rated, run};
use super::*;
use crate::history::Releases;

/// Runs with a suite that loses cases, a bench and Elo against a release.
fn varied() -> History {
    let mut runs: Vec<HistoryRun> = (1..=14)
        .map(|time| {
            let passed = if time < 8 { 36 } else { 12 };
            let mut run = run(time, passed, Some((500 + u64::from(time > 4), 1000 + time.unsigned_abs())));
            run.elo = rated(time, [-4.0, 1.0, 6.0], "base 9f8e", Some("9f8e7d")).elo;
            run.commit = Some(format!("{time:07}abc-dirty"));
            run
        })
        .collect();
    runs[3].source = "<b>&\u{1b}[1m".to_owned();
    History::new(runs, [("9f8e7d".to_owned(), "v1.2".to_owned())].into())
}

#[test]
fn page_has_every_section_with_its_figures() {
    let page = varied().page();
    for text in [
        "<h1>History of E</h1>",
        "14 runs from 1970-01-02 to 1970-01-15",
        "<p class=\"figure\">13 of 41</p>",
        "Elo against release v1.2",
        "<p class=\"figure\">+1.0 ± 5.0</p>",
        "24 cases lost, 0 gained",
        "with a probability of at most 5.0 %",
        "aria-label=\"Cases of s passed in each run, in per cent\"",
        "aria-label=\"Speed of the bench in each run",
        "aria-label=\"Elo of base in each run",
        "class=\"bound change\"",
        "id=\"runs\"",
        "<th scope=\"row\">0000008, changed</th>",
    ] {
        assert!(page.contains(text), "{text} is missing in\n{page}");
    }
}

#[test]
fn page_needs_no_script_and_no_other_file() {
    let page = varied().page();
    for trace in ["http:", "https:", "src=", "url(", "@import", "<link", "<script"] {
        assert!(!page.contains(trace), "{trace}");
    }
    let after = |mark: &str| -> Vec<String> {
        page.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
    };
    let ids = after(" id=\"");
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    for link in after("href=\"#") {
        assert!(unique.contains(&link), "#{link} leads nowhere");
    }
}

#[test]
fn names_from_outside_stay_text() {
    let page = varied().page();
    assert!(page.contains("&lt;b&gt;&amp;␛[1m"), "{page}");
    assert!(!page.contains(|c: char| c.is_control() && c != '\n'));
}

#[test]
fn page_of_a_history_without_changes_says_so() {
    let page = history((1..=12).map(|time| run(time, 30, Some((500, 1000)))).collect()).page();
    assert!(page.contains("No significant change."), "{page}");
    assert!(page.contains("No flaky case: "), "{page}");
    assert!(!page.contains("class=\"bound change\"") && !page.contains("id=\"elo\""), "{page}");
    // A suite that never varies has no plot.
    assert!(!page.contains("aria-label=\"Cases of s"), "{page}");
    let other = |run: HistoryRun| HistoryRun { build: None, ..run };
    let page = history(vec![other(run(1, 30, None)), other(run(2, 30, None))]).page();
    assert!(page.contains("Flaky cases are not known: no build ran twice."), "{page}");
}

#[test]
fn page_of_no_runs_is_a_page() {
    let page = History::new(Vec::new(), Releases::new()).page();
    assert!(page.contains("<h1>History</h1>") && page.contains("0 runs"), "{page}");
}
