//! `echo-uci` as a GUI meets it: over pipes, line by line.

mod limited_strength;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use threefold_chess::uci::{UciClient, UciOption, UciOptionKind};

/// `echo-uci` with its pipes in hand.
struct Dialogue {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Dialogue {
    fn begin() -> Self {
        Self::begin_with(&[])
    }

    fn begin_with(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_echo-uci"))
            .args(arguments)
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
fn echo_processes_commands_during_a_search() {
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
    // Two `isready` get two answers, and unknown commands are reported.
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
fn echo_ends_with_its_input() {
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
fn go_mate_ends_when_the_mate_is_found() {
    const ROOK: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    const MATED: &str = "k7/8/1K6/8/8/8/8/7Q b - - 0 1";
    let table = [
        // FEN, go, moves to mate, the move played where only one is right
        (ROOK, "go mate 2", Some(1..=2), None),
        (ROOK, "go mate 9 searchmoves a1a7 a1b1", Some(1..=9), None),
        (MATED, "go mate 1", Some(-1..=-1), None),
        // Without a mate among these moves, the search continues until something else ends it.
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
fn early_result_waits_for_stop_or_ponderhit() {
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

/// The options that `uci` lists, as written.
fn option_lines(arguments: &[&str]) -> Vec<String> {
    let mut echo = Dialogue::begin_with(arguments);
    echo.say("uci");
    echo.until("uciok").into_iter().filter(|line| line.starts_with("option ")).collect()
}

/// As the harness reads a line.
fn offer(line: &str) -> UciOption {
    let (mut conversation, _) = UciClient::start();
    conversation.receive(line).expect("no breach");
    conversation.options().first().unwrap_or_else(|| panic!("{line}")).clone()
}

#[test]
fn option_list_has_player_options_or_all() {
    let players: Vec<UciOption> = option_lines(&[]).iter().map(|line| offer(line)).collect();
    let names: Vec<&str> = players.iter().map(|offer| offer.name.as_str()).collect();
    let expected = [
        "Hash",
        "Clear Hash",
        "Ponder",
        "MultiPV",
        "Threads",
        "SyzygyPath",
        "UCI_Chess960",
        "UCI_LimitStrength",
        "UCI_Elo",
        "StrengthSeed",
        "Move Overhead",
        "nodestime",
        "TimeManager",
        "RepetitionPolicy",
        "DrawScore",
        "Contempt",
    ];
    assert_eq!(names, expected);
    let all: Vec<UciOption> = option_lines(&["--experimental"]).iter().map(|line| offer(line)).collect();
    assert_eq!(players, all.iter().filter(|offer| players.contains(offer)).cloned().collect::<Vec<_>>());
    assert!(all.len() >= 48, "{}", all.len());
    assert!(all.iter().any(|offer| offer.name == "CycleDetection"), "{all:?}");
    // What is not listed is accepted as well, and so are former names.
    let mut echo = Dialogue::begin();
    for UciOption { name, kind } in all {
        let value = match kind {
            UciOptionKind::Check { default } => default.to_string(),
            UciOptionKind::Spin { max, .. } if name == "StrengthSeed" => max.to_string(),
            UciOptionKind::Spin { default, .. } => default.to_string(),
            UciOptionKind::Decimal { default, .. } => default.to_string(),
            UciOptionKind::Combo { choices, .. } => choices[choices.len() - 1].clone(),
            UciOptionKind::String { default } => default,
            UciOptionKind::Button => String::new(),
        };
        echo.say(&format!("setoption name {name} value {value}"));
    }
    echo.say("setoption name MoveOverhead value 20\nsetoption name upcomingrepetition value true\nisready");
    assert_eq!(echo.until("readyok"), ["readyok"]);
    echo.say("setoption name MoveOverhead value 20000\nisready");
    let refused = "info string `Move Overhead` can't be `20000`; use a whole number from 0 to 10000";
    assert_eq!(echo.until("readyok")[0], refused);
}

/// Where python-chess takes a keyword of an `option` line for one: version 1.11.0 anywhere, later ones as a
/// word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Split {
    Anywhere,
    AtWords,
}

/// A line as python-chess cuts it: keywords and the text between them, without the white space around
/// keywords.
fn pieces(text: &str, split: Split) -> Vec<&str> {
    const KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut pieces, mut from, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = text[at..].chars().next() {
        let keyword = KEYWORDS.into_iter().find(|keyword| {
            let Some(rest) = text[at..].strip_prefix(keyword) else { return false };
            split == Split::Anywhere || !(text[..at].ends_with(is_word) || rest.starts_with(is_word))
        });
        let Some(keyword) = keyword else {
            at += next.len_utf8();
            continue;
        };
        pieces.extend([text[from..at].trim_end(), keyword]);
        let rest = &text[at + keyword.len()..];
        from = text.len() - rest.trim_start().len();
        at = from;
    }
    pieces.push(&text[from..]);
    pieces
}

/// An option as python-chess 1.11 reads it (`UciProtocol.initialize`); an error where it would log an
/// exception.
fn read_by_python_chess(line: &str, split: Split) -> Result<UciOption, String> {
    let text = line.strip_prefix("option ").ok_or("no option")?.trim();
    let mut parts = [("name", ""), ("type", ""), ("default", ""), ("min", ""), ("max", "")];
    let (mut choices, mut current) = (Vec::new(), None);
    for piece in pieces(text, split) {
        let is_open = parts.iter().any(|(key, value)| *key == piece && value.is_empty());
        match current {
            _ if piece == "var" || is_open => current = Some(piece),
            Some("var") => choices.push(piece.to_owned()),
            Some(key) => {
                for part in parts.iter_mut().filter(|part| part.0 == key) {
                    part.1 = piece;
                }
            }
            None => {}
        }
    }
    let [(_, name), (_, kind), (_, default), (_, min), (_, max)] = parts;
    let number = |what: &str, text: &str| text.parse().map_err(|_| format!("{what} is `{text}`"));
    for (what, text) in [("min", min), ("max", max)] {
        if !text.is_empty() {
            number(what, text)?;
        }
    }
    let kind = match kind {
        "check" => UciOptionKind::Check { default: default == "true" },
        "spin" => UciOptionKind::Spin {
            default: number("default", default)?,
            min: number("min", min)?,
            max: number("max", max)?,
        },
        "combo" => UciOptionKind::Combo { default: default.to_owned(), choices },
        "button" => UciOptionKind::Button,
        "string" => {
            UciOptionKind::String { default: if default == "<empty>" { "" } else { default }.to_owned() }
        }
        _ => return Err(format!("type is `{kind}`")),
    };
    Ok(UciOption { name: name.to_owned(), kind })
}

#[test]
fn option_lines_are_read_by_python_chess() {
    for arguments in [&[][..], &["--experimental"]] {
        for line in option_lines(arguments) {
            for split in [Split::Anywhere, Split::AtWords] {
                assert_eq!(read_by_python_chess(&line, split), Ok(offer(&line)), "{split:?}: {line}");
            }
        }
    }
}

#[test]
fn python_chess_splits_names_at_keywords() {
    let former = "option name UpcomingRepetition type check default false";
    let refused = Err("min is `gRepetition`".to_owned());
    assert_eq!(read_by_python_chess(former, Split::Anywhere), refused);
    assert_eq!(read_by_python_chess(former, Split::AtWords), Ok(offer(former)));
    let word = "option name Least min type check default false";
    assert_ne!(read_by_python_chess(word, Split::AtWords), Ok(offer(word)));
    let choice = "option name Mode type combo default a var a var invariant";
    assert_ne!(read_by_python_chess(choice, Split::Anywhere), Ok(offer(choice)));
}

#[test]
fn echo_uci_refuses_other_arguments() {
    for arguments in [&["--experimentl"][..], &["bench", "12"], &["bench", "--experimental"], &["benchmark"]]
    {
        let output =
            Command::new(env!("CARGO_BIN_EXE_echo-uci")).args(arguments).output().expect("it was built");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &[][..]));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let refusal =
            format!("error: `{}` is no argument of echo-uci; give none, `bench`", arguments.join(" "));
        assert!(said.starts_with(&refusal), "{said}");
    }
}

/// OpenBench runs `ENGINE bench` and looks for `N nodes` and `N nps`.
#[test]
fn bench_as_an_argument_prints_what_openbench_reads() {
    let output = Command::new(env!("CARGO_BIN_EXE_echo-uci")).arg("bench").output().expect("it was built");
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{said}") };
    assert_eq!(nodes.parse(), Ok(threefold_echo::bench::run()));
    assert!(nps.parse::<u64>().is_ok_and(|nps| nps > 0), "{said}");
}
