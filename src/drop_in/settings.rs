//! What a command line of fastchess or cutechess-cli asks for.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::config::{self, ConfigSettings};
use super::log::LogSettings;
use super::options::Treatment;
use super::result_format::ResultFormat;
use super::values::{number, one_of, tournament};
use super::words::{Given, UsageError, split};
use crate::peer::Peer;
use threefold_games::cutechess_order::OpeningPolicy;
use threefold_games::pairing::TournamentFormat;
use threefold_games::playout::adjudication::Like;

/// The pairs of an engine, in order.
pub(super) type EngineKeys = Vec<(String, String)>;

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The lines of fastchess.
    Fastchess,
    /// The lines of cutechess-cli.
    Cutechess,
}

/// The order of the openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BookOrder {
    Sequential,
    Random,
}

/// The book.
#[derive(Debug, Clone)]
pub(super) struct Book {
    pub(super) file: Option<PathBuf>,
    pub(super) format: Option<String>,
    pub(super) order: BookOrder,
    pub(super) plies: Option<u16>,
    pub(super) start: NonZeroUsize,
}

/// A file of games or positions.
#[derive(Debug, Clone)]
pub(super) struct OutputFile {
    /// `None` for a name with the time.
    pub(super) file: Option<PathBuf>,
    pub(super) appends: bool,
}

impl OutputFile {
    /// What fastchess does without keys.
    pub(super) const USUAL: Self = Self { file: None, appends: true };
}

/// The command line as a value.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) engines: Vec<EngineKeys>,
    pub(super) each: EngineKeys,
    pub(super) concurrency: i64,
    pub(super) forces_concurrency: bool,
    pub(super) rounds: Option<usize>,
    pub(super) games: usize,
    /// Games in a row from one opening, for cutechess-cli.
    pub(super) repetitions: NonZeroUsize,
    /// When the next opening is taken, for cutechess-cli.
    pub(super) policy: OpeningPolicy,
    pub(super) sprt: Option<Vec<(String, String)>>,
    pub(super) format: TournamentFormat,
    pub(super) seeds: NonZeroUsize,
    pub(super) is_chess960: bool,
    pub(super) book: Book,
    pub(super) seed: Option<u64>,
    pub(super) pgn: Option<OutputFile>,
    /// The data of each move in the PGN file, as `--pgn-fields` names them.
    pub(super) pgn_fields: Vec<String>,
    /// Is the CRC-32 of the PGN file printed after each game?
    pub(super) prints_checksum: bool,
    pub(super) epd: Option<OutputFile>,
    pub(super) rating_interval: usize,
    pub(super) score_interval: usize,
    /// Games between two lists of outcomes; 0 for the last one only.
    pub(super) outcome_interval: usize,
    pub(super) result_format: ResultFormat,
    pub(super) reports_pairs: bool,
    pub(super) form: Form,
    /// The program whose rule of resignation counts.
    pub(super) resigns_like: Like,
    pub(super) config: ConfigSettings,
    pub(super) recovers: bool,
    /// Are the variations of mate scores checked?
    pub(super) checks_mate_pvs: bool,
    /// Does a warning about an engine fail the run?
    pub(super) is_strict: bool,
    /// Is the run part of a testing framework, which wants no file of ours?
    pub(super) is_test_environment: bool,
    pub(super) log: LogSettings,
    /// Is the traffic with engines printed?
    pub(super) prints_traffic: bool,
    /// Are the engines' latencies shown?
    pub(super) shows_latency: bool,
    /// Milliseconds.
    pub(super) startup: u64,
    /// The folder of Syzygy tables.
    pub(super) tables: Option<String>,
    /// The settings of `--tb` after the folder.
    pub(super) table_options: Vec<String>,
    /// Words of threefold's own command line that have the same meaning.
    pub(super) native: Vec<String>,
    /// The command line after `threefold`: the program and its words.
    pub(super) line: Vec<OsString>,
}

impl Settings {
    /// The defaults of a program.
    fn of(peer: Peer) -> Self {
        let book = Book {
            file: None,
            format: None,
            order: BookOrder::Sequential,
            plies: None,
            start: NonZeroUsize::MIN,
        };
        let is_fastchess = peer == Peer::Fastchess;
        Self {
            engines: Vec::new(),
            each: Vec::new(),
            concurrency: 1,
            forces_concurrency: false,
            rounds: None,
            games: if is_fastchess { 2 } else { 1 },
            repetitions: NonZeroUsize::MIN,
            policy: OpeningPolicy::Default,
            sprt: None,
            format: TournamentFormat::RoundRobin,
            seeds: NonZeroUsize::MIN,
            is_chess960: false,
            book,
            seed: None,
            pgn: None,
            pgn_fields: Vec::new(),
            prints_checksum: false,
            epd: None,
            rating_interval: if is_fastchess { 10 } else { 0 },
            score_interval: 1,
            outcome_interval: 0,
            result_format: ResultFormat::default(),
            reports_pairs: is_fastchess,
            form: if is_fastchess { Form::Fastchess } else { Form::Cutechess },
            resigns_like: if is_fastchess { Like::Fastchess } else { Like::Cutechess },
            config: ConfigSettings::default(),
            recovers: false,
            checks_mate_pvs: false,
            is_strict: false,
            is_test_environment: false,
            log: LogSettings::default(),
            prints_traffic: false,
            shows_latency: false,
            startup: 10_000,
            tables: None,
            table_options: Vec::new(),
            native: Vec::new(),
            line: vec![peer.program().into()],
        }
    }

    /// Reads a command line without the program's name.
    pub(super) fn read(peer: Peer, line: &[String]) -> Result<Self, UsageError> {
        let mut settings = Self::of(peer);
        settings.line.extend(line.iter().map(OsString::from));
        let all = split(peer, line)?;
        for given in &all {
            match given.row.words.treatment() {
                Some(Treatment::Refused(reason)) => return Err(given.error(reason)),
                Some(Treatment::Acts(_)) => settings.set(peer, given)?,
                None => settings.set_pairs(given)?,
            }
        }
        config::check(&settings, &all)?;
        if let Some(folder) = settings.tables.take() {
            settings.native.extend([
                "--tb".to_owned(),
                [vec![folder], settings.table_options.clone()].concat().join(","),
            ]);
        }
        Ok(settings)
    }

    /// Takes an option without keys.
    fn set(&mut self, peer: Peer, given: &Given<'_>) -> Result<(), UsageError> {
        let value = given.value();
        match given.row.name {
            "concurrency" => self.concurrency = number(given, value)?,
            "force-concurrency" => self.forces_concurrency = true,
            "rounds" => self.rounds = Some(number(given, value)?),
            "games" => self.games = number(given, value)?,
            "repeat" => self.set_repeat(peer, given)?,
            "event" | "site" => {
                self.native.extend([format!("--{}", given.row.name), given.words.join(" ")]);
            }
            "use-affinity" if given.words.is_empty() => self.native.push("--affinity".to_owned()),
            "use-affinity" => self.native.push(format!("--affinity={}", given.words.join(","))),
            "noswap" | "reverse" => self.native.push(format!("--{}", given.row.name)),
            "wait" | "maxmoves" => self.native.extend([format!("--{}", given.row.name), value.to_owned()]),
            "tournament" => self.format = tournament(given, value, peer)?,
            "tb" | "tbpieces" | "tbignore50" | "tbadjudicate" => self.set_tables(given)?,
            "seeds" => self.seeds = number(given, value)?,
            "variant" => {
                self.is_chess960 = match value {
                    "fischerandom" => true,
                    "standard" => false,
                    _ => return Err(given.error("the variants are standard and fischerandom")),
                }
            }
            "srand" => self.seed = Some(number(given, value)?),
            "ratinginterval" => self.rating_interval = number(given, value)?,
            "scoreinterval" => self.score_interval = number(given, value)?,
            "outcomeinterval" => self.outcome_interval = number(given, value)?,
            "resultformat" => {
                self.result_format = ResultFormat::read(value).map_err(|error| given.error(&error))?;
            }
            "bookmode" => _ = one_of(given, value, &["ram", "disk"])?,
            "recover" => self.recovers = true,
            "check-mate-pvs" => self.checks_mate_pvs = true,
            "show-latency" => self.shows_latency = true,
            "debug" => self.set_debug(given)?,
            // Every game is saved at once.
            "autosaveinterval" => _ = number::<usize>(given, value)?,
            "strict" => self.is_strict = true,
            "testEnv" => self.is_test_environment = true,
            "startup-ms" | "ucinewgame-ms" | "ping-ms" => {
                self.startup = self.startup.max(number(given, value)?);
            }
            "pgnout" => self.set_pgn_words(given)?,
            "epdout" => self.epd = Some(OutputFile { file: Some(PathBuf::from(value)), ..OutputFile::USUAL }),
            // Those that print something and end, which were answered before.
            _ => {}
        }
        Ok(())
    }

    fn set_tables(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
        let value = given.value();
        let option = match given.row.name {
            "tb" => {
                self.tables = Some(value.to_owned());
                return Ok(());
            }
            "tbpieces" => format!("pieces={}", number::<usize>(given, value)?),
            "tbignore50" => "ignore50=true".to_owned(),
            _ => match one_of(given, value, &["BOTH", "WIN_LOSS", "DRAW"])? {
                "WIN_LOSS" => "results=wins".to_owned(),
                "DRAW" => "results=draws".to_owned(),
                _ => "results=all".to_owned(),
            },
        };
        self.table_options.push(option);
        Ok(())
    }

    fn set_debug(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
        self.prints_traffic = true;
        match given.words.as_slice() {
            [] => {}
            ["all"] => self.each.push(("debug".to_owned(), "true".to_owned())),
            _ => return Err(given.error("the option takes nothing, or `all`")),
        }
        Ok(())
    }

    fn set_repeat(&mut self, peer: Peer, given: &Given<'_>) -> Result<(), UsageError> {
        let times: usize = given.words.first().map_or(Ok(2), |times| number(given, times))?;
        match (peer, times) {
            (Peer::Fastchess, _) => self.games = times,
            (Peer::Cutechess, _) => {
                let times = NonZeroUsize::new(times);
                self.repetitions = times.ok_or_else(|| given.error("an opening is played once at least"))?;
            }
        }
        Ok(())
    }

    /// `-pgnout FILE [min] [fi]` of cutechess-cli.
    fn set_pgn_words(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
        let Some((&file, flags)) = given.words.split_first() else {
            return Err(given.error("the option takes a file"));
        };
        if !flags.iter().all(|flag| matches!(*flag, "min" | "fi")) {
            return Err(given.error("the option takes a file, `min` and `fi`"));
        }
        if flags.contains(&"min") {
            self.native.push("--pgn-min".to_owned());
        }
        self.pgn = Some(OutputFile { file: Some(PathBuf::from(file)), ..OutputFile::USUAL });
        Ok(())
    }

    /// Are games added to the end of existing files? The PGN file decides for both.
    pub(super) fn appends(&self) -> bool {
        self.pgn.as_ref().or(self.epd.as_ref()).is_none_or(|output| output.appends)
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
