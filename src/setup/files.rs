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

/// The label of a pull request that starts the games against the base version.
const LABEL: &str = "threefold: sprt";

impl CiService {
    /// The paths of the files of the service; the first one is the workflow that runs the test.
    pub const fn paths(self) -> &'static [&'static str] {
        match self {
            Self::GitHub => &[".github/workflows/threefold.yml", ".github/workflows/threefold-comment.yml"],
            Self::GitLab => &[".gitlab/threefold.gitlab-ci.yml"],
            Self::None => &[],
        }
    }

    /// The files of the service with their paths, for an engine that this command builds.
    pub fn files(self, build: Option<&str>) -> Vec<(&'static str, String)> {
        let command = build.unwrap_or("echo 'build the engine here' && exit 1");
        let texts = match self {
            Self::GitHub => vec![github(command), github_comment()],
            Self::GitLab => vec![gitlab(command)],
            Self::None => Vec::new(),
        };
        self.paths().iter().copied().zip(texts).collect()
    }
}

/// The workflow that runs the test. A fork's pull request has a token that can only read, and no secrets.
fn github(command: &str) -> String {
    format!(
        "# Regression test of the engine: threefold.toml has the plan, .threefold/baseline the accepted results.
name: threefold
on:
  push:
    branches: [main, master]
  pull_request:
    types: [opened, synchronize, reopened, labeled]

permissions:
  contents: read
  pull-requests: read # comments with settings of the games

jobs:
  regress:
    # No other label is a reason to run.
    if: \"github.event.action != 'labeled' || github.event.label.name == '{LABEL}'\"
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          # Not the merge with the target branch, which has another bench count than its commits say.
          ref: ${{{{ github.event.pull_request.head.sha }}}}
          fetch-depth: 0 # the base version is another commit
          persist-credentials: false # the engine needs no token
      - name: Build the engine
        run: |
{}
      - uses: threefold-chess/threefold@v{VERSION}
        with:
          base: ${{{{ github.event.pull_request.base.sha }}}}
          label: '{LABEL}' # starts the games; without this line each run has them
",
        indented(command, 10)
    )
}

/// The workflow that writes the comment. Its token can write, so it runs no code of the pull request.
fn github_comment() -> String {
    format!(
        "# Writes the result of the workflow `threefold` as one comment of its pull request, and updates it.
name: threefold comment
on:
  workflow_run:
    workflows: [threefold]
    types: [completed]

permissions:
  actions: read # the artifact with the result
  pull-requests: write # the comment

concurrency: threefold-comment-${{{{ github.event.workflow_run.head_repository.full_name }}}}-${{{{ github.event.workflow_run.head_branch }}}}

jobs:
  comment:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ubuntu-latest
    steps:
      - uses: threefold-chess/threefold/ci/comment@v{VERSION}
        with:
          label: '{LABEL}'
"
    )
}

fn gitlab(command: &str) -> String {
    format!(
        "# Regression test of the engine: threefold.toml has the plan, .threefold/baseline the accepted results.
# Add to .gitlab-ci.yml:
#   include: .gitlab/threefold.gitlab-ci.yml
include:
  - remote: https://raw.githubusercontent.com/threefold-chess/threefold/v{VERSION}/ci/gitlab.yml

threefold:
  extends: .threefold
  variables:
    GIT_DEPTH: \"0\" # the base version is another commit
    THREEFOLD_LABEL: '{LABEL}' # starts the games; without this line each pipeline has them
    THREEFOLD_BUILD: |
{}

# One comment of the merge request, if the variable THREEFOLD_TOKEN has a token with the scope `api`.
threefold-comment:
  extends: .threefold-comment
  needs: [threefold]
  variables:
    THREEFOLD_LABEL: '{LABEL}'
",
        // GitLab expands variables in variables.
        indented(&command.replace('$', "$$"), 6)
    )
}

/// The lines of a command as the lines of a YAML block.
fn indented(command: &str, spaces: usize) -> String {
    let lines: Vec<String> = command.trim().lines().map(|line| format!("{:spaces$}{line}", "")).collect();
    lines.join("\n")
}

/// The lines to add to a `.gitignore` with this text; empty if it has them.
pub fn ignored_lines(present: &str) -> String {
    // `reports`, `/reports` and `reports/` hide the folder as well.
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

    /// CI lints these files.
    #[test]
    fn linted_workflows_are_the_ones_that_are_written() {
        let linted =
            [include_str!("../../ci/examples/init.yml"), include_str!("../../ci/examples/init-comment.yml")];
        let written = CiService::GitHub.files(Some("make"));
        assert_eq!(written.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), linted);
        for service in CiService::ALL {
            let files = service.files(None);
            assert!(files.iter().map(|(path, _)| path).eq(service.paths()), "{service}");
        }
    }

    #[test]
    fn a_command_of_several_lines_is_one_block_of_a_workflow() {
        let command = "make EXE=mine: # native\nstrip $EXE\n";
        let written = |service: CiService| service.files(Some(command)).remove(0).1;
        let github = written(CiService::GitHub);
        assert!(github.contains(
            "        run: |\n          make EXE=mine: # native\n          strip $EXE\n      - uses: "
        ));
        let gitlab = written(CiService::GitLab);
        assert!(
            gitlab.contains(
                "    THREEFOLD_BUILD: |\n      make EXE=mine: # native\n      strip $$EXE\n\n# One"
            )
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
