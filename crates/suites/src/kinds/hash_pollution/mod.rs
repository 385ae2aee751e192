//! Hash pollution: is an answer still right when the hash table has entries from other games?
//!
//! A hash table identifies positions, not how they were reached; but whether a position is a repetition, and
//! so a draw, depends on the game. Engines store draws of one history and use them in another, or a stored
//! score hides a draw of the present history (the graph-history interaction problem, Campbell 1985). So every
//! trap is asked with an empty table first. If that answer is right, the trap is asked again after various
//! other searches (see `polluters`), without `ucinewgame` in between, as in an analysis that steps back and
//! forth. A wrong answer is then caused by the table, and the verdict names the searches. If the first answer
//! is wrong, the case is skipped.

mod polluters;

use std::sync::Arc;

use polluters::Polluter;

use crate::input::{CaseDefinition, SuiteError, SuiteInput};
use crate::trap::{self, TrapRow};
use crate::{
    Case, CaseStep, Cause, ClockLimit, FailCause, Kind, LostCase, Measure, PassCause, SkipCause, Verdict,
    single_question,
};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_player::{Answer, FaultCause, Question};

/// The suite kind `hash-pollution`.
pub const KIND: Kind = Kind {
    name: "hash-pollution",
    summary: "Repetition traps with an empty hash table, then after searches of other histories",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

/// The name of the measure of answers that stay right.
const KEPT: &str = "right answers kept";

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    trap::cases(input, |trap, limits| {
        Box::new(HashPollutionCase {
            trap,
            limits,
            polluters: Vec::new(),
            next: PollutionStage::Begin,
            first: None,
            spoilt: Vec::new(),
            nodes: 0,
        })
    })
}

/// The dialogue: the trap with an empty table; then, for each polluter, a new game, its searches, and the
/// trap again.
struct HashPollutionCase {
    trap: Arc<TrapRow>,
    limits: Limits,
    polluters: Vec<Polluter>,
    next: PollutionStage,
    /// The answer with the empty table.
    first: Option<Answer>,
    /// Which searches spoilt the answer, and the wrong move.
    spoilt: Vec<String>,
    /// Nodes searched.
    nodes: u64,
}

/// The next step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PollutionStage {
    Begin,
    /// Ask the trap with an empty table.
    Clean,
    /// Judge that answer.
    JudgeClean,
    /// Run a search of a polluter; both by index.
    Pollute(usize, usize),
    /// Judge the answer after this polluter.
    Judge(usize),
}

impl Case for HashPollutionCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        self.nodes += answer.map_or(0, |answer| answer.nodes);
        match (self.next, answer) {
            (PollutionStage::Clean, _) => self.ask(PollutionStage::JudgeClean, self.trap.position.clone()),
            (PollutionStage::JudgeClean, Some(answer)) => self.judge_clean(answer),
            (PollutionStage::Pollute(polluter, search), _) => self.pollute(polluter, search),
            (PollutionStage::Judge(polluter), Some(answer)) => self.judge(polluter, answer),
            // A question without an answer is asked again, in a new game.
            (PollutionStage::Begin | PollutionStage::JudgeClean | PollutionStage::Judge(_), _) => {
                self.next = PollutionStage::Clean;
                CaseStep::NewGame
            }
        }
    }
}

impl HashPollutionCase {
    fn ask(&mut self, then: PollutionStage, position: GamePosition) -> CaseStep {
        self.next = then;
        CaseStep::Ask(Question { position, limits: self.limits, searchmoves: Vec::new() })
    }

    fn judge_clean(&mut self, answer: &Answer) -> CaseStep {
        match self.accepts(answer) {
            Err((cause, detail)) => CaseStep::Done(Verdict::new(answer, cause, detail)),
            Ok(false) => {
                let detail = "its answer from a clean table is wrong";
                CaseStep::Done(Verdict::new(answer, SkipCause::NothingToSpoil, detail))
            }
            Ok(true) => {
                self.first = Some(answer.clone());
                self.polluters = polluters::all_polluters(&self.trap);
                self.begin(0)
            }
        }
    }

    /// A new game for the next polluter, or the end.
    fn begin(&mut self, polluter: usize) -> CaseStep {
        if polluter < self.polluters.len() {
            self.next = PollutionStage::Pollute(polluter, 0);
            CaseStep::NewGame
        } else {
            CaseStep::Done(self.verdict())
        }
    }

    fn pollute(&mut self, polluter: usize, search: usize) -> CaseStep {
        match self.polluters[polluter].searches.get(search).cloned() {
            Some(line) => self.ask(PollutionStage::Pollute(polluter, search + 1), line),
            None => self.ask(PollutionStage::Judge(polluter), self.trap.position.clone()),
        }
    }

    fn judge(&mut self, polluter: usize, answer: &Answer) -> CaseStep {
        match self.accepts(answer) {
            Err((cause, detail)) => CaseStep::Done(Verdict::new(answer, cause, detail)),
            Ok(accepted) => {
                if !accepted {
                    let played = answer.best.map(|best| best.to_string()).unwrap_or_default();
                    self.spoilt.push(format!("after {} it plays {played}", self.polluters[polluter].name));
                }
                self.begin(polluter + 1)
            }
        }
    }

    fn verdict(&self) -> Verdict {
        let clean = self.first.clone().unwrap_or_else(Answer::silent);
        let (all, spoilt) = (self.polluters.len(), self.spoilt.len());
        let (cause, detail): (Cause, String) = if spoilt == 0 {
            (PassCause::Clean.into(), format!("the same right answer after {all} other searches"))
        } else {
            (FailCause::Polluted.into(), self.spoilt.join(", "))
        };
        let kept = Measure::share(KEPT, (all - spoilt) as u64, all as u64);
        Verdict { nodes: self.nodes, measures: vec![kept], ..Verdict::new(&clean, cause, detail) }
    }

    /// Is the move accepted? An error if it is not a legal move.
    fn accepts(&self, answer: &Answer) -> Result<bool, (FaultCause, String)> {
        let played = single_question::legal_move(&self.trap.position, answer)?;
        Ok(self.trap.best.contains(&played))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    /// White's rook has moved there and back: a2b2 leads to a position that occurred once.
    const TRAP: &str = "t,only-win-repeats,7k/8/8/8/8/8/2R5/K7 w - - 0 1,c2b2 h8g8 b2a2 g8h8,a2b2";

    fn case() -> Box<dyn Case> {
        let text = format!("id,class,fen,moves,best\n{TRAP}\n");
        let source_file = SourceFile { file: "t.csv".to_owned(), text };
        let suite = Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(1000)))
            .expect("sound");
        suite.cases().remove(0).1
    }

    /// The script answers the trap; all other questions get some legal move.
    fn led(answers: &[&str]) -> (Verdict, Vec<Question>, usize) {
        let stages = polluters::all_polluters(&trap::parse_traps(&source_file()).expect("sound")[0]);
        let mut script = vec![says(answers[0], &["cp 500"])];
        for (polluter, &answer) in stages.iter().zip(&answers[1..]) {
            script.extend(polluter.searches.iter().map(|_| says("a2a3", &[])));
            script.push(says(answer, &["cp 0"]));
        }
        lead(case().as_mut(), script)
    }

    fn source_file() -> SourceFile {
        SourceFile { file: "t.csv".to_owned(), text: format!("id,class,fen,moves,best\n{TRAP}\n") }
    }

    #[test]
    fn polluting_searches_are_named() {
        let all = polluters::all_polluters(&trap::parse_traps(&source_file()).expect("sound")[0]).len();
        let mut answers = vec!["a2b2"; all + 1];
        let (verdict, asked, games) = led(&answers);
        assert_eq!(verdict.kind(), VerdictKind::Passed);
        assert_eq!(verdict.reason(), format!("clean: the same right answer after {all} other searches"));
        assert_eq!(games, all + 1);
        assert_eq!(asked.iter().filter(|asked| asked.position == asked_line()).count(), all + 1);
        answers[1] = "a2a3";
        let (verdict, ..) = led(&answers);
        assert_eq!(verdict.kind(), VerdictKind::Failed);
        assert_eq!(verdict.reason(), "polluted: after its bare position it plays a2a3");
        assert_eq!(verdict.measures, [Measure::share(KEPT, all as u64 - 1, all as u64)]);
        assert_eq!(verdict.played, "a2b2", "the clean answer is what it plays");
    }

    fn asked_line() -> GamePosition {
        trap::parse_traps(&source_file()).expect("sound")[0].position.clone()
    }

    #[test]
    fn wrong_answer_with_an_empty_table_is_not_pollution() {
        let table = [
            ("a2a3", VerdictKind::Skipped, "nothing to spoil: its answer from a clean table is wrong"),
            ("a2h3", VerdictKind::Fault, "illegal move: a2h3"),
            ("", VerdictKind::Fault, "no move"),
        ];
        for (best, mark, reason) in table {
            let (verdict, asked, _) = lead(case().as_mut(), [says(best, &[])]);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), asked.len()), (mark, reason, 1));
        }
    }
}
