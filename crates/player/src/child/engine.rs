//! A child process that uses UCI, as a player.

use std::process::Command as Program;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::live_engine::LiveEngine;
use super::node_limit::NodeLimit;
use super::process::ExitReport;
use super::search_log::{LineQuotes, SearchLog};
use super::watchdog::TimeAllowance;
use crate::peak_memory;
use crate::printed_count::{BenchCounts, speed};
use crate::run_queue::CpuWaits;
use crate::{
    Answer, Clause, Dialogue, DialogueResult, EngineFault, EngineId, EngineSpec, LaunchOptions, LinePattern,
    LinesBetweenSearches, Player, Question, WaitLimit,
};
use shakmaty::Color;
use threefold_chess::clock::{Limits, duration};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{Command, Go, UciOption};

/// The pause before another start attempt.
const RESTART_PAUSE: Duration = Duration::from_millis(100);

/// The number of exchanges from which the shortest is taken.
const ROUND_TRIPS: usize = 5;

/// An engine in a child process. After a failure it is started again for the next game.
pub struct ChildEngine {
    pub(super) program: Program,
    pub(super) spec: EngineSpec,
    /// After the launch, `starts` is the number of attempts of a later start.
    pub(super) options: LaunchOptions,
    pub(super) live: Option<LiveEngine>,
    /// Has it been asked anything since its start? If not, a new game needs no restart.
    pub(super) is_used: bool,
    /// How long it needed for `ucinewgame` and `isready` before the last new game.
    pub(super) ready_after: Option<Duration>,
    /// Has it been asked for the moves of `searchmoves` since its start?
    was_asked_for_moves: bool,
    /// The lines to quote.
    patterns: Arc<[LinePattern]>,
}

impl ChildEngine {
    /// Starts the program, sets the spec's options and waits until it is ready.
    pub fn launch(program: Program, spec: &EngineSpec, options: &LaunchOptions) -> Result<Self, EngineFault> {
        let options = LaunchOptions {
            traffic: options.traffic.claimed_by(&spec.name),
            startup: spec.startup.unwrap_or(options.startup),
            ..options.clone()
        };
        let (spec, patterns) = (spec.clone(), Arc::default());
        let (live, is_used, was_asked_for_moves, ready_after) = (None, false, false, None);
        let mut engine =
            Self { program, spec, options, live, is_used, ready_after, was_asked_for_moves, patterns };
        engine.live()?;
        engine.options.starts = engine.options.restarts;
        Ok(engine)
    }

    pub(super) fn live(&mut self) -> Result<&mut LiveEngine, EngineFault> {
        // Taken out and put back: a borrow that one branch returns would last through the other one, too.
        let live = match self.live.take() {
            Some(live) => live,
            None => self.start()?,
        };
        Ok(self.live.insert(live))
    }

    /// Starts it, with as many attempts as the options allow.
    fn start(&mut self) -> Result<LiveEngine, EngineFault> {
        (self.is_used, self.was_asked_for_moves) = (false, false);
        let tries = self.options.starts.get();
        let mut number = 1;
        loop {
            match LiveEngine::start(&mut self.program, &self.spec, &self.options) {
                // Other faults end the attempts: an unknown option, for example, would be refused each time.
                Err(
                    last @ (EngineFault::CannotStart { .. }
                    | EngineFault::Ended { .. }
                    | EngineFault::TimedOut { .. }
                    | EngineFault::ProtocolBreach(_)),
                ) if tries > 1 => {
                    if number == tries {
                        return Err(EngineFault::NotStarted { tries, last: Box::new(last) });
                    }
                    if self.options.stop.is_raised() {
                        return Err(EngineFault::Interrupted);
                    }
                    number += 1;
                    thread::sleep(RESTART_PAUSE);
                }
                started => return started,
            }
        }
    }

    /// Does it search only the moves of an earlier question? Some engines do until their end.
    fn still_searches_few_moves(&mut self) -> Result<bool, EngineFault> {
        if !self.was_asked_for_moves {
            return Ok(false);
        }
        let (spec, capabilities) = (self.spec.clone(), self.options.capabilities.clone());
        capabilities.keeps_searchmoves(&spec, || self.keeps_searchmoves())
    }

    pub(super) fn shut_down(&mut self) {
        if let Some(live) = self.live.take() {
            self.end(live);
        }
    }

    /// Asks a process to quit, and kills it if it does not.
    pub(super) fn end(&self, live: LiveEngine) {
        let (known, spec) = (&self.options.capabilities, &self.spec.text);
        let patience = if known.ignores_quit(spec) { Duration::ZERO } else { self.options.grace };
        if let Some(has_ended) = live.process.shut_down(&format!("{}\n", Command::Quit), patience) {
            known.record_quit(spec, has_ended);
        }
    }

    /// Are its scores and chances of this search from the opponent's view?
    fn reverses_scores(&self, question: &Question) -> bool {
        self.spec.white_pov && question.position.side_to_move() == Color::Black
    }

    fn search(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        let margin = self.spec.control.margin.unwrap_or_default();
        let allowance = TimeAllowance::for_question(question, margin, &self.options);
        let untold = TimeAllowance::without_node_limit(question.limits.nodes.unwrap_or(0), &self.options);
        let (startup, grace) = (self.options.startup, self.options.grace);
        let is_timed = self.options.is_timed(&question.limits);
        let (patterns, is_reversed) = (Arc::clone(&self.patterns), self.reverses_scores(question));
        let live = self.live()?;
        if live.ponders_on(&question.position)
            && let Some(answer) = live.ponder_hit(allowance, grace)?
        {
            return Ok(answer);
        }
        live.stop_pondering(grace)?;
        let mut ask = |limits: Limits, allowance: TimeAllowance| {
            live.set_up(question, startup)?;
            // The second request has a depth in place of the node limit, so the harness enforces the limit.
            let is_obeyed = limits.nodes.is_some() && !live.capabilities.ignores_node_limit(&live.spec);
            let limit = NodeLimit::from_limits(&question.limits);
            let limit = limit.map(|limit| if is_obeyed { limit } else { limit.enforced_by_harness() });
            let quotes = LineQuotes::new(&patterns);
            let log = SearchLog { limit, is_timed, is_reversed, quotes, ..SearchLog::default() };
            let go = Go { limits, only: question.searchmoves.clone(), ponder: false };
            live.search(&question.position, go, log, allowance, grace)
        };
        let answer = ask(question.limits, allowance)?;
        match NodeLimit::alternative_limits(&question.limits, &answer) {
            // It was not given the node limit, so it can exceed it only by what counts at the limit.
            Some(limits) => ask(limits, untold).map(|answer| Answer { nodes_over_limit: None, ..answer }),
            None => Ok(answer),
        }
    }
}

impl Player for ChildEngine {
    fn name(&self) -> &str {
        &self.spec.name
    }

    fn engine_id(&self) -> EngineId {
        let talk = self.live.as_ref().map(|live| &live.conversation);
        EngineId {
            name: talk.and_then(|talk| talk.name()).map(str::to_owned),
            author: talk.and_then(|talk| talk.author()).map(str::to_owned),
        }
    }

    fn offers(&self) -> Option<Vec<UciOption>> {
        self.live.as_ref().map(|live| live.conversation.options().to_vec())
    }

    fn ready_after(&self) -> Option<Duration> {
        self.ready_after
    }

    fn quote_lines(&mut self, patterns: &[LinePattern]) {
        if *self.patterns != *patterns {
            self.patterns = patterns.into();
        }
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        // They go into the spec, too, from which a later start of the engine sets them.
        for (name, value) in options {
            let known = self.spec.options.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name));
            match known {
                Some((_, known)) => known.clone_from(value),
                None => self.spec.options.push((name.clone(), value.clone())),
            }
        }
        let startup = self.options.startup;
        let set = self.live().and_then(|live| live.set_options(options, startup));
        if set.is_err() {
            self.live = None;
        }
        set
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        if self.is_used && (self.spec.restart || self.still_searches_few_moves()?) {
            self.shut_down();
        }
        let startup = self.options.startup;
        let live = self.live()?;
        live.rest();
        let commands = live.new_game_commands();
        let asked = live.process.now();
        let ready = live.send_and_wait(&commands, &"answering `ucinewgame` and `isready`", startup);
        // What it wrote before belongs to no move of this game.
        live.between = LinesBetweenSearches::NONE;
        self.ready_after = Some(live.process.now().saturating_duration_since(asked));
        // A late `readyok` would be taken for the answer to the next `isready`.
        if ready.is_err() {
            self.live = None;
        }
        ready
    }

    fn check(&mut self, position: &GamePosition) -> Result<(), EngineFault> {
        let live = self.live()?;
        live.castling_command(position).map(|_| ())
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        let answer = self.search(question);
        self.is_used = true;
        self.was_asked_for_moves |= !question.searchmoves.is_empty();
        if let Ok(answer) = &answer {
            self.options.search_timeout.record(answer.elapsed);
        }
        if !matches!(answer, Ok(_) | Err(EngineFault::NotSupported(_))) {
            // Its late output would be taken for an answer to the next question.
            self.live = None;
        }
        answer
    }

    fn ponder(&mut self, question: &Question) -> Result<(), EngineFault> {
        let is_timed = self.options.is_timed(&question.limits);
        let (is_reversed, quotes) = (self.reverses_scores(question), LineQuotes::new(&self.patterns));
        let log = SearchLog { is_timed, is_reversed, quotes, ..SearchLog::default() };
        let go = Go { limits: question.limits, only: question.searchmoves.clone(), ponder: true };
        let (startup, grace) = (self.options.startup, self.options.grace);
        let live = self.live()?;
        let begun =
            live.set_up(question, startup).and_then(|()| live.ponder(&question.position, go, log, grace));
        if begun.is_err() {
            self.live = None;
        }
        begun
    }

    fn read_pondering(&mut self) {
        if let Some(live) = &mut self.live {
            live.read_pondering();
        }
    }

    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        let grace = self.options.grace;
        let stopped = self.live.as_mut().map_or(Ok(()), |live| live.stop_pondering(grace));
        if stopped.is_err() {
            self.live = None;
        }
        stopped
    }

    fn perft(&mut self, position: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
        let (spec, capabilities) = (self.spec.clone(), self.options.capabilities.clone());
        let method = capabilities.perft(&spec, || self.find_perft())?;
        self.count_leaves(method, position, depth)
    }

    fn check_searchmoves(&mut self) -> Result<(), EngineFault> {
        let (spec, capabilities) = (self.spec.clone(), self.options.capabilities.clone());
        capabilities.searchmoves(&spec, || {
            let met = self.run_clause(Clause::SearchMoves)?;
            Ok(met.map_err(|instead| format!("`searchmoves`: {instead}")))
        })
    }

    fn quit(&mut self) -> Result<(), EngineFault> {
        let Some(mut live) = self.live.take() else { return Ok(()) };
        // A sanitizer looks for leaks then.
        let patience = self.options.startup;
        let task = "obeying `quit`".to_owned();
        match live.process.quit(&format!("{}\n", Command::Quit), patience) {
            Some(ExitReport { status, by_signal: true, last_output }) => {
                Err(EngineFault::Ended { status, task, last_output })
            }
            Some(_) => Ok(()),
            None => Err(EngineFault::TimedOut { task, waited: patience, limit: WaitLimit::Startup }),
        }
    }

    fn idle_cpu(&mut self, time: Duration) -> Option<Duration> {
        let processes = &self.live.as_ref()?.processes;
        let before = CpuWaits::of_processes(processes);
        thread::sleep(time);
        CpuWaits::of_processes(processes).ran_since(&before)
    }

    fn peak_memory(&mut self) -> Option<u64> {
        peak_memory::of_processes(&self.live.as_ref()?.process.process_tree())
    }

    fn round_trip(&mut self) -> Option<Duration> {
        let startup = self.options.startup;
        let live = self.live.as_mut()?;
        let times = (0..ROUND_TRIPS).map_while(|_| {
            let asked = live.process.now();
            let command = live.conversation.isready();
            live.send_and_wait(&[command], &"answering `isready`", startup).ok()?;
            Some(live.process.now().saturating_duration_since(asked))
        });
        // Delays by the machine only lengthen an exchange, so the shortest is closest to the engine's own
        // time.
        times.min()
    }

    fn test_clause(&mut self, clause: Clause) -> Result<Result<(), String>, EngineFault> {
        self.run_clause(clause)
    }

    fn hold_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, EngineFault> {
        self.run_dialogue(dialogue)
    }

    fn bench(&mut self, timeout: Duration) -> Result<BenchCounts, EngineFault> {
        let (mut counts, begun) = (BenchCounts::default(), self.options.clock.now());
        let ended =
            self.run_with(&["bench"], timeout, WaitLimit::Startup, &mut |line| counts.take_line(line));
        let elapsed = self.options.clock.now().saturating_duration_since(begun);
        match (ended, counts.nodes) {
            // The engine's own speed comes first, since the elapsed time includes the start of the program.
            (Ok(()), Some(nodes)) => Ok(BenchCounts { nps: counts.nps.or(speed(nodes, elapsed)), ..counts }),
            (Ok(()), None) => {
                Err(EngineFault::NotSupported("`bench`: run with it, it prints no count of nodes".to_owned()))
            }
            // UCI defines no arguments, so a program that does not end with one is not at fault.
            (Err(EngineFault::TimedOut { waited, .. }), _) => Err(EngineFault::NotSupported(format!(
                "`bench`: run with it, it does not end within {}",
                duration::format_duration(waited)
            ))),
            (Err(fault), _) => Err(fault),
        }
    }
}

impl Drop for ChildEngine {
    fn drop(&mut self) {
        self.shut_down();
    }
}
