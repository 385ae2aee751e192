//! The positions in which an engine found a mate, and those in which it missed it, as lines of position
//! files.
//!
//! *Found* has matetrack's meaning: the last scored report of the first line is an exact mate for the right
//! side, at any distance. *Missed* are all others, also after a fault of the engine. A position without a
//! known mate and a skipped case are in neither list.

use std::collections::BTreeMap;

use super::scoring::FOUND_MATES;
use crate::input::SuiteError;
use crate::{CaseRecord, SuiteSource, VerdictKind};

/// The lines of both lists, as the user wrote them, in the order of the position files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MateLists {
    /// The positions with a found mate.
    pub found: String,
    /// The positions with a missed mate.
    pub missed: String,
}

impl MateLists {
    /// The lists for the results of one engine in a suite of kind `mate`.
    ///
    /// # Errors
    /// If a position file of the suite cannot be read.
    pub fn from_cases<'r>(
        source: &SuiteSource,
        cases: impl IntoIterator<Item = &'r CaseRecord>,
    ) -> Result<Self, SuiteError> {
        let cases: BTreeMap<&str, &CaseRecord> =
            cases.into_iter().map(|case| (case.id.as_str(), case)).collect();
        let mut lists = Self::default();
        for file in source.files()?.positions {
            let lines: Vec<&str> = file.text.lines().collect();
            for mate in super::read_mates(file)?.iter().filter(|mate| mate.distance.is_some()) {
                let case = cases.get(mate.id.as_str());
                let Some(case) = case.filter(|case| case.verdict.kind() != VerdictKind::Skipped) else {
                    continue;
                };
                let list = if has_found(case) { &mut lists.found } else { &mut lists.missed };
                list.push_str(lines[mate.number - 1].trim());
                list.push('\n');
            }
        }
        Ok(lists)
    }
}

fn has_found(case: &CaseRecord) -> bool {
    case.verdict.measures.iter().any(|it| it.name == FOUND_MATES && it.amount > 0)
}
