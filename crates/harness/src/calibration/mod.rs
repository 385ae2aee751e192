//! How strong is a search of so many nodes, or an engine that is asked to play so strong?
//!
//! A `ladder` of the same engine at different budgets is played as a round robin, fitted to ratings, and drawn as a
//! curve that never falls. A `dial` is an option that sets a strength: a `course` of rounds measures its levels, each
//! round where the ratings so far are least sure (`allotment`) beside how well they are to be known (`aim`), or where they
//! can't say (`meetings`); a `survey` is what the games come to, on the scale where the anchors have it (`standing`), with
//! what the games were like (`ledger`); a `graduation` says which level is worth which Elo, a `character` how a level
//! plays, and `since` what changed since an earlier calibration.

mod aim;
mod allotment;
pub mod character;
pub mod course;
pub mod curve;
pub mod dial;
pub mod fit;
pub mod graduation;
pub mod ladder;
mod ledger;
mod meetings;
#[cfg(test)]
mod simulated;
pub mod since;
mod standing;
pub mod survey;

pub use aim::Aim;
pub use character::{Character, Judge, Sample};
pub use course::{Design, Halt, Next};
pub use curve::{Curve, Level};
pub use dial::{Anchor, Dial, NoAnchor, Rated};
pub use fit::{Rating, Scale, Unrated, fit};
pub use graduation::{Graduation, Mark};
pub use ladder::{Ladder, LadderError};
pub use since::{Change, Earlier, Figure, Unread};
pub use standing::Disagreement;
pub use survey::{Role, Survey, Surveyed};
