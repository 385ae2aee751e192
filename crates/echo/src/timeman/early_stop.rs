//! Early stop: whether the remaining budget can change the move. Lc0's smart pruning for an alpha-beta
//! search.
//!
//! MCTS stops once no other move can overtake the best. Here a new iteration must first confirm the best move
//! and then search at least one other: if there is no time for the cheapest one, the search stops.

use super::IterationStats;

/// The smallest depth of an early stop.
const SHALLOWEST: i32 = 5;
/// A larger score drop, in centipawns, prevents an early stop.
const ALARM: i32 = 30;
/// Lc0's safety factor for the number of nodes.
const CAUTION: f64 = 1.33;
/// The limits of the growth factor of iterations.
const GROWTH: (f64, f64) = (1.5, 8.0);

/// Whether the remaining nodes do not suffice for one other move. Without another move the search ends by
/// itself.
pub(super) fn is_settled(iteration: &IterationStats, room: f64) -> bool {
    let Some(least) = iteration.least else { return false };
    let [nodes, before] = iteration.nodes;
    let growth = (nodes / before.max(1.0)).clamp(GROWTH.0, GROWTH.1);
    iteration.depth >= SHALLOWEST
        && iteration.fallen < ALARM
        && room / CAUTION < growth * (iteration.best + least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_stop_waits_while_another_move_could_be_searched() {
        let calm = IterationStats {
            depth: 8,
            nodes: [3000.0, 1000.0],
            best: 1000.0,
            least: Some(100.0),
            ..IterationStats::default()
        };
        // Three times as large as the last: 3 300 nodes for the best and the cheapest move, 4 389 with the
        // safety factor.
        let table = [
            (calm, 4388.0, true),
            (calm, 4390.0, false),
            (IterationStats { fallen: 29, ..calm }, 4388.0, true),
            (IterationStats { fallen: 30, ..calm }, 4388.0, false),
            (IterationStats { depth: 4, ..calm }, 0.0, false),
            (IterationStats { least: None, ..calm }, 0.0, false),
            (IterationStats { nodes: [100_000.0, 1000.0], ..calm }, 8.0 * 1100.0 * 1.33 - 1.0, true),
            (IterationStats { nodes: [100_000.0, 1000.0], ..calm }, 8.0 * 1100.0 * 1.33 + 1.0, false),
            (IterationStats { nodes: [1000.0, 1000.0], ..calm }, 1.5 * 1100.0 * 1.33 - 1.0, true),
            (IterationStats { nodes: [1000.0, 0.0], ..calm }, 8.0 * 1100.0 * 1.33 + 1.0, false),
        ];
        for (iteration, room, settled) in table {
            assert_eq!(is_settled(&iteration, room), settled, "{iteration:?} with {room}");
        }
    }
}
