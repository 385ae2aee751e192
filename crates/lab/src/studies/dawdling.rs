//! The study of dawdling: does a repetition policy win more slowly? From a run of `study dawdling`.
//!
//! Every policy plays the same won endings against a perfect defender. The dawdling index of a win is the
//! number of moves used, divided by the distance to mate. Policies are compared position by position.

use std::collections::BTreeMap;
use std::io;

use csv::{Terminator, Writer, WriterBuilder};

use threefold_echo::repetition::RepetitionPolicy;
use threefold_report::model::report::{Report, SuitePart};
use threefold_report::{ReportFormat, ReportSet};
use threefold_run::Labels;
use threefold_stats::elo::Estimate;
use threefold_stats::mean;
use threefold_stats::paired::Discordant;
use threefold_suites::VerdictKind;
use threefold_suites::kinds::conversion::USED;

/// The reports of `study dawdling`.
pub const REPORTS: ReportSet = ReportSet {
    name: "dawdling",
    printed: FORMAT,
    files: &[FORMAT],
    is_measurement: true,
    needs_moves: false,
    derive_labels: None,
};

const FORMAT: ReportFormat = ReportFormat {
    name: "dawdling",
    file: "dawdling-study.csv",
    summary: "wins and dawdling index of each repetition policy: figure, policy, nodes, value, low, high, count",
    stream: None,
    render,
};

/// The policy that the others are compared with.
const BASE: RepetitionPolicy = RepetitionPolicy::HistoryIgnored;

const POLICY: &str = "policy";
const NODES: &str = "nodes";

/// The labels of the playouts of a policy with this number of nodes a move.
pub fn labels(policy: RepetitionPolicy, nodes: u64) -> Labels {
    Labels::NONE.with(POLICY, policy).with(NODES, nodes)
}

/// The playouts of a policy with a number of nodes a move: the dawdling index of each position, by its id;
/// `None` if it was not won.
struct Playouts {
    policy: RepetitionPolicy,
    nodes: u64,
    index: BTreeMap<String, Option<f64>>,
}

impl Playouts {
    /// `None` if the part is not of the study.
    fn from_part(part: &SuitePart) -> Option<Self> {
        let cases = part
            .cases
            .iter()
            .filter(|case| matches!(case.verdict.kind(), VerdictKind::Passed | VerdictKind::Failed));
        let index = cases.map(|case| {
            let used = case.verdict.measures.iter().find(|measure| measure.name == USED);
            let index = used.and_then(|used| Some(used.amount as f64 / used.of? as f64));
            (case.id.clone(), index)
        });
        Some(Self {
            policy: part.labels.parsed(POLICY)?,
            nodes: part.labels.parsed(NODES)?,
            index: index.collect(),
        })
    }

    fn won(&self, id: &str) -> Option<f64> {
        self.index.get(id).copied().flatten()
    }
}

fn render(report: &Report) -> io::Result<Vec<u8>> {
    let playouts: Vec<Playouts> = report.suites.iter().filter_map(Playouts::from_part).collect();
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(["figure", "policy", "nodes", "value", "low", "high", "count"])?;
    for own in &playouts {
        let rivals: Vec<&Playouts> = playouts.iter().filter(|other| other.nodes == own.nodes).collect();
        rows(&mut writer, own, &rivals)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The rows of a policy, next to all with the same number of nodes.
fn rows(writer: &mut Writer<Vec<u8>>, own: &Playouts, rivals: &[&Playouts]) -> io::Result<()> {
    let number = |value: f64| format!("{value:.4}");
    let mut row = |figure: &str, cells: [String; 3], count: usize| {
        let [value, low, high] = cells;
        let (policy, nodes) = (own.policy.to_string(), own.nodes.to_string());
        writer.write_record([figure, &policy, &nodes, &value, &low, &high, &count.to_string()])
    };
    let estimate = |values: &[f64]| -> Option<[String; 3]> {
        let Estimate { low, value, high } = mean::of_groups(values.iter().copied().enumerate())?;
        Some([value, low, high].map(number))
    };
    let won = own.index.values().flatten().count();
    row("positions won", [won.to_string(), String::new(), String::new()], own.index.len())?;
    let by_all: Vec<f64> = (own.index.iter())
        .filter(|(id, _)| rivals.iter().all(|rival| rival.won(id).is_some()))
        .filter_map(|(_, index)| *index)
        .collect();
    if let Some(cells) = estimate(&by_all) {
        row("dawdling index of positions won by all", cells, by_all.len())?;
    }
    let Some(base) = rivals.iter().find(|rival| rival.policy == BASE && own.policy != BASE) else {
        return Ok(());
    };
    let differences: Vec<f64> =
        own.index.keys().filter_map(|id| Some(own.won(id)? - base.won(id)?)).collect();
    if let Some(cells) = estimate(&differences) {
        row(&format!("dawdling index minus that of {BASE}"), cells, differences.len())?;
    }
    let both = own.index.keys().filter(|id| base.index.contains_key(*id));
    let wins: Vec<[bool; 2]> = both.map(|id| [own.won(id), base.won(id)].map(|it| it.is_some())).collect();
    let only = |wanted: [bool; 2]| wins.iter().filter(|&&pair| pair == wanted).count() as u64;
    let differ = Discordant { only_a: only([true, false]), only_b: only([false, true]) };
    let count = |count: u64| [count.to_string(), String::new(), String::new()];
    row("positions that only it won", count(differ.only_a), wins.len())?;
    row(&format!("positions that only {BASE} won"), count(differ.only_b), wins.len())?;
    row("p-value of equal wins (McNemar)", [number(differ.exact()), String::new(), String::new()], wins.len())
        .map_err(Into::into)
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use threefold_suites::{CaseRecord, FailCause, Measure, PassCause};

    /// Playouts of positions with these indexes in tenths; 0 for no win.
    fn part(policy: RepetitionPolicy, nodes: u64, tenths: &[u64]) -> SuitePart {
        let mut part = fixture::suite(labels(policy, nodes), [tenths.len(), 0], &[]);
        for (number, (case, &tenths)) in part.cases.iter_mut().zip(tenths).enumerate() {
            let CaseRecord { id, verdict, .. } = case;
            *id = format!("position {number}");
            if tenths == 0 {
                verdict.cause = FailCause::Drawn.into();
            } else {
                verdict.cause = PassCause::Converted.into();
                verdict.measures = vec![Measure::share(USED, tenths, 10)];
            }
        }
        part
    }

    fn lines(suites: Vec<SuitePart>) -> Vec<String> {
        let text = render(&fixture::report(suites, Vec::new())).expect("renders");
        String::from_utf8(text).expect("UTF-8").lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn indexes_are_compared_position_by_position() {
        use RepetitionPolicy::{HistoryDraw, HistoryIgnored};
        // The fourth position is won by one policy only; other numbers of nodes and other parts do not count.
        let found = lines(vec![
            part(HistoryIgnored, 500, &[10, 20, 30, 0]),
            part(HistoryDraw, 500, &[12, 22, 32, 90]),
            part(HistoryDraw, 900, &[50, 50]),
            fixture::suite(Labels::NONE, [2, 2], &[]),
        ]);
        let expected = [
            "positions won,HistoryIgnored,500,3,,,4",
            "dawdling index of positions won by all,HistoryIgnored,500,2.0000,-0.4841,4.4841,3",
            "positions won,HistoryDraw,500,4,,,4",
            "dawdling index of positions won by all,HistoryDraw,500,2.2000,-0.2841,4.6841,3",
            // Every difference is 0.2, so the interval has no width, though those of the means are wide.
            "dawdling index minus that of HistoryIgnored,HistoryDraw,500,0.2000,0.2000,0.2000,3",
            "positions that only it won,HistoryDraw,500,1,,,4",
            "positions that only HistoryIgnored won,HistoryDraw,500,0,,,4",
            "p-value of equal wins (McNemar),HistoryDraw,500,1.0000,,,4",
            "positions won,HistoryDraw,900,2,,,2",
            "dawdling index of positions won by all,HistoryDraw,900,5.0000,5.0000,5.0000,2",
        ];
        assert_eq!(found, expected);
    }
}
