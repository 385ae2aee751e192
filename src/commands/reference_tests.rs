//! The reference page of the command line is the help of every command.

use clap::CommandFactory as _;

use super::Cli;
use super::fleet::server::ServerArgs;
use super::help_page_tests::{SharedOptions, assert_page_is_help};
use crate::args::{GameArgs, RunOptions};

#[test]
fn reference_page_equals_the_help_of_every_command() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/cli.md");
    const HEADER: &str = "# Command line\n\n\
        This page is the output of `--help` for every command. Options that several commands share are listed once, at the end.\n\n\
        <!-- Generated from the program. To regenerate the page after a change of a help text:\n     \
        UPDATE_EXPECT=1 cargo test -p threefold --lib reference_tests -->\n";
    let run = SharedOptions::of::<RunOptions>("run options", &[]);
    let game = SharedOptions::of::<GameArgs>("game options", &[&run]);
    let server = SharedOptions::of::<ServerArgs>("server options", &[]);
    assert_page_is_help(PAGE, HEADER, "threefold", 2, Cli::command(), &[run, game, server]);
}
