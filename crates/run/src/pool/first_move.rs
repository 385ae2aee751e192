//! The first move of an engine before a match: whether it can move in time at all, and how long its moves
//! take.

use std::time::Duration;

use crate::job::MatchTask;
use threefold_chess::clock::{ClockSource, Control, Flag, TimeControl};
use threefold_chess::uci::NO_MOVE;
use threefold_games::playout::{EndCause, GameConditions, GameEnding, GameState, Playout, TurnReply};
use threefold_player::{EngineFault, Player, Question};

/// An engine that is too slow is asked this often: its first search may be slow because files are read for
/// it.
const ATTEMPTS: usize = 3;
/// Longer limits are shortened to this, so that the check is short. An engine that exceeds a shortened limit
/// is not called too slow.
const LONGEST_MOVE: Duration = Duration::from_secs(5);
const LONGEST_CLOCK: Duration = Duration::from_mins(1);
const LONGEST_INCREMENT: Duration = Duration::from_secs(1);
/// The most time for a search that no clock limits.
const LONGEST_SEARCH: Duration = Duration::from_secs(2);

/// The first move of an engine in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstMove {
    /// The engine, as an index of the match.
    pub engine: usize,
    /// What it did.
    pub outcome: FirstMoveOutcome,
}

/// What an engine did when it was asked for its first move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstMoveOutcome {
    /// It moved.
    Moved {
        /// From `go` to the move.
        time: Duration,
        /// Did the check end the search, with a limit shorter than that of the match?
        is_bounded: bool,
    },
    /// It exceeded its time in every attempt.
    TooLate {
        /// Its time in the best attempt.
        time: Duration,
        /// By how much it exceeded its time, which is more than the margin.
        over: Duration,
        /// How long it takes to answer `isready` while it does not search, if it runs as a process.
        round_trip: Option<Duration>,
    },
    /// It played no legal move.
    Illegal {
        /// What it wrote in place of a move.
        given: String,
    },
    /// It had a fault.
    Fault(EngineFault),
}

/// Asks an engine for its first move in the first opening, with its own limits. `None` if no wall clock runs
/// in its games, or if the run was interrupted.
pub(super) fn ask(games: &MatchTask, engine: usize, player: &mut dyn Player) -> Option<FirstMove> {
    if games.clock_source(engine) != ClockSource::Wall {
        return None;
    }
    let control = games.engines[engine].control.or(games.control);
    let mut latest = None;
    for attempt in 0..ATTEMPTS {
        let outcome = match attempt_with(games, control, attempt, player) {
            Ok(outcome) => outcome?,
            Err(EngineFault::Interrupted) => return None,
            Err(fault) => FirstMoveOutcome::Fault(fault),
        };
        let is_late = matches!(outcome, FirstMoveOutcome::TooLate { .. });
        latest = Some(better(latest, outcome));
        if !is_late {
            break;
        }
    }
    if let Some(FirstMoveOutcome::TooLate { round_trip, .. }) = &mut latest {
        *round_trip = player.round_trip();
    }
    latest.map(|outcome| FirstMove { engine, outcome })
}

/// Of two late moves the earlier one; otherwise the later attempt.
fn better(earlier: Option<FirstMoveOutcome>, later: FirstMoveOutcome) -> FirstMoveOutcome {
    match (earlier, &later) {
        (
            Some(FirstMoveOutcome::TooLate { time, over, round_trip }),
            FirstMoveOutcome::TooLate { time: other, .. },
        ) if time < *other => FirstMoveOutcome::TooLate { time, over, round_trip },
        _ => later,
    }
}

/// One attempt; `Ok(None)` if the opening has no legal move.
fn attempt_with(
    games: &MatchTask,
    control: Control,
    attempt: usize,
    player: &mut dyn Player,
) -> Result<Option<FirstMoveOutcome>, EngineFault> {
    let Some(opening) = games.openings.first().map(|opening| &opening.history) else { return Ok(None) };
    let bounded = shortened(control);
    let terms = GameConditions { controls: [bounded; 2], ..GameConditions::unlimited() };
    let Ok(mut game) = Playout::new(opening, &terms) else { return Ok(None) };
    let GameState::ToMove(turn) = game.state() else { return Ok(None) };
    if attempt > 0 {
        player.new_game()?;
    }
    let question = Question { position: opening.clone(), limits: turn.limits, searchmoves: Vec::new() };
    let answer = player.answer(&question)?;
    let time = answer.elapsed;
    game.answer(&TurnReply { best: answer.best, elapsed: time, ..TurnReply::default() });
    let is_bounded = bounded != control;
    Ok(Some(match game.state() {
        GameState::Over(GameEnding { cause: EndCause::Flag(Flag { over, .. }), .. }) if !is_bounded => {
            FirstMoveOutcome::TooLate { time, over, round_trip: None }
        }
        GameState::Over(GameEnding { cause: EndCause::NoMove, .. }) => {
            FirstMoveOutcome::Illegal { given: answer.in_place_of_move.unwrap_or_else(|| NO_MOVE.to_owned()) }
        }
        GameState::Over(GameEnding { cause: EndCause::IllegalMove(given), .. }) => {
            FirstMoveOutcome::Illegal { given: given.to_string() }
        }
        // A search that its own node or depth limit ended is not shortened.
        GameState::Over(_) | GameState::ToMove(_) => FirstMoveOutcome::Moved {
            time,
            is_bounded: is_bounded && (control.is_timed() || time >= LONGEST_SEARCH),
        },
    }))
}

/// The limits of the check.
fn shortened(control: Control) -> Control {
    let time = control.time.map(|TimeControl { moves, base, increment }| TimeControl {
        moves,
        base: base.min(LONGEST_CLOCK),
        increment: increment.min(LONGEST_INCREMENT),
    });
    let movetime = control.movetime.map(|time| time.min(LONGEST_MOVE));
    let movetime = if control.is_timed() { movetime } else { Some(LONGEST_SEARCH) };
    Control { time, movetime, ..control }
}
