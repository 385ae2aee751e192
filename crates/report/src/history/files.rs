//! The history for programs: CSV and JSON. The JSON form is version 1.

use serde_json::{Value, json};
use threefold_games::calendar::date;

use super::{Change, FlakyCase, History, HistoryRun, Point};
use threefold_run::MeasuredElo;
use threefold_stats::Estimate;

impl History {
    /// A row for each suite of each run.
    ///
    /// # Errors
    /// If the rows cannot be written.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record([
            "suite", "date", "source", "engine", "build", "passed", "cases", "lost", "gained", "bench",
            "nps", "commit",
        ])?;
        for suite in self.suites() {
            for Point { run, rate, difference } in self.points(suite) {
                let run = &self.runs[run];
                let bench = run.bench();
                let number =
                    |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
                writer.write_record([
                    suite,
                    &date(run.time),
                    &run.source,
                    run.engine.as_deref().unwrap_or_default(),
                    run.build.as_deref().unwrap_or_default(),
                    &rate.successes.to_string(),
                    &rate.trials().to_string(),
                    &difference.only_a.to_string(),
                    &difference.only_b.to_string(),
                    &number(bench.map(|bench| bench.nodes)),
                    &number(bench.and_then(|bench| bench.nps)),
                    run.commit.as_deref().unwrap_or_default(),
                ])?;
            }
        }
        let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// One object: `runs`, `changes` and `flaky`.
    pub fn json(&self) -> String {
        let runs: Vec<Value> =
            self.runs.iter().enumerate().map(|(index, run)| self.run_json(index, run)).collect();
        let changes: Vec<Value> = self.changes.iter().map(change_json).collect();
        let flaky: Vec<Value> = self.flaky.iter().map(flaky_json).collect();
        format!("{:#}\n", json!({ "version": 1, "runs": runs, "changes": changes, "flaky": flaky }))
    }

    fn run_json(&self, index: usize, run: &HistoryRun) -> Value {
        let suites = self.suites().into_iter().filter_map(|suite| {
            let point = self.points(suite).into_iter().find(|point| point.run == index)?;
            let value = json!({
                "passed": point.rate.successes,
                "cases": point.rate.trials(),
                "lost": point.difference.only_a,
                "gained": point.difference.only_b,
            });
            Some((suite.to_owned(), value))
        });
        let suites: serde_json::Map<String, Value> = suites.collect();
        let bench = run.bench();
        json!({
            "time": run.time,
            "date": date(run.time),
            "source": run.source,
            "engine": run.engine,
            "build": run.build,
            "commit": run.commit,
            "machine": run.machine,
            "suites": suites,
            "bench": bench.map(|bench| bench.nodes),
            "nps": bench.and_then(|bench| bench.nps),
            "elo": run.elo.iter().map(|(part, measured)| self.elo_json(part, measured)).collect::<Vec<_>>(),
        })
    }

    fn elo_json(&self, part: &str, measured: &MeasuredElo) -> Value {
        let Estimate { low, value, high } = measured.elo;
        json!({
            "part": part,
            "opponent": measured.opponent,
            "commit": measured.opponent_commit,
            "release": self.release(measured),
            "games": measured.games,
            "low": low.0,
            "value": value.0,
            "high": high.0,
        })
    }
}

/// `run` is the index of the first run after the change.
fn change_json(change: &Change) -> Value {
    json!({ "subject": change.subject.to_string(), "run": change.run, "what": change.what, "test": change.test })
}

fn flaky_json(case: &FlakyCase) -> Value {
    let verdicts: serde_json::Map<String, Value> =
        case.verdicts.iter().map(|(kind, count)| (kind.to_string(), (*count).into())).collect();
    json!({ "suite": case.name.suite, "id": case.name.id, "build": case.build, "verdicts": verdicts })
}
