//! Foreign text with escape sequences and bidirectional controls: none of them reaches a terminal or a PGN
//! file.

use crate::sandbox::{CommandOutput, GAMES, Sandbox};

/// Sets a terminal's title, clears the screen, and reverses the writing direction.
const ESCAPES: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200f}\u{61c}";

fn check(what: &str, text: &str) {
    for character in text.chars() {
        let sound = character == '\n'
            || character == '\t'
            || threefold_player::visible::picture(character) == character;
        assert!(sound, "{what}: {character:?} in\n{text:?}");
    }
}

fn check_said(what: &str, output: &CommandOutput) {
    check(what, &output.err);
    check(what, &output.out);
}

/// An engine with this name that writes to standard error and exits at the line `at`.
fn dying(sandbox: &Sandbox, name: &str, at: &str) -> String {
    sandbox.write("words", format!("last output {ESCAPES}\n"));
    sandbox.engine(name, &format!("{at}) cat words >&2; cat words; exit 3;;"))
}

#[test]
fn engine_output_is_escaped_on_the_terminal() {
    for at in ["uci", "isready", "go*"] {
        let sandbox = Sandbox::new();
        let spec = dying(&sandbox, "dying", at);
        let words = format!("{GAMES} --pgn all.pgn --out new");
        let mut words: Vec<&str> = words.split_whitespace().collect();
        let place = words.iter().position(|word| word.starts_with("echo")).expect("an engine");
        let named = spec.replace("name=dying", &format!("name=E{ESCAPES}"));
        words[place] = &named;
        let output = sandbox.run_words(&words);
        assert!(output.err.contains('␛') || output.out.contains('␛'), "{at}\n{}\n{}", output.out, output.err);
        check_said(at, &output);
        // Elsewhere it can't even be started, and there is nothing to write about.
        let files = ["all.pgn", "new/games.pgn", "new/report.json", "new/summary.md", "new/index.html"];
        for file in files.iter().filter(|_| at == "go*") {
            check(file, &sandbox.read(file));
        }
    }
}

#[test]
fn names_and_files_are_escaped_on_the_terminal() {
    let sandbox = Sandbox::new();
    let [first, second] = ["A", "B"].map(|name| format!("{name}{ESCAPES}"));
    sandbox.write(
        "names.pgn",
        format!("[White \"{first}\"]\n[Black \"{second}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n").repeat(3),
    );
    sandbox.write(
        "hostile.toml",
        format!("version = 1\nkind = \"mate\"\ntitle = \"{}\"\n", ESCAPES.replace('\u{1b}', "\\u001b")),
    );
    sandbox.write("bad.toml", format!("x{ESCAPES} = 1\n"));
    let option = format!("echo,{ESCAPES}=1");
    let file = format!("none{ESCAPES}");
    let run = format!("run{ESCAPES}.sqlite");
    let table: &[&[&str]] = &[
        &["rate", "names.pgn", "--only", "X"],
        &["rate", "names.pgn", "--groups"],
        &["rate", "names.pgn", "--json", "-"],
        &["rate", &file],
        &["suite", &file, "--engine", "echo"],
        &["suite", "hostile.toml", "--engine", "echo"],
        &["suite", "bad.toml", "--engine", "echo"],
        &["match", "--engine", &option, "--engine", "echo", "--nodes", "1", "--openings", "book.epd"],
        &["match", "--engine", "@engines.toml#\u{1b}[2J", "--engine", "echo", "--nodes", "1"],
        &["match", &file],
        &["match", &format!("--{file}")],
        &[&file],
        &["suite", "mates.toml", "--engine", &format!("echo,name={ESCAPES},Hash=1"), "--run", &run, "--json"],
        &["report", &run, "--out", &format!("new{ESCAPES}")],
        &["report", &file],
    ];
    for words in table {
        let output = sandbox.run_words(words);
        assert_ne!(output.code, Some(101), "{words:?}");
        assert!(!(output.err.is_empty() && output.out.is_empty()), "{words:?}");
        check_said(&format!("{words:?}"), &output);
    }
}

#[test]
fn rate_reads_every_written_game() {
    let sandbox = Sandbox::new();
    // As programs die in several languages; somewhere a line must be broken before a bracket.
    let frames: Vec<String> = (0..30).map(|n| format!("[Frame \"{n}\"] %x {}", "y".repeat(n))).collect();
    sandbox.write("words", frames.join(" "));
    let spec = sandbox.engine("dying", "go*) cat words >&2; exit 3;;");
    let mut words: Vec<&str> = GAMES.split_whitespace().collect();
    let place = words.iter().position(|word| word.starts_with("echo")).expect("an engine");
    words[place] = &spec;
    words.extend(["--pgn", "all.pgn", "--max-faults", "100%"]);
    let output = sandbox.run_words(&words);
    assert!(output.code.is_some_and(|code| code < 100), "{}", output.err);
    let output = sandbox.run("rate all.pgn --groups");
    assert!(output.err.contains("4 games read, 4 counted"), "{}\n{}", output.err, sandbox.read("all.pgn"));
}
