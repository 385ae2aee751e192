//! The two experiments: which program is the first one, and how its columns are named.

/// An experiment on pairs of commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Experiment {
    /// A fix and its parent with the bug: the parent should be red.
    RealBugs,
    /// A patch that its authors accepted and its base: the patch should be green.
    OrdinaryCommits,
}

impl Experiment {
    /// The column and folder of the program that is set up: the fix, or the base.
    pub const fn first(self) -> &'static str {
        match self {
            Self::RealBugs => "fix",
            Self::OrdinaryCommits => "base",
        }
    }

    /// The column and folder of the program that is compared with it: the parent, or the patch.
    pub const fn second(self) -> &'static str {
        match self {
            Self::RealBugs => "parent",
            Self::OrdinaryCommits => "patch",
        }
    }

    /// The column that describes the pair.
    pub const fn description(self) -> &'static str {
        match self {
            Self::RealBugs => "bug",
            Self::OrdinaryCommits => "subject",
        }
    }
}
