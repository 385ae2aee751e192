//! A dialogue of two questions, each in a new game, and a judgement of their last scores.

use super::{Case, CaseStep, Cause, SkipCause, Verdict};
use threefold_chess::score::Score;
use threefold_player::{Answer, Question};

/// Two questions. The first score may end the case; otherwise both are judged, with the second answer.
pub struct TwoScores<F, J> {
    questions: [Question; 2],
    first: F,
    judge: J,
    stage: Stage,
}

/// What has been done.
#[derive(Clone, Copy)]
enum Stage {
    Begin,
    /// In a new game, nothing has been asked.
    FirstGame,
    FirstAsked,
    /// In another new game, with the first score.
    SecondGame(Score),
    SecondAsked(Score),
}

impl<F, J> TwoScores<F, J>
where
    F: FnMut(Score) -> Result<(), (Cause, String)>,
    J: FnMut([Score; 2], &Answer) -> (Cause, String),
{
    /// Not begun yet. `first` gives the verdict of a first score with which the second question says nothing.
    pub const fn new(questions: [Question; 2], first: F, judge: J) -> Self {
        Self { questions, first, judge, stage: Stage::Begin }
    }
}

impl<F, J> Case for TwoScores<F, J>
where
    F: FnMut(Score) -> Result<(), (Cause, String)> + Send,
    J: FnMut([Score; 2], &Answer) -> (Cause, String) + Send,
{
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let (stage, step) = match (self.stage, answer) {
            (Stage::FirstGame, _) => (Stage::FirstAsked, CaseStep::Ask(self.questions[0].clone())),
            (Stage::FirstAsked, Some(answer)) => {
                match score(answer).map(|score| (score, (self.first)(score))) {
                    None => (Stage::Begin, done(answer, no_score())),
                    Some((score, Ok(()))) => (Stage::SecondGame(score), CaseStep::NewGame),
                    Some((_, Err(verdict))) => (Stage::Begin, done(answer, verdict)),
                }
            }
            (Stage::SecondGame(first), _) => {
                (Stage::SecondAsked(first), CaseStep::Ask(self.questions[1].clone()))
            }
            (Stage::SecondAsked(first), Some(answer)) => {
                let verdict =
                    score(answer).map_or_else(no_score, |second| (self.judge)([first, second], answer));
                (Stage::Begin, done(answer, verdict))
            }
            // A question without an answer is asked again, in a new game.
            (Stage::Begin | Stage::FirstAsked | Stage::SecondAsked(_), _) => {
                (Stage::FirstGame, CaseStep::NewGame)
            }
        };
        self.stage = stage;
        step
    }
}

fn score(answer: &Answer) -> Option<Score> {
    answer.final_info().map(|info| info.score)
}

fn no_score() -> (Cause, String) {
    (SkipCause::NoScore.into(), String::new())
}

fn done(answer: &Answer, (cause, detail): (Cause, String)) -> CaseStep {
    CaseStep::Done(Verdict::new(answer, cause, detail))
}
