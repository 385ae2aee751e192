//! Repetition detectors: does the search see every repetition, and no other?
//!
//! For engines that compare their detector with the truth at every node and report the differences (Echo's
//! option `Census`, with the cargo features `lab` and `mutants`). A detector with false positives hardly
//! shows in moves or scores: it spoils cutoffs and costs strength. Other engines are skipped.

use crate::input::{CaseDefinition, CaseInfo, SuiteError, SuiteInput};
use crate::single_question::SingleQuestion;
use crate::{Case, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_echo::search_counters::{IMAGINED, MISPLACED, OVERLOOKED};
use threefold_player::{Answer, Question};

/// The suite kind `detector`.
pub const KIND: Kind = Kind {
    name: "detector",
    summary: "Repetition detection: does the search count every repetition correctly?",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

/// The option that turns the comparison on.
const OPTION: &str = "Census";

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    epd::definitions(input, |_, record| Ok(definition(input.suite, record)))
}

fn definition(suite: &str, record: &epd::EpdRecord) -> CaseDefinition {
    let chair = vec![(OPTION.to_owned(), "true".to_owned())];
    let info = CaseInfo {
        players: vec![chair],
        ..record.case_info(suite, "detector".to_owned(), "as many repetitions as there are")
    };
    let line = record.position.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let question = Question { position: line.clone(), limits: *limits, searchmoves: Vec::new() };
        Box::new(SingleQuestion::new(question, judge))
    };
    CaseDefinition::new(info, open)
}

fn judge(answer: &Answer) -> Verdict {
    let count = |name: &str| answer.counts.iter().find(|(known, _)| known == name).map(|&(_, count)| count);
    let differences = [
        (OVERLOOKED, FailCause::Overlooked),
        (IMAGINED, FailCause::Imagined),
        (MISPLACED, FailCause::Misplaced),
    ];
    match differences
        .map(|(name, cause)| (cause, count(name)))
        .into_iter()
        .find(|(_, count)| *count != Some(0))
    {
        None => Verdict::new(answer, PassCause::RightRepetitions, ""),
        Some((_, None)) => {
            Verdict::new(answer, SkipCause::NotSupported, "a comparison of its detector with the truth")
        }
        Some((cause, Some(count))) => Verdict::new(answer, cause, format!("at {count} nodes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    #[test]
    fn determinism_names_every_difference() {
        use VerdictKind::{Failed, Passed, Skipped};
        let table = [
            (Some([0, 0, 0]), Passed, "right repetitions"),
            (Some([2, 0, 0]), Failed, "repetitions overlooked: at 2 nodes"),
            (Some([0, 7, 1]), Failed, "repetitions imagined: at 7 nodes"),
            (Some([0, 0, 1]), Failed, "repetitions misplaced: at 1 nodes"),
            (None, Skipped, "not supported: a comparison of its detector with the truth"),
        ];
        for (counts, mark, reason) in table {
            let source_file =
                SourceFile { file: "d.epd".to_owned(), text: "k7/8/1K6/8/8/8/8/1R6 w - - 0 1".to_owned() };
            let suite = Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(9)))
                .expect("sound");
            let (info, mut case) = suite.cases().remove(0);
            assert_eq!(info.players, [vec![("Census".to_owned(), "true".to_owned())]]);
            let names = [OVERLOOKED, IMAGINED, MISPLACED].map(str::to_owned);
            let counts = counts.map(|counts| names.into_iter().zip(counts).collect()).unwrap_or_default();
            let answer = Answer { counts, ..says("b1h1", &["cp 3"]) };
            let (verdict, _, _) = lead(case.as_mut(), [answer]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason));
        }
    }
}
