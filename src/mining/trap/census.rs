//! How many traps there are of each sort: what a file of traps is balanced by.

use std::collections::BTreeSet;

use super::difficulty::{Grade, STRONG};
use super::{Trap, TrapClass};
use crate::score::Centipawns;
use crate::truth::index::MOST_MEN;

/// A table of counts: a row for each class, a column for each sort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    /// What is counted in each column, the class first and all of it last.
    pub header: Vec<String>,
    /// A row for each class that has traps, and one for all of them.
    pub rows: Vec<Vec<String>>,
}

/// By ending; what stands in no table counts as `more men`.
pub fn by_ending(traps: &[Trap]) -> Census {
    let endings: BTreeSet<String> = traps.iter().map(ending).collect();
    count(traps, &endings.into_iter().collect::<Vec<_>>(), &[&ending])
}

/// By grade, by pull and by the plies at which a plain search sees the truth.
pub fn by_difficulty(traps: &[Trap]) -> Census {
    let grade = |trap: &Trap| trap.grade().to_string();
    let depth = |trap: &Trap| format!("depth {}", trap.sight);
    let depths: BTreeSet<String> = traps.iter().map(depth).collect();
    let columns = Grade::ALL.iter().map(ToString::to_string);
    let columns = columns.chain(["pull < 0", "weak", "strong"].map(str::to_owned)).chain(depths);
    count(traps, &columns.collect::<Vec<_>>(), &[&grade, &pull, &depth])
}

fn ending(trap: &Trap) -> String {
    if trap.material.men() > MOST_MEN { "more men".to_owned() } else { trap.material.to_string() }
}

fn pull(trap: &Trap) -> String {
    let sort = if trap.pull >= STRONG {
        "strong"
    } else if trap.pull >= Centipawns(0) {
        "weak"
    } else {
        "pull < 0"
    };
    sort.to_owned()
}

/// Counts every trap in one column for each way of sorting.
fn count(traps: &[Trap], columns: &[String], sorts: &[&dyn Fn(&Trap) -> String]) -> Census {
    let row = |name: &str, traps: &[&Trap]| {
        let in_column = |column: &String| {
            traps.iter().filter(|trap| sorts.iter().any(|sort| sort(trap) == *column)).count().to_string()
        };
        let counts = columns.iter().map(in_column);
        std::iter::once(name.to_owned()).chain(counts).chain([traps.len().to_string()]).collect()
    };
    let of_class = |class: &TrapClass| {
        let traps: Vec<&Trap> = traps.iter().filter(|trap| trap.class == *class).collect();
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
