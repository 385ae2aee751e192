//! Sessions: the commands of a page, run one after the other in an empty folder.
//!
//! A block with `file=NAME` is written there first, so that later commands can use it. Each command ends with
//! exit code 0. A block `text output` is what the commands of the block before it print.

use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use tempfile::TempDir;

use super::commands::{commands, is_ours, is_run, words};
use super::markdown::{Block, outline};

/// More than any command takes, so that a hang is a failure.
const DEADLINE: Duration = Duration::from_mins(2);

/// What came of a page.
pub(crate) struct Session {
    /// How many commands ran.
    pub(crate) commands: usize,
    /// Commands that failed.
    pub(crate) failures: Vec<String>,
    /// Output that differs from what the commands print.
    pub(crate) stale: Vec<String>,
    /// The page with the output that its commands print now.
    pub(crate) text: String,
}

/// Runs the commands of a page.
pub(crate) fn run(path: &str, text: &str) -> Session {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut session = Session { commands: 0, failures: Vec::new(), stale: Vec::new(), text: text.to_owned() };
    let mut printed: Option<String> = None;
    let mut renewed = Vec::new();
    for block in outline(text).blocks {
        if let Some(file) = block.value("file") {
            let file = folder.path().join(file);
            fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
            fs::write(file, &block.text).expect("room on the disk");
        } else if block.has("output") {
            match printed.take() {
                None => {
                    session.failures.push(format!("{path}:{}: output of no command that is run", block.line));
                }
                Some(printed) if !same(&printed, &block.text) => {
                    let line = block.line;
                    session.stale.push(format!("{path}:{line}: the commands print\n{printed}"));
                    renewed.push((block.range, printed));
                }
                Some(_) => {}
            }
        } else if is_run(&block) {
            printed = Some(run_block(path, &block, &folder, &mut session));
        }
    }
    for (range, printed) in renewed.into_iter().rev() {
        session.text.replace_range(range, &printed);
    }
    session
}

/// Runs the commands of a block and returns what they print.
fn run_block(path: &str, block: &Block, folder: &TempDir, session: &mut Session) -> String {
    let mut printed = String::new();
    for (line, command) in commands(block).into_iter().filter(|(_, command)| is_ours(command)) {
        let words = words(&command).unwrap_or_default();
        session.commands += 1;
        let output = Command::new(env!("CARGO_BIN_EXE_threefold"))
            .args(words.iter().skip(1))
            .current_dir(Path::new(folder.path()))
            .timeout(DEADLINE)
            .output()
            .expect("the program starts");
        printed.push_str(&String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            session.failures.push(format!("{path}:{line}: `{command}`: {}\n{said}", output.status));
        }
    }
    printed
}

/// Is a text the same but for spaces at the ends of its lines?
fn same(one: &str, other: &str) -> bool {
    one.lines().map(str::trim_end).eq(other.lines().map(str::trim_end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_writes_files_and_compares_output() {
        let page = "```toml file=engines.toml\nold = \"echo,Hash=1\"\n```\n\n```sh\nthreefold perft 1\n```\n\n```text output\n21\n```\n";
        let stale = run("a.md", page);
        assert_eq!(
            (stale.commands, stale.failures.len(), stale.stale.len()),
            (1, 0, 1),
            "{:?}",
            stale.failures
        );
        let renewed = run("a.md", &stale.text);
        assert_eq!(renewed.stale, [""; 0], "what the command prints now");
    }

    #[test]
    fn failed_command_and_output_without_a_command_are_found() {
        let failed = run("a.md", "```sh\nthreefold suite nothing --engine echo\n```\n").failures;
        assert!(failed.len() == 1 && failed[0].starts_with("a.md:2: `threefold suite nothing"), "{failed:?}");
        let lone = run("a.md", "```text output\n20\n```\n").failures;
        assert_eq!(lone, ["a.md:1: output of no command that is run"]);
        let skipped = run("a.md", "```sh needs-time\nthreefold suite nothing --engine echo\n```\n");
        assert_eq!((skipped.commands, skipped.failures.len()), (0, 0));
    }
}
