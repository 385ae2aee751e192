//! The program `threefold-lab`.

#![expect(unreachable_pub, reason = "a program has no outside: `pub` is what other modules use")]

mod args;
mod commands;
mod report_sets;

use std::process::ExitCode;

use commands::Cli;
use threefold::program;

fn main() -> ExitCode {
    program::main(|cli: &Cli| cli.command.run_options(), |cli| cli.command.run())
}
