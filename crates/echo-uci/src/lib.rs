//! The UCI front end of Echo over any reader and writer, used by `threefold uci` and `echo-uci`.
//!
//! One thread reads, so that `stop`, `ponderhit` and `isready` are processed during a search; another owns
//! Echo and does everything else in sequence. They share the writer and the flags of each search.

mod option_list;

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufRead, Read as _, Write};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position};

use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{EngineAction, Go, Info, Reply, UciServer};
use threefold_echo::options::{self, Listing};
use threefold_echo::strength::curve::CurvePoint;
use threefold_echo::{DEEPEST_PERFT, Echo, RequestError, SearchReport, SearchRequest, SearchResult, bench};
use threefold_oracle::Referee;

pub use self::option_list::all_options;
use self::option_list::offer;

/// Serves one GUI until `quit` or end of input. `uci` lists the options of `listing`; all are accepted.
pub fn serve(reader: impl BufRead, writer: impl Write + Send, listing: Listing) -> io::Result<()> {
    let shared = &SharedState { out: Mutex::new(writer), unanswered: AtomicUsize::new(0) };
    let (queue, tasks) = channel();
    thread::scope(|scope| {
        let thinker = scope
            .spawn(move || EngineThread { echo: Echo::new(), reports_handicap: false, shared }.work(&tasks));
        let (thread, counts) = (thinker.thread().clone(), Stop::default());
        let listener = ReaderThread { shared, queue, thinker: thread, listing, flags: None, counts };
        // `listen` drops the queue at its end, which ends the engine thread after its last task.
        let heard = listener.listen(reader);
        let worked = thinker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        heard.and(worked)
    })
}

/// Runs the bench: `N nodes N nps`, the node count that identifies the search and the speed of this machine.
/// OpenBench reads this line.
pub fn bench_line() -> String {
    let begun = now();
    let nodes = bench::run();
    format!("{nodes} nodes {} nps", speed(nodes, begun.elapsed()).unwrap_or_default())
}

/// The longest accepted line in bytes. A game of ten thousand moves has 50 kB.
const LONGEST_LINE: usize = 4 << 20;

/// Printed before the table of `eval` if the strength is limited. The table has the full evaluation.
const FULL_EVALUATION: &str = "the evaluation at full strength; the search below it knows less";

/// Reads a line, up to one byte more than the limit. `false` at the end of input.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let bytes = reader.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.len() > LONGEST_LINE && line.last() != Some(&b'\n') {
        reader.skip_until(b'\n')?;
    }
    Ok(bytes > 0)
}

/// Data shared by both threads.
struct SharedState<W> {
    out: Mutex<W>,
    /// The number of searches without a `bestmove` yet, plus perft counts queued or running.
    unanswered: AtomicUsize,
}

impl<W: Write> SharedState<W> {
    fn write_line(&self, text: impl std::fmt::Display) -> io::Result<()> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(out, "{text}")?;
        out.flush()
    }
}

/// The flags of a running search.
#[derive(Debug, Clone, Default)]
struct Flags {
    stop: Stop,
    pondering: Stop,
}

/// Work for the thread that owns Echo.
enum Task {
    Search { position: GamePosition, go: Go, flags: Flags, start: Instant },
    Count { position: GamePosition, depth: Ply, stop: Stop },
    Other(EngineAction),
}

/// The reader thread.
struct ReaderThread<'a, W> {
    shared: &'a SharedState<W>,
    queue: Sender<Task>,
    thinker: Thread,
    listing: Listing,
    /// The flags of the last search.
    flags: Option<Flags>,
    /// Stops the perft counts that were requested since the last `stop`.
    counts: Stop,
}

impl<W: Write> ReaderThread<'_, W> {
    fn listen(mut self, mut reader: impl BufRead) -> io::Result<()> {
        let mut session = UciServer::new();
        let mut line = Vec::new();
        let mut heard = Ok(true);
        while let Ok(true) = heard {
            heard = read_line(&mut reader, &mut line);
            if heard.is_ok() && line.len() > LONGEST_LINE {
                heard = self
                    .shared
                    .write_line(Info::string(format_args!(
                        "a line of more than {LONGEST_LINE} bytes is dropped"
                    )))
                    .map(|()| true);
                continue;
            }
            if self.shared.unanswered.load(Ordering::Acquire) == 0 {
                session.search_finished();
            }
            for action in session.receive(&String::from_utf8_lossy(&line)) {
                if heard.as_ref().is_ok_and(|&open| open) {
                    heard = self.perform(action);
                }
            }
        }
        // The GUI has closed the input: stop a running search.
        self.reach_search(|flags| flags.stop.raise());
        heard.map(drop)
    }

    /// Performs actions that cannot wait for the search, and queues the rest. `false` after `quit`.
    fn perform(&mut self, action: EngineAction) -> io::Result<bool> {
        match action {
            EngineAction::Identify => self.greet()?,
            EngineAction::ReadyOkNow => self.shared.write_line(Reply::ReadyOk)?,
            EngineAction::ReportError(error) => self.shared.write_line(Info::string(error))?,
            EngineAction::Stop => {
                mem::take(&mut self.counts).raise();
                self.reach_search(|flags| flags.stop.raise());
            }
            EngineAction::Perft { position, depth } => {
                self.shared.unanswered.fetch_add(1, Ordering::AcqRel);
                let stop = self.counts.clone();
                return Ok(self.queue.send(Task::Count { position, depth, stop }).is_ok());
            }
            EngineAction::PonderHit => self.reach_search(|flags| flags.pondering.lower()),
            EngineAction::Quit => return Ok(false),
            EngineAction::Search { position, go } => {
                let flags = Flags::default();
                if go.ponder {
                    flags.pondering.raise();
                }
                self.flags = Some(flags.clone());
                // Counted before it is queued: the engine thread may reply at once.
                self.shared.unanswered.fetch_add(1, Ordering::AcqRel);
                // The clock starts when `go` is read, even if an earlier task still runs.
                return Ok(self.queue.send(Task::Search { position, go, flags, start: now() }).is_ok());
            }
            EngineAction::ReadyOkInTurn
            | EngineAction::Set { .. }
            | EngineAction::Debug(_)
            | EngineAction::NewGame
            | EngineAction::Bench
            | EngineAction::Eval(_)
            | EngineAction::Show(_) => return Ok(self.queue.send(Task::Other(action)).is_ok()),
        }
        Ok(true)
    }

    fn reach_search(&self, apply: impl Fn(&Flags)) {
        self.flags.iter().for_each(apply);
        self.thinker.unpark();
    }

    fn greet(&self) -> io::Result<()> {
        self.shared.write_line(Reply::Name(threefold_echo::NAME.to_owned()))?;
        self.shared.write_line(Reply::Author(threefold_echo::AUTHOR.to_owned()))?;
        options::listed(self.listing).into_iter().try_for_each(|row| self.shared.write_line(offer(row)))?;
        self.shared.write_line(Reply::UciOk)
    }
}

/// The thread that owns Echo.
struct EngineThread<'a, W> {
    echo: Echo,
    /// Whether the handicap is reported to the GUI (`debug on`).
    reports_handicap: bool,
    shared: &'a SharedState<W>,
}

impl<W: Write> EngineThread<'_, W> {
    fn work(mut self, tasks: &Receiver<Task>) -> io::Result<()> {
        self.echo.set_game_seed(random_seed());
        tasks.iter().try_for_each(|task| match task {
            Task::Search { position, go, flags, start } => self.search(&position, &go, &flags, start),
            Task::Count { position, depth, stop } => {
                let counted = perft(&position, depth, &stop);
                // Before the reply is written: a GUI may send its next command as soon as it has read it.
                self.shared.unanswered.fetch_sub(1, Ordering::AcqRel);
                match counted {
                    Ok(text) | Err(text) => self.shared.write_line(text),
                }
            }
            Task::Other(action) => self.perform(action),
        })
    }

    fn search(&mut self, position: &GamePosition, go: &Go, flags: &Flags, start: Instant) -> io::Result<()> {
        let request = SearchRequest {
            position,
            limits: &go.limits,
            only: &go.only,
            stop: &flags.stop,
            pondering: &flags.pondering,
            now: &|| start.elapsed(),
        };
        let mut said = Ok(());
        let found = self.echo.search(&request, &mut |report| {
            if said.is_ok() {
                said = self.shared.write_line(info(report));
            }
        });
        let best = match found {
            Ok(found) => {
                self.shared.write_line(last(&found))?;
                Reply::end_of_search(found.best, found.ponder)
            }
            Err(refusal) => {
                self.shared.write_line(Info::string(refusal))?;
                Reply::end_of_search(None, None)
            }
        };
        // An infinite or pondering search that has ended waits for `stop` or `ponderhit` before it replies.
        while !flags.stop.is_raised() && (flags.pondering.is_raised() || go.limits.is_infinite()) {
            // An `unpark` before this call is kept, so no `stop` is missed.
            thread::park();
        }
        // Before `bestmove` is written: the command that follows it must find no running search.
        self.shared.unanswered.fetch_sub(1, Ordering::AcqRel);
        said.and_then(|()| self.shared.write_line(best))
    }

    fn report_handicap(&self) -> io::Result<()> {
        let Some(handicap) = self.echo.handicap().filter(|_| self.reports_handicap) else { return Ok(()) };
        if let Some(CurvePoint { elo, low, high, .. }) = self.echo.measured_strength() {
            self.shared
                .write_line(Info::string(format_args!("{elo} Elo, measured within {low:.0} to {high:.0}")))?;
        }
        self.shared.write_line(Info::string(handicap))?;
        handicap.debug_lines().into_iter().try_for_each(|line| self.shared.write_line(Info::string(line)))?;
        self.report_seed()
    }

    /// Reports the seed, so that a game can be played again.
    fn report_seed(&self) -> io::Result<()> {
        let is_random = self.reports_handicap && self.echo.handicap().is_some();
        let seed = is_random.then(|| format!("StrengthSeed {}", self.echo.strength_seed()));
        seed.map_or(Ok(()), |seed| self.shared.write_line(Info::string(seed)))
    }

    fn perform(&mut self, action: EngineAction) -> io::Result<()> {
        match action {
            EngineAction::ReadyOkInTurn => self.shared.write_line(Reply::ReadyOk),
            EngineAction::Set { name, value } => {
                let before = self.echo.handicap();
                match self.echo.set(&name, &value) {
                    Ok(()) if self.echo.handicap() == before => Ok(()),
                    Ok(()) => self.report_handicap(),
                    Err(error) => self.shared.write_line(Info::string(error)),
                }
            }
            EngineAction::Debug(on) => {
                self.reports_handicap = on;
                self.report_handicap()
            }
            EngineAction::NewGame => {
                self.echo.new_game();
                self.echo.set_game_seed(random_seed());
                self.report_seed()
            }
            EngineAction::Bench => self.shared.write_line(bench_line()),
            EngineAction::Eval(line) => match self.echo.eval_table(&line) {
                Ok(table) => {
                    if self.echo.handicap().is_some() {
                        self.shared.write_line(Info::string(FULL_EVALUATION))?;
                    }
                    self.shared.write_line(table.trim_end())
                }
                Err(refusal) => self.shared.write_line(Info::string(refusal)),
            },
            EngineAction::Show(line) => match Referee::new(&line) {
                Ok(referee) => self.shared.write_line(picture(&referee)),
                Err(illegal) => self.shared.write_line(Info::string(illegal)),
            },
            // The reader thread handles these.
            EngineAction::Identify
            | EngineAction::ReadyOkNow
            | EngineAction::ReportError(_)
            | EngineAction::Stop
            | EngineAction::PonderHit
            | EngineAction::Quit
            | EngineAction::Perft { .. }
            | EngineAction::Search { .. } => Ok(()),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "an engine that plays on the wall's clock starts it at `go`")]
fn now() -> Instant {
    Instant::now()
}

/// A seed that differs from game to game. The option `StrengthSeed` takes it, so it is at most its maximum.
fn random_seed() -> u32 {
    // The hash of nothing depends only on the random keys of the hasher.
    (RandomState::new().build_hasher().finish() >> 33) as u32
}

/// Nodes per second; `None` before the first millisecond.
fn speed(nodes: u64, elapsed: Duration) -> Option<u64> {
    let micros = u64::try_from(elapsed.as_micros()).ok().filter(|&micros| micros >= 1000)?;
    Some((u128::from(nodes) * 1_000_000 / u128::from(micros)) as u64)
}

fn info(report: &SearchReport) -> Info {
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.seldepth),
        multipv: Some(report.line_of_play),
        score: Some((report.score, report.bound)),
        nodes: Some(report.nodes),
        nps: speed(report.nodes, report.elapsed),
        hashfull: Some(report.hashfull),
        tbhits: report.table_hits,
        time: Some(report.elapsed),
        pv: report.pv.clone(),
        ..Info::default()
    }
}

/// The last `info` line of a search, with its totals: a virtual clock advances by the exact node count.
fn last(found: &SearchResult) -> Info {
    Info {
        nodes: Some(found.nodes),
        nps: speed(found.nodes, found.elapsed),
        time: Some(found.elapsed),
        text: found.time_report.map(|account| account.to_string()),
        ..Info::default()
    }
}

/// Leaves below each move, and their sum. The root moves come from the referee, so that a wrong count shows
/// where the two differ.
fn perft(position: &GamePosition, depth: Ply, stop: &Stop) -> Result<String, String> {
    let referee = Referee::new(position).map_err(|illegal| Info::string(illegal).to_string())?;
    if u32::from(depth.0) > DEEPEST_PERFT {
        return Err(Info::string(RequestError::TooDeep(u32::from(depth.0))).to_string());
    }
    let mut leaves = BTreeMap::new();
    if depth.0 > 0 {
        for mv in referee.position().legal_moves() {
            let mut next = position.clone();
            next.moves.push(referee.uci(mv));
            let below = threefold_echo::perft(&next, u32::from(depth.0 - 1), stop)
                .map_err(|refusal| Info::string(refusal).to_string())?;
            leaves.insert(referee.uci(mv).to_string(), below);
        }
    }
    let sum: u64 = if depth.0 == 0 { 1 } else { leaves.values().sum() };
    let rows: Vec<String> = leaves.iter().map(|(mv, below)| format!("{mv}: {below}")).collect();
    Ok(format!("{}\n\nNodes searched: {sum}", rows.join("\n")))
}

/// The board, its FEN, and the number of occurrences of the position.
fn picture(referee: &Referee) -> String {
    let fen = Fen::from_position(referee.position(), EnPassantMode::Legal);
    let board = referee.position().board();
    format!("{board:?}\nFen: {fen}\nOccurrences: {}", referee.occurrences())
}

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
