//! `suite`: runs suites of test positions on engines.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, value_parser};

use crate::args::{CaseChoice, RunOptions, engine_help, from_one};
use crate::commands::suite_cases::SuiteCases;
use crate::commands::suite_catalog;
use crate::exit::Exit;
use crate::files;
use crate::input::bad_lines;
use crate::input::built_in::Category;
use crate::input::by_name;
use crate::input::last_run::LastRun;
use crate::output::mate_files;
use crate::session::Session;
use crate::session::journal_path::JournalPath;
use threefold_chess::clock::{Clocks, Limits};
use threefold_chess::score::Ply;
use threefold_oracle::syzygy::Syzygy;
use threefold_player::EngineSpec;
use threefold_player::output_file::IfThere;
use threefold_report::Registry;
use threefold_run::job::{Outputs, ReportSetName};
use threefold_run::{FaultBudget, FaultLimit, Part, RunSpec, SuiteTask, Task};
use threefold_suites::kinds::mate;
use threefold_suites::{Kind, SourceFile, Suite, SuiteSource};

/// `threefold suite`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold suite repetition mate --engine echo --engine stockfish\n  \
    threefold suite policy --engine ./mine    # which repetitions does it score as draws?\n  \
    threefold suite my.toml --engine ./mine\n  \
    threefold suite mate rule -k 'fifty or m1' --engine ./mine\n  \
    threefold suite --last-failed --engine ./mine\n  threefold suite --list\n  \
    threefold suite --positions my.csv --kind repetition --engine ./mine --nodes 20000 --json")]
pub struct SuiteArgs {
    /// Suites: files, or names of built-in suites. An existing file takes precedence; `builtin:NAME` is
    /// always built in
    #[arg(value_name = "SUITE", required_unless_present_any = ["positions", "list", "export", "last_failed"])]
    pub suites: Vec<PathBuf>,
    /// Engine to test; may be repeated
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required_unless_present_any = ["list", "export"],
        long_help = engine_help("Engine to test; may be repeated")
    )]
    pub engines: Vec<String>,
    /// List the built-in suites, plans, positions and openings
    #[arg(long, exclusive = true)]
    pub list: bool,
    /// Write all built-in suites, plans and position files to this folder; --force replaces existing files
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = [
            "suites", "engines", "positions", "case", "filter", "last_failed", "only_new", "stop_after",
        ]
    )]
    pub export: Option<PathBuf>,
    /// Position file to use without a suite file, or the name of a built-in one
    #[arg(long, value_name = "FILE|NAME", requires = "kind")]
    pub positions: Option<PathBuf>,
    /// Suite kind of --positions
    #[arg(long, value_name = "KIND", requires = "positions")]
    pub kind: Option<String>,
    /// Leave out the lines of position files that can't be read, and print them with their number
    #[arg(long)]
    pub skip_bad_lines: bool,
    /// Node limit of each search, instead of the suite's limits; with several values, the suite runs once for
    /// each
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = from_one::<u64>)]
    pub nodes: Vec<u64>,
    /// Depth limit of each search, in plies
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
    /// Time limit of each search, in milliseconds
    #[arg(long, value_name = "MS", value_parser = from_one::<u64>)]
    pub movetime: Option<u64>,
    /// Clock of both sides in each search, such as 3+0.01 (seconds + increment); for kinds of single searches,
    /// and for dialogues that need no other limit
    #[arg(long, value_name = "TC", conflicts_with = "movetime")]
    pub tc: Option<Clocks>,
    /// Tolerance for a reply after the end of --movetime or --tc, in milliseconds [default: the suite's, or
    /// 100]
    #[arg(long, value_name = "MS")]
    pub timemargin: Option<u64>,
    /// Which of the suites' cases run
    #[command(flatten)]
    pub choice: CaseChoice,
    /// Check tablebase scores of suites of kind `mate` with these Syzygy tables, and set the engines'
    /// `SyzygyPath`
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Positions after one move with their mates: check the lines of `MultiPV` in suites of kind `mate`; may
    /// be repeated
    #[arg(long, value_name = "FILE")]
    pub child_values: Vec<PathBuf>,
    /// Setting of the suites' kind, in addition to `[settings]`; may be repeated
    #[arg(long = "setting", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Write the positions with a found mate to this file, for one suite of kind `mate` and one engine
    #[arg(long, value_name = "FILE")]
    pub found_mates: Option<PathBuf>,
    /// Write the positions without a found mate to this file
    #[arg(long, value_name = "FILE")]
    pub missed_mates: Option<PathBuf>,
    /// Run only N cases of each class, evenly spread
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub per_class: Option<NonZeroUsize>,
    /// Maximum number of engine faults in a suite, or share of its cases such as 2%; more stop the run with
    /// exit code 3
    #[arg(long, value_name = "N|N%", default_value = "0")]
    pub max_faults: FaultLimit,
    /// Setting for every engine: a SPEC key or a UCI option; may be repeated
    #[arg(long = "each", value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Write the reports to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print one JSON object for each case, a line each
    #[arg(long)]
    pub json: bool,
    /// Journal file of the run [default: runs/suite-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// Runs every suite on every engine, or lists the built-in suites.
pub fn run(args: &SuiteArgs) -> anyhow::Result<Exit> {
    if args.list {
        return suite_catalog::list();
    }
    if let Some(folder) = &args.export {
        return suite_catalog::export(folder, args.run_options.force);
    }
    let Some(spec) = spec(args)? else { return Ok(Exit::Fine) };
    let path = JournalPath::of(args.run.as_ref(), "suite");
    Session::open(&args.run_options)?.run(spec, &path)?.finish(&Registry::built_in())
}

/// The run; `None` if there is no case to run.
fn spec(args: &SuiteArgs) -> anyhow::Result<Option<RunSpec>> {
    let limits = limits(args);
    let syzygy = args.syzygy.as_deref().map(syzygy_folder).transpose()?;
    let syzygy_path = syzygy.map(|folder| format!("SyzygyPath={folder}"));
    let each: Vec<String> = args.each.iter().cloned().chain(syzygy_path).collect();
    let engines = files::engines(&args.engines, &each)?;
    let named = named_suites(args, &limits.first().copied().flatten().unwrap_or_default())?;
    let last = args.choice.last_failed.then(|| LastRun::find(&named, &engines)).transpose()?;
    let sources = match &last {
        Some(last) if named.is_empty() => last.sources(),
        _ => named,
    };
    let sources = with_settings(args, syzygy, sources)?;
    let Some(cases) = SuiteCases::choose(&args.choice, sources, last, &engines, &args.run_options)? else {
        return Ok(None);
    };
    let parts = parts(args, &cases, &engines, &limits)?;
    let titles: Vec<String> = cases.sources.iter().map(SuiteSource::name).collect();
    let outputs = Outputs {
        reports: args.out.clone(),
        found_mates: args.found_mates.clone(),
        missed_mates: args.missed_mates.clone(),
        report_set: if args.json { ReportSetName::CASES } else { ReportSetName::SUMMARY }.into(),
        ..Outputs::default()
    };
    mate_files::check(&outputs, &parts, IfThere::forced(args.run_options.force))?;
    Ok(Some(RunSpec {
        title: titles.join(", "),
        outputs,
        parts,
        max_faults: Some(FaultBudget::uniform(args.max_faults)),
        stop_after: args.choice.stop_after,
        ..RunSpec::default()
    }))
}

/// A part for each suite, engine and limit.
fn parts(
    args: &SuiteArgs,
    cases: &SuiteCases,
    engines: &[EngineSpec],
    limits: &[Option<Limits>],
) -> anyhow::Result<Vec<Part>> {
    let several = (limits.len() > 1).then_some(());
    let mut parts = Vec::new();
    for source in &cases.sources {
        for engine in engines {
            let Some(source) = cases.for_engine(source, engine)? else { continue };
            for &limits in limits {
                let name = name(&source, (engines.len() > 1).then_some(engine), several.and(limits));
                let task = SuiteTask {
                    limits: limits.map(Box::new),
                    timemargin: args.timemargin.map(Duration::from_millis),
                    per_class: args.per_class,
                    ..SuiteTask::new(engine.clone(), source.clone())
                };
                parts.push(Part::without_labels(name, Task::Suite(task)));
            }
        }
    }
    Ok(parts)
}

/// The suites of the command line. A file of positions alone has the limits of the command line.
fn named_suites(args: &SuiteArgs, limits: &Limits) -> anyhow::Result<Vec<SuiteSource>> {
    let mut sources: Vec<SuiteSource> =
        args.suites.iter().map(|path| by_name::suite(path)).collect::<anyhow::Result<_>>()?;
    if let (Some(file), Some(kind)) = (&args.positions, &args.kind) {
        let kind = Kind::named(kind)
            .with_context(|| format!("--kind `{kind}` is not known; use one of {}", Kind::names()))?;
        sources.push(SuiteSource::from_positions(
            kind,
            by_name::source_file(file, Category::Positions)?,
            limits,
        ));
    }
    if args.skip_bad_lines {
        sources = sources.into_iter().map(bad_lines::left_out).collect::<anyhow::Result<_>>()?;
    }
    Ok(sources)
}

/// The suites with the settings of the command line.
fn with_settings(
    args: &SuiteArgs,
    syzygy: Option<&str>,
    mut sources: Vec<SuiteSource>,
) -> anyhow::Result<Vec<SuiteSource>> {
    for given in &args.settings {
        let (key, value) = setting(given)?;
        anyhow::ensure!(key != "child_values", "--setting child_values: use --child-values FILE");
        sources = with_setting(sources, key, &value, &format!("--setting {key}"))?;
        // Read after each setting, so that the error names the one that is wrong.
        sources.iter().try_for_each(|source| {
            Suite::read(source).map(drop).with_context(|| format!("--setting {given}"))
        })?;
    }
    if !args.child_values.is_empty() {
        let files = args.child_values.iter().map(|file| by_name::source_file(file, Category::Positions));
        let files: Vec<SourceFile> = files.collect::<anyhow::Result<_>>()?;
        only_mates(&sources, "--child-values")?;
        for source in &sources {
            anyhow::ensure!(
                setting_of(source, "child_values")?.is_none(),
                "{}",
                set_already(source, "--child-values")
            );
        }
        sources = sources.into_iter().map(|source| source.with_child_values(files.clone())).collect();
    }
    if let Some(folder) = syzygy {
        only_mates(&sources, "--syzygy")?;
        sources = with_setting(sources, "syzygy", &folder.into(), "--syzygy")?;
    }
    Ok(sources)
}

/// The folder of Syzygy tables as text, which engines get.
fn syzygy_folder(folder: &Path) -> anyhow::Result<&str> {
    Syzygy::open(folder)?;
    folder.to_str().context("--syzygy: the path is not UTF-8 text; rename the folder")
}

/// Checks that an option which only kind `mate` has meets no other suite.
fn only_mates(sources: &[SuiteSource], option: &str) -> anyhow::Result<()> {
    let kinds = sources.iter().map(SuiteSource::kind_name).collect::<Result<Vec<_>, _>>()?;
    anyhow::ensure!(
        kinds.iter().all(|kind| kind == mate::KIND.name),
        "{option} is for suites of kind `mate`; run the others separately"
    );
    Ok(())
}

/// Key and value of `--setting KEY=VALUE`. A value that is not TOML is a text.
fn setting(given: &str) -> anyhow::Result<(&str, toml::Value)> {
    let is_key = |key: &str| !key.is_empty() && key.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let (key, value) = given
        .split_once('=')
        .map(|(key, value)| (key.trim(), value.trim()))
        .filter(|(key, value)| is_key(key) && !value.is_empty())
        .with_context(|| {
            format!("--setting `{given}` can't be read; give KEY=VALUE, such as `longest_distance=5`")
        })?;
    let table: Option<toml::Table> = toml::from_str(&format!("value = {value}")).ok();
    // A value with a line break could add other keys.
    let read = table.filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
    Ok((key, read.unwrap_or_else(|| value.into())))
}

/// The suites with one more setting. A suite of an earlier run may have it already.
fn with_setting(
    sources: Vec<SuiteSource>,
    key: &str,
    value: &toml::Value,
    option: &str,
) -> anyhow::Result<Vec<SuiteSource>> {
    let with = |source: SuiteSource| match setting_of(&source, key)? {
        None => Ok(source.with_setting(key, value.clone())),
        Some(same) if same == *value => Ok(source),
        Some(_) => anyhow::bail!("{}", set_already(&source, option)),
    };
    sources.into_iter().map(with).collect()
}

/// A setting of the suite file.
fn setting_of(source: &SuiteSource, key: &str) -> anyhow::Result<Option<toml::Value>> {
    let file: toml::Table = source.suite_file.toml("give a suite file")?;
    Ok(file.get("settings").and_then(|settings| settings.get(key)).cloned())
}

fn set_already(source: &SuiteSource, option: &str) -> String {
    let name = &source.suite_file.file;
    format!("{option}: {name} sets it already; change it there, or in a copy of the file")
}

/// The name of a part: the suite, and engine and limit if there are several.
fn name(source: &SuiteSource, engine: Option<&EngineSpec>, limits: Option<Limits>) -> String {
    let engine = engine.map(|engine| engine.name.clone());
    let nodes = limits.and_then(|limits| limits.nodes).map(|nodes| nodes.to_string());
    [Some(source.name()), engine, nodes].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The limits to run each suite under; `None` means the suite's own.
fn limits(args: &SuiteArgs) -> Vec<Option<Limits>> {
    let limits = |nodes: Option<u64>| Limits {
        nodes,
        depth: args.depth.map(Ply),
        movetime: args.movetime.map(Duration::from_millis),
        clocks: args.tc,
        ..Limits::default()
    };
    if args.nodes.is_empty() {
        let alone = limits(None);
        return vec![(!alone.is_infinite()).then_some(alone)];
    }
    args.nodes.iter().map(|&nodes| Some(limits(Some(nodes)))).collect()
}
