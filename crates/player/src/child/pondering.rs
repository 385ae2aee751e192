//! A search on the opponent's time: `go ponder`, then `ponderhit` or `stop`.
//!
//! The engine's clock does not run until `ponderhit`, or until the `go` after a `stop`. Its output is read
//! meanwhile, so that a full pipe does not block it; the reports count if `ponderhit` continues the search.

use std::time::Duration;

use super::live_engine::{EngineWait, LiveEngine, WaitFailure};
use super::ponder_search::PonderSearch;
use super::search_log::SearchLog;
use super::watchdog::TimeAllowance;
use crate::{Answer, EngineFault, WaitLimit};
use threefold_chess::position::GamePosition;
use threefold_chess::uci::{Command, EngineEvent, Go};

/// The most lines that are read at once.
const MOST_LINES: usize = 10_000;

impl LiveEngine {
    /// Begins to ponder on a position that ends with the expected move.
    pub(super) fn ponder(
        &mut self,
        position: &GamePosition,
        go: Go,
        log: SearchLog,
        grace: Duration,
    ) -> Result<(), EngineFault> {
        self.discard_late_output()?;
        let command = self.conversation.go(go);
        let task = format!("pondering after `{command}`");
        self.send_at(position, &command, &task, grace, WaitLimit::Clock)?;
        self.pondering = Some(PonderSearch { position: position.clone(), log, task, fault: None });
        Ok(())
    }

    /// Reads what it has written while it ponders.
    pub(super) fn read_pondering(&mut self) {
        let Some(mut search) = self.pondering.take() else { return };
        // The game continues only after this call, so an engine that writes without end must not prolong it.
        for _ in 0..MOST_LINES {
            let Some(line) = self.process.late_line().filter(|_| search.fault.is_none()) else { break };
            match self.conversation.receive(&line) {
                Ok(Some(EngineEvent::BetweenSearches)) => self.between.add(&line),
                Ok(Some(EngineEvent::Info(info))) => {
                    search.log.quotes.take_line(&line);
                    search.log.record(info, line);
                }
                Ok(_) => {}
                // The thread that reads here can't end the game, so the fault is kept until `ponderhit` or
                // `stop`.
                Err(breach) => search.fault = Some(EngineFault::ProtocolBreach(breach.to_string())),
            }
        }
        self.pondering = Some(search);
    }

    /// Does it ponder on this position?
    pub(super) fn ponders_on(&self, position: &GamePosition) -> bool {
        self.pondering.as_ref().is_some_and(|search| search.position == *position)
    }

    /// The opponent has played the expected move: the engine's clock begins now.
    pub(super) fn ponder_hit(
        &mut self,
        allowance: TimeAllowance,
        grace: Duration,
    ) -> Result<Option<Answer>, EngineFault> {
        self.read_pondering();
        let Some(PonderSearch { position, log, fault, .. }) = self.pondering.take() else { return Ok(None) };
        fault.map_or(Ok(()), Err)?;
        if log.is_timed {
            self.begin_measuring();
        }
        let task = format!("answering `{}`", Command::PonderHit);
        let command = self.conversation.ponder_hit();
        let asked = self.send(&[command], &task, allowance.wait, allowance.limit())?;
        self.await_move(&position, &task, asked, log, allowance, grace).map(Some)
    }

    /// Ends the search; its move counts for nothing.
    pub(super) fn stop_pondering(&mut self, grace: Duration) -> Result<(), EngineFault> {
        self.read_pondering();
        let Some(PonderSearch { position, mut log, task, fault }) = self.pondering.take() else {
            return Ok(());
        };
        fault.map_or(Ok(()), Err)?;
        let limit = WaitLimit::Clock;
        let command = self.conversation.stop_pondering();
        let heard = self.send(&[command], &task, grace, limit)?;
        let until = self.process.deadline(heard, grace);
        let wait = EngineWait { task: &task, until, heard, is_noticed: false };
        log.is_stopped = true;
        match self.next_move(&position, wait, &mut log) {
            Ok(_) => Ok(()),
            Err(WaitFailure::Fault(fault)) => Err(fault),
            Err(WaitFailure::Timeout | WaitFailure::OverLimit) => Err(EngineFault::TimedOut {
                task: "answering `stop` while it pondered".to_owned(),
                waited: grace,
                limit,
            }),
        }
    }
}
