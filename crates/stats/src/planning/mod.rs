//! What a test will cost, before it starts, and whether it keeps what it promises.

// What pairs are like.
pub mod law;
pub mod lot;

// What a test costs, and what a budget sees.
pub mod budget;
pub mod forecast;
pub mod prospect;
pub mod remainder;
pub mod walk;

// Tests and intervals tried out.
pub mod simulation;
pub mod vigil;
pub mod watched;

// What they claim, and whether it holds.
pub mod exactness;
pub mod verification;

pub use budget::{Difference, Sight};
pub use forecast::{Forecast, Unforetold};
pub use law::{PairLaw, Proband};
pub use prospect::{Openings, Prospect, prospect};
pub use remainder::remainder;
pub use walk::{Walk, Within};
