//! The build of the engine in the working tree.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use anyhow::Context;

use super::input::RoundInput;
use crate::session::commit_builds::shell;

/// The number of lines of a failed build that are printed.
const LAST_LINES: usize = 20;

/// A build that has ended.
pub(super) struct Build {
    /// How long it took, in seconds.
    pub(super) seconds: f64,
    /// The exit status and the last lines of the output, if it failed.
    pub(super) failure: Option<String>,
}

/// Builds the engine by the plan's `build`; `None` if the plan has none.
///
/// # Errors
/// If the shell can't be started.
#[expect(clippy::disallowed_methods, reason = "the time of a build is shown")]
pub(super) fn build(input: &RoundInput) -> anyhow::Result<Option<Build>> {
    let Some(command) = &input.build else { return Ok(None) };
    let program = std::path::absolute(&input.program)?;
    let begun = Instant::now();
    let output = shell(&command.replace("{out}", &program.display().to_string()))
        .stdin(Stdio::null())
        .output()
        .context("can't start a shell for `build`")?;
    let seconds = begun.elapsed().as_secs_f64();
    if !output.status.success() {
        let text = [output.stdout, output.stderr].concat();
        return Ok(Some(Build { seconds, failure: Some(failure(&output.status.to_string(), &text)) }));
    }
    let failure = (!Path::new(&program).exists())
        .then(|| format!("it wrote no {}, which the plan's `engine` names", program.display()));
    Ok(Some(Build { seconds, failure }))
}

/// The status, and the last lines of the output.
fn failure(status: &str, output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].iter();
    last.fold(status.to_owned(), |text, line| format!("{text}\n  {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_has_the_last_lines_of_the_output() {
        assert_eq!(failure("exit status: 2", b"a\nb\n"), "exit status: 2\n  a\n  b");
        let long = (0..30).fold(String::new(), |text, line| format!("{text}line {line}\n"));
        let text = failure("exit status: 1", long.as_bytes());
        assert_eq!(text.lines().count(), LAST_LINES + 1);
        assert!(text.contains("\n  line 10\n") && !text.contains("line 9\n"), "{text}");
    }
}
