//! How long a search may take that no clock of the wall limits: one by nodes, depth or mate, or by virtual clocks.
//!
//! What is long depends on what was asked, and the searches of a run are alike. So an engine may take half a minute
//! more than the longest search that the run has seen of any engine, and five minutes at most, unless a time is fixed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a search may take beyond the longest one seen.
const ALLOWANCE_BEYOND_LONGEST: Duration = Duration::from_secs(30);

/// What it may take at most, whatever was seen.
const LONGEST_TIMEOUT: Duration = Duration::from_mins(5);

/// The greatest time for a search without a clock. Clones share what they have seen.
#[derive(Debug, Clone, Default)]
pub struct SearchTimeout {
    fixed: Option<Duration>,
    /// The longest search so far, in nanoseconds.
    longest: Arc<AtomicU64>,
}

impl SearchTimeout {
    /// Always this long.
    pub fn fixed(time: Duration) -> Self {
        Self { fixed: Some(time), ..Self::default() }
    }

    /// What a search that begins now may take.
    pub fn allowed(&self) -> Duration {
        let longest = Duration::from_nanos(self.longest.load(Ordering::Relaxed));
        self.fixed.unwrap_or_else(|| longest.saturating_add(ALLOWANCE_BEYOND_LONGEST).min(LONGEST_TIMEOUT))
    }

    /// A search has ended with an answer, after this time.
    pub(super) fn record(&self, search: Duration) {
        let nanos = u64::try_from(search.as_nanos()).unwrap_or(u64::MAX);
        self.longest.fetch_max(nanos, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_grows_with_the_longest_search_up_to_five_minutes() {
        let patience = SearchTimeout::default();
        let table = [(0, 30), (10, 40), (3, 40), (200, 230), (271, 300), (900, 300)];
        for (seen, allowed) in table {
            patience.clone().record(Duration::from_secs(seen));
            assert_eq!(patience.allowed(), Duration::from_secs(allowed), "{seen}");
        }
    }

    #[test]
    fn patience_that_is_fixed_stays() {
        let patience = SearchTimeout::fixed(Duration::from_secs(1));
        patience.record(Duration::from_secs(50));
        assert_eq!(patience.allowed(), Duration::from_secs(1));
    }
}
