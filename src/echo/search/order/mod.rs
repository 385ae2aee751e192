//! Move order: what was best before, then what wins material, then what was good elsewhere.

mod history;
mod killers;
mod picker;
mod see;

pub(super) use history::{Histories, Occasion, Trail};
pub(super) use killers::Killers;
pub(super) use picker::{Hints, Picker, Scored, Stage};
pub(super) use see::{price, wins_at_least};
