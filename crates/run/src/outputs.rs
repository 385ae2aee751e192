//! Where the results of a run are written.

use std::path::PathBuf;

use threefold_player::output_file::{self, IfThere, OutputError};

/// Where results are written, so that a resumed run writes to the same places.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outputs {
    /// The folder of the reports.
    pub reports: Option<PathBuf>,
    /// The file of games.
    pub games: Option<PathBuf>,
    /// The size of that file in bytes when the run began: that part stays.
    pub games_start: u64,
    /// Is the checksum of that file printed after each game?
    pub prints_checksum: bool,
    /// The file of the final positions of games.
    pub final_positions: Option<PathBuf>,
    /// The size of that file in bytes when the run began: that part stays.
    pub final_positions_start: u64,
    /// The file of positions in which a suite of kind `mate` found the mate.
    pub found_mates: Option<PathBuf>,
    /// The file of positions in which it missed the mate.
    pub missed_mates: Option<PathBuf>,
    /// The folder of the baseline that the results will replace.
    pub baseline: Option<PathBuf>,
    /// The set of reports: the printed one and the written files.
    pub report_set: ReportSetName,
}

impl Outputs {
    /// These outputs with the sizes that the files of games have now, after a check that they can be written. The
    /// arguments say what becomes of an existing file of games, and of one of final positions.
    ///
    /// # Errors
    /// If a file can't be written, or exists and must not.
    pub fn begun(self, games: IfThere, final_positions: IfThere) -> Result<Self, OutputError> {
        let start = |file: &Option<PathBuf>, if_there| {
            file.as_deref().map_or(Ok(0), |file| output_file::check_in_folder(file, if_there))
        };
        let games_start = start(&self.games, games)?;
        let final_positions_start = start(&self.final_positions, final_positions)?;
        Ok(Self { games_start, final_positions_start, ..self })
    }

    /// Every file and folder that is named.
    pub fn places(&self) -> impl Iterator<Item = &PathBuf> {
        let Self {
            reports,
            games,
            games_start: _,
            prints_checksum: _,
            final_positions,
            final_positions_start: _,
            found_mates,
            missed_mates,
            baseline,
            report_set: _,
        } = self;
        [reports, games, final_positions, found_mates, missed_mates, baseline].into_iter().flatten()
    }
}

/// The name of a set of reports. A program knows the sets in its `report::Registry`; a journal may name one
/// of another program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSetName(pub String);

impl ReportSetName {
    /// The default reports, with a printed summary.
    pub const SUMMARY: &str = "summary";
    /// The default reports, with a printed line of JSON for each case.
    pub const CASES: &str = "cases";
    /// The default reports, with a printed JSON object of the figures.
    pub const RESULT: &str = "result";
    /// The default reports, with five printed lines for each match of two engines.
    pub const BLOCK: &str = "block";
}

impl Default for ReportSetName {
    fn default() -> Self {
        Self(Self::SUMMARY.to_owned())
    }
}

impl From<&str> for ReportSetName {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}
