//! Sabotage at the border between the harness and a player.
//!
//! A suite must fail on an engine whose interface is wrong, whoever wrote the engine. [`FaultInjector`] stands
//! before any player and changes what goes to it or what comes back, by one [`BorderFault`]. Bugs of the search
//! cannot be injected here: Echo has those, with the cargo feature `mutants`.
//!
//! It is compiled always. A player without a fault is launched as it is, so it costs nothing; and whoever writes a
//! suite for an engine can see whether the suite fails where it should, with the program as it is installed
//! (`--engine ./mine,fault=ScoreFromWhite`).

mod border_fault;
mod incoming;
mod outgoing;

pub use border_fault::BorderFault;

use super::{Answer, EngineFault, EngineId, EngineSpec, Player, Question};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;

/// A player behind an interface with one fault.
pub struct FaultInjector {
    player: Box<dyn Player>,
    fault: BorderFault,
}

impl FaultInjector {
    /// Puts the fault before the player that `launch` makes of the spec, of which some faults keep options back.
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

    fn engine_id(&self) -> EngineId {
        self.player.engine_id()
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        if self.fault == BorderFault::NewGameIgnored { Ok(()) } else { self.player.new_game() }
    }

    fn check(&mut self, line: &GamePosition) -> Result<(), EngineFault> {
        self.player.check(line)
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        let answer = self.player.answer(&outgoing::question(self.fault, question))?;
        Ok(incoming::answer(self.fault, question, answer))
    }

    fn perft(&mut self, line: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
        let short = self.fault == BorderFault::PerftShort;
        self.player.perft(line, if short { outgoing::shallower(depth) } else { depth })
    }
}

#[cfg(test)]
mod tests;
