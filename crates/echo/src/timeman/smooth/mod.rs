//! Lc0's smooth time manager (PR 1195 and later), adapted to alpha-beta.
//!
//! Its first goal is to use the whole clock by the end of the game. Its second is that every move is searched
//! with a tree of about the same size, including reused nodes. It learns three quantities during the game:
//! the share of a tree that the next search reuses, the share of a budget that a search uses, and the speed.
//! `piggybank` was added when the code was merged. `saving` counts inherited nodes only as far as they save
//! nodes.

mod piggybank;
mod saving;
mod speed;
#[cfg(test)]
mod tests;

use std::time::Duration;

use super::early_stop::is_settled;
use super::moves_left::GameLengthModel;
use super::parameters::{Parameter, SmoothParameters};
use super::{
    ClockState, FinishedSearch, IterationStats, OVERHEAD_MOVES, ReuseSample, SearchProgress, TimeAllotment,
    TimeStrategy, TreeReuse, duration, millis,
};
use piggybank::Piggybank;
use saving::Saving;
use speed::{Speed, SpeedSmoothing};
use threefold_chess::clock::{Decimal, TimeEstimates};

/// Exponential approach to a value: half of the distance per `step`.
fn approach(from: f64, to: f64, step: f64, covered: f64) -> f64 {
    to - (to - from) * 0.5_f64.powf(covered / step)
}

/// The number of later moves whose overhead is taken off the clock, in sudden death without the piggybank.
///
/// Lc0's formula takes off a single one. With a lag of nearly the overhead at every move, games of eighty
/// moves were lost on time with 25 moves or fewer (1 of 96 games), and none of 200 with 30. With the
/// piggybank, which spends more early, not even the usual number was enough at such a lag.
const RESERVED_MOVES: u32 = 30;

/// The smooth manager.
#[derive(Clone)]
pub(super) struct Smooth {
    terms: SmoothParameters,
    /// The share of a tree that the next search reuses (ρ).
    reuse: f64,
    /// The share of a budget that a search uses (u).
    time_use: f64,
    speed: Speed,
    piggybank: Option<Piggybank>,
    /// What the reused nodes save, if it is learnt.
    saving: Option<Saving>,
    plan: TimePlan,
    /// Milliseconds of the last search, and its planned average.
    last: Option<[f64; 2]>,
}

/// The plan of the current move. Times are in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct TimePlan {
    moves_left: f64,
    /// An even share of the remaining time.
    average: f64,
    /// The budget of this move.
    budget: f64,
    /// The extra time beyond the budget.
    extra: f64,
}

impl Smooth {
    /// The manager as proposed.
    pub(super) fn new(terms: &SmoothParameters) -> Self {
        Self::with(terms, SpeedSmoothing::Always { half: 1e3 * terms.get(Parameter::NpsUpdateRate) }, None)
    }

    /// The manager as merged, with the piggybank.
    pub(super) fn with_piggybank(terms: &SmoothParameters) -> Self {
        let window = 1e3 * terms.get(Parameter::NpsUpdatePeriod);
        Self::with(terms, SpeedSmoothing::Downwards { window }, Some(Piggybank::new(*terms)))
    }

    fn with(terms: &SmoothParameters, blend: SpeedSmoothing, piggybank: Option<Piggybank>) -> Self {
        Self {
            terms: *terms,
            reuse: terms.get(Parameter::InitTreeReuse).min(terms.get(Parameter::MaxTreeReuse)),
            time_use: terms.get(Parameter::InitTimeuse).max(terms.get(Parameter::MinTimeuse)),
            speed: Speed::new(terms.get(Parameter::InitNps), blend),
            piggybank,
            saving: None,
            plan: TimePlan::default(),
            last: None,
        }
    }

    /// Sets the sample from which the manager learns the tree reuse.
    pub(super) fn learning_from(self, sample: ReuseSample) -> Self {
        let saving = match sample {
            ReuseSample::Inherited => None,
            ReuseSample::Saved => Some(Saving::new(self.reuse)),
        };
        Self { saving, ..self }
    }

    /// Learns the tree reuse; longer searches have more weight.
    fn learn_reuse(&mut self, share: f64) {
        let Some([used, average]) = self.last else { return };
        if average > 0.0 {
            let step = self.terms.get(Parameter::TreeReuseUpdateRate);
            let most = self.terms.get(Parameter::MaxTreeReuse);
            self.reuse = approach(self.reuse, share, step, used / average).min(most);
        }
    }

    /// Learns from the nodes that the reused ones saved in the search that has ended.
    fn learn_saving(&mut self, outcome: &FinishedSearch) {
        let (Some(saving), Some([used, average])) = (&mut self.saving, self.last) else { return };
        if average > 0.0 {
            let step = self.terms.get(Parameter::TreeReuseUpdateRate);
            let most = self.terms.get(Parameter::MaxTreeReuse);
            saving.learn(outcome, |from, to| approach(from, to, step, used / average).min(most));
        }
    }

    fn learn_use(&mut self, used: f64) {
        let TimePlan { average, budget, .. } = self.plan;
        let entered = self.piggybank.is_some() && budget < used;
        // A search that used the savings counts as one that used exactly its budget, as in Lc0.
        let sample = if entered || budget <= 0.0 { 1.0 } else { used / budget };
        let covered = if average > 0.0 { used / average } else { 0.0 };
        let step = self.terms.get(Parameter::TimeuseUpdateRate);
        let least = self.terms.get(Parameter::MinTimeuse);
        self.time_use = approach(self.time_use, sample, step, covered).max(least);
    }

    /// Milliseconds until the end of the search, by current estimates.
    fn end_of_search(&self, elapsed: f64) -> f64 {
        let in_doubt = self.piggybank.as_ref().is_some_and(|bank| bank.is_open(elapsed));
        self.plan.budget + if in_doubt { self.plan.extra } else { 0.0 }
    }
}

impl TimeStrategy for Smooth {
    fn copy(&self) -> Box<dyn TimeStrategy> {
        Box::new(self.clone())
    }

    fn allot(&mut self, facts: &ClockState) -> TimeAllotment {
        // A search that does not continue the last one shows nothing about reuse. Lc0 takes 0 for it.
        if let Some(share) = facts.inherited.share {
            self.learn_reuse(share);
        }
        self.speed.begin();
        let time = millis(facts.remaining.time);
        let usable = (time - millis(facts.overhead)).max(0.0);
        let model = GameLengthModel {
            midpoint: self.terms.get(Parameter::MovesLeftMidpoint),
            steepness: self.terms.get(Parameter::MovesLeftSteepness),
        };
        let moves_left = model.left(facts.ply, facts.moves_to_go);
        // The increment of the last move comes too late to be used.
        let increments = millis(facts.remaining.increment) * (moves_left - 1.0);
        let rest = (time + increments - millis(facts.overhead)).max(0.0);
        let aside = self.piggybank.as_mut().map_or(0.0, |bank| bank.begin(time, rest / moves_left));
        let average = (rest - aside).max(0.0) / moves_left;
        // The time of a tree of even size minus the reused nodes.
        let speed = self.speed.a_second();
        let (reuse, inherited) = match &mut self.saving {
            Some(saving) => saving.begin(facts.inherited),
            None => (self.reuse, facts.inherited.nodes as f64),
        };
        // Only the share 1 - reuse of a tree is searched anew, so the tree may be larger than the time
        // allows. The share is at least 0.01.
        let tree = average * speed / 1e3 / (1.0 - reuse);
        // After a large reuse the difference is negative. Lc0 got this floor later (#1476).
        let fresh = (tree - inherited).max(0.0);
        let expected = 1e3 * fresh / speed;
        let most = (self.terms.get(Parameter::MaxMoveBudget) * time).min(usable);
        let tax = self.piggybank.as_mut().map_or(0.0, |bank| bank.tax(expected));
        // On average a search uses only this share of its budget.
        let budget = ((expected - tax) / self.time_use).min(most);
        let extra = self.piggybank.as_ref().map_or(0.0, |bank| bank.extra().min(usable - budget).max(0.0));
        self.plan = TimePlan { moves_left, average, budget, extra };
        let hard = if self.piggybank.is_some() { budget + extra } else { most };
        TimeAllotment { soft: duration(budget), hard: duration(hard) }
    }

    fn until(&mut self, moment: &SearchProgress) -> Duration {
        let elapsed = millis(moment.elapsed);
        self.speed.see(moment.nodes as f64, elapsed);
        duration(self.end_of_search(elapsed))
    }

    fn is_enough(&self, moment: &SearchProgress, iteration: &IterationStats) -> bool {
        let elapsed = millis(moment.elapsed);
        let left = self.end_of_search(elapsed) - elapsed;
        left <= 0.0 || is_settled(iteration, self.speed.a_second() * left / 1e3)
    }

    fn watch(&mut self, moment: &SearchProgress, moves: &mut dyn Iterator<Item = (usize, u64)>) {
        let end = self.plan.budget + self.plan.extra;
        if let Some(bank) = &mut self.piggybank {
            bank.watch(millis(moment.elapsed), end, moves);
        }
    }

    fn end(&mut self, outcome: &FinishedSearch) {
        let used = millis(outcome.used);
        self.learn_use(used);
        // `last` is still the search from which the nodes were inherited: its time is their weight, as in
        // `learn_reuse`.
        self.learn_saving(outcome);
        if let Some(bank) = &mut self.piggybank {
            bank.pay((used - self.plan.budget).max(0.0));
        }
        self.speed.end();
        self.last = Some([used, self.plan.average]);
    }

    fn estimates(&self) -> TimeEstimates {
        TimeEstimates {
            moves_left: Some(Decimal::rounded(self.plan.moves_left, 3)),
            speed: Some(self.speed.a_second().round() as u64),
            reuse: Some(Decimal::rounded(self.saving.as_ref().map_or(self.reuse, Saving::share), 4)),
            time_use: Some(Decimal::rounded(self.time_use, 4)),
        }
    }

    fn reserved_moves(&self) -> u32 {
        if self.piggybank.is_some() { OVERHEAD_MOVES } else { RESERVED_MOVES }
    }

    fn needs_tree_reuse(&self) -> bool {
        true
    }
}
