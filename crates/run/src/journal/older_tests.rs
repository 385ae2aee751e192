//! Results as journals of earlier versions have them.

use serde_json::{Value, json};

use super::job_result::JobResultV1;
use crate::job::JobResult;
use threefold_games::game::GameEnd;
use threefold_player::{FaultCause, LimitEnforcedBy};
use threefold_suites::{Cause, FailCause};

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
fn older_reason_becomes_cause_and_detail() {
    let row = json!({ "reason": "missed: cp 31; node limit held by the harness" });
    let Ok(JobResult::Case(record)) = case(&row) else { panic!("a case") };
    let verdict = &record.verdict;
    assert_eq!((verdict.cause, verdict.detail.as_str()), (Cause::Failed(FailCause::Missed), "cp 31"));
    assert_eq!(verdict.limit_enforced_by, LimitEnforcedBy::Harness);
    assert_eq!(verdict.reason(), "missed: cp 31; node limit held by the harness");
    let Ok(JobResult::Case(record)) = case(&json!({ "reason": "by a fluke: 3" })) else { panic!("a case") };
    let unclassified = Cause::Failed(FailCause::Unclassified);
    assert_eq!((record.verdict.cause, record.verdict.reason().as_str()), (unclassified, "by a fluke: 3"));
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
fn game_without_a_fault_cause_is_read() {
    let game = |fault: Value| {
        let row = json!({ "game": {
            "players": ["a", "b"], "opening": { "fen": "k7/8/1K6/8/8/8/8/1R6 w - - 0 1", "moves": "" },
            "outcome": "white", "end": { "engine-fault": fault }, "played": [],
        } });
        serde_json::from_value::<JobResultV1>(row).expect("a row").restore()
    };
    let table = [
        (json!("it ended (signal: 11) while searching"), FaultCause::Crash),
        (json!("it was not done answering within 3.0 s"), FaultCause::NoAnswer),
        (json!("something else"), FaultCause::Unclassified),
        (json!(["protocol breach", "it ended (signal: 11) while searching"]), FaultCause::ProtocolBreach),
    ];
    for (written, cause) in table {
        let Ok(JobResult::Game(record)) = game(written.clone()) else { panic!("{written}") };
        let GameEnd::EngineFault(fault) = record.end else { panic!("{written}") };
        let text = written.as_str().unwrap_or("it ended (signal: 11) while searching");
        assert_eq!((fault.cause, fault.detail.as_str()), (cause, text));
    }
    assert!(game(json!(["no such", ""])).is_err());
}
