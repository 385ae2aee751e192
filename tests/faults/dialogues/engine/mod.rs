//! Echo with a fault in what it reads or writes. This test program is the engine when it is started as
//! `PROGRAM dialogue NAME`.

mod input;

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::mem;
use std::process::exit;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use shakmaty::{Chess, Position};
use threefold_echo::options::Listing;

use super::fault::Fault;
use super::go::{Go, Search};
use super::line::{Chances, more_moves, print, with, wrong_letters};

/// Searches of which the hash table of `ForgetsAfter255` keeps something, and that of `EmptyAfter255` reports something.
const KEPT_SEARCHES: usize = 255;
/// The lines that `LinesInBlocks` shows at a time.
const BLOCK: usize = 8;

/// Searches with `movetime` that fill the hash table of `ForgetsWhenFull`.
const LONG_SEARCHES: usize = 10;

/// A move that is never legal.
const ILLEGAL: &str = "a1a1";

/// Runs the engine with this fault until `quit` or the end of its input.
pub(crate) fn run(name: &str) {
    let known = Fault::ALL.iter().copied().find(|fault| fault.name() == name);
    let fault = known.expect("the name of a fault");
    let (reader, writer) = io::pipe().expect("a pipe");
    let engine = Arc::new(Mutex::new(FaultyEcho::new(fault, writer)));
    let input = Arc::clone(&engine);
    thread::spawn(move || {
        let mut line = String::new();
        let mut stdin = io::stdin().lock();
        while stdin.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            input.lock().expect("no panic").hear(line.strip_suffix('\n').unwrap_or(&line));
            line.clear();
        }
        if fault == Fault::OutlivesInput {
            thread::sleep(Duration::from_secs(20));
        }
        exit(0);
    });
    let output = Output { engine, line: Vec::new() };
    echo_uci::serve(BufReader::new(reader), output, Listing::Players).expect("a reader and a writer");
}

/// What Echo writes, line by line.
struct Output {
    engine: Arc<Mutex<FaultyEcho>>,
    line: Vec<u8>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(mem::take(&mut self.line)).expect("text");
                self.engine.lock().expect("no panic").say(&line);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Which of the next commands are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lost {
    Nothing,
    NextGo,
    /// All, until the search has sent its move.
    UntilMove,
}

/// Changes the lines between the harness and Echo, with what is known of the dialogue so far.
struct FaultyEcho {
    fault: Fault,
    to_echo: PipeWriter,
    /// The options that Echo offers, and their types.
    options: Vec<(String, String)>,
    position: Option<Chess>,
    /// What the reported nodes are multiplied by.
    nodes_factor: i64,
    selective_depth: i64,
    /// The nodes of earlier searches that are added to those of a search.
    earlier_nodes: i64,
    introductions: usize,
    new_games: usize,
    searches: usize,
    long_searches: usize,
    threads: usize,
    has_tables: bool,
    chances: Chances,
    search: Option<Search>,
    /// `stop` came without a search.
    keeps_stop: bool,
    lost: Lost,
    last_best: Option<String>,
    /// Commands or lines that wait for the end of the search.
    held_back: Vec<String>,
    /// Reports with a principal variation so far, the head of the last one, and the moves of the last first line.
    lines: usize,
    head: String,
    first_line: String,
}

impl FaultyEcho {
    const fn new(fault: Fault, to_echo: PipeWriter) -> Self {
        Self {
            fault,
            to_echo,
            options: Vec::new(),
            position: None,
            nodes_factor: 1,
            selective_depth: 0,
            earlier_nodes: 0,
            introductions: 0,
            new_games: 0,
            searches: 0,
            long_searches: 0,
            threads: 1,
            has_tables: false,
            chances: Chances::Hidden,
            search: None,
            keeps_stop: false,
            lost: Lost::Nothing,
            last_best: None,
            held_back: Vec::new(),
            lines: 0,
            head: String::new(),
            first_line: String::new(),
        }
    }

    fn tell_echo(&mut self, line: &str) {
        _ = writeln!(self.to_echo, "{line}");
    }

    fn say(&mut self, line: &str) {
        let line = &with(line, "nodes", |nodes| self.nodes_factor * nodes + self.earlier_nodes);
        if line == "uciok" {
            self.say("option name UCI_ShowWDL type check default false");
        }
        if let Some(option) = line.strip_prefix("option name ")
            && let Some((name, kind)) = option.split_once(" type ")
        {
            let kind = kind.split_whitespace().next().unwrap_or_default();
            self.options.push((name.to_owned(), kind.to_owned()));
        }
        if line.starts_with("bestmove") {
            self.say_best(line);
        } else if line.starts_with("info") && line.contains(" pv ") {
            self.say_line(line);
        } else {
            print(line);
        }
    }

    fn say_best(&mut self, line: &str) {
        let search = self.search.take();
        if self.lost == Lost::UntilMove {
            self.lost = Lost::Nothing;
        }
        let best = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        let other = self.position.as_ref().and_then(|position| {
            let moves = position.legal_moves();
            let mut texts = moves.iter().map(|mv| mv.to_uci(position.castles().mode()).to_string());
            texts.rfind(|mv| *mv != best)
        });
        let last = self.last_best.replace(best.clone());
        if self.fault == Fault::NodesOfAllSearches {
            let words: Vec<&str> = self.head.split(' ').collect();
            self.earlier_nodes = Go(&words).number("nodes").unwrap_or_default();
        }
        if self.fault == Fault::ForeignWord {
            print("test");
        }
        let held_back = mem::take(&mut self.held_back);
        for line in held_back.iter().filter(|line| line.starts_with("info")) {
            print(line);
        }
        if self.fault == Fault::CountsUnfinished && search.is_some_and(|search| search.nodes.is_some()) {
            print(&format!("{} pv {}", with(&self.head, "depth", |depth| depth + 1), self.first_line));
        }
        match self.fault {
            Fault::ThreadsHang if self.threads > 1 => {}
            Fault::NoMoveAtOnce if search.is_some_and(|search| search.is_smallest) => print("bestmove 0000"),
            Fault::KeepsStop if mem::take(&mut self.keeps_stop) => print("bestmove 0000"),
            Fault::OldMove => print(&format!("bestmove {}", last.unwrap_or(best))),
            Fault::OtherMove => print(&format!("bestmove {}", other.unwrap_or(best))),
            Fault::IllegalMove if search.is_none_or(|search| search.only != 1) => {
                print(&format!("bestmove {ILLEGAL}"));
            }
            Fault::WrongLetters => print(&format!("bestmove {}", wrong_letters(&best))),
            Fault::IllegalPonder => print(&format!("bestmove {best} ponder {ILLEGAL}")),
            _ => print(line),
        }
        if self.fault == Fault::LateLine {
            print("info depth 1 score cp 0 nodes 1 time 1 pv e2e4");
        }
        for command in held_back.iter().filter(|line| !line.starts_with("info")) {
            self.tell_echo(command);
        }
    }

    /// A report with a principal variation.
    fn say_line(&mut self, line: &str) {
        self.lines += 1;
        let is_black = self.position.as_ref().is_some_and(|position| position.turn().is_black());
        let line = &self.chances.shown_in(line, self.fault, is_black);
        let (head, moves) = line.split_once(" pv ").expect("it has one");
        let second = self.lines.is_multiple_of(2);
        match self.fault {
            Fault::EndsAtDepthOnClock if self.is_deep_on_clock(head) => exit(1),
            Fault::NoLines => {}
            Fault::LinesHeldBack => self.held_back.push(line.to_owned()),
            Fault::LinesInBlocks => {
                self.held_back.push(line.to_owned());
                if self.held_back.len() >= BLOCK {
                    for line in mem::take(&mut self.held_back) {
                        print(&line);
                    }
                }
            }
            Fault::OneLine if head.contains(" multipv ") && !head.contains(" multipv 1 ") => {}
            Fault::IllegalLines => print(&format!("{line} {ILLEGAL}")),
            Fault::CountsOn => print(&line.replacen(" depth ", " depth 9999", 1)),
            Fault::CapitalLines => print(&format!("{head} pv {}", moves.to_uppercase())),
            Fault::LongLines => print(&format!("{line}{}", more_moves(self.position.clone(), moves))),
            Fault::SameLines if !self.first_line.is_empty() && !head.contains(" multipv 1 ") => {
                print(&format!("{head} pv {}", self.first_line));
            }
            Fault::EmptyAfter255 if self.searches > KEPT_SEARCHES => {
                print(&format!("{} pv {moves}", with(head, "hashfull", |_| 0)));
            }
            Fault::KeepsSeldepth => {
                let words: Vec<&str> = head.split(' ').collect();
                let depth = Go(&words).number("seldepth").unwrap_or_default();
                self.selective_depth = self.selective_depth.max(depth);
                print(&format!("{} pv {moves}", with(head, "seldepth", |_| self.selective_depth)));
            }
            Fault::CountersFall if second => {
                print(&format!("{} pv {moves}", with(&with(head, "nodes", |_| 1), "time", |_| 0)));
            }
            Fault::MatesInCentipawns => print(&line.replace(" score mate ", " score cp 3000")),
            Fault::SpeedInThousands => print(&with(line, "nps", |nps| nps / 1000)),
            Fault::MatesShort if head.contains(" mate ") => {
                print(&format!("{} pv {moves}", with(head, "mate", |mate| mate - mate.signum())));
            }
            Fault::MatedOnClock
                if self.search.is_some_and(|search| search.is_on_clock) && head.contains(" depth 1 ") =>
            {
                print(&format!("{} pv {moves}", head.replace(" cp ", " mate 0 upperbound cp ")));
            }
            Fault::WideScores => print(&line.replace(" cp ", " cp  ")),
            Fault::MatesClaimed => print(&format!("{} pv {moves}", head.replace(" cp ", " mate 3 cp "))),
            _ => print(line),
        }
        head.clone_into(&mut self.head);
        if head.contains(" multipv 1 ") {
            moves.clone_into(&mut self.first_line);
        }
    }

    fn is_deep_on_clock(&self, head: &str) -> bool {
        let words: Vec<&str> = head.split(' ').collect();
        let is_deep = Go(&words).number("depth") >= Some(9);
        is_deep && self.search.is_some_and(|search| search.is_on_clock)
    }
}
