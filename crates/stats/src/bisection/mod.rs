//! Bisecting: which commit between a good and a bad one made the difference?
//!
//! Two planners with the same history. [`exact`] is for questions that one test of a commit answers, such as a
//! case of a suite: it halves the suspects, as `git bisect` does. [`strength`] is for a loss of strength, of which
//! each pair of games says a little: it keeps the probability of each suspect. Both are functions from the results
//! so far to the next step, so an interrupted bisection goes on where it stopped.

pub mod exact;
pub mod history;
pub mod strength;

pub use exact::{ExactStep, Verdict};
pub use history::{CommitSet, EqualCommits, History};
pub use strength::{StrengthBisection, StrengthStep, Testable};
