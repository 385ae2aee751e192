//! fastchess and cutechess-cli: their command lines and their printed lines, for the runs of threefold.
//!
//! [`parse_command_line`] turns a command line of theirs into a [`NewRun`]: the same specification as that of
//! `threefold match`, so that the run, its journal and its rules are the same. [`Printer`] prints their lines
//! from the run's events. Frameworks such as `OpenBench` and fishtest can thus use threefold in place of
//! fastchess.

mod bracket;
mod config;
mod continuation;
mod engine;
mod engines_json;
mod error;
mod games;
mod heading;
mod keys;
mod latency;
mod lines;
mod log;
mod new_run;
mod number;
pub mod options;
mod peer;
mod players;
mod printer;
mod printing;
mod ranking;
mod reason;
mod result_format;
mod run_settings;
mod score;
mod settings;
mod skipped_options;
mod standing;
mod surroundings;
mod values;
mod warning;
mod words;

use std::ffi::OsString;
use std::fmt::Write as _;

pub use continuation::Continuation;
pub use error::{LineError, ReadError};
pub use log::{Log, LogLevel};
pub use new_run::{Book, NewRun};
pub use peer::Peer;
pub use printer::Printer;
pub use printing::Printing;
pub use run_settings::RunSettings;
pub use skipped_options::skipped_options;
pub use surroundings::Surroundings;
pub use words::UsageError;

use options::Treatment;
use settings::Settings;

/// The fastchess version whose options and lines these are. `OpenBench` wants at least 1.8.1.
const FASTCHESS_VERSION: &str = "1.8.2";
/// The cutechess-cli version whose options and lines these are.
const CUTECHESS_VERSION: &str = "1.5.1";

/// The program that a command line asks for, with its arguments: by the program's own name, as `fastchess
/// ARGS`, or by its first argument, as `threefold fastchess ARGS`.
///
/// ```
/// use threefold_drop_in::{Peer, requested};
///
/// let line = |words: &str| requested(words.split(' ').map(Into::into));
/// let expected = Some((Peer::Fastchess, vec!["-version".to_owned()]));
/// assert_eq!(line("/usr/bin/fastchess -version"), expected);
/// assert_eq!(line("threefold fastchess -version"), expected);
/// assert_eq!(line("threefold match"), None);
/// ```
pub fn requested(words: impl IntoIterator<Item = OsString>) -> Option<(Peer, Vec<String>)> {
    let mut words = words.into_iter();
    let own = words.next()?;
    let rest: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(peer) = Peer::named(&own) {
        return Some((peer, rest));
    }
    let (first, rest) = rest.split_first()?;
    let peer = [Peer::Fastchess, Peer::Cutechess].into_iter().find(|peer| peer.program() == first)?;
    Some((peer, rest.to_vec()))
}

/// What a command line asks for.
#[derive(Debug)]
pub enum Request {
    /// This text on standard output.
    Text(String),
    /// The suite `compliance` for this engine.
    Compliance(String),
    /// Games.
    Play(Box<NewRun>),
    /// The games of a journal.
    Continue(Box<Continuation>),
}

/// Reads a command line without the program's name.
///
/// # Errors
/// If it can't be understood or played; these programs print the text on standard output, and exit with 1.
pub fn parse_command_line(
    peer: Peer,
    line: &[String],
    surroundings: &Surroundings<'_>,
) -> Result<Request, LineError> {
    if let Some((_, engine)) = line.split_first().filter(|(word, _)| *word == "--compliance") {
        return if engine.is_empty() {
            Err(LineError::NoComplianceEngine)
        } else {
            Ok(Request::Compliance(engine.join(" ")))
        };
    }
    if let Some(text) = printed(peer, line, surroundings)? {
        return Ok(Request::Text(text));
    }
    let settings = Settings::parse(peer, line)?;
    Ok(match settings.config.continued().cloned() {
        Some(file) => Request::Continue(Box::new(Continuation::from_journal(file, settings, surroundings)?)),
        None => Request::Play(Box::new(NewRun::from_settings(settings, surroundings)?)),
    })
}

/// What the command line asks to be printed instead of games.
fn printed(
    peer: Peer,
    line: &[String],
    surroundings: &Surroundings<'_>,
) -> Result<Option<String>, LineError> {
    let asks_for = |words: &[&str]| line.iter().any(|given| words.contains(&given.as_str()));
    Ok(match peer {
        _ if line.is_empty() || asks_for(&["-help", "--help"]) => Some(help(peer)),
        _ if asks_for(&["-version", "--version", "-v", "--v"]) => Some(version(peer) + "\n"),
        Peer::Cutechess if asks_for(&["-engines", "--engines"]) => {
            Some(engines_json::names(surroundings)?.join("\n") + "\n")
        }
        Peer::Cutechess if asks_for_formats(line) => Some(result_format::help()),
        Peer::Fastchess | Peer::Cutechess => None,
    })
}

/// Does the command line have `-resultformat help`?
fn asks_for_formats(line: &[String]) -> bool {
    line.windows(2).any(|words| words == ["-resultformat", "help"])
}

/// What `--version` prints. It says which program this is: it never passes for a build of another one.
fn version(peer: Peer) -> String {
    let version = match peer {
        Peer::Fastchess => FASTCHESS_VERSION,
        Peer::Cutechess => CUTECHESS_VERSION,
    };
    format!("{}-compatible {version} (threefold {})", peer.program(), env!("CARGO_PKG_VERSION"))
}

/// The help: every option and what becomes of it.
fn help(peer: Peer) -> String {
    let mut text = format!(
        "{}\n\nThe command line of {} for the match runner of threefold. Options and what becomes of them:\n\n",
        version(peer),
        peer.program()
    );
    for row in peer.options() {
        _ = writeln!(text, "  {}", row.flag());
        let keys = row.keys().map(|key| (format!("{}=", key.name.trim_end_matches('.')), key.treatment));
        let own = row.words.treatment().map(|treatment| (String::new(), treatment));
        for (name, treatment) in keys.chain(own) {
            let treatment = match treatment {
                Treatment::Acts(text) => text.to_owned(),
                Treatment::Refused(reason) => format!("refused: {reason}"),
            };
            _ = writeln!(text, "    {name:12} {treatment}");
        }
    }
    text
}

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Option<(Peer, String)> {
        requested(words.iter().map(OsString::from)).map(|(peer, line)| (peer, line.join(" ")))
    }

    #[test]
    fn program_is_chosen_by_its_name_or_its_first_argument() {
        let line = || "-engine cmd=a".to_owned();
        assert_eq!(asked(&["/x/fastchess", "-engine", "cmd=a"]), Some((Peer::Fastchess, line())));
        assert_eq!(asked(&["./fastchess-ob.exe", "-engine", "cmd=a"]), Some((Peer::Fastchess, line())));
        assert_eq!(
            asked(&["threefold", "cutechess-cli", "-engine", "cmd=a"]),
            Some((Peer::Cutechess, line()))
        );
        for words in [&["threefold", "match"][..], &["threefold"], &[]] {
            assert_eq!(asked(words), None);
        }
    }

    /// `OpenBench` takes the first number of the form 1.2.3, and wants at least 1.8.1; fishtest wants
    /// `fastchess alpha …`, which only that build may say.
    #[test]
    fn version_begins_with_a_number_that_is_new_enough() {
        let version = version(Peer::Fastchess);
        assert!(version.starts_with("fastchess-compatible 1.8.2 (threefold "), "{version}");
        assert!(!version.contains("fastchess alpha"));
    }

    #[test]
    fn help_has_every_option() {
        for peer in [Peer::Fastchess, Peer::Cutechess] {
            let help = help(peer);
            for row in peer.options() {
                assert!(help.contains(&format!("  {}\n", row.flag())), "{}", row.name);
            }
        }
    }
}
