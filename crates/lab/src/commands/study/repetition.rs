//! `study repetition`: trap results, search cost and Elo of every published way to treat repetitions.

use anyhow::Context;

use crate::args::RepetitionArgs;
use crate::report_sets;
use threefold::commands::games;
use threefold::exit::Exit;
use threefold::files;
use threefold::input::by_name;
use threefold::session::Session;
use threefold::session::journal_path::JournalPath;
use threefold_echo::options;
use threefold_games::pairing::TournamentFormat;
use threefold_lab::studies::repetition::{self, Question, Variant, VariantMatch};
use threefold_player::EngineSpec;
use threefold_run::{Part, Purpose, RunSpec, SuiteTask, Task};
use threefold_suites::SuiteSource;

/// Runs the suites and matches, and writes the reports.
pub fn run(args: &RepetitionArgs) -> anyhow::Result<Exit> {
    ensure_counters()?;
    let echo = files::engine("echo", &args.game.each)?;
    let traps = by_name::suite(&args.trap_suite).context("--trap-suite")?;
    let effort = by_name::suite(&args.cost_suite).context("--cost-suite")?;
    let mut parts = Vec::new();
    for variant in Variant::all_with_detection() {
        parts.push(asked(&echo, variant, &traps, args)?);
    }
    for round in 0..=args.rounds {
        // The first round counts repetitions, which takes time; the others measure time.
        for variant in Variant::measured() {
            parts.push(searched(&echo, variant, &effort, args, round)?);
        }
    }
    for pairing in VariantMatch::all() {
        parts.push(played(&echo, pairing, args)?);
    }
    let spec = RunSpec {
        title: "Search cost and Elo of each way to treat repetitions".to_owned(),
        parts,
        outputs: games::outputs(&args.game, repetition::REPORTS.name.into())?,
        max_faults: Some(args.game.max_faults()),
        ..RunSpec::default()
    };
    let path = JournalPath::of(args.game.run.as_ref(), "repetition");
    Session::open(&args.game.run_options)?.run(spec, &path)?.finish(&report_sets::registry())
}

/// The option that makes Echo count repetitions.
pub(super) const CENSUS: &str = "Census";

/// Refuses a build of Echo that does not count repetitions.
pub(super) fn ensure_counters() -> anyhow::Result<()> {
    let counts = options::table().iter().any(|row| row.name == CENSUS);
    anyhow::ensure!(
        counts,
        "this build of Echo does not count repetitions; build it with `cargo build --release -p threefold-lab --features lab`"
    );
    Ok(())
}

/// A question and its task.
fn part(question: Question, task: Task) -> Part {
    Part { name: question.to_string(), labels: question.labels(), task }
}

/// Echo as a variant.
fn engine(echo: &EngineSpec, variant: Variant) -> anyhow::Result<EngineSpec> {
    let name = variant.to_string();
    let mut keys = vec![("name", name.as_str())];
    keys.extend(variant.options());
    Ok(echo.with(&keys)?)
}

/// A variant's run of the traps.
fn asked(
    echo: &EngineSpec,
    variant: Variant,
    traps: &SuiteSource,
    args: &RepetitionArgs,
) -> anyhow::Result<Part> {
    let task =
        SuiteTask { per_class: Some(args.traps), ..SuiteTask::new(engine(echo, variant)?, traps.clone()) };
    Ok(part(Question::Traps(variant), Task::Suite(task)))
}

/// A variant's searches of the same positions.
fn searched(
    echo: &EngineSpec,
    variant: Variant,
    effort: &SuiteSource,
    args: &RepetitionArgs,
    round: usize,
) -> anyhow::Result<Part> {
    let engine = engine(echo, variant)?;
    let engine = if round == 0 { engine.with(&[(CENSUS, "true")])? } else { engine };
    let task = SuiteTask { per_class: Some(args.positions), ..SuiteTask::new(engine, effort.clone()) };
    Ok(part(Question::Cost { variant, round }, Task::Suite(task)))
}

/// A match of two variants. All matches play the same openings.
fn played(echo: &EngineSpec, pairing: VariantMatch, args: &RepetitionArgs) -> anyhow::Result<Part> {
    let games = if pairing.compares_policies() { args.games } else { args.other_games };
    let engines = vec![engine(echo, pairing.new)?, engine(echo, pairing.base)?];
    let mut task = games::task(&args.game, engines, TournamentFormat::Gauntlet, games, Purpose::Match)?;
    task.openings.truncate(task.encounters);
    Ok(part(Question::Match(pairing), Task::Match(task)))
}
