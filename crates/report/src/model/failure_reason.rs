//! The reasons against a run.

/// A reason against a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureReason {
    /// What speaks against the run.
    pub kind: FailureKind,
    /// The part of the run.
    pub part: String,
    /// The description, a clause without a full stop.
    pub what: String,
}

threefold_named_enum::named_enum! {
    /// The kind of a reason against a run.
    pub enum FailureKind {
        /// Verdicts are worse than in the baseline.
        Regression = "regression",
        /// A search suite is significantly worse as a whole.
        WorseSuite = "worse suite",
        /// Fewer cases passed than a threshold requires.
        Threshold = "threshold",
        /// The run stopped, because as many cases as it was to stop after did not pass.
        Stopped = "early stop",
        /// A sequential test accepted H0.
        Rejection = "rejected test",
        /// A sequential test ended undecided, and that counts as a failure.
        Undecided = "undecided test",
        /// A match or a test says something else without the pairs that had an engine fault.
        DependsOnFaults = "result that depends on engine faults",
        /// The run did not start, because an engine does not.
        FailedStart = "failed start",
        /// There are warnings about the output of engines, and `--strict` is given.
        Warning = "warning under --strict",
        /// The run cannot become the baseline, because it has engine faults, or because the engine does not
        /// search the same twice.
        RefusedBaseline = "refused baseline",
    }
}
