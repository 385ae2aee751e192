//! The kinds of verdicts on a case.

threefold_named_enum::named_enum! {
    /// The kind of verdict.
    pub enum VerdictKind {
        /// The engine did what the case requires.
        Passed = "passed",
        /// It did not.
        Failed = "failed",
        /// It lacks what the case needs (an option, a limit, a command), or a busy machine delayed it, so the
        /// case is not judged.
        Skipped = "skipped",
        /// It crashed, hung, broke the protocol, made an illegal move or lost on time.
        Fault = "fault",
    }
}
