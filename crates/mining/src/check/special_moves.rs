//! Special moves: derives again from each position what decides it.

use super::{FileKind, ends, values};
use crate::special_moves::{SpecialMove, derive};

pub(super) const KIND: FileKind = FileKind {
    name: "special moves",
    holds: |file| ends(file, "csv") && file.contains("special-moves"),
    read: |source_file| {
        values::rows(source_file, |_, row| {
            let class: SpecialMove =
                row.class.parse().map_err(|_| format!("there is no class `{}`", row.class))?;
            values::compare(row, derive(class, &row.position), class.summary())
        })
    },
};
