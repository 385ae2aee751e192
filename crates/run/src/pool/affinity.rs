//! The check of the CPUs that workers and their engines are bound to.

use std::io;
use std::thread;

use threefold_player::system::affinity;

/// Checks that threads can run on each of these CPUs alone: a thread is moved there, and the setting is read back.
///
/// # Errors
/// The first CPU that the system refuses, with its error.
pub fn check_affinity(cpus: &[usize]) -> Result<(), (usize, io::Error)> {
    cpus.iter().try_for_each(|&cpu| {
        let pinned = thread::scope(|scope| scope.spawn(|| affinity::pin(cpu)).join());
        pinned.unwrap_or_else(|_| Err(io::Error::other("its thread ended"))).map_err(|error| (cpu, error))
    })
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
