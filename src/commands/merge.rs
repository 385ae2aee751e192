//! `merge`: one run from the journals of all its shards.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::args::RunOptions;
use crate::exit::Exit;
use crate::session::journal_path::JournalPath;
use crate::session::{ChangedEngines, Session, baselines, later_round, origin, owner, report_folder};
use threefold_report::Registry;
use threefold_run::job::{Outputs, RunOrigin};
use threefold_run::merge::Shards;
use threefold_run::{RunRecord, RunSpec};

/// `threefold merge`
#[derive(Debug, Args)]
#[command(after_help = "Example, of two machines:\n  threefold regress --shard 1/2 --out reports/1\n  \
    threefold regress --shard 2/2 --out reports/2\n  \
    threefold merge reports/1/run.sqlite reports/2/run.sqlite\n\n\
    The reports and the exit code are those of `threefold regress` on one machine. If cases are lost, the engine is asked \
    them again here, so that its program must be there.")]
pub struct MergeArgs {
    /// Journals of all shards, in any order
    #[arg(value_name = "RUN.sqlite", required = true)]
    pub shards: Vec<PathBuf>,
    /// Folder for the reports and the journal of the whole run
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Folder of the new baseline, for shards of `threefold regress --accept` [default: `.threefold/baseline`]
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Merge shards whose engine was built separately, with another result
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Start the programs that journals from another machine or user name, if lost cases are asked again
    #[arg(long)]
    pub trust: bool,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// Merges the shards, asks what a run on one machine would ask after its plan, and writes the reports.
pub fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    let file = args.out.join("run.sqlite");
    check_file(&file, &args.shards)?;
    let shards = Shards::read(&args.shards)?;
    if !args.allow_changed_engine {
        shards.check_builds()?;
    }
    let spec = shards.spec().context("there is no shard; give the journals of all shards")?;
    let origin = RunOrigin { environment: shards.environment(), ..origin::origin(&args.run_options) };
    let spec = RunSpec { outputs: outputs(args, &spec)?, origin, ..spec };
    report_folder::check(&spec.outputs, &args.run_options)?;
    let mut session = Session::open(&args.run_options)?;
    let mut journal = JournalPath::Over(&file).begin(&spec, shards.begun()?)?;
    shards.add_to(&mut journal)?;
    args.run_options.inform(&format!("journal: {}", file.display()));
    let run = RunRecord::from_journal(&journal)?;
    // Only then does the command start programs that the journals name.
    if !args.trust && (!run.is_done() || later_round(&run).is_some()) {
        check_owners(&shards)?;
    }
    let changed = if args.allow_changed_engine {
        ChangedEngines::Allowed
    } else {
        ChangedEngines::Refused("build the same program here, or give --allow-changed-engine")
    };
    session.resume(journal, changed)?.finish(&Registry::built_in())
}

/// Where the results go. Paths in the journals of other machines are not used.
fn outputs(args: &MergeArgs, spec: &RunSpec) -> anyhow::Result<Outputs> {
    let is_new_baseline = spec.outputs.baseline.is_some();
    anyhow::ensure!(
        is_new_baseline || args.baseline.is_none(),
        "--baseline: the shards were compared with a baseline; it is for shards of `threefold regress --accept`"
    );
    let baseline = if is_new_baseline { Some(baselines::accepted(args.baseline.as_deref())?) } else { None };
    Ok(Outputs {
        reports: Some(args.out.clone()),
        baseline,
        report_set: spec.outputs.report_set.clone(),
        ..Outputs::default()
    })
}

/// The journal of the whole run replaces an earlier one, but none of the shards.
fn check_file(file: &Path, shards: &[PathBuf]) -> anyhow::Result<()> {
    let is_file = |shard: &&PathBuf| matches!((fs::canonicalize(shard), fs::canonicalize(file)), (Ok(one), Ok(other)) if one == other);
    match shards.iter().find(is_file) {
        None => Ok(()),
        Some(shard) => anyhow::bail!(
            "{}: is one of the shards, and the journal of the whole run would replace it; give another folder with --out",
            shard.display()
        ),
    }
}

/// Refuses to start the programs of runs that this user has not begun on this machine.
fn check_owners(shards: &Shards) -> anyhow::Result<()> {
    for (file, spec) in shards.specs() {
        if let Err(why) = owner::check(spec) {
            anyhow::bail!(
                "{}: {why}; lost cases are asked again, which starts the programs that it names: give --trust if you want that",
                file.display()
            );
        }
    }
    Ok(())
}
