//! The result of a match in a few lines, in the form that OpenBench shows and that engine authors paste into
//! commit messages and pull requests.
//!
//! The Elo of a sequential test is the estimate that is corrected for stopping, where OpenBench shows that of a
//! match of fixed length. A test with a deadline has its score in place of the LLR.

use crate::ReportFormat;
use crate::model::report::{Duel, MatchPart, MatchResult, Report, Test};
use threefold_stats::{Bounds, Estimate, Logistic};

/// What `threefold match --markdown` and `threefold sprt --markdown` print.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "block",
    file: "block.md",
    summary: "the result of each match of two engines in a few lines, in the form of OpenBench",
    stream: None,
    render: |report| Ok(page(report).into_bytes()),
};

fn page(report: &Report) -> String {
    let blocks: Vec<String> = report.matches.iter().filter_map(block).collect();
    if blocks.is_empty() { String::new() } else { blocks.join("\n\n") + "\n" }
}

/// The lines as a code block of Markdown; `None` for games that are no match of two engines.
pub(crate) fn block(part: &MatchPart) -> Option<String> {
    let lines = match &part.result {
        MatchResult::Test(test) => of_test(part, test),
        MatchResult::Duel(duel) => of_duel(part, duel),
        MatchResult::Table | MatchResult::Ratings(_) | MatchResult::Tuning(_) => return None,
    };
    let lines: Vec<String> = lines.into_iter().map(|(name, text)| format!("{name:<5} | {text}")).collect();
    Some(format!("```\n{}\n```", lines.join("\n")))
}

fn of_test(part: &MatchPart, test: &Test) -> Vec<(&'static str, String)> {
    let Bounds { lower, upper } = test.running.bounds();
    let (value, asked) = (test.running.value(), test.hypotheses());
    let statistic = format!(
        "{:.2} ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
        two_digits(value),
        asked.elo0(),
        asked.elo1()
    );
    let kind = if test.rule.has_deadline() { "Test" } else { "SPRT" };
    vec![
        ("Elo", elo(test.stopped.map(|stopped| stopped.elo))),
        (kind, part.openbench_terms.clone()),
        (test.statistic().name, statistic),
        ("Games", games(&test.duel)),
        ("Penta", test.duel.pentanomial()),
    ]
}

fn of_duel(part: &MatchPart, duel: &Duel) -> Vec<(&'static str, String)> {
    vec![
        ("Elo", elo(duel.fixed.map(|fixed| fixed.logistic))),
        ("Conf", part.openbench_terms.clone()),
        ("Games", games(duel)),
        ("Penta", duel.pentanomial()),
    ]
}

/// `2.74 +- 2.04 (95%)`: the distance to the farther end of the interval; `unknown` without an estimate.
fn elo(estimate: Option<Estimate<Logistic>>) -> String {
    let Some(Estimate { low: Logistic(low), value: Logistic(value), high: Logistic(high) }) = estimate else {
        return "unknown".to_owned();
    };
    format!("{:.2} +- {:.2} (95%)", two_digits(value), (value - low).max(high - value))
}

/// Rounded to two digits after the point; a value that rounds to zero has no sign.
fn two_digits(value: f64) -> f64 {
    (100.0 * value).round() / 100.0 + 0.0
}

/// `N: 120 W: 42 L: 33 D: 45`, without separators of thousands.
pub(crate) fn games(duel: &Duel) -> String {
    let [lost, drawn, won] = duel.sheet.games().counts;
    format!("N: {} W: {won} L: {lost} D: {drawn}", won + lost + drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;

    #[test]
    fn block_has_the_lines_of_openbench() {
        let report = fixture::report();
        let part = report.matches.iter().find(|part| matches!(part.result, MatchResult::Test(_)));
        let block = block(part.expect("the fixture has a test")).expect("two engines");
        let lines: Vec<&str> = block.lines().collect();
        let beginnings = [
            "```",
            "Elo   | ",
            "SPRT  | 8.0+0.08s Threads=1 Hash=16MB",
            "LLR   | ",
            "Games | N: ",
            "Penta | [",
            "```",
        ];
        assert_eq!(lines.len(), beginnings.len(), "{block}");
        for (line, beginning) in lines.iter().zip(beginnings) {
            assert!(line.starts_with(beginning), "{block}");
        }
        assert!(lines[1].ends_with(" (95%)") && lines[3].contains(" (-2.94, 2.94) ["), "{block}");
    }

    #[test]
    fn elo_of_a_block_has_two_digits() {
        let estimate = |low, value, high| {
            Some(Estimate { low: Logistic(low), value: Logistic(value), high: Logistic(high) })
        };
        assert_eq!(elo(estimate(0.7, 2.736, 4.77)), "2.74 +- 2.04 (95%)");
        assert_eq!(elo(estimate(-3.0, -0.001, 2.0)), "0.00 +- 3.00 (95%)");
        assert_eq!(elo(None), "unknown");
    }
}
