//! `study ablation`: Echo against itself without one feature, for each feature.

use crate::args::AblationArgs;
use crate::report_sets;
use threefold::commands::games;
use threefold::exit::Exit;
use threefold::files;
use threefold::session::Session;
use threefold::session::journal_path::JournalPath;
use threefold_echo::feature_switches::Feature;
use threefold_echo::options;
use threefold_games::pairing::TournamentFormat;
use threefold_lab::studies::ablation;
use threefold_named_enum::selected_or_all;
use threefold_player::EngineSpec;
use threefold_run::{MatchTask, Part, Purpose, RunSpec, Task};

/// Plays a match for each feature, and prints its Elo.
pub fn run(args: &AblationArgs) -> anyhow::Result<Exit> {
    let features = selected_or_all(&args.features, Feature::ALL);
    let has_switch = |feature: &Feature| options::table().iter().any(|row| row.name == feature.name());
    anyhow::ensure!(
        features.iter().all(has_switch),
        "this build of Echo has no feature switches; build it with `cargo build --release -p threefold-lab --features lab`"
    );
    let engine = files::engine(&args.engine, &args.game.each)?;
    let spec = RunSpec {
        title: format!("{} without one feature", engine.name),
        parts: features.iter().map(|&feature| part(args, &engine, feature)).collect::<anyhow::Result<_>>()?,
        outputs: games::outputs(&args.game, ablation::REPORTS.name.into())?,
        max_faults: Some(args.game.max_faults()),
        ..RunSpec::default()
    };
    let path = JournalPath::of(args.game.run.as_ref(), "ablation");
    Session::open(&args.game.run_options)?.run(spec, &path)?.finish(&report_sets::registry())
}

/// The match of one feature. All features play the same openings.
fn part(args: &AblationArgs, engine: &EngineSpec, feature: Feature) -> anyhow::Result<Part> {
    let name = feature.name();
    let without = format!("{} without {name}", engine.name);
    let engines =
        vec![engine.with(&[("name", &engine.name)])?, engine.with(&[("name", &without), (name, "false")])?];
    let mut task: MatchTask =
        games::task(&args.game, engines, TournamentFormat::Gauntlet, args.games, Purpose::Match)?;
    task.openings.truncate(task.encounters);
    Ok(Part { name: name.to_owned(), labels: ablation::labels(feature), task: Task::Match(task) })
}
