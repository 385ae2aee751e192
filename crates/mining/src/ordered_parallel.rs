//! Runs numbered pieces of work in parallel and takes their results in order.
//!
//! Each result depends on its number only, and results are taken in the order of the numbers. So a file is
//! the same to the byte with any number of threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Runs `work` for each number, with a tool that each thread makes for itself, and passes the results to
/// `take` in order, until that breaks or the numbers end.
pub fn run_in_order<T, R: Send>(
    threads: NonZeroUsize,
    numbers: Range<u64>,
    tools: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, u64) -> R + Sync,
    mut take: impl FnMut(R) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(numbers.start);
    let enough = AtomicBool::new(false);
    let (done, results) = mpsc::channel();
    let hand = |done: mpsc::Sender<(u64, R)>| {
        let mut tools = tools();
        while !enough.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end || done.send((number, work(&mut tools, number))).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.get() {
            let done = done.clone();
            scope.spawn(|| hand(done));
        }
        // The channel ends when all workers have dropped their senders, and this one has no worker.
        drop(done);
        let mut early = BTreeMap::new();
        let mut due = numbers.start;
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if take(result).is_break() {
                    // Relaxed is enough: the return drops the receiver, so a worker that misses the flag ends
                    // at its next result.
                    enough.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

/// The first result, in the order of the numbers, for which `take` returns something.
pub fn first_in_order<R: Send, F>(
    threads: NonZeroUsize,
    numbers: Range<u64>,
    work: impl Fn(u64) -> Option<R> + Sync,
    mut take: impl FnMut(R) -> Option<F>,
) -> Option<F> {
    let mut found = None;
    run_in_order(
        threads,
        numbers,
        || (),
        |(), number| work(number),
        |result| {
            found = result.and_then(&mut take);
            if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    found
}

/// The random numbers of one piece of work: a stream per seed and number.
pub fn rng_for(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_results_are_in_order_with_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let threads = NonZeroUsize::new(threads).expect("not zero");
            let mut taken = Vec::new();
            let work = |count: &mut u64, number: u64| {
                *count += 1;
                // The even ones take longer.
                (0..(number % 2) * 10_000).fold(number * number, |sum, _| std::hint::black_box(sum))
            };
            run_in_order(
                threads,
                3..1000,
                || 0,
                work,
                |square| {
                    taken.push(square);
                    if square >= 400 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(taken, (3..=20).map(|number| number * number).collect::<Vec<u64>>(), "{threads}");
            let seventh = |number: u64| (number > 0 && number.is_multiple_of(7)).then_some(number);
            assert_eq!(
                first_in_order(threads, 0..50, seventh, |found| (found > 7).then_some(found)),
                Some(14)
            );
            assert_eq!(first_in_order(threads, 0..5, seventh, Some), None);
        }
    }
}
