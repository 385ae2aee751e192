//! The peak memory of processes.
//!
//! Linux counts for every process the most physical memory that it has used at a time (`VmHWM` in
//! `/proc/PID/status`, see proc(5)). On systems without the counter nothing is reported.

use crate::system::proc_files::read_file;

/// The largest peak of these processes, in bytes; `None` if the system reports none. A script around an engine is small, so
/// the largest is that of the engine.
pub(super) fn of_processes(processes: &[u32]) -> Option<u64> {
    let status = |process: &u32| read_file(&format!("/proc/{process}/status"));
    processes.iter().filter_map(|process| parse_status(&status(process)?)).max()
}

/// The peak in bytes. The kilobytes of the file are of 1024 bytes.
fn parse_status(status: &str) -> Option<u64> {
    let row = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    row.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use std::process;

    use super::*;
    use crate::system::proc_files;

    #[test]
    fn peak_memory_is_read_in_bytes() {
        let table = [
            ("Name:\tfish\nVmPeak:\t  900 kB\nVmHWM:\t  512 kB\nVmRSS:\t  100 kB\n", Some(524_288)),
            // A process that has ended has no memory.
            ("Name:\tfish\nState:\tZ (zombie)\n", None),
            ("VmHWM:\t  512 MB\n", None),
            ("VmHWM:\t  -1 kB\n", None),
            ("VmHWM:\t  18446744073709551615 kB\n", None),
            ("", None),
        ];
        for (status, bytes) in table {
            assert_eq!(parse_status(status), bytes, "{status:?}");
        }
    }

    #[test]
    fn peak_memory_of_processes_is_the_largest() {
        let is_available = proc_files::open("/proc/self/status").is_some();
        let own = of_processes(&[process::id()]);
        assert_eq!(own.is_some(), is_available);
        // Process 0 has no folder in `/proc`.
        assert!(of_processes(&[0, process::id()]) >= own);
        assert_eq!((of_processes(&[0]), of_processes(&[])), (None, None));
    }
}
