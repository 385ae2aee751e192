//! Bisecting a loss of strength: pairs of games against the good commit, and the probability of each suspect.
//!
//! Model: the first bad commit is one of the suspects, each as likely as the others, and lost `d` normalized Elo; all
//! commits before it are as strong as the good one. `d` is known, or one of five values, each as likely. The mean of
//! `n` pairs of a commit is normal with variance v/n. A commit that has the first bad one among its ancestors has the
//! mean 1/2 - `d` in score, the others 1/2.
//!
//! The next pairs are of the commit that is bad with a probability nearest to one half: in this model it has the
//! highest entropy, so its pairs say most (Horstein 1963; Karp and Kleinberg, *Noisy binary search*, 2007). It is
//! played until that probability leaves the middle, since another commit must be built first. The bisection ends when
//! one suspect has the probability 95 %.
//!
//! The posterior is a statement of this model, not a bound of an error rate: simulations show how often it is right.

use std::collections::BTreeMap;

use super::history::{CommitSet, EqualCommits, History};
use crate::elo::{NORMALIZED_SCALE, Normalized};
use crate::pentanomial::Pentanomial;
use crate::sample::Sample;

/// The losses that are considered if none is given, in normalized Elo.
pub const DROPS: [Normalized; 5] =
    [Normalized(8.0), Normalized(15.0), Normalized(25.0), Normalized(45.0), Normalized(80.0)];

/// The probability at which a bisection ends.
pub const CERTAIN: f64 = 0.95;

/// A commit gets more games until the probability that it is bad is above this value, or below 1 minus this value.
const DECIDED: f64 = 0.85;

/// A commit that has been played is played again if it is at most this far from one half: it is built.
const NEAR: f64 = 0.15;

/// The variance of a pair's mean score before the first pair, and the number of pairs for which it counts. Openings
/// of usual books have 0.03 to 0.06.
const PRIOR_VARIANCE: f64 = 0.05;
const PRIOR_PAIRS: f64 = 10.0;

/// What can be done with a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Testable {
    /// It can be played.
    #[default]
    Yes,
    /// It has pairs, and no further distinct ones.
    UsedUp,
    /// It does not build or start.
    No,
}

/// The next step of a bisection.
#[derive(Debug, Clone, PartialEq)]
pub enum StrengthStep {
    /// Play pairs of this commit against the good one.
    Play(usize),
    /// These are the suspects that have the probability; one, unless commits between them cannot be tested.
    Found {
        /// The suspects.
        commits: Vec<usize>,
        /// Their probability.
        probability: f64,
    },
    /// The bad commit is as strong as the good one: there is nothing to find. The probability of that.
    NotWeaker(f64),
    /// No commit has further distinct pairs.
    UsedUp,
}

/// A bisection, with its results so far.
#[derive(Debug, Clone)]
pub struct StrengthBisection<'h> {
    history: &'h History,
    suspects: CommitSet,
    drops: Vec<Normalized>,
    pairs: BTreeMap<usize, Pentanomial>,
}

impl<'h> StrengthBisection<'h> {
    /// Without results. `drops` are the losses that are considered, in normalized Elo, each above 0.
    pub fn new(history: &'h History, equal: &EqualCommits, drops: Vec<Normalized>) -> Self {
        Self { history, suspects: history.suspects(equal), drops, pairs: BTreeMap::new() }
    }

    /// Sets the pairs of a commit against the good one, from the commit's side.
    pub fn set(&mut self, commit: usize, pairs: Pentanomial) {
        self.pairs.insert(commit, pairs);
    }

    /// The pairs of a commit so far.
    pub fn pairs(&self, commit: usize) -> Pentanomial {
        self.pairs.get(&commit).copied().unwrap_or_default()
    }

    /// The number of pairs of all commits.
    pub fn all_pairs(&self) -> u64 {
        self.pairs.values().map(Pentanomial::trials).sum()
    }

    /// The suspects, before any result.
    pub const fn suspects(&self) -> &CommitSet {
        &self.suspects
    }

    /// The probability that the bad commit is weaker than the good one, by its own pairs; one half before them.
    pub fn bad_is_weaker(&self) -> f64 {
        let bad = self.history.bad();
        let weights: Vec<f64> = self
            .drops
            .iter()
            .map(|&drop| self.log_likelihoods(drop).get(&bad).copied().unwrap_or(0.0))
            .collect();
        // The prior odds are even, and each loss has the same part of them.
        let mean = log_sum(&weights) - (self.drops.len() as f64).ln();
        1.0 / (1.0 + (-mean).exp())
    }

    /// The probability of each commit to be the first bad one; 0 for those that are no suspects.
    pub fn posterior(&self) -> Vec<f64> {
        let suspects: Vec<usize> = self.suspects.iter().collect();
        let mut logs = vec![Vec::with_capacity(self.drops.len()); suspects.len()];
        for &drop in &self.drops {
            let of_commit = self.log_likelihoods(drop);
            for (logs, &suspect) in logs.iter_mut().zip(&suspects) {
                let bad = of_commit.iter().filter(|(commit, _)| self.is_bad_after(**commit, suspect));
                logs.push(bad.map(|(_, log)| log).sum::<f64>());
            }
        }
        let logs: Vec<f64> = logs.iter().map(|logs| log_sum(logs)).collect();
        let whole = log_sum(&logs);
        let mut posterior = vec![0.0; self.history.size()];
        for (&suspect, log) in suspects.iter().zip(&logs) {
            posterior[suspect] = (log - whole).exp();
        }
        posterior
    }

    /// The probability that a commit is bad.
    pub fn is_bad(&self, commit: usize, posterior: &[f64]) -> f64 {
        self.history.ancestors(commit).iter().map(|suspect| posterior[suspect]).sum()
    }

    /// The next step. `playing` is the commit that was played last.
    pub fn next_step(&self, testable: &[Testable], playing: Option<usize>) -> StrengthStep {
        if let Some(step) = self.first_test(testable) {
            return step;
        }
        let posterior = self.posterior();
        let groups = self.groups(testable);
        let of_group = |group: &Vec<usize>| group.iter().map(|&commit| posterior[commit]).sum::<f64>();
        if let Some(group) = groups.iter().find(|group| of_group(group) >= CERTAIN) {
            return StrengthStep::Found { commits: group.clone(), probability: of_group(group) };
        }
        let distance = |commit: usize| (self.is_bad(commit, &posterior) - 0.5).abs();
        let can_be_played = |commit: usize| {
            testable[commit] == Testable::Yes && self.suspects.common(self.history.ancestors(commit)) > 0
        };
        if let Some(playing) = playing
            && can_be_played(playing)
            && distance(playing) < DECIDED - 0.5
        {
            return StrengthStep::Play(playing);
        }
        let candidates = (0..self.history.size()).filter(|&commit| can_be_played(commit));
        let candidates: Vec<usize> = candidates.collect();
        let nearest = |commits: &mut dyn Iterator<Item = usize>| {
            commits.min_by(|&one, &other| distance(one).total_cmp(&distance(other)))
        };
        let played = nearest(&mut self.pairs.keys().copied().filter(|&commit| can_be_played(commit)));
        match (played.filter(|&commit| distance(commit) <= NEAR), nearest(&mut candidates.into_iter())) {
            (Some(played), _) => StrengthStep::Play(played),
            (None, Some(commit)) => StrengthStep::Play(commit),
            (None, None) => StrengthStep::UsedUp,
        }
    }

    /// The pairs of the bad commit come first: they show that there is a loss, and how large it is. `None` once they do.
    fn first_test(&self, testable: &[Testable]) -> Option<StrengthStep> {
        let (bad, weaker) = (self.history.bad(), self.bad_is_weaker());
        if weaker >= CERTAIN {
            return None;
        }
        let is_alone = self.pairs.keys().all(|&commit| commit == bad);
        if is_alone && weaker <= 1.0 - CERTAIN {
            return Some(StrengthStep::NotWeaker(1.0 - weaker));
        }
        Some(if testable[bad] == Testable::Yes { StrengthStep::Play(bad) } else { StrengthStep::UsedUp })
    }

    /// The suspects, together with those that no testable commit separates from them.
    fn groups(&self, testable: &[Testable]) -> Vec<Vec<usize>> {
        if !testable.contains(&Testable::No) {
            return self.suspects.iter().map(|suspect| vec![suspect]).collect();
        }
        let bad = self.history.bad();
        let tested: Vec<usize> =
            (0..testable.len()).filter(|&commit| testable[commit] != Testable::No || commit == bad).collect();
        let mut groups: BTreeMap<CommitSet, Vec<usize>> = BTreeMap::new();
        for suspect in self.suspects.iter() {
            let mut bad_commits = CommitSet::empty(testable.len());
            tested
                .iter()
                .filter(|&&commit| self.is_bad_after(commit, suspect))
                .for_each(|&it| bad_commits.insert(it));
            groups.entry(bad_commits).or_default().push(suspect);
        }
        groups.into_values().collect()
    }

    /// Is a commit bad if this suspect is the first bad one?
    fn is_bad_after(&self, commit: usize, suspect: usize) -> bool {
        self.history.ancestors(commit).contains(suspect)
    }

    /// The log-likelihood ratio of each played commit: that it lost this much against that it is as strong.
    fn log_likelihoods(&self, drop: Normalized) -> BTreeMap<usize, f64> {
        let squares = |pairs: &Pentanomial| {
            Sample::raw(pairs).map_or((0.0, 0.5), |it| (it.variance() * it.trials(), it.mean()))
        };
        let all: f64 = self.pairs.values().map(|pairs| squares(pairs).0).sum();
        let common = (PRIOR_PAIRS * PRIOR_VARIANCE + all) / (PRIOR_PAIRS + self.all_pairs() as f64);
        // The loss in score: the same for all commits.
        let loss = drop.0 / NORMALIZED_SCALE * Sample::<5>::GAMES_PER_TRIAL.sqrt() * common.sqrt();
        let ratio = |pairs: &Pentanomial| {
            let (own, mean) = squares(pairs);
            let number = pairs.trials() as f64;
            // A commit that plays like the good one has level pairs only; the common variance is the prior of its own.
            let variance = (PRIOR_PAIRS * common + own) / (PRIOR_PAIRS + number);
            // The difference of two squares: (mean - 1/2)² - (mean - 1/2 + loss)², times n / 2v.
            -number / (2.0 * variance) * loss * (2.0 * (mean - 0.5) + loss)
        };
        self.pairs.iter().map(|(&commit, pairs)| (commit, ratio(pairs))).collect()
    }
}

/// The logarithm of a sum of exponentials.
fn log_sum(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most.is_infinite() { most } else { most + logs.iter().map(|log| (log - most).exp()).sum::<f64>().ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(size: usize) -> History {
        History::new((0..size).map(|index: usize| index.checked_sub(1).into_iter().collect()).collect())
    }

    #[test]
    fn posterior_follows_the_pairs() {
        let history = line(9);
        let mut bisection = StrengthBisection::new(&history, &EqualCommits::none(9), vec![Normalized(40.0)]);
        let before = bisection.posterior();
        assert!(before[0] == 0.0 && before[1..].iter().all(|chance| (chance - 0.125).abs() < 1e-12));
        assert_eq!(bisection.next_step(&[Testable::Yes; 9], None), StrengthStep::Play(8));
        bisection.set(8, Pentanomial { counts: [10, 70, 100, 40, 5] });
        assert_eq!(bisection.next_step(&[Testable::Yes; 9], None), StrengthStep::Play(4));
        bisection.set(4, Pentanomial { counts: [10, 70, 100, 40, 5] });
        let posterior = bisection.posterior();
        assert!(bisection.is_bad(4, &posterior) > 0.99, "{posterior:?}");
        bisection.set(4, Pentanomial { counts: [5, 50, 100, 50, 5] });
        assert!(bisection.is_bad(4, &bisection.posterior()) < 0.5);
        bisection.set(8, Pentanomial { counts: [5, 50, 100, 50, 5] });
        assert!(bisection.bad_is_weaker() < 0.5);
        bisection.set(8, Pentanomial { counts: [10, 70, 100, 40, 5] });
        assert!(bisection.bad_is_weaker() > 0.95);
    }

    #[test]
    fn commits_that_cannot_be_tested_are_one_answer() {
        let history = line(6);
        let mut bisection = StrengthBisection::new(&history, &EqualCommits::none(6), DROPS.to_vec());
        let mut testable = [Testable::Yes; 6];
        testable[2] = Testable::No;
        testable[3] = Testable::No;
        let (level, lost) =
            (Pentanomial { counts: [0, 200, 400, 200, 0] }, Pentanomial { counts: [0, 400, 400, 0, 0] });
        bisection.set(1, level);
        bisection.set(4, lost);
        bisection.set(5, lost);
        let StrengthStep::Found { commits, probability } = bisection.next_step(&testable, None) else {
            panic!("it is found")
        };
        assert_eq!(commits, [2, 3, 4]);
        assert!(probability > CERTAIN);
        assert_eq!(
            StrengthBisection::new(&history, &EqualCommits::none(6), DROPS.to_vec())
                .next_step(&[Testable::UsedUp; 6], None),
            StrengthStep::UsedUp
        );
    }

    #[test]
    fn level_pairs_alone_count_for_the_good_side() {
        let history = line(3);
        let mut bisection = StrengthBisection::new(&history, &EqualCommits::none(3), vec![Normalized(20.0)]);
        bisection.set(2, Pentanomial { counts: [0, 0, 500, 0, 0] });
        assert!(bisection.bad_is_weaker() < 0.05);
    }
}
