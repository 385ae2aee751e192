//! Counts traps by their properties, to show the balance of a file.

use std::collections::BTreeSet;

use super::TrapClass;
use super::difficulty::{Grade, GradedTrap, STRONG_BAIT, WEAK_BAIT};
use threefold_oracle::index::AUTO_MAX_PIECES;

/// A table of counts: a row for each class, a column for each value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapCounts {
    /// The column names: the class first, the total last.
    pub header: Vec<String>,
    /// A row for each class that has traps, and one for the total.
    pub rows: Vec<Vec<String>>,
}

/// By ending; positions with too many pieces for tables are `more pieces`.
pub fn by_ending(traps: &[GradedTrap]) -> TrapCounts {
    let endings: BTreeSet<String> = traps.iter().map(ending).collect();
    count(traps, &endings.into_iter().collect::<Vec<_>>(), &[&ending])
}

/// By grade, by bait score and by solving depth.
pub fn by_difficulty(traps: &[GradedTrap]) -> TrapCounts {
    let grade = |graded: &GradedTrap| graded.grade().to_string();
    let depth = |graded: &GradedTrap| format!("depth {}", graded.solving_depth);
    let depths: BTreeSet<String> = traps.iter().map(depth).collect();
    let columns = Grade::ALL.iter().map(ToString::to_string);
    let columns = columns.chain(["no pull", "weak", "strong"].map(str::to_owned)).chain(depths);
    count(traps, &columns.collect::<Vec<_>>(), &[&grade, &bait_score_band, &depth])
}

fn ending(graded: &GradedTrap) -> String {
    if graded.trap.material.piece_count() > AUTO_MAX_PIECES {
        "more pieces".to_owned()
    } else {
        graded.trap.material.to_string()
    }
}

fn bait_score_band(graded: &GradedTrap) -> String {
    let sort = if graded.trap.bait_score >= STRONG_BAIT {
        "strong"
    } else if graded.trap.bait_score >= WEAK_BAIT {
        "weak"
    } else {
        "no pull"
    };
    sort.to_owned()
}

/// Counts every trap in one column for each property.
fn count(traps: &[GradedTrap], columns: &[String], sorts: &[&dyn Fn(&GradedTrap) -> String]) -> TrapCounts {
    let row = |name: &str, traps: &[&GradedTrap]| {
        let in_column = |column: &String| {
            traps.iter().filter(|trap| sorts.iter().any(|sort| sort(trap) == *column)).count().to_string()
        };
        let counts = columns.iter().map(in_column);
        std::iter::once(name.to_owned()).chain(counts).chain([traps.len().to_string()]).collect()
    };
    let of_class = |class: &TrapClass| {
        let traps: Vec<&GradedTrap> = traps.iter().filter(|trap| trap.trap.class == *class).collect();
        (!traps.is_empty()).then(|| row(class.name(), &traps))
    };
    let all = row("all", &traps.iter().collect::<Vec<_>>());
    TrapCounts {
        header: ["class".to_owned()]
            .into_iter()
            .chain(columns.iter().cloned())
            .chain(["all".to_owned()])
            .collect(),
        rows: TrapClass::ALL.iter().filter_map(of_class).chain([all]).collect(),
    }
}
