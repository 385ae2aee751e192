//! The process groups of all engines that are running, and how they end with the harness, however that ends.
//!
//! What ends by itself ends its engines. Against `kill -9` there is a guard (`system::orphan_guard`) on every Unix. It does
//! not work for an engine that leaves its group (`setsid`), in the moment between an engine's start and the message to
//! the guard, and where `/bin/sh` is missing. On other systems there is no guard, and an engine has to notice by itself that
//! its input is closed.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::system::orphan_guard::Guard;
use crate::system::process_group;

/// The process groups of all engines of a harness. Clones share them.
#[derive(Clone, Default)]
pub struct EngineGroups(Arc<Mutex<Groups>>);

#[derive(Default)]
struct Groups {
    running: BTreeSet<u32>,
    guard: Option<Guard>,
}

impl fmt::Debug for EngineGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.locked(|groups| groups.running.clone())).finish()
    }
}

impl EngineGroups {
    /// A group was begun.
    pub(super) fn enter(&self, group: u32) {
        self.locked(|groups| {
            groups.running.insert(group);
            groups.notify_guard('+', group);
        });
    }

    /// It has ended. To be said as soon as that is known: its number may be given to a stranger.
    pub(super) fn leave(&self, group: u32) {
        self.locked(|groups| {
            if groups.running.remove(&group) {
                groups.notify_guard('-', group);
            }
        });
    }

    /// Stops every process of every group.
    pub(in crate::player) fn stop(&self) {
        self.locked(|groups| groups.running.iter().copied().for_each(process_group::stop));
    }

    /// Lets every process of every group continue.
    pub(in crate::player) fn resume(&self) {
        self.locked(|groups| groups.running.iter().copied().for_each(process_group::resume));
    }

    fn locked<T>(&self, act: impl FnOnce(&mut Groups) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Groups {
    /// Notifies the guard, which starts with the first engine. A guard that was killed is replaced; without one the work goes on.
    fn notify_guard(&mut self, sign: char, group: u32) {
        if self.guard.as_mut().is_some_and(|guard| guard.notify(sign, group).is_ok()) {
            return;
        }
        self.guard = Guard::start().ok();
        if let Some(guard) = &mut self.guard {
            for &group in &self.running {
                let _ = guard.notify('+', group);
            }
        }
    }
}
