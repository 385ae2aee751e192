//! The files that `init` writes besides the plan: the lines of `.gitignore`, and the workflow of a CI service.

use threefold_named_enum::named_enum;

named_enum! {
    /// A CI service.
    pub enum CiService {
        /// GitHub Actions.
        GitHub = "github",
        /// GitLab CI/CD.
        GitLab = "gitlab",
        /// None: no workflow is written.
        None = "none",
    }
}

/// The folders that runs write, for `.gitignore`.
pub const IGNORED: [&str; 2] = ["/reports/", "/runs/"];

/// The version that workflows use: this one.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl CiService {
    /// The path of the workflow.
    pub const fn file(self) -> Option<&'static str> {
        match self {
            Self::GitHub => Some(".github/workflows/threefold.yml"),
            Self::GitLab => Some(".gitlab/threefold.gitlab-ci.yml"),
            Self::None => None,
        }
    }

    /// The workflow, for an engine that this command builds.
    pub fn workflow(self, build: Option<&str>) -> String {
        let command = build.unwrap_or("echo 'build the engine here' && exit 1");
        match self {
            Self::GitHub => format!(
                "# Regression test of the engine: threefold.toml has the plan, .threefold/baseline the accepted results.
name: threefold
on:
  push:
    branches: [main, master]
  pull_request:

permissions:
  contents: read

jobs:
  regress:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          # Not the merge with the target branch, which has another bench count than its commits say.
          ref: ${{{{ github.event.pull_request.head.sha }}}}
          fetch-depth: 0 # the base version is another commit
      - name: Build the engine
        run: |
{}
      - uses: threefold-chess/threefold@v{VERSION}
        with:
          base: ${{{{ github.event.pull_request.base.sha }}}}
",
                indented(command, 10)
            ),
            Self::GitLab => format!(
                "# Regression test of the engine: threefold.toml has the plan, .threefold/baseline the accepted results.
# Add to .gitlab-ci.yml:
#   include: .gitlab/threefold.gitlab-ci.yml
include:
  - remote: https://raw.githubusercontent.com/threefold-chess/threefold/v{VERSION}/ci/gitlab.yml

threefold:
  extends: .threefold
  variables:
    GIT_DEPTH: \"0\" # the base version is another commit
    THREEFOLD_BUILD: |
{}
",
                // GitLab expands variables in variables.
                indented(&command.replace('$', "$$"), 6)
            ),
            Self::None => String::new(),
        }
    }
}

/// The lines of a command as the lines of a YAML block.
fn indented(command: &str, spaces: usize) -> String {
    let lines: Vec<String> = command.trim().lines().map(|line| format!("{:spaces$}{line}", "")).collect();
    lines.join("\n")
}

/// The lines to add to a `.gitignore` with this text; empty if it has them.
pub fn ignored_lines(present: &str) -> String {
    let has =
        |line: &str| present.lines().any(|other| other.trim().trim_matches('/') == line.trim_matches('/'));
    let missing: Vec<&str> = IGNORED.into_iter().filter(|line| !has(line)).collect();
    let missing = missing.into_iter().fold(String::new(), |lines, line| lines + line + "\n");
    if present.is_empty() || present.ends_with('\n') || missing.is_empty() {
        missing
    } else {
        format!("\n{missing}")
    }
}

/// The lines of a `.gitignore` that show these files again, of paths from its folder. A folder that is
/// ignored hides its files even if they are not, so each folder gets a line.
pub fn shown_lines(ignored: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for file in ignored {
        let folders = file.match_indices('/').map(|(end, _)| format!("!/{}/", &file[..end]));
        for line in folders.chain([format!("!/{file}")]) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CI lints this file.
    #[test]
    fn linted_workflow_is_the_one_that_is_written() {
        assert_eq!(CiService::GitHub.workflow(Some("make")), include_str!("../../ci/examples/init.yml"));
    }

    #[test]
    fn a_command_of_several_lines_is_one_block_of_a_workflow() {
        let command = "make EXE=mine: # native\nstrip $EXE\n";
        let github = CiService::GitHub.workflow(Some(command));
        assert!(github.contains(
            "        run: |\n          make EXE=mine: # native\n          strip $EXE\n      - uses: "
        ));
        let gitlab = CiService::GitLab.workflow(Some(command));
        assert!(
            gitlab.ends_with("    THREEFOLD_BUILD: |\n      make EXE=mine: # native\n      strip $$EXE\n")
        );
    }

    #[test]
    fn a_hidden_file_is_shown_with_its_folders() {
        let files = [".threefold/baseline/cases.csv", ".threefold/baseline/figures.json", "threefold.toml"];
        assert_eq!(
            shown_lines(&files.map(str::to_owned)),
            "!/.threefold/\n!/.threefold/baseline/\n!/.threefold/baseline/cases.csv\n\
             !/.threefold/baseline/figures.json\n!/threefold.toml\n"
        );
        assert_eq!(shown_lines(&[]), "");
    }

    #[test]
    fn lines_are_added_once() {
        assert_eq!(ignored_lines(""), "/reports/\n/runs/\n");
        assert_eq!(ignored_lines("*.o"), "\n/reports/\n/runs/\n");
        assert_eq!(ignored_lines("reports\n/runs/\n"), "");
        assert_eq!(ignored_lines("runs/\n"), "/reports/\n");
    }
}
