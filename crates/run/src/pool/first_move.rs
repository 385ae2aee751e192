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
/// Longer limits are shortened to these, so that the check is short. An engine that exceeds a shortened limit
/// is not called too slow.
const USUAL: LongestLimits = LongestLimits {
    clock: Duration::from_mins(1),
    increment: Duration::from_secs(1),
    movetime: Duration::from_secs(5),
    search: Duration::from_secs(2),
};
/// Much shorter limits, which are tried first so that the games begin at once. An engine that keeps them
/// keeps longer ones, too; one that exceeds them is asked again.
const QUICK: LongestLimits = LongestLimits {
    clock: Duration::from_secs(1),
    increment: Duration::from_millis(10),
    movetime: Duration::from_millis(50),
    search: Duration::from_millis(50),
};

/// The most that the check gives an engine.
struct LongestLimits {
    clock: Duration,
    increment: Duration,
    movetime: Duration,
    /// For a search that no clock limits.
    search: Duration,
}

impl LongestLimits {
    /// This control, with at most these limits.
    fn shorten(&self, control: Control) -> Control {
        let time = control.time.map(|TimeControl { moves, base, increment }| TimeControl {
            moves,
            base: base.min(self.clock),
            increment: increment.min(self.increment),
        });
        let movetime = control.movetime.map(|time| time.min(self.movetime));
        let movetime = if control.is_timed() { movetime } else { Some(self.search) };
        Control { time, movetime, ..control }
    }
}

/// The first move of an engine in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstMove {
    /// The match, as a part of the run; `None` for a tournament whose rounds are parts.
    pub part: Option<usize>,
    /// The engine, as an index of the match.
    pub engine: usize,
    /// What it did.
    pub outcome: FirstMoveOutcome,
}

impl FirstMove {
    /// Did the engine move as it should?
    pub(super) const fn is_in_time(&self) -> bool {
        matches!(self.outcome, FirstMoveOutcome::Moved { .. })
    }
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
/// in its games, or if the run was interrupted. If the player was ended because a short limit passed,
/// `launch` makes its successor.
pub(super) fn ask(
    games: &MatchTask,
    engine: usize,
    player: &mut Box<dyn Player>,
    launch: impl Fn() -> Result<Box<dyn Player>, EngineFault>,
) -> Option<FirstMove> {
    if games.clock_source(engine) != ClockSource::Wall {
        return None;
    }
    let control = games.engines[engine].control.or(games.control);
    let (quick, usual) = (QUICK.shorten(control), USUAL.shorten(control));
    // A match whose own limits are as short needs no quick attempt: it would be the same.
    let first = (quick != usual).then_some(quick);
    let mut latest = None;
    for (number, limits) in first.into_iter().chain([usual; ATTEMPTS]).enumerate() {
        let is_quick = first == Some(limits);
        let Attempt { outcome, is_late } = match attempt(games, control, limits, number, &mut **player) {
            Ok(attempt) => attempt?,
            Err(EngineFault::Interrupted) => return None,
            Err(EngineFault::TimedOut { .. }) if is_quick => match launch() {
                Ok(new) => {
                    *player = new;
                    continue;
                }
                Err(fault) => fault.into(),
            },
            Err(fault) => fault.into(),
        };
        // A search that no clock limits is ended by the check, and may take a little longer.
        if is_late && is_quick && control.is_timed() {
            continue;
        }
        let is_late = matches!(outcome, FirstMoveOutcome::TooLate { .. });
        latest = Some(better(latest, outcome));
        if !is_late {
            break;
        }
    }
    if let Some(FirstMoveOutcome::TooLate { round_trip, .. }) = &mut latest {
        *round_trip = player.round_trip();
    }
    latest.map(|outcome| FirstMove { part: None, engine, outcome })
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

/// What an engine did in one attempt.
struct Attempt {
    outcome: FirstMoveOutcome,
    /// Did it exceed the limits of the attempt?
    is_late: bool,
}

impl From<EngineFault> for Attempt {
    fn from(fault: EngineFault) -> Self {
        Self { outcome: FirstMoveOutcome::Fault(fault), is_late: false }
    }
}

/// One attempt with these limits in place of the match's; `Ok(None)` if the opening has no legal move.
fn attempt(
    games: &MatchTask,
    control: Control,
    limits: Control,
    number: usize,
    player: &mut dyn Player,
) -> Result<Option<Attempt>, EngineFault> {
    let Some(opening) = games.openings.first().map(|opening| &opening.history) else { return Ok(None) };
    // The opening decides which side moves first, so both have the limits of this engine.
    let terms = GameConditions { controls: [limits; 2], ..GameConditions::unlimited() };
    let Ok(mut game) = Playout::new(opening, &terms) else { return Ok(None) };
    let GameState::ToMove(turn) = game.state() else { return Ok(None) };
    // A launched player is ready for its first question without a new game.
    if number > 0 {
        player.new_game()?;
    }
    let question = Question { position: opening.clone(), limits: turn.limits, searchmoves: Vec::new() };
    let answer = player.answer(&question)?;
    let time = answer.elapsed;
    game.answer(&TurnReply { best: answer.best, elapsed: time, ..TurnReply::default() });
    let is_shorter = limits != control;
    let flag = match game.state() {
        GameState::Over(GameEnding { cause: EndCause::Flag(flag), .. }) => Some(flag),
        _ => None,
    };
    let is_late = flag.is_some();
    let outcome = match (flag, game.state()) {
        (Some(Flag { over, .. }), _) if !is_shorter => {
            FirstMoveOutcome::TooLate { time, over, round_trip: None }
        }
        (_, GameState::Over(GameEnding { cause: EndCause::NoMove, .. })) => {
            FirstMoveOutcome::Illegal { given: answer.in_place_of_move.unwrap_or_else(|| NO_MOVE.to_owned()) }
        }
        (_, GameState::Over(GameEnding { cause: EndCause::IllegalMove(given), .. })) => {
            FirstMoveOutcome::Illegal { given: given.to_string() }
        }
        // A search that its own node or depth limit ended is not shortened.
        (_, GameState::Over(_) | GameState::ToMove(_)) => {
            let longest = limits.movetime.filter(|_| !control.is_timed()).unwrap_or_default();
            FirstMoveOutcome::Moved { time, is_bounded: is_shorter && time >= longest }
        }
    };
    Ok(Some(Attempt { outcome, is_late }))
}
