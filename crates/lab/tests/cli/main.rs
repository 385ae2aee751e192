//! The command line of `threefold-lab`: exit codes, output, and files.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "what a command reads and writes is made and looked at here")]

#[path = "../../../../tests/cli/sandbox.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod sandbox;

mod commit_pairs;
mod mutants;
mod runner_benchmark;
mod strength_curve;
mod studies;
mod verify_statistics;

use sandbox::Sandbox;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold-lab");

/// The folder of the shipped files.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Wrong usage: exit code 2, all these parts on standard error, no changed file.
fn refused(sandbox: &Sandbox, command: &str, parts: &[&str]) {
    let before = sandbox.files();
    let output = sandbox.run(command);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
    for part in parts {
        assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
    }
    assert!(before == sandbox.files(), "{command}\nchanged {:?}", sandbox.files().keys());
}
