//! Parse, run, exit code.

use std::process::ExitCode;

use threefold::cli;
use threefold::echo::processor;

fn main() -> ExitCode {
    if let Err(lacking) = processor::check() {
        cli::streams::notice(&format!("error: {lacking}"));
        return cli::exit::Exit::Misuse.into();
    }
    cli::main()
}
