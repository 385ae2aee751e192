//! Did a match's pairs end alike wherever and whenever they were played?
//!
//! A noisy machine doesn't announce itself; it makes the pairs of one core, or of one hour, end unlike the others.
//! By the schedule the groups are the same in every run of an order, so all formats tell of them. Which slot played
//! a pair is the machine's affair and differs from run to run, so only the page does.

use super::phrase;
use threefold_stats::homogeneity::{Homogeneity, PairOutcomes};
use threefold_stats::interval::Rate;

/// What puts pairs in groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupedBy {
    /// They are neighbours in the order of the schedule.
    Stretch,
    /// One slot of the pool played them.
    Slot,
}

/// Pairs in groups, and whether the groups ended alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// What puts them in groups.
    pub by: GroupedBy,
    /// The groups, in order.
    pub groups: Vec<Group>,
    /// The test over all of them.
    pub test: Homogeneity,
}

/// Some pairs of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// `pairs 1 to 32`, or `slot 2`.
    pub name: String,
    /// How they ended for the first engine.
    pub outcomes: PairOutcomes,
    /// How far they stand out, in normal scores; `None` where they are too few to say.
    pub residual: Option<f64>,
}

/// The chance of an overall difference by chance alone that is worth a word where no group stands out.
const NOTABLE: f64 = 0.01;

impl Grouping {
    /// Groups that stand out more than any does in all but one of twenty matches, the oddest first.
    pub fn suspects(&self) -> Vec<&Group> {
        let notable = |group: &&Group| group.residual > Some(self.test.notable);
        let mut suspects: Vec<&Group> = self.groups.iter().filter(notable).collect();
        let residual = |group: &Group| group.residual.unwrap_or_default();
        suspects.sort_by(|a, b| residual(b).total_cmp(&residual(a)));
        suspects
    }

    /// Is there anything to look into?
    pub fn is_suspicious(&self) -> bool {
        !self.suspects().is_empty() || self.test.p < NOTABLE
    }

    /// The test in a sentence, what to do about the group that stands out most, and which others do.
    pub fn told(&self) -> String {
        let Homogeneity { statistic, freedom, p, .. } = &self.test;
        let groups = self.groups.iter().filter(|group| group.residual.is_some()).count();
        let differ = if self.is_suspicious() { "do not end alike" } else { "end alike" };
        let several = match self.by {
            GroupedBy::Stretch => "stretches of the schedule",
            GroupedBy::Slot => "slots",
        };
        let mut sentences = vec![format!(
            "Pairs {differ} over {groups} {several}: chi-square {statistic:.1} at {freedom} degrees of freedom, {}.",
            phrase::p_value(*p)
        )];
        match &self.suspects()[..] {
            [] if self.is_suspicious() => sentences.push("No group stands out by itself.".to_owned()),
            [] => {}
            [oddest, others @ ..] => {
                sentences.extend(self.accusation(oddest));
                let others: Vec<String> =
                    others.iter().map(|group| format!("{} ({})", group.name, self.score(group))).collect();
                if !others.is_empty() {
                    sentences
                        .push(format!("It may be what makes others stand out: {}.", phrase::listed(&others)));
                }
            }
        }
        sentences.join(" ")
    }

    /// What of a group is unlike the others.
    fn accusation(&self, group: &Group) -> Option<String> {
        let pairs = group.outcomes.pairs();
        let excess = |count: u64, share: f64| {
            let expected = share * pairs as f64;
            (count as f64 - expected).powi(2) / expected
        };
        let outcomes =
            group.outcomes.counts().into_iter().zip(self.test.shares).zip(["won", "lost", "level"]);
        let ((count, share), outcome) = outcomes.max_by(|((a, in_all), _), ((b, in_all_too), _)| {
            excess(*a, *in_all).total_cmp(&excess(*b, *in_all_too))
        })?;
        let look = match self.by {
            GroupedBy::Slot => "look at that core before trusting the match",
            GroupedBy::Stretch => {
                "look at their openings, and at what the machine did meanwhile, before trusting the match"
            }
        };
        Some(format!(
            "Of {}{}, {} were {outcome} where {} were expected ({}): {look}.",
            match self.by {
                GroupedBy::Slot => "the pairs of ",
                GroupedBy::Stretch => "",
            },
            group.name,
            phrase::share(Rate { successes: count, failures: pairs - count }),
            phrase::percent(share),
            self.score(group)
        ))
    }

    /// `z = 4.1, alarming`.
    fn score(&self, group: &Group) -> String {
        let residual = group.residual.unwrap_or_default();
        let weight = if residual > self.test.alarming { "alarming" } else { "notable" };
        format!("z = {}, {weight}", z(residual))
    }
}

/// A normal score; beyond what a number can hold, a bound.
pub(super) fn z(residual: f64) -> String {
    if residual.is_finite() { format!("{residual:.1}") } else { "over 37".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouping(by: GroupedBy, outcomes: &[[u64; 3]]) -> Grouping {
        let outcomes: Vec<PairOutcomes> =
            outcomes.iter().map(|&[won, lost, level]| PairOutcomes { won, lost, level }).collect();
        let test = Homogeneity::of(&outcomes).expect("pairs enough");
        let group = |(index, (&outcomes, &residual)): (usize, (&PairOutcomes, &Option<f64>))| Group {
            name: format!("slot {}", index + 1),
            outcomes,
            residual,
        };
        let groups = outcomes.iter().zip(&test.residuals).enumerate().map(group).collect();
        Grouping { by, groups, test }
    }

    #[test]
    fn only_groups_that_stand_out_are_accused() {
        let table = [
            (
                grouping(GroupedBy::Stretch, &[[20, 22, 30], [21, 19, 32], [24, 20, 28]]),
                "Pairs end alike over 3 stretches of the schedule: chi-square 0.9 at 4 degrees of freedom, p = 0.925.",
            ),
            (
                grouping(GroupedBy::Slot, &[[28, 22, 50], [8, 60, 32], [1, 1, 1], [26, 24, 50]]),
                "Pairs do not end alike over 3 slots: chi-square 42.5 at 4 degrees of freedom, p < 0.001. Of the pairs of \
                 slot 2, 60.0 % (50.2 to 69.1) were lost where 35.3 % were expected (z = 6.1, alarming): look at that \
                 core before trusting the match. It may be what makes others stand out: slot 1 (z = 2.9, alarming) \
                 and slot 4 (z = 2.2, notable).",
            ),
        ];
        for (grouping, expected) in table {
            assert_eq!(grouping.told(), expected);
        }
        let apart = grouping(GroupedBy::Slot, &[[100_000, 10, 10], [10, 100_000, 10], [10, 10, 90]]);
        assert!(apart.told().contains("z = over 37, alarming"), "{}", apart.told());
    }
}
