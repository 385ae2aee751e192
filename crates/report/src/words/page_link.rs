//! Links from other files of a report to its page.

use crate::model::report::SuitePart;
use crate::words::anchor;

/// The page, in the folder of the other files.
pub(crate) const PAGE: &str = "index.html";

/// The link of a suite.
pub(crate) fn suite(part: &SuitePart) -> String {
    format!("{PAGE}#{}", anchor::suite(part))
}

/// The link of a case.
pub(crate) fn case(part: &SuitePart, id: &str) -> String {
    format!("{PAGE}#{}", anchor::case(part, id))
}
