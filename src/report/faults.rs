//! What engines did that no engine may: crashes, silence, broken protocol, illegal moves, fallen flags.
//!
//! Each costs its case or its game and nothing else, so a report gathers them in one place: a suite that
//! looks bad because the engine crashed is another story than one that the engine played badly.

use std::fmt;

use super::flags;
use super::model::{MatchPart, Report};
use crate::arena::game::{End, GameRecord, Outcome};
use crate::clock::Flag;
use crate::suite::Mark;

/// A fault of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Who.
    pub engine: String,
    /// In which part of the run.
    pub part: String,
    /// The case or the game.
    pub place: String,
    /// What happened.
    pub what: String,
}

/// Without the part, which the reader knows from where it stands.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.engine, self.what)
    }
}

impl Report {
    /// Every fault of an engine, suites first, in the order of the run.
    pub fn faults(&self) -> Vec<Fault> {
        let cases = self.suites.iter().flat_map(|suite| {
            let faulty = suite.cases.iter().filter(|case| case.verdict.mark == Mark::Fault);
            faulty.map(|case| Fault {
                engine: suite.engine.clone(),
                part: suite.name.clone(),
                place: case.id.clone(),
                what: case.verdict.reason.clone(),
            })
        });
        cases.chain(self.matches.iter().flat_map(of_games)).collect()
    }
}

/// The faults in the games of a match.
pub(super) fn of_games(part: &MatchPart) -> impl Iterator<Item = Fault> {
    part.games.iter().filter_map(|game| {
        Some(Fault {
            engine: loser(&game.record)?.to_owned(),
            part: part.name.clone(),
            place: format!("game {}", game.number),
            what: breach(&game.record.end)?,
        })
    })
}

/// Whoever commits a fault loses the game.
fn loser(game: &GameRecord) -> Option<&str> {
    match game.outcome {
        Outcome::White => Some(&game.players[1]),
        Outcome::Black => Some(&game.players[0]),
        Outcome::Draw => None,
    }
}

/// What broke a game off; `None` where it ended as games do.
fn breach(end: &End) -> Option<String> {
    match end {
        End::TimeForfeit { over, waited } => Some(flags::told(Flag { over: *over }, *waited)),
        End::IllegalMove(mv) => Some(format!("illegal move `{mv}`")),
        End::EngineFault(what) => Some(what.clone()),
        End::Checkmate
        | End::Stalemate
        | End::Threefold
        | End::FiftyMoves
        | End::InsufficientMaterial
        | End::DrawAdjudicated
        | End::Resigned
        | End::TooLong => None,
    }
}
