//! One game: its conditions, how it is played, and its result.
//!
//! An engine that crashes, hangs, plays an illegal move or exceeds its time loses the game; it never stops
//! the program. So [`play`] fails only if the run was interrupted or the opening is not legal chess.
//!
//! The game itself is a [`Playout`]; this module asks the players for the answers that it needs. [`Playout`]
//! documents what ends a game if several causes apply. A fault of the engine takes precedence over everything
//! else in its answer.

use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color};

use super::move_details::{DetailSelection, MoveDetails};
use super::pondering::answer_beside;
use super::warning::{GameWarning, WarningChecker};
use crate::player::{Answer, EngineFault, Player, Question, RecordedFault};
use crate::playout::adjudication::MaxMoves;
use crate::playout::{
    EndCause, GameEnding, GameState, PlayedMove, Playout, RuleKind, ShadowEnd, TurnReply, TurnRequest,
};
use threefold_chess::clock::{Delays, Flag, Limits, TimeReport, duration};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_oracle::referee::{IllegalGame, RuleEnd};

pub use crate::playout::{Adjudication, GameOutcome, GameTerms};

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveRecord {
    /// The move.
    pub mv: UciMove,
    /// The score that the mover reported, from its own view.
    pub score: Option<Score>,
    /// Depth reached.
    pub depth: Ply,
    /// Nodes spent.
    pub nodes: u64,
    /// Time used on the game's own clock. `None` if that clock is wall time and does not limit the mover:
    /// such a time would only show how busy the machine was.
    pub used: Option<Duration>,
    /// Time left after it, increment added; `None` without a clock.
    pub left: Option<Duration>,
    /// How the mover planned that time, if it reports it.
    pub account: Option<TimeReport>,
    /// What was measured on the way to the engine and back; `None` unless wall time limits the mover.
    pub timing: Option<MoveTiming>,
    /// What else the engine reported, if it was asked for.
    pub details: Option<Box<MoveDetails>>,
}

/// What was measured of a move on a wall clock, so that a dispute about time can be settled. The move itself was there after
/// [`MoveRecord::used`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveTiming {
    /// When `go` was written, since the first `go` of the game.
    pub sent: Duration,
    /// The first byte of output, since `go`.
    pub first_output: Option<Duration>,
    /// What delayed the move. `None` if it came within 4 ms and in time, or if the system does not report it.
    pub delays: Option<Delays>,
    /// The CPU time of the engine, under the same conditions.
    pub cpu: Option<Duration>,
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEnd {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// The third occurrence of a position.
    Threefold,
    /// Fifty moves without capture or pawn move.
    FiftyMoves,
    /// Nobody can mate.
    InsufficientMaterial,
    /// An adjudication rule.
    Adjudicated(&'static RuleKind),
    /// A player exceeded its time.
    TimeForfeit {
        /// By how much, beyond the margin.
        over: Duration,
        /// What delayed the mover, if it is known.
        delays: Option<Delays>,
    },
    /// A move that the rules do not allow, as the engine wrote it; `(none)` if it gave none.
    IllegalMove(String),
    /// The engine crashed, hung or broke the protocol.
    EngineFault(RecordedFault),
}

impl GameEnd {
    /// Did an engine commit a fault?
    pub const fn is_fault(&self) -> bool {
        match self {
            Self::TimeForfeit { .. } | Self::IllegalMove(_) | Self::EngineFault(_) => true,
            Self::Checkmate
            | Self::Stalemate
            | Self::Threefold
            | Self::FiftyMoves
            | Self::InsufficientMaterial
            | Self::Adjudicated(_) => false,
        }
    }

    /// The fault that ended the game, as text; `None` without a fault.
    pub fn fault_text(&self) -> Option<String> {
        match self {
            Self::TimeForfeit { over, .. } => Some(format!("lost on time by {}", duration::text(*over))),
            Self::IllegalMove(mv) => Some(format!("illegal move `{mv}`")),
            Self::EngineFault(fault) => Some(fault.detail.clone()),
            Self::Checkmate
            | Self::Stalemate
            | Self::Threefold
            | Self::FiftyMoves
            | Self::InsufficientMaterial
            | Self::Adjudicated(_) => None,
        }
    }
}

/// A finished game, with its moves or with something in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord<M = Vec<MoveRecord>> {
    /// Names of White and Black.
    pub players: [String; 2],
    /// Where it started.
    pub opening: GamePosition,
    /// Every move after the opening.
    pub played: M,
    /// The result.
    pub outcome: GameOutcome,
    /// Why it ended.
    pub end: GameEnd,
    /// What is wrong with the output of the engines.
    pub warnings: Vec<GameWarning>,
    /// What adjudication would have done in shadow mode, the earliest first.
    pub shadow: Vec<ShadowEnd>,
    /// When it was played; `None` unless wall time limited a player, so that other games are always recorded alike.
    pub times: Option<GameTimes>,
}

/// When a game was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameTimes {
    /// When it began, in milliseconds since 1970.
    pub begun: i64,
    /// How long it took.
    pub duration: Duration,
}

impl GameRecord {
    /// A game without moves: the engine of one side could not be started.
    pub fn unstarted(players: [String; 2], opening: GamePosition, loser: Color, fault: &EngineFault) -> Self {
        let (outcome, end) = (GameOutcome::win(!loser), GameEnd::EngineFault(fault.into()));
        Self {
            players,
            opening,
            played: Vec::new(),
            outcome,
            end,
            warnings: Vec::new(),
            shadow: Vec::new(),
            times: None,
        }
    }

    /// The moves of one side, in order.
    pub fn moves_of(&self, color: Color) -> impl Iterator<Item = &MoveRecord> {
        self.played.iter().skip(usize::from(self.begins() != color)).step_by(2)
    }
}

impl<M> GameRecord<M> {
    /// Which side makes the first move after the opening.
    pub fn begins(&self) -> Color {
        let turn = self.opening.start.as_setup().turn;
        if self.opening.moves.len().is_multiple_of(2) { turn } else { !turn }
    }

    /// Which side lost on time, if one did.
    pub fn lost_on_time(&self) -> Option<Color> {
        let loser = match self.outcome {
            GameOutcome::White => Some(Color::Black),
            GameOutcome::Black => Some(Color::White),
            GameOutcome::Draw => None,
        };
        loser.filter(|_| matches!(self.end, GameEnd::TimeForfeit { .. }))
    }
}

/// Why there is no finished game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The run was interrupted while a player was thinking.
    #[error("interrupted")]
    Interrupted,
    /// The opening is not a legal game.
    #[error("opening {0}")]
    Opening(#[from] IllegalGame),
    /// An engine lacks an option that the game needs. That is not a fault in play.
    #[error("{fault}")]
    NotSupported {
        /// Which side.
        color: Color,
        /// What is missing.
        fault: EngineFault,
    },
}

/// Plays a game from an opening, White first in `players` and `terms`. `selection` says which data of the moves is kept.
pub fn play(
    opening: &GamePosition,
    players: [&mut dyn Player; 2],
    terms: &GameTerms,
    selection: &DetailSelection,
) -> Result<GameRecord, GameError> {
    let mut game = RunningGame {
        playout: Playout::new(opening, terms)?,
        question: Question { line: opening.clone(), limits: Limits::default(), searchmoves: Vec::new() },
        played: Vec::new(),
        begun: None,
        checker: WarningChecker::new(ByColor { white: terms.exempt[0], black: terms.exempt[1] }),
        selection,
        ponders: ByColor { white: terms.ponders[0], black: terms.ponders[1] },
        pondering: None,
    };
    let [white, black] = players;
    let mut players = ByColor { white, black };
    let ended = game.run(&mut players);
    for color in Color::ALL {
        // The game is over: a fault in this has no effect on it, and the engine is started again for the next one.
        _ = players.get_mut(color).stop_pondering();
    }
    let (outcome, end) = ended?;
    let players = [players.white.name().to_owned(), players.black.name().to_owned()];
    let (played, warnings) = (game.played, game.checker.into_warnings());
    let shadow = game.playout.shadow().to_vec();
    let opening = opening.clone();
    Ok(GameRecord { players, opening, played, outcome, end, warnings, shadow, times: None })
}

/// Both players.
type Players<'p> = ByColor<&'p mut dyn Player>;

/// A game in progress.
struct RunningGame<'s> {
    playout: Playout,
    question: Question,
    played: Vec<MoveRecord>,
    /// When the first `go` was written, if the system's time is measured.
    begun: Option<Instant>,
    checker: WarningChecker,
    selection: &'s DetailSelection,
    /// Which sides ponder.
    ponders: ByColor<bool>,
    /// The side that ponders now.
    pondering: Option<Color>,
}

impl RunningGame<'_> {
    /// Starts a game for both players and asks them in turn until it is over.
    fn run(&mut self, players: &mut Players<'_>) -> Result<(GameOutcome, GameEnd), GameError> {
        for color in Color::ALL {
            players.get_mut(color).quote_lines(&self.selection.match_lines);
            if let Err(fault) = players.get_mut(color).new_game() {
                return loss_by_fault(color, &fault);
            }
            if self.playout.is_on_wall_clock(color) {
                self.checker.check_ready(color, players.get(color).ready_after());
            }
        }
        let mut delays = None;
        loop {
            let TurnRequest { mover, limits } = match self.playout.state() {
                GameState::ToMove(turn) => turn,
                GameState::Over(GameEnding { outcome, cause }) => {
                    return Ok((outcome, GameEnd::of(cause, delays)));
                }
            };
            self.question.limits = limits;
            let answer = match self.ask(players, mover) {
                Ok(answer) => answer,
                Err(fault) => return loss_by_fault(mover, &fault),
            };
            delays = answer.delays;
            self.checker.check(self.playout.referee(), mover, self.played.len(), &answer);
            self.take(&answer);
            if let Err(fault) = self.begin_pondering(players, mover, answer.ponder) {
                return loss_by_fault(mover, &fault);
            }
        }
    }

    /// The answer of the side to move, while the other side may ponder.
    fn ask(&mut self, players: &mut Players<'_>, mover: Color) -> Result<Answer, EngineFault> {
        let (asked, other) = match mover {
            Color::White => (&mut players.white, &mut players.black),
            Color::Black => (&mut players.black, &mut players.white),
        };
        if self.pondering == Some(!mover) {
            return answer_beside(&mut **asked, &self.question, &mut **other);
        }
        asked.answer(&self.question)
    }

    /// Checks the reply that the mover expects, and lets it ponder on it.
    fn begin_pondering(
        &mut self,
        players: &mut Players<'_>,
        mover: Color,
        expected: Option<UciMove>,
    ) -> Result<(), EngineFault> {
        self.pondering = self.pondering.filter(|&side| side != mover);
        let (Some(expected), GameState::ToMove(_)) = (expected, self.playout.state()) else { return Ok(()) };
        let Ok(legal) = self.playout.referee().legal(expected) else {
            self.checker.warn_of_ponder_move(mover, self.played.len().saturating_sub(1), expected);
            return Ok(());
        };
        if !*self.ponders.get(mover) {
            return Ok(());
        }
        let mut line = self.question.line.clone();
        line.moves.push(self.playout.referee().uci(legal));
        let question = Question { line, limits: self.playout.limits(mover), searchmoves: Vec::new() };
        players.get_mut(mover).ponder(&question)?;
        self.pondering = Some(mover);
        Ok(())
    }

    fn take(&mut self, answer: &Answer) {
        let claim = answer.final_info();
        let score = claim.map(|claim| claim.score);
        let Answer { best, nodes, elapsed, .. } = *answer;
        let reply = TurnReply { best, score, nodes, elapsed, lag: Duration::ZERO };
        let Some(PlayedMove { mv, used, left }) = self.playout.answer(&reply) else { return };
        self.question.line.moves.push(mv);
        let depth = claim.map_or(Ply(0), |claim| claim.depth);
        let timing = answer.asked.map(|asked| MoveTiming {
            sent: asked.saturating_duration_since(*self.begun.get_or_insert(asked)),
            first_output: answer.first_output,
            delays: answer.delays,
            cpu: answer.cpu,
        });
        let (account, details) = (answer.account, self.selection.details(answer));
        self.played.push(MoveRecord { mv, score, depth, nodes, used, left, account, timing, details });
    }
}

impl GameEnd {
    /// Why a game ended, with what delayed the last mover.
    fn of(cause: EndCause, delays: Option<Delays>) -> Self {
        match cause {
            EndCause::Rule(RuleEnd::Checkmate) => Self::Checkmate,
            EndCause::Rule(RuleEnd::Stalemate) => Self::Stalemate,
            EndCause::Rule(RuleEnd::Threefold) => Self::Threefold,
            EndCause::Rule(RuleEnd::FiftyMoves) => Self::FiftyMoves,
            EndCause::Rule(RuleEnd::InsufficientMaterial) => Self::InsufficientMaterial,
            EndCause::Adjudicated(rule) => Self::Adjudicated(rule),
            EndCause::PlyLimit => Self::Adjudicated(MaxMoves::KIND),
            EndCause::Flag(Flag { over }) => Self::TimeForfeit { over, delays },
            EndCause::NoMove => Self::IllegalMove("(none)".to_owned()),
            EndCause::IllegalMove(mv) => Self::IllegalMove(mv.to_string()),
        }
    }
}

/// An engine fault loses the game. An interruption or a missing option does not.
fn loss_by_fault(loser: Color, fault: &EngineFault) -> Result<(GameOutcome, GameEnd), GameError> {
    match fault {
        EngineFault::Interrupted => Err(GameError::Interrupted),
        EngineFault::Option(_) | EngineFault::NotSupported(_) => {
            Err(GameError::NotSupported { color: loser, fault: fault.clone() })
        }
        EngineFault::CannotStart { .. }
        | EngineFault::NotStarted { .. }
        | EngineFault::Ended { .. }
        | EngineFault::TimedOut { .. }
        | EngineFault::ProtocolBreach(_) => {
            Ok((GameOutcome::win(!loser), GameEnd::EngineFault(fault.into())))
        }
    }
}

#[cfg(test)]
mod tests;
