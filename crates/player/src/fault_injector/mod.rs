//! Injects faults between the harness and a player.
//!
//! A suite must fail on an engine with a wrong interface, whatever the engine. [`FaultInjector`] wraps a
//! player and changes its input or its output by one [`BorderFault`]. Bugs of the search cannot be injected
//! here: Echo has those, with the cargo feature `mutants`.
//!
//! The injector is always compiled in. Players without a fault are not wrapped, so it costs nothing. Authors
//! of a suite can check with the installed program that their suite fails where it should (`--engine
//! ./mine,fault=ScoreFromWhite`).

mod incoming;
mod outgoing;

use std::time::Duration;

use super::{
    Answer, BenchCounts, BorderFault, Clause, Dialogue, DialogueResult, EngineFault, EngineId, EngineSpec,
    LinePattern, Player, Question,
};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::UciOption;

/// A player whose interface has one fault.
pub struct FaultInjector {
    player: Box<dyn Player>,
    fault: BorderFault,
}

impl FaultInjector {
    /// Wraps the player that `launch` makes of the spec; some faults remove options from the spec.
    pub fn launch(
        fault: BorderFault,
        spec: &EngineSpec,
        launch: impl FnOnce(&EngineSpec) -> Result<Box<dyn Player>, EngineFault>,
    ) -> Result<Self, EngineFault> {
        Ok(Self { player: launch(&outgoing::spec(fault, spec))?, fault })
    }
}

impl Player for FaultInjector {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn offers(&self) -> Option<Vec<UciOption>> {
        self.player.offers()
    }

    fn engine_id(&self) -> EngineId {
        self.player.engine_id()
    }

    fn ready_after(&self) -> Option<Duration> {
        self.player.ready_after()
    }

    fn quote_lines(&mut self, patterns: &[LinePattern]) {
        self.player.quote_lines(patterns);
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        self.player.set_options(options)
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        if self.fault == BorderFault::NewGameIgnored { Ok(()) } else { self.player.new_game() }
    }

    fn check(&mut self, position: &GamePosition) -> Result<(), EngineFault> {
        self.player.check(position)
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        let answer = self.player.answer(&outgoing::question(self.fault, question))?;
        Ok(incoming::answer(self.fault, question, answer))
    }

    fn ponder(&mut self, question: &Question) -> Result<(), EngineFault> {
        self.player.ponder(&outgoing::question(self.fault, question))
    }

    fn read_pondering(&mut self) {
        self.player.read_pondering();
    }

    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        self.player.stop_pondering()
    }

    fn idle_cpu(&mut self, time: Duration) -> Option<Duration> {
        self.player.idle_cpu(time)
    }

    fn peak_memory(&mut self) -> Option<u64> {
        self.player.peak_memory()
    }

    fn round_trip(&mut self) -> Option<Duration> {
        self.player.round_trip()
    }

    fn perft(&mut self, position: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
        let short = self.fault == BorderFault::PerftShort;
        self.player.perft(position, if short { outgoing::shallower(depth) } else { depth })
    }

    fn check_searchmoves(&mut self) -> Result<(), EngineFault> {
        self.player.check_searchmoves()
    }

    fn quit(&mut self) -> Result<(), EngineFault> {
        self.player.quit()
    }

    fn hold_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, EngineFault> {
        self.player.hold_dialogue(dialogue)
    }

    fn test_clause(&mut self, clause: Clause) -> Result<Result<(), String>, EngineFault> {
        self.player.test_clause(clause)
    }

    fn bench(&mut self, timeout: Duration) -> Result<BenchCounts, EngineFault> {
        self.player.bench(timeout)
    }
}

#[cfg(test)]
mod tests;
