//! Move order: what was best before, then what wins material, then what was good elsewhere. And, as it is
//! learnt in the same places, by how much evaluations were wrong.

mod correction;
mod history;
mod killers;
mod picker;
mod see;
mod structure;

pub(super) use correction::{Corrections, Likeness};
pub(super) use history::{BEFORE, Histories, Occasion, Trail};
pub(super) use killers::Killers;
pub(super) use picker::{Hints, Made, Picker, Stage, is_noisy, victim_of};
pub(super) use see::{price, wins_at_least};
