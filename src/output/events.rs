//! The file of `--events`: what happens in a run, as JSON Lines, while it goes on.
//!
//! Each event is one line and one write, so that a run that is killed leaves whole lines. Lines are appended,
//! so that a resumed run continues the file. `docs/src/reference/events.schema.json` describes the lines.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::exit::Exit;
use threefold_games::game::GameOutcome;
use threefold_player::output_file::OutputError;
use threefold_player::visible::visible_json;
use threefold_report as report;
use threefold_run::event::RunEvent;
use threefold_run::job::JobKey;
use threefold_run::{JobResult, PartProgress, RunSpec, Task};
use threefold_stats::Bounds;
use threefold_suites::{CaseRecord, Cause};

/// The name and the version of the format. A program that reads it must ignore fields and events that it does
/// not know; a change that it could not ignore has another number.
const SCHEMA: &str = "threefold-events/1";

/// The file of the events of a run.
#[derive(Debug)]
pub struct EventFile {
    file: File,
    path: PathBuf,
    spec: Arc<RunSpec>,
    /// The state of each part that was written last.
    parts: Vec<Written>,
    /// The first error; nothing is written after it.
    error: Option<OutputError>,
}

/// What is written of a part.
#[derive(Debug, Clone, Copy, Default)]
struct Written {
    /// The pairs of its test.
    pairs: usize,
    /// The iterations of its tune.
    iterations: usize,
    is_finished: bool,
}

#[derive(Serialize)]
struct Line<'e> {
    schema: &'static str,
    unix_ms: u64,
    #[serde(flatten)]
    event: Event<'e>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event<'e> {
    RunStarted {
        title: &'e str,
        command: &'e str,
        seed: u64,
        parts: Vec<StartedPart<'e>>,
    },
    CaseFinished {
        part: &'e str,
        id: &'e str,
        class: &'e str,
        engine: &'e str,
        verdict: &'static str,
        cause: &'static str,
        detail: &'e str,
        played: &'e str,
        accepted: &'e str,
        nodes: u64,
    },
    GameFinished {
        part: &'e str,
        game: usize,
        white: &'e str,
        black: &'e str,
        result: &'static str,
        plies: usize,
        is_fault: bool,
    },
    TestUpdated {
        part: &'e str,
        pairs: usize,
        /// Its key depends on the stopping rule.
        #[serde(flatten)]
        statistic: BTreeMap<&'static str, f64>,
        lower: f64,
        upper: f64,
    },
    TuneUpdated {
        part: &'e str,
        iteration: usize,
        values: Vec<TunedValue<'e>>,
    },
    Fault {
        part: &'e str,
        place: String,
        engine: &'e str,
        cause: &'static str,
        what: &'e str,
    },
    PartFinished {
        part: &'e str,
        ending: &'static str,
        jobs: usize,
    },
    RunFinished {
        exit_code: u8,
        headline: &'e str,
    },
}

#[derive(Serialize)]
struct TunedValue<'e> {
    name: &'e str,
    /// Not rounded.
    value: f64,
}

#[derive(Serialize)]
struct StartedPart<'e> {
    name: &'e str,
    kind: &'static str,
    engines: Vec<&'e str>,
    /// The largest number of cases or games.
    jobs: usize,
    /// Those that an interrupted run has finished already.
    finished: usize,
}

impl EventFile {
    /// Opens the file for the events of a run.
    ///
    /// # Errors
    /// If it can't be opened.
    pub fn open(path: &Path, spec: Arc<RunSpec>) -> Result<Self, OutputError> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        let file = file.map_err(|cause| OutputError::from_system(path, cause))?;
        let parts = vec![Written::default(); spec.parts.len()];
        Ok(Self { file, path: path.to_owned(), spec, parts, error: None })
    }

    /// Writes an event of the run.
    pub fn take(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Opened { spec, parts, .. } => self.started(spec, parts),
            RunEvent::JobEnded { key, result, progress, .. } => self.ended(*key, result, progress),
            RunEvent::TakesAdvanced { parts, .. } => {
                let spec = Arc::clone(&self.spec);
                for (index, (part, progress)) in spec.parts.iter().zip(*parts).enumerate() {
                    self.progressed(index, &part.name, progress);
                }
            }
            RunEvent::MakingTables { .. }
            | RunEvent::JobStarted { .. }
            | RunEvent::EngineSilent { .. }
            | RunEvent::ResultRefused { .. }
            | RunEvent::GamesVoid { .. } => {}
        }
    }

    /// Writes the last event.
    ///
    /// # Errors
    /// If any event could not be written.
    pub fn finish(mut self, exit: Exit, headline: &str) -> Result<(), OutputError> {
        self.write(Event::RunFinished { exit_code: exit.code(), headline });
        self.error.map_or(Ok(()), Err)
    }

    fn started(&mut self, spec: &RunSpec, progress: &[PartProgress<'_>]) {
        if spec.parts.len() != self.spec.parts.len() {
            // Another round of a tournament.
            self.spec = Arc::new(spec.clone());
            self.parts.resize(spec.parts.len(), Written::default());
        }
        // Results that the journal had already are events of an earlier process.
        for (written, progress) in self.parts.iter_mut().zip(progress) {
            written.pairs = progress.test.map_or(0, |test| test.path.len());
            written.iterations = iterations(progress);
            written.is_finished = progress.ending.is_some();
        }
        let spec = Arc::clone(&self.spec);
        let parts = spec.parts.iter().zip(progress).map(|(part, progress)| StartedPart {
            name: &part.name,
            kind: match part.task {
                Task::Suite(_) => "suite",
                Task::Match(_) => "match",
            },
            engines: part.task.engines().iter().map(|engine| engine.name.as_str()).collect(),
            jobs: progress.jobs,
            finished: progress.ended,
        });
        let (title, command, seed) = (&spec.title, &spec.origin.command, spec.seed);
        self.write(Event::RunStarted { title, command, seed, parts: parts.collect() });
    }

    fn ended(&mut self, key: JobKey, result: &JobResult, progress: &PartProgress<'_>) {
        let spec = Arc::clone(&self.spec);
        let Some(part) = spec.parts.get(key.part).map(|part| part.name.as_str()) else { return };
        match result {
            JobResult::Case(case) => self.case(part, case),
            JobResult::Game(game) => {
                let game_number = key.job + 1;
                self.write(Event::GameFinished {
                    part,
                    game: game_number,
                    white: &game.players[0],
                    black: &game.players[1],
                    result: result_of(game.outcome),
                    plies: game.played.len(),
                    is_fault: game.end.is_fault(),
                });
                if let Some((engine, cause, what)) = report::fault_of_game(game) {
                    let place = report::game_place(game_number);
                    self.write(Event::Fault { part, place, engine, cause: cause.name(), what: &what });
                }
            }
        }
        self.progressed(key.part, part, progress);
    }

    fn case(&mut self, part: &str, case: &CaseRecord) {
        let verdict = &case.verdict;
        self.write(Event::CaseFinished {
            part,
            id: &case.id,
            class: &case.class,
            engine: &case.engine,
            verdict: verdict.kind().name(),
            cause: verdict.cause.name(),
            detail: &verdict.detail,
            played: &verdict.played,
            accepted: &case.accepted,
            nodes: verdict.nodes,
        });
        if let Cause::Fault(cause) = verdict.cause {
            let (engine, place) = (&case.engine, case.id.clone());
            self.write(Event::Fault { part, place, engine, cause: cause.name(), what: &verdict.detail });
        }
    }

    /// Writes how far a test and a part have come, if that changed.
    fn progressed(&mut self, index: usize, part: &str, progress: &PartProgress<'_>) {
        let Some(written) = self.parts.get(index).copied() else { return };
        let pairs = progress.test.map_or(0, |test| test.path.len());
        let is_finished = progress.ending.is_some();
        let iteration = iterations(progress);
        self.parts[index] = Written { pairs, iterations: iteration, is_finished };
        if let (Some(tune), true) = (progress.tune, iteration > written.iterations) {
            let parameters = tune.tune().settings().parameters.all().iter();
            let both = parameters.zip(tune.tune().values());
            let values = both.map(|(it, &value)| TunedValue { name: &it.name, value });
            self.write(Event::TuneUpdated { part, iteration, values: values.collect() });
        }
        // Pairs count in the order of the schedule, so a result may add several pairs to the test, or none.
        if let (Some(test), true) = (progress.test, pairs > written.pairs) {
            let Bounds { lower, upper } = test.running.bounds();
            let statistic = BTreeMap::from([(test.statistic().key, test.running.value())]);
            self.write(Event::TestUpdated { part, pairs, statistic, lower, upper });
        }
        if let (Some(ending), false) = (progress.ending, written.is_finished) {
            self.write(Event::PartFinished { part, ending: ending.name(), jobs: progress.counted });
        }
    }

    /// Writes a line, unless an earlier one failed.
    #[expect(clippy::disallowed_methods, reason = "an event has the time of day; no result depends on it")]
    fn write(&mut self, event: Event<'_>) {
        if self.error.is_some() {
            return;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let unix_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let line = Line { schema: SCHEMA, unix_ms, event };
        let text = serde_json::to_string(&line).expect("strings and numbers are always JSON");
        let written = self.file.write_all((visible_json(&text) + "\n").as_bytes());
        self.error = written.err().map(|cause| OutputError::from_system(&self.path, cause));
    }
}

/// The iterations of a tune that have ended; 0 of another part.
fn iterations(progress: &PartProgress<'_>) -> usize {
    progress.tune.map_or(0, |tune| tune.tune().results().len())
}

/// The result as PGN writes it.
const fn result_of(outcome: GameOutcome) -> &'static str {
    match outcome {
        GameOutcome::White => "1-0",
        GameOutcome::Black => "0-1",
        GameOutcome::Draw => "1/2-1/2",
    }
}
