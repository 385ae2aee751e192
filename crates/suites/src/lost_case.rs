//! What it means if a case that an earlier version passed fails now.

use crate::VerdictKind;

threefold_named_enum::named_enum! {
    /// What a lost case of a suite means.
    pub enum LostCase {
        /// A regression: the answer is a matter of rules, so no patch may change it.
        Strict = "strict",
        /// Perhaps nothing: the answer depends on how far the search sees, which any patch changes a little. The
        /// case is asked again with more nodes.
        Search = "search",
    }
}

impl LostCase {
    /// What a case is called in reports that passed. A search that does not see far enough is no fault.
    pub const fn passed(self) -> &'static str {
        match self {
            Self::Strict => "passed",
            Self::Search => "solved",
        }
    }

    /// What a case is called in reports that failed.
    pub const fn failed(self) -> &'static str {
        match self {
            Self::Strict => "failed",
            Self::Search => "not solved",
        }
    }

    /// What a verdict is called in reports.
    pub const fn word(self, kind: VerdictKind) -> &'static str {
        match kind {
            VerdictKind::Passed => self.passed(),
            VerdictKind::Failed => self.failed(),
            VerdictKind::Skipped | VerdictKind::Fault => kind.name(),
        }
    }
}
