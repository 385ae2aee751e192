//! Distributes a range of work items over threads.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls the worker with ranges of at most `portion` items, on all threads, until all items are done.
pub(super) fn share(
    threads: NonZeroUsize,
    things: usize,
    portion: usize,
    work: impl Fn(Range<usize>) + Sync,
) {
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            // The counter orders no other memory: the end of the scope makes all results visible.
            let start = next.fetch_add(portion, Ordering::Relaxed);
            if start >= things {
                break;
            }
            work(start..things.min(start + portion));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(things.div_ceil(portion)) {
            scope.spawn(take);
        }
        take();
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU8;

    use super::*;

    #[test]
    fn parallel_items_are_distributed_once() {
        for (things, portion) in [(0, 7), (1, 7), (7, 7), (1000, 7), (1000, 1001)] {
            let seen: Vec<AtomicU8> = (0..things).map(|_| AtomicU8::new(0)).collect();
            share(NonZeroUsize::new(3).expect("three"), things, portion, |range| {
                for thing in range {
                    seen[thing].fetch_add(1, Ordering::Relaxed);
                }
            });
            assert!(seen.iter().all(|times| times.load(Ordering::Relaxed) == 1));
        }
    }
}
