//! Results of which the cause is wrong.

use serde_json::{Value, json};

use super::job_result::JobResultV1;
use crate::job::JobResult;
use threefold_games::game::GameEnd;
use threefold_player::FaultCause;

fn case(row: &Value) -> Result<JobResult, String> {
    let mut whole = json!({
        "suite": "mate", "id": "a", "class": "mate-in-2", "engine": "Echo", "accepted": "#2", "note": "",
        "line": "fen k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "mark": "failed", "played": "b1b2", "score": null,
        "depth": 3, "nodes": 100, "pv": "",
    });
    for (key, value) in row.as_object().expect("an object") {
        whole[key] = value.clone();
    }
    let read: JobResultV1 =
        serde_json::from_value(json!({ "case": whole })).map_err(|error| error.to_string())?;
    read.restore()
}

#[test]
fn cause_of_another_verdict_is_refused() {
    let table = [
        (json!({ "cause": "an accepted move" }), "case mate/a: cause `an accepted move` is not known"),
        (json!({ "cause": "no such" }), "case mate/a: cause `no such` is not known"),
        (json!({ "cause": "missed", "mark": "great" }), "case mate/a: mark `great` is not known"),
        (json!({ "cause": "missed", "limit_keeper": "nobody" }), "case mate/a: limit_keeper `nobody`"),
    ];
    for (row, message) in table {
        let error = case(&row).expect_err(message);
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn fault_of_a_game_has_a_cause() {
    let game = |fault: Value| {
        let row = json!({ "game": {
            "players": ["a", "b"], "opening": { "fen": "k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "moves": "" },
            "outcome": "white", "end": { "engine-fault": fault }, "played": [],
        } });
        let read: JobResultV1 = serde_json::from_value(row).map_err(|error| error.to_string())?;
        read.restore()
    };
    let Ok(JobResult::Game(record)) = game(json!(["protocol breach", "no reply"])) else { panic!("a game") };
    let GameEnd::EngineFault(fault) = record.end else { panic!("a fault") };
    assert_eq!((fault.cause, fault.detail.as_str()), (FaultCause::ProtocolBreach, "no reply"));
    assert!(game(json!(["no such", ""])).is_err());
}
