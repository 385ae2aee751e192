//! Echo's options as UCI writes them.

use threefold_chess::uci::{UciOption, UciOptionKind};
use threefold_echo::options::{self, OptionKind, OptionRow};

/// Every option of Echo as UCI writes it, also those that it lists for experiments only.
pub fn all_options() -> Vec<UciOption> {
    options::table().into_iter().map(offer).collect()
}

/// An option as UCI writes it.
pub(super) fn offer(row: OptionRow) -> UciOption {
    let kind = match row.kind {
        OptionKind::Check { default } => UciOptionKind::Check { default },
        OptionKind::Spin { default, min, max } => UciOptionKind::Spin { default, min, max },
        OptionKind::Combo { default, choices } => UciOptionKind::Combo {
            default: default.to_owned(),
            choices: choices.into_iter().map(str::to_owned).collect(),
        },
        OptionKind::Number { default } => UciOptionKind::String { default: default.to_string() },
        OptionKind::Text => UciOptionKind::String { default: String::new() },
        OptionKind::Button => UciOptionKind::Button,
    };
    UciOption { name: row.name.to_owned(), kind }
}
