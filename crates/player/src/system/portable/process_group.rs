//! Process groups do not exist here: the harness ends an engine alone, not what the engine has started.

use std::process::Command;

/// Leaves the command as it is.
pub(crate) fn isolate(_: &mut Command) {}

/// Kills nothing. [`std::process::Child::kill`] ends the engine itself.
pub(crate) fn kill(_leader: u32) {}

/// Stops nothing.
pub(crate) fn stop(_leader: u32) {}

/// Resumes nothing.
pub(crate) fn resume(_leader: u32) {}
