//! The reports that this program makes.

use crate::report::Registry;
use crate::studies;

/// Those of every run, and those of the studies.
pub fn registry() -> Registry {
    Registry::built_in().with(studies::REPORT_SETS)
}
