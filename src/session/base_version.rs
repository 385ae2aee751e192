//! The base version of the engine under test: a commit that is built, or another engine.
//!
//! A commit is checked out and built once, in `.threefold/cache/COMMIT` of the repository. The program runs
//! there, so that the files next to it, such as networks, are those of its version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

use crate::input::repository::Repository;
use crate::machine::processor;
use crate::{files, streams};
use threefold_player::spec::HarnessKey;
use threefold_player::{EngineSource, EngineSpec};
use threefold_run::regress::{BaseOptions, BaseReference, RegressionPlan};

/// The folder of built commits, relative to the root of the repository.
const CACHE: &str = ".threefold/cache";

/// The number of digits that name a commit in reports.
const SHORT: usize = 8;

/// The number of lines of a failed build that are printed.
const LAST_LINES: usize = 20;

/// The base version for the test of a plan; `None`, with a notice, if the test is left out.
pub fn resolve(
    given: Option<BaseReference>,
    plan: &RegressionPlan,
    engine: &EngineSpec,
    options: Option<BaseOptions>,
) -> anyhow::Result<Option<EngineSpec>> {
    if !plan.has_base_test() {
        anyhow::ensure!(
            given.is_none(),
            "the plan does not test the engine against a base version; add [base] with a time control and the bounds of \
             an SPRT, such as tc = \"1+0.01\", elo0 = -10, elo1 = 0, budget = \"20m\""
        );
        return Ok(None);
    }
    let Some(reference) = given.map_or_else(|| plan.base(), |given| Ok(Some(given)))? else {
        streams::notice(
            "no base version: the engine plays no games against one; name it with --base-commit REVISION or --base-engine SPEC",
        );
        return Ok(None);
    };
    match reference {
        BaseReference::Engine(base) => {
            let base = own_name(*base, engine, "base")?;
            let options = options.map_or_else(|| plan.base_options(), Ok)?;
            Ok(Some(if options == BaseOptions::Own { base } else { with_options(&base, engine)? }))
        }
        BaseReference::Commit(revision) => commit(&revision, plan.build(), engine),
    }
}

/// The engine at a commit, built if that has not been done.
fn commit(revision: &str, build: Option<&str>, engine: &EngineSpec) -> anyhow::Result<Option<EngineSpec>> {
    let EngineSource::Command { program: path, dir, .. } = &engine.source else {
        anyhow::bail!(
            "the base version of Echo can't be built from a commit; name an engine with --base-engine"
        );
    };
    let build = build.with_context(|| {
        format!(
            "the plan does not say how commit `{revision}` is built; add build = \"make\" (`{{out}}` stands for the \
             program to write)"
        )
    })?;
    let repository = Repository::here()?;
    let hash = repository.commit(revision)?;
    let short = &hash[..SHORT.min(hash.len())];
    if repository.is_checked_out(&hash) {
        streams::notice(&format!(
            "the base version {short} (`{revision}`) is what is checked out: there is nothing to compare, so no games are played"
        ));
        return Ok(None);
    }
    let folder = repository.root().join(CACHE).join(&hash);
    let out = folder.join(".threefold-engine");
    let program = if build.contains("{out}") { out.clone() } else { folder.join(inside(&repository, path)?) };
    if !is_built(&folder, build) || !program.exists() {
        check_out_and_build(
            &repository,
            &hash,
            &folder,
            &build.replace("{out}", &out.display().to_string()),
        )?;
        anyhow::ensure!(
            program.exists(),
            "the build of the base version {short} wrote no {}; `build` must write the program that `engine` names, or \
             to `{{out}}`",
            program.display()
        );
        files::write_whole(&marker(&folder), origin(build).as_bytes())?;
    }
    let dir = dir.as_ref().filter(|dir| dir.is_relative()).map(|dir| folder.join(dir));
    let base = with_program(engine, &program, dir.as_deref())?;
    Ok(Some(own_name(base, engine, &format!("base {short}"))?))
}

/// The file that says by which command, and for which processor, a worktree was built.
fn marker(folder: &Path) -> PathBuf {
    folder.join(".threefold-build")
}

/// The text of that file. A CI service may restore the folder on another machine, where a program built with
/// `-march=native` does not run.
fn origin(build: &str) -> String {
    format!("{build}\n{}\n", processor::model())
}

fn is_built(folder: &Path, build: &str) -> bool {
    files::text_if_there(&marker(folder)).is_ok_and(|text| text == Some(origin(build)))
}

/// The path of a program from the root of its repository.
fn inside(repository: &Repository, program: &str) -> anyhow::Result<PathBuf> {
    let found = Path::new(program).canonicalize();
    let root = repository.root().canonicalize();
    let relative =
        found.ok().zip(root.ok()).and_then(|(found, root)| Some(found.strip_prefix(root).ok()?.to_owned()));
    relative.with_context(|| {
        format!(
            "`{program}` is not a file inside the repository, so the program of another commit can't be found; let `build` \
             write to `{{out}}`"
        )
    })
}

fn check_out_and_build(
    repository: &Repository,
    hash: &str,
    folder: &Path,
    command: &str,
) -> anyhow::Result<()> {
    repository.remove_worktree(folder)?;
    let cache = repository.root().join(CACHE);
    // Git does not report the folder as untracked.
    files::write_whole(&cache.join(".gitignore"), b"*\n")?;
    repository.add_worktree(folder, hash)?;
    let log = cache.join(format!("{hash}.log"));
    let short = &hash[..SHORT.min(hash.len())];
    streams::notice(&format!(
        "building the base version {short}: {command}; its output is in {}",
        log.display()
    ));
    let output = fs::File::create(&log).with_context(|| format!("{}: can't be written", log.display()))?;
    let also = output.try_clone().with_context(|| format!("{}: can't be written", log.display()))?;
    let status = shell(command)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(also)
        .status()
        .context("can't start a shell for `build`")?;
    if status.success() {
        return Ok(());
    }
    let text = files::bytes(&log)?;
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n  ");
    anyhow::bail!(
        "the base version can't be built ({status}): `{command}` in {}; its output is in {}. The last lines:\n  {last}",
        folder.display(),
        log.display()
    )
}

/// A command line for the shell of the system.
pub fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.arg(option).arg(command);
    shell
}

/// The same engine with another program.
fn with_program(engine: &EngineSpec, program: &Path, dir: Option<&Path>) -> anyhow::Result<EngineSpec> {
    let program =
        program.to_str().with_context(|| format!("{}: its name is not UTF-8", program.display()))?;
    let moved = engine.with_program(program)?;
    let Some(dir) = dir else { return Ok(moved) };
    let dir = dir.to_str().with_context(|| format!("{}: its name is not UTF-8", dir.display()))?;
    Ok(moved.with(&[(HarnessKey::Dir, dir)])?)
}

/// A base version that is another engine, under the same UCI options: with other ones, the games would
/// compare the options.
fn with_options(base: &EngineSpec, engine: &EngineSpec) -> anyhow::Result<EngineSpec> {
    let (base, names) = base.with_options_of(engine)?;
    if !names.is_empty() {
        streams::notice(&format!(
            "{} gets {} from {}; give it values of its own in its SPEC, or --base-options own",
            base.name,
            names.join(", "),
            engine.name
        ));
    }
    Ok(base)
}

/// Two engines of a test need two names.
fn own_name(base: EngineSpec, engine: &EngineSpec, name: &str) -> anyhow::Result<EngineSpec> {
    let is_taken = base.name == engine.name || base.setting(&HarnessKey::Name.into()).is_none();
    if is_taken { Ok(base.with(&[(HarnessKey::Name, name)])?) } else { Ok(base) }
}
