//! The piggybank: time reserved for uncertain moves.
//!
//! Every move saves a little; a move whose best move may be overtaken uses the savings. Lc0's trend window as
//! shipped is renewed when the gap between two reports is *at most* its period, and so spans a single report;
//! here it is renewed after the period, as presumably intended.

use super::{Parameter, SmoothParameters};

/// The savings, and whether the current move may use them. Times are in milliseconds.
#[derive(Debug, Clone)]
pub(super) struct Piggybank {
    terms: SmoothParameters,
    /// The savings; `None` before the first move.
    saved: Option<f64>,
    /// The limit of the savings.
    limit: f64,
    /// The extra time of this move.
    extra: f64,
    /// Whether the best move may still be overtaken.
    in_doubt: bool,
    /// Nodes of each move at the starts of the previous and the current window.
    windows: [Window; 2],
}

/// Nodes of each move, by number, at a time.
#[derive(Debug, Clone, Default)]
struct Window {
    since: f64,
    nodes: Vec<u64>,
}

impl Window {
    fn nodes_of(&self, mv: usize) -> f64 {
        self.nodes.get(mv).copied().unwrap_or_default() as f64
    }
}

impl Piggybank {
    pub(super) fn new(terms: SmoothParameters) -> Self {
        Self { terms, saved: None, limit: 0.0, extra: 0.0, in_doubt: false, windows: Default::default() }
    }

    /// Starts a search, with this time on the clock and this even share; returns the savings.
    pub(super) fn begin(&mut self, time: f64, share: f64) -> f64 {
        self.limit = self.terms.get(Parameter::MaxPiggybankMoves) * share;
        let first = self.terms.get(Parameter::InitPiggybank) * time;
        let saved = self.saved.unwrap_or(first).min(self.limit);
        // From the savings before those of this move, as in Lc0.
        self.extra = self.terms.get(Parameter::MaxPiggybankUse) * saved;
        self.saved = Some(saved);
        self.in_doubt = false;
        self.windows = Default::default();
        saved
    }

    /// The amount saved from the expected time of this move.
    pub(super) fn tax(&mut self, expected: f64) -> f64 {
        let saved = self.saved.unwrap_or_default();
        let tax = (self.limit - saved).max(0.0).min(self.terms.get(Parameter::PerMovePiggybank) * expected);
        self.saved = Some(saved + tax);
        tax
    }

    /// The extra time of this move.
    pub(super) const fn extra(&self) -> f64 {
        self.extra
    }

    /// Whether this move may use the savings.
    pub(super) fn is_open(&self, elapsed: f64) -> bool {
        self.in_doubt || elapsed <= self.terms.get(Parameter::ForcePiggybank)
    }

    /// Updates after a root move: decides whether the best move, which is first, is uncertain until `end`.
    ///
    /// It is uncertain if another move has more nodes, or would have by then if the best one got fewer nodes
    /// than now and the other more.
    pub(super) fn watch(&mut self, elapsed: f64, end: f64, moves: &mut dyn Iterator<Item = (usize, u64)>) {
        let now: Vec<(usize, u64)> = moves.collect();
        let Some(&(best, best_nodes)) = now.first() else { return };
        let [from, _] = &self.windows;
        let span = (elapsed - from.since).max(f64::MIN_POSITIVE);
        let ahead = (end - elapsed).max(0.0);
        let projected = |mv, nodes: u64, optimism| {
            let nodes = nodes as f64;
            nodes + optimism * (nodes - from.nodes_of(mv)) / span * ahead
        };
        let of_best = projected(best, best_nodes, self.terms.get(Parameter::BestmoveOptimism));
        let optimism = self.terms.get(Parameter::OvertakerOptimism);
        self.in_doubt = now[1..]
            .iter()
            .any(|&(mv, nodes)| best_nodes < nodes || of_best < projected(mv, nodes, optimism));
        if elapsed - self.windows[1].since >= self.terms.get(Parameter::TrendPeriod) {
            let mut nodes = vec![0; now.iter().map(|&(mv, _)| mv + 1).max().unwrap_or_default()];
            for &(mv, count) in &now {
                nodes[mv] = count;
            }
            self.windows.rotate_left(1);
            self.windows[1] = Window { since: elapsed, nodes };
        }
    }

    /// Subtracts the used savings.
    pub(super) fn pay(&mut self, drawn: f64) {
        self.saved = self.saved.map(|saved| (saved - drawn).max(0.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-9
    }

    #[test]
    fn piggybank_saves_and_pays() {
        let mut bank = Piggybank::new(SmoothParameters::DEFAULT);
        assert!(close(bank.begin(60_000.0, 1_000.0), 5_400.0));
        assert!(close(bank.tax(1_000.0), 120.0));
        assert!(close(bank.extra(), 0.94 * 5_400.0), "what a move pays it can't draw");
        bank.pay(5_000.0);
        assert!(close(bank.begin(50_000.0, 1_000.0), 520.0));
        // Limited by a number of average moves.
        assert!(close(bank.begin(50_000.0, 10.0), 365.0));
        assert!(close(bank.tax(1_000.0), 0.0));
    }

    #[test]
    fn best_move_that_may_be_overtaken_is_uncertain() {
        let watch = |looks: &[(f64, [u64; 2])]| {
            let mut bank = Piggybank::new(SmoothParameters::DEFAULT);
            bank.begin(60_000.0, 1_000.0);
            for &(elapsed, nodes) in looks {
                bank.watch(elapsed, 10_000.0, &mut nodes.into_iter().enumerate());
            }
            bank.in_doubt
        };
        let table = [
            // milliseconds, nodes of the best and of the other move; uncertain until 10 s
            (vec![(2_000.0, [1_000, 1_001])], true),
            (vec![(2_000.0, [1_000, 10])], false),
            // 250 + 4 · 250 / 2 s · 8 s = 4 250 against 1 000 + 0.2 · 1 000 / 2 s · 8 s = 1 800.
            (vec![(2_000.0, [1_000, 250])], true),
            (vec![(10_000.0, [1_000, 250])], false),
            // Nodes before the window do not count for the trend.
            (vec![(3_000.0, [1_000, 900]), (6_000.0, [2_000, 900]), (9_000.0, [9_000, 900])], false),
            // 900 + 4 · 0 against 1 950 + 0.2 · 950 / 6 s · 1 s = 1 982.
            (vec![(3_000.0, [1_000, 900]), (6_000.0, [1_500, 900]), (9_000.0, [1_950, 900])], false),
            (vec![(3_000.0, [1_000, 900]), (6_000.0, [1_900, 950]), (9_000.0, [2_000, 1_900])], true),
        ];
        for (looks, in_doubt) in table {
            assert_eq!(watch(&looks), in_doubt, "{looks:?}");
        }
    }

    #[test]
    fn piggybank_is_open_in_the_first_second() {
        let mut bank = Piggybank::new(SmoothParameters::DEFAULT);
        bank.begin(60_000.0, 1_000.0);
        assert!(bank.is_open(1_000.0));
        assert!(!bank.is_open(1_001.0));
    }
}
