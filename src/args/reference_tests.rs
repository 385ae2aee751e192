//! The reference page of the command line is the help of every command.

use std::env;
use std::fs;
use std::path::Path;

use clap::{Command, CommandFactory as _};

use super::Cli;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/reference/cli.md");

const HEADER: &str = "# Command line\n\n\
    This page is the output of `--help` for every command.\n\n\
    <!-- Generated from the program. To regenerate the page after a change of a help text:\n     \
    UPDATE_EXPECT=1 cargo test -p threefold --lib args::reference_tests -->\n";

/// Characters in a line of help.
const WIDTH: usize = 100;

/// The help of a command and of its subcommands, each under a heading.
fn sections(command: &mut Command, path: &str, page: &mut String) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    page.extend(["\n## ", path, "\n\n```text\n", &lines.join("\n"), "\n```\n"]);
    for subcommand in command.get_subcommands_mut().filter(|subcommand| subcommand.get_name() != "help") {
        let path = format!("{path} {}", subcommand.get_name());
        sections(subcommand, &path, page);
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the page is what is tested")]
fn reference_page_equals_the_help_of_every_command() {
    let mut command = Cli::command().term_width(WIDTH);
    command.build();
    let mut page = HEADER.to_owned();
    sections(&mut command, "threefold", &mut page);
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::create_dir_all(Path::new(PAGE).parent().expect("a folder")).expect("writable");
        fs::write(PAGE, &page).expect("writable");
    }
    let stored = fs::read_to_string(PAGE).unwrap_or_default();
    let first = page.lines().zip(stored.lines()).find(|(now, then)| now != then);
    assert!(
        page == stored,
        "{PAGE} differs from the help, first at {first:?}; regenerate it with UPDATE_EXPECT=1"
    );
}
