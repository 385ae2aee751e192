//! Plays a recorded game again and compares its end.
//!
//! Scores and moves are recorded, so the rules of chess and adjudication by scores are computed again.
//! Endgame tables may have been added since the game was played: they are asked about the final position of a
//! game that they are said to have ended, and end no other. Virtual clocks follow from the recorded nodes;
//! wall time can't be measured again, so a loss on time needs only a side that was on a clock.

use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{Color, Position};

use super::ResultMismatch;
use crate::job::MatchTask;
use threefold_chess::clock::{ClockSource, Control};
use threefold_games::game::{GameConditions, GameEnd, GameOutcome, GameRecord, MoveRecord};
use threefold_games::pairing::ScheduledGame;
use threefold_games::playout::adjudication::ObservedMove;
use threefold_games::playout::{Adjudication, EndCause, GameEnding, GameState, Playout, TurnReply};

/// Checks a game of a match, which was played under these conditions.
pub(super) fn check(
    games: &MatchTask,
    scheduled: &ScheduledGame,
    terms: &GameConditions,
    record: &GameRecord,
) -> Result<(), ResultMismatch> {
    let names = [scheduled.white, scheduled.black].map(|engine| games.engines[engine].name.as_str());
    if record.players.each_ref().map(String::as_str) != names {
        let [white, black] = record.players.clone();
        let expected = names.join("` and `");
        return Err(ResultMismatch::OtherPlayers { white, black, expected });
    }
    if record.opening != games.openings[scheduled.opening].history {
        return Err(ResultMismatch::OtherOpening(record.opening.to_string()));
    }
    let (by_moves, by_tables) = terms.adjudication.clone().split_by_tables();
    let playout = replay(terms, by_moves, record)?;
    check_end(&playout, terms, &by_tables, record)?;
    let is_of_tables = |kind| by_tables.texts().any(|(known, _)| known == kind);
    // Which tables there were when the game was played is not known.
    let recorded = record.shadow.iter().filter(|end| !is_of_tables(end.rule));
    if recorded.eq(playout.shadow()) { Ok(()) } else { Err(ResultMismatch::OtherShadow) }
}

/// The position after the recorded moves, each of which must be possible.
fn replay(
    terms: &GameConditions,
    adjudication: Adjudication,
    record: &GameRecord,
) -> Result<Playout, ResultMismatch> {
    let is_virtual = terms.clock_sources.map(|pace| pace != ClockSource::Wall);
    let controls =
        [0, 1].map(|side| if is_virtual[side] { terms.controls[side] } else { Control::default() });
    let terms = GameConditions { controls, adjudication, books: [None, None], ..terms.clone() };
    let mut playout = Playout::new(&record.opening, &terms)
        .map_err(|error| ResultMismatch::IllegalOpening(error.to_string()))?;
    for (index, played) in record.played.iter().enumerate() {
        let mover = match playout.state() {
            GameState::ToMove(turn) => turn.mover,
            GameState::Over(ending) => {
                return Err(ResultMismatch::GoesOn { moves: index, end: ending.cause.to_string() });
            }
        };
        let &MoveRecord { mv, score, nodes, .. } = played;
        let reply = TurnReply { best: Some(mv), score, nodes, elapsed: Duration::ZERO, lag: Duration::ZERO };
        let number = index + 1;
        let Some(again) = playout.answer(&reply) else {
            return Err(match playout.state() {
                GameState::Over(GameEnding { cause: EndCause::Flag(_), .. }) => {
                    ResultMismatch::OtherTime { number }
                }
                GameState::Over(_) | GameState::ToMove(_) => {
                    ResultMismatch::IllegalMove { number, mv: mv.to_string() }
                }
            });
        };
        let side = usize::from(mover == Color::Black);
        if is_virtual[side] && (again.used, again.left) != (played.used, played.left) {
            return Err(ResultMismatch::OtherTime { number });
        }
    }
    Ok(playout)
}

/// Compares the recorded end with that of the moves.
fn check_end(
    playout: &Playout,
    terms: &GameConditions,
    by_tables: &Adjudication,
    record: &GameRecord,
) -> Result<(), ResultMismatch> {
    let over = match playout.state() {
        GameState::Over(ending) => Some(ending),
        GameState::ToMove(_) => None,
    };
    let by_rules = over.is_some_and(|ending| matches!(ending.cause, EndCause::Rule(_)));
    match &record.end {
        GameEnd::Adjudicated(kind) if !by_rules && by_tables.texts().any(|(known, _)| known == *kind) => {
            // The recorded tables ended the game here, so the present ones must give the same result.
            let found = by_tables.by_tables(last_move(playout, record));
            if found == Some((record.outcome, *kind)) {
                return Ok(());
            }
            Err(other_end(record, found.map(|(outcome, kind)| (outcome, kind.end.to_owned()))))
        }
        end if end.is_fault() => match over {
            Some(ending) => Err(other_end(record, Some((ending.outcome, ending.cause.to_string())))),
            None => check_fault(playout, terms, record),
        },
        end => match over {
            Some(GameEnding { outcome, cause })
                // Delays belong to time losses, which are faults and have been handled above.
                if outcome == record.outcome && *end == GameEnd::from_cause(cause, None) =>
            {
                Ok(())
            }
            over => Err(other_end(record, over.map(|ending| (ending.outcome, ending.cause.to_string())))),
        },
    }
}

/// Checks that the loser can have committed the fault in the final position.
fn check_fault(playout: &Playout, terms: &GameConditions, record: &GameRecord) -> Result<(), ResultMismatch> {
    let impossible = |why| Err(ResultMismatch::NoFault { recorded: recorded(record), why });
    let Some(winner) = record.outcome.winner() else { return impossible("a fault loses") };
    let loser = !winner;
    let side = usize::from(loser == Color::Black);
    let is_to_move = playout.referee().position().turn() == loser;
    match &record.end {
        GameEnd::EngineFault(_) => {
            // An engine can fail at its start, in its turn, or while it thinks on the opponent's time.
            if is_to_move || record.played.is_empty() || terms.ponders[side] {
                Ok(())
            } else {
                impossible("it is the other side's turn")
            }
        }
        _ if !is_to_move => impossible("it is the other side's turn"),
        GameEnd::TimeForfeit { .. } if !terms.controls[side].is_timed() => {
            impossible("its loser plays without a clock")
        }
        GameEnd::TimeForfeit { over, .. } if over.is_zero() => impossible("no time was exceeded"),
        GameEnd::IllegalMove(mv)
            if mv.parse::<UciMove>().is_ok_and(|mv| playout.referee().legal(mv).is_ok()) =>
        {
            impossible("the move is legal")
        }
        _ => Ok(()),
    }
}

/// The last move, for rules that look at the position alone.
fn last_move<'p>(playout: &'p Playout, record: &GameRecord) -> ObservedMove<'p> {
    let position = playout.referee().position();
    ObservedMove {
        mover: !position.turn(),
        score: record.played.last().and_then(|played| played.score),
        irreversible: position.halfmoves() == 0,
        completed: position.fullmoves().get().saturating_sub(1),
        position,
        is_trusted: false,
    }
}

fn other_end(record: &GameRecord, found: Option<(GameOutcome, String)>) -> ResultMismatch {
    let found = found.map_or_else(
        || "a position in which the game goes on".to_owned(),
        |(outcome, reason)| format!("{}, {reason}", outcome.pgn()),
    );
    ResultMismatch::OtherEnd { recorded: recorded(record), found }
}

/// Result and reason as recorded: `1-0, checkmate`.
fn recorded(record: &GameRecord) -> String {
    let reason = match &record.end {
        GameEnd::Checkmate => "checkmate".to_owned(),
        GameEnd::Stalemate => "stalemate".to_owned(),
        GameEnd::Threefold => "threefold repetition".to_owned(),
        GameEnd::FiftyMoves => "fifty-move rule".to_owned(),
        GameEnd::InsufficientMaterial => "insufficient material".to_owned(),
        GameEnd::Adjudicated(kind) => format!("adjudication ({})", kind.name),
        end => end.fault_text().unwrap_or_default(),
    };
    format!("{}, {reason}", record.outcome.pgn())
}
