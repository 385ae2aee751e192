//! A page of the book that is the help of every command of a program. `threefold-lab` includes this file, too.

use std::env;
use std::fs;

use clap::Command;

/// Characters in a line of help.
const WIDTH: usize = 100;

/// The help of a command and of its subcommands, each under a heading, down to a number of levels.
fn sections(command: &mut Command, path: &str, levels: usize, page: &mut String) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    page.extend(["\n## ", path, "\n\n```text\n", &lines.join("\n"), "\n```\n"]);
    if levels == 0 {
        return;
    }
    let is_shown = |subcommand: &&mut Command| subcommand.get_name() != "help" && !subcommand.is_hide_set();
    for subcommand in command.get_subcommands_mut().filter(is_shown) {
        let path = format!("{path} {}", subcommand.get_name());
        sections(subcommand, &path, levels - 1, page);
    }
}

/// Asserts that the page is the header and the help of `program`, with this many levels of subcommands. The variable `UPDATE_EXPECT` writes it first.
#[expect(clippy::disallowed_methods, reason = "the page is what is tested")]
pub(super) fn assert_page_is_help(
    page_path: &str,
    header: &str,
    program: &str,
    levels: usize,
    command: Command,
) {
    let mut command = command.term_width(WIDTH);
    command.build();
    let mut page = header.to_owned();
    sections(&mut command, program, levels, &mut page);
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(page_path, &page).expect("writable");
    }
    let stored = fs::read_to_string(page_path).unwrap_or_default();
    let first = page.lines().zip(stored.lines()).find(|(now, then)| now != then);
    assert!(
        page == stored,
        "{page_path} differs from the help, first at {first:?}; regenerate it with UPDATE_EXPECT=1"
    );
}
