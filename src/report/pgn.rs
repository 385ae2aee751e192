//! `games.pgn`: every game that counts, in the order of the schedule.

use std::io;

use super::Format;
use crate::arena::record;

/// The table's line.
pub(super) const FORMAT: Format = Format {
    name: "pgn",
    file: "games.pgn",
    summary: "every game that counts, in the order of the schedule",
    render: |report| {
        let mut text = String::new();
        for game in report.matches.iter().flat_map(|part| &part.games) {
            text.push_str(&record::pgn(&game.record, &game.tags).map_err(io::Error::other)?);
        }
        Ok(text.into_bytes())
    },
};
