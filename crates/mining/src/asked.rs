//! Echo asked about a position, with nodes to spend and nobody to interrupt it; and which Echo that was.
//!
//! What is proven stays proven whoever found it, and the check does not ask. But the same seed makes the same
//! bytes with the same Echo alone, so a file whose rows come from Echo's play or judgement says which one it was.

use std::time::Duration;

use shakmaty::uci::UciMove;

use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_echo::{Echo, SearchReport, SearchRequest, bench};

/// Its move, of these alone where there are any, and what it said on the way.
pub(super) fn ask(
    echo: &mut Echo,
    line: &GamePosition,
    nodes: u64,
    only: &[UciMove],
    heard: &mut dyn FnMut(&SearchReport),
) -> Option<UciMove> {
    let never = Stop::default();
    let limits = Limits::nodes(nodes);
    let request = SearchRequest {
        line,
        limits: &limits,
        only,
        stop: &never,
        pondering: &never,
        now: &|| Duration::ZERO,
    };
    echo.search(&request, heard).ok()?.best
}

/// Its move, and its last word on the position, for the side to move.
pub(super) fn judgement(echo: &mut Echo, line: &GamePosition, nodes: u64) -> Option<(UciMove, Score)> {
    let mut said = None;
    let best = ask(echo, line, nodes, &[], &mut |report| said = Some(report.score))?;
    Some((best, said?))
}

/// The line of a file's head that names Echo by the nodes of its bench.
pub(super) fn by_whom() -> String {
    format!("# With the Echo whose `threefold bench` is {}: another one makes other rows.\n", bench::run())
}
