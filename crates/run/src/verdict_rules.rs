//! What decides on a run: thresholds, tests without a decision, and the comparison with a baseline.
//!
//! Each is an enum with the words of plans and journals, so that no `bool` crosses a border.

threefold_named_enum::named_enum! {
    /// The use of the thresholds in suite files.
    pub enum ThresholdUse {
        /// A suite that misses one fails.
        Apply = "apply",
        /// None counts: only the baseline decides.
        Ignore = "ignore",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for ThresholdUse {
    fn default() -> Self {
        Self::Apply
    }
}

threefold_named_enum::named_enum! {
    /// Whether the results of a run must be compared with something: a baseline, a threshold, the hypotheses
    /// of a test.
    pub enum ComparisonUse {
        /// A measurement is a result, too.
        Optional = "optional",
        /// A run that nothing decides on is no success.
        Required = "required",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for ComparisonUse {
    fn default() -> Self {
        Self::Optional
    }
}

threefold_named_enum::named_enum! {
    /// The exit code of a sequential test without a decision.
    pub enum Undecided {
        /// Exit code 0.
        Pass = "pass",
        /// Exit code 1, as though H0 had been accepted.
        Fail = "fail",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for Undecided {
    fn default() -> Self {
        Self::Pass
    }
}
