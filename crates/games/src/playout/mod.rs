//! One game between two players, as a state machine without I/O.
//!
//! A [`Playout`] reports which side must answer with which limits, takes the answer with its time and nodes,
//! and reports how the game ended. It combines the referee, the clocks, the adjudication rules and the ply
//! limit. It does not call players: matches, suites, miners and the tuner pass its requests on, so a game has
//! the same rules and the same clocks everywhere.
//!
//! Order of precedence of several causes: first the rules of chess, in the position on the board; then, for
//! the mover's answer, a time loss, a missing move, an illegal move; then, after the move and the rules,
//! adjudication and last the ply limit. So a mate that is delivered after the time has run out is a loss on
//! time. A time loss always loses, even against a bare king: FIDE article 6.9 is not applied.

pub mod adjudication;
mod ending;
mod terms;

use std::time::Duration;

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color, Position, Role};

pub use adjudication::{Adjudication, RuleKind, ShadowEnd};
pub use ending::{EndCause, GameEnding, GameOutcome};
pub use terms::{EndingRules, GameConditions};

use self::adjudication::{Adjudicator, ObservedMove};
use threefold_chess::clock::{ChessClock, ClockSource, Clocks, Control, Limits, Remaining};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_oracle::Referee;
use threefold_oracle::referee::{IllegalGame, RuleEnd};

/// The state of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameState {
    /// This side must answer.
    ToMove(TurnRequest),
    /// It is over.
    Over(GameEnding),
}

/// A request to one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnRequest {
    /// Who is to move.
    pub mover: Color,
    /// The limits of the search.
    pub limits: Limits,
}

/// The answer of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TurnReply {
    /// The move; `None` if there is none.
    pub best: Option<UciMove>,
    /// The reported score, from its own view.
    pub score: Option<Score>,
    /// Nodes searched; they run a virtual clock.
    pub nodes: u64,
    /// Wall time used.
    pub elapsed: Duration,
    /// Time lost on the way to the clock, which is charged in addition.
    pub lag: Duration,
}

impl TurnReply {
    /// A move only.
    pub fn from_move(mv: UciMove) -> Self {
        Self { best: Some(mv), ..Self::default() }
    }
}

/// A move that was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move as UCI writes it in this game.
    pub mv: UciMove,
    /// Time charged. `None` if the clock is wall time and does not limit the mover: such a time would only
    /// show how busy the machine was.
    pub used: Option<Duration>,
    /// Time left after it, increment added; `None` without a clock.
    pub left: Option<Duration>,
}

/// A game in progress, or over.
///
/// ```
/// use threefold_chess::position::GamePosition;
/// use threefold_games::playout::{GameConditions, GameState, Playout, TurnReply};
///
/// let mut game = Playout::new(&GamePosition::start_position(), &GameConditions::unlimited())?;
/// for mv in ["f2f3", "e7e5", "g2g4", "d8h4"] {
///     let played = game.answer(&TurnReply::from_move(mv.parse().expect("a move")));
///     assert!(played.is_some(), "a legal move");
/// }
/// let GameState::Over(ending) = game.state() else { panic!("checkmate") };
/// assert_eq!(ending.outcome.pgn(), "0-1");
/// # Ok::<(), threefold_oracle::referee::IllegalGame>(())
/// ```
#[derive(Debug)]
pub struct Playout {
    referee: Referee,
    position: GamePosition,
    opening: usize,
    controls: ByColor<Control>,
    paces: ByColor<ClockSource>,
    clocks: ByColor<ChessClock>,
    adjudicator: Adjudicator,
    max_plies: Option<usize>,
    rules: EndingRules,
    trusted: ByColor<bool>,
    ending: Option<GameEnding>,
}

impl Playout {
    /// A game after its opening. By the rules, it may be over already.
    pub fn new(opening: &GamePosition, terms: &GameConditions) -> Result<Self, IllegalGame> {
        let [white, black] = terms.controls;
        let controls = ByColor { white, black };
        let [white, black] = terms.clock_sources;
        let mut game = Self {
            referee: Referee::new(opening)?,
            position: opening.clone(),
            opening: opening.moves.len(),
            controls,
            paces: ByColor { white, black },
            clocks: controls.map(|control| ChessClock::new(&control)),
            adjudicator: terms.adjudication.start(),
            max_plies: terms.max_plies,
            rules: terms.rules,
            trusted: ByColor { white: terms.trusted[0], black: terms.trusted[1] },
            ending: None,
        };
        game.ending = game.by_rules().or_else(|| game.by_length());
        Ok(game)
    }

    /// Which side must answer, or how the game ended.
    pub fn state(&self) -> GameState {
        if let Some(ending) = self.ending {
            return GameState::Over(ending);
        }
        let mover = self.referee.position().turn();
        GameState::ToMove(TurnRequest { mover, limits: self.limits(mover) })
    }

    /// Takes the answer of the side to move. `None`: no move was played, because the game was over or because
    /// the mover forfeits.
    pub fn answer(&mut self, reply: &TurnReply) -> Option<PlayedMove> {
        if self.ending.is_some() {
            return None;
        }
        let mover = self.referee.position().turn();
        self.take(mover, reply)
            .map_err(|cause| self.ending = Some(GameEnding { outcome: GameOutcome::win(!mover), cause }))
            .ok()
    }

    fn take(&mut self, mover: Color, reply: &TurnReply) -> Result<PlayedMove, EndCause> {
        // The time is charged before the move is looked at: who is late has lost, whatever the move.
        let used = self.paces.get(mover).used(reply.nodes, reply.elapsed) + reply.lag;
        let left = self.clocks.get_mut(mover).spend(used).map_err(EndCause::Flag)?;
        let best = reply.best.ok_or(EndCause::NoMove)?;
        let legal = self.referee.legal(best).map_err(|_| EndCause::IllegalMove(best))?;
        // An engine may write castling in another notation; the record has one only.
        let mv = self.referee.uci(legal);
        self.referee.play(mv).map_err(|_| EndCause::IllegalMove(best))?;
        self.position.moves.push(mv);
        let shown = ObservedMove {
            position: self.referee.position(),
            is_trusted: *self.trusted.get(mover),
            mover,
            score: reply.score,
            irreversible: legal.is_capture() || legal.role() == Role::Pawn,
            // The counter is at the move to come, after Black's move; -1 gives the moves that are complete.
            completed: self.referee.position().fullmoves().get() - 1,
        };
        // Checkmate and draws by the rules outrank adjudication, and adjudication the ply limit: a mate on
        // the last allowed ply is a win.
        let over = self.by_rules();
        let adjudicated = if over.is_none() { self.adjudicator.observe(shown) } else { None };
        let adjudicated =
            adjudicated.map(|(outcome, rule)| GameEnding { outcome, cause: EndCause::Adjudicated(rule) });
        self.ending = over.or(adjudicated).or_else(|| self.by_length());
        Ok(PlayedMove { mv, used: self.counts_time(mover).then_some(used), left })
    }

    /// The game so far.
    pub const fn line(&self) -> &GamePosition {
        &self.position
    }

    /// What adjudication would have done; empty unless it is in shadow mode.
    pub fn shadow(&self) -> &[ShadowEnd] {
        self.adjudicator.shadow()
    }

    /// The moves beyond the opening.
    pub fn moves(&self) -> &[UciMove] {
        &self.position.moves[self.opening..]
    }

    /// The board, its history and the rules.
    pub const fn referee(&self) -> &Referee {
        &self.referee
    }

    /// The time left on a side's clock; `None` without a clock for the game.
    pub fn remaining(&self, color: Color) -> Option<Remaining> {
        self.clocks.get(color).remaining()
    }

    /// The limits of a side's search, now. UCI cannot express an opponent without a clock, so it gets the
    /// mover's clock.
    pub fn limits(&self, mover: Color) -> Limits {
        let control = self.controls.get(mover);
        let clocks = self.remaining(mover).map(|own| {
            let other = self.remaining(!mover).unwrap_or(own);
            let (white, black) = mover.fold_wb((own, other), (other, own));
            Clocks { white, black, moves_to_go: self.clocks.get(mover).moves_to_go() }
        });
        Limits { clocks, movetime: control.movetime, nodes: control.nodes, depth: control.depth, mate: None }
    }

    /// Does wall time limit this side?
    pub fn is_on_wall_clock(&self, color: Color) -> bool {
        *self.paces.get(color) == ClockSource::Wall && self.controls.get(color).is_timed()
    }

    fn counts_time(&self, mover: Color) -> bool {
        match self.paces.get(mover) {
            ClockSource::Virtual { .. } => true,
            ClockSource::Wall => self.controls.get(mover).is_timed(),
        }
    }

    fn by_rules(&self) -> Option<GameEnding> {
        let end = self.referee.ending()?;
        let outcome = match end {
            RuleEnd::Checkmate => GameOutcome::win(!self.referee.position().turn()),
            RuleEnd::Stalemate => GameOutcome::Draw,
            // Games in search of mates go on after such a draw, since a distance to mate ignores these rules.
            RuleEnd::Threefold | RuleEnd::FiftyMoves | RuleEnd::InsufficientMaterial => match self.rules {
                EndingRules::All => GameOutcome::Draw,
                EndingRules::NoMovesLeft => return None,
            },
        };
        Some(GameEnding { outcome, cause: EndCause::Rule(end) })
    }

    fn by_length(&self) -> Option<GameEnding> {
        let over = self.max_plies.is_some_and(|plies| self.moves().len() >= plies);
        over.then_some(GameEnding { outcome: GameOutcome::Draw, cause: EndCause::PlyLimit })
    }
}

#[cfg(test)]
mod shadow_tests;
#[cfg(test)]
mod tests;
