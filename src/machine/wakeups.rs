//! How late a waiting thread wakes up while the planned number of engines thinks.
//!
//! In a match one thread waits for each game, and one engine thinks. So for each game this measurement has a
//! thread that waits for a moment and records how much later it runs, and before a match a thread that
//! computes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use threefold_player::system::affinity;

/// The time between two wake-ups of a thread.
const INTERVAL: Duration = Duration::from_millis(2);

/// Fewer wake-ups say nothing about one case of a hundred.
const LEAST_WATCHED: usize = 200;

/// Delays in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wakeups(Vec<Duration>);

impl Wakeups {
    /// These delays.
    pub fn of(mut delays: Vec<Duration>) -> Self {
        delays.sort_unstable();
        Self(delays)
    }

    /// Measures for some time with this number of games, each with this number of thinking threads; at most
    /// four of either for each CPU, which shows as well that there are too many, and fewer if the system refuses more
    /// threads.
    pub fn measure(games: usize, threads: usize, time: Duration) -> Self {
        let done = AtomicBool::new(false);
        let most = 4 * thread::available_parallelism().map_or(1, usize::from);
        let (games, thinking) = (games.min(most), games.saturating_mul(threads).min(most));
        let delays = thread::scope(|scope| {
            let think = || {
                // The flag guards no data, so a relaxed load is enough.
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            };
            for _ in 0..thinking {
                // `Scope::spawn` panics if the system refuses a thread, and then the others would never end.
                if thread::Builder::new().spawn_scoped(scope, think).is_err() {
                    break;
                }
            }
            let wait = || delays_for(time, &AtomicBool::new(false));
            let waiting: Vec<_> =
                (0..games).map_while(|_| thread::Builder::new().spawn_scoped(scope, wait).ok()).collect();
            let delays = waiting.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect();
            done.store(true, Ordering::Relaxed);
            delays
        });
        Self::of(delays)
    }

    /// Measures while this number of games runs, for some time or until `over` is set: a thread for each game
    /// on its CPU, at most four for each CPU. Of a short time nothing is returned.
    pub fn watch(games: usize, cpus: &[usize], time: Duration, over: &AtomicBool) -> Self {
        let games = games.min(4 * thread::available_parallelism().map_or(1, usize::from));
        let delays: Vec<Duration> = thread::scope(|scope| {
            let wait = |game: usize| {
                // The games were placed before.
                _ = cpus.get(game).map(|&cpu| affinity::pin(cpu));
                delays_for(time, over)
            };
            let waiting: Vec<_> = (0..games)
                .map_while(|game| thread::Builder::new().spawn_scoped(scope, move || wait(game)).ok())
                .collect();
            waiting.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
        });
        if delays.len() < LEAST_WATCHED { Self::default() } else { Self::of(delays) }
    }

    /// The delay that this share of the wake-ups does not exceed; `None` if nothing was measured.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let last = self.0.len().checked_sub(1)?;
        Some(self.0[(last as f64 * share).round() as usize])
    }
}

/// How late this thread wakes up, again and again.
#[expect(clippy::disallowed_methods, reason = "it measures the machine")]
fn delays_for(time: Duration, over: &AtomicBool) -> Vec<Duration> {
    let begun = Instant::now();
    let mut delays = Vec::new();
    while begun.elapsed() < time && !over.load(Ordering::Relaxed) {
        // Each wait begins now, so a long delay is not counted again in the next one.
        let due = Instant::now() + INTERVAL;
        thread::sleep(INTERVAL);
        delays.push(Instant::now().saturating_duration_since(due));
    }
    delays
}

/// A delay in words: `53 µs`, `3.0 ms`.
pub fn text(delay: Duration) -> String {
    let micros = delay.as_micros();
    if micros < 1000 { format!("{micros} µs") } else { format!("{:.1} ms", delay.as_secs_f64() * 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wait_is_measured() {
        let measured = Wakeups::measure(2, 1, Duration::from_millis(40));
        assert!(measured.0.len() >= 2, "{measured:?}");
        assert!(
            measured.quantile(0.5) <= measured.quantile(0.99)
                && measured.quantile(0.99) <= measured.quantile(1.0)
        );
        assert_eq!(Wakeups::default().quantile(0.5), None);
        assert_eq!(
            [text(Duration::from_micros(999)), text(Duration::from_micros(1049))],
            ["999 µs", "1.0 ms"]
        );
    }
}
