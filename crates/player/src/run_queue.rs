//! How long threads were ready to run without a CPU, and whether any is running.
//!
//! Wall time passes while the machine is busy with other programs. Linux counts for every thread the time in
//! a run queue (second number of `/proc/…/schedstat`), so that a time loss can be attributed to the machine.
//! On systems without the counter nothing is reported. Other delays are not seen: a throttled CPU, or one
//! that a hypervisor gives to another guest.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::time::{Duration, Instant};

use crate::system::proc_files::{self, numeric_entries, read_file};

/// The counters of a thread.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ThreadCounters {
    /// CPU time.
    ran: Duration,
    /// The time in a run queue.
    waited: Duration,
}

/// The counters of each thread, by thread number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CpuWaits(BTreeMap<u32, ThreadCounters>);

impl CpuWaits {
    /// Those of all threads of these processes, as far as the system reports them.
    pub(super) fn of_processes(processes: &[u32]) -> Self {
        let counts = threads(processes, "schedstat");
        Self(
            counts
                // A thread may end between the listing and the read.
                .filter_map(|(thread, file)| Some((thread, parse_schedstat(&read_file(&file)?)?)))
                .collect(),
        )
    }

    /// The longest wait of a single thread since `before`; `None` if the system reports no thread.
    ///
    /// It is not a sum: threads that search in parallel wait in parallel, and a sum would excuse an engine
    /// with waits that delayed nothing. A thread started since then counts in full; one that has ended does
    /// not count.
    pub(super) fn since(&self, before: &Self) -> Option<Duration> {
        self.grown(before, |counters| counters.waited).max()
    }

    /// The CPU time of all threads together since `before`; `None` if the system reports no thread.
    pub(super) fn ran_since(&self, before: &Self) -> Option<Duration> {
        (!self.0.is_empty()).then(|| self.grown(before, |counters| counters.ran).sum())
    }

    fn grown<'c>(
        &'c self,
        before: &'c Self,
        counter: impl Fn(ThreadCounters) -> Duration + 'c,
    ) -> impl Iterator<Item = Duration> + 'c {
        self.0.iter().map(move |(thread, &now)| {
            let earlier = before.0.get(thread).copied().unwrap_or_default();
            counter(now).saturating_sub(counter(earlier))
        })
    }
}

/// Is any thread of these processes running or ready to run, as far as the system reports it?
pub(super) fn is_any_running(processes: &[u32]) -> bool {
    threads(processes, "stat").filter_map(|(_, file)| read_file(&file)).any(|stat| is_running(&stat))
}

/// Are all threads of these processes asleep? No, if the system does not report it.
pub(super) fn are_all_asleep(processes: &[u32]) -> bool {
    let mut states = threads(processes, "stat").map(|(_, file)| read_file(&file));
    let mut count = 0;
    states.all(|stat| {
        count += 1;
        // A state that can't be read is no proof of sleep.
        stat.is_some_and(|stat| is_asleep(&stat))
    }) && count > 0
}

fn is_asleep(stat: &str) -> bool {
    stat.rsplit_once(") ").is_some_and(|(_, fields)| fields.starts_with('S'))
}

/// The third field is the state. The second is the program's name in parentheses, which may contain anything.
fn is_running(stat: &str) -> bool {
    stat.rsplit_once(") ").is_some_and(|(_, fields)| fields.starts_with('R'))
}

/// All threads of these processes, each with the content of its file of this name.
fn threads(processes: &[u32], name: &str) -> impl Iterator<Item = (u32, String)> {
    processes.iter().flat_map(move |process| {
        let tasks = format!("/proc/{process}/task");
        numeric_entries(&tasks).into_iter().map(move |thread| (thread, format!("{tasks}/{thread}/{name}")))
    })
}

/// A process and the processes that it has started: a program may be a script around the engine.
pub(super) fn process_tree(process: u32) -> Vec<u32> {
    let mut family = vec![process];
    let mut known = 0;
    while let Some(parent) = family.get(known) {
        // Linux lists children by the thread that started them; a shell script has one thread.
        let children = read_file(&format!("/proc/{parent}/task/{parent}/children")).unwrap_or_default();
        family.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        known += 1;
    }
    family
}

/// The wait of the thread that opened it.
#[derive(Debug)]
pub(super) struct ThreadCpuWait(Option<File>);

impl ThreadCpuWait {
    /// For the calling thread.
    pub(super) fn open() -> Self {
        Self(proc_files::open("/proc/thread-self/schedstat"))
    }

    /// The wait so far; `None` if the system does not report it.
    pub(super) fn read_delay(&mut self) -> Option<Duration> {
        let file = self.0.as_mut()?;
        let mut text = String::new();
        // Linux computes the text anew at a read from the beginning, so the file stays open.
        file.rewind().and_then(|()| file.read_to_string(&mut text)).ok()?;
        Some(parse_schedstat(&text)?.waited)
    }
}

/// The wait of a thread, and when it was read last.
struct OwnWait {
    file: ThreadCpuWait,
    last: Option<(Instant, Option<Duration>)>,
}

thread_local! {
    // `/proc/thread-self` is resolved when it is opened, so each thread needs a file of its own.
    static OWN_WAIT: RefCell<OwnWait> = RefCell::new(OwnWait { file: ThreadCpuWait::open(), last: None });
}

/// The wait of the calling thread until now; `None` if the system does not report it. A value that is younger than `age` is not
/// read again: the system takes longer for it than a fast engine for its move.
pub(super) fn own_wait(now: Instant, age: Duration) -> Option<Duration> {
    OWN_WAIT.with_borrow_mut(|own| match own.last {
        Some((at, wait)) if now.saturating_duration_since(at) < age => wait,
        _ => {
            let wait = own.file.read_delay();
            own.last = Some((now, wait));
            wait
        }
    })
}

/// The first two of three counts, in nanoseconds. A running thread has run for more than zero, so three zeros
/// mean that the system does not count.
fn parse_schedstat(schedstat: &str) -> Option<ThreadCounters> {
    let counts: Vec<u64> = schedstat.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    match counts[..] {
        [0, 0, 0] => None,
        [ran, waited, _] => {
            Some(ThreadCounters { ran: Duration::from_nanos(ran), waited: Duration::from_nanos(waited) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::process;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn schedstat_begins_with_cpu_time_and_waiting_time() {
        let table = [
            ("525859 1726338 2\n", Some((525_859, 1_726_338))),
            ("525859 0 2", Some((525_859, 0))),
            ("0 0 1", Some((0, 0))),
            ("0 0 0\n", None),
            ("", None),
            ("1 2", None),
            ("1 2 3 4", None),
            ("1 -2 3", None),
            ("1 x 3", None),
        ];
        for (schedstat, nanos) in table {
            let counters = nanos.map(|(ran, waited)| ThreadCounters {
                ran: Duration::from_nanos(ran),
                waited: Duration::from_nanos(waited),
            });
            assert_eq!(parse_schedstat(schedstat), counters, "{schedstat:?}");
        }
    }

    #[test]
    fn process_state_follows_the_name() {
        let table = [
            ("12 (fish) R 1 12", true),
            ("12 (fish) S 1 12", false),
            ("12 (a (R) R b) D 1", false),
            ("12 (a) S) R 1", true),
            ("", false),
            ("R", false),
        ];
        for (stat, running) in table {
            assert_eq!(is_running(stat), running, "{stat:?}");
        }
        let is_available = proc_files::open("/proc/thread-self/stat").is_some();
        assert_eq!(is_any_running(&[process::id()]), is_available, "this very thread");
        assert!(!is_any_running(&[]));
    }

    #[test]
    fn longest_waiting_thread_counts() {
        // Threads, and the milliseconds that each has waited.
        let waits = |text: &str| {
            let threads = text.split_whitespace().filter_map(|pair| pair.split_once(':'));
            let read = |(thread, millis): (&str, &str)| {
                let millis = millis.parse().expect("milliseconds");
                let waited = Duration::from_millis(millis);
                (thread.parse().expect("a thread"), ThreadCounters { ran: 3 * waited, waited })
            };
            CpuWaits(threads.map(read).collect())
        };
        let table = [
            // before, after, the wait
            ("1:100", "1:107", Some(7)),
            ("1:100 2:10", "1:107 2:15", Some(7)),
            ("1:100 2:10", "1:100 2:15", Some(5)),
            // One thread started and one ended.
            ("1:100 2:10", "1:101 3:4", Some(4)),
            // Another thread got the number of one that had ended.
            ("1:100", "1:2", Some(0)),
            ("", "1:3", Some(3)),
            ("1:3", "", None),
        ];
        for (before, after, wait) in table {
            let since = waits(after).since(&waits(before));
            assert_eq!(since, wait.map(Duration::from_millis), "{before} {after}");
        }
        // All threads count: here three times the waits.
        let ran = waits("1:107 2:15").ran_since(&waits("1:100 2:10"));
        assert_eq!(ran, Some(Duration::from_millis(36)));
        assert_eq!(waits("").ran_since(&waits("1:3")), None);
    }

    #[cfg(unix)]
    #[test]
    fn process_tree_contains_the_children_of_a_script() {
        let mut script = process::Command::new("sh").args(["-c", "sleep 60; :"]).spawn().expect("a shell");
        let is_available = proc_files::open(&format!("/proc/{0}/task/{0}/children", script.id())).is_some();
        let mut family = Vec::new();
        while is_available && family.len() < 2 && script.try_wait().is_ok_and(|ended| ended.is_none()) {
            family = process_tree(script.id());
        }
        assert_eq!(family.len(), if is_available { 2 } else { 0 });
        for process in family.iter().rev() {
            let _ = process::Command::new("kill").arg(process.to_string()).status();
        }
        let _ = script.kill().and_then(|()| script.wait());
    }

    #[test]
    fn own_wait_is_read_again_only_if_it_is_too_old() {
        let age = Duration::from_millis(4);
        let read_at = || OWN_WAIT.with_borrow(|own| own.last.map(|(at, _)| at));
        #[expect(clippy::disallowed_methods, reason = "any moment will do")]
        let first = Instant::now();
        let _ = own_wait(first, Duration::ZERO);
        let _ = own_wait(first + age / 2, age);
        assert_eq!(read_at(), Some(first));
        for (later, age) in [(age, age), (age + Duration::from_nanos(1), Duration::ZERO)] {
            let _ = own_wait(first + later, age);
            assert_eq!(read_at(), Some(first + later));
        }
    }

    /// Waits are seen by the thread itself and by other threads.
    #[test]
    fn waiting_thread_is_found_on_a_busy_machine() {
        let family = process_tree(process::id());
        assert_eq!(family[0], process::id());
        // Other threads read first and last: the thread's own value is between the two.
        let before = CpuWaits::of_processes(&family);
        let mut own = ThreadCpuWait::open();
        let Some(first) = own.read_delay() else {
            assert!(proc_files::open("/proc/thread-self/schedstat").is_none());
            return;
        };
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..=thread::available_parallelism().map_or(1, NonZeroUsize::get) {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let waits = (0..10_000_000).any(|_| {
                thread::yield_now();
                own.read_delay().is_some_and(|now| now > first)
            });
            done.store(true, Ordering::Relaxed);
            assert!(waits, "with more threads than cores every thread waits in the end");
        });
        let wait = own.read_delay().expect("it was readable before").saturating_sub(first);
        assert!(
            CpuWaits::of_processes(&family).since(&before).is_some_and(|longest| longest >= wait),
            "{wait:?}"
        );
    }
}
