//! Where a run comes from: its command line, the machine with its environment, the folder and the owner.

use std::env;

use crate::args::RunOptions;
use crate::machine;
use crate::session::fleet_link;
use crate::session::owner;
use threefold_report::words::rerun::shell_word;
use threefold_run::job::{RunConditions, RunOrigin};

/// The origin of a run: command, machine, folder, owner and options.
pub fn origin(run_options: &RunOptions) -> RunOrigin {
    RunOrigin {
        command: command(run_options),
        machine: machine::description(),
        environment: machine::environment::present(),
        // The journal stores names as text.
        folder: env::current_dir().ok().filter(|folder| folder.to_str().is_some()),
        owner: Some(owner::present()),
        conditions: RunConditions {
            concurrency: run_options.jobs,
            startup: run_options.startup,
            search_timeout: run_options.search_timeout,
        },
    }
}

/// The command line of a run, quoted for a shell; without the options of a fleet.
pub fn command(run_options: &RunOptions) -> String {
    // A test of a queue has words of its own, which do not name the fleet.
    let is_of_process = env::args_os().skip(1).eq(run_options.words.iter().cloned());
    let words = fleet_link::words().filter(|_| is_of_process);
    let words = words.as_ref().unwrap_or(&run_options.words).iter();
    words.fold("threefold".to_owned(), |line, word| format!("{line} {}", shell_word(&word.to_string_lossy())))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Options {
        #[command(flatten)]
        run_options: RunOptions,
    }

    #[test]
    fn command_line_keeps_empty_words_and_words_with_spaces() {
        let given = ["match", "--event", "", "--site", "x y", "--engine", "it's.sh,name=A"];
        let options = Options::try_parse_from(["threefold"]).expect("none is needed");
        let run_options = RunOptions { words: given.map(OsString::from).into(), ..options.run_options };
        let line = command(&run_options);
        assert_eq!(line, r"threefold match --event '' --site 'x y' --engine 'it'\''s.sh,name=A'");
        let read = shlex::split(&line).expect("words of a shell");
        assert_eq!(read[1..], given);
    }
}
