//! The value of a position, where the rules or small tables prove it within a few plies.
//!
//! The engine is asked for the whole position, in a new game, so that no engine needs `searchmoves`. Its last
//! score must be a draw, a win or a loss as proven, its move must keep the result, and no report may have a
//! mate that is impossible: in a draw, for the wrong side, or sooner than the rules allow. That it does not
//! find a mate is no failure.
//!
//! Castling must be written as the start position requires: by two steps of the king in chess, as king
//! takes rook in Chess960.
//!
//! The score of a row without `result` may be any. Such is a position that a third occurrence or the
//! fifty-move rule has ended already, where an engine may score a draw or go on, and one with a single legal
//! move.

use std::sync::Arc;

use shakmaty::uci::UciMove;

use crate::false_mate::{ProvenMate, false_mate};
use crate::input::{CaseDefinition, Ids, SuiteError, SuiteInput};
use crate::single_question::{self, SingleQuestion};
use crate::trap::{self, EndedGames, TrapRow, TrueResult};
use crate::{Case, Cause, ClockLimit, FailCause, Kind, LostCase, PassCause, SkipCause, Verdict};
use threefold_chess::clock::Limits;
use threefold_chess::score::{Centipawns, MateDistance, Score};
use threefold_oracle::Referee;
use threefold_player::{Answer, FaultCause, Question};

/// The suite kind `value`.
pub const KIND: Kind = Kind {
    name: "value",
    summary: "Positions that the rules or small tables prove drawn, won or lost",
    clock: ClockLimit::Allowed,
    lost_case: LostCase::Search,
    load,
};

/// A score this near to zero, in centipawns, is a draw, and any other a win or a loss. Engines add contempt, or
/// a little noise, to draws, and some score a won pawn ending hardly higher than a pawn.
const DRAWN: i32 = 50;

fn load(input: &SuiteInput<'_>) -> Result<Vec<CaseDefinition>, SuiteError> {
    input.limits_alone()?;
    let (mut ids, mut rows) = (Ids::default(), Vec::new());
    for source_file in input.positions {
        for row in trap::parse_rows(source_file, EndedGames::DrawsByClaim)? {
            ids.claim(source_file, row.number, &row.id)?;
            if row.result.is_none() && row.distance.is_none() && row.best.len() > 1 {
                let what = "neither `result` nor `dtm` is given, and several moves are right".to_owned();
                return Err(source_file.error_at_line(row.number, what, "fill in one of the columns"));
            }
            rows.push(row);
        }
    }
    Ok(trap::cases_of_rows(input.suite, rows, open, |row, mv, verdict| {
        let is_right = |score| wrong_score(row, score).is_none();
        // An answer without a score is enough only where the row has no result.
        row.best.contains(&mv) && verdict.score.map_or(row.result.is_none(), is_right)
    }))
}

fn open(row: Arc<TrapRow>, limits: Limits) -> Box<dyn Case> {
    let question = Question { position: row.position.clone(), limits, searchmoves: Vec::new() };
    Box::new(SingleQuestion::new(question, move |answer: &Answer| judge(&row, answer)))
}

fn judge(row: &TrapRow, answer: &Answer) -> Verdict {
    let (cause, detail) = match Referee::new(&row.position) {
        Ok(referee) => verdict_of(row, &referee, answer),
        Err(error) => (FaultCause::UnsoundCase.into(), error.to_string()),
    };
    Verdict::new(answer, cause, detail)
}

fn verdict_of(row: &TrapRow, referee: &Referee, answer: &Answer) -> (Cause, String) {
    let best = match single_question::legal(referee, answer) {
        Ok(best) => referee.uci(best),
        Err((cause, detail)) => return (cause.into(), detail),
    };
    let proven = ProvenMate { result: row.result, nearest: row.distance.and_then(MateDistance::from_moves) };
    if let Some((cause, detail)) = answer.infos.iter().find_map(|info| false_mate(proven, info)) {
        return (cause.into(), detail);
    }
    let lines = answer.infos.iter().map(|info| info.pv.as_slice());
    if let Some(detail) = lines.chain([answer.best.as_slice()]).find_map(|line| wrong_notation(referee, line))
    {
        return (FailCause::WrongNotation.into(), detail);
    }
    let score = answer.final_info().map(|info| info.score);
    match score {
        None if row.result.is_some() => return (SkipCause::NoScore.into(), String::new()),
        Some(score) => {
            if let Some(detail) = wrong_score(row, score) {
                return (FailCause::WrongScore.into(), detail);
            }
        }
        None => {}
    }
    let score = score.map_or_else(|| "no score".to_owned(), |score| score.to_string());
    if !row.best.contains(&best) {
        return (FailCause::GivenAway.into(), format!("{best} at {score}"));
    }
    (PassCause::RightScore.into(), score)
}

/// The first legal move of a line in another notation than the start position requires. What follows an
/// illegal move is not read.
fn wrong_notation(referee: &Referee, line: &[UciMove]) -> Option<String> {
    let mut referee = referee.clone();
    let legal = line.iter().map_while(|&written| {
        let right = referee.uci(referee.legal(written).ok()?);
        referee.play(written).ok()?;
        Some((written, right))
    });
    let wrong = |(written, right): (UciMove, UciMove)| format!("{written} instead of {right}");
    legal.filter(|(written, right)| written != right).map(wrong).next()
}

/// What is wrong with the last score, if anything. A mate in one has to be a mate: material alone may give a score of
/// the right sign to a line that ends in a draw.
fn wrong_score(row: &TrapRow, score: Score) -> Option<String> {
    let result = row.result?;
    if row.distance.is_some_and(|moves| moves.abs() == 1) && matches!(score, Score::Cp(_)) {
        return Some(format!("{score} should be a mate in one"));
    }
    let is_right = match (result, score) {
        (TrueResult::Draw, Score::Cp(Centipawns(cp))) => cp.abs() <= DRAWN,
        (TrueResult::Draw, Score::Mate(_)) => false,
        (TrueResult::Win, Score::Cp(Centipawns(cp))) => cp > DRAWN,
        (TrueResult::Loss, Score::Cp(Centipawns(cp))) => cp < -DRAWN,
        (TrueResult::Win, Score::Mate(mate)) => mate.is_win(),
        (TrueResult::Loss, Score::Mate(mate)) => !mate.is_win(),
    };
    (!is_right).then(|| format!("{score} should be a {result}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::script::{lead, says};
    use crate::{SourceFile, Suite, SuiteSource, VerdictKind};

    const FILE: &str = "id,class,fen,moves,best,result,dtm\n\
                        a,drawn,7k/8/5K2/8/8/8/8/R7 w - - 99 90,,a1b1 a1c1,draw,\n\
                        b,won,8/P7/8/8/8/k7/8/7K w - - 99 90,,a7a8q a7a8r,win,9\n\
                        c,lost,7k/8/5K2/8/8/8/8/R7 b - - 98 90,,h8h7 h8g8,loss,-2\n\
                        d,over,7k/8/5K2/8/8/8/8/R7 w - - 100 90,,a1b1,,2\n";

    fn suite(text: &str) -> Result<Suite, SuiteError> {
        let source_file = SourceFile { file: "p.csv".to_owned(), text: text.to_owned() };
        Suite::read(&SuiteSource::from_positions(&KIND, source_file, &Limits::nodes(9)))
    }

    /// Material alone may give the right sign to a line that the engine takes for a draw.
    #[test]
    fn mate_in_one_has_to_be_a_mate() {
        let mate = "id,class,fen,moves,best,result,dtm\na,m,7k/8/6K1/8/8/8/8/R7 w - - 99 90,,a1a8,win,1\n";
        for (report, kind) in [("mate 1", VerdictKind::Passed), ("cp 900", VerdictKind::Failed)] {
            let (_, mut case) = suite(mate).expect("sound").cases().swap_remove(0);
            let (verdict, ..) = lead(case.as_mut(), vec![says("a1a8", &[report])]);
            assert_eq!(verdict.kind(), kind, "{report}: {}", verdict.reason());
        }
    }

    #[test]
    fn score_move_and_mates_are_judged() {
        use VerdictKind::{Failed, Fault, Passed, Skipped};
        let suite = suite(FILE).expect("sound");
        let table = [
            // case, move, reports, verdict, reason
            (0, "a1b1", &["cp 500", "cp 3"][..], Passed, "right score: cp 3"),
            (0, "a1b1", &["cp 500"], Failed, "wrong score: cp 500 should be a draw"),
            (0, "a1d1", &["cp 0"], Failed, "given away: a1d1 at cp 0"),
            (0, "a1b1", &["mate 2", "cp 0"], Failed, "unexpected mates: #2 at depth 1, in a draw"),
            (0, "a1b1", &["mate 2 >=", "cp 0"], Passed, "right score: cp 0"),
            (0, "a1b1", &[], Skipped, "no score reported"),
            (0, "a1h8", &["cp 0"], Fault, "illegal move: a1h8"),
            (1, "a7a8q", &["mate 12"], Passed, "right score: mate 12"),
            (1, "a7a8q", &["mate 8", "mate 9"], Failed, "better mates: #8 at depth 1, where #9 is proven"),
            (1, "a7a8q", &["mate -9"], Failed, "wrong mates: #-9 at depth 1, where #9 is proven"),
            (1, "a7a8q", &["cp 0"], Failed, "wrong score: cp 0 should be a win"),
            (1, "h1g1", &["cp 900"], Failed, "given away: h1g1 at cp 900"),
            (2, "h8h7", &["cp -400"], Passed, "right score: cp -400"),
            (2, "h8h7", &["mate -1"], Failed, "better mates: #-1 at depth 1, where #-2 is proven"),
            (3, "a1b1", &["cp 777"], Passed, "right score: cp 777"),
            (3, "a1b1", &[], Passed, "right score: no score"),
            (3, "a1b1", &["mate 0"], Failed, "invalid mate scores: #0 at depth 1"),
            (3, "a1b1", &["mate -3"], Failed, "wrong mates: #-3 at depth 1, where #2 is proven"),
        ];
        for (case, mv, reports, mark, reason) in table {
            let accepts = suite.definitions[case].accepts().expect("it judges one move");
            let (_, mut case) = suite.cases().swap_remove(case);
            let (verdict, asked, games) = lead(case.as_mut(), [says(mv, reports)]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason));
            assert_eq!((asked.len(), games), (1, 1));
            // A journal whose verdicts contradict the answers is refused.
            let is_accepted = accepts(mv.parse().expect("UCI"), &verdict);
            assert!(is_accepted || mark != Passed, "{mv} {reports:?}");
            assert!(asked[0].searchmoves.is_empty());
        }
    }

    #[test]
    fn castling_is_written_as_the_start_position_requires() {
        use VerdictKind::{Failed, Passed};
        let file = "id,class,fen,moves,best,result,dtm\n\
                    a,chess960,4k3/8/8/8/8/8/8/6KR w K - 0 1,,g1h1,,2\n\
                    b,home-squares,4k3/8/8/8/8/8/8/R3K1R1 w KQ - 0 1,,e1a1,,2\n\
                    c,chess,4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1,,e1g1,,2\n";
        let suite = suite(file).expect("sound");
        let table = [
            // case, move, report, verdict, reason
            (0, "g1h1", "cp 500 g1h1", Passed, "right score: cp 500"),
            (1, "e1a1", "cp 500 e1a1 e8e7", Passed, "right score: cp 500"),
            (1, "e1c1", "cp 500", Failed, "wrong notation: e1c1 instead of e1a1"),
            (1, "e1a1", "cp 500 e1c1", Failed, "wrong notation: e1c1 instead of e1a1"),
            (1, "e1a1", "cp 500 g1g2 e8e7 e1c1", Failed, "wrong notation: e1c1 instead of e1a1"),
            (2, "e1g1", "cp 500 e1g1", Passed, "right score: cp 500"),
            (2, "e1h1", "cp 500", Failed, "wrong notation: e1h1 instead of e1g1"),
        ];
        for (case, mv, report, mark, reason) in table {
            let (_, mut case) = suite.cases().swap_remove(case);
            let (verdict, ..) = lead(case.as_mut(), [says(mv, &[report])]);
            assert_eq!((verdict.kind(), verdict.reason().as_str()), (mark, reason));
        }
    }

    #[test]
    fn row_without_a_value_is_refused() {
        let error =
            suite(&FILE.replace("a1b1,,2\n", "a1b1 a1c1,,\n")).expect_err("nothing to judge").to_string();
        assert!(error.starts_with("p.csv:5: neither `result` nor `dtm` is given"), "{error}");
        let single = "id,class,fen,moves,best\na,b,k6R/2K5/8/8/8/8/8/8 b - - 3 9,,a8a7\n";
        assert!(suite(single).is_ok(), "a single move needs no value");
        let mated = "id,class,fen,moves,best,result\na,b,R6k/8/6K1/8/8/8/8/8 b - - 3 9,,h8h7,draw\n";
        assert!(suite(mated).expect_err("mated").to_string().contains("the game is over"), "only claims");
    }
}
