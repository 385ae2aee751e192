//! The CPUs that workers and their engines are bound to: how they are written, and whether threads can run on
//! them.

use std::io;
use std::thread;

use threefold_player::system::affinity;

/// Checks that threads can run on each of these CPUs alone: a thread is moved there, and the setting is read
/// back.
///
/// # Errors
/// The first CPU that the system refuses, with its error.
pub fn check_affinity(cpus: &[usize]) -> Result<(), (usize, io::Error)> {
    cpus.iter().try_for_each(|&cpu| {
        // A thread of its own, since the binding would stay with the caller's thread.
        let pinned = thread::scope(|scope| scope.spawn(|| affinity::pin(cpu)).join());
        pinned.unwrap_or_else(|_| Err(io::Error::other("its thread ended"))).map_err(|error| (cpu, error))
    })
}

/// The numbers of a list such as `0-3,8`; `None` if it is no list of CPUs.
pub fn cpu_list(list: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in list.split(',').filter(|part| !part.is_empty()) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to): (usize, usize) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        // Each number of a range is stored, so a mistyped last number must not fill the memory.
        if from > to || to > 1 << 20 {
            return None;
        }
        numbers.extend(from..=to);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_that_does_not_exist_is_refused() {
        let (cpu, _) = check_affinity(&[1_000_000]).expect_err("no machine has a million CPUs");
        assert_eq!(cpu, 1_000_000);
        assert!(check_affinity(&[]).is_ok());
    }
}
