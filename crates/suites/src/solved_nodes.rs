//! The nodes after which a search has found the solution of a case and keeps it to its end.

use std::sync::Arc;

use super::dialogue::{Case, CaseStep};
use super::verdict::Verdict;
use super::verdict_kind::VerdictKind;
use threefold_chess::position::GamePosition;
use threefold_player::{Answer, Bound, ScoredInfo};

/// Does a report of the search show the solution?
pub type Solution = dyn Fn(&ScoredInfo) -> bool + Send + Sync;

/// A case whose verdict says how many nodes its search took to the solution.
pub struct SolvedCase {
    case: Box<dyn Case>,
    /// The position of the case. Questions about others are not about its solution.
    position: GamePosition,
    solution: Arc<Solution>,
    /// Was the last question the one about the position?
    is_asked: bool,
    /// The nodes of the first answer to it.
    nodes: Option<u64>,
}

impl SolvedCase {
    /// Not begun yet.
    pub fn new(case: Box<dyn Case>, position: GamePosition, solution: Arc<Solution>) -> Self {
        Self { case, position, solution, is_asked: false, nodes: None }
    }
}

impl Case for SolvedCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        if let Some(answer) = answer.filter(|_| self.is_asked && self.nodes.is_none()) {
            self.nodes = solved_nodes(answer, &*self.solution);
        }
        match self.case.next(answer) {
            CaseStep::Done(verdict) if verdict.kind() == VerdictKind::Passed => {
                CaseStep::Done(Verdict { solved_nodes: self.nodes, ..verdict })
            }
            step => {
                self.is_asked = matches!(&step, CaseStep::Ask(question)
                    if question.position == self.position && question.searchmoves.is_empty());
                step
            }
        }
    }
}

/// The nodes at the first of the last reports without a break that show the solution; those of the whole search if its last
/// report does not show it. `None` if the engine does not report nodes.
fn solved_nodes(answer: &Answer, is_solution: &Solution) -> Option<u64> {
    // An upper bound says only that its move may be worse than others.
    let is_line = |report: &&ScoredInfo| !report.pv.is_empty() && report.bound != Bound::Upper;
    let reports: Vec<&ScoredInfo> = answer.infos.iter().filter(is_line).collect();
    let kept = reports.iter().rev().take_while(|report| is_solution(report)).last();
    kept.map_or(Some(answer.nodes), |report| report.nodes).filter(|&nodes| nodes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::single_question::SingleQuestion;
    use crate::{Cause, FailCause, PassCause};
    use threefold_chess::clock::Limits;
    use threefold_player::Question;

    /// An answer with these first moves of its lines, each with the nodes so far.
    fn searched(reports: &[(&str, Option<u64>)]) -> Answer {
        let claims: Vec<String> = reports.iter().map(|(mv, _)| format!("cp 0 {mv}")).collect();
        let claims: Vec<&str> = claims.iter().map(String::as_str).collect();
        let mut answer = Answer { nodes: 900, ..says("e2e4", &claims) };
        for (report, (_, nodes)) in answer.infos.iter_mut().zip(reports) {
            report.nodes = *nodes;
        }
        answer
    }

    fn shows_e4(report: &ScoredInfo) -> bool {
        report.pv.first().is_some_and(|mv| mv.to_string() == "e2e4")
    }

    #[test]
    fn solution_counts_from_where_it_is_kept() {
        let table = [
            (&[("e2e4", Some(10)), ("e2e4", Some(50))][..], Some(10)),
            (&[("e2e4", Some(10)), ("d2d4", Some(50)), ("e2e4", Some(300))], Some(300)),
            // The move was changed in an iteration that did not end.
            (&[("e2e4", Some(10)), ("d2d4", Some(50))], Some(900)),
            (&[("e2e4", None)], None),
            (&[], Some(900)),
        ];
        for (reports, expected) in table {
            assert_eq!(solved_nodes(&searched(reports), &shows_e4), expected, "{reports:?}");
        }
        let mut failed_low = searched(&[("e2e4", Some(10)), ("d2d4", Some(50)), ("e2e4", Some(90))]);
        failed_low.infos[1].bound = Bound::Upper;
        assert_eq!(solved_nodes(&failed_low, &shows_e4), Some(10));
    }

    #[test]
    fn only_passed_cases_and_questions_about_the_position_count() {
        let position = GamePosition::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "").expect("sound");
        let question =
            Question { position: position.clone(), limits: Limits::nodes(900), searchmoves: Vec::new() };
        let only = Question { searchmoves: vec!["e2e4".parse().expect("a move")], ..question.clone() };
        for (question, cause, expected) in [
            (question.clone(), Cause::from(PassCause::AcceptedMove), Some(10)),
            (question, FailCause::NoPoint.into(), None),
            (only, PassCause::AcceptedMove.into(), None),
        ] {
            let case = SingleQuestion::new(question, move |answer: &Answer| Verdict::new(answer, cause, ""));
            let mut case = SolvedCase::new(Box::new(case), position.clone(), Arc::new(shows_e4));
            let (verdict, _, _) = lead(&mut case, [searched(&[("e2e4", Some(10))])]);
            assert_eq!(verdict.solved_nodes, expected, "{cause:?}");
        }
    }
}
