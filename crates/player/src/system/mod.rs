//! What differs by operating system, one module for each concern.
//!
//! Every concern has two versions with the same functions. `unix` uses process groups, signals, `poll` and
//! `/proc`; `portable` uses the standard library alone, and does less. Windows gets `portable`. The feature
//! `portable` selects it on any system, so that Linux compiles and tests it, too.
//!
//! | concern | `unix` | `portable` |
//! | --- | --- | --- |
//! | `affinity` | a thread and the processes that it starts run on one CPU (Linux, FreeBSD) | no such call |
//! | `child_pipes` | one `poll` for all pipes of a child | a thread for each pipe |
//! | `end_signals` | Ctrl-C and `SIGTERM` | Ctrl-C |
//! | `file_system` | named pipes, permissions, open descriptors | files, and no named pipes |
//! | `orphan_guard` | a shell kills the engines of a harness that was killed | no guard |
//! | `proc_files` | what `/proc` says of processes | no information |
//! | `process_group` | an engine and its children get a signal together | no signals |
//! | `suspension_signals` | Ctrl-Z stops the engines, too | no such signals |

#[cfg(not(all(unix, not(feature = "portable"))))]
#[path = "portable/mod.rs"]
mod selected;
#[cfg(all(unix, not(feature = "portable")))]
#[path = "unix/mod.rs"]
mod selected;

pub use selected::{affinity, end_signals, file_system};
pub(crate) use selected::{child_pipes, orphan_guard, proc_files, process_group, suspension_signals};

/// A signal that ends a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndSignal {
    /// Ctrl-C.
    Interrupt,
    /// `SIGTERM`, by which `kill`, `timeout` and services end a process.
    Terminate,
}

/// What a wait for a child's pipes has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival<'b> {
    /// Bytes of standard output.
    Output(&'b [u8]),
    /// Standard output is closed.
    OutputClosed,
    /// Bytes of standard error.
    Error(&'b [u8]),
    /// Standard error is closed.
    ErrorClosed,
}

/// The state of a child's standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InputState {
    /// The child can read everything that was sent.
    Written,
    /// Some of it is not written yet.
    Pending,
    /// The child, or the harness, has closed it.
    Closed,
}
