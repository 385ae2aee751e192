//! Move ordering: hash move, winning captures, quiet moves by history, losing captures; and the correction
//! history, which is updated in the same places.

mod correction;
mod feature_keys;
mod history;
mod killers;
mod move_picker;
mod see;

pub(super) use correction::{CorrectionKeys, Corrections};
pub(super) use history::{BEFORE, Histories, HistoryContext, PieceTo};
pub(super) use killers::Killers;
pub(super) use move_picker::{MovePicker, MoveStack, OrderingHints, Stage, is_noisy, victim_of};
pub(super) use see::{piece_value, wins_at_least};
