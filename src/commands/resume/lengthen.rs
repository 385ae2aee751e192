//! `resume --games N` and `resume --budget TIME`: more games of a match, or of a test without a decision.
//!
//! A schedule of more games begins with the same games, so the lengthened run has the results of a run that
//! had this length from the start. The run has its own openings: where it needs more than 10,000 of a larger
//! book, those are played again.

use std::num::NonZeroUsize;
use std::time::Duration;

use anyhow::Context;

use super::ResumeArgs;
use crate::commands::games::whole_pairs;
use crate::session::origin;
use threefold_run::job::Purpose;
use threefold_run::journal::Journal;
use threefold_run::{MatchTask, PartEnding, RunRecord, RunSpec, Task};

/// Gives a match of a journal more games or more time.
pub(super) fn lengthen(
    journal: &mut Journal,
    args: &ResumeArgs,
    at_once: NonZeroUsize,
) -> anyhow::Result<()> {
    let file = args.run.display();
    let spec = (**journal.spec()).clone();
    if let Some(games) = &spec.tournament {
        anyhow::bail!(
            "{file}: is a {} tournament, whose encounters depend on the results; begin a new one with other --games",
            games.format
        );
    }
    anyhow::ensure!(
        spec.takes.is_none(),
        "{file}: is a run of several takes, whose games depend on the results of all; begin a new one with other --games"
    );
    anyhow::ensure!(
        spec.tune.is_none(),
        "{file}: is a tune, whose gains depend on its length; begin a new one with other --games, from the tuned values"
    );
    let (index, task) = chosen(&spec, args.part.as_deref()).with_context(|| file.to_string())?;
    let name = &spec.parts[index].name;
    let present = RunRecord::from_journal(journal)?;
    check_ending(present.parts()[index].progress.ending).with_context(|| format!("{file}: `{name}`"))?;
    let task = longer(task, args, at_once).with_context(|| format!("{file}: `{name}`"))?;
    let mut spec = spec.clone();
    spec.parts[index].task = Task::Match(task);
    spec.origin.command = format!("{} && {}", spec.origin.command, origin::command(&args.run_options));
    // The new length is tried in memory. The journal changes only if it leaves jobs to do.
    let longer = RunRecord::under(journal, spec.clone())?;
    let name = &spec.parts[index].name;
    anyhow::ensure!(
        longer.parts()[index].progress.ending.is_none(),
        "{file}: `{name}` has used up its {}",
        if args.budget.is_some() { "games; give --games, too" } else { "time; give --budget, too" }
    );
    journal.renew(spec)?;
    Ok(())
}

/// The match with a name, or the only one.
fn chosen<'s>(spec: &'s RunSpec, part: Option<&str>) -> anyhow::Result<(usize, &'s MatchTask)> {
    let matches: Vec<(usize, &str, &MatchTask)> = (spec.parts.iter().enumerate())
        .filter_map(|(index, part)| match &part.task {
            Task::Match(task) => Some((index, part.name.as_str(), task)),
            Task::Suite(_) => None,
        })
        .collect();
    let names = || matches.iter().map(|(_, name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match (part, &matches[..]) {
        (_, []) => anyhow::bail!("the run has no match or test that can be lengthened"),
        (None, [(index, _, task)]) => Ok((*index, task)),
        (None, _) => anyhow::bail!("the run has several matches: {}; name one with --part", names()),
        (Some(part), _) => {
            let found = matches.iter().find(|(_, name, _)| *name == part);
            let (index, _, task) = found
                .with_context(|| format!("--part: the run has no match `{part}`; it has {}", names()))?;
            Ok((*index, task))
        }
    }
}

/// Refuses a match to which no game can be added.
fn check_ending(ending: Option<PartEnding>) -> anyhow::Result<()> {
    match ending {
        Some(ending @ (PartEnding::AcceptedH1 | PartEnding::AcceptedH0)) => anyhow::bail!(
            "the test is decided ({ending}), and further games would not count; begin a new test with other bounds"
        ),
        Some(PartEnding::NoNewGames) => anyhow::bail!(
            "the test has played every opening, and further games only repeat earlier ones; begin a new test with more openings"
        ),
        Some(PartEnding::DependsOnFaults) => anyhow::bail!(
            "the test accepts one hypothesis with the pairs that had an engine fault and the other without them; correct the \
             engine, and begin a new test"
        ),
        Some(PartEnding::TooManyFaults) => {
            anyhow::bail!("was stopped by engine faults; correct the engine, or give --max-faults, too")
        }
        Some(
            PartEnding::Complete
            | PartEnding::Undecided
            | PartEnding::FailedCases
            | PartEnding::AnotherPassed,
        )
        | None => Ok(()),
    }
}

/// The match with the new numbers.
fn longer(task: &MatchTask, args: &ResumeArgs, at_once: NonZeroUsize) -> anyhow::Result<MatchTask> {
    anyhow::ensure!(
        task.purpose != Purpose::Calibration,
        "is a calibration, whose number of rounds is part of its design; begin a new one"
    );
    anyhow::ensure!(
        task.test().is_none_or(|rule| !rule.has_deadline()),
        "is a test with a deadline, whose error probabilities hold for the length that was fixed beforehand; begin a new test"
    );
    let mut task = task.clone();
    if let Some(games) = args.games {
        let present = task.schedule().games();
        let pairs = whole_pairs(games, task.engines.len(), task.format, task.rules);
        anyhow::ensure!(
            pairs > task.encounters,
            "--games {games}: the run has {present} games already; give more"
        );
        task.encounters = pairs;
    }
    if let Some(time) = args.budget {
        let present = task.budget.context("--budget: has no time budget; give --games")?;
        // In a second, each of the games that run at a time uses a second of thinking time.
        let budget = time.saturating_mul(u32::try_from(at_once.get()).unwrap_or(u32::MAX));
        anyhow::ensure!(
            budget > present,
            "--budget: the test has {} at {at_once} games at a time already; give more",
            whole_seconds(present / u32::try_from(at_once.get()).unwrap_or(u32::MAX))
        );
        task.budget = Some(budget);
    }
    Ok(task)
}

/// `90s`, as `--budget` accepts it.
fn whole_seconds(time: Duration) -> String {
    format!("{}s", time.as_secs())
}
