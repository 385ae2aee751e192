//! Would what is left of the budget change anything? Lc0's smart pruning, as an alpha-beta search can ask it.
//!
//! A tree search by visits stops once no other move can overtake the best. Here a new iteration would first have to
//! confirm the best move and then settle at least one challenger: if there is not time for the cheapest, the time is
//! better kept.

use super::IterationStats;

/// Before this depth nothing is settled.
const SHALLOWEST: i32 = 5;
/// A score that fell by so many centipawns is looked into.
const ALARM: i32 = 30;
/// Less is done in a time than its nodes would say: Lc0's factor of caution.
const CAUTION: f64 = 1.33;
/// How much larger an iteration is than the one before, at least and at most.
const GROWTH: (f64, f64) = (1.5, 8.0);

/// Is there too little time for the verdict on even one challenger, with so many nodes left to spend? Where there is
/// none at all the search knows by itself when to end.
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
    fn a_search_goes_on_while_a_challenger_could_be_heard() {
        let calm = IterationStats {
            depth: 8,
            nodes: [3000.0, 1000.0],
            best: 1000.0,
            least: Some(100.0),
            ..IterationStats::default()
        };
        // Three times as large as the last: 3 300 nodes for the best and the cheapest, 4 389 with caution.
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
