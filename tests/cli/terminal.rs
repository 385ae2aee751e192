//! Output on a terminal: progress bars during a run, and after an interruption the message with the command
//! to continue.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

/// Runs a command on a terminal with a number of columns, interrupts it when the file `ready` exists and bars
/// are drawn, and returns the bytes that it wrote.
fn interrupted_on_a_terminal(sandbox: &Sandbox, words: &str, columns: u16, ready: &str) -> Vec<u8> {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).expect("a terminal");
    let mut child = Command::new(THREEFOLD)
        .args(words.split_whitespace())
        .current_dir(sandbox.path("."))
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(terminal.slave))
        .spawn()
        .expect("it starts");
    let mut master = File::from(terminal.master);
    let reader = thread::spawn(move || {
        let mut seen = Vec::new();
        let mut bytes = [0; 4096];
        // The end of a terminal is an error.
        while let Ok(read @ 1..) = master.read(&mut bytes) {
            seen.extend_from_slice(&bytes[..read]);
        }
        seen
    });
    wait_for(sandbox, ready);
    kill(Pid::from_raw(i32::try_from(child.id()).expect("a process")), Signal::SIGTERM).expect("it is there");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let seen = reader.join().expect("it ends");
    assert!(String::from_utf8_lossy(&seen).contains('░'), "no bar was drawn");
    seen
}

/// What a command prints on a terminal with a number of columns.
fn printed_on_a_terminal(words: &str, columns: u16) -> String {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).expect("a terminal");
    let mut child = Command::new(THREEFOLD)
        .args(words.split_whitespace())
        .env("TERM", "xterm-256color")
        .stdin(Stdio::null())
        .stdout(Stdio::from(terminal.slave))
        .spawn()
        .expect("it starts");
    let mut seen = Vec::new();
    // The end of a terminal is an error.
    let _ = File::from(terminal.master).read_to_end(&mut seen);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    String::from_utf8(seen).expect("UTF-8")
}

#[test]
fn list_of_suites_fits_the_terminal() {
    let words = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.retain(|word| !word.starts_with('─'));
        words.sort();
        words
    };
    let piped = Sandbox::empty().run("suite --list").out;
    assert!(piped.lines().any(|line| line.chars().count() > 200), "a pipe gets whole lines: {piped}");
    for columns in [80, 120] {
        let printed = printed_on_a_terminal("suite --list", columns);
        let longest = printed.lines().map(|line| line.chars().count()).max();
        assert!(
            longest.is_some_and(|longest| longest <= columns.into()),
            "{longest:?} of {columns}: {printed}"
        );
        assert_eq!(words(&printed), words(&piped), "{columns} columns lose nothing");
    }
}

/// The screen after some bytes.
fn screen(bytes: &[u8], columns: u16) -> String {
    let mut screen = vt100::Parser::new(24, columns, 0);
    screen.process(bytes);
    screen.screen().contents()
}

#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
fn wait_for(sandbox: &Sandbox, file: &str) {
    let began = Instant::now();
    while !sandbox.path(file).exists() {
        assert!(began.elapsed() < DEADLINE, "{file} never came");
        thread::sleep(Duration::from_millis(2));
    }
    // Bars are drawn at their own pace.
    thread::sleep(Duration::from_millis(600));
}

/// An engine that plays a number of moves, and then stops answering.
fn gate(sandbox: &Sandbox, moves: usize) {
    let script = format!(
        "while read -r line; do\ncase \"$line\" in go*)\nn=$((n + 1))\n\
         [ $n -le {moves} ] || {{ : > silent; exec cat > /dev/null; }};;\nesac\nprintf '%s\\n' \"$line\"\n\
         [ \"$line\" = quit ] && exit\ndone | '{THREEFOLD}' uci\n"
    );
    sandbox.write("gate", format!("#!/bin/sh\n{script}"));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(sandbox.path("gate"), mode).expect("ours");
}

#[test]
fn interrupted_test_prints_the_resume_command_below_its_bars() {
    for columns in [80, 110] {
        let sandbox = Sandbox::new();
        gate(&sandbox, 60);
        let seen = interrupted_on_a_terminal(
            &sandbox,
            "sprt --engine ./gate,name=New --engine echo,name=Base,Hash=1 --each Hash=1 --elo0 -10 --elo1 10 \
             --nodes 40 --games 4000 --maxmoves 6 --openings book.epd --run run.sqlite -j 1",
            columns,
            "silent",
        );
        let screen = screen(&seen, columns);
        check(&screen, columns, "run.sqlite");
        assert!(screen.contains("sprt ") && screen.contains("/4000"), "{columns} columns:\n{screen}");
    }
}

#[test]
fn interrupted_regression_run_prints_the_resume_command_below_its_bars() {
    for columns in [80, 110] {
        let sandbox = Sandbox::new();
        gate(&sandbox, 9);
        let seen = interrupted_on_a_terminal(
            &sandbox,
            "regress --plan plan.toml --quick --engine ./gate,name=New,Hash=1 --out new -j 1",
            columns,
            "silent",
        );
        let screen = screen(&seen, columns);
        check(&screen, columns, "new/run.sqlite");
        assert!(screen.contains("traps "), "{columns} columns:\n{screen}");
    }
}

#[test]
fn running_test_has_its_figures_below_its_bar() {
    for columns in [80, 110] {
        let sandbox = Sandbox::new();
        gate(&sandbox, 60);
        let seen = interrupted_on_a_terminal(
            &sandbox,
            "sprt --engine ./gate,name=New,nodes=400 --engine echo,name=Base,Hash=1 --each Hash=1 --elo0 -10 --elo1 10 \
             --nodes 40 --games 4000 --maxmoves 6 --openings book.epd --run run.sqlite -j 1",
            columns,
            "silent",
        );
        // The last bar that was drawn; the interruption replaces it by a line.
        let last =
            seen.windows("░".len()).rposition(|bytes| bytes == "░".as_bytes()).expect("bars were drawn");
        let figures = seen[last..]
            .windows(5)
            .position(|bytes| bytes == b"LLR -" || bytes == b"LLR 0")
            .map(|at| last + at);
        let mut screen = vt100::Parser::new(24, columns, 0);
        screen.process(&seen[..figures.expect("the figures are drawn below") + 60]);
        let lines: Vec<String> = screen.screen().rows(0, columns).collect();
        let screen = lines.join("\n");
        let bar = lines.iter().position(|line| line.starts_with("sprt ") && line.contains("/4000"));
        let bar = bar.unwrap_or_else(|| panic!("{columns} columns:\n{screen}"));
        let below = &lines[bar + 1];
        assert!(below.starts_with("  W-D-L ") && below.contains("LLR "), "{columns} columns:\n{screen}");
        assert_eq!(lines.iter().filter(|line| line.contains('░')).count(), 1, "{columns} columns:\n{screen}");
    }
}

fn check(screen: &str, columns: u16, journal: &str) {
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    let why = "interrupted; all finished games and cases are saved. Continue with:";
    let at =
        lines.iter().position(|&line| line == why).unwrap_or_else(|| panic!("{columns} columns:\n{screen}"));
    let command = format!("  threefold resume {journal}");
    assert_eq!(lines.get(at + 1), Some(&command.as_str()), "{columns} columns:\n{screen}");
    assert!(lines[at + 2..].iter().all(|line| line.is_empty()), "{columns} columns:\n{screen}");
    assert!(lines.contains(&format!("journal: {journal}").as_str()), "{columns} columns:\n{screen}");
    assert!(!screen.contains('░'), "{columns} columns: bars are left:\n{screen}");
}
