//! The limits of the control group of this process and of those above it, versions 1 and 2.

/// Reads a file of the system as text; `None` if it is not there.
pub type ReadText<'r> = &'r dyn Fn(&str) -> Option<String>;

/// A limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// The system does not say.
    Unknown,
    /// There is none.
    Unlimited,
    /// The least of the groups.
    At(f64),
}

/// The memory limit of version 1 without a limit is the largest number of pages in bytes; no machine has a quarter of it.
const UNLIMITED_BYTES: f64 = (1_u64 << 60) as f64;

impl Limit {
    /// The value, if there is one.
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::At(value) => Some(value),
            Self::Unknown | Self::Unlimited => None,
        }
    }
}

/// The CPU time per second that the groups may use, in CPUs (`cpu.max` of version 2, `cpu.cfs_*` of version 1).
pub fn cpu_quota(read: ReadText<'_>) -> Limit {
    let version_2 = |folder: &str| {
        let max = read(&format!("{folder}/cpu.max"))?;
        let (quota, period) = max.trim().split_once(' ')?;
        // Without a limit the quota is the word `max`, which is no number.
        Some(quota.parse::<f64>().ok().zip(period.parse::<f64>().ok()).map(|(quota, period)| quota / period))
    };
    let version_1 = |folder: &str| {
        let number = |name: &str| read(&format!("{folder}/cpu.cfs_{name}_us"))?.trim().parse::<f64>().ok();
        let (quota, period) = number("quota").zip(number("period"))?;
        // Without a limit the quota is -1.
        Some((quota > 0.0).then(|| quota / period))
    };
    least(read, "cpu", &version_2, &version_1)
}

/// The memory that the groups may use, in bytes (`memory.max` of version 2, `memory.limit_in_bytes` of version 1).
pub fn memory_limit(read: ReadText<'_>) -> Limit {
    let version_2 = |folder: &str| Some(read(&format!("{folder}/memory.max"))?.trim().parse::<f64>().ok());
    let version_1 = |folder: &str| {
        let limit = read(&format!("{folder}/memory.limit_in_bytes"))?.trim().parse::<f64>().ok()?;
        Some((limit < UNLIMITED_BYTES).then_some(limit))
    };
    least(read, "memory", &version_2, &version_1)
}

/// The limit in the files of a group's folder: `None` without the files, `Some(None)` without a limit.
type ReadLimit<'r> = &'r dyn Fn(&str) -> Option<Option<f64>>;

/// The least limit of the group and of those above it.
fn least(read: ReadText<'_>, controller: &str, version_2: ReadLimit<'_>, version_1: ReadLimit<'_>) -> Limit {
    let Some(groups) = read("/proc/self/cgroup") else { return Limit::Unknown };
    let mut found = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        // The line of version 2 is `0::PATH`, without controllers.
        if controllers.is_empty() {
            found.extend(folders("/sys/fs/cgroup", path).iter().filter_map(|folder| version_2(folder)));
        } else if controllers.split(',').any(|name| name == controller) {
            let root = format!("/sys/fs/cgroup/{controller}");
            found.extend(folders(&root, path).iter().filter_map(|folder| version_1(folder)));
        }
    }
    match found.iter().copied().flatten().reduce(f64::min) {
        Some(limit) => Limit::At(limit),
        // A group of version 2 has these files only while the controller is on.
        None if found.is_empty() && read("/sys/fs/cgroup/cgroup.controllers").is_none() => Limit::Unknown,
        None => Limit::Unlimited,
    }
}

/// The folders of a group and of those above it, the root last. In a container the root is the group itself.
fn folders(root: &str, path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let mut folders: Vec<String> = ends.map(|end| format!("{root}{}", &path[..end])).collect();
    folders.dedup();
    folders.reverse();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_least_of_the_groups() {
        let limits = |files: &[(&str, &str)]| {
            let read =
                |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
            (cpu_quota(&read), memory_limit(&read))
        };
        let version_2 = ("/proc/self/cgroup", "0::/user/job\n");
        let version_1 = ("/proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job/a\n0::/\n");
        let table = [
            (&[][..], Limit::Unknown, Limit::Unknown),
            (&[version_2], Limit::Unknown, Limit::Unknown),
            // The controllers are off for this group.
            (
                &[version_2, ("/sys/fs/cgroup/cgroup.controllers", "cpu memory\n")],
                Limit::Unlimited,
                Limit::Unlimited,
            ),
            (
                &[
                    version_2,
                    ("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n"),
                    ("/sys/fs/cgroup/user/cpu.max", "150000 100000\n"),
                    ("/sys/fs/cgroup/user/job/memory.max", "2048\n"),
                    ("/sys/fs/cgroup/memory.max", "max\n"),
                ],
                Limit::At(1.5),
                Limit::At(2048.0),
            ),
            (
                &[
                    version_1,
                    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
                    ("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
                    ("/sys/fs/cgroup/cpu/job/a/cpu.cfs_quota_us", "50000\n"),
                    ("/sys/fs/cgroup/cpu/job/a/cpu.cfs_period_us", "100000\n"),
                    ("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n"),
                ],
                Limit::At(0.5),
                Limit::Unlimited,
            ),
        ];
        for (files, quota, memory) in table {
            assert_eq!(limits(files), (quota, memory), "{files:?}");
        }
    }

    #[test]
    fn group_without_a_folder_is_the_root() {
        assert_eq!(folders("/g", "/"), ["/g"]);
        assert_eq!(folders("/g", "/a/b"), ["/g/a/b", "/g/a", "/g"]);
    }
}
