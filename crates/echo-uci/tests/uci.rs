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
fn echo_tells_how_it_falls_short() {
    let mut echo = Dialogue::begin();
    echo.say(
        "setoption name StrengthCurve value MadChess\nsetoption name UCI_Elo value 1075\ndebug on\nisready",
    );
    assert_eq!(echo.until("readyok"), ["readyok"], "it plays at full strength");
    echo.say("setoption name UCI_LimitStrength value true\nisready");
    let told = &echo.until("readyok")[0];
    assert!(
        told.starts_with(
            "info string rating 1075 nps 6863 move error 31 blunder error 330 in 13 of 128 (10 %)"
        ),
        "{told}"
    );
    echo.say("setoption name StrengthCurve value Calibrated\nsetoption name UCI_Elo value 1200\nisready");
    let told = echo.until("readyok");
    assert!(told.iter().any(|line| line.starts_with("info string 1200 Elo, measured within ")), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("info string rating ")), "{told:?}");
    echo.say("setoption name StrengthCurve value MadChess\nisready");
    echo.until("readyok");
    // So slow that it has to be told to stop, and hears it while it sleeps.
    echo.say("setoption name UCI_Elo value 600\nposition startpos\ngo infinite");
    std::thread::sleep(std::time::Duration::from_millis(300));
    echo.say("stop");
    let said = echo.until("bestmove");
    let most = |what: &str| -> u64 {
        let number = |line: &String| {
            let mut words = line.split_whitespace().skip_while(|word| *word != what);
            words.nth(1).and_then(|number| number.parse().ok())
        };
        said.iter().filter_map(number).max().expect("it counts")
    };
    let (nodes, millis) = (most("nodes"), most("time"));
    assert!(nodes <= 150 + millis / 2, "{nodes} nodes in {millis} ms at 500 a second");
    echo.say("debug off\nsetoption name UCI_Elo value 700\nisready");
    assert_eq!(echo.until("readyok"), ["readyok"]);
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

/// The moves to mate of the last exact report of the first line, where it is one.
fn mate_of(lines: &[String]) -> Option<i32> {
    let last = lines.iter().rfind(|line| line.contains(" score ") && !line.contains("bound "))?;
    let mut words = last.split(' ').skip_while(|word| *word != "mate");
    words.nth(1).and_then(|moves| moves.parse().ok())
}

#[test]
fn go_mate_ends_once_the_mate_is_found() {
    const ROOK: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    const MATED: &str = "k7/8/1K6/8/8/8/8/7Q b - - 0 1";
    let table = [
        // FEN, go, moves to mate, the move played where only one is right
        (ROOK, "go mate 2", Some(1..=2), None),
        (ROOK, "go mate 9 searchmoves a1a7 a1b1", Some(1..=9), None),
        (MATED, "go mate 1", Some(-1..=-1), None),
        // Whoever can't mate with these moves thinks until something else ends the search.
        (ROOK, "go mate 2 searchmoves f6e6 depth 4", None, Some("f6e6")),
        (ROOK, "go mate 1 nodes 20000", Some(2..=2), None),
    ];
    let mut echo = Dialogue::begin();
    for lines_of_play in ["1", "3"] {
        echo.say(&format!("setoption name MultiPV value {lines_of_play}"));
        for (fen, go, mate, mv) in &table {
            echo.say(&format!("ucinewgame\nposition fen {fen}\n{go}"));
            let said = echo.until("bestmove");
            let firsts: Vec<String> =
                said.iter().filter(|line| line.contains(" multipv 1 ")).cloned().collect();
            let found = mate_of(&firsts);
            let as_asked = match mate {
                Some(within) => found.is_some_and(|found| within.contains(&found)),
                None => found.is_none(),
            };
            assert!(as_asked, "{go}: {said:?}");
            let played = said.last().and_then(|line| line.split(' ').nth(1));
            assert!(mv.is_none_or(|mv| played == Some(mv)), "{go}: {played:?}");
        }
    }
}

#[test]
fn an_answer_found_too_early_waits_to_be_asked_for() {
    let mut echo = Dialogue::begin();
    echo.say("position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    // How it is asked, and what ends it.
    for (go, end) in [
        ("go ponder mate 2", "ponderhit"),
        ("go ponder mate 2", "stop"),
        ("go infinite", "stop"),
        ("go ponder depth 3 searchmoves a1a7", "ponderhit"),
        ("go ponder nodes 500", "ponderhit"),
        ("go infinite searchmoves a1a7", "stop"),
        ("go ponder infinite", "stop"),
    ] {
        echo.say(&format!("{go}\nisready"));
        let mut before = echo.until("readyok");
        // Reports may come later than the answer to `isready`; the move may not.
        while !before.iter().any(|line| line.contains(" pv ")) {
            before.extend(echo.until("info"));
        }
        assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}: {before:?}");
        echo.say(end);
        let after = echo.until("bestmove");
        assert_eq!(after.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{go}");
        let legal = ["a1", "f6"].iter().any(|from| after[after.len() - 1].contains(&format!(" {from}")));
        assert!(legal, "{go}: {after:?}");
    }
}
