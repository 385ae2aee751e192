//! The speed of this machine, by which a fleet compares its workers.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Instant;

use anyhow::Context;

use threefold_echo::bench;

/// The node count of Echo's `bench`, and the speed of this many at a time, in nodes per second of each.
#[expect(clippy::disallowed_methods, reason = "measures the speed of this machine")]
pub(super) fn bench_speed(at_once: NonZeroUsize) -> anyhow::Result<(u64, u64)> {
    let measure = || {
        let begun = Instant::now();
        let nodes = bench::run();
        (nodes, nodes as f64 / begun.elapsed().as_secs_f64())
    };
    let measured: Vec<(u64, f64)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once.get()).map(|_| scope.spawn(measure)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let (nodes, _) = *measured.first().context("Echo's bench has failed")?;
    let mean = measured.iter().map(|(_, speed)| speed).sum::<f64>() / measured.len() as f64;
    Ok((nodes, mean as u64))
}
