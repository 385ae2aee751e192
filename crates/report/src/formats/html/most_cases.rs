//! How much of a large run is on the page: whatever its size, the page must open at once.

use super::case_states::CaseState;

/// Squares of a suite. A longer suite has squares only for what is notable.
pub(super) const SQUARES: usize = 1500;

/// Squares of a suite that are large.
pub(super) const LARGE_SQUARES: usize = 300;

/// Cases of the page with boards for all. A larger page has boards only for what is notable.
const BOARDS: usize = 1200;

/// Cases of the page that are all listed. A larger page lists only what is notable.
const LISTED: usize = 5000;

/// Notable cases of a suite that are listed at most.
pub(super) const NOTABLE: usize = 1000;

/// Is it a state that a reader of the page looks for?
pub(super) const fn is_notable(state: CaseState) -> bool {
    match state {
        CaseState::Lost
        | CaseState::Fault
        | CaseState::Failed
        | CaseState::NotCounted
        | CaseState::Gained => true,
        CaseState::KnownFailure | CaseState::Passed | CaseState::Skipped => false,
    }
}

/// Has a case of this state a board, on a page with this number of cases?
pub(super) const fn has_board(state: CaseState, cases: usize) -> bool {
    cases <= BOARDS || is_notable(state)
}

/// Is a case of this state listed, on a page with this number of cases?
pub(super) const fn is_listed(state: CaseState, cases: usize) -> bool {
    cases <= LISTED || is_notable(state)
}
