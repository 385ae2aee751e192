//! The environment of a run, from the files of Linux. On other systems nearly nothing of it is known.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use memchr::memmem;

use super::cgroup::{self, Limit};
use super::cpus::Cpus;
use super::processor;
use crate::files;
use threefold_run::{Environment, Property};

/// Reads a file of the system; `None` if it is not there.
type ReadBytes<'r> = &'r dyn Fn(&str) -> Option<Vec<u8>>;

/// The present environment of this process.
pub fn present() -> Environment {
    read(&|file| files::bytes(Path::new(file)).ok(), &Cpus::present().numbers)
}

/// The environment from the files of a system, for a process on these CPUs.
fn read(bytes: ReadBytes<'_>, cpus: &[usize]) -> Environment {
    let text = |file: &str| String::from_utf8(bytes(file)?).ok();
    let line = |file: &str| Some(text(file)?.trim().to_owned()).filter(|line| !line.is_empty());
    Environment::default()
        .with(Property::Cpu, text(processor::DESCRIPTION).and_then(|text| processor::known_model(&text)))
        .with(Property::Governor, governors(&line, cpus))
        .with(Property::Smt, line("/sys/devices/system/cpu/smt/active").and_then(|active| smt(&active)))
        .with(Property::CpuQuota, in_words(cgroup::cpu_quota(&text), cpus_text))
        .with(Property::MemoryLimit, in_words(cgroup::memory_limit(&text), memory_text))
        .with(Property::Kernel, line("/proc/sys/kernel/osrelease").map(|release| format!("Linux {release}")))
        .with(Property::Libc, libc(bytes, text("/proc/self/maps").as_deref()))
}

/// The governors of these CPUs, each once.
fn governors(line: &dyn Fn(&str) -> Option<String>, cpus: &[usize]) -> Option<String> {
    let file = |cpu: &usize| format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_governor");
    let each: BTreeSet<String> = cpus.iter().filter_map(|cpu| line(&file(cpu))).collect();
    (!each.is_empty()).then(|| each.into_iter().collect::<Vec<_>>().join(" and "))
}

fn smt(active: &str) -> Option<String> {
    match active {
        "1" => Some("on".to_owned()),
        "0" => Some("off".to_owned()),
        _ => None,
    }
}

fn in_words(limit: Limit, text: fn(f64) -> String) -> Option<String> {
    match limit {
        Limit::Unknown => None,
        Limit::Unlimited => Some("none".to_owned()),
        Limit::At(value) => Some(text(value)),
    }
}

/// `1 CPU`, `2.5 CPUs`.
fn cpus_text(quota: f64) -> String {
    let number = ((quota * 100.0).round() / 100.0).to_string();
    if number == "1" { "1 CPU".to_owned() } else { format!("{number} CPUs") }
}

/// `512 MiB`.
fn memory_text(bytes: f64) -> String {
    format!("{:.0} MiB", bytes / f64::from(1 << 20))
}

/// The name and the version of the C library: that of this process, or the system's if this program is linked
/// statically.
fn libc(bytes: ReadBytes<'_>, maps: Option<&str>) -> Option<String> {
    // The fields of a mapping are address, permissions, offset, device, inode and path.
    let mapped = maps.into_iter().flat_map(str::lines).filter_map(|line| line.split_whitespace().nth(5));
    let arch = env::consts::ARCH;
    let usual = [
        format!("/lib/{arch}-linux-gnu/libc.so.6"),
        "/lib64/libc.so.6".to_owned(),
        "/usr/lib/libc.so.6".to_owned(),
        format!("/lib/ld-musl-{arch}.so.1"),
    ];
    let mut places = mapped.map(str::to_owned).chain(usual);
    places.find_map(|place| {
        let name = Path::new(&place).file_name()?.to_str()?.to_owned();
        if name.starts_with("ld-musl-") {
            bytes(&place).map(|_| "musl".to_owned())
        } else if name.starts_with("libc.so") || name.starts_with("libc-") {
            glibc_version(&bytes(&place)?)
        } else {
            None
        }
    })
}

/// The version in the banner of glibc: `GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.`
fn glibc_version(library: &[u8]) -> Option<String> {
    const LONGEST: usize = 200;
    let banner = &library[memmem::find(library, b"GNU C Library (")?..];
    let banner = String::from_utf8_lossy(&banner[..banner.len().min(LONGEST)]);
    let (_, rest) = banner.split_once(" version ")?;
    let end = rest.find(|letter: char| letter != '.' && !letter.is_ascii_digit()).unwrap_or(rest.len());
    let version = rest[..end].trim_end_matches('.');
    (!version.is_empty()).then(|| format!("glibc {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(files: &[(&str, &str)]) -> Environment {
        let bytes = |file: &str| {
            files.iter().find(|(name, _)| *name == file).map(|(_, text)| text.as_bytes().to_vec())
        };
        read(&bytes, &[0, 1])
    }

    #[test]
    fn environment_has_what_the_system_says() {
        let files = [
            ("/proc/cpuinfo", "model name\t: A CPU\n"),
            ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
            ("/sys/devices/system/cpu/smt/active", "1\n"),
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/cpu.max", "250000 100000\n"),
            ("/sys/fs/cgroup/memory.max", "4294967296\n"),
            ("/proc/sys/kernel/osrelease", "6.1.0-9\n"),
            (
                "/proc/self/maps",
                "00-01 r--p 00 fe:00 1 /usr/bin/a\n00-01 r--p 00 fe:00 1 /usr/lib/libc.so.6\n",
            ),
            ("/usr/lib/libc.so.6", "\0GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.\n\0"),
        ];
        let expected = [
            (Property::Cpu, "A CPU"),
            (Property::Governor, "performance and powersave"),
            (Property::Smt, "on"),
            (Property::CpuQuota, "2.5 CPUs"),
            (Property::MemoryLimit, "4096 MiB"),
            (Property::Kernel, "Linux 6.1.0-9"),
            (Property::Libc, "glibc 2.36"),
        ];
        let found = environment(&files);
        for (property, value) in expected {
            assert_eq!(found.get(property), Some(value), "{property}");
        }
        assert!(environment(&[]).is_empty());
    }

    #[test]
    fn libc_of_a_static_program_is_that_of_the_system() {
        let musl = format!("/lib/ld-musl-{}.so.1", env::consts::ARCH);
        assert_eq!(environment(&[(&musl, "")]).get(Property::Libc), Some("musl"));
        let file = ("/lib64/libc.so.6", "GNU C Library (GNU libc) stable release version 2.28.\n");
        assert_eq!(environment(&[file]).get(Property::Libc), Some("glibc 2.28"));
        assert_eq!(environment(&[("/lib64/libc.so.6", "no banner")]).get(Property::Libc), None);
    }

    #[test]
    fn limits_are_in_usual_units() {
        assert_eq!([0.5, 1.0, 2.0].map(cpus_text), ["0.5 CPUs", "1 CPU", "2 CPUs"]);
        assert_eq!(memory_text(1_610_612_736.0), "1536 MiB");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_a_kernel() {
        assert!(present().get(Property::Kernel).is_some_and(|kernel| kernel.starts_with("Linux ")));
    }
}
