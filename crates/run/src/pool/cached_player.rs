//! Players that a worker keeps between jobs.

use threefold_chess::clock::ClockSource;
use threefold_player::{EngineSpec, NoticeReceiver, Player, Traffic};
use threefold_suites::OptionOverrides;

/// A player kept between jobs, with its settings.
pub(super) struct CachedPlayer {
    /// The engine in the run specification.
    pub(super) spec: EngineSpec,
    /// The options that its cases set.
    pub(super) overrides: OptionOverrides,
    /// The source of its clocks.
    pub(super) clock_source: ClockSource,
    /// The player.
    pub(super) player: Box<dyn Player>,
    /// Its traffic, with the jobs of its worker.
    pub(super) traffic: Traffic,
}

/// Players that the check started, for the first worker.
pub(super) struct StartedPlayers {
    /// The traffic of that worker.
    pub(super) traffic: Traffic,
    /// The players.
    pub(super) players: Vec<CachedPlayer>,
    /// Where their notices go.
    pub(super) notices: NoticeReceiver,
}
