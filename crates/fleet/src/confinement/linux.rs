//! Limits that Linux has: no new privileges, Landlock for files and TCP, seccomp for system calls.
//!
//! They hold for the calling thread, for what it starts, and for the program that it becomes.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};

use super::ConfinementError;

/// The shared libraries of the system, and what they read.
const LIBRARIES: [&str; 7] =
    ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"];
/// What programs read of the system: the configuration of the dynamic linker, time zones, processors, memory,
/// random numbers.
const READABLE: [&str; 19] = [
    "/usr/share",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/devices/virtual/dmi/id",
    "/sys/kernel/mm",
    "/sys/fs/cgroup",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// The only file that an engine may write.
const WRITABLE: [&str; 1] = ["/dev/null"];

/// The newest version of Landlock whose rights are used; of them, those that the kernel has.
const FILES: ABI = ABI::V5;
const SCOPES: ABI = ABI::V6;

/// Restricts the calling thread as far as the kernel can: it may read these files and folders, and start
/// programs in them.
///
/// # Errors
///
/// If the kernel has a mechanism that fails.
pub(super) fn restrict_thread<'a>(read: impl Iterator<Item = &'a Path>) -> Result<(), ConfinementError> {
    let failed =
        |what: &'static str, cause: &dyn ToString| ConfinementError::Limit { what, cause: cause.to_string() };
    // The kernel requires this of an unprivileged process before Landlock and seccomp.
    nix::sys::prctl::set_no_new_privs().map_err(|errno| failed("no new privileges", &errno.desc()))?;
    restrict_files(read).map_err(|cause| failed("the limits of Landlock", &cause))?;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
    if system_calls::are_filtered_here() {
        system_calls::restrict().map_err(|cause| failed("the filter of system calls", &cause))?;
    }
    Ok(())
}

/// Landlock, as far as the kernel has it.
fn restrict_files<'a>(read: impl Iterator<Item = &'a Path>) -> Result<(), RulesetError> {
    let run = AccessFs::from_read(FILES);
    let view = AccessFs::ReadFile | AccessFs::ReadDir;
    let write: BitFlags<AccessFs> = AccessFs::WriteFile.into();
    Ruleset::default()
        .handle_access(AccessFs::from_all(FILES))?
        // No rule below gives a right to the network, so TCP connections are refused in both directions.
        .handle_access(AccessNet::from_all(FILES))?
        .scope(Scope::from_all(SCOPES))?
        .create()?
        .add_rules(path_beneath_rules(read, run))?
        // The kernel executes the dynamic linker, which is in one of these folders.
        .add_rules(path_beneath_rules(LIBRARIES, run))?
        // `path_beneath_rules` skips paths that this system does not have.
        .add_rules(path_beneath_rules(READABLE, view))?
        .add_rules(path_beneath_rules(WRITABLE, write))?
        .restrict_self()?;
    Ok(())
}

/// Can the kernel keep a process from sending signals to those outside?
pub(super) fn has_scopes() -> bool {
    let scoped = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::from_all(SCOPES))
        .and_then(Ruleset::create);
    scoped.is_ok()
}

/// System calls that engines need not make.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))]
mod system_calls {
    use std::collections::BTreeMap;
    use std::fs;

    use nix::libc;
    use seccompiler::{
        BackendError, BpfProgram, Error, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
        SeccompFilter, SeccompRule, TargetArch,
    };

    /// Refused with "operation not permitted": sockets of every family, and the memory of other processes.
    const REFUSED: [i64; 4] =
        [libc::SYS_socket, libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev];
    /// Refused as if the kernel did not have them: a filter can't see what they are asked for. The C
    /// libraries then use `clone`.
    const MISSING: [i64; 2] = [libc::SYS_clone3, libc::SYS_io_uring_setup];
    /// The same calls in x86-64's mode with 32-bit pointers have this bit.
    #[cfg(target_arch = "x86_64")]
    const OTHER_MODE: &[i64] = &[0, 0x4000_0000];
    #[cfg(not(target_arch = "x86_64"))]
    const OTHER_MODE: &[i64] = &[0];

    /// Has this kernel filters of system calls?
    pub(super) fn are_filtered_here() -> bool {
        fs::metadata("/proc/sys/kernel/seccomp/actions_avail").is_ok()
    }

    /// Refuses the calls of this thread. A new process is refused, a new thread is not.
    pub(super) fn restrict() -> Result<(), Error> {
        let new_process = SeccompCondition::new(
            0,
            SeccompCmpArgLen::Dword,
            SeccompCmpOp::MaskedEq(libc::CLONE_THREAD as u64),
            0,
        )?;
        let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
            BTreeMap::from([(libc::SYS_clone, vec![SeccompRule::new(vec![new_process])?])]);
        refused.extend(REFUSED.map(|call| (call, Vec::new())));
        #[cfg(target_arch = "x86_64")]
        refused.extend([libc::SYS_fork, libc::SYS_vfork].map(|call| (call, Vec::new())));
        // A filter has one error number, so there are two filters.
        let missing = MISSING.map(|call| (call, Vec::new())).into();
        seccompiler::apply_filter(&compiled(&missing, libc::ENOSYS)?)?;
        seccompiler::apply_filter(&compiled(&refused, libc::EPERM)?)
    }

    fn compiled(calls: &BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<BpfProgram, BackendError> {
        let in_both_modes = OTHER_MODE
            .iter()
            .flat_map(|bit| calls.iter().map(move |(call, rules)| (call | bit, rules.clone())));
        let action = SeccompAction::Errno(errno.unsigned_abs());
        let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
        SeccompFilter::new(in_both_modes.collect(), SeccompAction::Allow, action, architecture)?.try_into()
    }
}
