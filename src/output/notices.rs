//! The lines about a run that bars, lines and the screen have in common.

use threefold_run::event::RunEvent;

/// What a person is to read about an event; `None` for one that changes figures only.
pub(crate) fn text(event: &RunEvent<'_>) -> Option<String> {
    match event {
        RunEvent::MakingTables { number } => {
            Some(format!("building {number} endgame tables before the first case"))
        }
        RunEvent::EngineSilent { notice } => Some(notice.to_string()),
        RunEvent::ResultRefused { key, worker, what } => Some(format!(
            "warning: worker {} sent a wrong result of job {}: {what}; the job is done again",
            worker.0,
            key.job + 1
        )),
        RunEvent::GamesVoid { key, number } => Some(format!(
            "warning: game {} was played again {}: its time loss was not caused by the engine; the journal keeps the void games",
            key.job + 1,
            if *number == 1 { "once".to_owned() } else { format!("{number} times") },
        )),
        RunEvent::Opened { .. }
        | RunEvent::JobStarted { .. }
        | RunEvent::JobEnded { .. }
        | RunEvent::TakesAdvanced { .. } => None,
    }
}
