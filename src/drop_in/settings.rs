//! What a command line of fastchess or cutechess-cli asks for.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::options::Treatment;
use super::values::{is_true, number, one_of, tournament};
use super::words::{Given, UsageError, split};
use crate::peer::Peer;
use threefold_harness::arena::pairing::TournamentFormat;

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
    const USUAL: Self = Self { file: None, appends: true };
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
    pub(super) repeats: bool,
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
    pub(super) reports_pairs: bool,
    pub(super) form: Form,
    pub(super) journal: Option<PathBuf>,
    pub(super) recovers: bool,
    /// Are the variations of mate scores checked?
    pub(super) checks_mate_pvs: bool,
    /// Does a warning about an engine fail the run?
    pub(super) is_strict: bool,
    /// Is the run part of a testing framework, which wants no file of ours?
    pub(super) is_test_environment: bool,
    pub(super) log: Option<PathBuf>,
    pub(super) logs_engines: bool,
    /// Milliseconds.
    pub(super) startup: u64,
    /// The folder of Syzygy tables.
    pub(super) tables: Option<String>,
    /// The settings of `--tb` after the folder.
    pub(super) table_options: Vec<String>,
    /// Words of threefold's own command line that have the same meaning.
    pub(super) native: Vec<String>,
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
            repeats: is_fastchess,
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
            reports_pairs: is_fastchess,
            form: if is_fastchess { Form::Fastchess } else { Form::Cutechess },
            journal: None,
            recovers: false,
            checks_mate_pvs: false,
            is_strict: false,
            is_test_environment: false,
            log: None,
            logs_engines: false,
            startup: 10_000,
            tables: None,
            table_options: Vec::new(),
            native: Vec::new(),
        }
    }

    /// Reads a command line without the program's name.
    pub(super) fn read(peer: Peer, line: &[String]) -> Result<Self, UsageError> {
        let mut settings = Self::of(peer);
        for given in split(peer, line)? {
            if let Treatment::Refused(reason) = given.row.treatment {
                return Err(given.error(reason));
            }
            if given.row.keys.is_empty() {
                settings.set(peer, &given)?;
            } else {
                settings.set_pairs(&given)?;
            }
        }
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
            "tb" => self.tables = Some(value.to_owned()),
            "tbpieces" => self.table_options.push(format!("pieces={}", number::<usize>(given, value)?)),
            "tbignore50" => self.table_options.push("ignore50=true".to_owned()),
            "tbadjudicate" => {
                let results = one_of(given, value, &["BOTH", "WIN_LOSS", "DRAW"])?;
                let results = match results {
                    "WIN_LOSS" => "wins",
                    "DRAW" => "draws",
                    _ => "all",
                };
                self.table_options.push(format!("results={results}"));
            }
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
            "recover" => self.recovers = true,
            "check-mate-pvs" => self.checks_mate_pvs = true,
            "strict" => self.is_strict = true,
            "testEnv" => self.is_test_environment = true,
            "startup-ms" | "ucinewgame-ms" | "ping-ms" => {
                self.startup = self.startup.max(number(given, value)?);
            }
            "pgnout" => self.set_pgn_words(given)?,
            "epdout" => self.epd = Some(OutputFile { file: Some(PathBuf::from(value)), ..OutputFile::USUAL }),
            // Those without effect.
            _ => {}
        }
        Ok(())
    }

    fn set_repeat(&mut self, peer: Peer, given: &Given<'_>) -> Result<(), UsageError> {
        let times: usize = given.words.first().map_or(Ok(2), |times| number(given, times))?;
        match (peer, times) {
            (Peer::Fastchess, _) => self.games = times,
            (Peer::Cutechess, 1 | 2) => self.repeats = times == 2,
            (Peer::Cutechess, _) => return Err(given.error("an opening is played once or twice")),
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

    /// Takes an option with keys.
    fn set_pairs(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
        let mut pairs = Vec::new();
        for (key, value) in given.pairs()? {
            let row = given.row.key(key).ok_or_else(|| given.error(&unknown_key(given, key)))?;
            if let Treatment::Refused(reason) = row.treatment {
                return Err(given.error(&format!("{key}: {reason}")));
            }
            pairs.push((key.to_owned(), value.to_owned()));
        }
        match given.row.name {
            "engine" => self.engines.push(pairs),
            "each" => self.each.extend(pairs),
            "quick" => self.set_quick(given, &pairs)?,
            "sprt" => self.sprt = Some(pairs),
            "draw" | "resign" => {
                let defaults: &[(&str, &str)] = if given.row.name == "draw" { DRAW } else { RESIGN };
                let of = |&(key, default): &(&str, &str)| {
                    let value = pairs.iter().rev().find(|(given, _)| given == key);
                    format!("{key}={}", value.map_or(default, |(_, value)| value))
                };
                let text: Vec<String> = defaults.iter().map(of).collect();
                self.native.extend([format!("--{}", given.row.name), text.join(",")]);
            }
            _ => {
                match given.row.name {
                    "pgnout" => self.pgn = Some(OutputFile::USUAL),
                    "epdout" => self.epd = Some(OutputFile::USUAL),
                    _ => {}
                }
                for (key, value) in &pairs {
                    self.set_key(given, key, value)?;
                }
            }
        }
        Ok(())
    }

    /// Takes a key of an option whose keys are independent of each other.
    fn set_key(&mut self, given: &Given<'_>, key: &str, value: &str) -> Result<(), UsageError> {
        match (given.row.name, key) {
            ("openings", "file") => self.book.file = Some(PathBuf::from(value)),
            ("openings", "format") => {
                self.book.format = Some(one_of(given, value, &["epd", "pgn"])?.to_owned());
            }
            ("openings", "order") => {
                let order = one_of(given, value, &["sequential", "random"])?;
                self.book.order = if order == "random" { BookOrder::Random } else { BookOrder::Sequential };
            }
            ("openings", "plies") => self.book.plies = Some(number(given, value)?),
            ("openings", "start") => self.book.start = number(given, value)?,
            ("openings", "policy") => {
                one_of(given, value, &["round", "encounter", "default"])?;
            }
            ("pgnout" | "epdout", _) => self.set_output_key(given, key, value)?,
            ("crc32", "pgn") => self.prints_checksum = is_true(given, value)?,
            ("report", "penta") => self.reports_pairs = is_true(given, value)?,
            ("output", "format") => {
                let form = one_of(given, value, &["fastchess", "cutechess"])?;
                self.form = if form == "cutechess" { Form::Cutechess } else { Form::Fastchess };
            }
            ("config", "outname") => self.journal = Some(PathBuf::from(value)),
            ("log", "file") => self.log = Some(PathBuf::from(value)),
            ("log", "engine") => self.logs_engines = is_true(given, value)?,
            ("log", "level") => {
                one_of(given, value, &["trace", "info", "warn", "err", "fatal"])?;
            }
            _ => {
                is_true(given, value)?;
            }
        }
        Ok(())
    }

    /// Are games added to the end of existing files? The PGN file decides for both.
    pub(super) fn appends(&self) -> bool {
        self.pgn.as_ref().or(self.epd.as_ref()).is_none_or(|output| output.appends)
    }

    /// Takes a key of `-pgnout` or `-epdout`.
    fn set_output_key(&mut self, given: &Given<'_>, key: &str, value: &str) -> Result<(), UsageError> {
        let output = if given.row.name == "epdout" { &mut self.epd } else { &mut self.pgn };
        match (key, output) {
            ("file", Some(output)) => output.file = Some(PathBuf::from(value)),
            ("append", Some(output)) => output.appends = is_true(given, value)?,
            ("notation", _) => {
                let notation = one_of(given, value, &["san", "lan", "uci"])?;
                self.native.extend(["--pgn-notation", notation].map(str::to_owned));
            }
            ("match_line", _) => self.native.extend(["--pgn-match-line", value].map(str::to_owned)),
            ("min", _) => {
                if is_true(given, value)? {
                    self.native.push("--pgn-min".to_owned());
                }
            }
            (field, _) => {
                if is_true(given, value)? {
                    self.pgn_fields.push(field.to_owned());
                }
            }
        }
        Ok(())
    }

    /// `-quick cmd=A cmd=B book=FILE`.
    fn set_quick(&mut self, given: &Given<'_>, pairs: &[(String, String)]) -> Result<(), UsageError> {
        let commands: Vec<&String> =
            pairs.iter().filter(|(key, _)| key == "cmd").map(|(_, cmd)| cmd).collect();
        let (&[first, second], Some((_, book))) =
            (&commands[..], pairs.iter().find(|(key, _)| key == "book"))
        else {
            return Err(given.error("the option takes two commands and a book"));
        };
        let suffixes = if first == second { ["1", "2"] } else { ["", ""] };
        for (command, suffix) in [first, second].into_iter().zip(suffixes) {
            let keys = [
                ("cmd", command.clone()),
                ("name", format!("{command}{suffix}")),
                ("tc", "10+0.1".to_owned()),
            ];
            self.engines.push(keys.map(|(key, value)| (key.to_owned(), value)).to_vec());
        }
        (self.book.file, self.book.order) = (Some(PathBuf::from(book)), BookOrder::Random);
        (self.games, self.rounds, self.concurrency) = (2, Some(25_000), -2);
        (self.recovers, self.form) = (true, Form::Cutechess);
        self.native.extend(["--draw".to_owned(), "movenumber=30,movecount=8,score=8".to_owned()]);
        Ok(())
    }
}

/// The keys of `-draw` and `-resign` with fastchess' defaults.
const DRAW: &[(&str, &str)] = &[("movenumber", "0"), ("movecount", "1"), ("score", "0")];
const RESIGN: &[(&str, &str)] = &[("movecount", "1"), ("score", "0"), ("twosided", "false")];

fn unknown_key(given: &Given<'_>, key: &str) -> String {
    let known: Vec<&str> = given.row.keys.iter().map(|row| row.name).collect();
    format!("`{key}` is no key of {}; the keys are {}", given.row.flag(), known.join(", "))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
