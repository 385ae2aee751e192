//! `echo-uci` as a GUI meets it: over pipes, line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// `echo-uci` with its pipes in hand.
struct Dialogue {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Dialogue {
    fn begin() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_echo-uci"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it was built");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn say(&mut self, text: &str) {
        writeln!(self.input, "{text}").expect("it reads");
    }

    /// Everything up to a line that begins so.
    fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("text") > 0, "it ended after {lines:?}");
            let line = line.trim_end().to_owned();
            let found = line.starts_with(beginning);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }
}

#[test]
fn echo_hears_while_it_thinks() {
    let mut echo = Dialogue::begin();
    echo.say("uci");
    assert!(
        echo.until("uciok").iter().any(|line| line.starts_with("option name RepetitionPolicy type combo"))
    );
    echo.say("position startpos moves e2e4\ngo infinite\nisready");
    assert!(!echo.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    echo.say("stop");
    echo.until("bestmove");
    echo.say("go ponder wtime 50 btime 50\nisready");
    assert!(!echo.until("readyok").iter().any(|line| line.starts_with("bestmove")));
    echo.say("ponderhit");
    echo.until("bestmove");
    // A GUI that asks twice gets two answers, and mistakes are told from commands.
    echo.say("go infinite\ngo depth 1");
    echo.until("bestmove");
    echo.until("bestmove");
    echo.say("setoption name Hash value none\nsetoption name Nothing value 1\nhello\nisready");
    assert_eq!(echo.until("readyok").iter().filter(|line| line.starts_with("info string")).count(), 3);
    echo.say("position startpos\ngo perft 3");
    assert_eq!(echo.until("Nodes searched").last().map(String::as_str), Some("Nodes searched: 8902"));
    echo.say("position fen 8/8/8/8/8/8/8/8 w - - 0 1\ngo depth 1");
    assert_eq!(echo.until("bestmove").last().map(String::as_str), Some("bestmove (none)"));
    echo.say("position startpos\ngo infinite\nquit");
    echo.until("bestmove");
    assert!(echo.child.wait().expect("it ends").success());
}

#[test]
fn echo_ends_when_its_input_does() {
    let mut echo = Dialogue::begin();
    echo.say("go infinite\nisready");
    echo.until("readyok");
    let Dialogue { mut child, input, mut output } = echo;
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("bestmove"), "{rest}");
    assert!(child.wait().expect("it ends").success());
}
