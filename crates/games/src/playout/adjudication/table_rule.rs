//! Adjudication by endgame tables: what Syzygy tables and distance-to-mate tables have in common.
//!
//! A position is looked up after each move. Positions with castling rights are in no table. A table does not
//! know the game's earlier positions, so repetitions do not count.

use std::fmt;
use std::sync::{Arc, OnceLock};

use shakmaty::{Chess, Position};

use super::settings::RuleError;
use super::table_settings::TableSettings;
use super::{ObservedMove, Rule, RuleKind, RuleState};
use crate::playout::GameOutcome;
use threefold_oracle::proven_value::Wdl;

/// Endgame tables that decide games.
pub(super) trait ResultTables: fmt::Debug + Send + Sync + Sized + 'static {
    /// The rule's kind: its name, its settings and how it is parsed.
    const KIND: &'static RuleKind;

    /// Opens a folder. The error is for the user.
    fn open(folder: &str) -> Result<Self, String>;

    /// The result under the fifty-move rule, for the side to move; `None` if the tables do not decide it.
    fn under_fifty_moves(&self, position: &Chess) -> Option<Wdl>;

    /// The result without the fifty-move rule.
    fn without_fifty_moves(&self, position: &Chess) -> Option<Wdl>;
}

/// Adjudication by endgame tables.
#[derive(Debug)]
pub(super) struct TableRule<T> {
    settings: TableSettings,
    tables: OnceLock<Result<Arc<T>, String>>,
}

impl<T: ResultTables> TableRule<T> {
    pub(super) fn parse(place: &str, given: &str) -> Result<Arc<dyn Rule>, RuleError> {
        let settings = TableSettings::parse(place, given)?;
        Ok(Arc::new(Self { settings, tables: OnceLock::new() }))
    }

    fn opened(&self) -> &Result<Arc<T>, String> {
        self.tables.get_or_init(|| T::open(&self.settings.folder).map(Arc::new))
    }
}

impl<T: ResultTables> Rule for TableRule<T> {
    fn kind(&self) -> &'static RuleKind {
        T::KIND
    }

    fn settings_text(&self) -> String {
        self.settings.settings_text()
    }

    fn prepare(&self) -> Result<(), String> {
        self.opened().as_ref().map(|_| ()).map_err(Clone::clone)
    }

    fn reads_tables(&self) -> bool {
        true
    }

    fn start(&self) -> Box<dyn RuleState> {
        let tables = self.opened().as_ref().ok().cloned();
        Box::new(TableLookup { settings: self.settings.clone(), tables })
    }
}

#[derive(Debug)]
struct TableLookup<T> {
    settings: TableSettings,
    /// `None` if they can't be opened, which [`Rule::prepare`] reports before the first game.
    tables: Option<Arc<T>>,
}

impl<T: ResultTables> RuleState for TableLookup<T> {
    fn observe(&mut self, shown: ObservedMove<'_>) -> Option<GameOutcome> {
        let (position, tables) = (shown.position, self.tables.as_ref()?);
        if self.settings.pieces.is_some_and(|most| position.board().occupied().count() > most) {
            return None;
        }
        let result = if self.settings.ignore_fifty {
            tables.without_fifty_moves(position)
        } else {
            tables.under_fifty_moves(position)
        };
        self.settings.outcome(position.turn(), result?)
    }
}
