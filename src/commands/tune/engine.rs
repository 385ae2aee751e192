//! The options that the engine of a tune lists.

use std::time::Duration;

use anyhow::Context;

use threefold_chess::clock::{ClockSource, Stop};
use threefold_chess::uci::UciOption;
use threefold_player::{EngineSource, EngineSpec, LaunchOptions, launch};

/// Starts an engine and returns its options; `startup` is the time limit of --startup.
///
/// # Errors
/// If it does not start.
pub(super) fn options(engine: &EngineSpec, startup: Option<Duration>) -> anyhow::Result<Vec<UciOption>> {
    if engine.source == EngineSource::Echo {
        return Ok(echo_uci::all_options());
    }
    let mut options = LaunchOptions::new(ClockSource::Wall, Stop::default());
    options.startup = startup.unwrap_or(options.startup);
    let player = launch(engine, &options).with_context(|| engine.name.clone())?;
    Ok(player.offers().unwrap_or_default())
}
