//! The commits of a bisection, and which of them are ancestors of which.
//!
//! A commit is bad if and only if the first bad commit is among its ancestors, itself included. That is the
//! assumption of `git bisect`, and it holds for histories with merges, too.

use std::collections::BTreeMap;

/// A set of commits, by their indices.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitSet {
    words: Vec<u64>,
}

const BITS: usize = u64::BITS as usize;

impl CommitSet {
    /// The empty set of the indices below `size`.
    pub fn empty(size: usize) -> Self {
        Self { words: vec![0; size.div_ceil(BITS)] }
    }

    /// All indices below `size`.
    pub fn full(size: usize) -> Self {
        (0..size).fold(Self::empty(size), |mut set, index| {
            set.insert(index);
            set
        })
    }

    /// Adds a commit.
    pub fn insert(&mut self, index: usize) {
        self.words[index / BITS] |= 1 << (index % BITS);
    }

    /// Takes a commit out.
    pub fn remove(&mut self, index: usize) {
        self.words[index / BITS] &= !(1 << (index % BITS));
    }

    /// Is it in the set?
    pub fn contains(&self, index: usize) -> bool {
        self.words[index / BITS] & (1 << (index % BITS)) != 0
    }

    /// The number of commits.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Has it no commit?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Its commits, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        (0..self.words.len() * BITS).filter(|&index| self.contains(index))
    }

    /// The number of commits that are in both sets.
    pub fn common(&self, other: &Self) -> usize {
        self.words.iter().zip(&other.words).map(|(one, other)| (one & other).count_ones() as usize).sum()
    }

    /// Keeps the commits that are in the other set, too.
    pub fn keep(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Takes out the commits of the other set.
    pub fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Adds the commits of the other set.
    pub fn extend(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }
}

/// The good commit (index 0), the bad one (the last index), and the commits between them.
#[derive(Debug, Clone)]
pub struct History {
    parents: Vec<Vec<usize>>,
    /// For each commit its ancestors and itself.
    ancestors: Vec<CommitSet>,
}

impl History {
    /// From the parents of each commit, in an order in which parents come first. Index 0 is the good commit; parents
    /// that are ancestors of it are left out. The last index is the bad commit.
    ///
    /// # Panics
    /// If a parent does not come before its child, or without commits.
    pub fn new(parents: Vec<Vec<usize>>) -> Self {
        assert!(!parents.is_empty(), "there is a good commit");
        let size = parents.len();
        let mut ancestors: Vec<CommitSet> = Vec::with_capacity(size);
        for (index, of) in parents.iter().enumerate() {
            let mut set = CommitSet::empty(size);
            set.insert(index);
            for &parent in of {
                assert!(parent < index, "parents come first");
                set.extend(&ancestors[parent]);
            }
            ancestors.push(set);
        }
        Self { parents, ancestors }
    }

    /// The number of commits, the good and the bad one included.
    pub fn size(&self) -> usize {
        self.parents.len()
    }

    /// The index of the bad commit.
    pub fn bad(&self) -> usize {
        self.size() - 1
    }

    /// The parents of a commit.
    pub fn parents(&self, index: usize) -> &[usize] {
        &self.parents[index]
    }

    /// The ancestors of a commit, and itself.
    pub fn ancestors(&self, index: usize) -> &CommitSet {
        &self.ancestors[index]
    }

    /// The suspects: the commits that can be the first bad one, since they are ancestors of the bad commit and not of
    /// the good one. A commit that equals a parent is none.
    pub fn suspects(&self, equal: &EqualCommits) -> CommitSet {
        let mut suspects = self.ancestors[self.bad()].clone();
        suspects.subtract(&self.ancestors[0]);
        let all: Vec<usize> = suspects.iter().collect();
        for index in all {
            if self.parents[index].iter().any(|&parent| equal.are_equal(parent, index)) {
                suspects.remove(index);
            }
        }
        suspects
    }
}

/// Commits that play the same, since they are neighbours with the same node count of `bench`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EqualCommits {
    /// The class of each commit: its first member.
    classes: Vec<usize>,
}

impl EqualCommits {
    /// No commit equals another.
    pub fn none(size: usize) -> Self {
        Self { classes: (0..size).collect() }
    }

    /// Neighbours with the same count are equal. A commit has several counts if they come from several sources, or
    /// none; counts of different sources are not compared.
    pub fn of_counts(history: &History, counts: &[BTreeMap<&str, u64>]) -> Self {
        let mut equal = Self::none(history.size());
        for index in 0..history.size() {
            for &parent in history.parents(index) {
                let is_same = |(source, count): (&&str, &u64)| counts[parent].get(*source) == Some(count);
                if counts[index].iter().any(is_same) {
                    equal.join(parent, index);
                }
            }
        }
        equal
    }

    /// Do the two play the same?
    pub fn are_equal(&self, one: usize, other: usize) -> bool {
        self.classes[one] == self.classes[other]
    }

    /// The class of a commit: the index of its first member.
    pub(super) fn class(&self, index: usize) -> usize {
        self.classes[index]
    }

    /// Does any commit equal another?
    pub fn is_any(&self) -> bool {
        self.classes.iter().enumerate().any(|(index, &class)| index != class)
    }

    fn join(&mut self, one: usize, other: usize) {
        let (from, to) =
            (self.classes[one].max(self.classes[other]), self.classes[one].min(self.classes[other]));
        self.classes.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_follow_every_parent_and_equal_commits_are_no_suspects() {
        // 0 - 1 - 3 - 4, and 0 - 2 - 3.
        let history = History::new(vec![vec![], vec![0], vec![0], vec![1, 2], vec![3]]);
        assert_eq!(history.ancestors(3).iter().collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(history.ancestors(2).iter().collect::<Vec<_>>(), [0, 2]);
        let none = EqualCommits::none(5);
        assert_eq!(history.suspects(&none).iter().collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(!none.is_any());
        let count = |source, nodes| BTreeMap::from([(source, nodes)]);
        let counts = [
            count("message", 7),
            count("message", 7),
            count("run", 7),
            count("message", 9),
            count("message", 9),
        ];
        let equal = EqualCommits::of_counts(&history, &counts);
        assert_eq!(history.suspects(&equal).iter().collect::<Vec<_>>(), [2, 3]);
        assert!(equal.is_any() && equal.are_equal(0, 1) && !equal.are_equal(0, 2), "other sources differ");
    }

    #[test]
    fn sets_larger_than_a_word_keep_their_commits() {
        let mut set = CommitSet::full(130);
        assert_eq!((set.len(), set.contains(129)), (130, true));
        let mut other = CommitSet::empty(130);
        other.insert(128);
        assert_eq!(set.common(&other), 1);
        set.subtract(&other);
        assert_eq!((set.len(), set.contains(128)), (129, false));
        set.keep(&other);
        assert!(set.is_empty());
    }
}
