//! Adjudication by Syzygy tables.
//!
//! Under the fifty-move rule, a win counts only if it can be finished before the rule applies. The distance
//! tables (`.rtbz`) show that at any move. Without them a win is only certain right after a capture or pawn
//! move; draws are certain at any time. Fastchess reads no distance tables, so it looks at positions right
//! after a capture or pawn move only.

use std::env;

use shakmaty::Chess;

use super::RuleKind;
use super::table_rule::{ResultTables, TableRule};
use threefold_oracle::proven_value::Wdl;
use threefold_oracle::syzygy::Syzygy;

pub(super) const KIND: RuleKind = RuleKind {
    name: "syzygy",
    flag: "tb",
    value: "DIR",
    help: "End games by the Syzygy tables in DIR: `DIR[,pieces=N][,ignore50=true][,results=all|wins|draws]`",
    end: "syzygy",
    remark: ": SyzygyTB",
    read: TableRule::<Syzygy>::parse,
};

impl ResultTables for Syzygy {
    const KIND: &'static RuleKind = &KIND;

    fn open(folder: &str) -> Result<Self, String> {
        Self::open_all(env::split_paths(folder)).map_err(|error| error.to_string())
    }

    fn under_fifty_moves(&self, position: &Chess) -> Option<Wdl> {
        self.result_in_game(position)
    }

    fn without_fifty_moves(&self, position: &Chess) -> Option<Wdl> {
        Some(match self.graded_wdl(position)?.signum() {
            1 => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        })
    }
}
