//! Echo with a fault in what it reads or writes. This test program is the engine when it is started as
//! `PROGRAM dialogue NAME`.

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::mem;
use std::path::Path;
use std::process::{abort, exit};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};
use threefold_echo::options::Listing;

use super::fault::Fault;
use super::go::{Go, Search};
use super::line::{Chances, after, more_moves, print, with, with_steps_as_castling, wrong_letters};

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
    loses_next_go: bool,
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
            loses_next_go: false,
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

    fn hear(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (fault, searching) = (self.fault, self.search.is_some());
        if fault == Fault::EndsAtSpaces && words.join(" ") != line.trim_end_matches('\r')
            || fault == Fault::EndsAtCarriageReturn && line.ends_with('\r')
        {
            exit(1);
        }
        match words.first().copied().unwrap_or_default() {
            "uci" => {
                self.introductions += 1;
                if fault == Fault::IntroducesItselfOnce && self.introductions > 1 {
                    return;
                }
            }
            "isready" if fault == Fault::ReadyAfterSearch && searching => {
                return self.held_back.push(line.to_owned());
            }
            "stop" if fault == Fault::StopLost && searching => return,
            "stop" if !searching => self.keeps_stop = fault == Fault::KeepsStop,
            "stop" if self.is_pondering() => self.loses_next_go = fault == Fault::LosesGoAfterPonder,
            "quit" if fault == Fault::QuitLost && searching => return,
            "quit" if fault == Fault::AbortsAtQuit => abort(),
            "ponderhit" if fault == Fault::PonderhitLost => return,
            "ponderhit" if fault == Fault::EndsAtPonderhit && !searching => exit(1),
            "ponderhit" => {
                self.search = self.search.map(|search| Search { is_pondering: false, ..search });
            }
            "ucinewgame" => {
                self.new_games += 1;
                if fault == Fault::EndsAtSecondGame && self.new_games > 1 {
                    exit(1);
                }
            }
            "setoption" if fault == Fault::KeepsChess960 && line.ends_with("Chess960 value false") => return,
            // Echo has no such option.
            "setoption" if line.contains("UCI_ShowWDL") => {
                self.chances = Chances::set_by(line);
                return;
            }
            "setoption"
                if fault == Fault::ExactOptions && !line.starts_with("setoption name MultiPV value") =>
            {
                return;
            }
            "setoption" => self.set_option(line),
            "position" => {
                self.set_position(&words);
                if fault == Fault::StepIsCastling {
                    return self.tell_echo(&with_steps_as_castling(line));
                }
            }
            "go" => return self.go(&words),
            _ => {}
        }
        self.tell_echo(line);
    }

    fn set_option(&mut self, line: &str) {
        let given = line.split_once("name").map_or("", |(_, given)| given.trim());
        let (name, value) =
            given.split_once(" value").map_or((given, None), |(name, value)| (name, Some(value.trim())));
        let known = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let is_bad = match (known.map(|(_, kind)| kind.as_str()), value) {
            (Some("spin"), value) => value.is_none_or(|value| value.parse::<i64>().is_err()),
            (Some("check"), value) => !matches!(value, Some("true" | "false")),
            _ => false,
        };
        let ends = match self.fault {
            Fault::EndsAtUnknownOption => known.is_none(),
            Fault::EndsAtBadValue => is_bad,
            Fault::EndsAtLateOption => self.searches > 0,
            Fault::EndsAtLimitedStrength => name == "UCI_LimitStrength" && value == Some("true"),
            Fault::EndsAtPath => {
                name == "SyzygyPath" && value.is_some_and(|path| path.starts_with(['<', '/']))
            }
            _ => false,
        };
        if ends {
            exit(1);
        }
        if name == "SyzygyPath" {
            self.has_tables = value.is_some_and(|folder| Path::new(folder).join("KQvK.rtbw").exists());
        }
        if name == "Threads" {
            self.threads = value.and_then(|value| value.parse().ok()).unwrap_or(1);
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        let moves_at = words.iter().position(|word| *word == "moves");
        let has_fen = words.get(1) == Some(&"fen");
        let has_moves = moves_at.is_some_and(|at| at + 1 < words.len());
        if self.fault == Fault::EndsAtEmptyMoves && moves_at.is_some() && !has_moves
            || self.fault == Fault::EndsAtFenWithMoves && has_fen && has_moves
            || self.fault == Fault::EndsAtLongGame && words.len() > 256
        {
            exit(1);
        }
        let start = &words[..moves_at.unwrap_or(words.len())];
        let fen = has_fen.then(|| start[2..].join(" ").parse::<Fen>().ok()).flatten();
        let mode = fen.as_ref().map_or(CastlingMode::Standard, |fen| CastlingMode::detect(fen.as_setup()));
        let mut position = match fen {
            Some(fen) => fen.into_position(mode).ok(),
            None => (words.get(1) == Some(&"startpos")).then(Chess::default),
        };
        for word in words.iter().skip(moves_at.unwrap_or(words.len()) + 1) {
            position = position.and_then(|position| after(&position, word));
        }
        if self.fault == Fault::EndsAtInvalidPosition && position.is_none()
            || self.fault == Fault::EndsAtShortFen && has_fen && start.len() < 8
        {
            exit(1);
        }
        self.nodes_factor = if has_fen && self.fault == Fault::OtherKeyByFen { 2 } else { 1 };
        self.position = position;
    }

    fn is_pondering(&self) -> bool {
        self.search.is_some_and(|search| search.is_pondering)
    }

    fn go(&mut self, words: &[&str]) {
        let go = Go(words);
        if self.ends_at(go) {
            exit(1);
        }
        if self.fault == Fault::BareGoLost && words.len() == 1 || mem::take(&mut self.loses_next_go) {
            return;
        }
        self.searches += 1;
        self.search = Some(Search::new(go, self.fault));
        self.long_searches += usize::from(go.number("movetime").is_some());
        let forgets = match self.fault {
            Fault::ForgetsAfter255 => self.searches > KEPT_SEARCHES,
            Fault::ForgetsWhenFull => self.long_searches > LONG_SEARCHES,
            _ => false,
        };
        if forgets {
            self.tell_echo("setoption name Clear Hash");
        }
        let is_white = self.position.as_ref().is_none_or(|position| position.turn().is_white());
        let own = go.number(if is_white { "wtime" } else { "btime" });
        let changed = go.changed(self.fault, own);
        self.tell_echo(&changed);
    }

    /// Does the engine end at this command?
    fn ends_at(&self, go: Go<'_>) -> bool {
        let legal = self.position.as_ref().map_or(20, |position| position.legal_moves().len());
        match self.fault {
            Fault::EndsAtGoInSearch => self.search.is_some(),
            Fault::EndsWithoutPosition => self.position.is_none(),
            Fault::EndsWithoutMoves => legal == 0,
            Fault::EndsAtOnlyMove => legal == 1,
            Fault::EndsAtManyMoves => legal > 200,
            Fault::EndsAtOddLimit => go.is_odd(),
            Fault::EndsAtGreatDepth => go.number("depth") >= Some(64),
            Fault::EndsAtTables => self.has_tables,
            Fault::EndsAtDays => go.clock() > Some(10_000_000),
            _ => false,
        }
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
