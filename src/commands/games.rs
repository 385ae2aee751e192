//! What the commands that play games share: openings, the match that the options describe, and its outputs.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::args::GameArgs;
use crate::exit::Exit;
use crate::input::by_name;
use crate::input::search_limits;
use crate::machine::check::MachineCheck;
use crate::session::Session;
use crate::session::journal_path::JournalPath;
use crate::streams;
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::score::Ply;
use threefold_games::opening::{self, BookFormat, Opening, OpeningSelection};
use threefold_games::pairing::{Schedule, ScheduleRules, TournamentFormat};
use threefold_player::EngineSpec;
use threefold_player::output_file::{IfThere, OutputError};
use threefold_report::Registry;
use threefold_run::job::{Outputs, ReportSetName, Undecided};
use threefold_run::pool::Preflight;
use threefold_run::{MatchTask, Purpose, RunSpec, single_match};

/// The number of openings that are read even for fewer rounds, so that `resume --games` can lengthen the run.
const OPENINGS_AT_LEAST: usize = 10_000;

/// The result that is printed.
#[derive(Clone, Copy)]
pub(super) struct Printed {
    /// Its form.
    pub(super) form: PrintedForm,
    /// The exit code of an undecided test.
    pub(super) undecided: Undecided,
}

/// The form of the printed result.
#[derive(Clone, Copy)]
pub(super) enum PrintedForm {
    /// Tables and sentences.
    Text,
    /// One JSON object.
    Json,
    /// Five lines, in the form of OpenBench.
    Block,
}

impl PrintedForm {
    /// From the flags of a command.
    pub(super) const fn of_flags(flags: &PrintedFlags) -> Self {
        match (flags.json, flags.markdown) {
            (true, _) => Self::Json,
            (false, true) => Self::Block,
            (false, false) => Self::Text,
        }
    }
}

/// The flags of the printed result.
#[derive(Debug, Args)]
pub struct PrintedFlags {
    /// Print the result as one JSON object, the one of report.json
    #[arg(long)]
    pub json: bool,
    /// Print the result of a match of two engines in a few lines, in the form of OpenBench, as Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// Plays a match to its end.
pub(super) fn play(
    command: &str,
    args: &GameArgs,
    task: MatchTask,
    printed: Printed,
) -> anyhow::Result<Exit> {
    let check = check_of(&task, args);
    play_run(command, args, single_match::spec(command, task), check, printed)
}

/// Plays the games of a run to their end.
pub(super) fn play_run(
    command: &str,
    args: &GameArgs,
    games: RunSpec,
    check: Option<MachineCheck>,
    printed: Printed,
) -> anyhow::Result<Exit> {
    let spec = run_spec(args, games, printed)?;
    let mut session = session(args, check)?;
    session.run(spec, &JournalPath::of(args.run.as_ref(), command))?.finish(&Registry::built_in())
}

/// The specification of a run of games with its outputs, after a check that these can be written.
pub(super) fn run_spec(args: &GameArgs, games: RunSpec, printed: Printed) -> anyhow::Result<RunSpec> {
    let report_set = match printed.form {
        PrintedForm::Text => ReportSetName::default(),
        PrintedForm::Json => ReportSetName::RESULT.into(),
        PrintedForm::Block => ReportSetName::BLOCK.into(),
    };
    Ok(RunSpec {
        outputs: outputs(args, report_set)?,
        max_faults: Some(args.max_faults()),
        undecided: printed.undecided,
        warnings: args.warnings(),
        ..games
    })
}

/// The workers of a run of games, whose engines are asked for a first move.
pub(super) fn session(args: &GameArgs, check: Option<MachineCheck>) -> anyhow::Result<Session<'static>> {
    let mut session = Session::open(&args.run_options)?;
    session.pool.preflight = Preflight::FirstMove;
    session.machine_check = check;
    Ok(session)
}

/// The check whether this machine is fit for the games, if they need one.
pub(super) fn check_of(task: &MatchTask, args: &GameArgs) -> Option<MachineCheck> {
    (args.machine_check > 0 && task.is_on_wall_clocks())
        .then(|| machine_check(task, args.run_options.workers(), args.machine_check))
}

/// The check whether this machine is fit for the games.
fn machine_check(task: &MatchTask, games: NonZeroUsize, seconds: u16) -> MachineCheck {
    let threads = task.engines.iter().map(EngineSpec::threads).max().unwrap_or(1);
    // While one engine thinks, the other does, too.
    let threads = if task.engines.iter().any(|engine| engine.ponder) { 2 * threads } else { threads };
    let schedule = task.schedule();
    let encounters = schedule.result_rounds().map_or(1, |all| all.encounters);
    let most = NonZeroUsize::new(schedule.games().saturating_mul(encounters));
    let games = games.min(most.unwrap_or(games));
    MachineCheck { games, threads, time: Duration::from_secs(seconds.into()) }
}

/// The outputs of a match, after a check that the files of games can be written.
pub fn outputs(args: &GameArgs, report_set: ReportSetName) -> anyhow::Result<Outputs> {
    let files = &args.files;
    anyhow::ensure!(
        !files.append || files.pgn.is_some() || files.epd_out.is_some(),
        "--append: there is no file to add games to; give --pgn FILE or --epd-out FILE"
    );
    let if_there = if files.append { IfThere::Append } else { IfThere::forced(args.run_options.force) };
    let outputs = Outputs {
        reports: args.out.clone(),
        games: files.pgn.clone(),
        prints_checksum: files.pgn_crc32,
        final_positions: files.epd_out.clone(),
        report_set,
        ..Outputs::default()
    };
    outputs.begun(if_there, if_there).map_err(|error| match error {
        OutputError::Exists { path } => anyhow::anyhow!(
            "{}: exists already; give --append to add the games to it, --force to replace it, or another name",
            path.display()
        ),
        error => error.into(),
    })
}

/// The match that the command line describes, under the usual rules of its schedule.
pub fn task(
    args: &GameArgs,
    engines: Vec<EngineSpec>,
    format: TournamentFormat,
    games: usize,
    purpose: Purpose,
) -> anyhow::Result<MatchTask> {
    task_with(args, engines, format, args.rules(), games, purpose)
}

/// The same with these rules of the schedule.
pub(super) fn task_with(
    args: &GameArgs,
    engines: Vec<EngineSpec>,
    format: TournamentFormat,
    rules: ScheduleRules,
    games: usize,
    purpose: Purpose,
) -> anyhow::Result<MatchTask> {
    let pairs = whole_pairs(games, engines.len(), format, rules);
    let rounds = pairs / meetings(engines.len(), format, rules).max(1);
    // Each round that depends on results goes on in the book.
    let schedule = Schedule { players: engines.len(), format, encounters: pairs, openings: 0, rules };
    let rounds = rounds * schedule.result_rounds().map_or(1, |all| all.rounds);
    let selection = OpeningSelection {
        order: args.order.parse().context("--order")?,
        start: args.start,
        most: rounds.max(OPENINGS_AT_LEAST),
    };
    let openings = openings(&args.openings, selection, args.plies)?;
    if openings.len() < rounds {
        let size = openings.len();
        args.run_options.inform(&format!(
            "{size} openings for {rounds} rounds: from round {} on they are played again",
            size + 1
        ));
    }
    let control = control(args)?;
    check_limits(&engines, control)?;
    search_limits::warn(engines.iter().map(|engine| engine.control.or(control)));
    let pace: ClockSource = args.clock.parse().context("--clock")?;
    Ok(MatchTask {
        format,
        rules,
        control,
        clock_source: pace,
        adjudication: args.adjudication.read()?,
        purpose,
        wait: Duration::from_millis(args.wait),
        pgn: args.files.options(),
        ..MatchTask::new(engines, openings, pairs)
    })
}

/// Fails if an engine has no search limit, of its own or of the match.
pub(super) fn check_limits(engines: &[EngineSpec], control: Control) -> anyhow::Result<()> {
    let boundless = engines.iter().find(|engine| engine.control.or(control).is_infinite());
    if let Some(engine) = boundless {
        anyhow::bail!(
            "`{}` has no search limit; give --tc 8+0.08, --st 1, --nodes 20000 or --depth 8",
            engine.name
        );
    }
    Ok(())
}

/// The number of encounters (pairs, or single games) for a number of games: whole rounds of all pairings.
pub fn whole_pairs(games: usize, engines: usize, format: TournamentFormat, rules: ScheduleRules) -> usize {
    games.div_ceil(rules.encounter.games()).next_multiple_of(meetings(engines, format, rules).max(1))
}

/// Number of pairings in a round; each is one encounter.
pub const fn meetings(players: usize, format: TournamentFormat, rules: ScheduleRules) -> usize {
    Schedule { players, format, encounters: 0, openings: 0, rules }.pairings()
}

/// The openings of a book, in playing order. Only these are checked.
pub fn openings(
    book: &Path,
    selection: OpeningSelection,
    plies: Option<u16>,
) -> anyhow::Result<Vec<Opening>> {
    let book = by_name::book(book)?;
    let name = &book.name;
    anyhow::ensure!(
        plies.is_none() || book.format == BookFormat::Pgn,
        "--plies: {name} is an EPD file, which has no moves; omit --plies, or give a PGN file"
    );
    let openings = book
        .read_selected(book.format, plies.map(Ply), |size| selection.indices(size))
        .with_context(|| name.clone())?;
    let duplicates = opening::duplicates(&openings).len();
    if duplicates > 0 {
        streams::notice(&format!(
            "{name}: {duplicates} openings lead to the same position as an earlier one"
        ));
    }
    Ok(openings)
}

/// All openings of a book in this order.
pub fn all_openings(book: &Path, order: &str) -> anyhow::Result<Vec<Opening>> {
    let order = order.parse().context("--order")?;
    openings(book, OpeningSelection { order, start: NonZeroUsize::MIN, most: usize::MAX }, None)
}

fn control(args: &GameArgs) -> anyhow::Result<Control> {
    search_limits::control(args.tc.as_deref(), args.st.as_deref(), args.limits.nodes, args.limits.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_games::pairing::EncounterLength;

    #[test]
    fn games_are_rounded_up_to_whole_rounds() {
        // games, engines, format, pairs
        for (games, engines, format, pairs) in [
            (100, 2, TournamentFormat::Gauntlet, 50),
            (101, 2, TournamentFormat::RoundRobin, 51),
            (10, 3, TournamentFormat::RoundRobin, 6),
            (10, 3, TournamentFormat::Gauntlet, 6),
        ] {
            assert_eq!(whole_pairs(games, engines, format, ScheduleRules::default()), pairs);
        }
        let single = ScheduleRules { encounter: EncounterLength::Single, ..ScheduleRules::default() };
        assert_eq!(whole_pairs(7, 2, TournamentFormat::Gauntlet, single), 7);
    }
}
