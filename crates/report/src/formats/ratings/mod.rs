//! A rating list for people and programs: `threefold rate`'s table, page, CSV and JSON, pure functions of one
//! [`Listing`].

mod colours;
mod csv;
mod html;
mod input_summary;
mod json;
mod listing;
mod meetings;
mod text;

pub use csv::csv;
pub use html::page;
pub use input_summary::{InputSummary, Note};
pub use json::json;
pub use listing::{Errors, Line, ListedPlayers, Listing, RatingUnit, Shown};
pub use meetings::{ExpectedPoints, Meeting};
pub use text::{head_to_head, listing_text, superiority};
