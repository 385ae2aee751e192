//! Rules that end a game before the rules of chess do: one rule per file, one row each in [`RULES`].
//!
//! A row holds everything that the program knows of a rule: its names on the command line, in plans and in
//! journals, its help line, its parser, and how its ends are written. The settings of a rule have one text form,
//! cutechess's: `movecount=3,score=600,twosided=true`. The command line, plans and journals derive from the
//! table.
//!
//! Match runners differ in how they count, and the differences change results. What holds for all rules here:
//!
//! * **Score**: the mover's last exact claim, or its last bound if no claim is exact.
//! * **Order**: if several rules fire at one ply, the first in [`RULES`] counts.
//!
//! A new rule takes a file beside this one, its `mod` line and its row.

mod draw;
mod max_moves;
mod resign;
mod settings;
mod written;

use std::fmt;
use std::sync::Arc;

use shakmaty::Color;

pub use draw::DrawRule;
pub use max_moves::MaxMoves;
pub use resign::ResignRule;
pub use settings::RuleError;
pub use written::RuleText;

use super::GameOutcome;
use threefold_chess::score::Score;

/// Every rule there is, in the order in which they count.
pub const RULES: &[RuleKind] = &[resign::KIND, draw::KIND, max_moves::KIND];

/// A row of the table: everything about a rule but its settings.
pub struct RuleKind {
    /// The name in plans and journals.
    pub name: &'static str,
    /// The option of the command line, without its dashes.
    pub flag: &'static str,
    /// What the help calls the option's value.
    pub value: &'static str,
    /// One line of help, with an example.
    pub help: &'static str,
    /// How a journal writes that the rule ended a game.
    pub end: &'static str,
    /// What a PGN comment adds to "by adjudication".
    pub remark: &'static str,
    /// Reads its settings.
    pub read: ParseRule,
}

/// Reads a rule's settings. The first argument names them in errors: `--draw`, or the key of a file.
pub type ParseRule = fn(&str, &str) -> Result<Arc<dyn Rule>, RuleError>;

/// A rule with its settings.
pub trait Rule: fmt::Debug + Send + Sync {
    /// Its row of the table.
    fn kind(&self) -> &'static RuleKind;

    /// Its settings in the form that [`RuleKind::read`] reads back.
    fn text(&self) -> String;

    /// Its state at the start of a game, the opening played.
    fn start(&self) -> Box<dyn RuleState>;
}

/// What a rule remembers of one game.
pub trait RuleState: fmt::Debug + Send {
    /// Takes a move in; the result if the rule ends the game with it.
    fn observe(&mut self, shown: ObservedMove) -> Option<GameOutcome>;
}

/// What rules are shown of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedMove {
    /// Who moved.
    pub mover: Color,
    /// What the mover claimed, from its own view.
    pub score: Option<Score>,
    /// Was it a capture or a pawn move?
    pub irreversible: bool,
    /// Full moves completed, by the position's own move number.
    pub completed: u32,
}

impl RuleKind {
    /// The rule of this name; plans write `-` where journals of version 1 wrote `_`.
    pub fn named(name: &str) -> Option<&'static Self> {
        RULES.iter().find(|kind| kind.name == name.replace('_', "-"))
    }

    /// The rule whose ends a journal writes so.
    pub fn of_end(end: &str) -> Option<&'static Self> {
        RULES.iter().find(|kind| kind.end == end)
    }
}

impl PartialEq for RuleKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for RuleKind {}

impl fmt::Debug for RuleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The rules of a match, at most one of each kind; none by default.
#[derive(Clone, Default)]
pub struct Adjudication(Vec<Arc<dyn Rule>>);

impl Adjudication {
    /// These rules; of two of one kind the later counts.
    pub fn new(rules: impl IntoIterator<Item = Arc<dyn Rule>>) -> Self {
        let mut adjudication = Self::default();
        for rule in rules {
            adjudication.0.retain(|known| known.kind() != rule.kind());
            adjudication.0.push(rule);
        }
        let rank = |kind: &RuleKind| RULES.iter().position(|known| known == kind);
        adjudication.0.sort_by_key(|rule| rank(rule.kind()));
        adjudication
    }

    /// Each rule with its settings as text, in the order of the table.
    pub fn texts(&self) -> impl Iterator<Item = (&'static RuleKind, String)> {
        self.0.iter().map(|rule| (rule.kind(), rule.text()))
    }

    /// The rules at the start of a game.
    pub fn start(&self) -> Adjudicator {
        Adjudicator(self.0.iter().map(|rule| (rule.kind(), rule.start())).collect())
    }
}

impl PartialEq for Adjudication {
    fn eq(&self, other: &Self) -> bool {
        self.texts().eq(other.texts())
    }
}

impl Eq for Adjudication {}

impl fmt::Debug for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.texts()).finish()
    }
}

/// The rules in one game, with what they have seen of it.
#[derive(Debug)]
pub struct Adjudicator(Vec<(&'static RuleKind, Box<dyn RuleState>)>);

impl Adjudicator {
    /// Takes a move in; the result and the rule if one ends the game with it.
    pub fn observe(&mut self, shown: ObservedMove) -> Option<(GameOutcome, &'static RuleKind)> {
        // Every rule sees every move, also behind one that fires.
        let fired = self.0.iter_mut().map(|(kind, state)| Some((state.observe(shown)?, *kind)));
        fired.collect::<Vec<_>>().into_iter().flatten().next()
    }
}

#[cfg(test)]
mod tests;
