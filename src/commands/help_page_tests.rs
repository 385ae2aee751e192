//! A page of the book that is the help of every command of a program. `threefold-lab` includes this file,
//! too.

use std::env;
use std::fs;

use clap::{Arg, Args, Command};

/// Characters in a line of help.
const WIDTH: usize = 100;

/// The help of a command and of its subcommands, each under a heading, down to a number of levels.
fn sections(command: &mut Command, path: &str, levels: usize, shared: &[SharedOptions], page: &mut String) {
    let mut shown = command.clone();
    let mut links = Vec::new();
    for group in shared.iter().filter(|group| group.is_in(command)) {
        for id in &group.ids {
            shown = shown.mut_arg(id, |option| option.hide(true));
        }
        links.push(format!("[{}](#{})", group.title, group.title.replace(' ', "-")));
    }
    page.extend(["\n## ", path, "\n\n```text\n", &help_text(&mut shown), "\n```\n"]);
    if !links.is_empty() {
        page.extend(["\nFurther options: ", &links.join(", "), ".\n"]);
    }
    if levels == 0 {
        return;
    }
    for subcommand in command.get_subcommands_mut().filter(|subcommand| is_shown(subcommand)) {
        let path = format!("{path} {}", subcommand.get_name());
        sections(subcommand, &path, levels - 1, shared, page);
    }
}

fn is_shown(subcommand: &Command) -> bool {
    subcommand.get_name() != "help" && !subcommand.is_hide_set()
}

fn help_text(command: &mut Command) -> String {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// Options that several commands have with the same help, printed once on a page.
pub(super) struct SharedOptions {
    /// `run options`
    title: &'static str,
    /// The ids of the options.
    ids: Vec<String>,
    /// The help of the options.
    text: String,
}

impl SharedOptions {
    /// The options of `A`, apart from those that are listed elsewhere.
    pub(super) fn of<A: Args>(title: &'static str, elsewhere: &[&Self]) -> Self {
        let command = A::augment_args(Command::new("options").term_width(WIDTH).disable_help_flag(true));
        let is_elsewhere = |id: &String| elsewhere.iter().any(|other| other.ids.contains(id));
        let ids = command.get_arguments().map(|option| option.get_id().to_string());
        let ids: Vec<String> = ids.filter(|id| !is_elsewhere(id)).collect();
        let text = options_text(&command, &ids);
        Self { title, ids, text }
    }

    /// Has a command all these options, with the same help?
    fn is_in(&self, command: &Command) -> bool {
        let has = |id: &String| command.get_arguments().any(|option| option.get_id() == id.as_str());
        self.ids.iter().all(has) && options_text(command, &self.ids) == self.text
    }
}

/// The help of some options of a command.
fn options_text(command: &Command, ids: &[String]) -> String {
    let mut alone = command.clone().help_template("{options}");
    let others =
        command.get_arguments().map(Arg::get_id).filter(|id| !ids.iter().any(|shown| *id == shown.as_str()));
    for id in others {
        alone = alone.mut_arg(id, |option| option.hide(true));
    }
    help_text(&mut alone)
}

/// Asserts that the page is the header, the help of `program` with this many levels of subcommands, and the
/// options that several commands share. The variable `UPDATE_EXPECT` writes it first.
#[expect(clippy::disallowed_methods, reason = "the page is what is tested")]
pub(super) fn assert_page_is_help(
    page_path: &str,
    header: &str,
    program: &str,
    levels: usize,
    command: Command,
    shared: &[SharedOptions],
) {
    let mut command = command.term_width(WIDTH);
    command.build();
    let mut page = header.to_owned();
    sections(&mut command, program, levels, shared, &mut page);
    for group in shared {
        let (first, rest) = group.title.split_at(1);
        let title = [&first.to_uppercase(), rest].concat();
        page.extend(["\n## ", &title, "\n\n```text\n", &group.text, "\n```\n"]);
    }
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
