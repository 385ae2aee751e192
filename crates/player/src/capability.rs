//! What the engines of a run lack, and how they are asked for what UCI does not define.
//!
//! An engine is asked once in a run, by a fixed question that does not depend on the case. So the cases of a
//! suite that all need the same thing are skipped at once and with the same text, whichever of them comes
//! first and whatever runs in parallel.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::{EngineFault, EngineSpec};
use threefold_chess::clock::ClockSource;

/// The number of totals that an engine prints for one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PrintedTotals {
    /// That of the depth.
    One,
    /// One for each depth up to it, or other lines that look like a total.
    Several,
}

/// How an engine is asked for leaf counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PerftMethod {
    /// By a command after `position`.
    Command {
        /// `go perft` or `perft`; the depth follows.
        words: &'static str,
        /// What it prints.
        printed: PrintedTotals,
    },
    /// By the arguments `perft D FEN` of a process of its own.
    Arguments {
        /// Does it count from the given position? If not, it always counts from the start position.
        takes_fen: bool,
    },
}

/// An engine that does not end at this number of `quit` in a row is killed at once from then on: a run starts some engines
/// hundreds of times.
const IGNORED_QUITS: u32 = 3;

/// An engine and the source of its clock.
type Launched = (String, String);
/// What the engine can do, or the reason why it can't; `None` until it is asked.
type Slot<T> = Arc<Mutex<Option<Result<T, String>>>>;
/// A slot for each engine.
type Slots<T> = Arc<Mutex<BTreeMap<String, Slot<T>>>>;

/// What is known of the engines of a run. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Capabilities {
    /// Why an engine does not start with its options, by engine and clock.
    refusals: Arc<Mutex<BTreeMap<Launched, EngineFault>>>,
    perft: Slots<PerftMethod>,
    searchmoves: Slots<()>,
    keeps_searchmoves: Slots<bool>,
    /// The engines that have ignored a `go` soon after their last move.
    need_rest: Arc<Mutex<BTreeSet<String>>>,
    /// Is there one of them?
    some_need_rest: Arc<AtomicBool>,
    /// The engines that have searched although none of their threads was running.
    sleepers: Arc<Mutex<BTreeSet<String>>>,
    /// How often in a row an engine did not end at `quit`.
    ignored_quits: Arc<Mutex<BTreeMap<String, u32>>>,
    /// The engines that were stopped because they searched on long after their node limit.
    ignore_node_limits: Arc<Mutex<BTreeSet<String>>>,
}

impl Capabilities {
    /// Launches an engine, unless it is known to lack one of its options.
    pub fn launch<P>(
        &self,
        spec: &EngineSpec,
        clock_source: ClockSource,
        launch: impl FnOnce() -> Result<P, EngineFault>,
    ) -> Result<P, EngineFault> {
        let key = (spec.text.clone(), clock_source.to_string());
        if let Some(fault) = locked(&self.refusals).get(&key) {
            return Err(fault.clone());
        }
        let launched = launch();
        // Other faults may not occur at the next start.
        if let Err(fault @ (EngineFault::Option(_) | EngineFault::NotSupported(_))) = &launched {
            locked(&self.refusals).insert(key, fault.clone());
        }
        launched
    }

    /// Must the engine be idle before it is asked again? Some engines ignore a `go` that comes while their
    /// search thread is still returning from the last search.
    pub(super) fn needs_rest(&self, spec: &str) -> bool {
        // This is asked before each `go`, and few engines need a rest: the flag saves the lock.
        self.some_need_rest.load(Ordering::Acquire) && locked(&self.need_rest).contains(spec)
    }

    /// The engine has ignored a `go`.
    pub(super) fn set_needs_rest(&self, spec: &str) {
        // The set before the flag: a reader that finds the flag then finds the engine.
        locked(&self.need_rest).insert(spec.to_owned());
        self.some_need_rest.store(true, Ordering::Release);
    }

    /// Can it search although none of its threads is running, for example on another machine?
    pub(super) fn sleeps(&self, spec: &str) -> bool {
        locked(&self.sleepers).contains(spec)
    }

    /// It has searched although none of its threads was running.
    pub(super) fn set_sleeps(&self, spec: &str) {
        locked(&self.sleepers).insert(spec.to_owned());
    }

    /// Does it not end at `quit`? Then it need not be waited for.
    pub(super) fn ignores_quit(&self, spec: &str) -> bool {
        locked(&self.ignored_quits).get(spec).is_some_and(|&times| times >= IGNORED_QUITS)
    }

    /// It has ended at `quit` in time, or not.
    pub(super) fn record_quit(&self, spec: &str, has_ended: bool) {
        let mut ignored = locked(&self.ignored_quits);
        if has_ended {
            ignored.remove(spec);
        } else {
            *ignored.entry(spec.to_owned()).or_default() += 1;
        }
    }

    /// Has it searched on long after a node limit?
    pub(super) fn ignores_node_limit(&self, spec: &str) -> bool {
        locked(&self.ignore_node_limits).contains(spec)
    }

    /// It has searched on long after a node limit.
    pub(super) fn set_ignores_node_limit(&self, spec: &str) {
        locked(&self.ignore_node_limits).insert(spec.to_owned());
    }

    /// How the engine is asked for leaf counts. `probe` finds it out; other workers wait for it meanwhile.
    pub(super) fn perft(
        &self,
        spec: &EngineSpec,
        probe: impl FnOnce() -> Result<Result<PerftMethod, String>, EngineFault>,
    ) -> Result<PerftMethod, EngineFault> {
        asked_once(&self.perft, spec, probe)
    }

    /// Does the engine search the moves of `searchmoves` alone? `probe` finds it out; other workers wait for
    /// it meanwhile.
    pub(super) fn searchmoves(
        &self,
        spec: &EngineSpec,
        probe: impl FnOnce() -> Result<Result<(), String>, EngineFault>,
    ) -> Result<(), EngineFault> {
        asked_once(&self.searchmoves, spec, probe)
    }

    /// Do the moves of `searchmoves` hold for the engine's later searches, too?
    pub(super) fn keeps_searchmoves(
        &self,
        spec: &EngineSpec,
        probe: impl FnOnce() -> Result<bool, EngineFault>,
    ) -> Result<bool, EngineFault> {
        asked_once(&self.keeps_searchmoves, spec, || probe().map(Ok))
    }
}

/// What an engine can do, which `probe` finds out at the first time.
fn asked_once<T: Clone>(
    slots: &Mutex<BTreeMap<String, Slot<T>>>,
    spec: &EngineSpec,
    probe: impl FnOnce() -> Result<Result<T, String>, EngineFault>,
) -> Result<T, EngineFault> {
    // The lock of the map ends here, so that the probe of one engine does not block the others.
    let slot = Arc::clone(locked(slots).entry(spec.text.clone()).or_default());
    let mut known = locked(&slot);
    let found = match &*known {
        Some(found) => found.clone(),
        // After a fault the slot stays empty, and the next worker asks again.
        None => known.insert(probe()?).clone(),
    };
    found.map_err(EngineFault::NotSupported)
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_lacks_is_found_out_once() {
        let known = Capabilities::default();
        let spec: EngineSpec = "./engine,Contempt=5".parse().expect("sound");
        let lacks = EngineFault::Option("`Contempt` is not offered".to_owned());
        let mut attempts = 0;
        for pace in ["wall", "wall", "virtual:1000", "wall"] {
            let clock_source = pace.parse().expect("sound");
            let launched: Result<(), _> = known.launch(&spec, clock_source, || {
                attempts += 1;
                Err(lacks.clone())
            });
            assert_eq!(launched, Err(lacks.clone()));
        }
        assert_eq!(attempts, 2, "once for each clock");
        let mut probes = 0;
        for _ in 0..3 {
            let method = known.perft(&spec, || {
                probes += 1;
                Ok(Err("perft".to_owned()))
            });
            assert_eq!(method, Err(EngineFault::NotSupported("perft".to_owned())));
        }
        assert_eq!(probes, 1);
    }

    #[test]
    fn engine_that_ignores_quit_three_times_in_a_row_is_known() {
        let known = Capabilities::default();
        for (has_ended, is_ignored) in
            [(false, false), (false, false), (true, false), (false, false), (false, false), (false, true)]
        {
            known.record_quit("./engine", has_ended);
            assert_eq!(known.ignores_quit("./engine"), is_ignored);
        }
        assert!(!known.ignores_quit("./other"));
    }

    #[test]
    fn a_failure_that_may_pass_is_not_remembered() {
        let known = Capabilities::default();
        let spec: EngineSpec = "./engine".parse().expect("sound");
        let crash = || Err(EngineFault::ProtocolBreach("`bestmove`".to_owned()));
        assert!(known.launch(&spec, ClockSource::Wall, crash as fn() -> Result<(), _>).is_err());
        assert_eq!(known.launch(&spec, ClockSource::Wall, || Ok(7)), Ok(7));
        assert!(known.perft(&spec, || Err(EngineFault::Interrupted)).is_err());
        let typed = PerftMethod::Command { words: "perft", printed: PrintedTotals::One };
        assert_eq!(known.perft(&spec, || Ok(Ok(typed))), Ok(typed));
    }
}
