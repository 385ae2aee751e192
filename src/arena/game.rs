//! One game: what it is played under, how it is played, and what came of it.
//!
//! An engine that crashes, stalls, cheats or oversteps loses a game; it never stops the program. So [`play`]
//! fails only where the work was called off, or where the opening itself is no chess.
//!
//! What ends a game, when several things could: first the rules, in the position on the board; then, while
//! the mover owes an answer, a fault, its flag, a missing or illegal move, in this order; then, the move
//! played and the rules silent, adjudication. So a mate delivered after the flag fell is a loss on time. A
//! fallen flag always loses, even against a bare king: FIDE's article 6.9 is not applied.

use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color, Position, Role};

use crate::clock::{Account, Clocks, Control, Face, Flag, Limits, Pace};
use crate::line::Line;
use crate::player::{Answer, Fault, Player, Question};
use crate::score::{Ply, Score};
use crate::truth::Referee;
use crate::truth::referee::{IllegalLine, RuleEnd};

use crate::playout::RuleKind;
use crate::playout::adjudication::{Adjudicator, Shown};
pub use crate::playout::{Adjudication, Outcome};

/// What a game is played under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Limits of White and Black.
    pub controls: [Control; 2],
    /// What makes each of their clocks run.
    pub paces: [Pace; 2],
    /// When it is ended early.
    pub adjudication: Adjudication,
}

/// One move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: UciMove,
    /// What the mover claimed, from its own view.
    pub score: Option<Score>,
    /// Depth reached.
    pub depth: Ply,
    /// Nodes spent.
    pub nodes: u64,
    /// Time used on the game's own clock; `None` where that clock is the wall's and the mover isn't limited
    /// by it, since such a time would only say how busy the machine was.
    pub used: Option<Duration>,
    /// Time left after it, increment added; `None` without a clock.
    pub left: Option<Duration>,
    /// How the mover planned that time, where it tells.
    pub account: Option<Account>,
}

/// Why a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
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
    /// A rule of adjudication.
    Adjudicated(&'static RuleKind),
    /// A flag fell, so far beyond the time left.
    TimeForfeit {
        /// By how much it was overstepped, the margin not counted.
        over: Duration,
        /// How long the machine kept the mover waiting for a CPU meanwhile, where it tells.
        waited: Option<Duration>,
    },
    /// A move that the rules don't allow, as the engine wrote it; `(none)` where it gave none.
    IllegalMove(String),
    /// The engine crashed, hung or broke the protocol: what happened.
    EngineFault(String),
}

impl End {
    /// Did an engine do what no engine may?
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
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Names of White and Black.
    pub players: [String; 2],
    /// Where it started.
    pub opening: Line,
    /// Every move since.
    pub played: Vec<Played>,
    /// Who gets the point.
    pub outcome: Outcome,
    /// Why it ended.
    pub end: End,
}

impl GameRecord {
    /// A game without moves, since the engine of one side could not be started.
    pub fn unstarted(players: [String; 2], opening: Line, loser: Color, fault: &Fault) -> Self {
        let (outcome, end) = (Outcome::win(!loser), End::EngineFault(fault.to_string()));
        Self { players, opening, played: Vec::new(), outcome, end }
    }

    /// Who makes the first move beyond the opening.
    pub fn begins(&self) -> Color {
        let turn = self.opening.start.as_setup().turn;
        if self.opening.moves.len().is_multiple_of(2) { turn } else { !turn }
    }

    /// The moves of one side, in order.
    pub fn moves_of(&self, color: Color) -> impl Iterator<Item = &Played> {
        self.played.iter().skip(usize::from(self.begins() != color)).step_by(2)
    }

    /// Whose flag fell, if one did.
    pub fn lost_on_time(&self) -> Option<Color> {
        let loser = match self.outcome {
            Outcome::White => Some(Color::Black),
            Outcome::Black => Some(Color::White),
            Outcome::Draw => None,
        };
        loser.filter(|_| matches!(self.end, End::TimeForfeit { .. }))
    }
}

/// Why there is no finished game.
#[derive(Debug, thiserror::Error)]
pub enum Unplayed {
    /// The work was called off while a player was thinking.
    #[error("interrupted")]
    Interrupted,
    /// The opening can't have been played.
    #[error("opening {0}")]
    Opening(#[from] IllegalLine),
    /// An engine lacks an option that the game needs, so its play is not what ends it.
    #[error("{fault}")]
    Unfit {
        /// Whose.
        color: Color,
        /// What it lacks.
        fault: Fault,
    },
}

/// Plays a game from an opening, White first in `players` and `terms`.
pub fn play(opening: &Line, players: [&mut dyn Player; 2], terms: &Terms) -> Result<GameRecord, Unplayed> {
    let mut game = Game::new(opening, terms)?;
    let [white, black] = players;
    let mut players = ByColor { white, black };
    let mut ending = game.start(&mut players)?;
    let (outcome, end) = loop {
        match ending {
            Some(ending) => break ending,
            None => ending = game.turn(&mut players)?,
        }
    };
    let players = [players.white.name().to_owned(), players.black.name().to_owned()];
    Ok(GameRecord { players, opening: opening.clone(), played: game.played, outcome, end })
}

/// Both players.
type Players<'p> = ByColor<&'p mut dyn Player>;

/// How a game ended, if it did.
type Ending = Option<(Outcome, End)>;

/// A game in progress.
struct Game {
    paces: ByColor<Pace>,
    referee: Referee,
    controls: ByColor<Control>,
    faces: ByColor<Face>,
    adjudicator: Adjudicator,
    question: Question,
    played: Vec<Played>,
}

impl Game {
    fn new(opening: &Line, terms: &Terms) -> Result<Self, Unplayed> {
        let [white, black] = terms.controls;
        let controls = ByColor { white, black };
        let [white, black] = terms.paces;
        Ok(Self {
            paces: ByColor { white, black },
            referee: Referee::new(opening)?,
            controls,
            faces: controls.map(|control| Face::new(&control)),
            adjudicator: terms.adjudication.start(),
            question: Question { line: opening.clone(), limits: Limits::default(), only: Vec::new() },
            played: Vec::new(),
        })
    }

    /// Tells both players, and asks the rules whether there is anything to play.
    fn start(&mut self, players: &mut Players<'_>) -> Result<Ending, Unplayed> {
        for color in Color::ALL {
            if let Err(fault) = players.get_mut(color).new_game() {
                return lost_by(color, &fault);
            }
        }
        Ok(self.ended_by_rules())
    }

    /// One question, one answer; how the game ended with it, if it did.
    fn turn(&mut self, players: &mut Players<'_>) -> Result<Ending, Unplayed> {
        let mover = self.referee.position().turn();
        self.question.limits = self.limits(mover);
        let answer = match players.get_mut(mover).answer(&self.question) {
            Ok(answer) => answer,
            Err(fault) => return lost_by(mover, &fault),
        };
        let used = self.paces.get(mover).used(answer.nodes, answer.elapsed);
        let left = match self.faces.get_mut(mover).spend(used) {
            Ok(left) => left,
            Err(Flag { over }) => {
                let end = End::TimeForfeit { over, waited: answer.waited };
                return Ok(Some((Outcome::win(!mover), end)));
            }
        };
        let forfeit = |written: String| Ok(Some((Outcome::win(!mover), End::IllegalMove(written))));
        let Some(best) = answer.best else { return forfeit("(none)".to_owned()) };
        let Ok(legal) = self.referee.legal(best) else { return forfeit(best.to_string()) };
        let mv = self.referee.wire(legal);
        if self.referee.play(mv).is_err() {
            return forfeit(best.to_string());
        }
        self.question.line.moves.push(mv);
        let used = self.counts_time(mover).then_some(used);
        self.played.push(Played { mv, used, left, ..claimed(mv, &answer) });
        let score = self.played.last().and_then(|played| played.score);
        let shown = Shown {
            mover,
            score,
            irreversible: legal.is_capture() || legal.role() == Role::Pawn,
            completed: self.referee.position().fullmoves().get() - 1,
        };
        let adjudicated =
            self.adjudicator.see(shown).map(|(outcome, rule)| (outcome, End::Adjudicated(rule)));
        Ok(self.ended_by_rules().or(adjudicated))
    }

    /// What the mover may spend. UCI has no word for an opponent without a clock: it is shown with the
    /// mover's own.
    fn limits(&self, mover: Color) -> Limits {
        let control = self.controls.get(mover);
        let clocks = self.faces.get(mover).remaining().map(|own| {
            let other = self.faces.get(!mover).remaining().unwrap_or(own);
            let (white, black) = mover.fold_wb((own, other), (other, own));
            Clocks { white, black, moves_to_go: self.faces.get(mover).moves_to_go() }
        });
        Limits { clocks, movetime: control.movetime, nodes: control.nodes, depth: control.depth, mate: None }
    }

    fn counts_time(&self, mover: Color) -> bool {
        match self.paces.get(mover) {
            Pace::Virtual { .. } => true,
            Pace::Wall => self.controls.get(mover).is_timed(),
        }
    }

    fn ended_by_rules(&self) -> Ending {
        let end = match self.referee.ending()? {
            RuleEnd::Checkmate => {
                return Some((Outcome::win(!self.referee.position().turn()), End::Checkmate));
            }
            RuleEnd::Stalemate => End::Stalemate,
            RuleEnd::Threefold => End::Threefold,
            RuleEnd::FiftyMoves => End::FiftyMoves,
            RuleEnd::InsufficientMaterial => End::InsufficientMaterial,
        };
        Some((Outcome::Draw, end))
    }
}

/// What an answer claims of a move, time aside.
fn claimed(mv: UciMove, answer: &Answer) -> Played {
    let claim = answer.verdict();
    Played {
        mv,
        score: claim.map(|claim| claim.score),
        depth: claim.map_or(Ply(0), |claim| claim.depth),
        nodes: answer.nodes,
        used: None,
        left: None,
        account: answer.account,
    }
}

/// A fault loses the game; being called off and a lack of an option lose nothing.
fn lost_by(loser: Color, fault: &Fault) -> Result<Ending, Unplayed> {
    match fault {
        Fault::Interrupted => Err(Unplayed::Interrupted),
        Fault::Option(_) | Fault::Lacks(_) => Err(Unplayed::Unfit { color: loser, fault: fault.clone() }),
        Fault::CannotStart { .. }
        | Fault::NotStarted { .. }
        | Fault::Ended { .. }
        | Fault::Silent { .. }
        | Fault::Breach(_) => Ok(Some((Outcome::win(!loser), End::EngineFault(fault.to_string())))),
    }
}

#[cfg(test)]
mod tests;
