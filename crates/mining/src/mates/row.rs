//! A mate as a line of EPD, and the header of such files.

use shakmaty::fen::Epd;
use shakmaty::{CastlingMode, EnPassantMode, Move, Position};

use super::Mate;
use threefold_oracle::Material;

/// The header of a file of proven positions.
pub(crate) fn head(title: &str, made_by: &str) -> String {
    format!("# {title}\n# Made by: {made_by}\n# Proven again by: threefold positions check\n")
}

/// A mate's line in a file.
pub(crate) fn row(id: &str, mate: &Mate) -> String {
    let wire = |mv: Move| mv.to_uci(CastlingMode::Standard).to_string();
    let line: Vec<String> = mate.line.iter().map(|&mv| wire(mv)).collect();
    format!(
        "{} bm #{}; id \"{id}\"; {}c0 \"{}, {}\"; PV: {};\n",
        Epd::from_position(&mate.position, EnPassantMode::Legal),
        mate.distance.moves(),
        mate.only.map(|only| format!("only {}; ", wire(only))).unwrap_or_default(),
        mate.proof,
        Material::from_board(mate.position.board()).canonical().0,
        line.join(" "),
    )
}
