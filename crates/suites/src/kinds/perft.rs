//! Perft: does the engine know every legal move, and no others?
//!
//! A line of EPD has `D1 20; D2 400; …`: the leaves of the tree of legal moves at depth one, two, and so on.
//! Counts are asked from the shallowest on, so that a wrong one shows the depth of the error. Only counts
//! within the limits are asked: `depth` plies, and `nodes` leaves.
//!
//! UCI has no command for it. An engine is asked by `go perft D`, or else by `perft D` as a command, or else
//! by `perft D FEN` as arguments; which of them it knows is found out once. An engine without any is skipped.

use std::collections::BTreeMap;

use crate::input::{CaseDefinition, SourceFile, SuiteError, SuiteInput};
use crate::{
    Case, CaseStep, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict, epd,
};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_echo::DEEPEST_PERFT;
use threefold_player::Answer;

/// The suite kind `perft`.
pub const KIND: Kind = Kind {
    name: "perft",
    summary: "Perft: leaf counts of the legal move tree",
    clock: ClockLimit::Refused,
    lost_case: LostCase::Strict,
    load,
};

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    if input.limits.movetime.is_some() {
        return Err(input.error("a count of leaves can't be limited by time", "limit it by nodes or depth"));
    }
    epd::definitions(input, |source_file, record| definition(input.suite, source_file, record))
}

fn definition(
    suite: &str,
    source_file: &SourceFile,
    record: &epd::EpdRecord,
) -> Result<CaseDefinition, SuiteError> {
    let counts = counts(source_file, record)?;
    let text: Vec<String> = counts.iter().map(|(Ply(depth), leaves)| format!("D{depth} {leaves}")).collect();
    let class = record.class_of_id().unwrap_or_else(|| "perft".to_owned());
    let info = record.case_info(suite, class, text.join(" "));
    let line = record.position.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let allowed = |depth: Ply, leaves| {
            limits.depth.is_none_or(|most| depth <= most) && limits.nodes.is_none_or(|most| leaves <= most)
        };
        let counts = counts.iter().map(|(&depth, &leaves)| (depth, leaves));
        let open: Vec<_> = counts.filter(|&(depth, leaves)| allowed(depth, leaves)).collect();
        Box::new(PerftCase { position: line.clone(), open, asked: 0, leaves: 0 })
    };
    Ok(CaseDefinition::new(info, open))
}

/// Leaves by depth.
fn counts(source_file: &SourceFile, record: &epd::EpdRecord) -> Result<BTreeMap<Ply, u64>, SuiteError> {
    let remedy = "give the leaves at each depth as `D1 20; D2 400;`";
    let mut counts = BTreeMap::new();
    for (code, operand) in &record.operations {
        let Some(depth) = code.strip_prefix('D').and_then(|depth| depth.parse::<u16>().ok()) else {
            continue;
        };
        let complain = || {
            source_file.error_at_line(
                record.number,
                format!("`{code} {operand}` is no count of leaves"),
                remedy,
            )
        };
        if u32::from(depth) > DEEPEST_PERFT {
            let what = format!("`{code}` is too deep to be counted");
            return Err(source_file.error_at_line(
                record.number,
                what,
                format!("give at most `D{DEEPEST_PERFT}`"),
            ));
        }
        let leaves: u64 = operand.parse().map_err(|_| complain())?;
        if counts.insert(Ply(depth), leaves).is_some_and(|earlier| earlier != leaves) {
            return Err(source_file.error_at_line(
                record.number,
                format!("`{code}` occurs twice"),
                "keep the right one",
            ));
        }
    }
    if counts.is_empty() {
        return Err(source_file.error_at_line(record.number, "no count of leaves", remedy));
    }
    Ok(counts)
}

/// The dialogue: one count after another, the shallowest first.
struct PerftCase {
    position: GamePosition,
    /// Depths and leaves to ask for.
    open: Vec<(Ply, u64)>,
    /// The number of counts asked.
    asked: usize,
    /// Leaves counted so far.
    leaves: u64,
}

impl Case for PerftCase {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        if let Some(counted) = answer.map(|answer| answer.nodes) {
            self.leaves += counted;
            let (Ply(depth), leaves) = self.open[self.asked - 1];
            if counted != leaves {
                let detail = format!("D{depth} has {leaves} leaves, it counts {counted}");
                return CaseStep::Done(self.verdict(FailCause::WrongCount.into(), detail, counted));
            }
        }
        match self.open.get(self.asked) {
            Some(&(depth, _)) => {
                self.asked += 1;
                CaseStep::Count(self.position.clone(), depth)
            }
            None => CaseStep::Done(match self.open.last() {
                Some(&(Ply(depth), leaves)) => {
                    self.verdict(PassCause::RightCounts.into(), format!("to D{depth}"), leaves)
                }
                None => Verdict::unanswered(SkipCause::OutOfLimits, ""),
            }),
        }
    }
}

impl PerftCase {
    fn verdict(&self, cause: Cause, detail: String, counted: u64) -> Verdict {
        let played = counted.to_string();
        Verdict { played, nodes: self.leaves, ..Verdict::unanswered(cause, detail) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn suite(text: &str, limits: Limits) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "p.epd".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &limits))
    }

    #[test]
    fn perft_counts_begin_at_the_lowest_depth() {
        use VerdictKind::{Failed, Passed, Skipped};
        let depth = |depth| Limits::depth(Ply(depth));
        let table = [
            // limits, counts of the engine, mark, reason
            (depth(3), &[20, 400, 8902][..], Passed, "right counts: to D3"),
            (depth(2), &[20, 400], Passed, "right counts: to D2"),
            (Limits::nodes(400), &[20, 400], Passed, "right counts: to D2"),
            (depth(3), &[20, 401], Failed, "wrong count: D2 has 400 leaves, it counts 401"),
            (Limits::nodes(19), &[], Skipped, "nothing within the limits"),
        ];
        // Perft files have a semicolon before each count, or after it.
        for text in [format!("{START} ;D1 20 ;D2 400 ;D3 8902"), format!("{START} D3 8902; D1 20; D2 400;")] {
            for (limits, counted, mark, reason) in table {
                let (info, mut case) = suite(&text, limits).expect("sound").cases().remove(0);
                let answers = counted.iter().map(|&nodes| Answer { nodes, ..says("", &[]) });
                let (verdict, ..) = lead(case.as_mut(), answers);
                assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason));
                assert_eq!(verdict.nodes, counted.iter().sum::<u64>());
                assert_eq!(info.accepted, "D1 20 D2 400 D3 8902");
            }
        }
    }

    #[test]
    fn invalid_perft_counts_are_named() {
        let table = [
            ("", "p.epd:1: no count of leaves; give the leaves at each depth as `D1 20; D2 400;`"),
            (" D1 many;", "p.epd:1: `D1 many` is no count of leaves; give"),
            (" D60 1; D61 2;", "p.epd:1: `D61` is too deep to be counted; give at most `D60`"),
            (" D1 20; D1 21;", "p.epd:1: `D1` occurs twice; keep the right one"),
        ];
        for (operations, message) in table {
            let error = suite(&format!("{START}{operations}"), Limits::nodes(9)).expect_err(message);
            assert!(error.to_string().starts_with(message), "{error}");
        }
        let timed = Limits { movetime: Some(std::time::Duration::from_secs(1)), ..Limits::default() };
        let error = suite(START, timed).expect_err("no time").to_string();
        assert_eq!(error, "p.epd: a count of leaves can't be limited by time; limit it by nodes or depth");
    }
}
