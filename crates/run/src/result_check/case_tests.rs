//! A result is refused if its verdict contradicts the engine's answer, or its case differs from the job's.

use std::sync::Arc;

use super::*;
use crate::job::{Part, RunSpec, SuiteTask};
use threefold_chess::score::{Centipawns, Score};
use threefold_player::FaultCause;
use threefold_suites::{Cause, FailCause, PassCause, SourceFile, SuiteSource};

const FEN: &str = "1kr5/3n4/q3p2p/p2n2p1/PppB1P2/5BP1/1P2Q2P/3R2K1 w - - 0 1";

fn run(kind: &str, file: &str, positions: &str) -> PreparedRun {
    let source_file = |file: &str, text: String| SourceFile { file: file.to_owned(), text };
    let toml = format!(
        "version = 1\nkind = \"{kind}\"\ntitle = \"T\"\npositions = [\"{file}\"]\n[limits]\nnodes = 5000\n"
    );
    let source = SuiteSource {
        suite_file: source_file("s.toml", toml),
        positions: vec![source_file(file, positions.to_owned())],
    };
    let task = SuiteTask::new("echo,name=E".parse().expect("sound"), source);
    let parts = vec![Part::without_labels("s".to_owned(), Task::Suite(task))];
    PreparedRun::prepare(Arc::new(RunSpec { parts, ..RunSpec::default() })).expect("sound")
}

/// A result of the first case with this verdict.
fn record(run: &PreparedRun, cause: impl Into<Cause>, played: &str, score: i32) -> CaseRecord {
    let info = run.suite(0).expect("a suite").definitions[0].info.clone();
    let mut verdict = threefold_suites::Verdict::unanswered(cause, "");
    verdict.played = played.to_owned();
    verdict.score = Some(Score::Cp(Centipawns(score)));
    verdict.nodes = 5_000;
    CaseRecord {
        suite: info.suite,
        id: info.id,
        class: info.class,
        engine: "E".to_owned(),
        accepted: info.accepted,
        note: info.note,
        line: info.position,
        verdict,
    }
}

fn check(run: &PreparedRun, record: CaseRecord) -> Result<(), String> {
    let checked = run.check_result(JobKey { part: 0, job: 0 }, &JobResult::Case(record));
    checked.map(|_| ()).map_err(|mismatch| mismatch.to_string())
}

#[test]
fn verdict_on_a_move_follows_from_the_accepted_moves() {
    let run = run("best-move", "b.epd", &format!("{FEN} bm f5;\n"));
    let table: [(Cause, &str, bool); 9] = [
        (PassCause::AcceptedMove.into(), "f4f5", true),
        (PassCause::AcceptedMove.into(), "d4f2", false),
        (PassCause::AcceptedMove.into(), "f4f6", false),
        (PassCause::AcceptedMove.into(), "", false),
        (FailCause::NoPoint.into(), "d4f2", true),
        (FailCause::NoPoint.into(), "f4f5", false),
        (FaultCause::IllegalMove.into(), "f4f6", true),
        (FaultCause::IllegalMove.into(), "f4f5", false),
        (FaultCause::NoMove.into(), "f4f5", false),
    ];
    for (cause, played, is_right) in table {
        let checked = check(&run, record(&run, cause, played, 0));
        assert_eq!(checked.is_ok(), is_right, "{} {played}: {checked:?}", cause.name());
    }
    let error = check(&run, record(&run, PassCause::AcceptedMove, "d4f2", 0)).expect_err("not accepted");
    assert_eq!(
        error,
        "the verdict `an accepted move` contradicts the answer `d4f2`, where `f4f5` is accepted"
    );
}

#[test]
fn impossible_mate_may_be_in_an_earlier_line_than_the_right_answer() {
    let rows = "id,class,fen,moves,best,result,dtm\na,x,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,,e2e4,draw,\n";
    let run = run("value", "v.csv", rows);
    for cause in [FailCause::UnexpectedMate, FailCause::InvalidMate, FailCause::WrongNotation] {
        assert_eq!(check(&run, record(&run, cause, "e2e4", 0)), Ok(()));
        assert!(check(&run, record(&run, cause, "e2e5", 0)).is_err(), "no legal move");
    }
    assert!(check(&run, record(&run, FailCause::WrongScore, "e2e4", 0)).is_err());
}

#[test]
fn verdict_on_a_score_follows_from_the_score() {
    let rows = "id,class,fen,moves,best,result\na,x,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,,e2e4,draw\n";
    let run = run("rule", "r.csv", rows);
    let table: [(Cause, &str, i32, bool); 5] = [
        (PassCause::RightScore.into(), "e2e4", 0, true),
        (PassCause::RightScore.into(), "e2e4", 300, false),
        (PassCause::RightScore.into(), "e2e3", 0, false),
        (FailCause::WrongScore.into(), "e2e4", 300, true),
        (FailCause::WrongScore.into(), "e2e4", 0, false),
    ];
    for (cause, played, score, is_right) in table {
        let checked = check(&run, record(&run, cause, played, score));
        assert_eq!(checked.is_ok(), is_right, "{} {played} {score}: {checked:?}", cause.name());
    }
}

/// Changes a record into a wrong one.
type Change = fn(&mut CaseRecord);

#[test]
fn case_is_that_of_the_job() {
    let run = run("best-move", "b.epd", &format!("{FEN} bm f5;\n"));
    let right = record(&run, PassCause::AcceptedMove, "f4f5", 0);
    assert_eq!(check(&run, right.clone()), Ok(()));
    let changes: [(Change, &str); 5] = [
        (|record| record.id.push('x'), "is not case"),
        (|record| record.class.push('x'), "its class is"),
        (|record| record.engine.push('x'), "its engine is `Ex` instead of `E`"),
        (|record| record.line = threefold_chess::position::GamePosition::start_position(), "its position is"),
        (|record| record.verdict.nodes = 1_000_000, "it has 1000000 nodes, and the limit is 5000"),
    ];
    for (change, message) in changes {
        let mut record = right.clone();
        change(&mut record);
        let error = check(&run, record).expect_err(message);
        assert!(error.contains(message), "{error}");
    }
}
