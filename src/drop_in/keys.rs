//! Options whose words are pairs `key=value`.

use std::path::PathBuf;

use super::options::Treatment;
use super::settings::{BookOrder, Form, OutputFile, Settings};
use super::values::{is_true, number, one_of};
use super::words::{Given, UsageError};

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
            "sprt" => self.sprt = Some(pairs),
            "draw" | "resign" => {
                let defaults: &[(&str, &str)] = if given.row.name == "draw" { DRAW } else { RESIGN };
                let of = |&(key, default): &(&str, &str)| {
                    let value = pairs.iter().rev().find(|(given, _)| given == key);
                    format!("{key}={}", value.map_or(default, |(_, value)| value))
                };
                let mut text: Vec<String> = defaults.iter().map(of).collect();
                if given.row.name == "resign" {
                    text.push(format!("like={}", self.resigns_like));
                }
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
                let policy = one_of(given, value, &["round", "encounter", "default"])?;
                self.policy = policy.parse().map_err(|_| given.error("the policy is not known"))?;
            }
            ("pgnout" | "epdout", _) => self.set_output_key(given, key, value)?,
            ("crc32", "pgn") => self.prints_checksum = is_true(given, value)?,
            ("report", "penta") => self.reports_pairs = is_true(given, value)?,
            ("output", "format") => {
                let form = one_of(given, value, &["fastchess", "cutechess"])?;
                self.form = if form == "cutechess" { Form::Cutechess } else { Form::Fastchess };
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
    let known: Vec<&str> = given.row.keys().map(|row| row.name).collect();
    format!("`{key}` is no key of {}; the keys are {}", given.row.flag(), known.join(", "))
}
