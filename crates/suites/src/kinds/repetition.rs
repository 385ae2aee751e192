//! Repetition traps: positions whose history decides which move is right.
//!
//! The engine is asked for its move with the history. After a wrong move, a second question finds the cause,
//! so that a report can distinguish a policy from a weakness:
//!
//! * If a third occurrence is at stake, the history decides, and the question without it would be another
//!   case. The engine is asked to search that move only: a draw score means that it sees the occurrence and
//!   misjudges the rest.
//! * Otherwise the board decides. The same position is asked without its history: an engine that is right
//!   then was misled by the history; one that is still wrong lacks strength.

use std::sync::Arc;

use shakmaty::uci::UciMove;

use crate::input::{CaseDefinition, SuiteError, SuiteInput};
use crate::trap::{self, TrapRow};
use crate::{Case, CaseStep, ClockLimit, FailCause, Kind, LostCase, PassCause, Verdict, single_question};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, Question};

/// The suite kind `repetition`.
pub const KIND: Kind = Kind {
    name: "repetition",
    summary: "Positions in which earlier repetitions decide which move is right",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

/// A score this near to zero, in centipawns, shows that the engine sees the draw.
const DRAWN: i32 = 2;

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    trap::cases_accepting(
        input,
        |trap, limits| Box::new(RepetitionCase { trap, limits, stage: RepetitionStage::Fresh }),
        |trap, mv, _| trap.best.contains(&mv),
    )
}

/// The dialogue: a new game and the question; after a wrong answer, a new game and the second question.
struct RepetitionCase {
    trap: Arc<TrapRow>,
    limits: Limits,
    stage: RepetitionStage,
}

/// The next step.
enum RepetitionStage {
    /// A new game.
    Fresh,
    /// The question with the history.
    First,
    /// The judgement of the first answer.
    Answered,
    /// The second question.
    Second(Verdict, SecondQuestion),
    /// The judgement of the second answer.
    AnsweredAgain(Verdict, SecondQuestion),
}

/// The subject of the second question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SecondQuestion {
    /// Does it see that this move makes a third occurrence?
    Occurrence(UciMove),
    /// Is it right without the history?
    Bare,
}

impl Case for RepetitionCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let (stage, step) = match (std::mem::replace(&mut self.stage, RepetitionStage::Fresh), answer) {
            (RepetitionStage::Answered, Some(answer)) => self.judge(answer),
            (RepetitionStage::AnsweredAgain(verdict, doubt), Some(answer)) => {
                (RepetitionStage::Fresh, CaseStep::Done(self.sort(verdict, doubt, answer)))
            }
            (RepetitionStage::Second(verdict, doubt), _) => {
                let question = self.second(doubt);
                (RepetitionStage::AnsweredAgain(verdict, doubt), CaseStep::Ask(question))
            }
            (RepetitionStage::First, _) => (
                RepetitionStage::Answered,
                CaseStep::Ask(self.question(self.trap.position.clone(), Vec::new())),
            ),
            // A question without an answer is asked again, in a new game.
            (RepetitionStage::Fresh | RepetitionStage::Answered | RepetitionStage::AnsweredAgain(..), _) => {
                (RepetitionStage::First, CaseStep::NewGame)
            }
        };
        self.stage = stage;
        step
    }
}

impl RepetitionCase {
    fn question(&self, position: GamePosition, only: Vec<UciMove>) -> Question {
        Question { position, limits: self.limits, searchmoves: only }
    }

    fn second(&self, doubt: SecondQuestion) -> Question {
        match doubt {
            SecondQuestion::Occurrence(mv) => self.question(self.trap.position.clone(), vec![mv]),
            SecondQuestion::Bare => self.question(self.trap.without_history.clone(), Vec::new()),
        }
    }

    fn judge(&self, answer: &Answer) -> (RepetitionStage, CaseStep) {
        let referee = match Referee::new(&self.trap.position) {
            Ok(referee) => referee,
            Err(error) => {
                return (RepetitionStage::Fresh, CaseStep::Done(Verdict::unsound_case(error.to_string())));
            }
        };
        let done = |verdict| (RepetitionStage::Fresh, CaseStep::Done(verdict));
        let legal = match single_question::legal(&referee, answer) {
            Ok(legal) => legal,
            Err((cause, detail)) => return done(Verdict::new(answer, cause, detail)),
        };
        if self.trap.best.contains(&referee.uci(legal)) {
            return done(Verdict::new(answer, PassCause::AcceptedMove, ""));
        }
        // The second question finds the cause.
        let failed = Verdict::new(answer, FailCause::Unsorted, "");
        let occurrence = self.trap.best.iter().filter_map(|&mv| referee.legal(mv).ok());
        let occurrence =
            std::iter::once(legal).chain(occurrence).find(|&mv| referee.occurrences_after(mv) >= 2);
        let doubt = match occurrence {
            Some(mv) => SecondQuestion::Occurrence(referee.uci(mv)),
            // The question without the history would be the same one again.
            None if self.trap.position.moves.is_empty() => {
                return done(Verdict::new(answer, FailCause::Strength, "it has no history"));
            }
            None => SecondQuestion::Bare,
        };
        (RepetitionStage::Second(failed, doubt), CaseStep::NewGame)
    }

    /// The verdict on a wrong move with its cause.
    fn sort(&self, verdict: Verdict, doubt: SecondQuestion, answer: &Answer) -> Verdict {
        let (cause, detail) = match doubt {
            SecondQuestion::Occurrence(mv) => sees_draw(mv, answer),
            SecondQuestion::Bare => self.is_right_without(answer),
        };
        Verdict { cause: cause.into(), detail, nodes: verdict.nodes + answer.nodes, ..verdict }
    }

    fn is_right_without(&self, answer: &Answer) -> (FailCause, String) {
        let legal = answer.best.and_then(|best| {
            // Legal moves do not depend on the history.
            let referee = Referee::new(&self.trap.position).ok()?;
            Some(referee.uci(referee.legal(best).ok()?))
        });
        match legal {
            Some(mv) if self.trap.best.contains(&mv) => {
                (FailCause::History, format!("without its history it plays {mv}, which is accepted"))
            }
            Some(mv) => (FailCause::Strength, format!("without its history it fails, too, with {mv}")),
            None => (FailCause::Unsorted, "without its history it plays no legal move".to_owned()),
        }
    }
}

fn sees_draw(mv: UciMove, answer: &Answer) -> (FailCause, String) {
    if answer.best != Some(mv) {
        return (FailCause::Unsorted, format!("asked for {mv} alone (searchmoves), it plays another move"));
    }
    match answer.final_info().map(|claim| claim.score) {
        Some(Score::Cp(judged)) if judged.0.abs() <= DRAWN => {
            (FailCause::Strength, format!("it sees that {mv} makes the third occurrence"))
        }
        Some(score) => {
            (FailCause::History, format!("it takes {mv}, which makes the third occurrence, for {score}"))
        }
        None => (FailCause::Unsorted, format!("asked for {mv} alone, it gives no score")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SuiteSource;
    use crate::dialogue::script::{lead, says};
    use crate::input::CaseInfo;
    use crate::{SourceFile, Suite, VerdictKind};

    /// White's rook has moved there and back: a2b2 would make a third occurrence.
    const THIRD: &str = "t,third-time-avoid,7k/8/8/8/8/8/2R5/K7 w - - 0 1,\
                         c2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8,a2a7";
    /// A third occurrence as in [`THIRD`], where the repetition is the right move.
    const SOUGHT: &str = "t,third-time-seek,7k/8/8/8/8/8/2R5/K7 w - - 0 1,\
                          c2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8,a2b2";
    /// One earlier occurrence is not a draw.
    const SECOND: &str = "t,only-win-repeats,7k/8/8/8/8/8/2R5/K7 w - - 0 1,c2b2 h8g8 b2a2 g8h8,a2b2";
    /// No history at all.
    const BARE: &str = "t,dawdle,7k/8/8/8/8/8/R7/K7 w - - 4 3,,a2b2";

    fn case(row: &str) -> (CaseInfo, Box<dyn Case>) {
        let text = format!("id,class,fen,moves,best\n{row}\n");
        let source_file = SourceFile { file: "t.csv".to_owned(), text };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(1000)))
            .expect("sound")
            .cases()
            .remove(0)
    }

    #[test]
    fn accepted_move_passes_at_once() {
        for (row, best) in [(THIRD, "a2a7"), (SOUGHT, "a2b2"), (SECOND, "a2b2"), (BARE, "a2b2")] {
            let (info, mut case) = case(row);
            let (verdict, asked, games) = lead(case.as_mut(), [says(best, &["cp 500"])]);
            assert_eq!(
                (verdict.kind(), verdict.reason().as_str()),
                (VerdictKind::Passed, "an accepted move"),
                "{row}"
            );
            assert_eq!((verdict.played.as_str(), verdict.nodes, games), (best, 100, 1));
            let question =
                Question { position: info.position, limits: Limits::nodes(1000), searchmoves: Vec::new() };
            assert_eq!(asked, [question]);
        }
    }

    #[test]
    fn second_question_classifies_a_failure() {
        let sees = "strength: it sees that a2b2 makes the third occurrence";
        let blind = "history: it takes a2b2, which makes the third occurrence, for cp 500";
        let table = [
            // row, first move, second answer, reason
            (THIRD, "a2b2", says("a2b2", &["cp 0 a2b2"]), sees),
            (THIRD, "a2b2", says("a2b2", &["cp -2 a2b2"]), sees),
            (THIRD, "a2b2", says("a2b2", &["cp 500 a2b2"]), blind),
            (
                THIRD,
                "a2b2",
                says("a2a7", &["cp 0 a2a7"]),
                "unsorted: asked for a2b2 alone (searchmoves), it plays another move",
            ),
            (THIRD, "a2b2", says("a2b2", &[]), "unsorted: asked for a2b2 alone, it gives no score"),
            (SOUGHT, "a2a3", says("a2b2", &["cp 1 a2b2"]), sees),
            (SOUGHT, "a2a3", says("a2b2", &["cp 500 a2b2"]), blind),
            (
                SECOND,
                "a2a3",
                says("a2b2", &[]),
                "history: without its history it plays a2b2, which is accepted",
            ),
            (SECOND, "a2a3", says("a2a4", &[]), "strength: without its history it fails, too, with a2a4"),
            (SECOND, "a2a3", says("h1h1", &[]), "unsorted: without its history it plays no legal move"),
            // The wrong move makes no third occurrence, and none is accepted: the board decides.
            (
                THIRD,
                "a2a3",
                says("a2a7", &[]),
                "history: without its history it plays a2a7, which is accepted",
            ),
        ];
        for (row, first, second, reason) in table {
            let (_, mut case) = case(row);
            let (verdict, asked, games) = lead(case.as_mut(), [says(first, &["cp 70"]), second]);
            assert_eq!(
                (verdict.kind(), verdict.reason().as_str()),
                (VerdictKind::Failed, reason),
                "{row}: {first}"
            );
            assert_eq!((verdict.played.as_str(), verdict.nodes, games), (first, 200, 2));
            let about_occurrence = reason.contains("a2b2 alone") || reason.contains("third occurrence");
            assert_eq!(asked[1].position.moves.is_empty(), !about_occurrence, "{reason}");
            assert_eq!(asked[1].searchmoves.len(), usize::from(about_occurrence), "{reason}");
        }
    }

    #[test]
    fn clear_failures_need_no_second_question() {
        let table = [
            (BARE, "a2a3", VerdictKind::Failed, "strength: it has no history"),
            (SECOND, "a2h3", VerdictKind::Fault, "illegal move: a2h3"),
            (SECOND, "", VerdictKind::Fault, "no move"),
        ];
        for (row, first, mark, reason) in table {
            let (_, mut case) = case(row);
            let (verdict, asked, _) = lead(case.as_mut(), [says(first, &[])]);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), asked.len()), (mark, reason, 1));
        }
    }

    #[test]
    fn position_without_history_keeps_its_move_counters() {
        let (_, mut case) = case(SECOND);
        let (_, asked, _) = lead(case.as_mut(), [says("a2a3", &[]), says("a2b2", &[])]);
        assert_eq!(asked[1].position.to_string(), "fen 7k/8/8/8/8/8/R7/K7 w - - 4 3");
    }
}
