//! A search of an engine process: `go`, its end in time, and what was measured on the way.

use std::fmt::{self, Display};
use std::mem;
use std::time::{Duration, Instant};

use super::live_engine::{EngineMessage, EngineWait, IDLE_TIMEOUT, LiveEngine, WaitFailure};
use super::search_log::{SearchEnd, SearchLog};
use super::watchdog::{Overrun, TimeAllowance};
use crate::run_queue;
use crate::{Answer, EngineFault, WaitLimit, quoted};
use threefold_chess::clock::Delays;
use threefold_chess::position::GamePosition;
use threefold_chess::uci::{BestMove, Command, EngineEvent, Go, Reply};
use threefold_oracle::Referee;

/// How long to wait for an engine that seems to have ignored `go` twice. Some engines hang then: they believe that the search
/// before still runs.
const IGNORED_TIMEOUT: Duration = Duration::from_secs(2);

/// How long an engine that seems to have ignored a `go` may take to answer `isready`, and then `stop`.
const PROBE_TIMEOUT: Duration = Duration::from_millis(200);

/// The most bytes that are read between two searches: more than a pipe and the buffer of lines hold together.
const MOST_LATE_OUTPUT: usize = 4 * 1024 * 1024;

/// What an engine does after a command, for messages.
pub(super) struct Answering<'c>(pub(super) &'c Command);

impl Display for Answering<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "answering `{}`", self.0)
    }
}

impl LiveEngine {
    /// Asks for a move and waits for it.
    pub(super) fn search(
        &mut self,
        position: &GamePosition,
        go: Go,
        log: SearchLog,
        allowance: TimeAllowance,
        grace: Duration,
    ) -> Result<Answer, EngineFault> {
        self.discard_late_output()?;
        let command = self.conversation.go(go);
        let task = Answering(&command);
        let limit = allowance.limit();
        // Before `go`: reading the counters costs the engine no time, and its first wait for a CPU is counted.
        if log.is_timed {
            self.begin_measuring();
        }
        let mut asked = self.send_at(position, &command, &task, allowance.wait, limit)?;
        if self.has_ignored_go(&task)? {
            self.capabilities.set_needs_rest(&self.spec);
            self.wait_until_idle();
            // The ignored `go` was no search, so the clock and the measurement start again.
            if log.is_timed {
                self.begin_measuring();
            }
            asked = self.send_at(position, &command, &task, allowance.wait, limit)?;
            // On a clock the engine may spend its own time as it likes.
            let may_be_long = allowance.overrun == Overrun::Fault && IGNORED_TIMEOUT < allowance.wait;
            if may_be_long && self.has_ignored_go(&task)? && self.stays_idle() {
                let waited = self.process.now().saturating_duration_since(asked);
                let limit = WaitLimit::Ignored;
                return Err(EngineFault::TimedOut { task: task.to_string(), waited, limit });
            }
        }
        self.await_move(position, &task, asked, log, allowance, grace)
    }

    /// Waits for the move of a search that was asked for at this moment, and stops the search if it takes too
    /// long.
    pub(super) fn await_move(
        &mut self,
        position: &GamePosition,
        task: &dyn Display,
        asked: Instant,
        mut log: SearchLog,
        allowance: TimeAllowance,
        grace: Duration,
    ) -> Result<Answer, EngineFault> {
        let timed_out = |waited, limit| Err(EngineFault::TimedOut { task: task.to_string(), waited, limit });
        let until = self.process.deadline(asked, allowance.wait);
        let wait = EngineWait { task, until, heard: asked, is_noticed: !log.is_timed };
        let (overrun, waited, limit) = match self.next_move(position, wait, &mut log) {
            Ok((end, arrival)) => {
                let is_over = allowance.is_over(arrival.saturating_duration_since(asked), grace);
                return Ok(self.answer(log, end, asked, arrival, is_over));
            }
            Err(WaitFailure::Fault(fault)) => return Err(fault),
            Err(WaitFailure::OverLimit) => {
                // `stop` enforces the node limit here, so the answer counts although it needed `stop`.
                self.capabilities.set_ignores_node_limit(&self.spec);
                let waited = self.process.now().saturating_duration_since(asked);
                (Overrun::LateAnswer, waited, WaitLimit::Nodes)
            }
            Err(WaitFailure::Timeout) => (allowance.overrun, allowance.wait, allowance.limit()),
        };
        log.is_stopped = true;
        self.send(&[Command::Stop], task, grace, limit)?;
        let heard = self.process.now();
        let until = self.process.deadline(heard, grace);
        let wait = EngineWait { task, until, heard, is_noticed: false };
        match (self.next_move(position, wait, &mut log), overrun) {
            (Ok((end, arrival)), Overrun::LateAnswer) => Ok(self.answer(log, end, asked, arrival, true)),
            // No clock limits the search, so a move that comes only after `stop` does not excuse the silence
            // before.
            (Ok(_), Overrun::Fault) => timed_out(waited, limit),
            (Err(WaitFailure::Timeout | WaitFailure::OverLimit), _) => {
                // Nothing followed the supposed second copy, so it was the answer.
                if let Some((best, arrival)) = log.repeated {
                    return Ok(self.answer(log, SearchEnd::Move(best), asked, arrival, true));
                }
                // It searches no more, and its move is lost: the threads of some engines disturb each other if
                // a `go` comes while the last search returns.
                if self.is_asleep() {
                    self.capabilities.set_needs_rest(&self.spec);
                }
                timed_out(waited + grace, limit)
            }
            (Err(WaitFailure::Fault(fault)), _) => Err(fault),
        }
    }

    /// Discards what the engine wrote after its last answer, because it belongs to no search. If a line has
    /// begun, its end is discarded, too. At most [`MOST_LATE_OUTPUT`] is read; more from an engine that
    /// writes without end is read after `go`, in the engine's own time.
    pub(super) fn discard_late_output(&mut self) -> Result<(), EngineFault> {
        let mut length = 0;
        while length < MOST_LATE_OUTPUT
            && let Some(line) = self.process.late_line().or_else(|| self.process.unfinished_line())
        {
            // The line break counts, so that empty lines without end reach the limit, too.
            length += line.len() + 1;
            match self.conversation.receive(&line) {
                Ok(Some(EngineEvent::BetweenSearches)) => self.between.add(&line),
                Ok(_) => {}
                Err(breach) => return Err(EngineFault::ProtocolBreach(breach.to_string())),
            }
        }
        Ok(())
    }

    /// Is this move a late second copy of that of the search before? It is, if it is the same move, illegal in this position, and
    /// the search goes on. An engine that repeats an illegal move as its answer writes no
    /// more, and its threads are asleep.
    fn is_second_copy(&mut self, position: &GamePosition, best: BestMove) -> bool {
        let is_illegal = |mv| Referee::new(position).is_ok_and(|referee| referee.legal(mv).is_err());
        self.conversation.is_repeated(&best)
            && is_illegal(best.best)
            && (self.process.has_output_within(IDLE_TIMEOUT) || !self.is_asleep())
    }

    /// Has it ignored the `go` just sent? Some engines do while their search thread is still returning from
    /// the last search, even after `readyok`. Such an engine says nothing, no thread of it runs, and after
    /// `stop` it is ready without a move.
    fn has_ignored_go(&mut self, task: &dyn Display) -> Result<bool, EngineFault> {
        if self.process.has_output_within(IDLE_TIMEOUT) || !self.is_asleep() {
            return Ok(false);
        }
        // Not by `UciClient::isready`, after which a `bestmove` would belong to no search.
        self.send(&[Command::IsReady], task, PROBE_TIMEOUT, WaitLimit::Clock)?;
        let is_ready = self.process.take_expected_line("readyok", PROBE_TIMEOUT);
        // A `readyok` that comes only later has no effect on the search.
        if !is_ready || self.process.has_output_within(IDLE_TIMEOUT) || !self.is_asleep() {
            return Ok(false);
        }
        self.send(&[Command::Stop, Command::IsReady], task, PROBE_TIMEOUT, WaitLimit::Clock)?;
        let is_ready = self.process.take_expected_line("readyok", PROBE_TIMEOUT);
        let is_silent = is_ready && !self.process.has_output_within(PROBE_TIMEOUT);
        // Any other behaviour counts as a search without a running thread, such as one on another machine.
        if !is_silent {
            self.capabilities.set_sleeps(&self.spec);
        }
        Ok(is_silent && self.is_asleep())
    }

    /// Does it say nothing for some time, with all threads asleep?
    fn stays_idle(&mut self) -> bool {
        !self.process.has_output_within(IGNORED_TIMEOUT) && self.is_asleep()
    }

    /// The search has ended: what may have been a second copy of the move before was one.
    fn end_search(&mut self, end: SearchEnd, log: &mut SearchLog, arrival: Instant) -> SearchEnd {
        if let Some((copy, _)) = log.repeated.take() {
            self.between.add(&Reply::BestMove(copy).to_string());
        }
        self.last_active = Some(arrival);
        end
    }

    /// Is no thread of it running, as far as that shows that it does not search?
    fn is_asleep(&self) -> bool {
        !self.capabilities.sleeps(&self.spec) && run_queue::are_all_asleep(&self.processes)
    }

    /// A search begins whose delays are measured.
    pub(super) fn begin_measuring(&mut self) {
        let now = self.process.now();
        self.delays.begin(&self.processes, now);
        self.process.reading_delay.begin(now);
    }

    fn answer(
        &mut self,
        log: SearchLog,
        end: SearchEnd,
        asked: Instant,
        arrival: Instant,
        is_over_time: bool,
    ) -> Answer {
        let elapsed = arrival.saturating_duration_since(asked);
        let late = self.process.reading_delay.late();
        self.process.reading_delay.end();
        let measured =
            log.is_timed.then(|| self.delays.end(&self.processes, arrival, late, is_over_time)).flatten();
        let suspended = self.process.suspended_between(asked, arrival);
        let delays = measured.map(|(delays, _)| delays);
        // A suspension is recorded even where the counters of the system were not read.
        let delays = delays.or((log.is_timed && !suspended.is_zero()).then(Delays::default));
        // Neither part is longer than the whole.
        let delays = delays.map(|Delays { engine, runner }| {
            let runner = (runner + suspended).min(elapsed);
            Delays { engine: engine.min(elapsed.saturating_sub(runner)), runner }
        });
        let first_output = self.process.first_arrival().map(|first| first.saturating_duration_since(asked));
        let cpu = measured.map(|(_, cpu)| cpu);
        let first_output = first_output.filter(|_| log.is_timed);
        let asked = log.is_timed.then_some(asked);
        let between = mem::take(&mut self.between);
        Answer { delays, asked, first_output, cpu, between, ..log.answer(end, elapsed) }
    }

    /// Waits for the end of the search and records the reports before it.
    pub(super) fn next_move(
        &mut self,
        position: &GamePosition,
        mut wait: EngineWait<'_>,
        log: &mut SearchLog,
    ) -> Result<(SearchEnd, Instant), WaitFailure> {
        loop {
            let EngineMessage { event, line, arrival } = self.next_fact(&mut wait, &mut log.quotes)?;
            match event {
                EngineEvent::BestMove(best) if self.is_second_copy(position, best) => {
                    self.conversation.continue_search();
                    log.repeated = Some((best, arrival));
                }
                EngineEvent::BestMove(best) => {
                    self.conversation.accept(&best);
                    return Ok((self.end_search(SearchEnd::Move(best), log, arrival), arrival));
                }
                EngineEvent::NoMove(text) => {
                    return Ok((self.end_search(SearchEnd::NoMove(quoted(&text)), log, arrival), arrival));
                }
                EngineEvent::Info(info) => {
                    log.record(info, line);
                    if log.is_over_limit() {
                        return Err(WaitFailure::OverLimit);
                    }
                }
                EngineEvent::UciOk | EngineEvent::ReadyOk | EngineEvent::BetweenSearches => {}
            }
        }
    }
}

#[cfg(all(test, unix, not(feature = "portable")))]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use crate::mock_engine::Mock;
    use crate::search_timeout::SearchTimeout;
    use crate::{EngineFault, Question};
    use threefold_chess::clock::Limits;
    use threefold_chess::position::GamePosition;

    #[test]
    fn engine_whose_move_is_lost_is_awaited_from_then_on() {
        if !Path::new("/proc/thread-self/stat").exists() {
            return;
        }
        let report = "echo info depth 1 score cp 5 pv e2e4";
        // what it does after its report, and whether a lost move explains that
        for (then, is_lost) in [("", true), ("while :; do :; done", false)] {
            let mut mock = Mock::new("", &format!("go*) {report}; {then} ;;"));
            mock.options.search_timeout = SearchTimeout::fixed(Duration::from_millis(200));
            mock.options.grace = Duration::from_millis(100);
            let mut player = mock.launch().expect("it starts");
            let position = GamePosition::start_position();
            let question = Question { position, limits: Limits::nodes(5), searchmoves: Vec::new() };
            let fault = player.answer(&question).expect_err("it never moves");
            assert!(matches!(fault, EngineFault::TimedOut { .. }), "{then}: {fault}");
            let spec = mock.spec().text;
            assert_eq!(mock.options.capabilities.needs_rest(&spec), is_lost, "{then}");
        }
    }
}
