//! A game in progress: it asks the players in turn, lets them ponder, and records their moves.

use std::mem;
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color};

use super::{GameConditions, GameEnd, GameError, GameObserver, GameOutcome, MoveRecord, MoveTiming, Turn};
use crate::move_details::{DetailSelection, MoveDetails};
use crate::playout::{EndCause, GameEnding, GameState, PlayedMove, Playout, TurnReply, TurnRequest};
use crate::pondering::answer_beside;
use crate::warning::WarningChecker;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_oracle::referee::IllegalGame;
use threefold_player::polyglot::BookMoves;
use threefold_player::{Answer, EngineFault, Player, Question};

/// Both players.
pub(super) type Players<'p> = ByColor<&'p mut dyn Player>;

/// A game in progress.
pub(super) struct RunningGame<'s> {
    pub(super) playout: Playout,
    question: Question,
    pub(super) played: Vec<MoveRecord>,
    /// When the first `go` was written, if the system's time is measured.
    begun: Option<Instant>,
    pub(super) checker: WarningChecker,
    selection: &'s DetailSelection,
    /// Which sides ponder.
    ponders: ByColor<bool>,
    books: ByColor<Option<BookMoves>>,
    /// Which sides ponder now. Both do after a move of a side that ponders, until the other one is asked.
    pondering: ByColor<bool>,
}

impl<'s> RunningGame<'s> {
    /// A game that begins with this opening.
    pub(super) fn new(
        opening: &GamePosition,
        terms: &GameConditions,
        selection: &'s DetailSelection,
    ) -> Result<Self, IllegalGame> {
        Ok(Self {
            playout: Playout::new(opening, terms)?,
            question: Question {
                position: opening.clone(),
                limits: Limits::default(),
                searchmoves: Vec::new(),
            },
            played: Vec::new(),
            begun: None,
            checker: WarningChecker::new(ByColor { white: terms.exempt[0], black: terms.exempt[1] }),
            selection,
            ponders: ByColor { white: terms.ponders[0], black: terms.ponders[1] },
            pondering: ByColor { white: false, black: false },
            books: {
                let [white, black] = terms.books.clone();
                ByColor { white, black }
            },
        })
    }

    /// Starts a game for both players and asks them in turn until it is over.
    pub(super) fn run(
        &mut self,
        players: &mut Players<'_>,
        observer: &mut dyn GameObserver,
    ) -> Result<(GameOutcome, GameEnd), GameError> {
        if let Err((color, fault)) = self.start(players) {
            return loss_by_fault(color, &fault);
        }
        let (mut delays, mut in_place_of_move) = (None, None);
        loop {
            let TurnRequest { mover, limits } = match self.playout.state() {
                GameState::ToMove(turn) => turn,
                GameState::Over(GameEnding { outcome, cause }) => {
                    let end = match in_place_of_move {
                        // A time loss takes precedence over a missing move, so the text counts for this cause
                        // only.
                        Some(text) if cause == EndCause::NoMove => GameEnd::IllegalMove(text),
                        _ => GameEnd::from_cause(cause, delays),
                    };
                    return Ok((outcome, end));
                }
            };
            if let Some(mv) = self.book_move(mover) {
                // The mover pondered on the time of the opponent, and now its book answers in its place.
                if mem::take(self.pondering.get_mut(mover))
                    && let Err(fault) = players.get_mut(mover).stop_pondering()
                {
                    return loss_by_fault(mover, &fault);
                }
                self.take_book_move(mv);
                self.report_move(observer);
                continue;
            }
            self.question.limits = limits;
            observer.asked(self.turn(mover));
            let answer = match self.ask(players, mover) {
                Ok(answer) => answer,
                Err(fault) => return loss_by_fault(mover, &fault),
            };
            delays = answer.delays;
            let asked = (self.playout.referee(), &self.question.limits);
            // Before the move is played: PVs and scores are checked in the position that the engine saw.
            self.checker.check(asked, mover, self.played.len(), &answer);
            if self.take(&answer) {
                self.report_move(observer);
            }
            in_place_of_move = answer.in_place_of_move;
            if let Err(fault) = self.begin_pondering(players, mover, answer.ponder) {
                return loss_by_fault(mover, &fault);
            }
        }
    }

    /// Starts the game for both players. Both start before the clock of either runs, so that a slow start costs
    /// no thinking time.
    fn start(&mut self, players: &mut Players<'_>) -> Result<(), (Color, EngineFault)> {
        for color in Color::ALL {
            players.get_mut(color).quote_lines(&self.selection.match_lines);
            players.get_mut(color).new_game().map_err(|fault| (color, fault))?;
            if self.playout.is_on_wall_clock(color) {
                self.checker.check_ready(color, players.get(color).ready_after());
            }
        }
        Ok(())
    }

    /// Whose move it is, and the clocks before it.
    fn turn(&self, mover: Color) -> Turn {
        let left = |color| self.playout.remaining(color).map(|remaining| remaining.time);
        Turn { mover, left: [left(Color::White), left(Color::Black)] }
    }

    fn report_move(&self, observer: &mut dyn GameObserver) {
        if let Some(played) = self.played.last() {
            observer.moved(played);
        }
    }

    /// The move of the mover's book.
    fn book_move(&mut self, mover: Color) -> Option<UciMove> {
        let referee = self.playout.referee();
        let plies = self.question.position.moves.len();
        let mv = self.books.get_mut(mover).as_mut()?.choose(referee.position(), plies)?;
        Some(referee.uci(mv))
    }

    /// Plays a move of a book, which takes no time.
    fn take_book_move(&mut self, mv: UciMove) {
        let Some(PlayedMove { mv, used, left }) = self.playout.answer(&TurnReply::from_move(mv)) else {
            return;
        };
        self.question.position.moves.push(mv);
        let details = MoveDetails { is_from_book: true, ..MoveDetails::default() };
        self.played.push(MoveRecord { used, left, details: Some(Box::new(details)), ..MoveRecord::new(mv) });
    }

    /// The answer of the side to move, while the other side may ponder.
    fn ask(&mut self, players: &mut Players<'_>, mover: Color) -> Result<Answer, EngineFault> {
        let (asked, other) = match mover {
            Color::White => (&mut players.white, &mut players.black),
            Color::Black => (&mut players.black, &mut players.white),
        };
        if *self.pondering.get(!mover) {
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
        // The answer ended the mover's own search on the opponent's time, whether it continued or stopped it.
        *self.pondering.get_mut(mover) = false;
        let (Some(expected), GameState::ToMove(_)) = (expected, self.playout.state()) else { return Ok(()) };
        // An illegal ponder move is no fault: it was not played.
        let Ok(legal) = self.playout.referee().legal(expected) else {
            self.checker.warn_of_ponder_move(mover, self.played.len().saturating_sub(1), expected);
            return Ok(());
        };
        // After the check: the warning is due whether or not the side ponders.
        if !*self.ponders.get(mover) {
            return Ok(());
        }
        let mut position = self.question.position.clone();
        position.moves.push(self.playout.referee().uci(legal));
        let question = Question { position, limits: self.playout.limits(mover), searchmoves: Vec::new() };
        players.get_mut(mover).ponder(&question)?;
        *self.pondering.get_mut(mover) = true;
        Ok(())
    }

    /// Plays the move of an answer; false if there is none that can be played.
    fn take(&mut self, answer: &Answer) -> bool {
        let claim = answer.final_info();
        let score = claim.map(|claim| claim.score);
        let Answer { best, nodes, elapsed, .. } = *answer;
        let reply = TurnReply { best, score, nodes, elapsed, lag: Duration::ZERO };
        let Some(PlayedMove { mv, used, left }) = self.playout.answer(&reply) else { return false };
        self.question.position.moves.push(mv);
        let depth = claim.map_or(Ply(0), |claim| claim.depth);
        let timing = answer.asked.map(|asked| MoveTiming {
            sent: asked.saturating_duration_since(*self.begun.get_or_insert(asked)),
            first_output: answer.first_output,
            delays: answer.delays,
            cpu: answer.cpu,
        });
        let (account, details) = (answer.account, self.selection.details(answer));
        self.played.push(MoveRecord {
            score,
            depth,
            nodes,
            used,
            left,
            account,
            timing,
            details,
            ..MoveRecord::new(mv)
        });
        true
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
