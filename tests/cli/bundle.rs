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
    // The same fault again; another Black does not crash, and makes another game.
    assert!(readme.contains("The moves are repeatable: "), "{readme}");
    let again = sandbox.shell("mkdir -p other && cd other && THREEFOLD=$T sh ../game/reproduce.sh");
    assert_eq!(again.code, Some(0), "{} {}", again.out, again.err);
    assert!(again.out.ends_with("The moves and the result are the same.\n"), "{}", again.out);
    let other = sandbox.shell("THREEFOLD=$T sh game/reproduce.sh echo,name=W,Hash=1 echo,name=B,Hash=1");
    assert_eq!(other.code, Some(1), "{} {}", other.out, other.err);
    assert!(other.out.contains("The game differs: "), "{}", other.out);
    let missing = sandbox.run_words(&["bundle", "run.sqlite", "game 3", "--out", "none"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("has no finished game 3"), "{}", missing.err);
}

#[test]
fn bundle_of_a_game_plays_it_again() {
    let sandbox = Sandbox::new();
    // Openings with moves, limits of the match and of an engine, a virtual clock, and adjudication.
    sandbox.write("book.pgn", "[Event \"1\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"2\"]\n\n1. d4 d5 *\n");
    let engines = "--engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,nodes=80 --engine echo,name=C,Hash=1,Contempt=20";
    let played = sandbox.run(&format!(
        "match {engines} --nodes 60 --tc 2+0.1 --clock virtual:5000 --maxmoves 12 --games 12 --openings book.pgn \
         --run run.sqlite -j 2"
    ));
    assert_eq!(played.code, Some(0), "{}", played.err);
    for game in [1, 4, 9, 12] {
        let bundled = sandbox.run_words(&[
            "bundle",
            "run.sqlite",
            &format!("game {game}"),
            "--out",
            &format!("g{game}"),
        ]);
        assert_eq!(bundled.code, Some(0), "{}", bundled.err);
        let again = sandbox.shell(&format!("cd / && THREEFOLD=$T sh \"$OLDPWD/g{game}/reproduce.sh\""));
        assert_eq!(again.code, Some(0), "game {game}: {} {}", again.out, again.err);
        assert!(sandbox.read(&format!("g{game}/README.txt")).contains("The moves are repeatable: "));
    }
    // A game under other limits differs.
    let changed = sandbox.read("g1/reproduce.sh").replace("nodes=60", "nodes=400");
    sandbox.write("g1/reproduce.sh", &changed);
    let other = sandbox.shell("THREEFOLD=$T sh g1/reproduce.sh");
    assert_eq!(other.code, Some(1), "{} {}", other.out, other.err);
}

#[test]
fn bundle_of_a_game_says_what_can_differ() {
    let sandbox = Sandbox::new();
    let played = sandbox.run(
        "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,Threads=2,nodes=40 --each tc=0.5+0.01 \
         --maxmoves 4 --games 2 --openings book.epd --run run.sqlite -j 1",
    );
    assert_eq!(played.code, Some(0), "{}", played.err);
    let bundled = sandbox.run_words(&["bundle", "run.sqlite", "game 1", "--out", "game"]);
    assert_eq!(bundled.code, Some(0), "{}", bundled.err);
    let readme = sandbox.read("game/README.txt");
    for part in ["The moves can differ each time. ", "A played on a real clock", "B searched with 2 threads"]
    {
        assert!(readme.contains(part), "{part} is missing: {readme}");
    }
    let script = sandbox.read("game/reproduce.sh");
    assert!(
        script.contains("echo,name=A,Hash=1,tc=0.5+0.01") && script.contains(" --maxmoves 4 "),
        "{script}"
    );
}

#[test]
fn invisible_characters_of_names_are_in_no_file_of_a_bundle() {
    let sandbox = Sandbox::new();
    let hostile = "echo,name=A\u{1b}[2J\u{7}\u{202e}B,Hash=1";
    let words = "--engine echo,name=C,Hash=1 --nodes 60 --games 2 --openings book.epd --run run.sqlite";
    let words: Vec<&str> = ["match", "--engine", hostile].into_iter().chain(words.split(' ')).collect();
    let ran = sandbox.run_words(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let bundled = sandbox.run_words(&["bundle", "run.sqlite", "game 2", "--out", "game"]);
    assert_eq!(bundled.code, Some(0), "{}", bundled.err);
    for file in ["README.txt", "reproduce.sh", "game.pgn"] {
        let text = sandbox.read(&format!("game/{file}"));
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{file}: {text}");
    }
    // The script starts the same engine all the same.
    let again = sandbox.shell("THREEFOLD=$T sh game/reproduce.sh");
    assert_eq!(again.code, Some(0), "{} {}", again.out, again.err);
}
