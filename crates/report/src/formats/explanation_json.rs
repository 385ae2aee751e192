//! What is known of a case as one JSON object, for `threefold explain --json`.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;

use crate::model::build::search_limits;
use crate::words::explanation::{CaseExplanation, CaseResult};
use threefold_chess::clock::Limits;
use threefold_oracle::Referee;
use threefold_player::visible::visible_json;
use threefold_run::regress::baseline::BaselineCase;
use threefold_suites::{CaseInfo, Suite, VerdictKind};

/// The object, on several lines, with a line break at its end. All explanations are of the same case, one for
/// each engine that has it.
pub fn json(explanations: &[CaseExplanation<'_>]) -> Option<String> {
    let CaseExplanation { suite, info, command, .. } = explanations.first()?;
    let mut object = case(suite, info);
    object["command"] = json!(command);
    object["results"] = explanations.iter().filter_map(result).collect();
    let text = serde_json::to_string_pretty(&object).expect("strings and numbers are always JSON");
    Some(visible_json(&text) + "\n")
}

/// The description of the case.
fn case(suite: &Suite, info: &CaseInfo) -> Value {
    let referee = Referee::new(&info.position).ok();
    let fen = referee.as_ref().map(|it| Fen::from_position(it.position(), EnPassantMode::Legal).to_string());
    let moves: Vec<String> = info.position.moves.iter().map(ToString::to_string).collect();
    json!({
        "version": 1,
        "suite": info.suite,
        "id": info.id,
        "class": info.class,
        "title": suite.title,
        "summary": suite.summary,
        "fen": fen,
        "occurrences": referee.as_ref().map(Referee::occurrences),
        "history": { "fen": info.position.start.to_string(), "moves": moves },
        "accepted": info.accepted,
        "note": info.note,
        "limits": limits(&suite.limits),
    })
}

fn limits(limits: &Limits) -> Value {
    json!({
        "nodes": limits.nodes,
        "depth": limits.depth.map(|depth| depth.0),
        "movetime_ms": limits.movetime.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        "tc": limits.clocks.map(|clocks| clocks.to_string()),
    })
}

/// What an engine did; `None` if it did not run the case.
fn result(explanation: &CaseExplanation<'_>) -> Option<Value> {
    let CaseResult { engine, task, verdict, baseline } = explanation.result.as_ref()?;
    let counts: BTreeMap<&str, u64> =
        verdict.measures.iter().map(|measure| (measure.name.as_str(), measure.amount)).collect();
    let is_skipped = verdict.kind() == VerdictKind::Skipped;
    Some(json!({
        "engine": engine.name,
        "spec": engine.text,
        "limits": limits(task.limits.as_deref().unwrap_or(&explanation.suite.limits)),
        "limits_text": search_limits(task, explanation.suite),
        "verdict": verdict.kind().name(),
        "cause": verdict.cause.name(),
        "detail": verdict.detail,
        "meaning": verdict.cause.summary(),
        "played": (!is_skipped).then_some(&verdict.played),
        "score": verdict.score.map(|score| score.to_string()),
        "depth": verdict.depth.0,
        "nodes": verdict.nodes,
        "solved_nodes": verdict.solved_nodes,
        "time_ms": verdict.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        "pv": verdict.pv.split_whitespace().collect::<Vec<_>>(),
        "counts": counts,
        "baseline": baseline.map(of_baseline),
        "command": explanation.command,
    }))
}

fn of_baseline(case: &BaselineCase) -> Value {
    let BaselineCase { class: _, cause, detail, played, solved_nodes, accepted } = case;
    json!({
        "verdict": case.kind().name(), "cause": cause.name(), "detail": detail, "played": played, "solved_nodes": solved_nodes,
        "accepted": accepted.map(VerdictKind::name),
    })
}
