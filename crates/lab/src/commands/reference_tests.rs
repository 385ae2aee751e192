//! The page of `threefold-lab` is the help of every command.

use clap::CommandFactory as _;

use threefold::args::{GameArgs, RunOptions};

use super::Cli;
use super::help_page_tests::{SharedOptions, assert_page_is_help};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/dev/lab.md");

const HEADER: &str = "# The program threefold-lab\n\n\
    `threefold-lab` is for the authors of Echo. It measures search features, tunes the evaluation, calibrates \
    `UCI_Elo`, and checks that the suites catch known bugs. It is not part of a release. Build it in a checkout:\n\n\
    ```sh needs-build\n\
    cargo build --release -p threefold-lab --features lab        # for study\n\
    cargo build --release -p threefold-lab --features mutants    # for mutants\n\
    ```\n\n\
    The rest of this page is the output of `--help` for every command. Options that several commands share are listed once, at \
    the end.\n\n\
    <!-- Generated from the program. To regenerate the page after a change of a help text:\n     \
    UPDATE_EXPECT=1 cargo test -p threefold-lab --bin threefold-lab reference_tests -->\n";

#[test]
fn the_lab_page_is_the_help_of_every_command() {
    let run = SharedOptions::of::<RunOptions>("run options", &[]);
    let game = SharedOptions::of::<GameArgs>("game options", &[&run]);
    assert_page_is_help(PAGE, HEADER, "threefold-lab", 2, Cli::command(), &[run, game]);
}
