//! Players that a worker keeps between jobs.

use std::num::NonZeroU32;
use std::time::Duration;

use super::LaunchFn;
use super::engine_launch::{grace_for, launch_options_for};
use threefold_chess::clock::{ClockSource, Control, Stop};
use threefold_player::{
    EngineFault, EngineSpec, ErrorPatterns, LaunchOptions, NoticeReceiver, Player, SpecKey, Traffic,
};
use threefold_suites::OptionOverrides;

/// The number of attempts to start an engine during a run.
pub(super) const START_ATTEMPTS: NonZeroU32 = NonZeroU32::new(3).expect("it is not 0");

/// A player kept between jobs, with its settings.
pub(super) struct CachedPlayer {
    /// The engine in the run specification.
    pub(super) spec: EngineSpec,
    /// The options that its cases set.
    pub(super) overrides: OptionOverrides,
    /// The source of its clocks.
    pub(super) clock_source: ClockSource,
    /// How long it may exceed its time, which depends on the margin of the part that launched it.
    pub(super) grace: Duration,
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

/// Why there is no player for a job.
pub(super) enum NoPlayer {
    /// The engine could not be started, which is its fault in this job.
    NotStarted(EngineFault, Box<Traffic>),
    /// The engine lacks an option, or does not accept a value.
    NotSupported(EngineFault, Box<Traffic>),
    /// The run was interrupted.
    Interrupted,
}

/// The players of a worker: it launches them, and keeps those that no job uses.
pub(super) struct PlayerCache<'c> {
    launch: &'c LaunchFn<'c>,
    pub(super) launch_options: LaunchOptions,
    idle: Vec<CachedPlayer>,
}

impl<'c> PlayerCache<'c> {
    /// No players yet.
    pub(super) fn new(launch: &'c LaunchFn<'c>, launch_options: LaunchOptions) -> Self {
        let launch_options = LaunchOptions {
            starts: START_ATTEMPTS,
            restarts: START_ATTEMPTS,
            traffic: launch_options.traffic.for_worker(),
            ..launch_options
        };
        Self { launch, launch_options, idle: Vec::new() }
    }

    /// The same with the players of the check before the first job.
    pub(super) fn with_started(self, StartedPlayers { traffic, players, notices }: StartedPlayers) -> Self {
        // The started engines keep their sender, so its receiver is exchanged.
        notices.replace(self.launch_options.notices.clone());
        let launch_options = LaunchOptions { traffic, ..self.launch_options };
        Self { launch_options, idle: players, ..self }
    }

    /// Shuts down the players that no job of a part needs: those of other engines, and those whose log is
    /// searched for other patterns.
    pub(super) fn begin_part(&mut self, engines: &[EngineSpec], patterns: &ErrorPatterns) {
        self.launch_options.traffic.set_patterns(patterns);
        // An engine has the patterns with which it was launched.
        self.idle.retain(|cached| engines.contains(&cached.spec) && *cached.traffic.patterns() == *patterns);
    }

    /// Shuts down the players that no job uses.
    pub(super) fn clear(&mut self) {
        self.idle.clear();
    }

    /// Shuts down the players with another source of clocks, to free their hash tables.
    pub(super) fn keep_clocks(&mut self, clock_source: ClockSource) {
        self.idle.retain(|cached| cached.clock_source == clock_source);
    }

    /// Gives an idle player of this engine other options, so that a game with other options needs no new
    /// process. If that fails, the player is shut down.
    ///
    /// A player with another option in addition is not used: the value that the option had before is not known.
    pub(super) fn set_options(
        &mut self,
        spec: &EngineSpec,
        options: &OptionOverrides,
        clock_source: ClockSource,
    ) {
        let is_of_engine = |it: &CachedPlayer| it.spec == *spec && it.clock_source == clock_source;
        if self.idle.iter().any(|it| is_of_engine(it) && it.overrides == *options) {
            return;
        }
        let sets = |name: &str| options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
        let can_change =
            |it: &CachedPlayer| is_of_engine(it) && it.overrides.iter().all(|(name, _)| sets(name));
        if let Some(place) = self.idle.iter().position(can_change) {
            let mut cached = self.idle.swap_remove(place);
            if cached.player.set_options(options).is_ok() {
                cached.overrides.clone_from(options);
                self.idle.push(cached);
            }
        }
    }

    /// A player for this spec with these options: an idle one, or a new one. Idle players of this spec that were
    /// launched with another time margin are shut down, since a process keeps that of its launch.
    pub(super) fn take(
        &mut self,
        spec: &EngineSpec,
        overrides: &OptionOverrides,
        clock_source: ClockSource,
        control: &Control,
    ) -> Result<CachedPlayer, NoPlayer> {
        let grace = grace_for(&self.launch_options, control);
        self.idle.retain(|cached| cached.spec != *spec || cached.grace == grace);
        let fits = |cached: &CachedPlayer| {
            cached.spec == *spec && cached.overrides == *overrides && cached.clock_source == clock_source
        };
        if let Some(index) = self.idle.iter().position(fits) {
            return Ok(self.idle.swap_remove(index));
        }
        let settings: Vec<(SpecKey, &str)> =
            overrides.iter().map(|(option, value)| (option.as_str().into(), value.as_str())).collect();
        let traffic = self.launch_options.traffic.for_engine(&spec.name);
        let set = spec.with(&settings).map_err(|error| {
            NoPlayer::NotSupported(EngineFault::Option(error.to_string()), Box::new(traffic.clone()))
        })?;
        let options = launch_options_for(&self.launch_options, clock_source, control, &traffic);
        match options.capabilities.launch(&set, clock_source, || (self.launch)(&set, &options)) {
            Ok(player) => Ok(CachedPlayer {
                spec: spec.clone(),
                overrides: overrides.clone(),
                clock_source,
                grace,
                player,
                traffic,
            }),
            Err(EngineFault::Interrupted) => Err(NoPlayer::Interrupted),
            // A start that fails while the run is stopped may fail because of that.
            Err(_) if self.stop().is_raised() => Err(NoPlayer::Interrupted),
            Err(fault @ (EngineFault::Option(_) | EngineFault::NotSupported(_))) => {
                Err(NoPlayer::NotSupported(fault, Box::new(traffic)))
            }
            Err(fault) => Err(NoPlayer::NotStarted(fault, Box::new(traffic))),
        }
    }

    /// Keeps a player that a job no longer uses.
    pub(super) fn put_back(&mut self, cached: CachedPlayer) {
        if !cached.spec.restart {
            self.idle.push(cached);
        }
    }

    /// What stops the run at once.
    pub(super) const fn stop(&self) -> &Stop {
        &self.launch_options.stop
    }
}

#[cfg(test)]
mod tests;
