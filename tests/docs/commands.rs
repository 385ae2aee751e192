//! Commands: each code block says what it is, and each command of this program parses.

use clap::Parser as _;
use clap::error::ErrorKind;

use threefold::commands::Cli;

use super::markdown::{Block, outline};

/// What a code block may be. Only `sh` holds commands; `text` is output or a file.
const LANGUAGES: [&str; 6] = ["sh", "text", "toml", "yaml", "rust", "json"];

/// Why a block of commands is not run by the tests.
const NEEDS: [&str; 4] = ["needs-engine", "needs-time", "needs-build", "needs-fleet"];

/// Are its commands run by the tests?
pub(crate) fn is_run(block: &Block) -> bool {
    block.language == "sh" && !NEEDS.iter().any(|need| block.has(need))
}

/// The commands of a block with their lines: continued lines joined, without comments and empty lines.
pub(crate) fn commands(block: &Block) -> Vec<(usize, String)> {
    let mut commands = Vec::new();
    let mut begun: Option<(usize, String)> = None;
    for (index, line) in block.text.lines().enumerate() {
        let (_, text) = begun.get_or_insert_with(|| (block.line + 1 + index, String::new()));
        if let Some(start) = line.strip_suffix('\\') {
            text.push_str(start);
        } else {
            text.push_str(line);
            commands.extend(begun.take());
        }
    }
    commands.extend(begun);
    commands.retain(|(_, text)| !text.trim().is_empty() && !text.trim_start().starts_with('#'));
    commands
}

/// The words of a command as a shell splits them, comments taken off.
pub(crate) fn words(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

/// The blocks of a page that don't say what they are, and the commands that do not parse.
pub(crate) fn breaches(path: &str, text: &str) -> Vec<String> {
    let mut breaches = Vec::new();
    for block in outline(text).blocks {
        let Block { line, language, attributes, .. } = &block;
        if !LANGUAGES.contains(&language.as_str()) {
            let known = LANGUAGES.join(", ");
            breaches.push(format!("{path}:{line}: a block of `{language}`; use one of {known}"));
        }
        let known = |attribute: &str| match language.as_str() {
            "sh" => NEEDS.contains(&attribute),
            "text" => attribute == "output" || attribute.starts_with("file="),
            "yaml" => attribute.starts_with("example="),
            "toml" => attribute == "plan" || attribute.starts_with("file="),
            _ => attribute.starts_with("file="),
        };
        let unknown = attributes.iter().filter(|attribute| !known(attribute));
        breaches.extend(unknown.map(|attribute| format!("{path}:{line}: `{attribute}` is not known here")));
        if language == "sh" {
            let commands = commands(&block);
            let is_session = is_run(&block) && commands.iter().any(|(_, command)| is_ours(command));
            breaches.extend(commands.iter().filter_map(|(line, command)| {
                Some(format!("{path}:{line}: `{command}`: {}", fault(command, is_session)?))
            }));
        }
    }
    breaches
}

/// Is it a command of this program?
pub(crate) fn is_ours(command: &str) -> bool {
    command.split_whitespace().next() == Some("threefold")
}

/// What is wrong with a command, which the tests run if it is part of a session.
fn fault(command: &str, is_session: bool) -> Option<String> {
    let Some(words) = words(command) else { return Some("a quote is not closed".to_owned()) };
    if !is_ours(command) {
        let remedy = format!("mark the block with {}", NEEDS.join(" or "));
        return is_session.then(|| format!("the tests cannot run another program; {remedy}"));
    }
    let error = Cli::try_parse_from(words).err()?;
    let help = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion].contains(&error.kind());
    (!help).then(|| error.to_string().lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_command_is_found() {
        let page = |block: &str| format!("# Page\n\n{block}\n");
        let sound =
            "```sh\nthreefold suite mate \\\n    --engine echo    # a comment\nthreefold --version\n```";
        assert_eq!(breaches("a.md", &page(sound)), [""; 0]);
        let other = "```sh\ncargo test\n```\n\n```sh needs-build\ncargo test\nthreefold bench\n```\n```text output\nthreefold no command\n```";
        assert_eq!(breaches("a.md", &page(other)), [""; 0]);
        let table = [
            (
                "```sh needs-engine\nthreefold match --engin echo\n```",
                "a.md:4: `threefold match --engin echo`: error:",
            ),
            ("```sh\n\nthreefold suites\n```", "a.md:5: `threefold suites`: error:"),
            ("```sh\nthreefold perft '3\n```", "a.md:4: `threefold perft '3`: a quote is not closed"),
            ("```sh\nls\nthreefold bench\n```", "a.md:4: `ls`: the tests cannot run another program; mark"),
            ("```sh needs-luck\nthreefold bench\n```", "a.md:3: `needs-luck` is not known here"),
            ("```\nthreefold bench\n```", "a.md:3: a block of ``; use one of sh, text"),
        ];
        for (block, breach) in table {
            let found = breaches("a.md", &page(block));
            assert!(found.len() == 1 && found[0].starts_with(breach), "{block}: {found:?}");
        }
    }
}
