//! Engines with one fault each. This test program is the engine when it is started as `PROGRAM engine NAME`.
//!
//! Apart from its fault, an engine follows UCI and plays the first legal move in alphabetical order, so that
//! all effects come from the fault.

use std::fs;
use std::io::{self, BufRead, Write};
use std::process::{abort, exit};
use std::thread::sleep;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// Longer than every time limit.
const FOR_EVER: Duration = Duration::from_hours(1);

macro_rules! faults {
    ($( $(#[doc = $what:literal])+ $fault:ident = $name:literal ),+ $(,)?) => {
        /// The fault of an engine.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Fault { $( $(#[doc = $what])+ $fault ),+ }

        impl Fault {
            /// Every fault.
            pub(crate) const ALL: &[Self] = &[$( Self::$fault ),+];

            /// The name on the engine's command line and in reports.
            pub(crate) const fn name(self) -> &'static str {
                match self { $( Self::$fault => $name ),+ }
            }
        }
    };
}

faults! {
    /// Nothing.
    None = "sound",
    /// It ends before it answers `uci`.
    EndsAtStart = "ends-at-start",
    /// It never answers `uci`.
    MuteAtUci = "mute-at-uci",
    /// It never answers `isready`.
    MuteAtReady = "mute-at-ready",
    /// It ends at `ucinewgame`.
    EndsAtNewGame = "ends-at-new-game",
    /// It ends with exit status 4 at `go`.
    EndsAtGo = "ends-at-go",
    /// It aborts at `go`.
    AbortsAtGo = "aborts-at-go",
    /// It aborts with twenty long lines on standard error at `go`.
    AbortsWithWords = "aborts-with-words",
    /// It ends at its second `go`.
    EndsAtSecondGo = "ends-at-second-go",
    /// It answers the first `go` of its life and ends at once.
    EndsAfterMove = "ends-after-move",
    /// It closes its standard output at `go` and stays.
    ClosesOutput = "closes-output",
    /// It never answers `go`, nor `stop`.
    MuteAtGo = "mute-at-go",
    /// It reports at `go` without a pause and never moves.
    Chatters = "chatters",
    /// It writes a line without an end at `go`.
    EndlessLine = "endless-line",
    /// It answers `go` at `stop` only.
    WaitsForStop = "waits-for-stop",
    /// It answers `go` 0.7 seconds after `stop`.
    AnswersAfterStop = "answers-after-stop",
    /// It plays a move that no position allows.
    IllegalMove = "illegal-move",
    /// It plays the null move.
    NullMove = "null-move",
    /// It sends `bestmove` without a move.
    NoMove = "no-move",
    /// It writes its move as SAN.
    SanMove = "san-move",
    /// It writes its move in capitals.
    CapitalMove = "capital-move",
    /// It moves twice.
    MovesTwice = "moves-twice",
    /// It moves at `position`, without `go`.
    MovesUnasked = "moves-unasked",
    /// It writes bytes that are no text before its move.
    Garbage = "garbage",
    /// Its reports have illegal lines of play, scores beyond all numbers, and unknown words.
    OddReports = "odd-reports",
    /// It takes half a second to answer `uci`.
    SlowStart = "slow-start",
    /// One of its starts in five fails, the first never.
    FailsSomeStarts = "fails-some-starts",
    /// It starts once, to show that it can, and never again.
    StartsOnce = "starts-once",
    /// It does not know the option `UCI_Chess960`.
    LacksChess960 = "lacks-chess960",
    /// It keeps running after `quit`.
    IgnoresQuit = "ignores-quit",
    /// It ends with exit status 1 at `quit`.
    EndsBadly = "ends-badly",
    /// Its name and its last output have terminal escapes and a bidirectional control.
    Escapes = "escapes",
}

/// Runs the engine with this fault until `quit`.
pub(crate) fn run(name: &str) {
    let fault = Fault::ALL.iter().copied().find(|fault| fault.name() == name).expect("the name of a fault");
    begin(fault);
    let mut engine = Engine { fault, position: Chess::default(), searches: 0, is_searching: false };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        engine.hear(line.trim());
    }
}

/// Writes a line; exits if the harness is gone.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()).is_err()
    {
        exit(0);
    }
}

/// Behaviour before the first line. Starts are counted in a file of the current folder.
fn begin(fault: Fault) {
    match fault {
        Fault::EndsAtStart => {
            eprintln!("no network file");
            exit(7);
        }
        Fault::FailsSomeStarts | Fault::StartsOnce => {
            let file = format!("{}.starts", fault.name());
            let mut starts = fs::OpenOptions::new().create(true).append(true).open(&file).expect("a file");
            starts.write_all(b".").expect("room on the disk");
            let count = fs::metadata(&file).expect("it is there").len();
            let fails = if fault == Fault::StartsOnce { count > 1 } else { count % 5 == 0 };
            if fails {
                eprintln!("start {count} fails");
                exit(9);
            }
        }
        Fault::SlowStart => sleep(Duration::from_millis(500)),
        _ => {}
    }
}

struct Engine {
    fault: Fault,
    position: Chess,
    searches: usize,
    is_searching: bool,
}

impl Engine {
    fn hear(&mut self, line: &str) {
        match line.split_whitespace().next().unwrap_or_default() {
            "uci" => self.introduce(),
            "isready" if self.fault == Fault::MuteAtReady => {}
            "isready" => say("readyok"),
            "ucinewgame" if self.fault == Fault::EndsAtNewGame => exit(5),
            "position" => self.set(line),
            "go" => {
                self.searches += 1;
                self.is_searching = true;
                self.go();
            }
            "stop" => self.stop(),
            "quit" => self.quit(),
            _ => {}
        }
    }

    fn introduce(&self) {
        match self.fault {
            Fault::MuteAtUci => return,
            Fault::Escapes => say("id name \u{1b}[31mRed\u{202e}"),
            fault => say(&format!("id name {}", fault.name())),
        }
        say("option name Hash type spin default 1 min 1 max 64");
        if self.fault != Fault::LacksChess960 {
            say("option name UCI_Chess960 type check default false");
        }
        say("uciok");
    }

    fn set(&mut self, line: &str) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let fen = start.strip_prefix("position fen ").and_then(|fen| fen.trim().parse::<Fen>().ok());
        let castling =
            fen.as_ref().map_or(CastlingMode::Standard, |fen| CastlingMode::detect(fen.as_setup()));
        self.position = fen.map_or_else(Chess::default, |fen| fen.into_position(castling).expect("legal"));
        for mv in moves.split_whitespace() {
            let mv: UciMove = mv.parse().expect("a move");
            self.position.play_unchecked(mv.to_move(&self.position).expect("legal"));
        }
        if self.fault == Fault::MovesUnasked {
            say("bestmove e2e4");
        }
    }

    fn best(&self) -> String {
        let castling = self.position.castles().mode();
        let legal = self.position.legal_moves();
        let moves = legal.iter().map(|mv| mv.to_uci(castling).to_string());
        moves.min().unwrap_or_else(|| "0000".to_owned())
    }

    fn answer(&mut self) {
        self.is_searching = false;
        let best = self.best();
        say(&format!("info depth 1 score cp 0 nodes 1 pv {best}"));
        say(&format!("bestmove {best}"));
    }

    fn go(&mut self) {
        let best = self.best();
        match self.fault {
            Fault::EndsAtGo => exit(4),
            Fault::AbortsAtGo => abort(),
            Fault::AbortsWithWords => {
                for line in 0..20 {
                    eprintln!("line {line} of last output: {}", "word ".repeat(80));
                }
                abort();
            }
            Fault::EndsAtSecondGo if self.searches == 2 => exit(6),
            Fault::EndsAfterMove => {
                self.answer();
                exit(0);
            }
            Fault::ClosesOutput => {
                close_output();
                sleep(FOR_EVER);
            }
            Fault::MuteAtGo => sleep(FOR_EVER),
            Fault::Chatters => loop {
                say(&format!("info depth 1 score cp 0 nodes 1 pv {best}"));
            },
            Fault::EndlessLine => loop {
                let text = [b'x'; 4096];
                if io::stdout().write_all(&text).is_err() {
                    exit(0);
                }
            },
            Fault::WaitsForStop | Fault::AnswersAfterStop => {}
            Fault::IllegalMove => say("bestmove a1h8"),
            Fault::NullMove => say("bestmove 0000"),
            Fault::NoMove => say("bestmove"),
            Fault::SanMove => say("bestmove Nf3"),
            Fault::CapitalMove => say(&format!("bestmove {}", best.to_uppercase())),
            Fault::MovesTwice => {
                self.answer();
                say(&format!("bestmove {best}"));
            }
            Fault::Garbage => {
                let _ = io::stdout().write_all(b"\xff\xfe\x00\x01 info score \x1b[31m\n");
                self.answer();
            }
            Fault::OddReports => {
                say("info depth 99999999999 score cp 99999999999999999999 nodes -5 pv e9e9 xyzzy");
                say("info string unknown words follow\ninfo wobble 3 score mate 0 pv");
                self.answer();
            }
            Fault::Escapes => {
                eprintln!("\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}last output [Frame \"0\"]");
                exit(3);
            }
            _ => self.answer(),
        }
    }

    fn stop(&mut self) {
        if !self.is_searching {
            return;
        }
        match self.fault {
            Fault::WaitsForStop => self.answer(),
            Fault::AnswersAfterStop => {
                sleep(Duration::from_millis(700));
                self.answer();
            }
            _ => {}
        }
    }

    fn quit(&self) {
        match self.fault {
            Fault::IgnoresQuit => sleep(FOR_EVER),
            Fault::EndsBadly => exit(1),
            _ => exit(0),
        }
    }
}

/// Closes standard output for good: every later write fails.
fn close_output() {
    let null = fs::File::open("/dev/null").expect("a null device");
    nix::unistd::dup2_stdout(&null).expect("two open files");
}
