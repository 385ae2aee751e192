//! The reference pages of the command line are the help of every command.

use clap::CommandFactory as _;

use super::Cli;
use super::help_page_tests::assert_page_is_help;

// The page is that of a build without the fleet, which has a page of its own.
#[cfg(not(feature = "fleet"))]
#[test]
fn reference_page_equals_the_help_of_every_command() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/cli.md");
    const HEADER: &str = "# Command line\n\n\
        This page is the output of `--help` for every command.\n\n\
        <!-- Generated from the program. To regenerate the page after a change of a help text:\n     \
        UPDATE_EXPECT=1 cargo test -p threefold --lib args::reference_tests -->\n";
    assert_page_is_help(PAGE, HEADER, "threefold", 2, Cli::command());
}

#[cfg(feature = "fleet")]
#[test]
fn reference_page_of_the_fleet_equals_the_help_of_its_commands() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/cli-fleet.md");
    const HEADER: &str = "# Command line of the fleet\n\n\
        This page is the output of `--help` for the commands `threefold fleet …`. The commands that `fleet submit` takes have the \
        options that they have without a fleet: see [Command line](cli.md).\n\n\
        <!-- Generated from the program. To regenerate the page after a change of a help text:\n     \
        UPDATE_EXPECT=1 cargo test -p threefold --features fleet --lib args::reference_tests -->\n";
    let cli = Cli::command();
    let fleet = cli.find_subcommand("fleet").expect("the commands of the fleet").clone();
    assert_page_is_help(PAGE, HEADER, "threefold fleet", 1, fleet.bin_name("threefold fleet"));
}
