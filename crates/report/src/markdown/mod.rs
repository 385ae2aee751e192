//! `summary.md`: the run in words and tables, for a pull request or a terminal.

mod groups;
mod matches;
mod suites;
pub(super) mod text;

use super::build_list;
use super::figures::budget_note;
use super::model::{Baseline, Report};
use super::multiple_tests::MultipleTests;
use super::paired_comparison::Wording;
use super::{ReportFormat, format, time_losses};
use text::{code, plain, table};
use threefold_harness::regress::FigureComparison;

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "markdown",
    file: "summary.md",
    summary: "the summary as Markdown",
    render: |report| Ok(page(report).into_bytes()),
};

fn page(report: &Report) -> String {
    let mut blocks =
        vec![format!("# {}", plain(&report.title)), format!("**{}**", plain(&report.headline()))];
    blocks.extend(complaints(report));
    blocks.extend(unfinished(report));
    blocks.extend(baseline(report));
    blocks.extend(suites::blocks(report));
    blocks.extend(report.matches.iter().flat_map(matches::blocks));
    blocks.extend(MultipleTests::of(report).map(|combined| plain(&combined.describe())));
    blocks.extend(faults(report));
    blocks.extend(reproduction(report));
    blocks.join("\n\n") + "\n"
}

fn complaints(report: &Report) -> Option<String> {
    let lines: Vec<String> = report
        .complaints
        .iter()
        .map(|complaint| {
            format!("- {} in {}: {}", complaint.kind, plain(&complaint.part), plain(&complaint.what))
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn unfinished(report: &Report) -> Option<String> {
    let lines: Vec<String> = report
        .unfinished()
        .iter()
        .map(|(part, done, planned)| format!("- {}: {done} of {planned} done", plain(part)))
        .collect();
    (!lines.is_empty()).then(|| format!("Not finished:\n\n{}", lines.join("\n")))
}

fn baseline(report: &Report) -> Vec<String> {
    let mut blocks = vec!["## Against the baseline".to_owned()];
    match &report.baseline {
        Baseline::Absent(why) => blocks.push(format!("Not compared: {}.", plain(why))),
        Baseline::Compared { suites, figures, other_budgets, known: _ } => {
            blocks.extend(other_budgets.iter().map(|budget| plain(&budget_note(budget))));
            for comparison in suites {
                blocks.extend(suites::comparison(comparison, &Wording::BASELINE));
            }
            blocks.extend(groups::adjusted_tests(suites));
            let rows: Vec<Vec<String>> =
                figures.iter().filter(|figure| figure.was != figure.now).map(changed_figure).collect();
            if !rows.is_empty() {
                blocks.push("Figures that differ:".to_owned());
                blocks.push(table(&["figure", "baseline", "this run"], rows));
            }
        }
    }
    blocks
}

fn changed_figure(figure: &FigureComparison) -> Vec<String> {
    vec![plain(&figure.name.to_string()), format::figure(figure.was), format::figure(figure.now)]
}

fn faults(report: &Report) -> Vec<String> {
    let faults = report.fault_groups();
    if faults.is_empty() {
        return vec!["## Engine faults".to_owned(), "None.".to_owned()];
    }
    let rows = faults.into_iter().map(|fault| {
        [&fault.engine, &fault.part, &fault.occurrences(), &fault.what].map(|cell| plain(cell)).to_vec()
    });
    let table = table(&["engine", "part", "place", "fault"], rows);
    ["## Engine faults".to_owned()]
        .into_iter()
        .chain(time_losses::summary(&report.matches))
        .chain([table])
        .collect()
}

fn reproduction(report: &Report) -> Vec<String> {
    let mut blocks = vec!["## How to reproduce".to_owned()];
    if !report.command.is_empty() {
        blocks.push(format!("{}, seed {}.", code(&report.command), report.seed));
    }
    let rows = report.entrants.iter().map(|entrant| {
        vec![plain(&entrant.name), code(&entrant.spec), plain(&build_list::builds(&entrant.builds))]
    });
    blocks.push(table(&["engine", "SPEC", "build"], rows));
    blocks.push(
        "Results under node limits or virtual clocks are the same on any machine and with any number of jobs. Results on \
         wall clocks vary."
            .to_owned(),
    );
    if !report.machine.is_empty() {
        blocks.push(format!("Run on {}.", plain(&report.machine)));
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;

    #[test]
    fn summary_has_every_figure() {
        insta::assert_snapshot!(page(&fixture::report()));
    }

    #[test]
    fn external_names_are_escaped() {
        let mut report = fixture::report();
        report.title = "a | b\n# `c` <script>*x*\0".to_owned();
        let page = page(&report);
        let title = page.lines().next().expect("a title");
        assert_eq!(title, r"# a \| b␊\# \`c\` \<script\>\*x\*␀");
    }
}
