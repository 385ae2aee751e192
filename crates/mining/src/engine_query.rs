//! Searches with the built-in Echo, without an interruption; and the identification of that Echo.
//!
//! A proof holds whichever engine found the position, and the check does not use Echo. But a seed gives the
//! same bytes only with the same Echo, so a file whose rows come from Echo's games or scores names its
//! version.

use std::time::Duration;

use shakmaty::uci::UciMove;

use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_echo::{Echo, SearchReport, SearchRequest, bench};

/// Echo's move (of these moves only, if any are given), and its reports.
pub(super) fn search(
    echo: &mut Echo,
    position: &GamePosition,
    nodes: u64,
    only: &[UciMove],
    on_report: &mut dyn FnMut(&SearchReport),
) -> Option<UciMove> {
    let never = Stop::default();
    let limits = Limits::nodes(nodes);
    let request = SearchRequest {
        position,
        limits: &limits,
        only,
        stop: &never,
        pondering: &never,
        // Without a clock the answer depends on the nodes alone, on any machine.
        now: &|| Duration::ZERO,
    };
    echo.search(&request, on_report).ok()?.best
}

/// Echo's move (of these moves only, if any are given) and its final score, for the side to move.
pub(super) fn best_move_and_score(
    echo: &mut Echo,
    position: &GamePosition,
    nodes: u64,
    only: &[UciMove],
) -> Option<(UciMove, Score)> {
    let mut said = None;
    let best = search(echo, position, nodes, only, &mut |report| said = Some(report.score))?;
    Some((best, said?))
}

/// The line of a file's header that identifies Echo by its bench signature.
pub(super) fn engine_header() -> String {
    format!("# With the Echo whose `threefold bench` is {}: another one makes other rows.\n", bench::run())
}
