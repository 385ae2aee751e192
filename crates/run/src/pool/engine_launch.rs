//! What is common to all launches of engines by a pool: their options, and the errors of those that fail.

use std::time::Duration;

use super::RunError;
use crate::job::SuiteTask;
use crate::prepared::RunSpecError;
use threefold_chess::clock::{ClockSource, Control};
use threefold_games::game::GameError;
use threefold_player::{EngineFault, EngineSpec, LaunchOptions, Traffic};
use threefold_suites::Timing;

/// How long an engine may exceed its time: the margin of a match or of a suite is added.
pub(super) fn grace_for(launch_options: &LaunchOptions, control: &Control) -> Duration {
    launch_options.grace + control.margin.unwrap_or_default()
}

/// The options of the launch of an engine with this control.
pub(super) fn launch_options_for(
    launch_options: &LaunchOptions,
    clock_source: ClockSource,
    control: &Control,
    traffic: &Traffic,
) -> LaunchOptions {
    let (grace, traffic) = (grace_for(launch_options, control), traffic.clone());
    LaunchOptions { clock_source, grace, traffic, ..launch_options.clone() }
}

pub(super) fn engine_error(spec: &EngineSpec, fault: EngineFault, traffic: &Traffic) -> RunError {
    let log = traffic.fault(&fault.to_string()).log.map(Box::new);
    RunError::Engine { engine: spec.name.clone(), spec: spec.text.as_str().into(), fault, log }
}

/// The control of a suite's engine: its own, or else the margin of the suite.
pub(super) fn suite_control(task: &SuiteTask, timemargin: Option<Duration>) -> Control {
    let margin = timemargin.or(Some(Timing::TOLERANCE));
    task.engine.control.or(Control { margin, ..Control::default() })
}

/// Why a run can't continue after a game that was not played; `None` if it was interrupted. White is first.
pub(super) fn unplayed(
    part: &str,
    specs: [&EngineSpec; 2],
    traffic: [&Traffic; 2],
    error: &GameError,
) -> Option<RunError> {
    match error {
        GameError::Interrupted => None,
        GameError::NotSupported { color, fault } => {
            let side = color.fold_wb(0, 1);
            Some(engine_error(specs[side], fault.clone(), traffic[side]))
        }
        GameError::Opening(_) => {
            Some(RunSpecError::Match { part: part.to_owned(), what: error.to_string() }.into())
        }
    }
}
