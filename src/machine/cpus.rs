//! The CPUs that this process may use: affinity, cores that share two threads, and the quota of its control
//! group.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;

use super::cgroup::{self, ReadText};
use crate::files;
use threefold_run::pool::cpu_list;

/// The CPUs of this process.
#[derive(Debug, Clone, PartialEq)]
pub struct Cpus {
    /// Logical CPUs that the process may run on.
    pub allowed: usize,
    /// Cores among them: two logical CPUs of one core count once.
    pub cores: usize,
    /// Their numbers: first one of each core, then the others; empty if the system does not say.
    pub numbers: Vec<usize>,
    /// The CPU time per second that the control group may use, in CPUs; `None` without a limit.
    pub quota: Option<f64>,
    /// The system's clock source, such as `tsc`; `None` if it is not known.
    pub clock_source: Option<String>,
}

impl Cpus {
    /// Those of this process.
    pub fn present() -> Self {
        Self::read(&|file| files::text_if_there(Path::new(file)).ok().flatten())
    }

    /// The same from the files of a system, which `read` reads.
    fn read(read: ReadText<'_>) -> Self {
        let listed = read("/proc/self/status").and_then(|status| {
            let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
            cpu_list(list.trim())
        });
        let usual = thread::available_parallelism().map_or(1, usize::from);
        let Some(list) = listed.filter(|list| !list.is_empty()) else {
            return Self {
                allowed: usual,
                cores: usual,
                numbers: Vec::new(),
                quota: cgroup::cpu_quota(read).value(),
                clock_source: clock_source(read),
            };
        };
        // The first thread of a core identifies it. Without the file, each CPU counts as a core.
        let siblings = |cpu: &usize| {
            let file = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
            let list = read(&file).and_then(|list| cpu_list(list.trim())).unwrap_or_default();
            list.first().copied().unwrap_or(*cpu)
        };
        let mut cores = BTreeSet::new();
        // `insert` is true for the first CPU of each core.
        let (mut first, others): (Vec<usize>, Vec<usize>) =
            list.iter().partition(|cpu| cores.insert(siblings(cpu)));
        first.extend(others);
        Self {
            allowed: list.len(),
            cores: cores.len(),
            numbers: first,
            quota: cgroup::cpu_quota(read).value(),
            clock_source: clock_source(read),
        }
    }

    /// A CPU for each of these jobs: those of the list, or one of each core first.
    ///
    /// # Errors
    /// If there are fewer CPUs than jobs, or if the list has one that this process may not use; with a
    /// remedy.
    pub fn of_jobs(&self, jobs: usize, list: &[usize]) -> Result<Vec<usize>, String> {
        if let Some(cpu) = list.iter().find(|cpu| !self.numbers.contains(cpu)) {
            return Err(format!("this process may not use CPU {cpu}; it may use {:?}", self.numbers));
        }
        let cpus = if list.is_empty() { &self.numbers[..] } else { list };
        if cpus.len() < jobs {
            let most = cpus.len();
            return Err(format!(
                "{jobs} games at a time need as many CPUs, and there are {most}; use -j {most} or fewer"
            ));
        }
        Ok(cpus[..jobs].to_vec())
    }

    /// Cores that can be used in full: no more than the quota.
    pub fn full_cores(&self) -> usize {
        match self.quota {
            Some(quota) => self.cores.min(quota.floor() as usize).max(1),
            None => self.cores,
        }
    }

    /// The same in words: `4 cores`, `2 cores (a quota of 2.5 CPUs)`.
    pub fn full_cores_text(&self) -> String {
        let cores = self.full_cores();
        let unit = if cores == 1 { "core" } else { "cores" };
        match self.quota.filter(|&quota| quota < self.cores as f64) {
            Some(quota) => format!("{cores} {unit} (a quota of {quota:.1} CPUs)"),
            None if self.allowed > self.cores => format!("{cores} {unit} ({} logical CPUs)", self.allowed),
            None => format!("{cores} {unit}"),
        }
    }
}

/// Numbers of CPUs as a list with ranges: `0-3,8`.
pub fn cpu_ranges(cpus: &[usize]) -> String {
    let mut sorted = cpus.to_vec();
    sorted.sort_unstable();
    let ranges = sorted.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    ranges.collect::<Vec<_>>().join(",")
}

fn clock_source(read: ReadText<'_>) -> Option<String> {
    let text = read("/sys/devices/system/clocksource/clocksource0/current_clocksource")?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a system.
    fn system(files: &[(&str, &str)]) -> Cpus {
        Cpus::read(&|file| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned()))
    }

    #[test]
    fn affinity_siblings_and_quota_count() {
        const STATUS: (&str, &str) = ("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1,4-5\n");
        const SIBLINGS: [(&str, &str); 4] = [
            ("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0,4\n"),
            ("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "1,5\n"),
            ("/sys/devices/system/cpu/cpu4/topology/thread_siblings_list", "0,4\n"),
            ("/sys/devices/system/cpu/cpu5/topology/thread_siblings_list", "1,5\n"),
        ];
        let cpus = system(&[STATUS]);
        assert_eq!((cpus.allowed, cpus.cores, cpus.quota, cpus.full_cores()), (4, 4, None, 4));
        let threads = [&[STATUS][..], &SIBLINGS].concat();
        let cpus = system(&threads);
        assert_eq!((cpus.allowed, cpus.cores, cpus.numbers), (4, 2, vec![0, 1, 4, 5]));
        let cpus = system(&threads);
        assert_eq!(cpus.full_cores_text(), "2 cores (4 logical CPUs)");
        let group = ("/proc/self/cgroup", "0::/user/job\n");
        let cpus = system(&[&threads[..], &[group, ("/sys/fs/cgroup/cpu.max", "150000 100000")]].concat());
        assert_eq!(cpus.full_cores_text(), "1 core (a quota of 1.5 CPUs)");
    }

    #[test]
    fn lists_of_cpus_have_ranges() {
        for (cpus, text) in [(&[][..], ""), (&[4], "4"), (&[8, 1, 2, 0, 5, 4], "0-2,4-5,8")] {
            assert_eq!(cpu_ranges(cpus), text);
            assert_eq!(cpu_list(text).map(|list| list.len()), Some(cpus.len()));
        }
    }

    #[test]
    fn each_job_gets_a_cpu_that_it_may_use() {
        let cpus = system(&[("/proc/self/status", "Cpus_allowed_list:\t2,4-5\n")]);
        assert_eq!(cpus.of_jobs(2, &[]), Ok(vec![2, 4]));
        assert_eq!(cpus.of_jobs(2, &[5, 2, 4]), Ok(vec![5, 2]));
        for (jobs, list, error) in [
            (4, &[][..], "4 games at a time need as many CPUs, and there are 3; use -j 3 or fewer"),
            (2, &[4], "2 games at a time need as many CPUs, and there are 1; use -j 1 or fewer"),
            (1, &[3], "this process may not use CPU 3; it may use [2, 4, 5]"),
        ] {
            assert_eq!(cpus.of_jobs(jobs, list), Err(error.to_owned()));
        }
    }

    #[test]
    fn a_system_without_these_files_has_its_usual_cpus() {
        let cpus = system(&[]);
        assert!(cpus.allowed >= 1 && cpus.allowed == cpus.cores && cpus.quota.is_none());
        for list in ["3-1", "a", "0-", "0-99999999999"] {
            let status = format!("Cpus_allowed_list:\t{list}\n");
            assert_eq!(system(&[("/proc/self/status", &status)]).allowed, cpus.allowed, "{list}");
        }
        let clock = system(&[("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n")]);
        assert_eq!(clock.clock_source.as_deref(), Some("tsc"));
    }
}
