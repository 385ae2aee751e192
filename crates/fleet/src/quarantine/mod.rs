//! How workers conduct themselves: which of them is quarantined, and why.
//!
//! A worker whose result is refused is quarantined at once: its program or its memory is wrong. A worker with
//! time losses is quarantined if chance does not explain that it has more than the others (Fisher's exact
//! test, one-sided), and a worker whose speed has changed since its first games ([`speed`]).

mod speed;

use std::collections::BTreeMap;

use self::speed::SpeedRecords;
use threefold_games::game::GameEnd;
use threefold_run::job::{JobResult, WorkerId};

/// The fewest time losses for a quarantine.
const FEWEST_LOSSES: u64 = 3;
/// The largest probability of at least these time losses by chance. A run of many workers is tested often, so
/// it is small.
const LARGEST_CHANCE: f64 = 1e-5;

/// The games of a worker.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Record {
    games: u64,
    time_losses: u64,
}

/// The conduct of all workers in a run.
#[derive(Debug, Default)]
pub(crate) struct Quarantine {
    records: BTreeMap<usize, Record>,
    speeds: SpeedRecords,
    quarantined: BTreeMap<usize, String>,
}

impl Quarantine {
    /// Adds a result; returns why the worker is quarantined now.
    pub(crate) fn record(&mut self, worker: WorkerId, result: &JobResult) -> Option<String> {
        let JobResult::Game(game) = result else { return None };
        let record = self.records.entry(worker.0).or_default();
        record.games += 1;
        if !matches!(game.end, GameEnd::TimeForfeit { .. }) {
            let change = self.speeds.record(worker.0, game)?;
            return self.quarantine(worker, format!("its speed has changed: {change}"));
        }
        record.time_losses += 1;
        let own = *record;
        let sum = |of: fn(&Record) -> u64| self.records.values().map(of).sum::<u64>();
        let (games, losses) = (sum(|record| record.games), sum(|record| record.time_losses));
        let is_bad = own.time_losses >= FEWEST_LOSSES
            && chance_of_more(games, losses, own.games, own.time_losses) <= LARGEST_CHANCE;
        if !is_bad {
            return None;
        }
        let others = losses - own.time_losses;
        self.quarantine(
            worker,
            format!(
                "{} time losses in {} games, where the others have {others} in {}",
                own.time_losses,
                own.games,
                games - own.games
            ),
        )
    }

    /// Quarantines a worker; returns the reason, unless it is in quarantine.
    pub(crate) fn quarantine(&mut self, worker: WorkerId, why: String) -> Option<String> {
        if self.quarantined.contains_key(&worker.0) {
            return None;
        }
        self.quarantined.insert(worker.0, why.clone());
        Some(why)
    }

    /// Why a worker is in quarantine.
    pub(crate) fn quarantined(&self, worker: WorkerId) -> Option<&str> {
        self.quarantined.get(&worker.0).map(String::as_str)
    }
}

/// The probability that a random sample of `drawn` of `all` games has at least `found` of the `marked` ones.
fn chance_of_more(all: u64, marked: u64, drawn: u64, found: u64) -> f64 {
    // The factorial of 171 overflows an `f64`, so all factors are logarithms.
    let ln_factorials: Vec<f64> = std::iter::once(0.0)
        .chain((1..=all).scan(0.0, |sum, number| {
            *sum += (number as f64).ln();
            Some(*sum)
        }))
        .collect();
    let ln_choose = |from: u64, number: u64| {
        let [from, number] = [from as usize, number as usize];
        ln_factorials[from] - ln_factorials[number] - ln_factorials[from - number]
    };
    // Every sample has at least `drawn + marked - all` marked games.
    let least = found.max((drawn + marked).saturating_sub(all));
    let of = |number: u64| {
        let others = ln_choose(all - marked, drawn - number);
        (ln_choose(marked, number) + others - ln_choose(all, drawn)).exp()
    };
    // The tail of the hypergeometric distribution. Rounding may bring the sum above 1.
    (least..=marked.min(drawn)).map(of).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use shakmaty::Color;

    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_games::game::GameRecord;
    use threefold_player::EngineFault;

    fn game(end: GameEnd) -> JobResult {
        let names = ["A", "B"].map(str::to_owned);
        let fault = EngineFault::Interrupted;
        let game = GameRecord::unstarted(names, GamePosition::start_position(), Color::White, &fault);
        JobResult::Game(GameRecord { end, ..game })
    }

    fn late() -> JobResult {
        game(GameEnd::TimeForfeit { over: Duration::from_millis(3), margin: Duration::ZERO, delays: None })
    }

    #[test]
    fn chances_are_those_of_fishers_exact_test() {
        // R: phyper(k - 1, marked, all - marked, drawn, lower.tail = FALSE)
        let table = [
            ((10, 5, 5, 5), 1.0 / 252.0),
            ((10, 5, 5, 4), 26.0 / 252.0),
            ((8, 4, 4, 0), 1.0),
            ((10, 9, 5, 4), 1.0),
            ((40_000, 3, 4_000, 3), 0.000_999_32),
        ];
        for ((all, marked, drawn, found), expected) in table {
            let chance = chance_of_more(all, marked, drawn, found);
            assert!((chance - expected).abs() < 1e-7, "{all} {marked} {drawn} {found}: {chance}");
        }
    }

    #[test]
    fn worker_that_loses_on_time_alone_is_quarantined() {
        let mut conduct = Quarantine::default();
        for number in 0..600 {
            assert_eq!(conduct.record(WorkerId(number % 6), &game(GameEnd::Checkmate)), None);
        }
        // Losses of all are no reason.
        for number in 0..12 {
            assert_eq!(conduct.record(WorkerId(number % 6), &late()), None);
        }
        let reasons: Vec<String> = (0..30).filter_map(|_| conduct.record(WorkerId(2), &late())).collect();
        assert_eq!(reasons.len(), 1, "once: {reasons:?}");
        assert!(reasons[0].ends_with("where the others have 10 in 510"), "{reasons:?}");
        assert!(conduct.quarantined(WorkerId(2)).is_some() && conduct.quarantined(WorkerId(3)).is_none());
    }

    #[test]
    fn worker_alone_is_not_quarantined_for_time_losses() {
        let mut conduct = Quarantine::default();
        assert!((0..50).all(|_| conduct.record(WorkerId(1), &late()).is_none()));
    }
}
