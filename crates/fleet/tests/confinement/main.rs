//! Limits of engines, tried by real processes.
//!
//! The test has its own main function, because it also runs as the program that limits itself, as the program
//! that tries what is forbidden, and as an engine. Nothing is limited on Windows, so it tests nothing there.

#![cfg_attr(unix, expect(clippy::disallowed_methods, reason = "files are what is tested"))]

#[cfg(unix)]
mod attempts;
#[cfg(unix)]
mod limited_processes;

fn main() {
    #[cfg(unix)]
    limited_processes::main();
}
