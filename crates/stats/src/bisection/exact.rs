//! Bisecting by a question that one test of a commit answers.
//!
//! The next commit is the one that divides the suspects into the most equal parts, as in `git bisect` (Lee,
//! *git-bisect*). Commits that cannot be tested are passed over as `git bisect skip` does: the choice then leaves
//! their neighbourhood, by the formula of git's `bisect.c`.
//!
//! A result holds for all commits that equal the tested one. That rests on an assumption: a node count of `bench`
//! does not show every change. So the commit that is found, and its parents, are tested themselves. If that
//! contradicts the assumption, it is dropped.

use super::history::{CommitSet, EqualCommits, History};

/// What a test of a commit showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It behaves as the good commit.
    Good,
    /// It behaves as the bad commit.
    Bad,
    /// It cannot be tested: it does not build or start.
    Skipped,
}

/// The next step of a bisection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExactStep {
    /// Test this commit, with the number of suspects that are left.
    Test {
        /// The commit.
        commit: usize,
        /// The number of suspects.
        suspects: usize,
    },
    /// This is the first bad commit.
    Found(usize),
    /// It is one of these, and the commits that would decide cannot be tested.
    AnyOf(Vec<usize>),
}

/// The next step, from the verdicts so far (`None` for a commit that was not tested). The good commit has verdict
/// `Good`, the bad one `Bad`.
///
/// ```
/// use threefold_stats::bisection::{EqualCommits, ExactStep, History, Verdict};
/// use threefold_stats::bisection::exact::next_step;
///
/// let history = History::new(vec![vec![], vec![0], vec![1], vec![2], vec![3]]);
/// let none = EqualCommits::none(5);
/// let (good, bad) = (Some(Verdict::Good), Some(Verdict::Bad));
/// let step = next_step(&history, &none, &[good, None, None, None, bad]);
/// assert_eq!(step, ExactStep::Test { commit: 2, suspects: 4 });
/// let step = next_step(&history, &none, &[good, None, good, bad, bad]);
/// assert_eq!(step, ExactStep::Found(3));
/// ```
pub fn next_step(history: &History, equal: &EqualCommits, verdicts: &[Option<Verdict>]) -> ExactStep {
    if !equal.is_any() {
        return step(history, equal, verdicts);
    }
    let none = EqualCommits::none(history.size());
    if is_refuted(equal, verdicts) || remaining(history, equal, verdicts).is_empty() {
        return step(history, &none, verdicts);
    }
    match step(history, equal, verdicts) {
        ExactStep::Found(commit) => confirmation(history, verdicts, commit).map_or(
            ExactStep::Found(commit),
            // The suspect, and what contradicts it.
            |commit| ExactStep::Test { commit, suspects: 1 },
        ),
        step => step,
    }
}

/// Do two equal commits have different verdicts?
pub fn is_refuted(equal: &EqualCommits, verdicts: &[Option<Verdict>]) -> bool {
    let with = |wanted| (0..verdicts.len()).filter(move |&index| verdicts[index] == Some(wanted));
    with(Verdict::Good).any(|good| with(Verdict::Bad).any(|bad| equal.are_equal(good, bad)))
}

/// The suspects that the verdicts leave, those of equal commits included.
pub fn remaining(history: &History, equal: &EqualCommits, verdicts: &[Option<Verdict>]) -> CommitSet {
    let mut suspects = history.suspects(equal);
    for (index, verdict) in known(equal, verdicts).into_iter().enumerate() {
        match verdict {
            Some(Verdict::Good) => suspects.subtract(history.ancestors(index)),
            Some(Verdict::Bad) => suspects.keep(history.ancestors(index)),
            Some(Verdict::Skipped) | None => {}
        }
    }
    suspects
}

/// The verdict of each commit, or that of a commit that equals it.
fn known(equal: &EqualCommits, verdicts: &[Option<Verdict>]) -> Vec<Option<Verdict>> {
    let mut of_class = vec![None; verdicts.len()];
    for (index, verdict) in verdicts.iter().enumerate() {
        if let Some(decided @ (Verdict::Good | Verdict::Bad)) = verdict {
            of_class[equal.class(index)] = Some(*decided);
        }
    }
    (0..verdicts.len()).map(|index| of_class[equal.class(index)].or(verdicts[index])).collect()
}

/// The next step, if equal commits are what they are taken for.
fn step(history: &History, equal: &EqualCommits, verdicts: &[Option<Verdict>]) -> ExactStep {
    let suspects = remaining(history, equal, verdicts);
    let all = suspects.len();
    if let (1, Some(only)) = (all, suspects.iter().next()) {
        return ExactStep::Found(only);
    }
    let known = known(equal, verdicts);
    let mut candidates = Vec::new();
    for (index, verdict) in known.iter().enumerate() {
        let behind = history.ancestors(index).common(&suspects);
        let distance = behind.min(all - behind);
        // A commit that has no suspect behind it, or all of them, says nothing.
        if matches!(verdict, None | Some(Verdict::Skipped)) && distance > 0 {
            candidates.push((distance, index));
        }
    }
    candidates.sort_by_key(|&(distance, index)| (std::cmp::Reverse(distance), index));
    let testable = |index: usize| verdicts[index] != Some(Verdict::Skipped);
    let best = candidates.first().map(|&(distance, _)| distance);
    let at_best = candidates.iter().find(|&&(distance, index)| Some(distance) == best && testable(index));
    let chosen = at_best.map(|&(_, index)| index).or_else(|| {
        let left: Vec<usize> =
            candidates.iter().map(|&(_, index)| index).filter(|&it| testable(it)).collect();
        away_from_skipped(&left)
    });
    match chosen {
        Some(commit) => ExactStep::Test { commit, suspects: all },
        None => ExactStep::AnyOf(suspects.iter().collect()),
    }
}

/// A commit of a list that is sorted by what it decides, if the best one cannot be tested: not its neighbour, which
/// is likely to have the same defect. `skip_away` of git's `bisect.c`.
fn away_from_skipped(sorted: &[usize]) -> Option<usize> {
    /// The range of git's pseudorandom numbers.
    const RANGE: u64 = 32_768;
    let count = sorted.len() as u64;
    let number = (count.wrapping_mul(1_103_515_245).wrapping_add(12_345) / 65_536) % RANGE;
    // As in git, the power of 1.5 favours the beginning of the list: the commits that decide most.
    let share = number as f64 / RANGE as f64;
    let index = (count as f64 * share * share.sqrt()) as usize;
    sorted.get(index).or(sorted.last()).copied()
}

/// What has to be tested itself before a commit is the first bad one: the commit, or a parent; `None` if nothing has.
fn confirmation(history: &History, verdicts: &[Option<Verdict>], commit: usize) -> Option<usize> {
    if verdicts[commit].is_none() {
        return Some(commit);
    }
    let goods = (0..verdicts.len()).filter(|&index| verdicts[index] == Some(Verdict::Good));
    let goods: Vec<usize> = goods.collect();
    let is_known = |parent: usize| {
        verdicts[parent].is_some() || goods.iter().any(|&good| history.ancestors(good).contains(parent))
    };
    history.parents(commit).iter().copied().find(|&parent| !is_known(parent))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// A line of commits.
    fn line(size: usize) -> History {
        History::new((0..size).map(|index: usize| index.checked_sub(1).into_iter().collect()).collect())
    }

    /// Bisects to the end; the commits tested, and the last step.
    fn bisect(
        history: &History,
        equal: &EqualCommits,
        test: impl Fn(usize) -> Verdict,
    ) -> (Vec<usize>, ExactStep) {
        let mut verdicts = vec![None; history.size()];
        verdicts[0] = Some(Verdict::Good);
        verdicts[history.bad()] = Some(Verdict::Bad);
        let mut tested = Vec::new();
        loop {
            match next_step(history, equal, &verdicts) {
                ExactStep::Test { commit, .. } => {
                    assert_eq!(verdicts[commit], None, "{commit} is tested once");
                    verdicts[commit] = Some(test(commit));
                    tested.push(commit);
                }
                step => return (tested, step),
            }
        }
    }

    fn from(first: usize) -> impl Fn(usize) -> Verdict {
        move |commit| if commit >= first { Verdict::Bad } else { Verdict::Good }
    }

    #[test]
    fn every_first_bad_commit_of_a_line_is_found_by_halving() {
        let (history, none) = (line(65), EqualCommits::none(65));
        for first in 1..65 {
            let (tested, step) = bisect(&history, &none, from(first));
            assert_eq!((step, tested.len()), (ExactStep::Found(first), 6));
        }
    }

    #[test]
    fn commits_that_cannot_be_tested_are_passed_over_or_named() {
        let (history, none) = (line(33), EqualCommits::none(33));
        let without = |gap: std::ops::Range<usize>, first: usize| {
            let test =
                move |commit| if gap.contains(&commit) { Verdict::Skipped } else { from(first)(commit) };
            bisect(&history, &none, test).1
        };
        assert_eq!(without(12..20, 5), ExactStep::Found(5));
        assert_eq!(without(12..20, 30), ExactStep::Found(30));
        assert_eq!(without(12..20, 15), ExactStep::AnyOf((12..=20).collect()));
        let (tested, _) = bisect(&history, &none, |_| Verdict::Skipped);
        assert_eq!(tested.len(), 31, "nothing decides: each is tried");
    }

    #[test]
    fn first_bad_commit_on_a_side_branch_is_found() {
        // 0 - 1 - 2 - 6 - 7, and 0 - 3 - 4 - 5 - 6.
        let parents = [vec![], vec![0], vec![1], vec![0], vec![3], vec![4], vec![2, 5], vec![6]];
        let history = History::new(parents.to_vec());
        for first in 1..8 {
            let test = |commit| {
                let is_bad = history.ancestors(commit).contains(first);
                if is_bad { Verdict::Bad } else { Verdict::Good }
            };
            assert_eq!(bisect(&history, &EqualCommits::none(8), test).1, ExactStep::Found(first));
        }
    }

    #[test]
    fn equal_commits_cost_nothing_and_a_wrong_assumption_is_found() {
        let history = line(65);
        // Eight commits of each count.
        let counts: Vec<BTreeMap<&str, u64>> =
            (0..65_u64).map(|index| BTreeMap::from([("message", index / 8)])).collect();
        let equal = EqualCommits::of_counts(&history, &counts);
        for first in (8..65).step_by(8) {
            let (tested, step) = bisect(&history, &equal, from(first));
            assert_eq!(step, ExactStep::Found(first));
            assert!(tested.len() <= 5, "three to halve, two to confirm: {tested:?}");
        }
        // The count does not show these changes.
        for first in (1..65).filter(|first| first % 8 != 0) {
            assert_eq!(bisect(&history, &equal, from(first)).1, ExactStep::Found(first), "{first}");
        }
    }
}
