//! What an engine reports beside score and depth is journaled if it is asked for, and only then.

use std::time::Duration;

use super::rows::{read_result, write_result};
use super::time_forfeit_tests;
use crate::job::JobResult;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord, MoveRecord, MoveTiming};
use threefold_games::move_details::MoveDetails;

/// Everything that can be asked for.
pub(super) fn details(mv: &str, time: Duration) -> MoveDetails {
    MoveDetails {
        seldepth: Some(Ply(30)),
        nps: Some(u64::MAX),
        hashfull: Some(999),
        tbhits: Some(0),
        pv: vec![mv.parse().expect("a move")],
        wdl: "312/641/47".parse().ok(),
        reported_time: Some(time),
        lines: vec!["info string \"a\"".to_owned()],
        is_from_book: false,
    }
}

/// A move's timing; `left` is where something is known.
pub(super) fn timing(used: Duration, left: Option<Duration>) -> MoveTiming {
    MoveTiming {
        sent: 2 * used,
        first_output: left,
        delays: left.map(|_| time_forfeit_tests::delays(3, 4)),
        cpu: left,
    }
}

/// A game with one move.
fn game(details: Option<Box<MoveDetails>>) -> JobResult {
    let played =
        MoveRecord { depth: Ply(1), nodes: 7, details, ..MoveRecord::new("e2e4".parse().expect("a move")) };
    JobResult::Game(GameRecord {
        played: vec![played],
        ..GameRecord::new(["A", "B"], GamePosition::start_position(), GameOutcome::Draw, GameEnd::Stalemate)
    })
}

#[test]
fn details_are_journaled_as_far_as_they_are_known() {
    assert!(write_result(&game(None)).ends_with(r#""played":[["e2e4",null,1,7,null,null]]}}"#));
    let all = details("e2e4", Duration::from_nanos(5));
    let none = MoveDetails::default();
    let table = [
        (MoveDetails { seldepth: all.seldepth, ..none.clone() }, r#"{"seldepth":30}"#),
        (MoveDetails { nps: Some(1), ..none.clone() }, r#"{"nps":1}"#),
        (MoveDetails { hashfull: all.hashfull, ..none.clone() }, r#"{"hashfull":999}"#),
        (MoveDetails { tbhits: all.tbhits, ..none.clone() }, r#"{"tbhits":0}"#),
        (MoveDetails { pv: all.pv.clone(), ..none.clone() }, r#"{"pv":"e2e4"}"#),
        (MoveDetails { wdl: all.wdl, ..none.clone() }, r#"{"wdl":"312/641/47"}"#),
        (MoveDetails { reported_time: all.reported_time, ..none.clone() }, r#"{"time":5}"#),
        (MoveDetails { lines: vec!["x".to_owned()], ..none.clone() }, r#"{"lines":["x"]}"#),
        (MoveDetails { is_from_book: true, ..none }, r#"{"book":true}"#),
    ];
    for (details, written) in table {
        let game = game(Some(Box::new(details)));
        let text = write_result(&game);
        assert!(text.ends_with(&format!(r#",{{"reported":{written}}}]]}}}}"#)), "{text}");
        assert_eq!(read_result(&text), Ok(game));
    }
    let text = write_result(&game(Some(Box::new(details("e2e4", Duration::ZERO)))));
    let error = read_result(&text.replace(r#""pv":"e2e4""#, r#""pv":"e9""#)).expect_err("no move");
    assert!(error.contains("`e9` is no move"), "{error}");
}
