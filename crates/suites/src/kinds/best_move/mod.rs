//! Best moves: positions with right moves, wrong moves, or points per move.
//!
//! A line of EPD gives the values of moves in one of these ways:
//!
//! * `bm Nf3 e4;`: any of these moves; `am Qxb7;`: any but these. With both, `bm` decides.
//! * `c0 "f5=10, Be5+=2";`: points by move.
//! * `c7 "f5 Be5+"; c8 "10 2"; c9 "f4f5 d6e5";`: points in the order of the moves, as in the Strategic Test
//!   Suite since version 15; `c9` (UCI) takes precedence over `c7` (SAN).
//!
//! Moves are in any notation that [`threefold_games::move_reader`] reads. A case passes with the maximum
//! points. Fewer points are partial credit: the case fails, and the points count in the sum. Moves that are
//! not listed have no points.

mod points;

use std::collections::BTreeMap;

use shakmaty::uci::UciMove;

use crate::input::{CaseDefinition, SourceFile, SuiteError, SuiteInput};
use crate::single_question::{self, SingleQuestion};
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, Measure, PassCause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_player::{Answer, Question};

/// The suite kind `best-move`.
pub const KIND: Kind = Kind {
    name: "best-move",
    summary: "Positions with best moves, moves to avoid, or points by move",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

/// The name of the measure of points.
pub const POINTS: &str = "points";

/// The points of each move of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovePoints {
    /// Points by move, as UCI writes it.
    pub points: BTreeMap<String, u64>,
    /// The points of every other legal move.
    pub others: u64,
}

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    epd::definitions(input, |source_file, record| definition(input.suite, source_file, record))
}

fn definition(
    suite: &str,
    source_file: &SourceFile,
    record: &epd::EpdRecord,
) -> Result<CaseDefinition, SuiteError> {
    let worth = points::parse_points(source_file, record)?;
    let class = record.class_of_id().unwrap_or_else(|| "best-move".to_owned());
    let info = record.case_info(suite, class, worth.to_text());
    let question = |limits: &Limits| Question {
        position: record.position.clone(),
        limits: *limits,
        searchmoves: Vec::new(),
    };
    let question = question(&Limits::default());
    let accepted = worth.clone();
    let open = move |limits: &Limits| -> Box<dyn Case> {
        let question = Question { limits: *limits, ..question.clone() };
        let (line, worth) = (question.position.clone(), worth.clone());
        Box::new(SingleQuestion::new(question, move |answer: &Answer| judge(&line, &worth, answer)))
    };
    Ok(CaseDefinition::new(info, open).accepting(move |mv, _| accepted.points_for(mv) == accepted.most()))
}

impl MovePoints {
    /// The most points of a move.
    pub fn most(&self) -> u64 {
        self.points.values().copied().chain([self.others]).max().unwrap_or_default()
    }

    fn points_for(&self, mv: UciMove) -> u64 {
        self.points.get(&mv.to_string()).copied().unwrap_or(self.others)
    }

    /// The moves with their points, best first; without points if all are equal.
    fn to_text(&self) -> String {
        let mut moves: Vec<(&String, u64)> = self.points.iter().map(|(mv, &points)| (mv, points)).collect();
        moves.sort_by_key(|&(_, points)| std::cmp::Reverse(points));
        let graded = moves.iter().any(|&(_, points)| points != self.most());
        let text = |(mv, points): (&String, u64)| if graded { format!("{mv}={points}") } else { mv.clone() };
        if self.others > 0 {
            let avoided: Vec<&str> = moves.iter().map(|(mv, _)| mv.as_str()).collect();
            format!("all but {}", avoided.join(" "))
        } else {
            moves.into_iter().map(text).collect::<Vec<_>>().join(" ")
        }
    }
}

fn judge(position: &GamePosition, worth: &MovePoints, answer: &Answer) -> Verdict {
    let most = worth.most();
    let (cause, detail, points): (Cause, String, u64) = match single_question::legal_move(position, answer) {
        Err((cause, detail)) => (cause.into(), detail, 0),
        Ok(mv) => match worth.points_for(mv) {
            points if points == most => (PassCause::AcceptedMove.into(), String::new(), points),
            0 => (FailCause::NoPoint.into(), String::new(), 0),
            points => (FailCause::InPart.into(), format!("{points} of {most} points"), points),
        },
    };
    let points = Measure::share(POINTS, points, most);
    Verdict { measures: vec![points], ..Verdict::new(answer, cause, detail) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{Suite, SuiteSource, VerdictKind};

    const FEN: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - 0 1";

    fn suite(operations: &str) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "b.epd".to_owned(), text: format!("{FEN} {operations}") };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(1000)))
    }

    #[test]
    fn moves_get_the_points_of_their_record() {
        use VerdictKind::{Failed, Fault, Passed};
        let points = "bm f5; id \"STS(v1.0) Undermine.001\"; c0 \"f5=10, Be5+=2, Bf2=3\";";
        let vectors = "bm f5; c7 \"f5 Bf2\"; c8 \"10 3\"; c9 \"f4f5 d4f2\";";
        let table = [
            // operations, move played, mark, reason, points, of
            ("bm f5;", "f4f5", Passed, "an accepted move", 1, 1),
            ("bm f4f5 Bf2;", "d4f2", Passed, "an accepted move", 1, 1),
            ("bm f5;", "d4f2", Failed, "no point", 0, 1),
            ("am f5 Bf2;", "d4e5", Passed, "an accepted move", 1, 1),
            ("am f5 Bf2;", "d4f2", Failed, "no point", 0, 1),
            (points, "f4f5", Passed, "an accepted move", 10, 10),
            (points, "d4f2", Failed, "in part: 3 of 10 points", 3, 10),
            (points, "d4e5", Failed, "in part: 2 of 10 points", 2, 10),
            (points, "g1h1", Failed, "no point", 0, 10),
            ("bm f5; c0 \"f5=10Be5+=2, Bf2=3\";", "d4e5", Failed, "in part: 2 of 10 points", 2, 10),
            (vectors, "d4f2", Failed, "in part: 3 of 10 points", 3, 10),
            ("bm f5; c7 \"f5 Bf2\"; c8 \"10 3\";", "d4f2", Failed, "in part: 3 of 10 points", 3, 10),
            ("bm f5; am Bf2;", "f4f5", Passed, "an accepted move", 1, 1),
            ("bm f5; am Bf2;", "d4e5", Failed, "no point", 0, 1),
            ("bm f4-f5 Bd4-f2;", "d4f2", Passed, "an accepted move", 1, 1),
            ("bm f5; c0 \"a remark\";", "f4f5", Passed, "an accepted move", 1, 1),
            ("bm f5;", "f4f6", Fault, "illegal move: f4f6", 0, 1),
            ("bm f5;", "", Fault, "no move", 0, 1),
        ];
        for (operations, best, mark, reason, points, of) in table {
            let (_, mut case) = suite(operations).unwrap_or_else(|error| panic!("{error}")).cases().remove(0);
            let (verdict, _, games) = lead(case.as_mut(), [says(best, &[])]);
            assert_eq!(
                (verdict.kind(), verdict.reason().as_str(), games),
                (mark, reason, 1),
                "{operations} {best}"
            );
            assert_eq!(verdict.measures, [Measure::share(POINTS, points, of)]);
        }
    }

    #[test]
    fn case_info_has_class_and_points() {
        let table = [
            ("bm f5; id \"STS(v1.0) Undermine.001\";", "STS(v1.0) Undermine", "f4f5"),
            ("c0 \"Bf2=3, f5=10\";", "best-move", "f4f5=10 d4f2=3"),
            ("am f5; id \"7\";", "best-move", "all but f4f5"),
        ];
        for (operations, class, accepted) in table {
            let info = suite(operations).unwrap_or_else(|error| panic!("{error}")).definitions.remove(0).info;
            assert_eq!((info.class.as_str(), info.accepted.as_str()), (class, accepted));
        }
    }

    #[test]
    fn invalid_points_are_named() {
        let table = [
            (
                "",
                "b.epd:1: no move is said to be good or bad; give `bm`, `am`, or points (`c0 \"f5=10, Be5=2\"`)",
            ),
            ("bm f9;", "b.epd:1: `f9` is no move; write moves as SAN (Nf3) or UCI (g1f3)"),
            ("bm Lf2;", "b.epd:1: `Lf2` begins with `L`, which is no English piece letter; "),
            ("bm Kh8;", "b.epd:1: `Kh8` is no legal move here; "),
            ("c8 \"10 2\"; c9 \"f4f5\";", "b.epd:1: 1 moves and 2 points; give each move its points"),
            ("c8 \"ten\"; c9 \"f4f5\";", "b.epd:1: `ten` is no number of points; "),
            ("bm f5; am Bf2 f5;", "b.epd:1: `f4f5` is in `bm` and in `am`; remove it from one of them"),
            ("bm f5; am Bf9;", "b.epd:1: `Bf9` is no move; "),
            ("c0 \"f5=0\";", "b.epd:1: no move has a point; give one some"),
        ];
        for (operations, message) in table {
            let error = suite(operations).expect_err(message).to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
