//! The program `threefold`.

use std::env;
use std::process::ExitCode;

use threefold::commands::{Cli, drop_in};
use threefold::{completion, program};
use threefold_drop_in::requested;

fn main() -> ExitCode {
    completion::answer::<Cli>();
    if let Some((peer, line)) = requested(env::args_os()) {
        return drop_in::run(peer, &line).into();
    }
    program::main(|cli: &Cli| cli.command.run_options(), |cli| cli.command.run())
}
