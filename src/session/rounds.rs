//! Runs a prepared run to its end, in one session of the pool or several. Later rounds of a tournament, lost
//! cases that are asked again, and the test of a tune's result depend on earlier results, so each has a
//! session.

use std::sync::Arc;

use crate::args::RunOptions;
use crate::exit::Exit;
use crate::input::{known_options, repository};
use crate::machine::check::{MachineCheck, machine_warning};
use crate::output::events::EventFile;
use crate::output::game_file::GameFiles;
use crate::session::fleet_link;
use crate::session::not_started;
use crate::session::outcome::{FinishedRun, RunOutcome};
use crate::session::run_view::RunView;
use crate::streams;
use threefold_player::EngineBuild;
use threefold_player::output_file::OutputError;
use threefold_report::format::grouped;
use threefold_run::event::RunEvent;
use threefold_run::journal::Journal;
use threefold_run::pool::{PoolConfig, PreparedPool, RunStatus};
use threefold_run::regress::asked_again;
use threefold_run::{RunRecord, RunSpec, tournament, tune};

/// The treatment of a run whose engine is another build than at its start.
#[derive(Debug, Clone, Copy)]
pub enum ChangedEngines<'r> {
    /// Continue; the journal records which build ran which job.
    Allowed,
    /// Refuse, with this remedy.
    Refused(&'r str),
}

/// The conditions under which a run is done.
pub(super) struct RunConditions<'c> {
    /// The workers.
    pub(super) pool: &'c PoolConfig<'static>,
    /// The check of the machine while the first games run.
    pub(super) machine_check: Option<MachineCheck>,
    /// The options of the command.
    pub(super) options: &'c RunOptions,
    /// The command that continues the run, where that is not `resume`.
    pub(super) continue_command: Option<&'c str>,
}

/// Runs to the end or to an interruption, with progress on standard error. Each round is a pass of the loop:
/// see [`later_round`].
pub(super) fn run_to_end(
    mut ready: PreparedPool,
    mut journal: Journal,
    mut games: Option<GameFiles>,
    conditions: &RunConditions<'_>,
    observe: &mut dyn FnMut(&RunEvent<'_>),
) -> anyhow::Result<RunOutcome> {
    let &RunConditions { pool, mut machine_check, options: run_options, continue_command } = conditions;
    not_started::remove_reports(journal.spec());
    fleet_link::set_journal(journal.file());
    let mut events = not_started::events(journal.spec(), run_options)?;
    // The journal has all games, so a PGN file that can't be written ends the run with an error only after
    // its last game.
    let mut written = Ok(());
    let mut view = RunView::open(run_options, pool)?;
    let worked = loop {
        view.begin(&journal)?;
        let notify = view.notifier();
        let begin =
            |check: MachineCheck| check.begin(pool.cpus.clone(), move |text| notify(&machine_warning(text)));
        let check = machine_check.take().map(begin);
        let worked = ready.run(&mut journal, pool, &mut |event| {
            if let Some(Err(error)) = games.as_mut().map(|games| write_games(games, event, &view)) {
                written = Err(error);
            }
            if let Some(events) = &mut events {
                events.take(event);
            }
            if let RunEvent::Opened { offers, .. } = event {
                known_options::remember(offers);
            }
            view.show(event);
            observe(event);
        });
        // Dropping the check waits for its thread, which may still write to the display.
        drop(check);
        view.end();
        match worked.map_err(anyhow::Error::from).and_then(|status| next_round(status, &mut journal, pool)) {
            Ok(NextRound::Ready(next)) => {
                ready = *next;
                if let Some(games) = &mut games {
                    games.extend(journal.spec(), ready.builds());
                }
            }
            Ok(NextRound::None(status)) => break Ok(status),
            Err(error) => break Err(error),
        }
    };
    // Closing the screen restores the terminal before anything is printed.
    drop(view);
    match worked {
        Ok(status) => outcome_of(status, &journal, written, events, conditions),
        Err(error) => {
            print_how_to_continue(&journal, "stopped", continue_command);
            // The error of the run is the one to report.
            _ = events.map(|events| events.finish(Exit::of(&error), &error.to_string()));
            Err(error)
        }
    }
}

/// The outcome of a run that no error ended.
fn outcome_of(
    status: RunStatus,
    journal: &Journal,
    written: Result<(), OutputError>,
    events: Option<EventFile>,
    conditions: &RunConditions<'_>,
) -> anyhow::Result<RunOutcome> {
    match status {
        RunStatus::Finished => Ok(RunOutcome::Finished(Box::new(FinishedRun {
            run: RunRecord::from_journal(journal)?,
            journal: journal.file().to_owned(),
            games: written,
            writes_baseline: true,
            events,
            run_options: conditions.options.clone(),
        }))),
        RunStatus::ShardFinished => {
            let text = shard_text(journal)?;
            streams::result(&text)?;
            events.map_or(Ok(()), |events| events.finish(Exit::Fine, &text))?;
            Ok(RunOutcome::ShardFinished)
        }
        RunStatus::Interrupted => {
            print_how_to_continue(journal, "interrupted", conditions.continue_command);
            events.map_or(Ok(()), |events| events.finish(Exit::Interrupted, "interrupted"))?;
            Ok(RunOutcome::Interrupted)
        }
    }
}

/// Writes a game to its file, and prints the checksums.
fn write_games(games: &mut GameFiles, event: &RunEvent<'_>, view: &RunView) -> Result<(), OutputError> {
    match games.handle(event) {
        Ok(checksums) => checksums.iter().for_each(|line| view.notice(line)),
        Err(error) => {
            view.notice(&format!("{error}; the run continues, and the journal keeps all games"));
            return Err(error);
        }
    }
    Ok(())
}

/// `shard 2/4 is finished: 320 results in run.sqlite`, and how to merge the journals.
fn shard_text(journal: &Journal) -> anyhow::Result<String> {
    let (shard, file) = (journal.spec().shard, journal.file().display());
    let number = shard.map_or_else(String::new, |shard| format!("shard {shard} is finished: "));
    let faults =
        if RunRecord::from_journal(journal)?.has_stopped_shard() { "; engine faults stopped it" } else { "" };
    Ok(format!(
        "{number}{} results in {file}{faults}\nmerge the journals of all shards with `threefold merge`",
        grouped(journal.results() as u64)
    ))
}

/// Says why a run is not finished, and how to continue.
fn print_how_to_continue(journal: &Journal, why: &str, command: Option<&str>) {
    let resume = || format!("{} {}", fleet_link::resume_command(), journal.file().display());
    let command = command.map_or_else(resume, str::to_owned);
    streams::notice(&format!("\n{why}; all finished games and cases are saved. Continue with:\n  {command}"));
}

/// What follows when the parts of a run are finished.
enum NextRound {
    /// Another round, prepared.
    Ready(Box<PreparedPool>),
    /// No other round; the status of the run.
    None(RunStatus),
}

/// The specification of a finished run with its next round: of a tournament, of lost cases that are asked
/// again, or of the test of a tune's result. `None` if there is none.
pub fn later_round(run: &RunRecord) -> Option<RunSpec> {
    tournament::next_round(run).or_else(|| asked_again::next_round(run)).or_else(|| tune::next_round(run))
}

/// Adds the next round to the journal and prepares it, if the present one is finished.
fn next_round(status: RunStatus, journal: &mut Journal, pool: &PoolConfig<'_>) -> anyhow::Result<NextRound> {
    let spec = journal.spec();
    // All results are read from the journal only if the run may have another round.
    let has_rounds = spec.tournament.is_some() || spec.baseline.is_some() || spec.tune.is_some();
    if status != RunStatus::Finished || !has_rounds {
        return Ok(NextRound::None(status));
    }
    let Some(spec) = later_round(&RunRecord::from_journal(journal)?) else {
        return Ok(NextRound::None(status));
    };
    // From here on the journal has the new parts, so `resume` finds them even if no job of them begins.
    journal.renew(spec)?;
    let changed =
        ChangedEngines::Refused("restore that build, or continue by `resume --allow-changed-engine`");
    Ok(NextRound::Ready(Box::new(prepare(Arc::clone(journal.spec()), pool, journal, changed)?)))
}

/// Prepares the jobs of a specification that a journal lacks, without changing the journal.
pub(super) fn prepare(
    spec: Arc<RunSpec>,
    pool: &PoolConfig<'_>,
    journal: &Journal,
    changed: ChangedEngines<'_>,
) -> anyhow::Result<PreparedPool> {
    let ready = PreparedPool::to_resume_as(spec, journal, pool)?.with_commits(repository::commit_of);
    if let ChangedEngines::Refused(remedy) = changed {
        check_builds(journal, ready.builds(), remedy)?;
    }
    Ok(ready)
}

/// Fails if an engine is another build than in the journal's last session.
fn check_builds(journal: &Journal, builds: &[EngineBuild], remedy: &str) -> anyhow::Result<()> {
    let sessions = journal.contents().sessions()?;
    for now in builds {
        // Only the last session counts: a change that the user allowed earlier is not reported again.
        let earlier = sessions.last().into_iter().flatten().find(|build| build.engine == now.engine);
        let changes = earlier.map(|earlier| earlier.changes(now)).unwrap_or_default();
        anyhow::ensure!(
            changes.is_empty(),
            "engine `{}` has changed since the run was started: {}; {remedy}",
            now.engine,
            changes.join("; ")
        );
    }
    Ok(())
}
