//! Claimed chances against results.

use maud::{Markup, html};
use serde_json::{Value, json};

use super::WdlReport;
use crate::format;
use crate::formats::html::table;
use crate::formats::svg::{self, ScorePoint};
use threefold_stats::wdl::ReliabilityBin;

const COLUMNS: [&str; 5] = ["claimed score", "mean claim", "actual, 95 %", "positions", "games"];

impl WdlReport {
    /// How many classes of claims are outside of their intervals; `None` without claims.
    pub(super) fn claims_sentence(&self) -> Option<String> {
        let judged: Vec<&ReliabilityBin> = self.claims.iter().filter(|bin| bin.half.is_some()).collect();
        let off = judged.iter().filter(|bin| bin.is_off()).count();
        let positions: usize = self.claims.iter().map(|bin| bin.positions).sum();
        (positions > 0).then(|| {
            format!(
                "Chances were claimed in {} positions. In {off} of {} classes the mean claim is outside of the 95 % interval \
                 of the actual score; by chance about one in twenty is.",
                format::grouped(positions as u64),
                judged.len()
            )
        })
    }

    /// The table as text; `None` without claims.
    pub(super) fn claims_text(&self) -> Option<String> {
        let line = |[claimed, mean, actual, positions, games]: [&str; 5]| {
            format!("{claimed:>14}{mean:>12}{actual:>20}{positions:>11}{games:>8}")
        };
        let row = |bin: &ReliabilityBin| {
            let mark = if bin.is_off() { " *" } else { "" };
            line(row(bin).each_ref().map(String::as_str)) + mark
        };
        let head = [self.claims_sentence()?, line(COLUMNS)];
        Some(head.into_iter().chain(self.claims.iter().map(row)).collect::<Vec<_>>().join("\n"))
    }

    /// The section of the page; nothing without claims.
    pub(super) fn claims_section(&self) -> Markup {
        let Some(sentence) = self.claims_sentence() else { return html! {} };
        let point = |bin: &ReliabilityBin| {
            let [claimed, mean, actual, positions, games] = row(bin);
            ScorePoint {
                expected: 100.0 * bin.claimed,
                actual: 100.0 * bin.actual,
                half: 100.0 * bin.half.unwrap_or(0.0),
                title: format!(
                    "claimed {claimed}, mean {mean}: actual {actual}, {positions} positions, {games} games"
                ),
            }
        };
        html! {
            h2 id="claims" { "Claimed chances" }
            p { (sentence) }
            (svg::claimed_scores(&self.claims.iter().map(point).collect::<Vec<_>>()))
            (table("Scores by the expected score that was claimed", &COLUMNS, self.claims.iter().map(|bin| row(bin).to_vec())))
        }
    }

    pub(super) fn claims_json(&self) -> Value {
        let bin = |bin: &ReliabilityBin| {
            json!({
                "range": bin.range, "positions": bin.positions, "games": bin.games,
                "claimed": bin.claimed, "actual": bin.actual, "half_interval": bin.half, "off": bin.is_off(),
            })
        };
        json!(self.claims.iter().map(bin).collect::<Vec<_>>())
    }
}

fn row(bin: &ReliabilityBin) -> [String; 5] {
    let actual = match bin.half {
        Some(half) => format!("{} ± {:.1}", format::percent(bin.actual), 100.0 * half),
        None => format!("{}, few games", format::percent(bin.actual)),
    };
    [
        format!("{:.0} to {:.0} %", 100.0 * bin.range[0], 100.0 * bin.range[1]),
        format::percent(bin.claimed),
        actual,
        format::grouped(bin.positions as u64),
        format::grouped(bin.games as u64),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn claims_are_compared_where_there_are_some() {
        let mut report = fixture::report();
        assert_eq!((report.claims_text(), report.claims_section().0), (None, String::new()));
        let bin = |low: f64, actual| ReliabilityBin {
            range: [low, low + 0.05],
            positions: 400,
            games: 90,
            claimed: low + 0.02,
            actual,
            half: Some(0.06),
        };
        report.claims = vec![bin(0.3, 0.35), bin(0.5, 0.8), ReliabilityBin { half: None, ..bin(0.95, 1.0) }];
        let text = report.claims_text().expect("claims");
        assert!(
            text.contains("claimed in 1\u{202f}200 positions. In 1 of 2 classes")
                || text.contains("In 1 of 2 classes"),
            "{text}"
        );
        assert_eq!(text.lines().filter(|line| line.ends_with(" *")).count(), 1, "{text}");
        assert!(text.contains("100.0 %, few games"), "{text}");
        assert_eq!(report.claims_json()[1]["off"], true);
        assert!(report.page().contains("Claimed chances"));
    }
}
