//! The reports that this program makes.

use threefold_lab::studies;
use threefold_report::Registry;

/// The report sets of every run, and those of the studies.
pub fn registry() -> Registry {
    Registry::built_in().with(studies::REPORT_SETS)
}
