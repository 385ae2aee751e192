//! The reference page of the command line is the help of every command.

use clap::CommandFactory as _;

use super::Cli;
use super::help_page_tests::assert_page_is_help;

#[test]
fn reference_page_equals_the_help_of_every_command() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/cli.md");
    const HEADER: &str = "# Command line\n\n\
        This page is the output of `--help` for every command.\n\n\
        <!-- Generated from the program. To regenerate the page after a change of a help text:\n     \
        UPDATE_EXPECT=1 cargo test -p threefold --lib args::reference_tests -->\n";
    assert_page_is_help(PAGE, HEADER, "threefold", 2, Cli::command());
}
