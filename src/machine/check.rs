//! The check of the machine while the first games run: how late their runner wakes up.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::cpus::Cpus;
use super::wakeups::Wakeups;
use super::{late_wakeups, too_many_games};

/// A check of games to come.
#[derive(Debug, Clone, Copy)]
pub struct MachineCheck {
    /// The number of games at a time.
    pub games: NonZeroUsize,
    /// The number of threads that think in each game.
    pub threads: usize,
    /// How long the first games are watched.
    pub time: Duration,
}

/// A check that goes on. Dropping it ends it.
pub struct RunningCheck {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl MachineCheck {
    /// What is wrong with the number of games, whatever the load of the machine.
    pub fn complaint(&self) -> Option<String> {
        too_many_games(&Cpus::present(), self.games, self.threads)
    }

    /// Watches the games that begin now, which run on these CPUs, and passes a warning to `warn`, in another
    /// thread.
    pub fn begin(self, cpus: Vec<usize>, warn: impl Fn(&str) + Send + 'static) -> RunningCheck {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let watch = move || {
            let wakeups = Wakeups::watch(self.games.get(), &cpus, self.time, &over);
            if let Some(complaint) = late_wakeups(&wakeups) {
                warn(&complaint);
            }
        };
        // Without a thread there is no check, and the games go on.
        let thread = thread::Builder::new().name("machine check".to_owned()).spawn(watch).ok();
        RunningCheck { is_over, thread }
    }
}

/// A complaint of a check, for the user.
pub fn machine_warning(complaint: &str) -> String {
    format!("warning: {complaint}; `threefold doctor` measures longer")
}

impl Drop for RunningCheck {
    fn drop(&mut self) {
        // The thread reads the flag after each wake-up, so the wait for it takes milliseconds.
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the check does not concern the games.
            _ = thread.join();
        }
    }
}
