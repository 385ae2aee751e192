//! `fleet-simulation`: what a fleet of many workers does.

use std::time::Duration;

use crate::args::FleetSimulationArgs;
use threefold::exit::Exit;
use threefold::output::tables;
use threefold::streams;
use threefold_lab::fleet_simulation::{FleetFigures, FleetModel};

/// Simulates each fleet and prints a table.
pub fn run(args: &FleetSimulationArgs) -> anyhow::Result<Exit> {
    let game = Duration::from_secs(u64::from(args.game));
    let row = |workers: usize| {
        let FleetFigures { games_per_second, playing, coordinator, shortest_queue, unfinished, wasted } =
            FleetModel {
                workers,
                game,
                coordinator: Duration::from_micros(u64::from(args.coordinator)),
                latency: Duration::from_micros(u64::from(args.latency)),
                length: game * args.length,
                seed: args.seed,
            }
            .simulate();
        vec![
            workers.to_string(),
            format!("{games_per_second:.2}"),
            format!("{:.2} %", 100.0 * playing),
            format!("{:.2} %", 100.0 * coordinator),
            shortest_queue.to_string(),
            format!("{:.1}", games_per_second * f64::from(args.bytes) / 1e3),
            unfinished.to_string(),
            format!("{:.2}", wasted.as_secs_f64() / 3_600.0),
        ]
    };
    let header = [
        "workers",
        "games/s",
        "playing",
        "coordinator",
        "shortest queue",
        "kB/s",
        "games cut off",
        "worker hours cut off",
    ];
    streams::result(&tables::table(&header, args.workers.iter().map(|workers| row(workers.get()))))?;
    Ok(Exit::Fine)
}
