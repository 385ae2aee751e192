//! The pages of a survey: a row for each engine, and a page for each.

use std::fmt::Write as _;

use super::engine::SurveyEngine;
use super::result::{Fault, SurveyResult};

/// The columns of the table, and the suites that each counts together.
const COLUMNS: [(&str, &[&str]); 7] = [
    ("protocol and dialogues", &["compliance", "dialogue"]),
    ("output", &["output"]),
    ("rules", &["perft", "value", "rule", "special-moves"]),
    ("mate scores in a game", &["mate-game"]),
    ("traps", &["repetition"]),
    ("clocks", &["clock", "time-control"]),
    ("games", &["smoke"]),
];
/// The longest reason in a page, in characters.
const MOST_REASON: usize = 1_500;

/// The table with a row for each engine, which links to its page.
pub fn table(engines: &[(SurveyEngine, SurveyResult)]) -> String {
    let columns = COLUMNS.map(|(name, _)| name).join(" | ");
    let mut text = format!(
        "| engine | commit or version | {columns} | first repetition | mates found, of them shortest | wrong twice |\n\
         | --- | --- |{} --- | --- | --- |\n",
        " --- |".repeat(COLUMNS.len())
    );
    for (engine, result) in engines {
        let counts = COLUMNS.map(|(_, suites)| result.together(suites).text()).join(" | ");
        let mates = format!("{}, {}", result.mates_found, result.suite("mate").passed);
        let _ = writeln!(
            text,
            "| [{}](survey/{}.md) | {} | {counts} | {} | {mates} | {} |",
            escaped(&result.name),
            engine.id,
            short_commit(&engine.commit),
            result.policy,
            result.faults.len()
        );
    }
    text
}

/// The page of an engine.
pub fn engine_page(engine: &SurveyEngine, result: &SurveyResult) -> String {
    let mut text = format!(
        "# {}\n\n{}, `{}`. Options: `{}`.\n\n| suite | passed |\n| --- | --- |\n",
        escaped(&result.name),
        engine.source,
        engine.commit,
        result.spec
    );
    for (suite, counts) in &result.suites {
        let _ = writeln!(text, "| {suite} | {} |", counts.text());
    }
    text.push_str("\n## Traps by class\n\n| class | passed |\n| --- | --- |\n");
    for ((suite, class), counts) in &result.classes {
        if suite == "repetition" {
            let _ = writeln!(text, "| {class} | {} |", counts.text());
        }
    }
    text.push_str("\n## Wrong in both runs\n\n");
    if result.faults.is_empty() {
        text.push_str("Nothing.\n");
    }
    for fault in &result.faults {
        text.push_str(&entry(fault));
    }
    text
}

/// A fault with what repeats it.
fn entry(fault: &Fault) -> String {
    let Fault { suite, id, accepted, position, reason } = fault;
    // A dialogue begins in the initial position whatever it asks, and its reason has the commands.
    let position =
        if reason.contains("to repeat it") { String::new() } else { format!(" Position: `{position}`.") };
    let accepted = if accepted.ends_with('.') { accepted.clone() } else { format!("{accepted}.") };
    format!(
        "- `{suite}` `{id}`. {}{position}\n\n  ```text\n  {}\n  ```\n",
        escaped(&accepted),
        shortened(reason)
    )
}

/// A text without line ends and of bounded length.
fn shortened(text: &str) -> String {
    let line = text.replace('\n', " ");
    if line.chars().count() <= MOST_REASON {
        return line;
    }
    line.chars().take(MOST_REASON).chain(['…']).collect()
}

/// A text of an engine or a suite without what Markdown reads.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| ("|<>*_[]".contains(c)).then_some('\\').into_iter().chain([c])).collect()
}

/// The first ten digits of a commit; a version is not shortened.
fn short_commit(commit: &str) -> &str {
    let is_hash = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { &commit[..10] } else { commit }
}

#[cfg(test)]
mod tests {
    use super::super::result::SuiteCounts;
    use super::*;

    fn surveyed() -> (SurveyEngine, SurveyResult) {
        let engine = SurveyEngine {
            id: "mine".to_owned(),
            source: "owner/name".to_owned(),
            commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
            program: "x".into(),
        };
        let fault = |suite: &str, id: &str, reason: &str| Fault {
            suite: suite.to_owned(),
            id: id.to_owned(),
            accepted: "a draw".to_owned(),
            position: "fen 8/8 w - - 0 1".to_owned(),
            reason: reason.to_owned(),
        };
        let counts = |passed, failed, skipped| SuiteCounts { passed, failed, skipped };
        let result = SurveyResult {
            name: "Mine_1".to_owned(),
            policy: "ignored".to_owned(),
            suites: vec![
                ("compliance".to_owned(), counts(11, 1, 0)),
                ("dialogue".to_owned(), counts(100, 3, 5)),
                ("mate".to_owned(), counts(7, 3, 0)),
                ("smoke".to_owned(), counts(0, 0, 5)),
            ],
            mates_found: 9,
            faults: vec![
                fault("value", "v.1", "cp 900 should be a draw"),
                fault("dialogue", "quit", "it does not end; to repeat it: printf quit"),
            ],
            ..SurveyResult::default()
        };
        (engine, result)
    }

    #[test]
    fn table_counts_suites_together_and_names_what_is_not_known() {
        let text = table(&[surveyed()]);
        let row = "| [Mine\\_1](survey/mine.md) | 0123456789 | 111 of 115 | skipped | skipped | skipped | skipped | skipped \
                   | skipped | ignored | 9, 7 | 2 |";
        assert_eq!(text.lines().last(), Some(row));
        let columns = text.lines().map(|line| line.matches('|').count()).collect::<Vec<_>>();
        assert_eq!(columns, [13, 13, 13]);
    }

    #[test]
    fn page_has_each_fault_with_what_repeats_it() {
        let (engine, result) = surveyed();
        let text = engine_page(&engine, &result);
        assert!(text.contains("- `value` `v.1`. a draw. Position: `fen 8/8 w - - 0 1`."), "{text}");
        assert!(text.contains("- `dialogue` `quit`. a draw.\n"), "{text}");
        assert!(text.contains("  it does not end; to repeat it: printf quit\n"), "{text}");
        assert!(!engine_page(&engine, &SurveyResult::default()).contains("- `"));
    }
}
