//! The laboratory's command line: exit codes, what is said where, and what is left on the disk.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "what a command reads and writes is made and looked at here")]

#[path = "../../../../tests/cli/sandbox.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod sandbox;

mod mutants;
mod strength_curve;
mod studies;

use sandbox::Sandbox;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold-lab");

/// The folder of the shipped files.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The command is wrong use: exit code 2, all these parts on standard error, nothing changed on the disk.
fn refused(sandbox: &Sandbox, command: &str, parts: &[&str]) {
    let before = sandbox.files();
    let output = sandbox.run(command);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
    for part in parts {
        assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
    }
    assert!(before == sandbox.files(), "{command}\nchanged {:?}", sandbox.files().keys());
}
