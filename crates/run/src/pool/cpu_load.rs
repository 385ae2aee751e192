//! Loads the CPU on purpose.
//!
//! How an engine keeps time on a busy machine can only be tested on one. The busy threads start and end with
//! the case, however it ends.

use std::hint;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Runs a task with this number of busy threads.
pub(super) fn with_cpu_load<T>(threads: usize, task: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // No other data depends on the flag.
                while !done.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let _end = StopOnDrop(&done);
        task()
    })
}

/// Ends the load, even if the task panics.
struct StopOnDrop<'d>(&'d AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn cpu_load_ends_with_its_task() {
        for threads in [0, 1, 5] {
            assert_eq!(with_cpu_load(threads, || threads + 1), threads + 1);
            let broken = AssertUnwindSafe(|| with_cpu_load(threads, || std::panic::panic_any(threads)));
            assert!(catch_unwind(broken).is_err());
        }
    }
}
