//! The laboratory's command line: exit codes, what is said where, and what is left on the disk.

#![cfg(unix)]
#![expect(clippy::disallowed_methods, reason = "what a command reads and writes is made and looked at here")]

#[path = "../../../../tests/cli/room.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod room;

mod mutants;
mod strength_curve;
mod studies;

use room::Room;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_threefold-lab");

/// The folder of the shipped files.
const WORKSPACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The command is wrong use: exit code 2, all these parts on standard error, nothing changed on the disk.
fn refused(room: &Room, command: &str, parts: &[&str]) {
    let before = room.files();
    let said = room.run(command);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}\n{}", said.err);
    for part in parts {
        assert!(said.err.contains(part), "{command}\nlacks `{part}`:\n{}", said.err);
    }
    assert!(before == room.files(), "{command}\nchanged {:?}", room.files().keys());
}
