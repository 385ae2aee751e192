//! The history for a terminal: changes and flaky cases first, then a table for each suite, one for the
//! bench and one for Elo.

use super::{History, HistoryRun, Point};
use crate::format;
use threefold_games::calendar::date;
use threefold_run::MeasuredElo;

impl History {
    /// The text. Runs of a suite without any difference are left out, except for the first and the last one.
    pub fn to_text(&self, table: impl Fn(&[&str], Vec<Vec<String>>) -> String) -> String {
        let mut parts = vec![format::count(self.runs.len(), "run")];
        parts.push(self.changes_text());
        parts.push(self.flaky_text());
        for suite in self.suites() {
            let points = self.points(suite);
            let shown: Vec<&Point> = super::shown(&points).collect();
            if shown.is_empty() {
                continue;
            }
            let left_out = points.len() - shown.len();
            let rows = shown.into_iter().map(|point| self.suite_row(point)).collect();
            let mut text =
                format!("Suite {suite}\n{}", table(&["date", "source", "passed", "lost", "gained"], rows));
            if left_out > 0 {
                text = format!("{text}\n{} without a difference left out", format::count(left_out, "run"));
            }
            parts.push(text);
        }
        let benches: Vec<Vec<String>> = self.runs.iter().filter_map(bench_row).collect();
        if !benches.is_empty() {
            parts.push(format!("Bench\n{}", table(&["date", "source", "nodes", "nps"], benches)));
        }
        let elo: Vec<Vec<String>> = self.runs.iter().flat_map(|run| self.elo_rows(run)).collect();
        if !elo.is_empty() {
            parts.push(format!(
                "Elo (95 %)\n{}",
                table(&["date", "source", "part", "opponent", "games", "Elo"], elo)
            ));
        }
        format!("{}\n", threefold_player::visible::visible_lines(&parts.join("\n\n")))
    }

    fn changes_text(&self) -> String {
        if self.changes.is_empty() {
            return "No significant change.".to_owned();
        }
        let line = |change: &super::Change| {
            let run = &self.runs[change.run];
            format!(
                "  {} {}: {}: {} ({})",
                date(run.time),
                run.source,
                change.subject,
                change.what,
                change.test
            )
        };
        let lines: Vec<String> = self.changes.iter().map(line).collect();
        format!("Changes:\n{}", lines.join("\n"))
    }

    fn flaky_text(&self) -> String {
        if self.flaky.is_empty() {
            return self.no_flaky_case().to_owned();
        }
        let line = |case: &super::FlakyCase| {
            let verdicts: Vec<String> =
                case.verdicts.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let build = case.build.get(..12).unwrap_or(&case.build);
            format!("  {}/{}: {} (build {build})", case.name.suite, case.name.id, verdicts.join(", "))
        };
        let lines: Vec<String> = self.flaky.iter().map(line).collect();
        format!("Flaky cases (verdicts of the same build):\n{}", lines.join("\n"))
    }

    fn elo_rows(&self, run: &HistoryRun) -> Vec<Vec<String>> {
        let row = |(part, measured): (&String, &MeasuredElo)| {
            vec![
                date(run.time),
                run.source.clone(),
                part.clone(),
                self.opponent(measured).to_owned(),
                measured.games.to_string(),
                format::logistic(measured.elo),
            ]
        };
        run.elo.iter().map(row).collect()
    }

    fn suite_row(&self, point: &Point) -> Vec<String> {
        let run = &self.runs[point.run];
        vec![
            date(run.time),
            run.source.clone(),
            format::fraction(point.rate),
            point.difference.only_a.to_string(),
            point.difference.only_b.to_string(),
        ]
    }
}

fn bench_row(run: &HistoryRun) -> Option<Vec<String>> {
    let bench = run.bench()?;
    let nps = bench.nps.map(|nps| nps.to_string()).unwrap_or_default();
    Some(vec![date(run.time), run.source.clone(), bench.nodes.to_string(), nps])
}
