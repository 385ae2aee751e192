//! Determinism: does the same question get the same answer?
//!
//! A question limited by nodes or depth is asked three times: in a new game, in another new game of the same
//! player, and of a second player that has never seen it. Nodes, move, score and PV must be equal. A
//! difference in the second answer has survived `ucinewgame`; a difference only with the second player is
//! random or uninitialised memory. Several threads are not deterministic: set `Threads` to 1.

use crate::input::{CaseDefinition, CaseInfo, OptionOverrides, SuiteError, SuiteInput};
use crate::verdict::moves_text;
use crate::{Case, CaseStep, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_player::{Answer, LimitEnforcedBy, Question};

/// The suite kind `determinism`.
pub const KIND: Kind = Kind {
    name: "determinism",
    summary: "Determinism: the same search repeated, and in a second process",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    if input.limits.movetime.is_some() {
        let remedy = "limit it by nodes or depth";
        return Err(input.error("a search limited by time is not reproducible", remedy));
    }
    epd::definitions(input, |_, record| Ok(definition(input.suite, record)))
}

fn definition(suite: &str, record: &epd::EpdRecord) -> CaseDefinition {
    let class = record.class_of_id().unwrap_or_else(|| "determinism".to_owned());
    let info = CaseInfo {
        players: vec![OptionOverrides::default(); 2],
        ..record.case_info(suite, class, "the same three times")
    };
    let line = record.position.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let question = Question { position: line.clone(), limits: *limits, searchmoves: Vec::new() };
        Box::new(DeterminismCase { question, stage: DeterminismStage::Fresh })
    };
    CaseDefinition::new(info, open)
}

/// The dialogue of a case.
struct DeterminismCase {
    question: Question,
    stage: DeterminismStage,
}

/// The next step.
enum DeterminismStage {
    Fresh,
    First,
    /// The first answer is awaited.
    Asked,
    /// The second player has not had the question yet.
    Again(Answer),
    AskedAgain(Answer),
    AskedSecond(Answer),
}

impl Case for DeterminismCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let ask = || CaseStep::Ask(self.question.clone());
        let (stage, step) = match (std::mem::replace(&mut self.stage, DeterminismStage::Fresh), answer) {
            // Such a search ends at a moment that varies, so a difference would prove nothing. It can be any of
            // the three: a quick search ends before the harness notices that the limit has passed.
            (_, Some(answer)) if answer.limit_enforced_by == LimitEnforcedBy::Harness => {
                let what = "the harness ended the search";
                (DeterminismStage::Fresh, CaseStep::Done(Verdict::unanswered(SkipCause::LimitNotKept, what)))
            }
            (DeterminismStage::First, _) => (DeterminismStage::Asked, ask()),
            (DeterminismStage::Asked, Some(first)) => {
                (DeterminismStage::Again(first.clone()), CaseStep::NewGame)
            }
            (DeterminismStage::Again(first), _) => (DeterminismStage::AskedAgain(first), ask()),
            (DeterminismStage::AskedAgain(first), Some(again)) => match difference(&first, again) {
                Some(what) => (DeterminismStage::Fresh, differs(again, FailCause::DiffersAfterNewGame, what)),
                None => (DeterminismStage::AskedSecond(first), CaseStep::AskSecond(self.question.clone())),
            },
            (DeterminismStage::AskedSecond(first), Some(second)) => match difference(&first, second) {
                Some(what) => {
                    (DeterminismStage::Fresh, differs(second, FailCause::DiffersBetweenPlayers, what))
                }
                None => (DeterminismStage::Fresh, CaseStep::Done(same(second))),
            },
            // A question without an answer is asked again, in a new game.
            (
                DeterminismStage::Fresh
                | DeterminismStage::Asked
                | DeterminismStage::AskedAgain(_)
                | DeterminismStage::AskedSecond(_),
                _,
            ) => (DeterminismStage::First, CaseStep::NewGame),
        };
        self.stage = stage;
        step
    }
}

fn same(answer: &Answer) -> Verdict {
    let verdict = Verdict::new(answer, PassCause::SameAnswers, "");
    // All three answers have the same number of nodes.
    Verdict { nodes: 3 * answer.nodes, ..verdict }
}

fn differs(answer: &Answer, cause: FailCause, what: String) -> CaseStep {
    CaseStep::Done(Verdict::new(answer, cause, what))
}

/// The first difference between two answers to one question, the most informative first: move, score, nodes
/// or line.
pub fn difference(first: &Answer, other: &Answer) -> Option<String> {
    let text = |answer: &Answer| {
        let last = answer.final_info();
        let score = last.map(|claim| claim.score.to_string()).unwrap_or_default();
        let line = last.map(|claim| moves_text(&claim.pv)).unwrap_or_default();
        let best = answer.best.map(|best| best.to_string()).unwrap_or_default();
        [("move", best), ("score", score), ("nodes", answer.nodes.to_string()), ("line", line)]
    };
    let pairs = text(first).into_iter().zip(text(other));
    pairs
        .into_iter()
        .find(|(first, other)| first != other)
        .map(|((what, first), (_, other))| format!("{what} {other} instead of {first}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    fn suite(limits: Limits) -> Result<Suite, SuiteError> {
        let source_file =
            SourceFile { file: "d.epd".to_owned(), text: "k7/8/1K6/8/8/8/8/1R6 w - - 0 1".to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &limits))
    }

    #[test]
    fn determinism_names_every_difference() {
        let usual = || says("b1h1", &["cp 30 b1h1 a8b8"]);
        let more = || Answer { nodes: 101, ..usual() };
        let ended = || Answer { limit_enforced_by: LimitEnforcedBy::Harness, ..more() };
        let not_kept = "limit not kept: the harness ended the search";
        let table = [
            (vec![usual(), usual(), usual()], VerdictKind::Passed, "the same three times", 300),
            (
                vec![usual(), says("b1c1", &["cp 30 b1h1 a8b8"])],
                VerdictKind::Failed,
                "differs after a new game: move b1c1 instead of b1h1",
                100,
            ),
            (
                vec![usual(), says("b1h1", &["cp 31 b1h1 a8b8"])],
                VerdictKind::Failed,
                "differs after a new game: score cp 31 instead of cp 30",
                100,
            ),
            (
                vec![usual(), usual(), more()],
                VerdictKind::Failed,
                "differs with another player: nodes 101 instead of 100",
                101,
            ),
            (
                vec![usual(), usual(), says("b1h1", &["cp 30 b1h1"])],
                VerdictKind::Failed,
                "differs with another player: line b1h1 instead of b1h1 a8b8",
                100,
            ),
            (vec![ended()], VerdictKind::Skipped, not_kept, 0),
            (vec![usual(), ended()], VerdictKind::Skipped, not_kept, 0),
            (vec![usual(), usual(), ended()], VerdictKind::Skipped, not_kept, 0),
        ];
        for (answers, mark, reason, nodes) in table {
            let asked_of = answers.len();
            let (info, mut case) = suite(Limits::nodes(100)).expect("sound").cases().remove(0);
            let (verdict, asked, games) = lead(case.as_mut(), answers);
            assert_eq!((verdict.kind(), verdict.reason().as_str(), verdict.nodes), (mark, reason, nodes));
            assert_eq!((asked.len(), games, info.players.len()), (asked_of, asked_of.min(2), 2));
        }
    }

    #[test]
    fn time_limits_are_refused() {
        let timed = Limits { movetime: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
        let error = suite(timed).expect_err("time").to_string();
        assert!(error.ends_with("is not reproducible; limit it by nodes or depth"), "{error}");
    }
}
