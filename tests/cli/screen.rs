//! `--tui`: the live screen of a run, its keys, and the terminal after it.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::openpty;
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;

use crate::keyboard::Keyboard;
use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

const ROWS: u16 = 24;

/// A command on a terminal, whose screen is looked at.
struct OnTerminal {
    keyboard: Keyboard,
    /// Rows and columns.
    size: [u16; 2],
}

impl OnTerminal {
    fn start(sandbox: &Sandbox, words: &str, size: [u16; 2]) -> Self {
        Self { keyboard: Keyboard::start_sized(sandbox, words, size), size }
    }

    /// The terminal after all bytes so far.
    fn terminal(&self) -> vt100::Parser {
        let mut parser = vt100::Parser::new(self.size[0], self.size[1], 0);
        parser.process(&self.keyboard.bytes());
        parser
    }

    fn screen(&self) -> String {
        self.terminal().screen().contents()
    }

    #[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
    fn wait_for(&self, expected: &str) -> String {
        let began = Instant::now();
        loop {
            let screen = self.screen();
            if screen.contains(expected) {
                return screen;
            }
            assert!(began.elapsed() < DEADLINE, "`{expected}` never came:\n{screen}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end; checks that the terminal is as it was, and returns what it shows.
    fn end(mut self, code: i32, last: &str) -> String {
        assert_eq!(self.keyboard.child.wait().expect("it ends").code(), Some(code));
        let screen = self.wait_for(last);
        let terminal = self.terminal();
        assert!(!terminal.screen().alternate_screen() && !terminal.screen().hide_cursor(), "{screen}");
        let modes = tcgetattr(&self.keyboard.master).expect("a terminal").local_flags;
        assert!(modes.contains(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG), "{modes:?}");
        screen
    }
}

/// A test whose first engine answers `go` after 50 ms, or not at all while the file `silent` exists.
fn sprt(sandbox: &Sandbox) -> String {
    let script = format!(
        "while read -r line; do\ncase \"$line\" in go*) sleep 0.05; while [ -e silent ]; do sleep 0.05; done;; esac\n\
         printf '%s\\n' \"$line\"\n[ \"$line\" = quit ] && exit\ndone | '{THREEFOLD}' uci\n"
    );
    sandbox.write("slow", format!("#!/bin/sh\n{script}"));
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(sandbox.path("slow"), mode).expect("ours");
    "sprt --tui --engine ./slow,name=New --engine echo,name=Base --each Hash=1 --elo0 -10 --elo1 10 --nodes 40 \
         --games 4000 --maxmoves 6 --run run.sqlite -j 1 --search-timeout 300".to_owned()
}

#[test]
fn screen_shows_the_games_and_ends_after_them() {
    for columns in [80, 132] {
        let sandbox = Sandbox::new();
        let mut run = OnTerminal::start(&sandbox, &sprt(&sandbox), [ROWS, columns]);
        let screen = run.wait_for("LLR ");
        assert!(screen.starts_with(" New – Base"), "{screen}");
        run.wait_for("W-D-L ");
        // The game in progress waits for its engine, and ends after the key.
        sandbox.write("silent", "");
        run.keyboard.press('s');
        let screen = run.wait_for("STOPPING after 1 game");
        assert!(screen.contains("worker") || screen.contains("[game "), "{screen}");
        std::fs::remove_file(sandbox.path("silent")).expect("it is there");
        let screen = run.end(130, "threefold resume run.sqlite");
        assert!(screen.contains("sprt ") && screen.contains("/4000 W-D-L "), "{screen}");
        let report = sandbox.run("report run.sqlite");
        assert!(report.out.contains("games"), "{}{}", report.out, report.err);
    }
}

#[test]
fn paused_run_starts_no_game_and_ctrl_c_ends_it() {
    let sandbox = Sandbox::new();
    let mut run = OnTerminal::start(&sandbox, &sprt(&sandbox), [ROWS, 80]);
    run.wait_for("W-D-L ");
    run.keyboard.press('p');
    let paused = run.wait_for("PAUSED, 0 games in progress");
    let counted = |screen: &str| {
        let line = screen.lines().nth(1).expect("the second line");
        line.split(',').next().expect("a first part").to_owned()
    };
    thread::sleep(Duration::from_millis(500));
    assert_eq!(counted(&run.screen()), counted(&paused), "no game ends while none runs");
    run.keyboard.press('p');
    run.wait_for("1 game in progress");
    run.keyboard.press('p');
    run.wait_for("PAUSED, 0 games in progress");
    run.keyboard.press('?');
    run.wait_for("stops at once, what is in progress is lost");
    // Ctrl-C is a key here.
    run.keyboard.press('\u{3}');
    run.end(130, "threefold resume run.sqlite");
}

#[test]
fn signal_leaves_the_terminal_as_it_was() {
    let sandbox = Sandbox::new();
    let run = OnTerminal::start(&sandbox, &sprt(&sandbox), [ROWS, 80]);
    run.wait_for("LLR ");
    let child = Pid::from_raw(i32::try_from(run.keyboard.child.id()).expect("a process"));
    kill(child, Signal::SIGTERM).expect("it is there");
    run.end(130, "threefold resume run.sqlite");
}

#[test]
fn finished_run_prints_its_result_below() {
    let sandbox = Sandbox::new();
    let words = "match --tui --engine echo,name=A --engine echo,name=B --each Hash=1 --nodes 40 --games 4 --maxmoves 6 \
                 --openings book.epd --run run.sqlite -j 2";
    let run = OnTerminal::start(&sandbox, words, [ROWS + 6, 100]);
    let screen = run.end(0, "4 games");
    assert!(screen.contains("4/4"), "{screen}");
}

#[test]
fn screen_needs_a_terminal() {
    let sandbox = Sandbox::new();
    let words = "match --tui --engine echo,name=A --engine echo,name=B --nodes 40 --games 4";
    let output = sandbox.run(words);
    assert_eq!(output.code, Some(2), "{}{}", output.out, output.err);
    assert_eq!(
        output.err,
        "error: --tui: standard error is no terminal; leave --tui out for bars on a terminal, or lines in a pipe\n"
    );
    let quiet = sandbox.run(&format!("{words} --quiet"));
    assert_eq!(quiet.code, Some(2), "{}", quiet.err);
    assert!(quiet.err.contains("--tui") && quiet.err.contains("--quiet"), "{}", quiet.err);
}

#[test]
fn dumb_terminal_is_refused() {
    let sandbox = Sandbox::new();
    let terminal = openpty(None, None).expect("a terminal");
    let slave = || Stdio::from(terminal.slave.try_clone().expect("a terminal"));
    let output = Command::new(THREEFOLD)
        .args("match --tui --engine echo,name=A --engine echo,name=B --nodes 40 --games 4".split(' '))
        .current_dir(sandbox.path("."))
        .env("TERM", "dumb")
        .stdin(slave())
        .stdout(Stdio::null())
        .stderr(slave())
        .status();
    assert_eq!(output.expect("it starts").code(), Some(2));
}
