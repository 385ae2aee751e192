//! Completion of the command line: what a shell asks the program at a TAB.
//!
//! The scripts of `threefold completions` call the program with the words of the line, and `clap_complete` finds what may
//! follow. Here are the values: suites, their cases, plans, books, and the keys and options of engines. No engine is
//! started: options are those of Echo, and those that other engines listed when they last ran.

mod bash;
mod engines;
mod queue;
mod suites;
mod words;
mod zsh;

use std::io;

use clap::{Arg, Command, CommandFactory};
use clap_complete::engine::ArgValueCompleter;
use clap_complete::env::{CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Shells};

use self::bash::Bash;
use self::zsh::Zsh;

/// The variable by which a script asks.
const VARIABLE: &str = "THREEFOLD_COMPLETE";

/// The program, which the shell finds.
const PROGRAM: &str = "threefold";

/// The shells with a script.
const SHELLS: Shells<'static> = Shells(&[&Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Answers the script of a shell and ends the process, if one asks; nothing otherwise.
pub fn answer<C: CommandFactory>() {
    CompleteEnv::with_factory(|| with_values(C::command())).var(VARIABLE).shells(SHELLS).complete();
}

/// Writes the script of a shell.
///
/// # Errors
/// If it can't be written.
pub fn write_script(shell: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let known: &dyn EnvCompleter = SHELLS.completer(shell).ok_or(io::ErrorKind::Unsupported)?;
    known.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, out)
}

/// The command with completions of its values, and of those of its subcommands.
fn with_values(command: Command) -> Command {
    command.mut_args(with_value).mut_subcommands(with_values)
}

/// The argument with completions of its values, by the name of the value.
fn with_value(arg: Arg) -> Arg {
    let name = arg.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
    let completer = match (name.as_deref(), arg.get_id().as_str()) {
        (Some("SPEC"), _) => ArgValueCompleter::new(engines::specs),
        (Some("KEY=VALUE"), "each") => ArgValueCompleter::new(engines::settings),
        (Some("NAME=VALUES"), "scan") => ArgValueCompleter::new(engines::options),
        (Some("SUITE"), _) | (Some("FILE|NAME"), "suite") => ArgValueCompleter::new(suites::suites),
        (Some("CASE" | "CASE|GAME"), _) | (Some("ID"), "case") => ArgValueCompleter::new(suites::cases),
        (Some("TEST"), _) => ArgValueCompleter::new(queue::tests),
        (Some("RUN.sqlite"), _) => ArgValueCompleter::new(suites::runs),
        (Some("FILE|NAME"), "plan") => ArgValueCompleter::new(suites::plans),
        (Some("FILE|NAME"), _) => ArgValueCompleter::new(suites::positions),
        _ => return arg,
    };
    arg.add(completer)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::commands::Cli;

    /// The values that complete the last of these words.
    fn candidates(words: &[&str]) -> Vec<String> {
        let mut command = with_values(Cli::command());
        let words: Vec<OsString> = std::iter::once(&PROGRAM).chain(words).map(OsString::from).collect();
        let last = words.len() - 1;
        let found = clap_complete::engine::complete(&mut command, words, last, None).expect("it completes");
        found.into_iter().map(|found| found.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn values_are_completed_by_their_names() {
        let table = [
            (&["suite", "repet"][..], "repetition"),
            (&["explain", "--suite", "repet"], "repetition"),
            (&["regress", "--plan", "eng"], "engine"),
            (&["match", "--openings", "builtin:bal"], "builtin:balanced"),
            (&["regress", "--engine", "ech"], "echo"),
            (&["match", "--engine", "echo,Hash=1,RepetitionPol"], "echo,Hash=1,RepetitionPolicy="),
            (&["match", "--engine=echo,timem"], "--engine=echo,timemargin="),
            (&["match", "--each", "restar"], "restart="),
            (&["regr"], "regress"),
        ];
        for (words, expected) in table {
            let found = candidates(words);
            assert!(found.iter().any(|value| value == expected), "{words:?}: {found:?}");
        }
        let found = candidates(&["match", "--engine", "echo,Hash=1,Has"]);
        assert!(!found.contains(&"echo,Hash=1,Hash=".to_owned()), "it is set: {found:?}");
        assert_eq!(candidates(&["match", "--engine", "echo,Hash=1"]), [""; 0], "values are not completed");
    }

    #[test]
    fn every_shell_has_a_script() {
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let mut script = Vec::new();
            write_script(shell, &mut script).expect("memory takes everything");
            let script = String::from_utf8(script).expect("text");
            assert!(script.contains(VARIABLE) && script.contains(PROGRAM), "{shell}: {script}");
        }
        assert!(write_script("tcsh", &mut Vec::new()).is_err());
    }
}
