//! fastchess and cutechess-cli: their command lines and their printed lines, for the runs of this program.
//!
//! A command line of theirs is read by the table of [`options`] and translated into words of `match` or `sprt`, so that the
//! run, its journal and its rules are the same as those of `threefold match`. The lines are printed from the run's events.
//! Frameworks such as `OpenBench` and fishtest can thus use this program in place of fastchess.

mod book;
mod bracket;
mod config;
mod continuation;
mod engine;
mod engines_json;
mod heading;
mod keys;
mod latency;
mod lines;
mod log;
mod number;
pub mod options;
mod play;
mod players;
mod printer;
mod ranking;
mod reason;
mod result_format;
mod score;
mod settings;
mod translation;
mod values;
mod warning;
mod words;

use std::ffi::OsString;
use std::fmt::Write as _;

use crate::args::SuiteArgs;
use crate::commands;
use crate::exit::Exit;
use crate::output::engine_log::EngineLog;
use crate::peer::Peer;
use crate::program;
use crate::streams;
use options::Treatment;
use settings::Settings;

/// The fastchess version whose options and lines these are. `OpenBench` wants at least 1.8.1.
const FASTCHESS_VERSION: &str = "1.8.2";
/// The same of cutechess-cli.
const CUTECHESS_VERSION: &str = "1.4.0";

/// The program that a command line asks for, with its arguments: by the program's own name, as `fastchess ARGS`, or by its
/// first argument, as `threefold fastchess ARGS`.
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

/// Runs a command line; the exit code is 1 for every error, as these programs have it.
pub fn run(peer: Peer, line: &[String]) -> Exit {
    let answered = answer(peer, line);
    EngineLog::end();
    match answered {
        Ok(exit) => exit,
        Err(error) => {
            // These programs print errors on standard output. If it is closed, the exit code still tells.
            _ = streams::result(&format!("{error:#}"));
            Exit::Worse
        }
    }
}

fn answer(peer: Peer, line: &[String]) -> anyhow::Result<Exit> {
    if line.first().is_some_and(|word| word == "--compliance") {
        return compliance(&line[1..]);
    }
    if let Some(text) = printed(peer, line)? {
        return streams::results(&text).map(|()| Exit::Fine);
    }
    let settings = Settings::read(peer, line)?;
    match settings.config.continued() {
        Some(file) => continuation::play(peer, &settings, file),
        None => play::play(peer, &settings),
    }
}

/// What the command line asks to be printed instead of games.
fn printed(peer: Peer, line: &[String]) -> anyhow::Result<Option<String>> {
    let asks_for = |words: &[&str]| line.iter().any(|given| words.contains(&given.as_str()));
    Ok(match peer {
        _ if line.is_empty() || asks_for(&["-help", "--help"]) => Some(help(peer)),
        _ if asks_for(&["-version", "--version", "-v", "--v"]) => Some(version(peer) + "\n"),
        Peer::Cutechess if asks_for(&["-engines", "--engines"]) => {
            Some(engines_json::names()?.join("\n") + "\n")
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

/// `--compliance ENGINE [ARGS]`
fn compliance(words: &[String]) -> anyhow::Result<Exit> {
    use clap::Parser;
    #[derive(Parser)]
    struct Suite {
        #[command(flatten)]
        args: SuiteArgs,
    }
    anyhow::ensure!(!words.is_empty(), "Error: --compliance takes an engine");
    program::subscribe(None, None)?;
    let suite = Suite::try_parse_from(["suite", "compliance", "--engine", &words.join(" ")])?;
    commands::suite::run(&suite.args)
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

    /// `OpenBench` takes the first number of the form 1.2.3, and wants at least 1.8.1; fishtest wants `fastchess alpha …`,
    /// which only that build may say.
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
