//! The shortest dialogue: a new game, one question, one judgement. Also the check that every judgement begins
//! with: that the answer names a legal move.

use shakmaty::Move;
use shakmaty::uci::UciMove;

use super::{Case, CaseStep, Verdict};
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::{IllegalGame, Referee};
use threefold_player::{Answer, FaultCause, Question};

/// A question and the function that judges the answer.
pub struct SingleQuestion<J> {
    question: Question,
    judge: J,
    greeted: bool,
}

impl<J: FnMut(&Answer) -> Verdict> SingleQuestion<J> {
    /// Not begun yet.
    pub const fn new(question: Question, judge: J) -> Self {
        Self { question, judge, greeted: false }
    }
}

impl<J: FnMut(&Answer) -> Verdict + Send> Case for SingleQuestion<J> {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        if let Some(answer) = answer {
            return CaseStep::Done((self.judge)(answer));
        }
        if !self.greeted {
            self.greeted = true;
            return CaseStep::NewGame;
        }
        CaseStep::Ask(self.question.clone())
    }
}

/// The legal move of an answer, or the engine's fault with its detail.
pub fn legal(referee: &Referee, answer: &Answer) -> Result<Move, (FaultCause, String)> {
    let best = answer.best.ok_or((FaultCause::NoMove, String::new()))?;
    referee.legal(best).map_err(|_| (FaultCause::IllegalMove, best.to_string()))
}

/// The answer's move at the end of a game, if it is legal there; else the fault and its detail.
pub fn legal_move(position: &GamePosition, answer: &Answer) -> Result<UciMove, (FaultCause, String)> {
    let unsound = |error: IllegalGame| (FaultCause::UnsoundCase, error.to_string());
    let referee = Referee::new(position).map_err(unsound)?;
    Ok(referee.uci(legal(&referee, answer)?))
}
