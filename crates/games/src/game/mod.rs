//! One game: its conditions, how it is played, and its result.
//!
//! An engine that crashes, hangs, plays an illegal move or exceeds its time loses the game; it never stops
//! the program. So [`play`] fails only if the run was interrupted or the opening is not legal chess.
//!
//! The game itself is a [`Playout`](crate::playout::Playout); this module asks the players for the answers
//! that it needs. `Playout` documents what ends a game if several causes apply. A fault of the engine takes
//! precedence over everything else in its answer.

mod observer;
mod running_game;

use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color};

use self::running_game::RunningGame;
use super::move_details::{DetailSelection, MoveDetails};
use super::warning::GameWarning;
use crate::playout::adjudication::MaxMoves;
use crate::playout::{EndCause, RuleKind, ShadowEnd};
use threefold_chess::clock::{Delays, Flag, TimeReport, duration};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_chess::uci::NO_MOVE;
use threefold_oracle::referee::{IllegalGame, RuleEnd};
use threefold_player::{EngineFault, Player, RecordedFault};

pub use self::observer::{GameObserver, Turn};
pub use crate::playout::{Adjudication, GameConditions, GameOutcome};

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveRecord {
    /// The move that was played.
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
    /// What else the engine reported, if it was asked for; and whether the move is from its book.
    pub details: Option<Box<MoveDetails>>,
}

/// The timing of a move on a wall clock, as evidence in a dispute about a time loss. The move itself arrived
/// [`MoveRecord::used`] after `go`.
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
        /// By how much: the whole overrun of the time left, of which the margin is a part.
        over: Duration,
        /// The margin; zero if the delays are unknown.
        margin: Duration,
        /// What delayed the mover, if it is known.
        delays: Option<Delays>,
    },
    /// A move that the rules do not allow, or no move in a position with legal moves: what the engine wrote
    /// after `bestmove`, such as `e2e5`, `(none)`, `A1A1`, or nothing.
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

    /// The time loss that ended the game, and what delayed the mover.
    pub const fn time_loss(&self) -> Option<(Flag, Option<Delays>)> {
        match *self {
            Self::TimeForfeit { over, margin, delays } => Some((Flag { over, margin }, delays)),
            _ => None,
        }
    }

    /// Did the machine or the runner cause the time loss that ended the game?
    pub fn is_excused(&self) -> bool {
        self.time_loss().is_some_and(|(flag, delays)| flag.is_excused(delays))
    }

    /// The fault that ended the game, as text; `None` without a fault.
    pub fn fault_text(&self) -> Option<String> {
        match self {
            Self::TimeForfeit { over, .. } => {
                Some(format!("lost on time by {}", duration::format_duration(*over)))
            }
            Self::IllegalMove(text) if text.is_empty() => {
                Some("illegal move: `bestmove` without a move".to_owned())
            }
            Self::IllegalMove(text) => Some(format!("illegal move `{text}`")),
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
    /// The result of the game, from White's side.
    pub outcome: GameOutcome,
    /// Why it ended.
    pub end: GameEnd,
    /// What is wrong with the output of the engines.
    pub warnings: Vec<GameWarning>,
    /// What adjudication would have done in shadow mode, the earliest first.
    pub shadow: Vec<ShadowEnd>,
    /// When it was played; `None` unless wall time limited a player, so that other games are always recorded
    /// alike.
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

impl MoveRecord {
    /// A move of which nothing is known besides.
    pub const fn new(mv: UciMove) -> Self {
        let (score, account, timing, details) = (None, None, None, None);
        Self { mv, score, depth: Ply(0), nodes: 0, used: None, left: None, account, timing, details }
    }
}

impl GameRecord {
    /// A game without moves and without warnings. `players` are the names of White and Black.
    pub fn new(
        players: [impl Into<String>; 2],
        opening: GamePosition,
        outcome: GameOutcome,
        end: GameEnd,
    ) -> Self {
        let (players, played) = (players.map(Into::into), Vec::new());
        let (warnings, shadow) = (Vec::new(), Vec::new());
        Self { players, opening, played, outcome, end, warnings, shadow, times: None }
    }

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

/// Plays a game from an opening, White first in `players` and `terms`. `selection` says which data of the
/// moves is kept, and `observer` watches; `&mut ()` does nothing.
pub fn play(
    opening: &GamePosition,
    players: [&mut dyn Player; 2],
    terms: &GameConditions,
    selection: &DetailSelection,
    observer: &mut dyn GameObserver,
) -> Result<GameRecord, GameError> {
    let mut game = RunningGame::new(opening, terms, selection)?;
    let [white, black] = players;
    let mut players = ByColor { white, black };
    let ended = game.run(&mut players, observer);
    // Before `?`: after an interruption, too, no engine may go on pondering.
    for color in Color::ALL {
        // The game is over: a fault in this has no effect on it, and the engine is started again for the next
        // one.
        _ = players.get_mut(color).stop_pondering();
    }
    let (outcome, end) = ended?;
    let players = [players.white.name().to_owned(), players.black.name().to_owned()];
    let (played, warnings) = (game.played, game.checker.into_warnings());
    let shadow = game.playout.shadow().to_vec();
    let opening = opening.clone();
    Ok(GameRecord { players, opening, played, outcome, end, warnings, shadow, times: None })
}

impl<M> GameRecord<M> {
    /// The engine that a warning is about.
    pub fn warned_engine(&self, warning: &GameWarning) -> &str {
        &self.players[warning.side.fold_wb(0, 1)]
    }
}

impl GameRecord {
    /// The position in which a warning first happened, with the moves that lead to it.
    pub fn warned_position(&self, warning: &GameWarning) -> GamePosition {
        let mut position = self.opening.clone();
        position.moves.extend(self.played.iter().take(warning.ply).map(|played| played.mv));
        position
    }
}

impl GameEnd {
    /// Why a game ended, with what delayed the last mover.
    pub fn from_cause(cause: EndCause, delays: Option<Delays>) -> Self {
        match cause {
            EndCause::Rule(RuleEnd::Checkmate) => Self::Checkmate,
            EndCause::Rule(RuleEnd::Stalemate) => Self::Stalemate,
            EndCause::Rule(RuleEnd::Threefold) => Self::Threefold,
            EndCause::Rule(RuleEnd::FiftyMoves) => Self::FiftyMoves,
            EndCause::Rule(RuleEnd::InsufficientMaterial) => Self::InsufficientMaterial,
            EndCause::Adjudicated(rule) => Self::Adjudicated(rule),
            EndCause::PlyLimit => Self::Adjudicated(MaxMoves::KIND),
            EndCause::Flag(Flag { over, margin }) => {
                Self::TimeForfeit { over, margin: delays.map_or(Duration::ZERO, |_| margin), delays }
            }
            EndCause::NoMove => Self::IllegalMove(NO_MOVE.to_owned()),
            EndCause::IllegalMove(mv) => Self::IllegalMove(mv.to_string()),
        }
    }
}

#[cfg(test)]
mod pondering_tests;
#[cfg(test)]
mod tests;
