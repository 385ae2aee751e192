//! Swiss-system tournaments as pure functions of the results so far: who meets in the next round, and the
//! standings.

mod colour;
mod cost;
mod history;
mod pairing;
mod standings;

pub use history::{
    MoreWhite, SwissEncounter, SwissRound, SwissRules, SwissTournament, default_rounds, most_rounds,
};
pub use pairing::SwissPairing;
pub use standings::SwissStanding;
