//! `bundle`: what a case or a game needs to be reproduced.

use crate::sandbox::Sandbox;

/// An engine that exits with status 4 at `go`.
const CRASHES: &str = "go*) echo out of luck >&2; exit 4;;";

/// The value of a string field in a JSON line.
fn field(line: &str, name: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    value[name].as_str().unwrap_or_else(|| panic!("{line} has no `{name}`")).to_owned()
}

#[test]
fn bundle_of_a_case_reproduces_its_verdict() {
    let sandbox = Sandbox::new();
    // The limit of the command replaces that of the suite.
    let ran =
        sandbox.run("suite traps.toml --nodes 200 --engine echo,name=Echo,Hash=1 --run run.sqlite --json");
    for (verdict, code) in [("failed", 1), ("passed", 0)] {
        let line = ran.out.lines().find(|line| field(line, "verdict") == verdict).expect("such a case");
        let id = field(line, "id");
        let bundled = sandbox.run(&format!("bundle run.sqlite traps/{id} --out {verdict}"));
        assert_eq!(bundled.code, Some(0), "{}", bundled.err);
        // From another folder, by the one command of the README.
        let again = sandbox
            .shell(&format!("mkdir -p other && cd other && THREEFOLD=$T sh ../{verdict}/reproduce.sh"));
        assert_eq!((again.code, again.out.trim_end()), (Some(code), line), "{}", again.err);
        let readme = sandbox.read(&format!("{verdict}/README.txt"));
        for part in
            ["sh reproduce.sh", "echo,name=Echo,Hash=1", "SHA-256 ", "\nmachine ", "\nseed ", "\nposition "]
        {
            assert!(readme.contains(part), "{part} is missing: {readme}");
        }
        // The suite file has that case alone.
        let positions = sandbox.read(&format!("{verdict}/traps.csv"));
        assert_eq!(positions.lines().count(), 2, "{positions}");
    }
    let existing = sandbox.run(&format!(
        "bundle run.sqlite {} --out failed",
        field(ran.out.lines().next().expect("a case"), "id")
    ));
    assert_eq!(existing.code, Some(2), "existing files are not replaced");
}

#[test]
fn bundle_of_a_fault_has_its_traffic_and_the_same_fault() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("Crash", CRASHES);
    let ran = sandbox.run_words(&[
        "suite",
        "mates.toml",
        "--engine",
        &crash,
        "--run",
        "run.sqlite",
        "--json",
        "-j",
        "1",
    ]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let line = ran.out.lines().next().expect("a case");
    let bundled = sandbox.run_words(&["bundle", "run.sqlite", &field(line, "id"), "--out", "fault"]);
    assert_eq!(bundled.code, Some(0), "{}", bundled.err);
    let traffic = sandbox.read("fault/traffic.txt");
    assert!(traffic.contains("> go nodes 300") && traffic.contains("out of luck"), "{traffic}");
    let again = sandbox.shell("cd /; THREEFOLD=$T sh \"$OLDPWD/fault/reproduce.sh\"");
    assert_eq!((again.code, field(&again.out, "verdict")), (Some(3), "fault".to_owned()), "{}", again.err);
    // Another engine does not crash.
    let other = sandbox.shell("THREEFOLD=$T sh fault/reproduce.sh echo,Hash=1");
    assert_ne!(field(&other.out, "verdict"), "fault", "{}", other.err);
}

#[test]
fn bundle_of_a_game_has_its_moves_and_traffic() {
    let sandbox = Sandbox::new();
    let crash = sandbox.engine("Crash", CRASHES);
    let words = ["match", "--engine", "echo,name=E,Hash=1", "--engine", &crash, "--run", "run.sqlite"];
    let more = "--nodes 40 --games 2 --openings book.epd -j 1 --max-faults 2".split_whitespace();
    let ran = sandbox.run_words(&words.into_iter().chain(more).collect::<Vec<_>>());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bundled = sandbox.run_words(&["bundle", "run.sqlite", "game 2", "--out", "game"]);
    assert_eq!(bundled.code, Some(0), "{}", bundled.err);
    assert!(sandbox.read("game/game.pgn").contains("[Round \"1.2\"]"), "{}", sandbox.read("game/game.pgn"));
    assert!(sandbox.read("game/traffic.txt").contains("out of luck"));
    let readme = sandbox.read("game/README.txt");
    assert!(readme.contains("Engine fault: Crash: ") && readme.contains("Crash.sh ("), "{readme}");
    let missing = sandbox.run_words(&["bundle", "run.sqlite", "game 3", "--out", "none"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("has no finished game 3"), "{}", missing.err);
}
