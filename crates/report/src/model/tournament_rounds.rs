//! A tournament whose encounters are the matches of a run, because its later rounds depend on results.

use crate::model::knockout::Knockout;
use crate::model::swiss::Swiss;
use threefold_run::RunRecord;

/// A tournament whose encounters are the matches.
#[derive(Debug, Clone, PartialEq)]
pub enum TournamentRounds {
    /// The loser of an encounter is out.
    Knockout(Knockout),
    /// Engines with similar points meet.
    Swiss(Swiss),
}

impl TournamentRounds {
    /// The tournament of a run, if it is one.
    pub(crate) fn from_run(run: &RunRecord) -> Option<Self> {
        Knockout::from_run(run).map(Self::Knockout).or_else(|| Swiss::from_run(run).map(Self::Swiss))
    }

    /// Who wins it, in a sentence; `None` while that is not decided.
    pub(crate) fn headline(&self) -> Option<String> {
        match self {
            Self::Knockout(knockout) => knockout.headline(),
            Self::Swiss(swiss) => swiss.headline(),
        }
    }

    /// Games of the encounters that are not known yet.
    pub(crate) const fn later_games(&self) -> usize {
        match self {
            Self::Knockout(Knockout { later_games, .. }) | Self::Swiss(Swiss { later_games, .. }) => {
                *later_games
            }
        }
    }

    /// It, if it is a knockout tournament.
    pub(crate) const fn knockout(&self) -> Option<&Knockout> {
        match self {
            Self::Knockout(knockout) => Some(knockout),
            Self::Swiss(_) => None,
        }
    }

    /// It, if it is a Swiss tournament.
    pub(crate) const fn swiss(&self) -> Option<&Swiss> {
        match self {
            Self::Swiss(swiss) => Some(swiss),
            Self::Knockout(_) => None,
        }
    }
}
