//! The machine: its environment, and what it offers to games on the wall clock: CPUs, and how late a thread
//! wakes up.

pub mod cgroup;
pub mod check;
pub mod cpus;
pub mod environment;
pub mod processor;
pub mod wakeups;

use std::env;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use self::cpus::Cpus;
use self::wakeups::Wakeups;

/// A margin below this is not recommended: engines round their time to milliseconds.
const LEAST_MARGIN: Duration = Duration::from_millis(5);
/// Threads that are woken later than this in one case of a hundred make short time controls unreliable.
const LATE: Duration = Duration::from_millis(2);

/// CPU cores that this process may use.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The machine in words: cores, processor, system.
pub fn description() -> String {
    format!("{} cores of {}, {}", cores(), processor::model(), env::consts::OS)
}

/// The most games at a time with engines of this many threads, so that each thinking thread has a core of its
/// own.
pub fn recommended_games(cpus: &Cpus, threads: usize) -> NonZeroUsize {
    NonZeroUsize::new(cpus.full_cores() / threads.max(1)).unwrap_or(NonZeroUsize::MIN)
}

/// The recommended `timemargin`: the longest delay that was seen, rounded up to 5 ms.
pub fn recommended_margin(wakeups: &Wakeups) -> Duration {
    let step = LEAST_MARGIN.as_millis() as u64;
    let longest = wakeups.quantile(1.0).unwrap_or_default().as_micros().div_ceil(1000) as u64;
    // One step at least, also without a measured delay.
    Duration::from_millis(longest.div_ceil(step).max(1) * step)
}

/// What is wrong with this number of games at a time here; nothing if all is well.
pub fn complaints(cpus: &Cpus, wakeups: &Wakeups, games: NonZeroUsize, threads: usize) -> Vec<String> {
    too_many_games(cpus, games, threads).into_iter().chain(late_wakeups(wakeups)).collect()
}

/// Says that there are more games at a time than cores for them.
fn too_many_games(cpus: &Cpus, games: NonZeroUsize, threads: usize) -> Option<String> {
    let best = recommended_games(cpus, threads);
    (games > best).then(|| {
        format!(
            "{games} games at a time with {threads} thinking thread{} per game need more than the {} available here; use -j {best}",
            if threads == 1 { "" } else { "s" },
            cpus.full_cores_text(),
        )
    })
}

/// Says that threads wake up too late.
fn late_wakeups(wakeups: &Wakeups) -> Option<String> {
    let late = wakeups.quantile(0.99).filter(|&late| late > LATE)?;
    Some(format!(
        "this machine starts a waiting thread {} late or more in 1 % of all cases, at most {}: engines may exceed their clocks without a fault of \
         their own; run fewer games or other programs, or give a margin of {} ms",
        wakeups::text(late),
        wakeups::text(wakeups.quantile(1.0).unwrap_or_default()),
        recommended_margin(wakeups).as_millis(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four() -> Cpus {
        Cpus { allowed: 4, cores: 4, numbers: (0..4).collect(), quota: None, clock_source: None }
    }

    fn delays(micros: &[u64]) -> Wakeups {
        Wakeups::of(micros.iter().copied().map(Duration::from_micros).collect())
    }

    #[test]
    fn recommendations_follow_cores_and_delays() {
        let table = [(1, 4), (2, 2), (3, 1), (9, 1), (0, 4)];
        for (threads, games) in table {
            assert_eq!(recommended_games(&four(), threads).get(), games, "{threads} threads");
        }
        for (longest, margin) in [(0, 5), (4900, 5), (5000, 5), (5001, 10), (23_000, 25)] {
            assert_eq!(recommended_margin(&delays(&[1, longest])).as_millis(), margin, "{longest} µs");
        }
    }

    #[test]
    fn a_sound_machine_has_no_complaint() {
        let games = |games| NonZeroUsize::new(games).expect("not zero");
        let quiet = delays(&[50; 200]);
        assert_eq!(complaints(&four(), &quiet, games(4), 1), [""; 0]);
        let too_many = complaints(&four(), &quiet, games(3), 2).join("");
        assert!(
            too_many.contains("3 games at a time with 2 thinking threads per game")
                && too_many.ends_with("use -j 2"),
            "{too_many}"
        );
        let mut busy = vec![50; 100];
        busy.extend([3000; 5]);
        let late = complaints(&four(), &delays(&busy), games(1), 1).join("");
        assert!(
            late.contains("this machine starts a waiting thread 3.0 ms late")
                && late.ends_with("a margin of 5 ms"),
            "{late}"
        );
    }
}
