//! `bundle`: everything that reproduces a case or a game, in a folder.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::exit::Exit;
use crate::input::case_search::{self, FoundCase};
use crate::{files, streams};
use threefold_player::output_file::{self, IfThere};
use threefold_player::{EngineSpec, SpecKey};
use threefold_report::bundle::{BundleFile, BundledCase, BundledGame};
use threefold_report::fault_of_game;
use threefold_run::job::JobKey;
use threefold_run::run_record::PartResult;
use threefold_run::{RunRecord, Task};

/// `threefold bundle`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold bundle runs/suite-1.sqlite repetition/only-win-repeats.KNPK.001 --out case\n  \
    sh case/reproduce.sh    # runs the case again\n  threefold bundle runs/match-1.sqlite 'game 12' --out game-12"
)]
pub struct BundleArgs {
    /// Journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Case: its id, or SUITE/ID; or a game: `game N`, or `PART/game N`
    #[arg(value_name = "CASE|GAME")]
    pub case: String,
    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}

/// Writes the bundle. A case that several engines have gets a folder for each part of the run.
pub fn run(args: &BundleArgs) -> anyhow::Result<Exit> {
    let run = RunRecord::read(&args.run)?;
    let bundles: Vec<(String, Vec<BundleFile>)> = match game_number(&run, &args.case) {
        Some((part, number)) => vec![(part.clone(), game(&run, &part, number)?)],
        None => cases(&run, &args.case)?,
    };
    let is_several = bundles.len() > 1;
    for (part, files) in bundles {
        let folder =
            if is_several { args.out.join(part.replace(['/', '\\', ' '], "-")) } else { args.out.clone() };
        write(&folder, &files, args.force)?;
    }
    Ok(Exit::Fine)
}

fn write(folder: &Path, files: &[BundleFile], force: bool) -> anyhow::Result<()> {
    // All files are checked before the first is written, so a refusal leaves no part of a bundle.
    for file in files {
        output_file::check(&folder.join(&file.name), IfThere::forced(force))?;
    }
    for file in files {
        let path = folder.join(&file.name);
        files::write_whole(&path, file.text.as_bytes())?;
        streams::result(&path.display().to_string())?;
    }
    Ok(())
}

fn cases(run: &RunRecord, name: &str) -> anyhow::Result<Vec<(String, Vec<BundleFile>)>> {
    let mut bundles = Vec::new();
    for FoundCase { part, info, result } in case_search::in_run(run, name)? {
        let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else {
            unreachable!("cases are of suites")
        };
        let Some((index, case)) = result else { continue };
        let ran = BundledCase {
            run: run.spec(),
            suite,
            task,
            info,
            verdict: &case.verdict,
            builds: part.builds[index],
            traffic: part.traffic[index],
        };
        bundles.push((part.part.name.clone(), ran.files()?));
    }
    anyhow::ensure!(
        !bundles.is_empty(),
        "case `{name}` has not run yet; `threefold resume` continues the run"
    );
    Ok(bundles)
}

/// The part and the number of `game N` or `PART/game N`. Without a part, it is the first match of the run.
fn game_number(run: &RunRecord, name: &str) -> Option<(String, usize)> {
    let (part, game) = name.rsplit_once('/').map_or((None, name), |(part, game)| (Some(part), game));
    let number: usize = game.strip_prefix("game ")?.trim().parse().ok()?;
    let parts = run.parts();
    let mut matches = parts.iter().filter(|found| found.match_task().is_some()).map(|found| &found.part.name);
    let part = match part {
        Some(part) => matches.find(|name| *name == part)?,
        None => matches.next()?,
    };
    Some((part.clone(), number))
}

fn game(run: &RunRecord, part: &str, number: usize) -> anyhow::Result<Vec<BundleFile>> {
    let parts = run.parts();
    let found = parts.iter().position(|found| found.part.name == part);
    let job = found.zip(number.checked_sub(1)).map(|(part, job)| JobKey { part, job });
    let mut game = None;
    run.game_reader().read_some(&|key| Some(key) == job, &mut |found| {
        game = threefold_report::recorded_game(run.spec(), found);
        Ok(())
    })?;
    let missing = || format!("`{part}` has no finished game {number}");
    let (game, key) = game.zip(job).with_context(missing)?;
    let JobKey { part: index, job } = key;
    let record: &PartResult<'_> = &parts[index];
    let mut task = record.match_task().expect("it has games").clone();
    let fault = fault_of_game(&game.record).map(|(player, _, what)| format!("{player}: {what}"));
    let mut builds = record.builds.get(job).copied().unwrap_or_default().to_vec();
    for (engine, options) in task.engines.iter_mut().zip(run.game_options(key).0) {
        let played = with_options(engine, &options)?;
        // Builds are found by the text of their engine, which has the options of this game now.
        for build in builds.iter_mut().filter(|build| build.engine == engine.text) {
            build.engine.clone_from(&played.text);
        }
        *engine = played;
    }
    let traffic = record.traffic.get(job).copied().flatten();
    let fixture = task.schedule().game(job).with_context(|| format!("`{part}` has no game {number}"))?;
    let fault = fault.as_deref();
    let (run, task, builds) = (run.spec(), &task, builds.as_slice());
    Ok(BundledGame { run, task, scheduled: fixture, game: &game, fault, builds, traffic }.files()?)
}

/// The engine with other options, as it played a game of a tune.
fn with_options(engine: &EngineSpec, options: &[(String, String)]) -> anyhow::Result<EngineSpec> {
    let settings: Vec<(SpecKey, &str)> =
        options.iter().map(|(name, value)| (name.as_str().into(), value.as_str())).collect();
    Ok(engine.with(&settings)?)
}
