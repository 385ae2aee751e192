//! `calibrate`: the Elo of an engine's strength levels, or of node budgets.

mod args;

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;

pub use self::args::CalibrateArgs;
use self::args::{asked_levels, within};
use super::games;
use crate::exit::Exit;
use crate::input::search_limits;
use crate::output::progress;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::{FinishedRun, RunOutcome};
use crate::session::{ChangedEngines, Session, report_folder};
use crate::{files, machine, streams};
use threefold_chess::clock::ClockSource;
use threefold_echo::bench;
use threefold_games::game::Adjudication;
use threefold_games::pairing::{ScheduleRules, TournamentFormat};
use threefold_mining::ordered_parallel;
use threefold_player::output_file::{self, IfThere};
use threefold_report::Registry;
use threefold_report::formats::calibration::{self, CalibrationReport, ChangesSince, Provenance};
use threefold_run::calibration::error_profile::{self, ErrorProfile, MoveJudge};
use threefold_run::calibration::{
    AnchorEngine, CalibrationDesign, EarlierCalibration, EloCurve, NextRound, NodeLadder, PrecisionTarget,
    StrengthOption,
};
use threefold_run::job::{Outputs, RunOrigin};
use threefold_run::journal::Journal;
use threefold_run::output_folder::OutputFolder;
use threefold_run::pool::PoolConfig;
use threefold_run::{Part, RunRecord, RunSpec, Task};

/// Default numbers of games, by nodes and by levels.
const BY_NODES: usize = 120;
const BY_LEVELS: usize = 20_000;

/// The files of --out: the page, the figures and the curve.
const REPORTS: [&str; 3] = ["calibration.html", "calibration.csv", "calibration-curve.csv"];

/// A rating must not mix the games of two builds of an engine.
const CHANGED: ChangedEngines<'_> =
    ChangedEngines::Refused("give another folder with --run, or restore the earlier build");

/// Measures levels in rounds, or node budgets in a round robin.
pub fn run(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    if args.nodes.is_empty() { levels(args, &Hooks::NONE) } else { nodes(args) }
}

/// Plays a round robin of node budgets and fits ratings to it.
fn nodes(args: &CalibrateArgs) -> anyhow::Result<Exit> {
    let engine = files::engine(&args.engine, &[])?;
    let rules = ScheduleRules::default();
    let meetings = games::meetings(args.nodes.len(), TournamentFormat::RoundRobin, rules).max(1);
    let asked = args.games.unwrap_or(BY_NODES);
    let ladder = NodeLadder {
        rounds: games::whole_pairs(asked, args.nodes.len(), TournamentFormat::RoundRobin, rules) / meetings,
        openings: games::all_openings(&args.openings, &args.order)?,
        adjudication: Adjudication::default(),
        rungs: args.nodes.clone(),
        engine,
    };
    let spec = RunSpec {
        title: format!("Calibration of {}", ladder.engine.name),
        parts: vec![Part::without_labels("calibration".to_owned(), Task::Match(ladder.match_task()?))],
        outputs: Outputs { reports: args.out.clone(), ..Outputs::default() },
        max_faults: Some(args.max_faults()),
        ..RunSpec::default()
    };
    let path = JournalPath::of(args.run.as_ref(), "calibrate");
    Session::open(&args.run_options)?.run(spec, &path)?.finish(&Registry::built_in())
}

/// What another program adds to a calibration by levels.
#[derive(Clone, Copy)]
pub struct Hooks<'h> {
    /// Refuses a calibration before its first game.
    pub check: &'h dyn Fn(&CalibrationDesign) -> anyhow::Result<()>,
    /// Uses the result after the reports are written.
    pub finish: &'h dyn Fn(&CalibrationReport) -> anyhow::Result<()>,
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
    // What can be wrong with files is found before the games, which take an hour or more.
    if let Some(folder) = &args.out {
        output_file::check_folder(folder)?;
        OutputFolder::open(folder).check(&REPORTS, IfThere::forced(args.run_options.force))?;
    }
    let earlier = args.compare_with.as_deref().map(earlier).transpose()?;
    let folder = folder(args)?;
    let mut session = Session::open(&args.run_options)?;
    let mut rounds: Vec<RunRecord> = Vec::new();
    let ending = loop {
        let round = rounds.len() + 1;
        let file = folder.join(format!("round-{round}.sqlite"));
        let outcome = if file.exists() {
            // A finished round plays nothing more and returns its results.
            let mut journal = journal_of(&design, round, &file)?;
            allow_faults(&mut journal, args)?;
            session.resume(journal, CHANGED)?
        } else {
            match design.next(&rounds)? {
                NextRound::Play(spec) => {
                    let spec = RunSpec { max_faults: Some(args.max_faults()), ..*spec };
                    session.run(spec, &JournalPath::File(&file))?
                }
                NextRound::Known => break known(&design, &rounds),
                NextRound::Spent => {
                    let (games, seconds) = (design.games, design.seconds);
                    break format!(
                        "The budget of {games} games and {seconds} seconds does not allow another round."
                    );
                }
            }
        };
        let RunOutcome::Finished(finished) = outcome else {
            streams::notice(&format!("or repeat the command with --run {}", folder.display()));
            return Ok(Exit::Interrupted);
        };
        if finished.run.is_stopped_by_faults() {
            return stopped(*finished, &folder);
        }
        rounds.push(finished.run);
        print_progress(&design, &rounds);
    };
    let mut report = report(&design, &rounds, ending)?;
    let Some(error_profiles) = error_profiles(&design, &rounds, args.judge_moves, &session.pool)? else {
        streams::notice(&format!(
            "\ninterrupted; all games are saved. To continue, repeat the command with --run {}",
            folder.display()
        ));
        return Ok(Exit::Interrupted);
    };
    report.error_profiles = error_profiles;
    report.since = earlier.map(|(file, earlier)| ChangesSince {
        changes: earlier.changes(&report.ratings, &report.error_profiles),
        file,
    });
    let exit = conclude(args, &report)?;
    (hooks.finish)(&report)?;
    Ok(exit)
}

/// Reports a round that engine faults stopped, and says how to continue.
fn stopped(finished: FinishedRun, folder: &Path) -> anyhow::Result<Exit> {
    let exit = finished.finish(&Registry::built_in())?;
    streams::notice(&format!(
        "all games are saved. To continue, repeat the command with --run {} and a larger --max-faults, such as \
         --max-faults 10%",
        folder.display()
    ));
    Ok(exit)
}

/// The calibration to compare with, and its file.
fn earlier(file: &Path) -> anyhow::Result<(String, EarlierCalibration)> {
    let source_file = files::source_file(file).context("--compare-with")?;
    let earlier = EarlierCalibration::parse(&source_file.text)
        .with_context(|| format!("--compare-with {}", source_file.file))?;
    Ok((source_file.file, earlier))
}

/// The error profile of each level from `judged` moves; `None` if interrupted. Fails if a journal can't be
/// read.
fn error_profiles(
    design: &CalibrationDesign,
    rounds: &[RunRecord],
    judged: usize,
    pool: &PoolConfig<'_>,
) -> anyhow::Result<Option<Vec<ErrorProfile>>> {
    let samples = error_profile::samples(&design.option, rounds, judged)?;
    let bar = progress::bar(samples.len() as u64, "judging moves");
    let mut losses = Vec::new();
    let judge = |judge: &mut MoveJudge, number: u64| {
        let sample = &samples[number as usize];
        judge.loss(sample).map(|loss| (sample.level, loss))
    };
    let stop = &pool.launch_options.stop;
    ordered_parallel::run_in_order(
        pool.workers,
        0..samples.len() as u64,
        || MoveJudge::new(error_profile::JUDGE_NODES),
        judge,
        |loss| {
            bar.inc(1);
            losses.extend(loss);
            if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    bar.finish_and_clear();
    Ok((!stop.is_raised()).then(|| error_profile::error_profiles(&losses)))
}

fn design(args: &CalibrateArgs) -> anyhow::Result<CalibrationDesign> {
    let anchors: Vec<AnchorEngine> =
        args.anchors.iter().map(|text| text.parse()).collect::<Result<_, _>>().context("--anchor")?;
    let control = search_limits::control(Some(&args.tc), None, None, None)?;
    search_limits::warn([control]);
    let pace: ClockSource = args.clock.parse().context("--clock")?;
    let engine = files::engine(&args.engine, &[])?;
    let levels = asked_levels(&args.levels)?;
    anyhow::ensure!(args.seconds > 0.0, "--seconds {}: give seconds above 0, such as 7200", args.seconds);
    anyhow::ensure!(args.precision > 0.0, "--precision {}: give Elo above 0, such as 20", args.precision);
    let option = StrengthOption::new(engine, args.option.clone());
    check_names(&option, &anchors)?;
    let design = CalibrationDesign {
        option,
        levels,
        anchors,
        control,
        clock_source: pace,
        adjudication: Adjudication::default(),
        openings: games::all_openings(&args.openings, &args.order)?,
        precision: PrecisionTarget {
            precision: args.precision,
            range: within(args.precise_range.as_deref())?,
        },
        games: args.games.unwrap_or(BY_LEVELS),
        seconds: args.seconds,
        seed: args.seed,
    };
    let least = design.least_games();
    anyhow::ensure!(
        design.games >= least,
        "--games {}: the first round alone needs {least} games; give more games, or fewer --levels",
        design.games
    );
    Ok(design)
}

/// Games are assigned to players by name, so names must be unique.
fn check_names(option: &StrengthOption, anchors: &[AnchorEngine]) -> anyhow::Result<()> {
    let names: Vec<&str> = anchors.iter().map(|anchor| anchor.engine.name.as_str()).collect();
    for (at, name) in names.iter().enumerate() {
        anyhow::ensure!(
            !names[..at].contains(name),
            "--anchor: two anchors have the name `{name}`; give each its own, such as \"./stash-21,name=Stash 21=2713\""
        );
        if let Some(level) = option.level_with_name(name) {
            anyhow::bail!(
                "--anchor: `{name}` is also the name of `{engine}` at level {level}; rename one of the two, such as \
                 --anchor \"./stash-21,name=Anchor {level}=2713\"",
                engine = option.engine().name
            );
        }
    }
    Ok(())
}

/// The result when every level is precise enough.
fn known(design: &CalibrationDesign, rounds: &[RunRecord]) -> String {
    let PrecisionTarget { precision, range: within } = &design.precision;
    let (from, to) = (within.start(), within.end());
    let is_precise = design.survey(rounds).is_ok_and(|ratings| ratings.widest(&design.precision).is_some());
    match (is_precise, from.is_finite()) {
        (false, _) => format!("No level measures {from} to {to} Elo, the range of --precise-range."),
        (true, true) => format!("Every level from {from} to {to} Elo is measured to ± {precision} Elo."),
        (true, false) => format!("Every level is measured to ± {precision} Elo."),
    }
}

/// The folder of the rounds: the one given, or the next free one.
fn folder(args: &CalibrateArgs) -> anyhow::Result<PathBuf> {
    let free = || {
        (1_u32..=9999)
            .map(|number| PathBuf::from(format!("runs/calibrate-{number}")))
            .find(|path| !path.exists())
    };
    args.run.clone().or_else(free).context("runs: no free name; give a folder with --run")
}

/// A round's journal, if it holds a round of this calibration.
fn journal_of(design: &CalibrationDesign, round: usize, file: &Path) -> anyhow::Result<Journal> {
    let journal = Journal::open(file)?;
    let there = journal.spec();
    anyhow::ensure!(
        design.has_round(round, there),
        "{}: belongs to another calibration (other engines, time control, seed or openings); give another folder with --run, or \
         repeat the command that started it: {}",
        file.display(),
        there.origin.command
    );
    Ok(journal)
}

/// A round that engine faults stopped goes on if --max-faults allows more of them.
fn allow_faults(journal: &mut Journal, args: &CalibrateArgs) -> anyhow::Result<()> {
    if args.max_faults.is_some() && journal.spec().max_faults != Some(args.max_faults()) {
        let spec = (**journal.spec()).clone();
        journal.renew(RunSpec { max_faults: Some(args.max_faults()), ..spec })?;
    }
    Ok(())
}

/// Prints the progress of a calibration.
fn print_progress(design: &CalibrationDesign, rounds: &[RunRecord]) {
    let Ok(ratings) = design.survey(rounds) else { return };
    // Each game counts for two players.
    let games: u64 = ratings.players.iter().map(|player| player.games).sum::<u64>() / 2;
    let widest = ratings
        .widest(&design.precision)
        .map_or_else(String::new, |widest| format!(", widest interval ± {widest:.0} Elo"));
    streams::notice(&format!("round {}: {games} games{widest}", rounds.len()));
}

fn report(
    design: &CalibrationDesign,
    rounds: &[RunRecord],
    ending: String,
) -> anyhow::Result<CalibrationReport> {
    let ratings = design
        .survey(rounds)
        .context("too few games for ratings; give more --games, or --levels closer to each other")?;
    let RunOrigin { command, machine, .. } = origin(rounds);
    let games = ratings.players.iter().map(|player| player.games).sum::<u64>() as usize / 2;
    Ok(CalibrationReport {
        title: format!("Calibration of {} by {}", design.option.engine().name, design.option.option()),
        option: design.option.option().to_owned(),
        called_by_elo: design.option.asks_for_elo(),
        provenance: Provenance { command, machine, bench: bench::run() },
        terms: match design.clock_source {
            ClockSource::Wall => design.control.to_string(),
            pace @ ClockSource::Virtual { .. } => format!("{}, clock {pace}", design.control),
        },
        ending,
        rounds: rounds.len(),
        games,
        elo_curve: EloCurve::from_survey(&ratings),
        ratings,
        error_profiles: Vec::new(),
        since: None,
    })
}

/// The machine and the commands of all rounds.
fn origin(rounds: &[RunRecord]) -> RunOrigin {
    let mut commands: Vec<&str> = rounds.iter().map(|run| run.spec().origin.command.as_str()).collect();
    // The rounds of one session have the same command.
    commands.dedup();
    let machine = rounds.first().map_or_else(machine::description, |run| run.spec().origin.machine.clone());
    RunOrigin { command: commands.join("; then "), machine, ..RunOrigin::default() }
}

fn conclude(args: &CalibrateArgs, report: &CalibrationReport) -> anyhow::Result<Exit> {
    // The result is printed even if a file can't be written.
    streams::results(&calibration::calibration_text(report))?;
    if let Some(folder) = &args.out {
        let [page, figures, curve] = REPORTS;
        let files = [
            (page, calibration::page(report).into_bytes()),
            (figures, calibration::figures(report)?),
            (curve, calibration::curve(report).into_bytes()),
        ];
        let files = files.each_ref().map(|(name, bytes)| (*name, bytes.as_slice()));
        report_folder::write(folder, &files, IfThere::forced(args.run_options.force))?;
        streams::notice(&format!("reports: {}", folder.join(page).display()));
    }
    let changed = report.since.as_ref().is_some_and(|since| since.shown().next().is_some());
    Ok(if changed { Exit::Worse } else { Exit::Fine })
}
