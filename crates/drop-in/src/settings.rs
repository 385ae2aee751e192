//! What a command line of fastchess or cutechess-cli asks for.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::config::ConfigSettings;
use super::log::LogSettings;
use super::options::Treatment;
use super::peer::Peer;
use super::printing::Printing;
use super::result_format::ResultFormat;
use super::values::{number, one_of, tournament};
use super::words::{Given, UsageError, split};
use threefold_games::cutechess_order::OpeningPolicy;
use threefold_games::move_details::MoveField;
use threefold_games::opening::BookFormat;
use threefold_games::pairing::{Colours, TournamentFormat};
use threefold_games::pgn::{PgnExtent, PgnOptions};
use threefold_games::playout::adjudication::{Like, Rule, RuleKind};
use threefold_run::pool::cpu_list;
use threefold_stats::{EloModel, Risks};

/// The pairs of an engine, in order.
pub(super) type EngineKeys = Vec<(String, String)>;

/// The order of the openings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BookOrder {
    Sequential,
    Random,
}

/// `-openings`.
#[derive(Debug, Clone)]
pub(super) struct BookSettings {
    pub(super) file: Option<PathBuf>,
    pub(super) format: Option<BookFormat>,
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

/// `-sprt`.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestSettings {
    pub(super) elo0: Option<f64>,
    pub(super) elo1: Option<f64>,
    pub(super) risks: Risks,
    pub(super) model: Option<EloModel>,
}

/// The command line as a value.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// The command line after `threefold`: the program and its words.
    pub(super) line: Vec<String>,
    pub(super) engines: Vec<EngineKeys>,
    pub(super) each: EngineKeys,
    pub(super) concurrency: i64,
    pub(super) forces_concurrency: bool,
    /// The CPUs of the games; none for those that fit best.
    pub(super) affinity: Option<Vec<usize>>,
    pub(super) rounds: Option<usize>,
    pub(super) games: usize,
    /// Games in a row from one opening, for cutechess-cli.
    pub(super) repetitions: NonZeroUsize,
    /// When the next opening is taken, for cutechess-cli.
    pub(super) policy: OpeningPolicy,
    pub(super) sprt: Option<TestSettings>,
    pub(super) format: TournamentFormat,
    pub(super) seeds: NonZeroUsize,
    pub(super) colours: Colours,
    /// The pause between two games.
    pub(super) wait: Duration,
    /// The rules of adjudication; of two of one kind the later counts.
    pub(super) rules: Vec<Arc<dyn Rule>>,
    pub(super) is_chess960: bool,
    pub(super) book: BookSettings,
    pub(super) seed: Option<u64>,
    pub(super) pgn: Option<OutputFile>,
    /// The data of each move in the PGN file.
    pub(super) pgn_fields: Vec<MoveField>,
    /// How games are written, without the data of each move.
    pub(super) pgn_options: PgnOptions,
    /// Is the CRC-32 of the PGN file printed after each game?
    pub(super) prints_checksum: bool,
    pub(super) epd: Option<OutputFile>,
    /// The program whose rule of resignation counts.
    pub(super) resigns_like: Like,
    pub(super) config: ConfigSettings,
    /// Is the run part of a testing framework, which wants no file of ours?
    pub(super) is_test_environment: bool,
    pub(super) log: LogSettings,
    /// Is the traffic with engines printed?
    pub(super) prints_traffic: bool,
    /// How long an engine may take to start.
    pub(super) startup: Duration,
    /// The folder of Syzygy tables.
    tables: Option<String>,
    /// Which results of the tables count.
    table_conditions: Vec<String>,
    pub(super) printing: Printing,
}

impl Settings {
    /// The defaults of a program.
    fn defaults(peer: Peer) -> Self {
        let book = BookSettings {
            file: None,
            format: None,
            order: BookOrder::Sequential,
            plies: None,
            start: NonZeroUsize::MIN,
        };
        let (games, resigns_like) = match peer {
            Peer::Fastchess => (2, Like::Fastchess),
            Peer::Cutechess => (1, Like::Cutechess),
        };
        Self {
            line: vec![peer.program().to_owned()],
            engines: Vec::new(),
            each: Vec::new(),
            concurrency: 1,
            forces_concurrency: false,
            affinity: None,
            rounds: None,
            games,
            repetitions: NonZeroUsize::MIN,
            policy: OpeningPolicy::Default,
            sprt: None,
            format: TournamentFormat::RoundRobin,
            seeds: NonZeroUsize::MIN,
            colours: Colours::Alternate,
            wait: Duration::ZERO,
            rules: Vec::new(),
            is_chess960: false,
            book,
            seed: None,
            pgn: None,
            pgn_fields: Vec::new(),
            pgn_options: PgnOptions::default(),
            prints_checksum: false,
            epd: None,
            resigns_like,
            config: ConfigSettings::default(),
            is_test_environment: false,
            log: LogSettings::default(),
            prints_traffic: false,
            // The default of fastchess' `-startup-ms`.
            startup: Duration::from_secs(10),
            tables: None,
            table_conditions: Vec::new(),
            printing: Printing::defaults(peer),
        }
    }

    /// Reads a command line without the program's name.
    pub(super) fn parse(peer: Peer, line: &[String]) -> Result<Self, UsageError> {
        let mut settings = Self::defaults(peer);
        settings.line.extend_from_slice(line);
        let all = split(peer, line)?;
        for given in &all {
            match given.row.words.treatment() {
                Some(Treatment::Refused(reason)) => return Err(given.error(reason)),
                Some(Treatment::Acts(_)) => settings.set(peer, given)?,
                None => settings.set_pairs(given)?,
            }
        }
        settings.config.check(&all)?;
        settings.printing.book.clone_from(&settings.book.file);
        // After all options: `-tbpieces` and the others may come before `-tb`.
        if let Some(folder) = settings.tables.take() {
            let text = [&[folder], &settings.table_conditions[..]].concat().join(",");
            settings.set_rule("syzygy", &text)?;
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
            "event" => self.pgn_options.event = Some(given.words.join(" ")),
            "site" => self.pgn_options.site = Some(given.words.join(" ")),
            "use-affinity" => {
                let cpus = cpu_list(&given.words.join(","));
                self.affinity = Some(cpus.ok_or_else(|| given.error("give CPUs by number, such as 0-3,8"))?);
            }
            "noswap" => self.colours = self.colours.fixed(),
            "reverse" => self.colours = self.colours.reversed(),
            "wait" => self.wait = Duration::from_millis(number(given, value)?),
            "maxmoves" => self.set_rule("max-moves", value)?,
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
            "bookmode" => _ = one_of(given, value, &["ram", "disk"])?,
            "debug" => self.set_debug(given)?,
            // Every game is saved at once.
            "autosaveinterval" => _ = number::<usize>(given, value)?,
            "testEnv" => self.is_test_environment = true,
            "startup-ms" | "ucinewgame-ms" | "ping-ms" => {
                // threefold has one limit for these three waits, so the longest counts.
                self.startup = self.startup.max(Duration::from_millis(number(given, value)?));
            }
            "pgnout" => self.set_pgn_words(given)?,
            "epdout" => self.epd = Some(OutputFile { file: Some(PathBuf::from(value)), ..OutputFile::USUAL }),
            // Those that print something and end were answered before.
            _ => self.set_printing(given)?,
        }
        Ok(())
    }

    /// Takes an option about what is printed.
    fn set_printing(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
        let (value, printing) = (given.value(), &mut self.printing);
        match given.row.name {
            "ratinginterval" => printing.rating_interval = number(given, value)?,
            "scoreinterval" => printing.score_interval = number(given, value)?,
            "outcomeinterval" => printing.outcome_interval = number(given, value)?,
            "resultformat" => {
                printing.result_format = ResultFormat::parse(value).map_err(|error| given.error(&error))?;
            }
            "recover" => printing.recovers = true,
            "check-mate-pvs" => printing.checks_mate_pvs = true,
            "show-latency" => printing.shows_latency = true,
            "strict" => printing.is_strict = true,
            _ => {}
        }
        Ok(())
    }

    /// Takes a rule of adjudication with its settings.
    pub(super) fn set_rule(&mut self, name: &str, settings: &str) -> Result<(), UsageError> {
        if let Some(kind) = RuleKind::named(name) {
            self.rules.push((kind.read)(&format!("--{}", kind.flag), settings)?);
        }
        Ok(())
    }

    fn set_tables(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
        let value = given.value();
        let setting = match given.row.name {
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
        // Of an option that is given twice the last one counts.
        let key = |setting: &String| setting.split('=').next().map(str::to_owned);
        self.table_conditions.retain(|known| key(known) != key(&setting));
        self.table_conditions.push(setting);
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
            self.pgn_options.extent = PgnExtent::Minimal;
        }
        self.pgn = Some(OutputFile { file: Some(PathBuf::from(file)), ..OutputFile::USUAL });
        Ok(())
    }
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
