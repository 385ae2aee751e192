//! What is enforced on this machine, found by trying it.

use super::Enforced;

/// Why a limit is not enforced on other systems than Linux.
#[cfg(not(target_os = "linux"))]
const NOT_LINUX: &str = "this system has no such limit; Linux has";

/// One row for each limit.
#[cfg(target_os = "linux")]
pub(super) fn report() -> Vec<(&'static str, Enforced)> {
    let found = std::thread::Builder::new().spawn(linux::try_all).ok().and_then(|thread| thread.join().ok());
    // Without a result, no limit that has to be tried counts as enforced.
    linux::rows(&found.unwrap_or_default())
}

/// One row for each limit.
#[cfg(not(target_os = "linux"))]
pub(super) fn report() -> Vec<(&'static str, Enforced)> {
    let size = if cfg!(unix) { Enforced::Yes } else { Enforced::No(NOT_LINUX) };
    let write = if cfg!(unix) {
        Enforced::Partly("written files stay empty, but files can be created, renamed and deleted")
    } else {
        Enforced::No(NOT_LINUX)
    };
    let none = Enforced::No(NOT_LINUX);
    vec![
        ("memory of an engine", none),
        ("number of processes and threads", none),
        ("no other programs", none),
        ("no core dumps", size),
        ("reading its own files and system libraries only", none),
        ("no writing of files", write),
        ("no network", none),
        ("no signals to other processes", none),
    ]
}

#[cfg(target_os = "linux")]
mod linux {
    use std::io;
    use std::net::UdpSocket;
    use std::process::Command;

    use nix::libc;

    use super::super::linux::{has_scopes, restrict_thread};
    use super::Enforced;

    const NO_LANDLOCK: &str = "the kernel has no Landlock, or it is switched off; use Linux 5.13 or newer";
    const NO_SECCOMP: &str = "the kernel has no seccomp, or it can't be used here";

    /// What can be refused to a restricted thread.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Attempt {
        Read,
        Write,
        OpenSocket,
        StartProcess,
        SendSignal,
    }

    /// Restricts this thread, tries what is forbidden, and returns what was refused.
    pub(super) fn try_all() -> Vec<Attempt> {
        let has_scopes = has_scopes();
        if restrict_thread(std::iter::empty()).is_err() {
            return Vec::new();
        }
        let is_denied = |cause: io::Error| cause.kind() == io::ErrorKind::PermissionDenied;
        // A folder can't be started: without a limit of processes the error is another one.
        let process = Command::new("/").spawn();
        let refused = [
            (Attempt::Read, std::fs::read_dir("/").is_err_and(is_denied)),
            (Attempt::Write, tempfile::tempfile().is_err_and(is_denied)),
            (Attempt::OpenSocket, UdpSocket::bind("127.0.0.1:0").is_err_and(is_denied)),
            (Attempt::StartProcess, process.is_err_and(|cause| cause.raw_os_error() == Some(libc::EPERM))),
            (Attempt::SendSignal, has_scopes),
        ];
        refused.into_iter().filter_map(|(attempt, is_refused)| is_refused.then_some(attempt)).collect()
    }

    /// The rows of the report.
    pub(super) fn rows(refused: &[Attempt]) -> Vec<(&'static str, Enforced)> {
        let is_refused = |attempt| refused.contains(&attempt);
        let if_so = |attempt, reason| if is_refused(attempt) { Enforced::Yes } else { Enforced::No(reason) };
        let number = if counts_no_processes() {
            Enforced::No("it does not count for root; run the worker as another user")
        } else {
            Enforced::Yes
        };
        let writing = if is_refused(Attempt::Write) {
            Enforced::Yes
        } else {
            Enforced::Partly(
                "written files stay empty, but without Landlock files can be created, renamed and deleted",
            )
        };
        vec![
            ("memory of an engine", Enforced::Yes),
            ("number of processes and threads", number),
            ("no other programs", if_so(Attempt::StartProcess, NO_SECCOMP)),
            ("no core dumps", Enforced::Yes),
            ("reading its own files and system libraries only", if_so(Attempt::Read, NO_LANDLOCK)),
            ("no writing of files", writing),
            ("no network", if_so(Attempt::OpenSocket, NO_SECCOMP)),
            (
                "no signals to other processes",
                if_so(Attempt::SendSignal, "the kernel's Landlock is older than Linux 6.12, or switched off"),
            ),
        ]
    }

    /// Is this user exempt from the number of processes? See `setrlimit(2)`, `RLIMIT_NPROC`.
    #[expect(clippy::disallowed_methods, reason = "the kernel describes this process in a file")]
    fn counts_no_processes() -> bool {
        /// `CAP_SYS_ADMIN` and `CAP_SYS_RESOURCE`.
        const EXEMPT: u64 = 1 << 21 | 1 << 24;
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let field = |name| status.lines().find_map(|line: &str| line.strip_prefix(name)).map(str::trim);
        let capabilities = field("CapEff:").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let user = field("Uid:").and_then(|ids| ids.split_whitespace().next());
        user.is_none_or(|user| user == "0") || capabilities.is_none_or(|it| it & EXEMPT != 0)
    }
}
