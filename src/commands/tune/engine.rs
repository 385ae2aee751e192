//! The options that the engine of a tune lists.

use anyhow::Context;

use threefold_chess::clock::{ClockSource, Stop};
use threefold_chess::uci::UciOption;
use threefold_player::{EngineSource, EngineSpec, LaunchOptions, launch};

/// Starts an engine and returns its options.
///
/// # Errors
/// If it does not start.
pub(super) fn options(engine: &EngineSpec) -> anyhow::Result<Vec<UciOption>> {
    if engine.source == EngineSource::Echo {
        return Ok(echo_uci::all_options());
    }
    let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
    let player = launch(engine, &options).with_context(|| engine.name.clone())?;
    Ok(player.offers().unwrap_or_default())
}
