//! Creation of journals, and failures to write them: a killed process, a full disk, a file of another user.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::unistd::geteuid;

use crate::interruption::{MOVES, begin, interrupt, signal, sprt_alone};
use crate::sandbox::{CommandOutput, GAMES, Sandbox, THREEFOLD};

/// A user without files.
const NOBODY_UID: u32 = 65534;
/// Time in which a process creates its journal.
const FIRST: Duration = Duration::from_millis(60);

/// Deterministic pseudo-random numbers: splitmix64.
fn scrambled(number: u64) -> u64 {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Kills a command at random moments of its first `within`, or of its whole duration, each time in a new
/// sandbox. Then `finish` must give the games of an uninterrupted run.
fn kill(command: &str, finish: &str, kills: Range<u64>, within: Option<Duration>) {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let whole = Sandbox::new();
    let began = Instant::now();
    let output = whole.run(command);
    let within = within.unwrap_or_else(|| began.elapsed());
    assert_eq!(output.code, Some(0), "{}", output.err);
    for kill in kills {
        let sandbox = Sandbox::new();
        let mut child = begin(&sandbox, &words);
        thread::sleep(Duration::from_micros(scrambled(kill) % within.as_micros() as u64));
        signal(&child, Signal::SIGKILL);
        child.wait().expect("it ends");
        let left: Vec<_> = sandbox.files().into_keys().filter(|file| file.starts_with("made")).collect();
        let journal = sandbox.path("made/run.sqlite");
        let output = sandbox.run(if journal.exists() { finish } else { command });
        assert_eq!(output.code, Some(0), "kill {kill}, which left {left:?}\n{}", output.err);
        let output = sandbox.run("report made/run.sqlite --out report");
        assert_eq!(output.code, Some(0), "kill {kill}, which left {left:?}\n{}", output.err);
        assert!(sandbox.read("report/games.pgn") == whole.read("made/games.pgn"), "kill {kill}");
        let journals =
            sandbox.files().into_keys().filter(|file| file.to_string_lossy().contains("run.sqlite"));
        assert_eq!(journals.collect::<Vec<_>>(), [Path::new("made/run.sqlite")], "kill {kill}");
    }
}

/// Kills each command at these numbers of moments: a match early and late, a regression run early.
fn kill_matches_and_runs([early, late, runs]: [Range<u64>; 3]) {
    let short = format!("{GAMES} --run made/run.sqlite --out made");
    kill(&short, "resume made/run.sqlite", early, Some(FIRST));
    let long = GAMES.replace("--games 4", "--games 24") + " --maxmoves 30 --run made/run.sqlite --out made";
    kill(&long, "resume made/run.sqlite", late, None);
    let regress = "regress --plan plan.toml --baseline base --accept --out made";
    kill(regress, regress, runs, Some(FIRST));
}

#[test]
fn killed_command_restarts_or_resumes() {
    kill_matches_and_runs([0..4, 0..6, 0..3]);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn command_killed_at_any_moment_restarts_or_resumes() {
    kill_matches_and_runs([4..30, 6..50, 3..20]);
}

#[test]
fn full_disk_at_journal_creation_is_an_error_and_leaves_no_file() {
    let sandbox = Sandbox::new();
    let before = sandbox.files();
    for blocks in [0, 8, 16] {
        // A file that may not grow beyond some blocks of 512 bytes is as good as a full disk.
        let script = format!("ulimit -f {blocks}; trap '' XFSZ; exec '{THREEFOLD}' {GAMES} --run run.sqlite");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(sandbox.path("."))
            .output()
            .expect("it runs");
        let output = CommandOutput::from(output);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{blocks}: {}", output.err);
        assert!(output.err.contains("run.sqlite: can't be written: "), "{blocks}: {}", output.err);
        assert!(output.err.contains("free some space"), "{blocks}: {}", output.err);
        assert!(sandbox.files() == before, "{blocks}: {:?}", sandbox.files().keys());
    }
    assert_eq!(sandbox.run(&format!("{GAMES} --run run.sqlite")).code, Some(0));
}

/// Runs a command as a user who can read the whole sandbox, but write only to the folder `open`.
fn as_a_guest(sandbox: &Sandbox, words: &str) -> CommandOutput {
    let program = sandbox.path("guest/threefold");
    if !program.exists() {
        fs::create_dir(sandbox.path("guest")).expect("a folder");
        fs::copy(THREEFOLD, &program).expect("room on the disk");
    }
    fs::create_dir_all(sandbox.path("open")).expect("a folder");
    let modes = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
    };
    for file in sandbox.files().into_keys().filter(|file| !file.starts_with("open")) {
        modes(&sandbox.path(&file.to_string_lossy()), 0o444);
    }
    modes(&program, 0o555);
    modes(&sandbox.path("open"), 0o777);
    modes(&sandbox.path("."), 0o555);
    let mut command = Command::new(program);
    command.args(words.split(' ')).current_dir(sandbox.path("."));
    if geteuid().is_root() {
        command.uid(NOBODY_UID).gid(NOBODY_UID);
    }
    let output = command.output().expect("it runs");
    modes(&sandbox.path("."), 0o755);
    CommandOutput::from(output)
}

#[test]
fn read_only_journal_is_reported_and_not_called_damaged() {
    // Closed, and as a killed process leaves it, with a write-ahead log.
    let killed = Sandbox::new();
    let words = sprt_alone(&killed, "go*");
    interrupt(&killed, &words, 2 * MOVES + 1, Signal::SIGKILL);
    assert!(killed.path("run.sqlite-wal").exists());
    let finished = Sandbox::new();
    assert_eq!(finished.run(&format!("{GAMES} --run run.sqlite")).code, Some(0));
    for (sandbox, least) in [(killed, 2), (finished, 4)] {
        let output = as_a_guest(&sandbox, "report run.sqlite --out open/report");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(sandbox.read("open/report/games.pgn").matches("[Event ").count() >= least);
        let output = as_a_guest(&sandbox, "resume run.sqlite");
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
        assert!(output.err.contains("run.sqlite: can't be written: "), "{}", output.err);
        assert!(
            output.err.contains("`report` reads it where it is") && !output.err.contains("damaged"),
            "{}",
            output.err
        );
    }
}
