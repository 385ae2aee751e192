//! `--log`: the UCI traffic of engines, and the traffic before each fault.

use crate::sandbox::{CommandOutput, Sandbox};

const GAMES: &str = "--nodes 40 --games 2 --openings book.epd -j 1 --max-faults 2";

fn play(sandbox: &Sandbox, engine: &str, more: &str) -> CommandOutput {
    let words = ["match", "--engine", "echo,name=E,Hash=1", "--engine", engine];
    sandbox.run_words(&[&words[..], &more.split_whitespace().collect::<Vec<_>>()].concat())
}

/// The file and the line that a text refers to by `see FILE:LINE`.
fn reference(text: &str) -> (String, usize) {
    let place = text.split("; see ").nth(1).unwrap_or_else(|| panic!("no reference in\n{text}"));
    let place = place.split_whitespace().next().expect("a place");
    let (file, line) = place.rsplit_once(':').expect("FILE:LINE");
    (file.to_owned(), line.parse().expect("a number"))
}

#[test]
fn fault_message_names_the_log_line() {
    let sandbox = Sandbox::new();
    let engine = sandbox.engine("Crash", "go*) echo 'info depth 1'; echo out of luck >&2; exit 4;;");
    let output = play(&sandbox, &engine, &format!("{GAMES} --log match.log"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("Crash: it ended (exit status: 4)"), "{}", output.out);
    let (file, number) = reference(&output.out);
    assert_eq!(file, "match.log");
    let log = sandbox.read(&file);
    let lines: Vec<&str> = log.lines().collect();
    let named = lines[number - 1];
    assert!(named.contains(" ERROR [match, game 1] Crash#"), "{named}");
    assert!(named.contains(" fault: it ended (exit status: 4)"), "{named}");
    // No later line of that player follows, and all its earlier traffic comes before.
    let player = named.split_whitespace().find(|word| word.starts_with("Crash#")).expect("a player");
    let own: Vec<&str> = lines.iter().copied().filter(|line| line.contains(&format!(" {player} "))).collect();
    assert_eq!(own.last(), Some(&named), "{log}");
    for part in
        ["> uci", "< uciok", "> isready", "> position ", "> go nodes 40", "< info depth 1", "! out of luck"]
    {
        assert!(own.iter().any(|line| line.contains(&format!(" {player} {part}"))), "no `{part}` in\n{log}");
    }
    // The built-in engine is logged in the same form.
    for part in ["> ucinewgame", "> position ", "> go nodes 40", "< info depth ", "< bestmove "] {
        let is_it = |line: &&str| line.contains("[match, game 2] E#") && line.contains(part);
        assert!(lines.iter().any(is_it), "no `{part}` of Echo in\n{log}");
    }
    assert!(lines.iter().all(|line| line.starts_with("20") && line.contains("Z ")), "{log}");
}

#[test]
fn start_failure_names_the_log_line() {
    let sandbox = Sandbox::new();
    let engine = sandbox.script("quits", "echo no network file >&2; exit 7");
    let output = play(&sandbox, &engine, &format!("{GAMES} --log match.log"));
    assert_eq!(output.code, Some(3), "{}", output.err);
    let (file, number) = reference(&output.err);
    let named = sandbox.read(&file).lines().nth(number - 1).expect("a line").to_owned();
    assert!(
        named.contains("[start] quits#") && named.contains("fault: it ended (exit status: 7)"),
        "{named}"
    );
}

#[test]
fn log_level_selects_entries_and_faults_are_always_logged() {
    let sandbox = Sandbox::new();
    let engine = sandbox.engine("Crash", "go*) echo 'info depth 1'; echo out of luck >&2; exit 4;;");
    let table = [
        // level, what is there, what is not
        ("error", &["fault: "][..], &[" > ", " < ", " ! "][..]),
        ("warn", &["fault: "], &[" > ", " < ", " ! "]),
        ("info", &["fault: ", " ! out of luck"], &[" > ", " < "]),
        ("debug", &["fault: ", " ! out of luck", " > go nodes 40", " < bestmove "], &[" < info "]),
        ("trace", &["fault: ", " ! out of luck", " > go nodes 40", " < bestmove ", " < info "], &[]),
    ];
    for (level, there, missing) in table {
        let output = play(&sandbox, &engine, &format!("{GAMES} --log {level}.log --log-level {level}"));
        let (file, number) = reference(&output.out);
        let log = sandbox.read(&file);
        assert!(log.lines().nth(number - 1).is_some_and(|line| line.contains("fault: ")), "{level}\n{log}");
        for part in there {
            assert!(log.contains(part), "{level} lacks `{part}`\n{log}");
        }
        for part in missing {
            assert!(!log.contains(part), "{level} has `{part}`\n{log}");
        }
    }
    let output = play(&sandbox, &engine, &format!("{GAMES} --log-level debug"));
    assert_eq!(output.code, Some(2), "{}", output.err);
}

#[test]
fn log_replaces_no_file_without_force() {
    let sandbox = Sandbox::new();
    let engine = sandbox.engine("Crash", "go*) exit 4;;");
    sandbox.write("match.log", "mine\n");
    let before = sandbox.files();
    let output = play(&sandbox, &engine, &format!("{GAMES} --log match.log"));
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("match.log: exists already; give --force"), "{}", output.err);
    assert!(before == sandbox.files());
    let output = play(&sandbox, &engine, &format!("{GAMES} --log none/match.log"));
    assert!(
        output.code == Some(2) && output.err.contains("none/match.log: its folder doesn't exist"),
        "{}",
        output.err
    );
    play(&sandbox, &engine, &format!("{GAMES} --log match.log --force"));
    assert!(!sandbox.read("match.log").contains("mine"));
}

#[test]
fn last_lines_before_a_fault_are_kept_without_a_log() {
    let sandbox = Sandbox::new();
    let chatter =
        "go*) i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo \"info string $i \u{1b}[2J\"; done; exit 4;;";
    let engine = sandbox.engine("Crash", chatter);
    let output = play(&sandbox, &engine, &format!("{GAMES} --out new"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.err.contains("UCI traffic before the faults: new/faults.txt"), "{}", output.err);
    assert!(!output.out.contains("; see "), "{}", output.out);
    let kept = sandbox.read("new/faults.txt");
    assert!(kept.starts_with("The last lines before 2 of 2 engine faults."), "{kept}");
    assert!(!kept.contains('\u{1b}') && kept.contains("< info string 300 ␛[2J\n"), "{kept}");
    let of_first = kept.split("\n\n").nth(1).expect("a fault");
    assert!(of_first.starts_with("match, game 1: Crash: it ended (exit status: 4)"), "{of_first}");
    assert_eq!(of_first.lines().count(), 1 + 200, "{of_first}");
    assert!(
        of_first.contains("< info string 101 ") && !of_first.contains("< info string 100 "),
        "{of_first}"
    );
    assert!(sandbox.read("new/index.html").contains("&lt; info string 300 ␛[2J\n"));
    // The journal keeps them: a report of it is the same.
    let again = sandbox.run("report runs/match-1.sqlite --format faults --out again");
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert_eq!(sandbox.read("again/faults.txt"), kept);
    // What is the same from run to run holds none of it.
    for file in ["cases.csv", "games.pgn", "junit.xml", "report.json", "summary.md"] {
        assert!(!sandbox.read(&format!("new/{file}")).contains("info string 300 ␛[2J\n"), "{file}");
    }
    let without = play(&sandbox, &engine, GAMES);
    let expected = "UCI traffic before the faults: `threefold report runs/match-2.sqlite --format faults --out DIR` writes it";
    assert!(without.err.contains(expected), "{}", without.err);
}

#[test]
fn suite_fault_keeps_its_traffic_and_names_its_log_line() {
    let sandbox = Sandbox::new();
    let engine = sandbox.engine("Crash", "go*) exit 4;;");
    let words = ["suite", "mates.toml", "--engine", &engine, "--max-faults", "100%", "--out", "new"];
    let output = sandbox.run_words(&[&words[..], &["--log", "suite.log", "-j", "1"]].concat());
    let (file, number) = reference(&output.out);
    let named = sandbox.read(&file).lines().nth(number - 1).expect("a line").to_owned();
    assert!(named.contains("Crash#") && named.contains("fault: "), "{named}");
    let kept = sandbox.read("new/faults.txt");
    assert!(kept.contains("> go ") && kept.contains(&format!("; see {file}:{number}\n")), "{kept}");
}
