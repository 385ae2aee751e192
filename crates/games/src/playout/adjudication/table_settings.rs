//! The settings of adjudication by endgame tables: `DIR[,pieces=N][,ignore50=true][,results=all|wins|draws]`.
//!
//! The folder comes first, without quotation marks; it may have spaces and commas.

use shakmaty::Color;

use super::settings::RuleError;
use crate::playout::GameOutcome;
use threefold_named_enum::named_enum;
use threefold_oracle::proven_value::Wdl;

named_enum! {
    /// Which results of tables end a game.
    pub enum AdjudicatedResults {
        /// Wins and draws.
        All = "all",
        /// Wins only.
        Wins = "wins",
        /// Draws only.
        Draws = "draws",
    }
}

/// The settings of adjudication by endgame tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableSettings {
    /// The folder, or several as in the environment variable `PATH`.
    pub(super) folder: String,
    /// The most pieces of a position that is looked up; `None` for those of the largest table.
    pub(super) pieces: Option<usize>,
    /// Is a win a win even if the fifty-move rule prevents it?
    pub(super) ignore_fifty: bool,
    /// Which results end a game.
    pub(super) results: AdjudicatedResults,
}

const EXAMPLE: &str = "DIR,pieces=5,ignore50=true,results=wins";

impl TableSettings {
    pub(super) fn parse(place: &str, given: &str) -> Result<Self, RuleError> {
        let mut settings = Self {
            folder: String::new(),
            pieces: None,
            ignore_fifty: false,
            results: AdjudicatedResults::All,
        };
        let unreadable =
            || RuleError::Unreadable { place: place.to_owned(), given: given.to_owned(), example: EXAMPLE };
        let (mut rest, mut seen) = (given, Vec::new());
        // Read from the end: the name of the folder may have commas.
        while let Some((before, setting)) = rest.rsplit_once(',') {
            let pair = setting.split_once('=');
            if let Some((key, _)) = pair.filter(|(key, _)| seen.contains(key)) {
                return Err(RuleError::Twice { place: place.to_owned(), key: key.to_owned() });
            }
            match pair {
                Some(("pieces", value)) => {
                    settings.pieces = Some(value.parse().map_err(|_| unreadable())?);
                }
                Some(("ignore50", value)) => {
                    settings.ignore_fifty = value.parse().map_err(|_| RuleError::NotBoolean {
                        place: place.to_owned(),
                        key: "ignore50".to_owned(),
                        given: value.to_owned(),
                    })?;
                }
                Some(("results", value)) => settings.results = value.parse().map_err(|_| unreadable())?,
                _ => break,
            }
            seen.extend(pair.map(|(key, _)| key));
            rest = before;
        }
        rest.clone_into(&mut settings.folder);
        if rest.trim().is_empty() { Err(unreadable()) } else { Ok(settings) }
    }

    /// The text that [`TableSettings::parse`] parses.
    pub(super) fn settings_text(&self) -> String {
        let pieces = self.pieces.map(|pieces| format!("pieces={pieces}"));
        let ignore_fifty = self.ignore_fifty.then(|| "ignore50=true".to_owned());
        let results = (self.results != AdjudicatedResults::All).then(|| format!("results={}", self.results));
        let settings = [pieces, ignore_fifty, results].into_iter().flatten();
        std::iter::once(self.folder.clone()).chain(settings).collect::<Vec<_>>().join(",")
    }

    /// The result of a game by a position's result; `None` if such results do not end games.
    pub(super) fn outcome(&self, turn: Color, result: Wdl) -> Option<GameOutcome> {
        let outcome = match result {
            Wdl::Win => GameOutcome::win(turn),
            Wdl::Draw => GameOutcome::Draw,
            Wdl::Loss => GameOutcome::win(!turn),
        };
        let counts = match self.results {
            AdjudicatedResults::All => true,
            AdjudicatedResults::Wins => outcome != GameOutcome::Draw,
            AdjudicatedResults::Draws => outcome == GameOutcome::Draw,
        };
        counts.then_some(outcome)
    }
}
