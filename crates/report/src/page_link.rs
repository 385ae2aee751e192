//! Links from other files of a report to its page.

use super::anchor;
use super::model::SuitePart;

/// The page, in the folder of the other files.
pub(super) const PAGE: &str = "index.html";

/// The link of a suite.
pub(super) fn suite(part: &SuitePart) -> String {
    format!("{PAGE}#{}", anchor::suite(part))
}

/// The link of a case.
pub(super) fn case(part: &SuitePart, id: &str) -> String {
    format!("{PAGE}#{}", anchor::case(part, id))
}
