//! The timeout of a search that no wall clock limits: by nodes, depth or mate, or with virtual clocks.
//!
//! The searches of a run are similar. So an engine may take 30 s more than the longest search of any engine
//! in the run so far, and five minutes at most, unless the timeout is fixed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What a search may take beyond the longest one so far.
const ALLOWANCE: Duration = Duration::from_secs(30);

/// The same for a search that the engine did not end when it was asked first.
const ALLOWANCE_ASKED_AGAIN: Duration = Duration::from_secs(10);

/// The same for a search of an engine that loses answers: a lost one is asked again, with more time.
const ALLOWANCE_OF_LOST_ANSWERS: Duration = Duration::from_secs(3);

/// The largest timeout.
const LONGEST_TIMEOUT: Duration = Duration::from_mins(5);

/// The timeout of a search without a clock. Clones share the longest search.
#[derive(Debug, Clone)]
pub struct SearchTimeout {
    fixed: Option<Duration>,
    /// What it may take beyond the longest, if it is not fixed.
    allowance: Duration,
    /// The longest search so far, in nanoseconds.
    longest: Arc<AtomicU64>,
}

impl Default for SearchTimeout {
    fn default() -> Self {
        Self { fixed: None, allowance: ALLOWANCE, longest: Arc::default() }
    }
}

impl SearchTimeout {
    /// A fixed timeout.
    pub fn fixed(time: Duration) -> Self {
        Self { fixed: Some(time), ..Self::default() }
    }

    /// The timeout of a search that begins now.
    pub fn allowed(&self) -> Duration {
        let longest = Duration::from_nanos(self.longest.load(Ordering::Relaxed));
        self.fixed.unwrap_or_else(|| longest.saturating_add(self.allowance).min(LONGEST_TIMEOUT))
    }

    /// The timeout of searches that the engine did not end when they were asked first: a shorter one, unless it is fixed.
    /// Else an engine that never ends them costs half a minute for each attempt.
    #[must_use]
    pub fn asked_again(&self) -> Self {
        Self { allowance: ALLOWANCE_ASKED_AGAIN, ..self.clone() }
    }

    /// The timeout of the first attempts at searches of an engine that loses answers by chance: the shortest one, unless it is
    /// fixed. Each lost answer would else cost half a minute.
    #[must_use]
    pub fn of_lost_answers(&self) -> Self {
        Self { allowance: ALLOWANCE_OF_LOST_ANSWERS, ..self.clone() }
    }

    /// Records the time of a finished search.
    pub(super) fn record(&self, search: Duration) {
        let nanos = u64::try_from(search.as_nanos()).unwrap_or(u64::MAX);
        // Only this number is shared, so no order with other memory is needed.
        self.longest.fetch_max(nanos, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_timeout_grows_with_the_longest_search_up_to_five_minutes() {
        let patience = SearchTimeout::default();
        let table = [(0, 30), (10, 40), (3, 40), (200, 230), (271, 300), (900, 300)];
        for (seen, allowed) in table {
            patience.clone().record(Duration::from_secs(seen));
            assert_eq!(patience.allowed(), Duration::from_secs(allowed), "{seen}");
        }
    }

    #[test]
    fn search_that_is_asked_again_has_less_time() {
        let first = SearchTimeout::default();
        let loses = first.of_lost_answers();
        let all = [&first, &first.asked_again(), &loses, &loses.asked_again()];
        first.record(Duration::from_secs(7));
        assert_eq!(all.map(SearchTimeout::allowed), [37, 17, 10, 17].map(Duration::from_secs));
    }

    #[test]
    fn fixed_search_timeout_stays() {
        let patience = SearchTimeout::fixed(Duration::from_secs(1));
        patience.record(Duration::from_secs(50));
        let all = [patience.clone(), patience.asked_again(), patience.of_lost_answers()];
        assert_eq!(all.map(|it| it.allowed()), [Duration::from_secs(1); 3]);
    }
}
