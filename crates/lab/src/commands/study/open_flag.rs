//! `study open-flag`: the errors of the detector `OpenFlag` with several threads, and the traps that it
//! passes.

use anyhow::Context;

use super::repetition::{CENSUS, ensure_counters};
use crate::args::OpenFlagArgs;
use crate::report_sets;
use threefold::exit::Exit;
use threefold::files;
use threefold::input::by_name;
use threefold::session::Session;
use threefold::session::journal_path::JournalPath;
use threefold_chess::clock::Limits;
use threefold_echo::repetition::Detector;
use threefold_lab::studies::open_flag;
use threefold_player::EngineSpec;
use threefold_run::job::Outputs;
use threefold_run::{Part, RunSpec, SuiteTask, Task};

/// Searches the positions and the traps, and writes the reports.
pub fn run(args: &OpenFlagArgs) -> anyhow::Result<Exit> {
    ensure_counters()?;
    let echo = files::engine("echo", &args.each)?;
    let positions = by_name::suite(&args.cost_suite).context("--cost-suite")?;
    let traps = by_name::suite(&args.trap_suite).context("--trap-suite")?;
    let mut parts = Vec::new();
    for &threads in &args.threads {
        for round in 1..=args.rounds {
            let detector = Detector::OpenFlag;
            let engine = engine(&echo, detector, threads)?.with(&[(CENSUS, "true")])?;
            let task =
                SuiteTask { per_class: Some(args.positions), ..SuiteTask::new(engine, positions.clone()) };
            parts.push(Part {
                name: format!("errors of {detector} with {threads} threads, round {round}"),
                labels: open_flag::error_labels(detector, threads),
                task: Task::Suite(task),
            });
        }
        for detector in [Detector::KeyStack, Detector::OpenFlag] {
            let engine = engine(&echo, detector, threads)?;
            let task = SuiteTask {
                limits: args.nodes.map(|nodes| Box::new(Limits::nodes(nodes.get()))),
                per_class: args.traps,
                ..SuiteTask::new(engine, traps.clone())
            };
            parts.push(Part {
                name: format!("traps with {detector} and {threads} threads"),
                labels: open_flag::trap_labels(detector, threads),
                task: Task::Suite(task),
            });
        }
    }
    let spec = RunSpec {
        title: "Errors of the detector OpenFlag with several threads".to_owned(),
        parts,
        outputs: Outputs {
            reports: args.out.clone(),
            report_set: open_flag::REPORTS.name.into(),
            ..Outputs::default()
        },
        ..RunSpec::default()
    };
    let path = JournalPath::of(args.run.as_ref(), "open-flag");
    Session::open(&args.run_options)?.run(spec, &path)?.finish(&report_sets::registry())
}

/// Echo with a detector and a number of threads.
fn engine(echo: &EngineSpec, detector: Detector, threads: usize) -> anyhow::Result<EngineSpec> {
    let (name, threads) = (format!("{detector} {threads}"), threads.to_string());
    let options = [("name", name.as_str()), ("RepetitionDetector", detector.name()), ("Threads", &threads)];
    Ok(echo.with(&options)?)
}
