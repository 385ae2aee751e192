//! Launches the player of a spec.

use std::path::Path;
use std::process::Command;

use super::builtin::BuiltinPlayer;
use super::child::ChildEngine;
use super::fault_injector::FaultInjector;
use super::launch_options::LaunchOptions;
use super::program_path::program_path;
use super::spec::{EngineSource, EngineSpec};
use super::{EngineFault, Player};

/// Launches the player of the spec, ready for its first question.
pub fn launch(spec: &EngineSpec, options: &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> {
    match spec.fault {
        Some(fault) => {
            Ok(Box::new(FaultInjector::launch(fault, spec, |spec| launch_without_fault(spec, options))?))
        }
        None => launch_without_fault(spec, options),
    }
}

/// Launches the engine of a spec, without the fault that the spec may inject.
fn launch_without_fault(spec: &EngineSpec, options: &LaunchOptions) -> Result<Box<dyn Player>, EngineFault> {
    match &spec.source {
        EngineSource::Echo => Ok(Box::new(BuiltinPlayer::launch(spec, options)?)),
        EngineSource::Command { program, args, dir } => {
            let command = build_command(program, args, dir.as_deref());
            Ok(Box::new(ChildEngine::launch(command, spec, options)?))
        }
    }
}

fn build_command(program: &str, args: &[String], dir: Option<&Path>) -> Command {
    let mut command = Command::new(program_path(program));
    command.args(args);
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    command
}
