//! `calibrate`: what an engine is worth at the levels it can be set to, or with more nodes.

use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::args::CalibrateArgs;
use crate::commands::{conclusion, games};
use crate::exit::Exit;
use crate::place::Place;
use crate::running::{Came, ChangedEngines};
use crate::{controls, files, progress, running, streams};
use threefold_chess::clock::ClockSource;
use threefold_echo::bench;
use threefold_harness::arena::game::Adjudication;
use threefold_harness::arena::pairing::Format;
use threefold_harness::calibration::character::{self, Character, Judge};
use threefold_harness::calibration::{Aim, Anchor, Design, Dial, Earlier, Graduation, Ladder, Next};
use threefold_harness::output_file;
use threefold_harness::work::job::{Origin, Outputs};
use threefold_harness::work::journal::Journal;
use threefold_harness::work::pool::Crew;
use threefold_harness::work::{FaultBudget, Order, Part, PartRecord, Run, Task};
use threefold_mining::crew;
use threefold_report::Registry;
use threefold_report::graded::{self, Graded, Made, Since};

/// Games by nodes and by levels, unless said otherwise.
const BY_NODES: usize = 120;
const BY_LEVELS: usize = 20_000;

/// Games of two builds of an engine rate neither.
const CHANGED: ChangedEngines<'_> =
    ChangedEngines::Refused("name another folder with --run, or bring the earlier build back");

/// Measures levels in rounds, or node budgets in a round robin.
pub fn run(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    if args.nodes.is_empty() { levels(args, &Hooks::NONE) } else { nodes(args) }
}

/// Plays a round robin of node budgets and fits ratings to it.
fn nodes(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    let engine = files::engine(&args.engine, &[])?;
    let meetings = games::meetings(args.nodes.len(), Format::RoundRobin).max(1);
    let asked = args.games.unwrap_or(BY_NODES);
    let ladder = Ladder {
        rounds: games::whole_pairs(asked, args.nodes.len(), Format::RoundRobin) / meetings,
        openings: games::openings(&args.openings, &args.order, None)?,
        adjudication: Adjudication::default(),
        rungs: args.nodes.clone(),
        engine,
    };
    let order = Order {
        title: format!("Calibration of {}", ladder.engine.name),
        parts: vec![Part::unlabelled("calibration".to_owned(), Task::Match(ladder.order()?))],
        outputs: Outputs { reports: args.out.clone(), ..Outputs::default() },
        max_faults: Some(FaultBudget::MATCH),
        ..Order::default()
    };
    conclusion::of(
        running::begin(order, &Place::of(args.run.as_ref(), "calibrate"), &args.carrying)?,
        &Registry::built_in(),
    )
}

/// What another program adds to a calibration by levels.
#[derive(Clone, Copy)]
pub struct Hooks<'h> {
    /// Refuses a calibration before its first game.
    pub check: &'h dyn Fn(&Design) -> anyhow::Result<()>,
    /// Uses the result after the reports are written.
    pub finish: &'h dyn Fn(&Graded) -> anyhow::Result<()>,
}

impl Hooks<'_> {
    /// Nothing is added.
    const NONE: Self = Self { check: &|_| Ok(()), finish: &|_| Ok(()) };
}

impl fmt::Debug for Hooks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hooks")
    }
}

/// Plays rounds until every level is known or the budget is spent, and writes the reports.
pub fn levels(args: &CalibrateArgs, hooks: &Hooks<'_>) -> anyhow::Result<Exit> {
    let design = design(args)?;
    (hooks.check)(&design)?;
    if let Some(folder) = &args.out {
        output_file::check_folder(folder)?;
    }
    let earlier = args.previous.as_deref().map(earlier).transpose()?;
    let folder = folder(args)?;
    let crew = running::crew(&args.carrying)?;
    let mut rounds: Vec<Run> = Vec::new();
    let ending = loop {
        let round = rounds.len() + 1;
        let file = folder.join(format!("round-{round}.sqlite"));
        let came = if file.exists() {
            running::resume(&crew, journal_of(&design, round, &file)?, CHANGED)?
        } else {
            match design.next(&rounds)? {
                Next::Play(order) => {
                    let order = Order { max_faults: Some(FaultBudget::MATCH), ..*order };
                    running::begin_with(&crew, &args.carrying, order, &Place::File(&file))?
                }
                Next::Known => break known(&design, &rounds),
                Next::Spent => {
                    let (games, seconds) = (design.games, design.seconds);
                    break format!(
                        "Of {games} games and {seconds} seconds of thinking too little is left for another round."
                    );
                }
            }
        };
        let Came::Finished(finished) = came else {
            streams::notice(&format!("or give the same command again with --run {}", folder.display()));
            return Ok(Exit::Interrupted);
        };
        if finished.run.stopped() {
            return conclusion::of(Came::Finished(finished), &Registry::built_in());
        }
        rounds.push(finished.run);
        tell(&design, &rounds);
    };
    let mut graded = graded(&design, &rounds, ending)?;
    let Some(characters) = characters(&design, &rounds, args.judged, &crew) else {
        streams::notice(&format!(
            "\ninterrupted; all games are kept. Give the same command again with --run {}",
            folder.display()
        ));
        return Ok(Exit::Interrupted);
    };
    graded.characters = characters;
    graded.since = earlier
        .map(|(file, earlier)| Since { changes: earlier.changes(&graded.survey, &graded.characters), file });
    let exit = conclude(args, &graded)?;
    (hooks.finish)(&graded)?;
    Ok(exit)
}

/// The calibration that this one is compared with, and its file.
fn earlier(file: &Path) -> anyhow::Result<(String, Earlier)> {
    let page = files::page(file).context("--previous")?;
    let earlier = Earlier::read(&page.text).with_context(|| format!("--previous {}", page.file))?;
    Ok((page.file, earlier))
}

/// How each level plays, by so many moves, judged by as many hands as there are workers; `None` where it was called off.
fn characters(design: &Design, rounds: &[Run], judged: usize, crew: &Crew<'_>) -> Option<Vec<Character>> {
    let parts: Vec<PartRecord<'_>> = rounds.iter().flat_map(Run::parts).collect();
    let samples = character::samples(&design.dial, &parts, judged);
    let bar = progress::bar(samples.len() as u64, "judging moves");
    let mut losses = Vec::new();
    let judge = |judge: &mut Judge, number: u64| {
        let sample = &samples[number as usize];
        judge.loss(sample).map(|loss| (sample.level, loss))
    };
    let stop = &crew.hiring.stop;
    crew::in_turn(
        crew.workers,
        0..samples.len() as u64,
        || Judge::new(character::JUDGED_BY),
        judge,
        |loss| {
            bar.inc(1);
            losses.extend(loss);
            if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    bar.finish_and_clear();
    (!stop.is_raised()).then(|| character::characters(&losses))
}

fn design(args: &CalibrateArgs) -> anyhow::Result<Design> {
    let anchors: Vec<Anchor> =
        args.anchors.iter().map(|text| text.parse()).collect::<Result<_, _>>().context("--anchor")?;
    let control = controls::control(Some(&args.tc), None, None, None)?;
    controls::warn([control]);
    let pace: ClockSource = args.clock.parse().context("--clock")?;
    let engine = files::engine(&args.engine, &[])?;
    let levels = asked_levels(&args.levels)?;
    anyhow::ensure!(args.seconds > 0.0, "--seconds {}: give seconds above 0, such as 7200", args.seconds);
    anyhow::ensure!(args.precision > 0.0, "--precision {}: give Elo above 0, such as 20", args.precision);
    let dial = Dial::new(engine, args.option.clone());
    check_names(&dial, &anchors)?;
    let design = Design {
        dial,
        levels,
        anchors,
        control,
        pace,
        adjudication: Adjudication::default(),
        openings: games::openings(&args.openings, &args.order, None)?,
        aim: Aim { precision: args.precision, within: within(args.within.as_deref())? },
        games: args.games.unwrap_or(BY_LEVELS),
        seconds: args.seconds,
        seed: args.seed,
    };
    let least = design.least_games();
    anyhow::ensure!(
        design.games >= least,
        "--games {}: the first round alone is {least} games; give more, or fewer --levels",
        design.games
    );
    Ok(design)
}

/// Games are told apart by names.
fn check_names(dial: &Dial, anchors: &[Anchor]) -> anyhow::Result<()> {
    let names: Vec<&str> = anchors.iter().map(|anchor| anchor.engine.name.as_str()).collect();
    for (at, name) in names.iter().enumerate() {
        anyhow::ensure!(
            !names[..at].contains(name),
            "--anchor: `{name}` is the name of two; give each its own, such as \"./stash-21,name=Stash 21=2713\""
        );
        if let Some(level) = dial.level_called(name) {
            anyhow::bail!(
                "--anchor: `{name}` is what `{engine}` is called at level {level}; name one of the two otherwise, such as \
                 --anchor \"./stash-21,name=Anchor {level}=2713\"",
                engine = dial.engine().name
            );
        }
    }
    Ok(())
}

/// `600:2600:200`, or levels with commas; lowest first.
fn asked_levels(given: &str) -> anyhow::Result<Vec<u32>> {
    let remedy = || format!("--levels `{given}`: write FROM:TO:STEP such as 600:2600:200, or 600,1000,1400");
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let levels: Option<Vec<u32>> = match given.split(':').collect::<Vec<_>>()[..] {
        [from, to, step] => number(from).zip(number(to)).zip(number(step)).and_then(|((from, to), step)| {
            (from < to && step > 0).then(|| (from..=to).step_by(step as usize).collect())
        }),
        _ => given.split(',').map(number).collect(),
    };
    let mut levels = levels.with_context(remedy)?;
    levels.sort_unstable();
    levels.dedup();
    anyhow::ensure!(levels.len() > 1, "--levels `{given}`: two levels or more can be told apart");
    Ok(levels)
}

/// `800:2600`, in Elo; everywhere where nothing is given.
fn within(given: Option<&str>) -> anyhow::Result<RangeInclusive<f64>> {
    let Some(given) = given else { return Ok(f64::NEG_INFINITY..=f64::INFINITY) };
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let ends = given.split_once(':').and_then(|(from, to)| number(from).zip(number(to)));
    let (from, to) = ends
        .filter(|(from, to)| from < to)
        .with_context(|| format!("--within `{given}`: write FROM:TO in Elo, such as 800:2600"))?;
    Ok(from..=to)
}

/// What is known when no more need be played.
fn known(design: &Design, rounds: &[Run]) -> String {
    let Aim { precision, within } = &design.aim;
    let (from, to) = (within.start(), within.end());
    let asked_for = design.survey(rounds).is_ok_and(|survey| survey.widest(&design.aim).is_some());
    match (asked_for, from.is_finite()) {
        (false, _) => format!("No level is worth {from} to {to} Elo, where precision was asked for."),
        (true, true) => format!("Every level from {from} to {to} Elo is known within {precision} Elo."),
        (true, false) => format!("Every level is known within {precision} Elo."),
    }
}

/// The folder of the rounds: what was asked for, or the next that is free.
fn folder(args: &CalibrateArgs) -> anyhow::Result<PathBuf> {
    let free = || {
        (1_u32..=9999)
            .map(|number| PathBuf::from(format!("runs/calibrate-{number}")))
            .find(|path| !path.exists())
    };
    args.run.clone().or_else(free).context("runs: is full; name a folder with --run")
}

/// A round's journal, if it holds a round of this calibration.
fn journal_of(design: &Design, round: usize, file: &Path) -> anyhow::Result<Journal> {
    let journal = Journal::open(file)?;
    let there = journal.order();
    anyhow::ensure!(
        design.has_round(round, there),
        "{}: holds a round of another calibration: other engines, another time control, seed, or openings; name another folder \
         with --run, or give the command that began it: {}",
        file.display(),
        there.origin.command
    );
    Ok(journal)
}

/// How far a calibration has come.
fn tell(design: &Design, rounds: &[Run]) {
    let Ok(survey) = design.survey(rounds) else { return };
    let games: u64 = survey.players.iter().map(|player| player.games).sum::<u64>() / 2;
    let widest = survey
        .widest(&design.aim)
        .map_or_else(String::new, |widest| format!(", the widest interval ± {widest:.0} Elo"));
    streams::notice(&format!("round {}: {games} games{widest}", rounds.len()));
}

fn graded(design: &Design, rounds: &[Run], ending: String) -> anyhow::Result<Graded> {
    let survey = design.survey(rounds).context(
        "too little was played to rate anybody; play more --games, or --levels nearer to each other",
    )?;
    let Origin { command, machine, .. } = origin(rounds);
    let games = survey.players.iter().map(|player| player.games).sum::<u64>() as usize / 2;
    Ok(Graded {
        title: format!("Calibration of {} by {}", design.dial.engine().name, design.dial.option()),
        option: design.dial.option().to_owned(),
        called_by_elo: design.dial.asks_for_elo(),
        made: Made { command, machine, bench: bench::run() },
        terms: match design.pace {
            ClockSource::Wall => design.control.to_string(),
            pace @ ClockSource::Virtual { .. } => format!("{}, clock {pace}", design.control),
        },
        ending,
        rounds: rounds.len(),
        games,
        graduation: Graduation::of(&survey),
        survey,
        characters: Vec::new(),
        since: None,
    })
}

/// Where the rounds come from: where they were begun, and by every command that added some.
fn origin(rounds: &[Run]) -> Origin {
    let mut commands: Vec<&str> = rounds.iter().map(|run| run.order().origin.command.as_str()).collect();
    commands.dedup();
    let machine = rounds.first().map_or_else(running::machine, |run| run.order().origin.machine.clone());
    Origin { command: commands.join("; then "), machine, ..Origin::default() }
}

fn conclude(args: &CalibrateArgs, graded: &Graded) -> anyhow::Result<Exit> {
    streams::results(&graded::text(graded))?;
    if let Some(folder) = &args.out {
        files::write_whole(&folder.join("calibration.html"), graded::page(graded).as_bytes())?;
        files::write_whole(&folder.join("calibration.csv"), &graded::figures(graded)?)?;
        files::write_whole(&folder.join("calibration-curve.csv"), graded::curve(graded).as_bytes())?;
        streams::notice(&format!("reports: {}", folder.join("calibration.html").display()));
    }
    let changed = graded.since.as_ref().is_some_and(|since| since.shown().next().is_some());
    Ok(if changed { Exit::Worse } else { Exit::Fine })
}
