//! `suite`: cases put to engines.

use std::time::Duration;

use anyhow::Context;

use crate::cli::args::SuiteArgs;
use crate::cli::commands::conclusion;
use crate::cli::exit::Exit;
use crate::cli::place::Place;
use crate::cli::{files, running};
use crate::clock::Limits;
use crate::score::Ply;
use crate::suite::{Kind, Source};
use crate::work::job::{Outputs, Printed};
use crate::work::{Order, Part, SuiteTask, Task};

/// Asks every engine every case of every suite.
pub fn run(args: &SuiteArgs) -> anyhow::Result<Exit> {
    let order = order(args)?;
    conclusion::of(running::begin(order, &Place::of(args.run.as_ref(), "suite"), &args.carrying)?)
}

fn order(args: &SuiteArgs) -> anyhow::Result<Order> {
    let limits = limits(args);
    let mut sources: Vec<Source> =
        args.suites.iter().map(|path| files::suite(path)).collect::<anyhow::Result<_>>()?;
    if let (Some(file), Some(kind)) = (&args.positions, &args.kind) {
        let kind = Kind::named(kind)
            .with_context(|| format!("--kind `{kind}` is not known; use one of {}", Kind::names()))?;
        sources.push(Source::bare(kind, files::page(file)?, &limits.unwrap_or_default()));
    }
    let engines = files::engines(&args.engines, &args.each)?;
    let mut parts = Vec::new();
    for source in &sources {
        for engine in &engines {
            let name =
                if engines.len() == 1 { source.name() } else { format!("{} {}", source.name(), engine.name) };
            let task = SuiteTask {
                engine: engine.clone(),
                source: source.clone(),
                limits,
                per_class: args.per_class,
            };
            parts.push(Part { name, task: Task::Suite(task) });
        }
    }
    let names: Vec<String> = sources.iter().map(Source::name).collect();
    Ok(Order {
        title: names.join(", "),
        outputs: Outputs {
            reports: args.out.clone(),
            printed: if args.json { Printed::Cases } else { Printed::Summary },
            ..Outputs::default()
        },
        parts,
        ..Order::default()
    })
}

fn limits(args: &SuiteArgs) -> Option<Limits> {
    let limits = Limits {
        nodes: args.limits.nodes,
        depth: args.limits.depth.map(Ply),
        movetime: args.movetime.map(Duration::from_millis),
        ..Limits::default()
    };
    (!limits.is_infinite()).then_some(limits)
}
