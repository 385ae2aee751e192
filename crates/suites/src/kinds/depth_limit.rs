//! Depth limits: does `go depth N` search to depth N, and no deeper?
//!
//! Every other suite relies on the engine's limits. A search that stops a ply early loses strength in every
//! test with a fixed depth, and only its reports show it. An engine that has found a mate within the depth
//! may stop earlier.
//!
//! With a limit of nodes as well the depth must be reached within them. So an explosion of the search is seen: an
//! extension or a failed reduction without end. The engine gets both limits, so that the case ends.

use crate::input::{CaseDefinition, SuiteError, SuiteInput};
use crate::single_question::SingleQuestion;
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_chess::score::{Ply, Score};
use threefold_player::{Answer, Bound, Question};

/// The suite kind `depth-limit`.
pub const KIND: Kind = Kind {
    name: "depth-limit",
    summary: "Depth limit: does `go depth N` reach depth N?",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Search,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    let Limits { depth: Some(_), movetime: None, .. } = input.limits else {
        let remedy = "give `[limits]` with `depth = 8`, and `nodes` for the most nodes if there is a limit";
        return Err(input.error("the limit is not a depth", remedy));
    };
    epd::definitions(input, |_, record| Ok(definition(input.suite, record)))
}

fn definition(suite: &str, record: &epd::EpdRecord) -> CaseDefinition {
    let info = record.case_info(suite, "depth".to_owned(), "the depth asked for");
    let line = record.position.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let question = Question { position: line.clone(), limits: *limits, searchmoves: Vec::new() };
        let (depth, nodes) = (limits.depth.unwrap_or(Ply(1)), limits.nodes);
        Box::new(SingleQuestion::new(question, move |answer: &Answer| judge(depth, nodes, answer)))
    };
    CaseDefinition::new(info, open)
}

fn judge(Ply(asked): Ply, nodes: Option<u64>, answer: &Answer) -> Verdict {
    let exact = answer.infos.iter().filter(|claim| claim.bound == Bound::Exact);
    let reached = exact.map(|claim| claim.depth.0).max();
    let mates = answer
        .final_info()
        .is_some_and(|claim| matches!(claim.score, Score::Mate(mate) if mate.plies().0 <= asked));
    let is_short = |reached: u16| reached < asked && !mates;
    let (cause, detail): (Cause, _) = match (reached, nodes) {
        (None, _) => (SkipCause::NoDepth.into(), String::new()),
        (Some(reached), _) if reached > asked => {
            (FailCause::TooDeep.into(), format!("depth {reached} instead of {asked}"))
        }
        (Some(reached), Some(most)) => within(reached, is_short(reached), asked, most, answer.nodes),
        (Some(reached), None) if is_short(reached) => {
            (FailCause::TooShallow.into(), format!("depth {reached} instead of {asked}"))
        }
        (Some(_), None) => (PassCause::DepthReached.into(), String::new()),
    };
    Verdict::new(answer, cause, detail)
}

/// Was the depth reached within the nodes?
fn within(reached: u16, is_short: bool, asked: u16, most: u64, used: u64) -> (Cause, String) {
    if used == 0 {
        return (SkipCause::NoNodes.into(), String::new());
    }
    if used > most || (is_short && used == most) {
        let detail = format!("depth {reached} of {asked} after {used} nodes, {most} allowed");
        return (FailCause::Explosion.into(), detail);
    }
    if is_short {
        // Nothing says whether it stopped by itself, or at its limit in the middle of the next iteration.
        let detail = format!("depth {reached} of {asked}, last report after {used} of {most} nodes");
        return (SkipCause::Inconclusive.into(), detail);
    }
    (PassCause::WithinNodes.into(), format!("{used} nodes, {most} allowed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    fn suite(limits: &Limits) -> Result<Suite, SuiteError> {
        let source_file =
            SourceFile { file: "d.epd".to_owned(), text: "k7/8/1K6/8/8/8/8/1R6 w - - 0 1".to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, limits))
    }

    #[test]
    fn last_exact_report_must_have_the_requested_depth() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            (&["cp 3", "cp 4", "cp 5"][..], Passed, "depth reached"),
            (&["cp 3", "cp 4"], Failed, "too shallow: depth 2 instead of 3"),
            (&["cp 3", "cp 4", "cp 5 >="], Failed, "too shallow: depth 2 instead of 3"),
            (&["cp 3", "mate 1"], Passed, "depth reached"),
            (&["cp 3", "mate 9"], Failed, "too shallow: depth 2 instead of 3"),
            (&["cp 3"; 4], Failed, "too deep: depth 4 instead of 3"),
            (&[], Skipped, "no depth reported"),
        ];
        for (claims, mark, reason) in table {
            let (_, mut case) = suite(&Limits::depth(Ply(3))).expect("sound").cases().remove(0);
            let (verdict, asked, _) = lead(case.as_mut(), [says("b1h1", claims)]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason), "{claims:?}");
            assert_eq!(asked[0].limits, Limits::depth(Ply(3)));
        }
    }

    #[test]
    fn a_search_that_needs_too_many_nodes_is_an_explosion() {
        use VerdictKind::{Failed, Passed, Skipped};
        let limits = Limits { nodes: Some(500), ..Limits::depth(Ply(3)) };
        let table = [
            (&["cp 3"; 3][..], 499, Passed, "within the nodes: 499 nodes, 500 allowed"),
            (&["cp 3"; 3], 500, Passed, "within the nodes: 500 nodes, 500 allowed"),
            (&["cp 3"; 4], 400, Failed, "too deep: depth 4 instead of 3"),
            (&["cp 3"; 3], 501, Failed, "search explosion: depth 3 of 3 after 501 nodes, 500 allowed"),
            (&["cp 3"; 2], 500, Failed, "search explosion: depth 2 of 3 after 500 nodes, 500 allowed"),
            (&["cp 3"; 2], 501, Failed, "search explosion: depth 2 of 3 after 501 nodes, 500 allowed"),
            (&["cp 3"; 2], 499, Skipped, "inconclusive: depth 2 of 3, last report after 499 of 500 nodes"),
            (&["cp 3", "mate 1"], 500, Passed, "within the nodes: 500 nodes, 500 allowed"),
            (&["cp 3"; 3], 0, Skipped, "no nodes reported"),
        ];
        for (claims, nodes, mark, reason) in table {
            let (_, mut case) = suite(&limits).expect("sound").cases().remove(0);
            let (verdict, asked, _) = lead(case.as_mut(), [Answer { nodes, ..says("b1h1", claims) }]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason), "{claims:?} {nodes}");
            assert_eq!(asked[0].limits, limits);
        }
    }

    #[test]
    fn a_limit_of_depth_is_required() {
        let error = suite(&Limits::nodes(9)).expect_err("no depth").to_string();
        assert!(
            error.starts_with("d.epd: the limit is not a depth; give `[limits]` with `depth = 8`"),
            "{error}"
        );
    }
}
