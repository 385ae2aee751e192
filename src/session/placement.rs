//! The CPUs of a run's games, if the user leaves them to the program.
//!
//! A runner that waits while its engine thinks is fastest on the CPU of the engine: a wake-up on another, idle
//! CPU takes longer than a quick move. So each game gets a CPU of its own, if enough cores are idle. Another
//! run of the same user must not get the same CPUs, so each has a lock.

use std::fs::{self, File};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::args::RunOptions;
use crate::files;
use crate::machine::cpus::{Cpus, cpu_ranges};
use crate::user_folders;
use threefold_run::pool::{PoolConfig, check_affinity};
use threefold_run::{RunSpec, Task};

/// The number of tasks that run is read this often, and the median counts: many run for a moment only.
const READINGS: usize = 7;
/// The time between two readings.
const BETWEEN_READINGS: Duration = Duration::from_millis(1);

/// The CPUs that a run has for itself. They are free again when this is dropped.
#[derive(Debug, Default)]
pub(super) struct Placement {
    locks: Vec<File>,
}

impl Placement {
    /// Chooses the CPUs of a run; returns which in a line for the user. Nothing is chosen if the user has
    /// chosen, if the run has suites, or if other machines do the jobs.
    pub(super) fn choose(
        &mut self,
        spec: &RunSpec,
        pool: &mut PoolConfig<'_>,
        options: &RunOptions,
    ) -> Option<String> {
        let jobs = spec.parts.iter().map(|part| match &part.task {
            Task::Match(games) => Some(games.schedule().games()),
            Task::Suite(_) => None,
        });
        let games: Option<usize> = jobs.sum();
        let games = games.filter(|_| options.affinity.is_none() && pool.remote.is_none())?;
        // A later run of the same session gives the CPUs of the one before back first.
        (pool.cpus, self.locks) = (Vec::new(), Vec::new());
        Some(match self.idle_cpus(spec, games.min(pool.workers.get())) {
            Ok(cpus) => {
                let text = format!(
                    "each game has a CPU of its own: {}; --affinity off leaves the choice to the system",
                    cpu_ranges(&cpus)
                );
                pool.cpus = cpus;
                text
            }
            Err(why) => {
                self.locks.clear();
                format!("games run on any CPU: {why}")
            }
        })
    }

    /// An idle CPU for each game, on a core of its own; or why there is none.
    fn idle_cpus(&mut self, spec: &RunSpec, games: usize) -> Result<Vec<usize>, String> {
        if let Some(why) = needs_more_than_one(spec) {
            return Err(why);
        }
        let cpus = Cpus::present();
        let busy = busy_tasks().ok_or("the system does not say which are idle")?;
        enough(games, &cpus, busy)?;
        let folder =
            user_folders::state().ok_or("there is no folder for locks")?.join("threefold").join("cpus");
        // The list begins with one CPU of each core, so no two games share a core.
        let candidates = cpus.numbers.iter().take(cpus.cores).copied();
        let chosen = self.lock(&folder, candidates, games)?;
        check_affinity(&chosen).map_err(|(cpu, error)| format!("none can be moved to CPU {cpu}: {error}"))?;
        Ok(chosen)
    }

    /// Locks this number of the CPUs that no other run has.
    fn lock(
        &mut self,
        folder: &Path,
        cpus: impl Iterator<Item = usize>,
        number: usize,
    ) -> Result<Vec<usize>, String> {
        let unusable = |error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(unusable)?;
        let mut chosen = Vec::new();
        for cpu in cpus {
            if chosen.len() == number {
                break;
            }
            // The file is never removed: another run may have it open, and would lock a file without a name.
            // The system releases the lock when the process ends, also after a crash.
            let file = File::create(folder.join(cpu.to_string())).map_err(unusable)?;
            if file.try_lock().is_ok() {
                self.locks.push(file);
                chosen.push(cpu);
            }
        }
        if chosen.len() < number { Err("another run has them".to_owned()) } else { Ok(chosen) }
    }
}

/// Why a game of a run needs more than one CPU, if it does.
pub(super) fn needs_more_than_one(spec: &RunSpec) -> Option<String> {
    if let Some(engine) = spec.engines().find(|engine| engine.ponder) {
        return Some(format!("{} has ponder=on, which takes a second one", engine.name));
    }
    let engine = spec.engines().find(|engine| engine.threads() > 1)?;
    Some(format!("{} has Threads={}", engine.name, engine.threads()))
}

/// Are there enough cores for these games and the tasks that run already?
fn enough(games: usize, cpus: &Cpus, busy: usize) -> Result<(), String> {
    let cores = cpus.full_cores();
    if cpus.quota.is_some_and(|quota| quota < cpus.cores as f64) {
        return Err(format!("this process shares them: it may use {}", cpus.full_cores_text()));
    }
    if games > cores {
        return Err(format!("{games} games at a time on {}", cpus.full_cores_text()));
    }
    if games + busy > cores {
        let s = if busy == 1 { "" } else { "s" };
        return Err(format!(
            "{busy} other task{s} run{} on {}",
            if busy == 1 { "s" } else { "" },
            cpus.full_cores_text()
        ));
    }
    Ok(())
}

/// The number of tasks of other programs that run or wait for a CPU now; `None` if the system does not say.
fn busy_tasks() -> Option<usize> {
    let mut readings = Vec::new();
    for _ in 0..READINGS {
        let text = files::text_if_there(Path::new("/proc/loadavg")).ok().flatten()?;
        readings.push(running(&text)?);
        thread::sleep(BETWEEN_READINGS);
    }
    readings.sort_unstable();
    // This thread is one of them.
    Some(readings[READINGS / 2].saturating_sub(1))
}

/// The number of runnable tasks in `/proc/loadavg`: `0.20 0.18 0.12 1/80 11206`.
fn running(load: &str) -> Option<usize> {
    load.split_whitespace().nth(3)?.split_once('/')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpus(cores: usize, allowed: usize, quota: Option<f64>) -> Cpus {
        Cpus { allowed, cores, numbers: (0..allowed).collect(), quota, clock_source: None }
    }

    #[test]
    fn games_get_cpus_if_enough_cores_are_idle() {
        let table = [
            // games, CPUs, busy tasks, and why not
            (4, cpus(4, 4, None), 0, None),
            (2, cpus(4, 8, None), 2, None),
            (2, cpus(4, 4, Some(4.0)), 0, None),
            (3, cpus(4, 4, None), 2, Some("2 other tasks run on 4 cores")),
            (4, cpus(4, 4, None), 1, Some("1 other task runs on 4 cores")),
            (5, cpus(4, 8, None), 0, Some("5 games at a time on 4 cores (8 logical CPUs)")),
            (
                1,
                cpus(4, 4, Some(2.5)),
                0,
                Some("this process shares them: it may use 2 cores (a quota of 2.5 CPUs)"),
            ),
        ];
        for (games, cpus, busy, why) in table {
            assert_eq!(enough(games, &cpus, busy).err().as_deref(), why, "{games} games, {busy} busy");
        }
    }

    #[test]
    fn two_runs_get_different_cpus() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut first, mut second) = (Placement::default(), Placement::default());
        let lock = |run: &mut Placement, number| run.lock(folder.path(), [3, 5, 7].into_iter(), number);
        assert_eq!(lock(&mut first, 2), Ok(vec![3, 5]));
        assert_eq!(lock(&mut second, 2), Err("another run has them".to_owned()));
        second.locks.clear();
        assert_eq!(lock(&mut second, 1), Ok(vec![7]));
        drop((first, second));
        assert_eq!(lock(&mut Placement::default(), 3), Ok(vec![3, 5, 7]));
    }

    #[test]
    fn running_tasks_are_read_from_the_load() {
        assert_eq!(running("0.20 0.18 0.12 3/80 11206\n"), Some(3));
        for text in ["", "0.2 0.1 0.1", "0.2 0.1 0.1 x/80 1"] {
            assert_eq!(running(text), None, "{text}");
        }
    }
}
