//! `study time`: every time manager against Classic, on virtual clocks, under each control.

use crate::args::TimeArgs;
use crate::report_sets;
use threefold::args::GameArgs;
use threefold::commands::games;
use threefold::exit::Exit;
use threefold::files;
use threefold::session::Session;
use threefold::session::journal_path::JournalPath;
use threefold_chess::clock::Control;
use threefold_echo::timeman::TimeManager;
use threefold_games::pairing::TournamentFormat;
use threefold_lab::studies::timing::{self, Trial};
use threefold_player::EngineSpec;
use threefold_run::{MatchTask, Part, Purpose, RunSpec, Task};

/// Plays every match, and writes the reports.
pub fn run(args: &TimeArgs) -> anyhow::Result<Exit> {
    let echo = files::engine("echo", &args.game.each)?;
    only_clocks(&args.game, echo.control)?;
    let trials = Trial::all(&args.controls).into_iter();
    let spec = RunSpec {
        title: "Use of the clock and Elo of each time manager".to_owned(),
        parts: trials.map(|trial| part(args, &echo, trial)).collect::<anyhow::Result<_>>()?,
        outputs: games::outputs(&args.game, timing::REPORTS.name.into())?,
        max_faults: Some(args.game.max_faults()),
        ..RunSpec::default()
    };
    let path = JournalPath::of(args.game.run.as_ref(), "time");
    Session::open(&args.game.run_options)?.run(spec, &path)?.finish(&report_sets::registry())
}

/// Refuses other limits: a time manager needs a clock.
fn only_clocks(game: &GameArgs, each: Control) -> anyhow::Result<()> {
    let given = [
        ("tc", game.tc.is_some() || each.time.is_some()),
        ("st", game.st.is_some() || each.movetime.is_some()),
        ("nodes", game.limits.nodes.is_some() || each.nodes.is_some()),
        ("depth", game.limits.depth.is_some() || each.depth.is_some()),
    ];
    let given = given.into_iter().find(|(_, given)| *given).map(|(limit, _)| limit);
    given.map_or(Ok(()), |limit| {
        anyhow::bail!(
            "`{limit}` does not apply to a study of clocks; omit it, and give time controls by --control, such as \
             --control 8+0.08 --control 40/10"
        )
    })
}

/// Echo with a manager, under its name.
fn engine(echo: &EngineSpec, manager: TimeManager) -> anyhow::Result<EngineSpec> {
    Ok(echo.with(&[("name", manager.name()), (Trial::OPTION, manager.name())])?)
}

/// One match. All matches play the same openings.
fn part(args: &TimeArgs, echo: &EngineSpec, trial: Trial) -> anyhow::Result<Part> {
    let engines = vec![engine(echo, trial.manager)?, engine(echo, Trial::BASE)?];
    let game = GameArgs { tc: Some(trial.control.to_string()), ..args.game.clone() };
    let mut task: MatchTask =
        games::task(&game, engines, TournamentFormat::Gauntlet, args.games, Purpose::Match)?;
    task.openings.truncate(task.encounters);
    Ok(Part { name: trial.to_string(), labels: trial.labels(), task: Task::Match(task) })
}
