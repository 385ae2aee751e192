//! Engine builds: a resumed run uses the same engines, folder and options as before, or reports what has
//! changed.

use nix::sys::signal::Signal;
use rusqlite::Connection;

use crate::interruption::{GAMES, MOVES, begun, gate, interrupt, journaled, sprt, sprt_alone, uninterrupted};
use crate::sandbox::{Sandbox, THREEFOLD};

/// An SPRT that was interrupted after at least two games, and its command line.
fn interrupted() -> (Sandbox, Vec<String>) {
    let sandbox = Sandbox::new();
    let words = sprt(&sandbox, "go*");
    let output = interrupt(&sandbox, &words, 2 * MOVES + 1, Signal::SIGTERM);
    assert_eq!(output.code, Some(130), "{}", output.err);
    begun(&sandbox);
    (sandbox, words)
}

#[test]
fn resume_refuses_a_rebuilt_engine_unless_allowed() {
    let (sandbox, _) = interrupted();
    let played_before = journaled(&sandbox).0;
    let changed = format!("{}# changed\n", gate());
    sandbox.write("gate.sh", &changed);
    sandbox.write("name", "Gate 2");
    let output = sandbox.run("resume run.sqlite");
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    let script = sandbox.path("gate.sh").canonicalize().expect("the file exists").display().to_string();
    let expected = [
        "engine `sh gate.sh,name=gate,Hash=1` has changed since the run was started: ".to_owned(),
        format!("the size of {script} was {} bytes, and is {} bytes", gate().len(), changed.len()),
        format!("the SHA-256 of {script} was "),
        "its `id name` was Gate, and is Gate 2".to_owned(),
        "--allow-changed-engine".to_owned(),
    ];
    for expected in expected {
        assert!(output.err.contains(&expected), "lacks `{expected}`: {}", output.err);
    }
    assert_eq!((begun(&sandbox), journaled(&sandbox).0), (0, played_before), "no game is played");

    let output = sandbox.run("resume run.sqlite --allow-changed-engine");
    assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
    assert_eq!(begun(&sandbox), GAMES - played_before);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let builds = report["engines"][0]["builds"].as_array().expect("builds");
    let expected: Vec<_> =
        builds.iter().map(|build| (build["name"].as_str(), build["jobs"].as_u64())).collect();
    assert_eq!(
        expected,
        [(Some("Gate"), Some(played_before as u64)), (Some("Gate 2"), Some((GAMES - played_before) as u64))]
    );
    assert_eq!(builds[0]["files"][1]["path"].as_str(), Some(script.as_str()));
    let checksum = |build: &serde_json::Value, file: usize| {
        build["files"][file]["sha256"].as_str().expect("a checksum")[..12].to_owned()
    };
    let (summary, games) = (sandbox.read("new/summary.md"), sandbox.read("all.pgn"));
    for build in builds {
        let name = build["name"].as_str().expect("a name");
        let tag = format!("Engine \"{name} sha256:{}+{}\"]", checksum(build, 0), checksum(build, 1));
        assert_eq!(games.matches(&tag).count() as u64, build["jobs"].as_u64().expect("a number"), "{tag}");
        assert!(summary.contains(&format!("(SHA-256 {})", checksum(build, 1))), "{summary}");
    }
    assert_eq!(games.matches(&format!("Engine \"Echo {}\"]", env!("CARGO_PKG_VERSION"))).count(), GAMES);
    assert!(sandbox.read("new/index.html").contains(&checksum(&builds[1], 1)));
}

#[test]
fn resume_uses_the_engine_of_the_first_folder() {
    let (whole, games, _) = uninterrupted();
    let (sandbox, _) = interrupted();
    let elsewhere = Sandbox::new();
    elsewhere.engine("gate", "go*) echo bestmove 0000;;");
    let before = elsewhere.files();
    let output = elsewhere.run(&format!("resume {}", sandbox.path("run.sqlite").display()));
    assert_eq!((output.code, &output.out), (whole.code, &whole.out), "{}", output.err);
    assert!(sandbox.read("all.pgn") == games && sandbox.path("new/index.html").exists());
    assert!(elsewhere.files() == before, "results are written to the folder of the first command");
}

#[test]
fn resume_keeps_the_options_of_the_first_command_unless_given() {
    let sandbox = Sandbox::new();
    let slow = format!("[ -e slow ] && sleep 2\n{}", gate());
    let mut words = sprt_alone(&sandbox, "go*");
    sandbox.write("gate.sh", &slow);
    words.extend(["--startup".to_owned(), "0.5".to_owned()]);
    let output = interrupt(&sandbox, &words, 2 * MOVES + 1, Signal::SIGTERM);
    assert_eq!(output.code, Some(130), "{}", output.err);
    sandbox.write("slow", "");
    let output = sandbox.run("resume run.sqlite");
    assert_eq!(output.code, Some(3), "{}", output.err);
    assert!(output.err.contains("within 500 ms"), "{}", output.err);
    let output = sandbox.run("resume run.sqlite --startup 30");
    assert!(output.code.is_some_and(|code| code < 2), "{}", output.err);
    let db = Connection::open(sandbox.path("run.sqlite")).expect("a journal");
    let slots: i64 =
        db.query_row("SELECT count(DISTINCT slot) FROM finding", [], |row| row.get(0)).expect("sound SQL");
    assert_eq!(slots, 1, "one worker, as in the first command");
}

#[test]
fn report_names_the_commit_of_an_engine_in_a_repository() {
    let sandbox = Sandbox::new();
    sandbox.write("mine/engine.sh", format!("exec {THREEFOLD} uci\n"));
    sandbox.write("mine/eval.c", "int eval;\n");
    let shell = |command: &str| {
        let output = sandbox.shell(command);
        assert_eq!(output.code, Some(0), "{}", output.err);
        output.out.trim().to_owned()
    };
    shell(
        "cd mine && git init -q && git config user.email e@example.org && git config user.name E && git add . && \
         git commit -q -m First",
    );
    let commit = shell("git -C mine rev-parse HEAD");
    let command = "match --engine SPEC --engine echo,Hash=1 --nodes 40 --maxmoves 6 --openings book.epd";
    let play = |more: &str| {
        let words: Vec<String> = format!("{command} {more}")
            .split(' ')
            .map(
                |word| {
                    if word == "SPEC" { "sh mine/engine.sh,name=Mine".to_owned() } else { word.to_owned() }
                },
            )
            .collect();
        let output = sandbox.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(output.code, Some(0), "{}", output.err);
    };
    let builds = || {
        let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
        [0, 1].map(|engine| {
            let builds = report["engines"][engine]["builds"].as_array().expect("builds");
            builds.iter().map(|build| build["commit"].as_str().map(str::to_owned)).collect::<Vec<_>>()
        })
    };
    play("--games 2 --out new --run run.sqlite");
    assert_eq!(builds(), [vec![Some(commit.clone())], vec![None]]);
    let short = format!("commit {},", &commit[..10]);
    assert!(sandbox.read("new/index.html").contains(&short), "the page lacks `{short}`");
    // The same program is the same build, whatever is edited meanwhile.
    sandbox.write("mine/eval.c", "int eval = 1;\n");
    let output = sandbox.run("resume run.sqlite --games 4");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(builds(), [vec![Some(commit.clone())], vec![None]]);
    play("--games 2 --out new --run other.sqlite");
    assert_eq!(builds(), [vec![Some(format!("{commit}-dirty"))], vec![None]]);
}
