//! Faults in what goes to the engine: positions, limits and options.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{Color, EnPassantMode};

use crate::BorderFault;
use crate::{EngineSource, EngineSpec, Question};
use threefold_chess::clock::{Clocks, Limits, Remaining};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_oracle::Referee;

/// How much too high `OverheadIgnored` sends a clock.
const OVERHEAD: Duration = Duration::from_millis(10);

/// The option for the time that a move loses on its way to the clock, in milliseconds.
const MOVE_OVERHEAD: &str = "Move Overhead";

/// The options that `StrengthIgnored` removes.
const STRENGTH: [&str; 2] = ["UCI_LimitStrength", "UCI_Elo"];

/// The spec without the options that the fault removes.
pub(super) fn spec(fault: BorderFault, spec: &EngineSpec) -> EngineSpec {
    let mut sent = spec.clone();
    sent.options.retain(|(name, _)| match fault {
        BorderFault::OptionsIgnored => false,
        BorderFault::StrengthIgnored => !STRENGTH.iter().any(|option| option.eq_ignore_ascii_case(name)),
        _ => true,
    });
    if fault == BorderFault::OverheadIgnored {
        let is_reserve = |(name, _): &(String, String)| name.eq_ignore_ascii_case(MOVE_OVERHEAD);
        // Echo has the option. Another engine has it for certain only if its spec sets it.
        if sent.options.iter().any(is_reserve) || sent.source == EngineSource::Echo {
            sent.options.retain(|option| !is_reserve(option));
            sent.options.push((MOVE_OVERHEAD.to_owned(), "0".to_owned()));
        }
    }
    sent
}

/// The question with the fault.
pub(super) fn question(fault: BorderFault, asked: &Question) -> Question {
    let mut sent = asked.clone();
    sent.position = line(fault, &asked.position);
    sent.limits = limits(fault, asked);
    if fault == BorderFault::SearchMovesIgnored {
        sent.searchmoves.clear();
    }
    sent
}

/// The position with the fault.
fn line(fault: BorderFault, position: &GamePosition) -> GamePosition {
    match fault {
        BorderFault::ForgetHistory => without_history(position),
        BorderFault::HistoryLostWithFen if position.start != GamePosition::start_position().start => {
            without_history(position)
        }
        BorderFault::FiftyMoveCounterLost => {
            let mut setup = position.start.as_setup().clone();
            setup.halfmoves = 0;
            let start = Fen::try_from(setup).unwrap_or_else(|_| position.start.clone());
            GamePosition { start, moves: position.moves.clone() }
        }
        _ => position.clone(),
    }
}

/// The position with its counters, without the history. A line that cannot be played is sent as it is, and
/// the engine may report it.
fn without_history(position: &GamePosition) -> GamePosition {
    Referee::new(position).map_or_else(
        |_| position.clone(),
        |referee| GamePosition {
            start: Fen::from_position(referee.position(), EnPassantMode::Legal),
            moves: Vec::new(),
        },
    )
}

fn limits(fault: BorderFault, asked: &Question) -> Limits {
    let mut limits = asked.limits;
    if fault == BorderFault::DepthShort {
        limits.depth = limits.depth.map(shallower);
    }
    limits.clocks = limits.clocks.map(|clocks| sent_clocks(fault, clocks, asked.position.side_to_move()));
    limits
}

/// One ply less, but at least one: engines take depth 0 for no limit.
pub(super) fn shallower(Ply(depth): Ply) -> Ply {
    Ply(depth.saturating_sub(1).max(1))
}

fn sent_clocks(fault: BorderFault, clocks: Clocks, mover: Color) -> Clocks {
    let both = |change: &dyn Fn(Remaining) -> Remaining| Clocks {
        white: change(clocks.white),
        black: change(clocks.black),
        ..clocks
    };
    match fault {
        BorderFault::ClockInWrongUnit => both(&|side| Remaining { time: 10 * side.time, ..side }),
        BorderFault::OpponentsClock => Clocks { white: clocks.black, black: clocks.white, ..clocks },
        BorderFault::IncrementIgnored => both(&|side| Remaining { increment: Duration::ZERO, ..side }),
        BorderFault::MovesToGoIgnored => Clocks { moves_to_go: None, ..clocks },
        BorderFault::OverheadIgnored => {
            let late = |side: Remaining| Remaining { time: side.time + OVERHEAD, ..side };
            match mover {
                Color::White => Clocks { white: late(clocks.white), ..clocks },
                Color::Black => Clocks { black: late(clocks.black), ..clocks },
            }
        }
        _ => clocks,
    }
}
