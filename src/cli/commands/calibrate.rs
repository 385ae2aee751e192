//! `calibrate`: how much stronger more nodes make an engine.

use crate::arena::adjudication::Adjudication;
use crate::arena::pairing::Format;
use crate::calibration::Ladder;
use crate::cli::args::CalibrateArgs;
use crate::cli::commands::{conclusion, games};
use crate::cli::exit::Exit;
use crate::cli::place::Place;
use crate::cli::{files, running};
use crate::work::job::Outputs;
use crate::work::{Order, Part, Task};

/// Plays a round robin of node budgets and fits ratings to it.
pub fn run(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    let engine = files::engine(&args.engine, &[])?;
    let meetings = games::meetings(args.nodes.len(), Format::RoundRobin).max(1);
    let ladder = Ladder {
        rounds: games::whole_pairs(args.games, args.nodes.len(), Format::RoundRobin) / meetings,
        openings: games::openings(&args.openings, &args.order, None)?,
        adjudication: Adjudication::default(),
        rungs: args.nodes.clone(),
        engine,
    };
    let order = Order {
        title: format!("Calibration of {}", ladder.engine.name),
        parts: vec![Part { name: "calibration".to_owned(), task: Task::Match(ladder.order()?) }],
        outputs: Outputs { reports: args.out.clone(), ..Outputs::default() },
        ..Order::default()
    };
    conclusion::of(running::begin(order, &Place::of(args.run.as_ref(), "calibrate"), &args.carrying)?)
}
