//! Proves perpetual check.
//!
//! All positions reachable by checks and replies form a graph. A position of the checking side has a
//! perpetual if some check leaves the other side only replies into positions with a perpetual. These
//! positions are the greatest fixed point, computed by removing positions that fail until none does. Mate
//! counts as a perpetual, since it is better still. Since positions are finitely many, endless checks repeat
//! one: the checking side has at least a draw.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

/// The positions reachable by checks and replies, and which of them have a perpetual.
#[derive(Debug, Clone)]
pub struct Perpetual {
    held: HashMap<Chess, bool>,
}

/// A position of the checking side: for each check, the positions after the replies.
struct Node {
    checks: Vec<Vec<usize>>,
}

impl Perpetual {
    /// Explores at most `most` positions of the checking side, which is to move at the root. Positions beyond
    /// the limit count as failures, so a perpetual found is proven; one not found may be due to the limit.
    pub fn explore(root: &Chess, most: usize) -> Self {
        let mut numbers = HashMap::from([(root.clone(), 0)]);
        let mut positions = vec![root.clone()];
        let mut nodes: Vec<Node> = Vec::new();
        while nodes.len() < positions.len().min(most) {
            let here = positions[nodes.len()].clone();
            let mut checks = Vec::new();
            for after in after_checks(&here).map(|(_, after)| after) {
                let mut replies = Vec::new();
                for reply in after.legal_moves() {
                    let mut next = after.clone();
                    next.play_unchecked(reply);
                    let number = *numbers.entry(next.clone()).or_insert(positions.len());
                    if number == positions.len() {
                        positions.push(next);
                    }
                    replies.push(number);
                }
                checks.push(replies);
            }
            nodes.push(Node { checks });
        }
        let mut held = vec![true; nodes.len()];
        // Positions beyond the limit were not explored and count as failures.
        held.resize(positions.len(), false);
        loop {
            let struck: Vec<usize> = (0..nodes.len())
                .filter(|&number| held[number])
                .filter(|&number| {
                    // A check without a reply is mate, and `all` holds for it.
                    !nodes[number].checks.iter().any(|replies| replies.iter().all(|&r| held[r]))
                })
                .collect();
            if struck.is_empty() {
                break;
            }
            for number in struck {
                held[number] = false;
            }
        }
        Self { held: positions.into_iter().zip(held).collect() }
    }

    /// Whether the side to move has a proven perpetual here.
    pub fn holds(&self, position: &Chess) -> bool {
        self.held.get(position).copied().unwrap_or(false)
    }

    /// The checks that preserve the perpetual, with the positions after them.
    pub fn keeping(&self, position: &Chess) -> Vec<(Move, Chess)> {
        after_checks(position)
            .filter(|(_, after)| {
                after.legal_moves().into_iter().all(|reply| {
                    let mut next = after.clone();
                    next.play_unchecked(reply);
                    self.holds(&next)
                })
            })
            .collect()
    }
}

/// Whether the side to move can give this number of checks in a row against every reply, or mate. If not,
/// there is no perpetual; this is a cheap pre-test.
pub fn has_checks(here: &Chess, in_a_row: u16) -> bool {
    in_a_row == 0
        || after_checks(here).any(|(_, after)| {
            after.legal_moves().into_iter().all(|reply| {
                let mut next = after.clone();
                next.play_unchecked(reply);
                has_checks(&next, in_a_row - 1)
            })
        })
}

fn after_checks(position: &Chess) -> impl Iterator<Item = (Move, Chess)> {
    position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            (mv, after)
        })
        .filter(|(_, after)| after.is_check())
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn has_checks_counts_checks_in_a_row() {
        let table = [
            // FEN, number of checks in a row, whether it is possible
            ("6k1/5ppp/8/8/8/8/q7/3R3K w - - 0 1", 9, true),
            ("6k1/5pp1/7p/8/8/8/q7/3R3K w - - 0 1", 2, true),
            // The second check loses the rook.
            ("6k1/5pp1/7p/8/8/8/q7/3R3K w - - 0 1", 3, false),
            ("6k1/6p1/8/8/8/2r5/1q6/7K w - - 0 1", 1, false),
        ];
        for (fen, in_a_row, has) in table {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
            assert_eq!(has_checks(&position, in_a_row), has, "{fen} {in_a_row}");
        }
    }

    #[test]
    fn perpetual_of_a_queen_is_decided() {
        let table = [
            // FEN, perpetual, a check that preserves it
            ("6k1/6p1/8/7Q/8/2r5/1q6/7K w - - 0 1", true, Some("h5e8")),
            // Mate counts as a perpetual.
            ("6k1/5ppp/8/8/8/8/q7/3R3K w - - 0 1", true, Some("d1d8")),
            // One check only.
            ("6k1/5pp1/7p/8/8/8/q7/3R3K w - - 0 1", false, None),
            ("6k1/6p1/8/8/8/2r5/1q6/7K w - - 0 1", false, None),
        ];
        for (fen, held, keeping) in table {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
            let perpetual = Perpetual::explore(&position, 5_000);
            assert_eq!(perpetual.holds(&position), held, "{fen}");
            assert!(!held || has_checks(&position, 4), "{fen}");
            let checks: Vec<String> = perpetual
                .keeping(&position)
                .into_iter()
                .map(|(mv, _)| mv.to_uci(CastlingMode::Standard).to_string())
                .collect();
            assert!(keeping.map_or(checks.is_empty(), |mv| checks.iter().any(|check| check == mv)), "{fen}");
        }
    }
}
