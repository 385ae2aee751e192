//! The run that a command line describes: its games, its files, and its conditions.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use super::engine;
use super::error::LineError;
use super::games::{openings_needed, schedule};
use super::printing::{Form, Printing};
use super::run_settings::RunSettings;
use super::settings::{BookOrder, BookSettings, OutputFile, Settings, TestSettings};
use super::surroundings::Surroundings;
use threefold_chess::score::Ply;
use threefold_games::move_details::MoveField;
use threefold_games::opening::{BookFormat, Opening, OpeningOrder, OpeningSelection};
use threefold_games::pairing::{EncounterLength, TournamentFormat};
use threefold_games::playout::adjudication::Adjudication;
use threefold_player::EngineSpec;
use threefold_player::output_file::IfThere;
use threefold_run::job::Outputs;
use threefold_run::{MatchTask, PairCounting, Purpose, RunSpec, single_match};
use threefold_stats::{EloModel, Overshoot, Sprt, SprtConfig, TrialUnit};

/// The openings of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Book {
    /// The file, or the name of a built-in set.
    pub file: PathBuf,
    /// Its format; `None` for that of its name.
    pub format: Option<BookFormat>,
    /// The moves that are played of an opening of a PGN file; `None` for all.
    pub plies: Option<Ply>,
    /// Which openings, in which order.
    pub selection: OpeningSelection,
}

/// A run that can begin once its openings are read.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The conditions of the run.
    pub settings: RunSettings,
    /// The openings; `None` if all games begin at the start position.
    pub book: Option<Book>,
    /// What becomes of an existing file of games.
    pub games_if_there: IfThere,
    /// What becomes of an existing file of final positions.
    pub final_positions_if_there: IfThere,
    /// What is printed of it.
    pub printing: Printing,
    /// Lines to print before the first game.
    pub notices: Vec<&'static str>,
    seed: u64,
    outputs: Outputs,
    /// The games, without their openings.
    task: MatchTask,
}

impl NewRun {
    /// The run that a command line describes.
    pub(super) fn from_settings(
        settings: Settings,
        surroundings: &Surroundings<'_>,
    ) -> Result<Self, LineError> {
        if settings.is_chess960 && settings.book.file.is_none() {
            return Err(LineError::NoBook);
        }
        let engines = engine::specs(&settings, surroundings)?;
        let schedule = schedule(&settings, engines.len())?;
        let named = |output: &Option<OutputFile>, extension: &str| {
            output.as_ref().map(|output| file(&settings, output, extension, surroundings.now))
        };
        let (games, final_positions) = (named(&settings.pgn, "pgn"), named(&settings.epd, "epd"));
        let purpose = match &settings.sprt {
            None => Purpose::Match,
            Some(_) if engines.len() != 2 => return Err(LineError::TestEngines),
            Some(test) => {
                let counts_games = schedule.rules.encounter == EncounterLength::Single;
                Purpose::Test(config(test, &settings.printing, counts_games)?.into())
            }
        };
        let run = RunSettings::from_settings(&settings, surroundings)?;
        let notices = notices(&settings, engines.len());
        let mut pgn = settings.pgn_options.clone();
        pgn.details.fields = fields(&settings, games.is_some());
        Ok(Self {
            settings: run,
            book: book(&settings.book, settings.seed, openings_needed(&schedule)),
            games_if_there: if_there(settings.pgn.as_ref()),
            final_positions_if_there: if_there(settings.epd.as_ref()),
            notices,
            seed: settings.seed.unwrap_or_default(),
            outputs: Outputs {
                // fishtest gives `-crc32` also without a file of games.
                prints_checksum: settings.prints_checksum && games.is_some(),
                games,
                final_positions,
                ..Outputs::default()
            },
            task: MatchTask {
                format: schedule.format,
                rules: schedule.rules,
                adjudication: Adjudication::new(settings.rules),
                purpose,
                wait: settings.wait,
                pgn,
                ..MatchTask::new(engines, Vec::new(), schedule.encounters)
            },
            printing: settings.printing,
        })
    }

    /// The engines, in the order of the command line.
    pub fn engines(&self) -> &[EngineSpec] {
        &self.task.engines
    }

    /// The specification with these openings.
    pub fn spec(&self, openings: Vec<Opening>) -> RunSpec {
        RunSpec {
            outputs: self.outputs.clone(),
            seed: self.seed,
            // -recover, or its absence, decides what a fault does.
            max_faults: None,
            // The programs that it stands in for count every game, also one that was played before.
            counting: PairCounting::All,
            ..single_match::spec(self.printing.peer.program(), MatchTask { openings, ..self.task.clone() })
        }
    }
}

/// What becomes of a file that exists.
fn if_there(output: Option<&OutputFile>) -> IfThere {
    if output.is_none_or(|output| output.appends) { IfThere::Append } else { IfThere::Replace }
}

/// What is said before the first game.
fn notices(settings: &Settings, engines: usize) -> Vec<&'static str> {
    let mut notices = Vec::new();
    if settings.book.file.is_none() {
        notices.push("Warning: no opening book is given; all games begin at the start position.");
    } else if settings.book.order == BookOrder::Random {
        notices.push("Indexing opening suite...");
    }
    if settings.format == TournamentFormat::Knockout && settings.seeds.get() < engines {
        notices.push("Warning: all engines of the knockout are seeded in the order of -engine; none has a random place.");
    }
    notices
}

/// The test of `-sprt`.
fn config(test: &TestSettings, printing: &Printing, is_single: bool) -> Result<SprtConfig, LineError> {
    let elo0 = test.elo0.ok_or(LineError::NoHypothesis("elo0"))?;
    let elo1 = test.elo1.ok_or(LineError::NoHypothesis("elo1"))?;
    let usual = match printing.form {
        Form::Cutechess => EloModel::Logistic,
        Form::Fastchess => EloModel::Normalized,
    };
    let sprt = Sprt::new(test.model.unwrap_or(usual), elo0, elo1, test.risks)?;
    // fastchess decides by single games where it prints no pairs.
    let counts_games = !printing.reports_pairs || is_single || printing.form == Form::Cutechess;
    let unit = if counts_games { TrialUnit::Games } else { TrialUnit::Pairs };
    Ok(SprtConfig::new(sprt, unit, NonZeroU32::MIN, Overshoot::Ignore)?)
}

/// The data of each move that is kept. fastchess writes none unless it is asked for, and threefold by default
/// nodes.
fn fields(settings: &Settings, has_games: bool) -> Option<Vec<MoveField>> {
    let mut fields = settings.pgn_fields.clone();
    if settings.printing.shows_latency && !fields.contains(&MoveField::Latency) {
        fields.push(MoveField::Latency);
    }
    (has_games || !fields.is_empty()).then_some(fields)
}

/// The openings of this number of rounds.
fn book(settings: &BookSettings, seed: Option<u64>, most: usize) -> Option<Book> {
    let order = match settings.order {
        BookOrder::Sequential => OpeningOrder::Sequential,
        BookOrder::Random => OpeningOrder::Fastchess { seed: seed.unwrap_or_else(random_seed) },
    };
    Some(Book {
        file: settings.file.clone()?,
        format: settings.format,
        plies: settings.plies.filter(|&plies| plies > 0).map(Ply),
        selection: OpeningSelection { order, start: settings.start, most },
    })
}

/// A seed that differs from run to run. The journal has the openings, so a run can be resumed all the same.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// A file with a name: without one it has the time, as that of fastchess.
fn file(settings: &Settings, output: &OutputFile, extension: &str, now: SystemTime) -> PathBuf {
    let seconds = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let program = settings.printing.peer.program();
    output.file.clone().unwrap_or_else(|| PathBuf::from(format!("{program}_{seconds}.{extension}")))
}

#[cfg(test)]
#[path = "new_run_tests.rs"]
mod tests;
