//! `suite`: runs suites of test positions on engines.

use std::time::Duration;

use anyhow::Context;

use crate::args::SuiteArgs;
use crate::built_in::Category;
use crate::commands::{finish, suite_catalog};
use crate::exit::Exit;
use crate::journal_path::JournalPath;
use crate::{case_search, execute, files, inputs};
use threefold_chess::clock::Limits;
use threefold_chess::score::Ply;
use threefold_harness::player::EngineSpec;
use threefold_harness::run::job::{Outputs, ReportSetName};
use threefold_harness::run::{FaultBudget, Part, RunSpec, SuiteTask, Task};
use threefold_harness::suite::kinds::mate;
use threefold_harness::suite::{Kind, SuiteSource};
use threefold_oracle::syzygy::Syzygy;
use threefold_report::Registry;

/// Runs every suite on every engine, or lists the built-in suites.
pub fn run(args: &SuiteArgs) -> anyhow::Result<Exit> {
    if args.list {
        return suite_catalog::list();
    }
    if let Some(folder) = &args.export {
        return suite_catalog::export(folder, args.run_options.force);
    }
    let order = order(args)?;
    finish::finish(
        execute::begin(order, &JournalPath::of(args.run.as_ref(), "suite"), &args.run_options)?,
        &Registry::built_in(),
    )
}

fn order(args: &SuiteArgs) -> anyhow::Result<RunSpec> {
    let limits = limits(args);
    let bare = limits.first().copied().flatten().unwrap_or_default();
    let mut sources: Vec<SuiteSource> =
        args.suites.iter().map(|path| inputs::suite(path)).collect::<anyhow::Result<_>>()?;
    if let (Some(file), Some(kind)) = (&args.positions, &args.kind) {
        let kind = Kind::named(kind)
            .with_context(|| format!("--kind `{kind}` is not known; use one of {}", Kind::names()))?;
        sources.push(SuiteSource::from_positions(
            kind,
            inputs::source_file(file, Category::Positions)?,
            &bare,
        ));
    }
    if let Some(id) = &args.case {
        sources = vec![case_search::alone(&sources, id)?];
    }
    let mut each = args.each.clone();
    if let Some(folder) = &args.syzygy {
        Syzygy::open(folder)?;
        let folder = folder.to_str().context("--syzygy: the path is not UTF-8 text; rename the folder")?;
        let mates = sources.iter().map(SuiteSource::kind_name).collect::<Result<Vec<_>, _>>()?;
        anyhow::ensure!(
            mates.iter().all(|kind| kind == mate::KIND.name),
            "--syzygy is for suites of kind `mate`; run the others separately"
        );
        sources = sources.into_iter().map(|source| source.with_setting("syzygy", folder)).collect();
        each.push(format!("SyzygyPath={folder}"));
    }
    let engines = files::engines(&args.engines, &each)?;
    let several = (limits.len() > 1).then_some(());
    let mut parts = Vec::new();
    for source in &sources {
        for engine in &engines {
            for &limits in &limits {
                let name = name(source, (engines.len() > 1).then_some(engine), several.and(limits));
                let task = SuiteTask {
                    engine: engine.clone(),
                    source: source.clone(),
                    limits: limits.map(Box::new),
                    timemargin: args.timemargin.map(Duration::from_millis),
                    per_class: args.per_class,
                };
                parts.push(Part::without_labels(name, Task::Suite(task)));
            }
        }
    }
    let names: Vec<String> = sources.iter().map(SuiteSource::name).collect();
    Ok(RunSpec {
        title: names.join(", "),
        outputs: Outputs {
            reports: args.out.clone(),
            report_set: if args.json { ReportSetName::CASES } else { ReportSetName::SUMMARY }.into(),
            ..Outputs::default()
        },
        parts,
        max_faults: Some(FaultBudget::of(args.max_faults)),
        ..RunSpec::default()
    })
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
        ..Limits::default()
    };
    if args.nodes.is_empty() {
        let alone = limits(None);
        return vec![(!alone.is_infinite()).then_some(alone)];
    }
    args.nodes.iter().map(|&nodes| Some(limits(Some(nodes)))).collect()
}
