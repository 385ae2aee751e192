//! The conditions under which players are launched.

use std::num::NonZeroU32;
use std::time::Duration;

use super::EngineFault;
use super::capability::Capabilities;
use super::engine_groups::EngineGroups;
use super::notice::NoticeSender;
use super::search_timeout::SearchTimeout;
use super::spec::EngineSpec;
use super::suspension::SuspendableClock;
use super::traffic::Traffic;
use super::unknown_options::UnknownOptions;
use threefold_chess::clock::{ClockSource, Limits, Stop};

/// The conditions of a launch: the same for every player of a run.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The source of clocks. With a virtual pace an engine must offer `nodestime`, which is then set.
    pub clock_source: ClockSource,
    /// Raising it makes every question return [`EngineFault::Interrupted`] at once.
    pub stop: Stop,
    /// How long an engine may take to answer `uci`, to set its options and to begin a new game.
    pub startup: Duration,
    /// How long an engine may exceed its own time before it gets `stop`, and how long it then has to answer
    /// before it is killed. A match adds its margin.
    pub grace: Duration,
    /// The longest time of a search that no wall clock limits: by nodes, depth or mate, or with virtual
    /// clocks.
    pub search_timeout: SearchTimeout,
    /// How often an engine is started by its launch before it counts as not startable.
    pub starts: NonZeroU32,
    /// The same for each later start of its player, such as the one after a crash.
    pub restarts: NonZeroU32,
    /// Receives notices of engines that are silent for long, in a search without a clock or before they are
    /// ready.
    pub notices: NoticeSender,
    /// How long a silence is before a notice.
    pub notice_after: Duration,
    /// The process groups of engines.
    pub groups: EngineGroups,
    /// What the engines of the run are known to lack.
    pub capabilities: Capabilities,
    /// What becomes of options that an engine does not offer.
    pub unknown_options: UnknownOptions,
    /// The clock for all times.
    pub clock: SuspendableClock,
    /// Records the traffic with engines. A player launched with the traffic of another engine shares it;
    /// otherwise it gets its own.
    pub traffic: Traffic,
}

impl LaunchOptions {
    /// For wall time or virtual clocks, with timeouts that suit a loaded machine.
    pub fn new(clock_source: ClockSource, stop: Stop) -> Self {
        let clock = SuspendableClock::default();
        Self {
            traffic: Traffic::new(&clock),
            clock_source,
            stop,
            startup: Duration::from_secs(10),
            grace: Duration::from_secs(1),
            search_timeout: SearchTimeout::default(),
            starts: NonZeroU32::MIN,
            restarts: NonZeroU32::MIN,
            notices: NoticeSender::default(),
            notice_after: Duration::from_secs(10),
            groups: EngineGroups::default(),
            capabilities: Capabilities::default(),
            unknown_options: UnknownOptions::default(),
            clock,
        }
    }

    /// Does wall time limit a search with these limits?
    pub(super) fn is_timed(&self, limits: &Limits) -> bool {
        match self.clock_source {
            ClockSource::Wall => limits.clocks.is_some() || limits.movetime.is_some(),
            ClockSource::Virtual { .. } => false,
        }
    }

    /// The value of the engine's `nodestime`, in nodes per millisecond; `None` for wall time.
    pub(super) fn nodes_a_millisecond(&self, spec: &EngineSpec) -> Result<Option<u32>, EngineFault> {
        let ClockSource::Virtual { nodes_per_second } = self.clock_source else { return Ok(None) };
        let nodes = nodes_per_second.get();
        if nodes % 1000 != 0 {
            let text = format!(
                "`nodestime` counts nodes a millisecond, so {nodes} nodes a second can't be set; use thousands"
            );
            return Err(EngineFault::Option(text));
        }
        if spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("nodestime")) {
            let text = "`nodestime` is set by the virtual clock; leave it out, or play with wall clocks";
            return Err(EngineFault::Option(text.to_owned()));
        }
        Ok(Some(nodes / 1000))
    }
}
