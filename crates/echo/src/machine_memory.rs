//! The machine's memory, so that a hash table larger than it is refused instead of ending the process.
//!
//! The limit is the smallest that Linux reports: the machine's memory and the limits of the process's control
//! groups. If none is known, a trial allocation decides.

use std::fs;

/// The memory in bytes; `None` where the system does not report it.
fn total() -> Option<u64> {
    let groups = read_file("/proc/self/cgroup").unwrap_or_default();
    let limits = limit_files(&groups).into_iter().filter_map(|file| limit(&read_file(&file)?));
    limits.chain(read_file("/proc/meminfo").and_then(|info| memory_of(&info))).min()
}

/// Whether a table of this number of mebibytes can be allocated; otherwise the error names a valid size.
pub(super) fn check(mebibytes: u32) -> Result<(), String> {
    let bytes = u64::from(mebibytes) << 20;
    if let Some(total) = total().filter(|&total| bytes > total) {
        let total = total >> 20;
        return Err(format!("at most {total}: this machine has {total} MiB of memory"));
    }
    let mut room: Vec<u8> = Vec::new();
    let asked = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    if asked { Ok(()) } else { Err("less: the system refuses this number of MiB".to_owned()) }
}

/// `MemTotal: 24609180 kB`, in bytes.
fn memory_of(info: &str) -> Option<u64> {
    let line = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

/// The files with the limits of the process's own and the outermost control groups, from `/proc/self/cgroup`.
fn limit_files(groups: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        files.push(format!("{root}/{file}"));
        // The path of the outermost group is `/`, which would be doubled.
        files.push(format!("{root}{}/{file}", path.trim_end_matches('/')));
    }
    files
}

/// Bytes, or `max`.
fn limit(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "the system reports its memory in files")]
fn read_file(file: &str) -> Option<String> {
    fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_memory_and_limits_are_parsed() {
        assert_eq!(memory_of("MemFree: 1 kB\nMemTotal:       24609180 kB\n"), Some(24_609_180 << 10));
        assert_eq!(memory_of("MemTotal: many\n"), None);
        assert_eq!(limit("max\n"), None);
        assert_eq!(limit("536870912\n"), Some(536_870_912));
        let groups = "9:name=systemd:/\n4:memory:/box/a\n1:cpu,cpuacct:/\n0::/\n";
        let files = [
            "/sys/fs/cgroup/memory/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory/box/a/memory.limit_in_bytes",
            "/sys/fs/cgroup/memory.max",
            "/sys/fs/cgroup/memory.max",
        ];
        assert_eq!(limit_files(groups), files);
    }

    #[test]
    fn hash_table_larger_than_memory_is_refused() {
        assert_eq!(check(1), Ok(()));
        if let Some(total) = total().filter(|&total| total < 1 << 50) {
            let error = check(u32::MAX).expect_err("no machine has that");
            assert!(error.contains(&format!("{} MiB", total >> 20)), "{error}");
        }
    }
}
