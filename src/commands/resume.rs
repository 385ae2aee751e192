//! `resume`: a run goes on where it was interrupted or killed.

use std::env;
use std::path::{Path, PathBuf, absolute};

use anyhow::Context;

use crate::args::{Carrying, ResumeArgs};
use crate::commands::conclusion;
use crate::exit::Exit;
use crate::running::{Came, ChangedEngines, Finished};
use crate::{owner, running, streams};
use threefold_harness::player::{self, EngineSource, EngineSpec};
use threefold_harness::run::job::{Outputs, RunOrigin};
use threefold_harness::run::journal::Journal;
use threefold_harness::run::{FaultBudget, Part, RunRecord, RunSpec};
use threefold_harness::visible::visible;
use threefold_report::Registry;

/// Does what the journal still lacks, then ends as the command that began it would have.
pub fn run(args: &ResumeArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let mut journal = Journal::open(&args.run)?;
    if let Some(limit) = args.max_faults {
        check_owner(args, journal.spec())?;
        let order = (**journal.spec()).clone();
        journal.renew(RunSpec { max_faults: Some(FaultBudget::of(limit)), ..order })?;
    }
    // A run whose reports this program lacks is refused before anything is played.
    conclusion::report_set(journal.spec(), &args.run, registry)?;
    let out = args.out.as_deref().map(absolute).transpose()?;
    let run = RunRecord::of(&journal)?;
    if run.is_done() {
        return finished(&mut journal, out, &args.run, registry);
    }
    drop(run);
    if let Some(folder) = out {
        journal.redirect(outputs_in(folder, &journal.spec().outputs));
    }
    check_owner(args, journal.spec())?;
    let order = journal.spec();
    streams::notice(&listing(order));
    enter_folder(order)?;
    let crew = running::crew(&carrying(&args.carrying, &order.origin))?;
    let changed = if args.allow_changed_engine {
        ChangedEngines::Allowed
    } else {
        ChangedEngines::Refused(
            "bring that build back, or give --allow-changed-engine to go on with this one",
        )
    };
    conclusion::of(running::resume(&crew, journal, changed)?, registry)
}

/// Refuses a run of another machine or user, unless the user trusts it.
fn check_owner(args: &ResumeArgs, order: &RunSpec) -> anyhow::Result<()> {
    anyhow::ensure!(
        args.trust || order.origin.owner == Some(owner::present()),
        "{}: {}; give --trust if you would run this by hand:\n{}",
        args.run.display(),
        if order.origin.owner.is_some() {
            "was begun on another machine or by another user"
        } else {
            "doesn't say on which machine and by whom it was begun"
        },
        listing(order)
    );
    Ok(())
}

/// Prints the result of a finished run. It writes only to the folder that this command names.
fn finished(
    journal: &mut Journal,
    out: Option<PathBuf>,
    file: &Path,
    registry: &Registry,
) -> anyhow::Result<Exit> {
    let report_set = journal.spec().outputs.report_set.clone();
    if out.is_none() {
        let file = file.display();
        streams::notice(&format!(
            "{file}: the run is finished; `threefold report {file} --out DIR` writes its reports, and so does --out here"
        ));
    }
    journal.redirect(match out {
        Some(folder) => outputs_in(folder, &journal.spec().outputs),
        None => Outputs { report_set, ..Outputs::default() },
    });
    let run = RunRecord::of(journal)?;
    conclusion::of(
        Came::Finished(Box::new(Finished { run, journal: file.to_owned(), games: Ok(()) })),
        registry,
    )
}

/// What the first command asked for, all of it in one folder. The games are among the reports.
fn outputs_in(folder: PathBuf, asked: &Outputs) -> Outputs {
    Outputs {
        baseline: asked.baseline.is_some().then(|| folder.join("baseline")),
        reports: Some(folder),
        games: None,
        ..asked.clone()
    }
}

/// What the first command said of how it is carried out, where this one says nothing.
fn carrying(given: &Carrying, origin: &RunOrigin) -> Carrying {
    Carrying {
        concurrency: given.concurrency.or(origin.conditions.concurrency),
        // What the first command was allowed needs no second permission.
        force: given.force || given.concurrency.is_none(),
        startup: given.startup.or(origin.conditions.startup),
        patience: given.patience.or(origin.conditions.search_timeout),
        log: given.log.clone(),
        log_level: given.log_level,
    }
}

/// Relative paths start where they started when the run was begun, and so do programs.
fn enter_folder(order: &RunSpec) -> anyhow::Result<()> {
    let Outputs { reports, games, baseline, .. } = &order.outputs;
    let is_relative = [reports, games, baseline].into_iter().flatten().any(|place| place.is_relative());
    let starts = |part: &Part| part.task.engines().iter().any(|engine| engine.source != EngineSource::Echo);
    let Some(folder) = &order.origin.folder else { return Ok(()) };
    if !is_relative && !order.parts.iter().any(starts) {
        return Ok(());
    }
    env::set_current_dir(folder).with_context(|| {
        format!(
            "{}: the folder in which the run was begun can't be entered; make it, with the engines where they were",
            visible(&folder.display().to_string())
        )
    })
}

/// What a run starts and writes, a line each.
fn listing(order: &RunSpec) -> String {
    let folder = order.origin.folder.as_deref().unwrap_or(Path::new(""));
    let mut engines: Vec<&EngineSpec> = order.parts.iter().flat_map(|part| part.task.engines()).collect();
    engines.sort_by_key(|engine| &engine.text);
    engines.dedup();
    let runs = engines.into_iter().map(|engine| format!("  runs {}", started(engine, folder)));
    let Outputs { reports, games, baseline, .. } = &order.outputs;
    let writes = [reports, games, baseline].into_iter().flatten();
    let writes = writes.map(|place| format!("  writes {}", folder.join(place).display()));
    runs.chain(writes).map(|line| visible(&line)).collect::<Vec<_>>().join("\n")
}

/// A program with its arguments and its absolute path.
fn started(engine: &EngineSpec, folder: &Path) -> String {
    let EngineSource::Command { program, args, dir } = &engine.source else {
        return format!("{}, which is built in", engine.text);
    };
    let program = player::program_from(program, folder);
    let words = std::iter::once(program.display().to_string()).chain(args.iter().cloned());
    let quoted = |word: String| if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word };
    let command = words.map(quoted).collect::<Vec<_>>().join(" ");
    match dir {
        Some(dir) => format!("{command} in {}", folder.join(dir).display()),
        None => command,
    }
}
