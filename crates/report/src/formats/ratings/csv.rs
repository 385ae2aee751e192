//! The list as CSV, one player per line.

use std::io;

use csv::{Terminator, WriterBuilder};

use super::listing::{Line, Listing};
use super::text::status_word;
use threefold_stats::elo::Z95;

/// The columns, in order; a new one goes to the end. Strengths are in points of the list's scale, shares from
/// 0 to 1.
const COLUMNS: [&str; 22] = [
    "rank",
    "player",
    "rating",
    "error95",
    "points",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "opponents_mean",
    "opponents_effective",
    "superiority_over_next",
    "group",
    "standing",
    "confidence",
    "error",
    "unit",
    "white_advantage",
    "white_advantage_error",
    "draw_rate",
    "draw_rate_error",
];

/// The list as CSV, with its header.
pub fn csv(listing: &Listing) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for line in &listing.lines {
        writer.write_record(row(listing, line))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// Rounded so that all machines print the same digits.
fn row(listing: &Listing, line: &Line) -> [String; COLUMNS.len()] {
    let maybe = |value: Option<f64>| value.map(|value| format!("{value:.4}")).unwrap_or_default();
    let interval = |error: f64| listing.shown.half_interval(error);
    let (list, uncertainty) = (&listing.list, &listing.uncertainty);
    let [losses, draws, wins] = line.results.map(|count| count.to_string());
    [
        line.rank.to_string(),
        line.name.clone(),
        format!("{:.4}", line.rating),
        maybe(line.error.map(|error| Z95 * error)),
        format!("{:.1}", line.points()),
        line.games().to_string(),
        wins,
        draws,
        losses,
        format!("{:.4}", line.score()),
        maybe(line.opposition),
        format!("{:.4}", line.opponents),
        maybe(line.superiority),
        (line.group + 1).to_string(),
        status_word(line.status).to_owned(),
        listing.shown.confidence.to_string(),
        maybe(line.error.map(interval)),
        listing.shown.unit.name().to_owned(),
        format!("{:.4}", list.white_advantage.0),
        format!("{:.4}", interval(uncertainty.of_advantage())),
        format!("{:.4}", list.draw_rate),
        format!("{:.4}", interval(uncertainty.of_draw_rate())),
    ]
}
