//! Options whose words are pairs `key=value`.

use std::path::PathBuf;

use super::options::Treatment;
use super::printing::Form;
use super::settings::{BookOrder, OutputFile, Settings, TestSettings};
use super::values::{is_true, known, number, one_of};
use super::words::{Given, UsageError};
use threefold_games::pgn::PgnExtent;
use threefold_stats::{EloModel, Risks};

impl Settings {
    /// Takes an option with keys.
    pub(super) fn set_pairs(&mut self, given: &Given<'_>) -> Result<(), UsageError> {
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
            "sprt" => self.set_test(given, &pairs)?,
            "draw" | "resign" => {
                let defaults: &[(&str, &str)] = if given.row.name == "draw" { DRAW } else { RESIGN };
                let of = |&(key, default): &(&str, &str)| {
                    // Of a key that is given twice the last one counts.
                    let value = pairs.iter().rev().find(|(given, _)| given == key);
                    format!("{key}={}", value.map_or(default, |(_, value)| value))
                };
                let mut text: Vec<String> = defaults.iter().map(of).collect();
                if given.row.name == "resign" {
                    text.push(format!("like={}", self.resigns_like));
                }
                self.set_rule(given.row.name, &text.join(","))?;
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
                let format = one_of(given, value, &["epd", "pgn"])?;
                self.book.format = Some(known(given, format)?);
            }
            ("openings", "order") => {
                let order = one_of(given, value, &["sequential", "random"])?;
                self.book.order = if order == "random" { BookOrder::Random } else { BookOrder::Sequential };
            }
            ("openings", "plies") => self.book.plies = Some(number(given, value)?),
            ("openings", "start") => self.book.start = number(given, value)?,
            ("openings", "policy") => {
                let policy = one_of(given, value, &["round", "encounter", "default"])?;
                self.policy = known(given, policy)?;
            }
            ("pgnout" | "epdout", _) => self.set_output_key(given, key, value)?,
            ("crc32", "pgn") => self.prints_checksum = is_true(given, value)?,
            ("report", "penta") => self.printing.reports_pairs = is_true(given, value)?,
            ("output", "format") => {
                let form = one_of(given, value, &["fastchess", "cutechess"])?;
                self.printing.form = if form == "cutechess" { Form::Cutechess } else { Form::Fastchess };
            }
            ("config", _) => self.config.set(given, key, value)?,
            ("log", _) => self.log.set(given, key, value)?,
            _ => {
                is_true(given, value)?;
            }
        }
        Ok(())
    }

    /// Takes a key of `-pgnout` or `-epdout`.
    fn set_output_key(&mut self, given: &Given<'_>, key: &str, value: &str) -> Result<(), UsageError> {
        let output = if given.row.name == "epdout" { &mut self.epd } else { &mut self.pgn };
        match (key, output) {
            ("file", Some(output)) => output.file = Some(PathBuf::from(value)),
            ("append", Some(output)) => output.appends = is_true(given, value)?,
            ("notation", _) => {
                let notation = one_of(given, value, &["san", "lan", "uci"])?;
                self.pgn_options.notation = known(given, notation)?;
            }
            ("match_line", _) => self.pgn_options.details.match_lines.push(known(given, value)?),
            ("min", _) => {
                if is_true(given, value)? {
                    self.pgn_options.extent = PgnExtent::Minimal;
                }
            }
            (field, _) => {
                if is_true(given, value)? {
                    self.pgn_fields.push(known(given, field)?);
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
        // The values of fastchess' `-quick`; -2 is all CPUs but two.
        (self.games, self.rounds, self.concurrency) = (2, Some(25_000), -2);
        (self.printing.recovers, self.printing.form) = (true, Form::Cutechess);
        self.set_rule("draw", "movenumber=30,movecount=8,score=8")
    }

    /// `-sprt elo0=A elo1=B alpha=P beta=P model=M`; of a key that is given twice the last one counts.
    fn set_test(&mut self, given: &Given<'_>, pairs: &[(String, String)]) -> Result<(), UsageError> {
        let mut test = TestSettings { elo0: None, elo1: None, risks: Risks::USUAL, model: None };
        for (key, value) in pairs {
            match key.as_str() {
                "elo0" => test.elo0 = Some(number(given, value)?),
                "elo1" => test.elo1 = Some(number(given, value)?),
                "alpha" => test.risks.alpha = number(given, value)?,
                "beta" => test.risks.beta = number(given, value)?,
                _ if value == "bayesian" => test.model = Some(EloModel::BayesElo),
                _ => test.model = Some(known(given, value)?),
            }
        }
        self.sprt = Some(test);
        Ok(())
    }
}

/// The keys of `-draw` and `-resign` with fastchess' defaults.
const DRAW: &[(&str, &str)] = &[("movenumber", "0"), ("movecount", "1"), ("score", "0")];
const RESIGN: &[(&str, &str)] = &[("movecount", "1"), ("score", "0"), ("twosided", "false")];

fn unknown_key(given: &Given<'_>, key: &str) -> String {
    let known: Vec<&str> = given.row.keys().map(|row| row.name).collect();
    format!("`{key}` is no key of {}; the keys are {}", given.row.flag(), known.join(", "))
}
