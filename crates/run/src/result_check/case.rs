//! Compares the result of a case with its definition.

use shakmaty::uci::UciMove;

use super::ResultMismatch;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;
use threefold_player::{EngineSource, EngineSpec, FaultCause};
use threefold_suites::{CaseDefinition, CaseInfo, CaseRecord, Cause, FailCause, Verdict};

/// The most searches that one verdict on a move takes: suite `rule` may ask two dead draws in addition.
const MOST_SEARCHES: u64 = 4;
/// The built-in engine always completes the first iteration.
const NODES_OF_FIRST_ITERATION: u64 = 10_000;

/// Checks a case of a suite with these limits and this engine.
pub(super) fn check(
    definition: &CaseDefinition,
    limits: &Limits,
    engine: &EngineSpec,
    record: &CaseRecord,
) -> Result<(), ResultMismatch> {
    let CaseInfo { suite, class, position: history, .. } = &definition.info;
    check_property("suite", suite, &record.suite)?;
    check_property("class", class, &record.class)?;
    check_property("engine", &engine.name, &record.engine)?;
    check_property("position", &history.to_string(), &record.line.to_string())?;
    if let Some(accepts) = definition.accepts() {
        check_move(&definition.info, accepts, &record.verdict)?;
        check_nodes(limits, engine, &record.verdict)?;
    }
    Ok(())
}

fn check_property(what: &'static str, expected: &str, found: &str) -> Result<(), ResultMismatch> {
    if expected == found {
        return Ok(());
    }
    Err(ResultMismatch::OtherProperty { what, found: found.to_owned(), expected: expected.to_owned() })
}

/// Checks the verdict of a case that judges one move.
fn check_move(
    info: &CaseInfo,
    accepts: &dyn Fn(UciMove, &Verdict) -> bool,
    verdict: &Verdict,
) -> Result<(), ResultMismatch> {
    let legal = legal_move(&info.position, &verdict.played);
    let is_accepted = legal.is_some_and(|mv| accepts(mv, verdict));
    let follows = match verdict.cause {
        Cause::Passed(_) => is_accepted,
        // A late answer fails, whatever it is. Journals of earlier versions do not say why a case failed.
        Cause::Failed(FailCause::Late | FailCause::Unclassified) => true,
        // A suite that asks for one move does not say whether another one is legal.
        Cause::Failed(FailCause::AnotherMove) => !is_accepted,
        // These are about any line of the search; the last move and score may be right.
        Cause::Failed(
            FailCause::WrongMate
            | FailCause::InvalidMate
            | FailCause::UnexpectedMate
            | FailCause::BetterMate
            | FailCause::WrongNotation,
        ) => legal.is_some(),
        Cause::Failed(_) => legal.is_some() && !is_accepted,
        Cause::Fault(FaultCause::IllegalMove) => legal.is_none(),
        Cause::Fault(FaultCause::NoMove) => verdict.played.is_empty(),
        Cause::Fault(_) | Cause::Skipped(_) => true,
    };
    if follows {
        return Ok(());
    }
    Err(ResultMismatch::OtherVerdict {
        verdict: verdict.reason(),
        played: verdict.played.clone(),
        accepted: info.accepted.clone(),
    })
}

/// Checks the nodes of the built-in engine, which keeps its limit. Another engine that does not gets a
/// warning.
fn check_nodes(limits: &Limits, engine: &EngineSpec, verdict: &Verdict) -> Result<(), ResultMismatch> {
    let Some(limit) = limits.nodes.filter(|_| engine.source == EngineSource::Echo) else { return Ok(()) };
    if verdict.nodes <= limit.saturating_add(NODES_OF_FIRST_ITERATION).saturating_mul(MOST_SEARCHES) {
        return Ok(());
    }
    Err(ResultMismatch::TooManyNodes { nodes: verdict.nodes, limit })
}

/// The move that a text names, as UCI writes it; `None` if it is no legal move at the end of the line.
fn legal_move(position: &GamePosition, text: &str) -> Option<UciMove> {
    let referee = Referee::new(position).ok()?;
    Some(referee.uci(referee.legal(text.parse().ok()?).ok()?))
}
