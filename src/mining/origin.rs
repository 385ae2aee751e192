//! Which Echo a file comes from, where its rows come from Echo's play or judgement.
//!
//! What is proven stays proven whoever found it, and the check does not ask. But the same seed makes the same
//! bytes with the same Echo alone, so the file says which one that was.

use crate::echo::bench;

/// The line that names Echo by the nodes of its bench.
pub(super) fn line() -> String {
    format!("# With the Echo whose `threefold bench` is {}: another one makes other rows.\n", bench::run())
}
