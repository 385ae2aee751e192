//! Adjudication by threefold's own distance-to-mate tables (`threefold tablebase build`).
//!
//! Under the fifty-move rule, a win counts only if the mate comes before the rule applies: the plies since
//! the last capture or pawn move and those to the mate are at most 100 together. That is certain, whatever
//! moves the winner makes zeroing.

use std::num::NonZeroUsize;
use std::path::Path;

use shakmaty::{Chess, Position};

use super::RuleKind;
use super::table_rule::{ResultTables, TableRule};
use threefold_oracle::proven_value::{ProvenValue, Wdl};
use threefold_oracle::tables::Tables;

pub(super) const KIND: RuleKind = RuleKind {
    name: "distance-to-mate",
    flag: "tb-own",
    value: "DIR",
    help: "End games by the tables of `tablebase build` in DIR: `DIR[,pieces=N][,ignore50=true][,results=all|wins|draws]`",
    end: "distance-to-mate",
    remark: ": distance-to-mate table",
    read: TableRule::<Tables>::parse,
};

/// The number of plies after which the fifty-move rule applies.
const FIFTY_MOVES: u32 = 100;

impl ResultTables for Tables {
    const KIND: &'static RuleKind = &KIND;

    fn open(folder: &str) -> Result<Self, String> {
        Self::map_folder(NonZeroUsize::MIN, Path::new(folder)).map_err(|error| error.to_string())
    }

    fn under_fifty_moves(&self, position: &Chess) -> Option<Wdl> {
        match self.probe(position)? {
            ProvenValue::Draw => Some(Wdl::Draw),
            value @ ProvenValue::Mate(mate) => {
                // Mate on the hundredth ply is still mate.
                let plies = position.halfmoves() + u32::from(mate.plies().0);
                (plies <= FIFTY_MOVES).then(|| value.wdl())
            }
        }
    }

    fn without_fifty_moves(&self, position: &Chess) -> Option<Wdl> {
        self.probe(position).map(ProvenValue::wdl)
    }
}
