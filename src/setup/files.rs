//! The files that `init` writes: the plan, the lines of `.gitignore`, and the workflow of a CI service.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::setup::engine_search::{FoundEngine, SearchLimit};
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

/// What a plan does with the node count of `ENGINE bench`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchUse {
    /// Commit messages promise it.
    Promised,
    /// It is shown beside that of the baseline.
    Shown,
}

/// The plan; without suite `bench` if the engine has no benchmark.
pub fn plan(title: &str, engine: &FoundEngine, build: Option<&str>, bench: Option<BenchUse>) -> String {
    let mut text = format!(
        "# The regression test of this engine: `threefold regress` runs it and compares it with .threefold/baseline.
# `threefold regress --accept` renews the baseline. `threefold suite --list` lists the suites.
version = 1
title = {}
seed = 1
engine = {}
",
        quoted(title),
        quoted(&engine.spec)
    );
    match build {
        Some(build) => {
            let _ = writeln!(text, "build = {}", quoted(build));
        }
        None => {
            text.push_str("# build = \"make\"    # builds the base version, in the root of its worktree\n");
        }
    }
    if bench == Some(BenchUse::Promised) {
        text.push_str(
            "bench = \"commit\"    # the node count of `ENGINE bench` is `Bench: N` of the commit messages\n",
        );
    }
    let is_left_out = |suite: &str| {
        let lacks_bench = suite == "bench" && bench.is_none();
        lacks_bench || engine.search_limit == SearchLimit::ClockAlone && !WITHOUT_LIMIT.contains(&suite)
    };
    let left_out = suite_names().filter(|suite| is_left_out(suite));
    text.push_str(
        &left_out.fold(SUITES.to_owned(), |plan, suite| without_suite(&plan, suite).unwrap_or(plan)),
    );
    text.push_str(match engine.search_limit {
        SearchLimit::Nodes => "",
        SearchLimit::Depth => {
            "\n# The engine ignores `go nodes`, so only a depth gives the same search twice.\n[limits]\ndepth = 8\n"
        }
        SearchLimit::ClockAlone => {
            "\n# The engine ignores `go nodes` and `go depth`. Once it keeps one of them, `threefold init --force` adds the other suites.\n"
        }
    });
    text
}

/// The built-in plan for any engine, with names of built-in files.
const SUITES: &str = include_str!("plan_suites.toml");

/// The suites of the plan whose results do not depend on a node or depth limit.
const WITHOUT_LIMIT: [&str; 6] = ["bench", "perft", "compliance", "clock", "smoke", "time-control"];

/// The names of the built-in suites of the plan.
fn suite_names() -> impl Iterator<Item = &'static str> {
    SUITES.lines().filter_map(|line| line.trim().strip_prefix("\"builtin:")?.strip_suffix("\","))
}

/// Cases by suite and id, each with the name of its engine fault.
pub type LeftOutCases = BTreeMap<(String, String), &'static str>;

/// The table of the plan with these cases.
pub fn left_out(cases: &LeftOutCases) -> String {
    let mut text = String::from(
        "\n# Cases that the engine could not answer in the first run. Remove them once it is fixed.\n[left-out]\n",
    );
    let cases: Vec<_> = cases.iter().collect();
    for suite in cases.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
        let ((name, _), _) = suite[0];
        let _ = writeln!(text, "{name} = [");
        for ((_, id), fault) in suite {
            let _ = writeln!(text, "    {},    # {fault}", quoted(id));
        }
        text.push_str("]\n");
    }
    text
}

/// A plan without this built-in suite; `None` if it does not have it.
pub fn without_suite(plan: &str, name: &str) -> Option<String> {
    let [in_list, per_class] = [format!("\"builtin:{name}\","), format!("{name} = ")];
    let is_of_suite = |line: &&str| line.trim() == in_list || line.starts_with(&per_class);
    let kept: String = plan.split_inclusive('\n').filter(|line| !is_of_suite(line)).collect();
    plan.contains(&in_list).then_some(kept)
}

/// A plan with `restart=on` for its engine; `None` if it has that already.
pub fn with_restart(plan: &str) -> Option<String> {
    let spec = plan.parse::<toml::Table>().ok()?.get("engine")?.as_str()?.to_owned();
    let restarted = format!("engine = {}", quoted(&format!("{spec},restart=on")));
    let has_restart = spec.split(',').any(|key| key.starts_with("restart="));
    let line = plan.lines().find(|line| line.starts_with("engine = "))?;
    (!has_restart).then(|| plan.replacen(line, &restarted, 1))
}

/// A text as TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
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
    use crate::setup::engine_search::Determinism;
    use threefold_player::EngineId;
    use threefold_run::regress::{BenchSource, RegressionPlan};
    use threefold_suites::SourceFile;

    #[test]
    fn restart_is_added_to_the_engine_of_a_plan_once() {
        let plan = "version = 1\nengine = \"./my engine,Hash=16\"\n# engine\n";
        let restarted = with_restart(plan).expect("it has none");
        assert_eq!(restarted, plan.replace("Hash=16", "Hash=16,restart=on"));
        assert_eq!(with_restart(&restarted), None);
        assert_eq!(with_restart("version = 1\n"), None);
    }

    #[test]
    fn suite_leaves_a_plan_with_its_number_of_cases() {
        let plan =
            "suites = [\n    \"builtin:mate\",\n    \"builtin:rule\",\n]\n[per-class]\nmate = 4\nrule = 2\n";
        let without = "suites = [\n    \"builtin:rule\",\n]\n[per-class]\nrule = 2\n";
        assert_eq!(without_suite(plan, "mate").as_deref(), Some(without));
        assert_eq!(without_suite(without, "mate"), None);
    }

    #[test]
    fn the_plan_that_is_written_is_read_back() {
        for build in [None, Some("make -C src EXE={out} && echo \"x\"")] {
            let bench = build.map(|_| BenchUse::Promised);
            let engine = FoundEngine {
                spec: "./my engine,Hash=16".to_owned(),
                id: EngineId::default(),
                search_limit: if build.is_some() { SearchLimit::Nodes } else { SearchLimit::Depth },
                determinism: Determinism::InOneProcess,
            };
            let text = plan("My \"engine\"", &engine, build, bench);
            assert_eq!(text.contains("[limits]\ndepth = "), build.is_none());
            let read = RegressionPlan::parse(SourceFile { file: "threefold.toml".to_owned(), text });
            let read = read.expect("a sound plan");
            assert_eq!(read.engine().expect("an engine").text, "./my engine,Hash=16");
            assert_eq!((read.build(), read.has_base_test()), (build, true));
            assert_eq!(read.bench(), Ok(bench.map(|_| BenchSource::Commit)));
            assert_eq!(read.suites().contains(&"builtin:bench".to_owned()), bench.is_some());
            assert!(read.suites().iter().all(|suite| suite.starts_with("builtin:")), "{:?}", read.suites());
        }
    }

    #[test]
    fn engine_without_node_and_depth_limits_gets_the_suites_that_need_none() {
        let engine = FoundEngine {
            spec: "./mine".to_owned(),
            id: EngineId::default(),
            search_limit: SearchLimit::ClockAlone,
            determinism: Determinism::InOneProcess,
        };
        let text = plan("Mine", &engine, None, None);
        let read = RegressionPlan::parse(SourceFile { file: "threefold.toml".to_owned(), text });
        let read = read.expect("a sound plan");
        let expected = WITHOUT_LIMIT.iter().filter(|suite| **suite != "bench");
        let mut expected: Vec<String> = expected.map(|suite| format!("builtin:{suite}")).collect();
        expected.sort();
        let mut suites = read.suites().clone();
        suites.sort();
        assert_eq!(suites, expected);
    }

    #[test]
    fn left_out_cases_are_read_back() {
        let names = [("compliance", "stop"), ("compliance", "quit \"now\""), ("rule", "r1")];
        let cases = names.map(|(suite, id)| ((suite.to_owned(), id.to_owned()), "crash"));
        let text = left_out(&cases.into());
        let table: toml::Table = text.parse().expect("sound TOML");
        let suites = table["left-out"].as_table().expect("a table");
        assert_eq!(suites["compliance"], toml::Value::from(vec!["quit \"now\"", "stop"]));
        assert_eq!(suites["rule"], toml::Value::from(vec!["r1"]));
    }

    /// `regress --engine ./mine` without a plan runs what `init` would write.
    #[test]
    fn built_in_plan_for_engines_has_the_same_suites() {
        let read = |text: &str| -> toml::Table { text.parse().expect("sound TOML") };
        let [written, built_in] = [SUITES, include_str!("../../suites/engine.toml")].map(read);
        let names = |suites: &toml::Value| -> Vec<String> {
            let names = suites.as_array().expect("a list").iter().filter_map(toml::Value::as_str);
            names
                .map(|name| name.trim_start_matches("builtin:").trim_end_matches(".toml").to_owned())
                .collect()
        };
        assert_eq!(names(&written["suites"]), names(&built_in["suites"]));
        assert_eq!(written["per-class"], built_in["per-class"]);
    }

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
