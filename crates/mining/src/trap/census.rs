//! How many traps there are of each sort: what a file of traps is balanced by.

use std::collections::BTreeSet;

use super::TrapClass;
use super::difficulty::{Grade, Graded, STRONG, WEAK};
use threefold_oracle::index::AUTO_MAX_PIECES;

/// A table of counts: a row for each class, a column for each sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// What is counted in each column, the class first and all of it last.
    pub header: Vec<String>,
    /// A row for each class that has traps, and one for all of them.
    pub rows: Vec<Vec<String>>,
}

/// By ending; what stands in no table counts as `more men`.
pub fn by_ending(traps: &[Graded]) -> Census {
    let endings: BTreeSet<String> = traps.iter().map(ending).collect();
    count(traps, &endings.into_iter().collect::<Vec<_>>(), &[&ending])
}

/// By grade, by pull and by the plies at which a plain search sees the truth.
pub fn by_difficulty(traps: &[Graded]) -> Census {
    let grade = |graded: &Graded| graded.grade().to_string();
    let depth = |graded: &Graded| format!("depth {}", graded.sight);
    let depths: BTreeSet<String> = traps.iter().map(depth).collect();
    let columns = Grade::ALL.iter().map(ToString::to_string);
    let columns = columns.chain(["no pull", "weak", "strong"].map(str::to_owned)).chain(depths);
    count(traps, &columns.collect::<Vec<_>>(), &[&grade, &pull, &depth])
}

fn ending(graded: &Graded) -> String {
    if graded.trap.material.piece_count() > AUTO_MAX_PIECES {
        "more men".to_owned()
    } else {
        graded.trap.material.to_string()
    }
}

fn pull(graded: &Graded) -> String {
    let sort = if graded.trap.pull >= STRONG {
        "strong"
    } else if graded.trap.pull >= WEAK {
        "weak"
    } else {
        "no pull"
    };
    sort.to_owned()
}

/// Counts every trap in one column for each way of sorting.
fn count(traps: &[Graded], columns: &[String], sorts: &[&dyn Fn(&Graded) -> String]) -> Census {
    let row = |name: &str, traps: &[&Graded]| {
        let in_column = |column: &String| {
            traps.iter().filter(|trap| sorts.iter().any(|sort| sort(trap) == *column)).count().to_string()
        };
        let counts = columns.iter().map(in_column);
        std::iter::once(name.to_owned()).chain(counts).chain([traps.len().to_string()]).collect()
    };
    let of_class = |class: &TrapClass| {
        let traps: Vec<&Graded> = traps.iter().filter(|trap| trap.trap.class == *class).collect();
        (!traps.is_empty()).then(|| row(class.name(), &traps))
    };
    let all = row("all", &traps.iter().collect::<Vec<_>>());
    Census {
        header: ["class".to_owned()]
            .into_iter()
            .chain(columns.iter().cloned())
            .chain(["all".to_owned()])
            .collect(),
        rows: TrapClass::ALL.iter().filter_map(of_class).chain([all]).collect(),
    }
}
