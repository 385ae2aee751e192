//! What differs by operating system, one module for each concern.
//!
//! Every concern has two versions with the same functions. `unix` uses process groups, signals, `poll` and `/proc`;
//! `portable` uses the standard library alone, and does less. Windows gets `portable`. The feature `portable` selects it
//! on any system, so that Linux compiles and tests it, too.
//!
//! | concern | `unix` | `portable` |
//! | --- | --- | --- |
//! | `file_system` | named pipes, permissions, open descriptors | files, and no named pipes |
//! | `orphan_guard` | a shell kills the engines of a harness that was killed | no guard |
//! | `pipe_end` | reads and writes can be cancelled | they end with the pipe |
//! | `proc_files` | what `/proc` says of processes | no information |
//! | `process_group` | an engine and its children get a signal together | no signals |
//! | `suspension_signals` | Ctrl-Z stops the engines, too | no such signals |

#[cfg(not(all(unix, not(feature = "portable"))))]
#[path = "portable/mod.rs"]
mod selected;
#[cfg(all(unix, not(feature = "portable")))]
#[path = "unix/mod.rs"]
mod selected;

pub(crate) use selected::{
    file_system, orphan_guard, pipe_end, proc_files, process_group, suspension_signals,
};
