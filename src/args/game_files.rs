//! Options of the files of games: `--pgn`, its contents, and `--epd-out`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use threefold_games::move_details::{DetailSelection, MoveField};
use threefold_games::pgn::{PgnExtent, PgnNotation, PgnOptions};
use threefold_named_enum::UnknownName;
use threefold_player::LinePattern;

/// The files of games.
#[derive(Debug, Clone, Args)]
pub struct GameFileArgs {
    /// Write the games to this file during the run, in the order of the schedule
    #[arg(long, value_name = "FILE.pgn")]
    pub pgn: Option<PathBuf>,
    /// Add the games to the end of the files of --pgn and --epd-out
    #[arg(long, conflicts_with = "force")]
    pub append: bool,
    /// Data of each move in PGN comments, separated by commas: timeleft, latency, nodes, seldepth, nps,
    /// hashfull, tbhits, pv, wdl; or `all`, or `none` [default: nodes]
    #[arg(long, value_name = "LIST")]
    pub pgn_fields: Option<FieldList>,
    /// Notation of moves in PGN: `san`, `lan` or `uci`
    #[arg(long, value_name = "NOTATION", default_value_t = PgnNotation::San)]
    pub pgn_notation: PgnNotation,
    /// Write the PGN without comments, and without tags about the engines, the limits and the end of the game
    #[arg(long)]
    pub pgn_min: bool,
    /// Quote in the comment the last line of the engine that matches this regular expression; may be repeated
    #[arg(long, value_name = "REGEX")]
    pub pgn_match_line: Vec<LinePattern>,
    /// Print the CRC-32 of the PGN file after each game
    #[arg(long, requires = "pgn")]
    pub pgn_crc32: bool,
    /// PGN tag Event [default: the name of the command]
    #[arg(long, value_name = "TEXT")]
    pub event: Option<String>,
    /// PGN tag Site [default: threefold]
    #[arg(long, value_name = "TEXT")]
    pub site: Option<String>,
    /// Write the final position of each game to this file, in the order of the schedule
    #[arg(long, value_name = "FILE.epd")]
    pub epd_out: Option<PathBuf>,
}

/// Fields of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldList(Vec<MoveField>);

impl FromStr for FieldList {
    type Err = UnknownName;

    fn from_str(list: &str) -> Result<Self, UnknownName> {
        match list {
            "all" => Ok(Self(MoveField::ALL.to_vec())),
            "none" => Ok(Self(Vec::new())),
            list => list.split(',').map(|name| name.trim().parse()).collect::<Result<_, _>>().map(Self),
        }
    }
}

impl GameFileArgs {
    /// How the games are written.
    pub fn options(&self) -> PgnOptions {
        PgnOptions {
            details: DetailSelection {
                fields: self.pgn_fields.clone().map(|FieldList(fields)| fields),
                match_lines: self.pgn_match_line.clone(),
            },
            notation: self.pgn_notation,
            extent: if self.pgn_min { PgnExtent::Minimal } else { PgnExtent::Full },
            event: self.event.clone(),
            site: self.site.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_fields_are_read_and_unknown_fields_refused() {
        let read = |list: &str| list.parse::<FieldList>().map(|FieldList(fields)| fields);
        assert_eq!(read("nps, tbhits"), Ok(vec![MoveField::Nps, MoveField::TbHits]));
        assert_eq!(read("none"), Ok(Vec::new()));
        assert_eq!(read("all").expect("all fields").len(), 9);
        for list in ["", "nps,", "nps,speed", "all,nps"] {
            let error = read(list).expect_err(list).to_string();
            assert!(error.contains("use one of timeleft, latency, nodes"), "{error}");
        }
    }
}
