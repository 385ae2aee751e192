//! The process groups of all running engines, and how they are ended when the harness ends, for whatever
//! reason.
//!
//! An engine in an endless loop that never reads its input does not notice that the harness is gone. A
//! harness that exits normally ends its engines. Against `kill -9` there is a guard (`system::orphan_guard`)
//! on every Unix. It fails for an engine that leaves its group (`setsid`), between an engine's start and the
//! message to the guard, and without `/bin/sh`. On other systems there is no guard, and an engine must notice
//! that its input is closed.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::system::orphan_guard::Guard;
use crate::system::process_group;

/// The process groups of all engines of the harness. Clones share them.
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
    /// Adds a group.
    pub(crate) fn enter(&self, group: u32) {
        self.locked(|groups| {
            // The set first: a new guard is sent the whole set.
            groups.running.insert(group);
            groups.notify_guard('+', group);
        });
    }

    /// Removes a group. Call it as soon as the group has ended: the system may reuse its number.
    pub(crate) fn leave(&self, group: u32) {
        self.locked(|groups| {
            if groups.running.remove(&group) {
                groups.notify_guard('-', group);
            }
        });
    }

    /// Stops every process of every group.
    pub(crate) fn stop(&self) {
        self.locked(|groups| groups.running.iter().copied().for_each(process_group::stop));
    }

    /// Lets every process of every group continue.
    pub(crate) fn resume(&self) {
        self.locked(|groups| groups.running.iter().copied().for_each(process_group::resume));
    }

    fn locked<T>(&self, act: impl FnOnce(&mut Groups) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Groups {
    /// Notifies the guard, which starts with the first engine. A guard that was killed is replaced; without a
    /// guard the run continues.
    fn notify_guard(&mut self, sign: char, group: u32) {
        if self.guard.as_mut().is_some_and(|guard| guard.notify(sign, group).is_ok()) {
            return;
        }
        self.guard = Guard::start().ok();
        if let Some(guard) = &mut self.guard {
            for &group in &self.running {
                // A guard that fails here is replaced at the next change.
                let _ = guard.notify('+', group);
            }
        }
    }
}
