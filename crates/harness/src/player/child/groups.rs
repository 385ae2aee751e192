//! The process groups of all running engines, and how they are ended when the harness ends, for whatever
//! reason.
//!
//! An engine in an endless loop that never reads its input does not notice that the harness is gone. A
//! harness that exits normally ends its engines. Against `kill -9` there is a guard: a shell in its own
//! process group that is told of every group. When its input closes, because the harness is gone, it kills
//! the groups that are left. Linux's `PR_SET_PDEATHSIG` would be simpler, but it needs `unsafe`, fires when
//! the starting *thread* ends, and does not reach an engine below a shell script. The guard works on every
//! Unix. It fails for an engine that leaves its group (`setsid`), between an engine's start and the message
//! to the guard, and without `/bin/sh`. On other systems there is no guard, and an engine must notice that
//! its input is closed.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The process groups of all engines of the harness. Clones share them.
#[derive(Clone, Default)]
pub struct EngineGroups(Arc<Mutex<Groups>>);

#[derive(Default)]
struct Groups {
    running: BTreeSet<u32>,
    #[cfg(unix)]
    guard: Option<guard::Guard>,
}

impl fmt::Debug for EngineGroups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.locked(|groups| groups.running.clone())).finish()
    }
}

impl EngineGroups {
    /// Adds a group.
    pub(super) fn enter(&self, group: u32) {
        self.locked(|groups| {
            groups.running.insert(group);
            groups.notify_guard('+', group);
        });
    }

    /// Removes a group. Call it as soon as the group has ended: the system may reuse its number.
    pub(super) fn leave(&self, group: u32) {
        self.locked(|groups| {
            if groups.running.remove(&group) {
                groups.notify_guard('-', group);
            }
        });
    }

    /// Sends a signal to every process of every group.
    #[cfg(unix)]
    pub(in crate::player) fn signal(&self, signal: nix::sys::signal::Signal) {
        self.locked(|groups| {
            for &group in &groups.running {
                send(group, signal);
            }
        });
    }

    fn locked<T>(&self, act: impl FnOnce(&mut Groups) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Sends a signal to every process of a group.
#[cfg(unix)]
pub(super) fn send(group: u32, signal: nix::sys::signal::Signal) {
    use nix::sys::signal::killpg;
    use nix::unistd::Pid;
    if let Ok(group) = i32::try_from(group) {
        // The group does not exist: all its processes have ended.
        let _ = killpg(Pid::from_raw(group), signal);
    }
}

impl Groups {
    /// Notifies the guard, which starts with the first engine. A guard that was killed is replaced; without a
    /// guard the run continues.
    #[cfg(unix)]
    fn notify_guard(&mut self, sign: char, group: u32) {
        if self.guard.as_mut().is_some_and(|guard| guard.notify(sign, group).is_ok()) {
            return;
        }
        self.guard = guard::Guard::start().ok();
        if let Some(guard) = &mut self.guard {
            for &group in &self.running {
                let _ = guard.notify('+', group);
            }
        }
    }

    #[cfg(not(unix))]
    fn notify_guard(&mut self, _: char, _: u32) {}
}

#[cfg(unix)]
mod guard {
    use std::io::{self, Write};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Child, Command, Stdio};

    /// Reads `+ GROUP` and `- GROUP`; at the end of its input it kills the remaining groups.
    const SCRIPT: &str = "trap '' HUP INT QUIT TERM TSTP
groups=
while read -r sign group; do
  case $sign in
    +) groups=\"$groups $group\" ;;
    -)
      left=
      for one in $groups; do [ \"$one\" = \"$group\" ] || left=\"$left $one\"; done
      groups=$left ;;
  esac
done
for group in $groups; do kill -s KILL -- \"-$group\"; done";

    /// The shell. Dropping it waits for its end.
    pub(super) struct Guard(Child);

    impl Guard {
        /// It shares no output and no working directory with the harness.
        pub(super) fn start() -> io::Result<Self> {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", SCRIPT, "threefold-guard"]).current_dir("/").process_group(0);
            shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            shell.spawn().map(Self)
        }

        pub(super) fn notify(&mut self, sign: char, group: u32) -> io::Result<()> {
            let input = self.0.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            input.write_all(format!("{sign} {group}\n").as_bytes())
        }
    }

    impl Drop for Guard {
        fn drop(&mut self) {
            // Waiting closes its input, which ends it.
            let _ = self.0.wait();
        }
    }
}
