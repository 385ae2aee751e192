//! The UCI engine Echo as a stand-alone program.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use threefold_echo::options::Listing;
use threefold_echo::processor;

/// The exit code of wrong use.
const MISUSE: u8 = 2;

/// What the arguments ask for.
enum Task {
    /// Serve a GUI; `uci` lists these options.
    Serve(Listing),
    /// Print the line of the bench.
    Bench,
}

fn main() -> ExitCode {
    let task = match task(env::args_os().skip(1)) {
        Ok(task) => task,
        Err(complaint) => return fail(&complaint, MISUSE),
    };
    if let Err(lacking) = processor::check() {
        return fail(&lacking.to_string(), MISUSE);
    }
    let done = match task {
        Task::Serve(listing) => echo_uci::serve(io::stdin().lock(), io::stdout(), listing),
        Task::Bench => writeln!(io::stdout(), "{}", echo_uci::bench_line()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string(), 1),
    }
}

/// The task that the arguments name.
fn task(arguments: impl Iterator<Item = OsString>) -> Result<Task, String> {
    let arguments: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [] => Ok(Task::Serve(Listing::Players)),
        ["--experimental"] => Ok(Task::Serve(Listing::Experimental)),
        ["bench"] => Ok(Task::Bench),
        _ => Err(format!(
            "`{}` is no argument of echo-uci; give none, `bench` for the node count that identifies the search, or \
             `--experimental` to have `uci` list every option",
            words.join(" ").escape_debug()
        )),
    }
}

#[expect(clippy::print_stderr, reason = "standard output is the GUI's")]
fn fail(complaint: &str, code: u8) -> ExitCode {
    eprintln!("error: {complaint}");
    code.into()
}
