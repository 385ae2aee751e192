//! Time put aside for moves that are in doubt.
//!
//! Every move pays a little into the bank; one whose best move may yet be overtaken draws on it. Lc0's trend window as
//! shipped is renewed when the gap between two reports is *at most* its period, and so spans a single report; here it is
//! renewed when the period is over, as it must have been meant.

use super::{Parameter, SmoothParameters};

/// What is put aside, and whether the present move may have it. Times are milliseconds.
#[derive(Debug, Clone)]
pub(super) struct Piggybank {
    terms: SmoothParameters,
    /// What is in it; `None` before the first move.
    saved: Option<f64>,
    /// The most there may be in it.
    limit: f64,
    /// What this move may draw.
    extra: f64,
    /// May the best move still be overtaken?
    in_doubt: bool,
    /// Nodes of each move when the window before this one began, and when this one did.
    windows: [Window; 2],
}

/// Nodes of each move, by its number, at a time.
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

    /// A search begins, with so much on the clock and an even share of what is left: what is in the bank.
    pub(super) fn begin(&mut self, time: f64, share: f64) -> f64 {
        self.limit = self.terms.get(Parameter::MaxPiggybankMoves) * share;
        let first = self.terms.get(Parameter::InitPiggybank) * time;
        let saved = self.saved.unwrap_or(first).min(self.limit);
        self.extra = self.terms.get(Parameter::MaxPiggybankUse) * saved;
        self.saved = Some(saved);
        self.in_doubt = false;
        self.windows = Default::default();
        saved
    }

    /// What this move pays, of the time that is expected for it.
    pub(super) fn tax(&mut self, expected: f64) -> f64 {
        let saved = self.saved.unwrap_or_default();
        let tax = (self.limit - saved).max(0.0).min(self.terms.get(Parameter::PerMovePiggybank) * expected);
        self.saved = Some(saved + tax);
        tax
    }

    /// What this move may draw.
    pub(super) const fn extra(&self) -> f64 {
        self.extra
    }

    /// May this move draw on it?
    pub(super) fn is_open(&self, elapsed: f64) -> bool {
        self.in_doubt || elapsed <= self.terms.get(Parameter::ForcePiggybank)
    }

    /// A root move has been looked at: is the best one, which comes first, in doubt until that end?
    ///
    /// It is where another has more nodes than it, or would have by then if the best were looked at less than now and
    /// that other more.
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
        let stands = projected(best, best_nodes, self.terms.get(Parameter::BestmoveOptimism));
        let optimism = self.terms.get(Parameter::OvertakerOptimism);
        self.in_doubt =
            now[1..].iter().any(|&(mv, nodes)| best_nodes < nodes || stands < projected(mv, nodes, optimism));
        if elapsed - self.windows[1].since >= self.terms.get(Parameter::TrendPeriod) {
            let mut nodes = vec![0; now.iter().map(|&(mv, _)| mv + 1).max().unwrap_or_default()];
            for &(mv, count) in &now {
                nodes[mv] = count;
            }
            self.windows.rotate_left(1);
            self.windows[1] = Window { since: elapsed, nodes };
        }
    }

    /// What the move drew.
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
    fn moves_pay_in_and_draw() {
        let mut bank = Piggybank::new(SmoothParameters::DEFAULT);
        assert!(close(bank.begin(60_000.0, 1_000.0), 5_400.0));
        assert!(close(bank.tax(1_000.0), 120.0));
        assert!(close(bank.extra(), 0.94 * 5_400.0), "what a move pays it can't draw");
        bank.pay(5_000.0);
        assert!(close(bank.begin(50_000.0, 1_000.0), 520.0));
        // Never more than so many average moves.
        assert!(close(bank.begin(50_000.0, 10.0), 365.0));
        assert!(close(bank.tax(1_000.0), 0.0));
    }

    #[test]
    fn a_best_move_that_may_be_overtaken_is_in_doubt() {
        let watch = |looks: &[(f64, [u64; 2])]| {
            let mut bank = Piggybank::new(SmoothParameters::DEFAULT);
            bank.begin(60_000.0, 1_000.0);
            for &(elapsed, nodes) in looks {
                bank.watch(elapsed, 10_000.0, &mut nodes.into_iter().enumerate());
            }
            bank.in_doubt
        };
        let table = [
            // milliseconds, nodes of the best move and of the other; in doubt until 10 s?
            (vec![(2_000.0, [1_000, 1_001])], true),
            (vec![(2_000.0, [1_000, 10])], false),
            // 250 + 4 · 250 / 2 s · 8 s = 4 250 against 1 000 + 0.2 · 1 000 / 2 s · 8 s = 1 800.
            (vec![(2_000.0, [1_000, 250])], true),
            (vec![(10_000.0, [1_000, 250])], false),
            // What the other had before the window tells nothing of its trend.
            (vec![(3_000.0, [1_000, 900]), (6_000.0, [2_000, 900]), (9_000.0, [9_000, 900])], false),
            (vec![(3_000.0, [1_000, 900]), (6_000.0, [1_900, 950]), (9_000.0, [2_000, 1_900])], true),
        ];
        for (looks, in_doubt) in table {
            assert_eq!(watch(&looks), in_doubt, "{looks:?}");
        }
    }

    #[test]
    fn the_first_second_needs_no_reason() {
        let mut bank = Piggybank::new(SmoothParameters::DEFAULT);
        bank.begin(60_000.0, 1_000.0);
        assert!(bank.is_open(1_000.0));
        assert!(!bank.is_open(1_001.0));
    }
}
