//! The shortest dialogue: a new game, one question, one judgement.

use super::{Case, Step, Verdict};
use crate::player::{Answer, Question};

/// A question and what is made of its answer.
pub struct Exam<J> {
    question: Question,
    judge: J,
    greeted: bool,
}

impl<J: FnMut(&Answer) -> Verdict> Exam<J> {
    /// Not begun yet.
    pub const fn new(question: Question, judge: J) -> Self {
        Self { question, judge, greeted: false }
    }
}

impl<J: FnMut(&Answer) -> Verdict + Send> Case for Exam<J> {
    fn next(&mut self, answer: Option<&Answer>) -> Step {
        if let Some(answer) = answer {
            return Step::Done((self.judge)(answer));
        }
        if !self.greeted {
            self.greeted = true;
            return Step::NewGame;
        }
        Step::Ask(self.question.clone())
    }
}
