//! The tables of an experiment: a row for each pair, and the rates with exact intervals.

use std::fmt::Write as _;

use super::experiment::Experiment;
use super::outcome::{Outcome, PairRow};
use super::peer_record::PeerRecord;
use super::record::StepRecord;
use threefold_stats::interval::Rate;

/// Error probability of the intervals.
const ALPHA: f64 = 0.05;
/// Digits of a commit in the page.
const COMMIT_DIGITS: usize = 10;
/// Characters of a reason in the page.
const MOST_REASON: usize = 160;

/// A row for each pair, for programs.
///
/// # Errors
/// Never for text in memory; the writer's type requires it.
pub fn csv(experiment: Experiment, rows: &[PairRow]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "id",
        "repository",
        experiment.first(),
        experiment.second(),
        "group",
        experiment.description(),
        "rare",
        "result",
        "suites",
        "lost",
        "why",
        "init_exit",
        "init_seconds",
        "init_cpu_seconds",
        "unchanged_exit",
        "unchanged_seconds",
        "unchanged_cpu_seconds",
        "changed_exit",
        "changed_seconds",
        "changed_cpu_seconds",
        "fastchess_compliance",
        "fastchess_games",
    ];
    writer.write_record(header)?;
    for row in rows {
        let pair = &row.pair;
        let mut cells = vec![
            pair.id.clone(),
            pair.repository.clone(),
            pair.first_commit.clone(),
            pair.second_commit.clone(),
            pair.group.clone(),
            pair.description.clone(),
            pair.rare.clone(),
            row.outcome.words(experiment).to_owned(),
            red_suites(row, " "),
            lost_cases(row).join(" "),
            row.why.clone(),
        ];
        let record = row.record.as_ref();
        let unchanged = record.and_then(|record| record.unchanged.as_ref());
        let changed = record.and_then(|record| record.changed.as_ref());
        for step in [record.map(|record| &record.init), unchanged, changed] {
            cells.extend(step_cells(step));
        }
        cells.extend(peer_cells(row));
        writer.write_record(cells)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// A row for each pair and the rates, for a page.
pub fn markdown(experiment: Experiment, rows: &[PairRow]) -> String {
    let mut text = format!(
        "| pair | repository | {} | group | result | suites | why | `regress`: time, CPU |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        experiment.second()
    );
    for row in rows {
        let pair = &row.pair;
        let commit: String = pair.second_commit.chars().take(COMMIT_DIGITS).collect();
        let cells = [
            pair.id.clone(),
            pair.repository.clone(),
            commit,
            pair.group.clone(),
            row.outcome.words(experiment).to_owned(),
            red_suites(row, ", "),
            shortened(&row.why),
            times(row.record.as_ref().and_then(|record| record.changed.as_ref())),
        ];
        let cells = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push_str("\n| rate | pairs | of | share | 95 % interval |\n| --- | --- | --- | --- | --- |\n");
    for row in rates(experiment, rows) {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// The rates: name, number, of, share, exact interval.
pub fn rates(experiment: Experiment, rows: &[PairRow]) -> Vec<Vec<String>> {
    let red = |row: &PairRow| row.outcome == Outcome::Red;
    let compared: Vec<&PairRow> = rows.iter().filter(|row| row.outcome.is_compared()).collect();
    let mut table = vec![rate(Outcome::Red.words(experiment), compared.iter().copied(), red)];
    let usual = || compared.iter().copied().filter(|row| row.pair.rare.is_empty());
    if usual().count() < compared.len() {
        table.push(rate("without rare ones", usual(), red));
    }
    let mut groups: Vec<&str> = compared.iter().map(|row| row.pair.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups.into_iter().filter(|group| !group.is_empty()) {
        table.push(rate(group, compared.iter().copied().filter(|row| row.pair.group == group), red));
    }
    if compared.iter().any(|row| row.outcome == Outcome::Unjudged) {
        let unjudged = |row: &PairRow| row.outcome == Outcome::Unjudged;
        table.push(rate(Outcome::Unjudged.name(), compared.iter().copied(), unjudged));
    }
    let unchanged = |row: &PairRow| row.outcome == Outcome::UnchangedRed;
    table.push(rate(Outcome::UnchangedRed.name(), compared.iter().copied(), unchanged));
    let was_tried = |row: &&PairRow| !matches!(row.outcome, Outcome::NotBuilt | Outcome::NotRun);
    let tried = || rows.iter().filter(was_tried);
    table.push(rate("not set up or not compared", tried(), |row| !row.outcome.is_compared()));
    table.extend(peer_rates(rows));
    for outcome in [Outcome::NotBuilt, Outcome::NotRun] {
        let pairs = rows.iter().filter(|row| row.outcome == outcome).count();
        let (pairs, all) = (pairs.to_string(), rows.len().to_string());
        table.push(vec![outcome.name().to_owned(), pairs, all, String::new(), String::new()]);
    }
    table
}

fn peer_rates(rows: &[PairRow]) -> Vec<Vec<String>> {
    let asked = || rows.iter().filter(|row| peers(row).is_some());
    if asked().next().is_none() {
        return Vec::new();
    }
    vec![
        rate("red by fastchess --compliance", asked(), |row| {
            peers(row).is_some_and(PeerRecord::compliance_differs)
        }),
        rate("red by warnings of fastchess in games", asked(), |row| {
            peers(row).is_some_and(PeerRecord::warns_of_second)
        }),
    ]
}

fn rate<'r>(
    name: &str,
    rows: impl Iterator<Item = &'r PairRow>,
    counts: impl Fn(&PairRow) -> bool,
) -> Vec<String> {
    let (hits, others): (Vec<&PairRow>, Vec<&PairRow>) = rows.partition(|row| counts(row));
    let rate = Rate { successes: hits.len() as u64, failures: others.len() as u64 };
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let interval = rate.clopper_pearson(ALPHA);
    vec![
        name.to_owned(),
        rate.successes.to_string(),
        rate.trials().to_string(),
        rate.share().map(percent).unwrap_or_default(),
        format!("{} to {}", percent(interval.low), percent(interval.high)),
    ]
}

fn red_suites(row: &PairRow, separator: &str) -> String {
    let changed = row.record.as_ref().and_then(|record| record.changed.as_ref());
    changed.map(|step| step.red_suites().join(separator)).unwrap_or_default()
}

fn lost_cases(row: &PairRow) -> Vec<String> {
    let changed = row.record.as_ref().and_then(|record| record.changed.as_ref());
    let lost = changed.iter().flat_map(|step| &step.lost);
    lost.map(|case| format!("{}/{}", case.suite, case.id)).collect()
}

fn step_cells(step: Option<&StepRecord>) -> [String; 3] {
    let Some(step) = step else { return Default::default() };
    [
        step.exit.map_or_else(|| "stopped".to_owned(), |exit| exit.to_string()),
        format!("{:.1}", step.seconds),
        step.cpu_seconds.map(|seconds| format!("{seconds:.1}")).unwrap_or_default(),
    ]
}

fn peers(row: &PairRow) -> Option<&PeerRecord> {
    row.record.as_ref()?.peers.as_ref()
}

fn peer_cells(row: &PairRow) -> [String; 2] {
    let Some(record) = peers(row) else { return Default::default() };
    [record.compliance_differs(), record.warns_of_second()]
        .map(|is_red| if is_red { "red" } else { "green" }.to_owned())
}

fn times(step: Option<&StepRecord>) -> String {
    let Some(step) = step else { return String::new() };
    let cpu = step.cpu_seconds.map(|seconds| format!(", {seconds:.0} s")).unwrap_or_default();
    format!("{:.0} s{cpu}", step.seconds)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MOST_REASON {
        return text.to_owned();
    }
    text.chars().take(MOST_REASON).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::super::list::{CommitPair, Judgement, Shows};
    use super::super::outcome::tests::record;
    use super::*;

    fn rows() -> Vec<PairRow> {
        let pair = |id: &str, group: &str, rare: &str| CommitPair {
            id: id.to_owned(),
            group: group.to_owned(),
            rare: rare.to_owned(),
            ..CommitPair::default()
        };
        let shown = Judgement { shows: Some(Shows::Bug), why: String::new() };
        let measured = |pair, record| PairRow::measured(Experiment::RealBugs, pair, record, &shown);
        vec![
            measured(pair("a", "mate", ""), record(0, Some(0), Some(1), &["mate", "rule"])),
            measured(pair("b", "mate", "a race"), record(0, Some(0), Some(0), &[])),
            measured(pair("c", "rules", ""), record(2, None, None, &[])),
            PairRow::without_record(pair("d", "rules", ""), Outcome::NotBuilt, "no | program".to_owned()),
        ]
    }

    #[test]
    fn rates_have_exact_intervals_and_say_what_is_left_out() {
        let rates = rates(Experiment::RealBugs, &rows());
        let lines: Vec<String> = rates.iter().map(|row| row.join(", ")).collect();
        assert_eq!(
            lines,
            [
                "found, 1, 2, 50 %, 1 % to 99 %",
                "without rare ones, 1, 1, 100 %, 2 % to 100 %",
                "mate, 1, 2, 50 %, 1 % to 99 %",
                "unchanged program red, 0, 2, 0 %, 0 % to 84 %",
                "not set up or not compared, 1, 3, 33 %, 1 % to 91 %",
                "not built, 1, 4, , ",
                "not run, 0, 4, , ",
            ]
        );
    }

    #[test]
    fn each_pair_is_a_row_of_both_tables() {
        let rows = rows();
        let page = markdown(Experiment::RealBugs, &rows);
        assert!(page.contains("| a |  |  | mate | found | mate, rule | headline"), "{page}");
        assert!(page.contains("no \\| program"), "{page}");
        let figures = csv(Experiment::RealBugs, &rows).expect("text");
        assert_eq!(figures.lines().count(), 5, "{figures}");
        assert!(figures.contains("\nb,,,,mate,,a race,not found,,,"), "{figures}");
    }
}
