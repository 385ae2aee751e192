//! The traffic between the harness and an engine, line by line.
//!
//! Every line becomes a `tracing` event with target [`TARGET`]. Without a log there is no subscriber, and an
//! event costs one comparison. The last lines of each engine are always kept (`ring`), because faults are
//! rare and cannot be predicted. A fault that ends a job is an event, too; the writer of the log reports its
//! line number ([`LogPlaces`]).
//!
//! The fields of an event: `engine` (its name), `instance` (the number of the player in this process, from
//! 1), `job` (the game or case), `direction` (the mark of a [`Direction`]), `line` (the text as sent), and
//! `fault` (a number; only for faults). Levels: faults are errors, standard error is info, commands and
//! answers are debug, and reports of a search (`info …`) are trace.

mod error_patterns;
mod ring;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use self::error_patterns::ErrorPatterns;
use self::ring::Ring;
use super::suspension::SuspendableClock;
use crate::visible::visible;

/// The target of the events.
pub const TARGET: &str = "threefold::uci";

threefold_named_enum::named_enum! {
    /// The sender of a line.
    pub enum Direction {
        /// The harness, to the engine.
        ToEngine = ">",
        /// The engine, on its standard output.
        FromEngine = "<",
        /// The engine, on its standard error.
        StandardError = "!",
        /// The harness, about the engine: the fault that ended a job.
        Fault = "#",
    }
}

/// A line of an engine's traffic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrafficLine {
    /// Since the player was launched.
    pub at: Duration,
    /// Who sent the line: the engine or its runner.
    pub direction: Direction,
    /// The text as sent, up to 4096 bytes.
    pub text: String,
}

/// `12.345678 > go nodes 500`, without invisible characters.
impl fmt::Display for TrafficLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, direction, text } = self;
        write!(f, "{:>12.6} {} {}", at.as_secs_f64(), direction.name(), visible(text))
    }
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPlace {
    /// The file, as the user names it.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
}

/// `match.log:1234`
impl fmt::Display for LogPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", visible(&self.file), self.line)
    }
}

/// The last traffic of an engine whose fault ended a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultTraffic {
    /// The engine's name.
    pub engine: String,
    /// The line of the log with the fault, if there is a log.
    pub log: Option<LogPlace>,
    /// The last 200 lines, or fewer if they are long; oldest first.
    pub lines: Vec<TrafficLine>,
}

/// Finds the log line of a fault by the fault's number.
type FindPlace = dyn Fn(u64) -> Option<LogPlace> + Send + Sync;

/// Finds the log lines of faults. Clones share it.
#[derive(Clone)]
pub struct LogPlaces(Arc<FindPlace>);

impl LogPlaces {
    /// This function is called once for each fault, right after its event, by the thread that emitted it.
    pub fn found_by(find: impl Fn(u64) -> Option<LogPlace> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }
}

impl Default for LogPlaces {
    /// There is no log.
    fn default() -> Self {
        Self::found_by(|_| None)
    }
}

impl fmt::Debug for LogPlaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LogPlaces")
    }
}

/// The numbers that identify the players and the faults of a run.
#[derive(Debug, Default)]
struct Counters {
    instances: AtomicU64,
    faults: AtomicU64,
}

/// Records the traffic of a player. Clones share the record.
#[derive(Debug, Clone)]
pub struct Traffic {
    engine: Arc<str>,
    instance: u64,
    /// The present job of its worker.
    job: Arc<Mutex<Arc<str>>>,
    ring: Arc<Mutex<Ring>>,
    patterns: ErrorPatterns,
    /// The first line of standard error that has one of the patterns.
    error_line: Arc<Mutex<Option<String>>>,
    begun: Instant,
    clock: SuspendableClock,
    numbers: Arc<Counters>,
    places: LogPlaces,
}

impl Traffic {
    /// For no engine yet, with this clock.
    pub fn new(clock: &SuspendableClock) -> Self {
        Self {
            engine: Arc::from(""),
            instance: 0,
            job: Arc::new(Mutex::new(Arc::from("start"))),
            ring: Arc::default(),
            patterns: ErrorPatterns::default(),
            error_line: Arc::default(),
            begun: clock.now(),
            clock: clock.clone(),
            numbers: Arc::default(),
            places: LogPlaces::default(),
        }
    }

    /// Adds a log that knows the lines of faults.
    #[must_use]
    pub fn with_log(self, places: LogPlaces) -> Self {
        Self { places, ..self }
    }

    /// Engines that are launched from now on have these patterns.
    pub fn set_patterns(&mut self, patterns: &ErrorPatterns) {
        self.patterns = patterns.clone();
    }

    /// The patterns of its engine's standard error.
    pub const fn patterns(&self) -> &ErrorPatterns {
        &self.patterns
    }

    /// The first line of standard error with one of the patterns, since the last was taken; cut to a readable
    /// length.
    pub fn error_line(&self) -> Option<String> {
        self.error_line.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes the last error line; the next call returns a later one.
    pub fn take_error_line(&self) -> Option<String> {
        self.error_line.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The traffic of another worker, which has jobs of its own.
    #[must_use]
    pub fn for_worker(&self) -> Self {
        Self { job: Arc::new(Mutex::new(self.job())), ..self.clone() }
    }

    /// A new record for an engine that is launched now.
    #[must_use]
    pub fn for_engine(&self, name: &str) -> Self {
        Self {
            engine: Arc::from(name),
            // The numbers only have to differ, so no order with other memory is needed.
            instance: self.numbers.instances.fetch_add(1, Ordering::Relaxed) + 1,
            ring: Arc::default(),
            error_line: Arc::default(),
            begun: self.clock.now(),
            ..self.clone()
        }
    }

    /// For a player: a new record, unless this one belongs to an engine already.
    #[must_use]
    pub(super) fn claimed_by(&self, name: &str) -> Self {
        if self.instance == 0 { self.for_engine(name) } else { self.clone() }
    }

    /// The worker begins another job.
    pub fn begin_job(&self, job: &str) {
        *self.job.lock().unwrap_or_else(PoisonError::into_inner) = Arc::from(job);
    }

    fn job(&self) -> Arc<str> {
        Arc::clone(&self.job.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records a line of this moment, given without its line end.
    pub fn record(&self, direction: Direction, line: &str) {
        self.record_at(self.clock.now(), direction, line);
    }

    /// Records a line of a moment that its clock has shown, given without its line end.
    pub(super) fn record_at(&self, moment: Instant, direction: Direction, line: &str) {
        let at = moment.saturating_duration_since(self.begun);
        self.ring.lock().unwrap_or_else(PoisonError::into_inner).push(at, direction, line);
        if direction == Direction::StandardError
            && let Some(quote) = self.patterns.quote(line)
        {
            self.error_line.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(quote);
        }
        let is_report = direction == Direction::FromEngine && line.trim_start().starts_with("info");
        match direction {
            Direction::StandardError => self.emit_info(direction, line),
            _ if is_report => self.emit_trace(direction, line),
            Direction::ToEngine | Direction::FromEngine | Direction::Fault => {
                self.emit_debug(direction, line);
            }
        }
    }

    /// The last lines that the engine wrote to standard output, oldest first: at most this many, each with at
    /// most this many characters.
    pub(super) fn last_output(&self, count: usize, length: usize) -> Vec<String> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.last_of(Direction::FromEngine, count, length)
    }

    /// Records that a job ended with a fault of this engine; returns its last traffic.
    pub fn fault(&self, what: &str) -> FaultTraffic {
        let fault = self.numbers.faults.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::error!(
            target: TARGET,
            engine = &*self.engine,
            instance = self.instance,
            job = &*self.job(),
            direction = Direction::Fault.name(),
            fault,
            line = what,
        );
        let lines = self.ring.lock().unwrap_or_else(PoisonError::into_inner).lines();
        FaultTraffic { engine: self.engine.to_string(), log: (self.places.0)(fault), lines }
    }
}

/// The level of an event is static, so there is a function for each.
macro_rules! emit {
    ($name:ident, $level:ident) => {
        impl Traffic {
            fn $name(&self, direction: Direction, line: &str) {
                tracing::event!(
                    target: TARGET,
                    tracing::Level::$level,
                    engine = &*self.engine,
                    instance = self.instance,
                    job = &*self.job(),
                    direction = direction.name(),
                    line,
                );
            }
        }
    };
}

emit!(emit_info, INFO);
emit!(emit_debug, DEBUG);
emit!(emit_trace, TRACE);

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(traffic: &FaultTraffic) -> Vec<String> {
        traffic.lines.iter().map(|line| format!("{} {}", line.direction, line.text)).collect()
    }

    #[test]
    fn fault_traffic_belongs_to_its_engine() {
        let of_run = Traffic::new(&SuspendableClock::default());
        let [one, other] = ["One", "Other"].map(|name| of_run.for_engine(name));
        one.record(Direction::ToEngine, "go nodes 1");
        other.record(Direction::ToEngine, "go nodes 2");
        one.clone().record(Direction::FromEngine, "bestmove e2e4");
        let fault = one.fault("illegal move `e2e4`");
        assert_eq!((fault.engine.as_str(), fault.log.as_ref()), ("One", None));
        assert_eq!(texts(&fault), ["> go nodes 1", "< bestmove e2e4"]);
        assert_eq!((one.instance, other.instance), (1, 2));
        assert_eq!(one.claimed_by("Else").instance, 1);
        assert_eq!(of_run.claimed_by("Else").instance, 3);
    }

    #[test]
    fn log_position_of_a_fault_is_found_by_its_number() {
        let file = |fault: u64| Some(LogPlace { file: "a\u{1b}.log".to_owned(), line: 10 * fault });
        let traffic = Traffic::new(&SuspendableClock::default()).with_log(LogPlaces::found_by(file));
        let places = [1, 2].map(|_| traffic.for_worker().fault("late").log.map(|place| place.to_string()));
        assert_eq!(places, ["a␛.log:10", "a␛.log:20"].map(|place| Some(place.to_owned())));
    }

    #[test]
    fn traffic_knows_the_job_of_its_worker() {
        let of_run = Traffic::new(&SuspendableClock::default());
        let workers = [of_run.for_worker(), of_run.for_worker()];
        let engine = workers[0].for_engine("E");
        workers[0].begin_job("match, game 7");
        assert_eq!((&*engine.job(), &*workers[1].job()), ("match, game 7", "start"));
    }

    #[test]
    fn traffic_lines_escape_control_characters() {
        let line = TrafficLine {
            at: Duration::from_millis(1500),
            direction: Direction::FromEngine,
            text: "info\u{1b}[2J\u{202e}".to_owned(),
        };
        assert_eq!(line.to_string(), "    1.500000 < info␛[2J\u{fffd}");
    }
}
