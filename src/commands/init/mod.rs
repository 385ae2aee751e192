//! `init`: sets up an engine's repository for `regress`, and runs it once.

mod first_run;
mod left_out;
mod many_faults;
mod plan_time;

use std::env;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::regress::MESSAGES;
use crate::args::seconds;
use crate::exit::Exit;
use crate::input::by_name::PLAN_FILE;
use crate::input::repository::Repository;
use crate::session::commit_builds;
use crate::setup::build_system::BuildSystem;
use crate::setup::engine_search::{Determinism, EngineSearch, FoundEngine, NodeLimit, SearchLimit};
use crate::setup::files::{self as written, CiService};
use crate::setup::plan_text::{self, BenchUse, LeftOutCases};
use crate::{files, streams};
use threefold_chess::score::Ply;
use threefold_player::EngineSource;
use threefold_suites::kinds::bench::bench_signature;

/// `threefold init`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold init\n  threefold init --engine ./mine --build \"make -C src\" --ci gitlab\n\n\
    Writes threefold.toml, .threefold/baseline, lines in .gitignore, and a workflow of the CI service."
)]
pub struct InitArgs {
    /// Engine [default: the program of this repository that answers `uci`; built first if there is none]
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Command that builds the engine, run in the root of the repository; `{out}` stands for the program to
    /// write [default: from the files of the build system]
    #[arg(long, value_name = "COMMAND")]
    pub build: Option<String>,
    /// CI service of the workflow [default: from the remote `origin` and the files of the repository, else
    /// `github`]
    #[arg(long, value_name = "SERVICE")]
    pub ci: Option<CiService>,
    /// Replace files that exist
    #[arg(long)]
    pub force: bool,
    /// Write the files, but run nothing and write no baseline
    #[arg(long)]
    pub no_run: bool,
    /// Time limit for a search that no clock limits, in seconds, as in `threefold regress` [default: 30 more
    /// than the longest search so far, at most 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub search_timeout: Option<Duration>,
}

/// The files of a new baseline.
const BASELINE: [&str; 3] = [
    ".threefold/baseline/cases.csv",
    ".threefold/baseline/figures.json",
    ".threefold/baseline/environment.json",
];
/// The file that a review adds to a baseline. A new baseline removes it.
const REVIEWED: &str = ".threefold/baseline/accepted.csv";

/// Writes the files of the set-up, runs the plan for the baseline, and says what to do next.
pub fn run(args: &InitArgs) -> anyhow::Result<Exit> {
    let repository = Repository::here().ok();
    let root = root(repository.as_ref())?;
    let service = args.ci.unwrap_or_else(|| service(repository.as_ref(), &root));
    // Before a build that may take minutes.
    check_absent(args, [PLAN_FILE].iter().chain(service.paths()))?;
    if !args.no_run {
        check_absent(args, BASELINE.iter().chain(&[REVIEWED]))?;
    }
    let build = args.build.clone().map_or_else(
        || BuildSystem::of(&root),
        |command| {
            Some(BuildSystem { command, ..BuildSystem::of(&root).unwrap_or_else(BuildSystem::unknown) })
        },
    );
    let search = EngineSearch::new(args.search_timeout);
    let engine = engine(args, &search, &root, build.as_ref())?;
    let name = engine.id.name.clone().unwrap_or_else(|| engine.spec.clone());
    streams::result(&format!("engine: {name} (`{}`)", engine.spec))?;
    let command = build.as_ref().map(|build| build.command.as_str());
    streams::result(&format!("build: {}", command.unwrap_or("unknown; give it with --build")))?;
    match engine.search_limit {
        SearchLimit::Nodes => {}
        SearchLimit::Depth(Ply(depth), NodeLimit::Ignored) => streams::result(&format!(
            "limits: the engine does not keep `go nodes`, so its searches are limited by depth (`go depth {depth}`)"
        ))?,
        SearchLimit::Depth(Ply(depth), NodeLimit::Inexact) => streams::result(&format!(
            "limits: with `go nodes` the engine does not end the same search at the same node twice, so its searches are limited \
             by depth (`go depth {depth}`)"
        ))?,
        SearchLimit::ClockAlone => streams::result(
            "limits: the engine keeps neither `go nodes` nor `go depth`, so the plan has only suites that need no such limit, a clock limits their searches, \
             and dialogues about other limits are skipped",
        )?,
    }
    match &engine.determinism {
        Determinism::InOneProcess => {}
        Determinism::AfterClearHash => streams::result(
            "clear hash: after `ucinewgame` alone the engine does not search as at its start, so `Clear Hash` is pressed for each game",
        )?,
        Determinism::InNewProcesses => streams::result(
            "restart: after `ucinewgame` the engine does not search as at its start, so it is restarted for each game",
        )?,
        Determinism::Never(difference) => streams::result(&format!(
            "restart: the engine does not search the same twice, not even in new processes ({difference}), so the plan has only \
             suites that do not compare searches; let it use one thread, no clock and no random numbers, and run `threefold init \
             --force` again"
        ))?,
    }
    let bench = bench(&search, &engine.spec, repository.as_ref())?;
    let plan = plan_text::plan(without_version(&name), &engine, command, bench);
    // In the job, the engine is built to its place in the repository.
    let job_command = command.map(|command| command.replace("{out}", &program(&engine.spec)));
    write_files(repository.as_ref(), plan, job_command.as_deref(), service)?;
    let exit = if args.no_run { Exit::Fine } else { first_run::run(args)? };
    if exit == Exit::Fine {
        next_steps(args, service)?;
    }
    Ok(exit)
}

/// The name of an engine without its version, which changes while the plan stays: `Stash` of `Stash v37.23`.
fn without_version(name: &str) -> &str {
    let is_version =
        |rest: &str| rest.trim_start_matches(['v', 'V']).starts_with(|first: char| first.is_ascii_digit());
    let version = name.match_indices(' ').find(|(at, _)| is_version(&name[at + 1..]));
    name[..version.map_or(name.len(), |(at, _)| at)].trim_end()
}

/// The program of an engine, as the specification writes it.
fn program(spec: &str) -> String {
    match files::engine(spec, &[]).map(|engine| engine.source) {
        Ok(EngineSource::Command { program, .. }) => program,
        Ok(EngineSource::Echo) | Err(_) => spec.to_owned(),
    }
}

/// The current folder, which must be the root of its repository.
fn root(repository: Option<&Repository>) -> anyhow::Result<PathBuf> {
    let current =
        env::current_dir().context("the current folder can't be read; change to a folder that exists")?;
    if let Some(repository) = repository {
        let is_root = current.canonicalize().ok() == repository.root().canonicalize().ok();
        anyhow::ensure!(
            is_root,
            "the root of this repository is {}; run `threefold init` there",
            repository.root().display()
        );
    } else {
        streams::notice(
            "warning: this folder is in no git repository, so a base version can only be another engine",
        );
    }
    Ok(current)
}

/// The engine given, or the one that is found.
fn engine(
    args: &InitArgs,
    search: &EngineSearch,
    root: &Path,
    build: Option<&BuildSystem>,
) -> anyhow::Result<FoundEngine> {
    if let Some(given) = &args.engine {
        // The entry of a file of engines stands for its text, which the plan has.
        let spec = files::engine(given, &[])?;
        return search.start(&spec.text).with_context(|| format!("engine `{given}`"));
    }
    let mut found = search.in_repository(root, build);
    if found.is_empty()
        && let Some(build) = build
    {
        anyhow::ensure!(
            !build.command.contains("{out}"),
            "`{}` needs the program to write for `{{out}}`; build the engine, and name it with --engine",
            build.command
        );
        streams::notice(&format!("no program here answers `uci`; building: {}", build.command));
        let status = commit_builds::shell(&build.command).current_dir(root).status();
        let status = status.context("can't start a shell for the build")?;
        anyhow::ensure!(
            status.success(),
            "`{}` failed ({status}); give the right command with --build",
            build.command
        );
        found = search.in_repository(root, Some(build));
    }
    match found.len() {
        0 => anyhow::bail!(
            "no program in this folder answers `uci`; build the engine, and name it with --engine ./mine"
        ),
        1 => Ok(found.remove(0)),
        _ => choice(found),
    }
}

/// Asks on a terminal which engine is meant. Elsewhere several engines are an error.
fn choice(mut found: Vec<FoundEngine>) -> anyhow::Result<FoundEngine> {
    let name = |engine: &FoundEngine| engine.id.name.clone().unwrap_or_default();
    let list: Vec<String> = found
        .iter()
        .enumerate()
        .map(|(index, engine)| format!("  {}  {}  {}", index + 1, engine.spec, name(engine)))
        .collect();
    let list = list.join("\n");
    anyhow::ensure!(
        io::stdin().is_terminal() && io::stderr().is_terminal(),
        "several programs answer `uci`; name one with --engine:\n{list}"
    );
    streams::notice(&format!("Several programs answer `uci`. Which is the engine?\n{list}\nNumber [1]:"));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).context("the answer can't be read")?;
    let answer = answer.trim();
    // 0 is no number of the list, so an answer that is no number is refused below.
    let number: usize = if answer.is_empty() { 1 } else { answer.parse().unwrap_or(0) };
    anyhow::ensure!(
        (1..=found.len()).contains(&number),
        "`{answer}` is no number from 1 to {}; name the engine with --engine",
        found.len()
    );
    Ok(found.swap_remove(number - 1))
}

/// The CI service of the remote, or of the files in the repository.
fn service(repository: Option<&Repository>, root: &Path) -> CiService {
    let origin = repository.and_then(Repository::origin).unwrap_or_default();
    let has_gitlab_file = root.join(".gitlab-ci.yml").exists();
    if origin.contains("gitlab") || (has_gitlab_file && !origin.contains("github")) {
        CiService::GitLab
    } else {
        CiService::GitHub
    }
}

/// The use of suite `bench`: commit messages promise its node count, if one has it. `None` if the engine has no
/// benchmark; each run would wait for it again.
fn bench(
    search: &EngineSearch,
    engine: &str,
    repository: Option<&Repository>,
) -> anyhow::Result<Option<BenchUse>> {
    if let Some(why) = search.lack_of_bench(engine).with_context(|| format!("engine `{engine}`"))? {
        streams::result(&format!("bench: not supported, so the plan is without that suite ({why})"))?;
        return Ok(None);
    }
    // In a repository without a commit `git log` fails.
    let messages = repository.and_then(|repository| repository.messages(MESSAGES).ok()).unwrap_or_default();
    if messages.iter().any(|commit| bench_signature(&commit.message).is_some()) {
        return Ok(Some(BenchUse::Promised));
    }
    streams::result(&format!(
        "bench: none of the last {MESSAGES} commit messages has a count such as `Bench: 2345678`, so its count is shown and decides \
         nothing"
    ))?;
    Ok(Some(BenchUse::Shown))
}

/// Refuses to replace these files, unless --force is given.
fn check_absent<'f>(args: &InitArgs, files: impl Iterator<Item = &'f &'f str>) -> anyhow::Result<()> {
    for file in files {
        anyhow::ensure!(
            args.force || !Path::new(file).exists(),
            "{file}: exists already; give --force to replace it"
        );
    }
    Ok(())
}

fn write_files(
    repository: Option<&Repository>,
    plan: String,
    build: Option<&str>,
    service: CiService,
) -> anyhow::Result<()> {
    let mut planned = vec![(Path::new(PLAN_FILE), plan)];
    planned.extend(service.files(build).into_iter().map(|(path, text)| (Path::new(path), text)));
    let ignore = Path::new(".gitignore");
    let present = files::text_if_there(ignore)?.unwrap_or_default();
    // A rule such as `*.json` would leave half of the baseline out of the commit.
    let committed: Vec<&str> =
        BASELINE.into_iter().chain([PLAN_FILE]).chain(service.paths().iter().copied()).collect();
    let hidden = repository.map(|repository| repository.ignored(&committed)).unwrap_or_default();
    let missing = written::ignored_lines(&present) + &written::shown_lines(&hidden);
    if !missing.is_empty() {
        planned.push((ignore, present + &missing));
    }
    for (file, text) in planned {
        files::write_whole(file, text.as_bytes())?;
        streams::result(&format!("wrote {}", file.display()))?;
    }
    Ok(())
}

fn next_steps(args: &InitArgs, service: CiService) -> anyhow::Result<()> {
    let baseline = (!args.no_run).then_some(".threefold/baseline");
    let files: Vec<&str> = [PLAN_FILE]
        .into_iter()
        .chain(baseline)
        .chain([".gitignore"])
        .chain(service.paths().iter().copied())
        .collect();
    streams::result(&format!(
        "\nCommit the set-up, and compare each later build with the baseline:\n  git add {}\n  threefold regress",
        files.join(" ")
    ))?;
    if service == CiService::GitLab {
        let files = service.paths().join(", ");
        streams::result(&format!("Add to .gitlab-ci.yml:\n  include: {files}"))?;
    }
    Ok(())
}

/// A line for each case.
fn listed(cases: &LeftOutCases) -> String {
    let lines: Vec<String> =
        cases.iter().map(|((suite, id), fault)| format!("  {suite} {id}: {fault}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_of_a_plan_has_no_version() {
        for (name, title) in [
            ("Stash v37.23", "Stash"),
            ("Ethereal 12.02 (AVX2)", "Ethereal"),
            ("Stockfish dev-20260101-nogit", "Stockfish dev-20260101-nogit"),
            ("4ku 5.0", "4ku"),
            ("4ku", "4ku"),
            ("Very Good Engine", "Very Good Engine"),
            ("", ""),
        ] {
            assert_eq!(without_version(name), title);
        }
    }
}
