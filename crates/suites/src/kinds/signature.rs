//! Bench signatures: does the engine search the same nodes as before?
//!
//! A line of EPD has `acd N;`, a depth, and `acn N;`, the nodes that the engine used for it with an empty
//! hash table. A single different count means that the search has changed: the strictest test of a change
//! without functional effect. `threefold positions signature` writes such a file for any engine. A position
//! without `acn` is searched and skipped.

use crate::input::{CaseDefinition, SourceFile, SuiteError, SuiteInput};
use crate::single_question::SingleQuestion;
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_chess::score::Ply;
use threefold_player::{Answer, Question};

/// The suite kind `signature`.
pub const KIND: Kind = Kind {
    name: "signature",
    summary: "Node counts at fixed depths; any change of the search changes them",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    if !input.limits.is_infinite() {
        return Err(input.error("each position has its own depth", "remove the limits"));
    }
    input.no_settings()?;
    epd::definitions(input, |source_file, record| definition(input.suite, source_file, record))
}

fn definition(
    suite: &str,
    source_file: &SourceFile,
    record: &epd::EpdRecord,
) -> Result<CaseDefinition, SuiteError> {
    let number = |code: &str| {
        let read = |given: &str| {
            let remedy = "give a depth as `acd 8;` and its nodes as `acn 12345;`";
            let complain = || {
                source_file.error_at_line(
                    record.number,
                    format!("`{code} {given}` is no such number"),
                    remedy,
                )
            };
            given.parse::<u64>().ok().filter(|&number| number > 0).ok_or_else(complain)
        };
        record.operation(code).map(read).transpose()
    };
    let (depth, nodes) = (number("acd")?, number("acn")?);
    let Some(depth) = depth.and_then(|depth| u16::try_from(depth).ok()) else {
        return Err(source_file.error_at_line(record.number, "no depth", "give it as `acd 8;`"));
    };
    let accepted = nodes.map_or_else(|| "any count".to_owned(), |nodes| format!("{nodes} nodes"));
    let info =
        record.case_info(suite, record.class_of_id().unwrap_or_else(|| "signature".to_owned()), accepted);
    let question = Question {
        position: record.position.clone(),
        limits: Limits::depth(Ply(depth)),
        searchmoves: Vec::new(),
    };
    let open = move |_: &Limits| -> Box<dyn Case> {
        Box::new(SingleQuestion::new(question.clone(), move |answer: &Answer| judge(depth, nodes, answer)))
    };
    Ok(CaseDefinition::new(info, open))
}

fn judge(depth: u16, nodes: Option<u64>, answer: &Answer) -> Verdict {
    let deeper = answer.infos.iter().map(|claim| claim.depth.0).find(|&reached| reached > depth);
    let (cause, detail): (Cause, String) = match (answer.nodes, nodes) {
        // Its nodes are those of another depth.
        _ if deeper.is_some() => (SkipCause::NotSupported.into(), "a limit of depth".to_owned()),
        (0, _) => (SkipCause::NoNodes.into(), String::new()),
        (spent, None) => (SkipCause::NoReference.into(), format!("`acn {spent};`")),
        (spent, Some(nodes)) if spent == nodes => (PassCause::SameNodes.into(), String::new()),
        (spent, Some(nodes)) => (FailCause::OtherNodes.into(), format!("{spent} instead of {nodes}")),
    };
    Verdict::new(answer, cause, detail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    const FEN: &str = "k7/8/1K6/8/8/8/8/1R6 w - - 0 1";

    fn suite(operations: &str) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "s.epd".to_owned(), text: format!("{FEN} {operations}") };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::default()))
    }

    #[test]
    fn different_node_count_is_a_different_search() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            // operations, nodes spent, claims, mark, reason
            ("acd 2; acn 100;", 100, &["cp 3", "cp 4"][..], Passed, "same nodes"),
            ("acd 2; acn 100;", 101, &["cp 3"], Failed, "other nodes: 101 instead of 100"),
            ("acd 2;", 100, &["cp 3"], Skipped, "nothing to compare with: `acn 100;`"),
            ("acd 2; acn 100;", 0, &["cp 3"], Skipped, "no nodes reported"),
            ("acd 2; acn 100;", 100, &["cp 3"; 3], Skipped, "not supported: a limit of depth"),
        ];
        for (operations, nodes, claims, mark, reason) in table {
            let (_, mut case) = suite(operations).expect("sound").cases().remove(0);
            let (verdict, asked, games) = lead(case.as_mut(), [Answer { nodes, ..says("b1h1", claims) }]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason), "{operations}");
            assert_eq!((asked[0].limits, games), (Limits::depth(Ply(2)), 1));
        }
    }

    #[test]
    fn invalid_signatures_are_named() {
        let table = [
            ("acn 9;", "s.epd:1: no depth; give it as `acd 8;`"),
            ("acd 0;", "s.epd:1: `acd 0` is no such number; give a depth as `acd 8;` and its nodes"),
            ("acd 3; acn few;", "s.epd:1: `acn few` is no such number; give"),
        ];
        for (operations, message) in table {
            let error = suite(operations).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
