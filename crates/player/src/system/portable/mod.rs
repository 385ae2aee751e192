//! Any system, by the standard library alone.

pub mod affinity;
pub(crate) mod child_pipes;
pub mod end_signals;
pub mod file_system;
pub(crate) mod orphan_guard;
pub(crate) mod proc_files;
pub(crate) mod process_group;
pub(crate) mod suspension_signals;
