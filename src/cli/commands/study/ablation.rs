//! `study ablation`: Echo against itself without one feature, for each feature.

use anyhow::Context;

use crate::arena::pairing::Format;
use crate::cli::args::AblationArgs;
use crate::cli::commands::{conclusion, games};
use crate::cli::exit::Exit;
use crate::cli::place::Place;
use crate::cli::{files, running};
use crate::echo::lab::Feature;
use crate::echo::options;
use crate::player::EngineSpec;
use crate::work::job::{Outputs, Printed};
use crate::work::{MatchTask, Order, Part, Purpose, Task};

/// Plays every match, one feature after the other, and prints what each is worth.
pub fn run(args: &AblationArgs) -> anyhow::Result<Exit> {
    let features = features(&args.features)?;
    let has_switch = |feature: &Feature| options::table().iter().any(|row| row.name == feature.name());
    anyhow::ensure!(
        features.iter().all(has_switch),
        "this build of Echo has no switches; build it with `cargo build --release --features lab`"
    );
    let engine = files::engine(&args.engine, &args.game.each)?;
    let outputs = Outputs {
        reports: args.game.out.clone(),
        games: args.game.pgn.clone(),
        printed: Printed::Ablation,
        ..Outputs::default()
    };
    let order = Order {
        title: format!("{} without one feature", engine.name),
        parts: features.iter().map(|&feature| part(args, &engine, feature)).collect::<anyhow::Result<_>>()?,
        outputs,
        ..Order::default()
    };
    let place = Place::of(args.game.run.as_ref(), "ablation");
    conclusion::of(running::begin(order, &place, &args.game.carrying)?)
}

/// The features asked for, each once, or all.
fn features(given: &[String]) -> anyhow::Result<Vec<Feature>> {
    if given.is_empty() {
        return Ok(Feature::ALL.to_vec());
    }
    let mut features = Vec::new();
    for name in given {
        let feature = name.parse().context("--feature")?;
        if !features.contains(&feature) {
            features.push(feature);
        }
    }
    Ok(features)
}

/// One feature's match. Its openings are the first of the book in the order asked for, the same for all.
fn part(args: &AblationArgs, engine: &EngineSpec, feature: Feature) -> anyhow::Result<Part> {
    let name = feature.name();
    let without = format!("{} without {name}", engine.name);
    let engines =
        vec![engine.with(&[("name", &engine.name)])?, engine.with(&[("name", &without), (name, "false")])?];
    let mut task: MatchTask = games::task(&args.game, engines, Format::Gauntlet, args.games, Purpose::Match)?;
    task.openings.truncate(task.pairs);
    Ok(Part { name: name.to_owned(), task: Task::Match(task) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_known_by_name_and_asked_for_once() {
        let asked = |names: &[&str]| features(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(asked(&[]).expect("all"), Feature::ALL);
        let twice = asked(&["NullMove", "Singular", "NullMove"]).expect("known");
        assert_eq!(twice, [Feature::NullMove, Feature::Singular]);
        let error = format!("{:#}", asked(&["Magic"]).expect_err("unknown"));
        assert!(error.contains("Magic") && error.contains("NullMove"), "{error}");
    }
}
