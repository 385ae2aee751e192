//! Ponder moves: does `bestmove` name the move to ponder on?
//!
//! A search that ends between two iterations, or in a new best move, often has a line of a single move. Engines then take
//! the opponent's answer from the hash table; one that fails to do so cannot ponder. No rule requires the move, so only a
//! comparison with an earlier version decides. The engine gets `Ponder`, since some name the move only with this option.

use crate::input::{CaseDefinition, CaseInfo, SuiteError, SuiteInput};
use crate::single_question::{self, SingleQuestion};
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;
use threefold_player::{Answer, FaultCause, Question};

/// The suite kind `ponder-move`.
pub const KIND: Kind = Kind {
    name: "ponder-move",
    summary: "Ponder moves: does the best move come with a move to ponder on?",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    epd::definitions(input, |_, record| Ok(definition(input.suite, record)))
}

fn definition(suite: &str, record: &epd::EpdRecord) -> CaseDefinition {
    let class = record.class_of_id().unwrap_or_else(|| "ponder-move".to_owned());
    let info = CaseInfo {
        players: vec![vec![("Ponder".to_owned(), "true".to_owned())]],
        ..record.case_info(suite, class, "a legal move to ponder on")
    };
    let position = record.position.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let question = Question { position: position.clone(), limits: *limits, searchmoves: Vec::new() };
        let position = position.clone();
        Box::new(SingleQuestion::new(question, move |answer: &Answer| judge(&position, answer)))
    };
    CaseDefinition::new(info, open)
}

fn judge(position: &GamePosition, answer: &Answer) -> Verdict {
    let (cause, detail) = match Referee::new(position) {
        Ok(referee) => verdict_of(referee, answer),
        Err(error) => (FaultCause::UnsoundCase.into(), error.to_string()),
    };
    Verdict::new(answer, cause, detail)
}

fn verdict_of(mut referee: Referee, answer: &Answer) -> (Cause, String) {
    let best = match single_question::legal(&referee, answer) {
        Ok(best) => referee.uci(best),
        Err((cause, detail)) => return (cause.into(), detail),
    };
    referee.play(best).expect("the move is legal");
    if referee.ending().is_some() {
        return (SkipCause::Inconclusive.into(), format!("{best} ends the game"));
    }
    match answer.ponder {
        None => (FailCause::NoPonderMove.into(), best.to_string()),
        Some(ponder) if referee.legal(ponder).is_err() => {
            (FailCause::NoPonderMove.into(), format!("{ponder} after {best} is illegal"))
        }
        Some(ponder) => (PassCause::PonderMove.into(), format!("{ponder} after {best}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    #[test]
    fn the_best_move_must_come_with_a_legal_reply() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            ("b1c1", Some("a8b8"), Passed, "ponder move: a8b8 after b1c1"),
            ("b1c1", None, Failed, "no ponder move: b1c1"),
            ("b1c1", Some("a8a7"), Failed, "no ponder move: a8a7 after b1c1 is illegal"),
            ("b1h1", Some("a8b8"), Passed, "ponder move: a8b8 after b1h1"),
            ("b6c7", None, Failed, "no ponder move: b6c7"),
        ];
        for (best, ponder, kind, reason) in table {
            let (verdict, _, _) = asked("k7/8/1K6/8/8/8/8/1R6 w - - 0 1", best, ponder);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (kind, reason));
        }
        let (mated, _, _) = asked("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", None);
        assert_eq!((mated.kind(), mated.reason().as_str()), (Skipped, "inconclusive: h1h8 ends the game"));
    }

    fn asked(fen: &str, best: &str, ponder: Option<&str>) -> (Verdict, Vec<Question>, usize) {
        let source_file = SourceFile { file: "p.epd".to_owned(), text: fen.to_owned() };
        let suite = Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(100)));
        let (info, mut case) = suite.expect("sound").cases().remove(0);
        assert_eq!(info.players, [[("Ponder".to_owned(), "true".to_owned())]]);
        let ponder = ponder.map(|mv| mv.parse().expect("a move"));
        lead(case.as_mut(), [Answer { ponder, ..says(best, &["cp 30"]) }])
    }
}
