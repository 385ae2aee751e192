//! Adjudication rules, which end a game before the rules of chess do: one file and one row of [`RULES`] per
//! rule.
//!
//! A row holds everything about a rule: its names on the command line, in plans and in journals, its help
//! line, its parser, and the text of its ends. The settings of a rule have one text form, cutechess's:
//! `movecount=3,score=600,twosided=true`. The command line, plans and journals are derived from the table.
//!
//! Match runners differ in how they count, which changes results. For all rules here:
//!
//! * **Score**: the mover's last exact score, or its last bound if none is exact.
//! * **Order**: if several rules apply at one ply, the first in [`RULES`] counts.
//!
//! A new rule needs a file here, its `mod` line and its row, and a row with its settings in the tests.

mod draw;
mod max_moves;
mod own_tables;
mod resign;
mod settings;
mod shadow;
mod syzygy;
mod table_rule;
mod table_settings;
mod trust_mates;
mod written;

use std::fmt;
use std::sync::Arc;

use shakmaty::{Chess, Color};

pub use draw::DrawRule;
pub use max_moves::MaxMoves;
pub use resign::{Like, ResignRule};
pub use settings::RuleError;
pub use shadow::{AdjudicationMode, ShadowEnd};
pub use trust_mates::{MateClaims, TrustMates};

use super::GameOutcome;
use threefold_chess::score::Score;

/// All rules, in order of precedence.
pub const RULES: &[RuleKind] = &[
    // The exact values of tables come before what engines claim, and both before the length of the game.
    syzygy::KIND,
    own_tables::KIND,
    resign::KIND,
    draw::KIND,
    trust_mates::KIND,
    max_moves::KIND,
];

/// A row of the table: everything about a rule except its settings.
pub struct RuleKind {
    /// The name in plans and journals.
    pub name: &'static str,
    /// The flag on the command line, without dashes.
    pub flag: &'static str,
    /// The placeholder for the flag's value in the help.
    pub value: &'static str,
    /// One line of help, with an example.
    pub help: &'static str,
    /// The name of the end in a journal.
    pub end: &'static str,
    /// The text after "by adjudication" in a PGN comment.
    pub remark: &'static str,
    /// Parses its settings.
    pub read: ParseRule,
}

/// Parses a rule's settings. The first argument names them in errors: `--draw`, or the key of a file.
pub type ParseRule = fn(&str, &str) -> Result<Arc<dyn Rule>, RuleError>;

/// A rule with its settings.
pub trait Rule: fmt::Debug + Send + Sync {
    /// The kind of the rule, for names in reports and journals.
    fn kind(&self) -> &'static RuleKind;

    /// Its settings as text that [`RuleKind::read`] parses back.
    fn settings_text(&self) -> String;

    /// Opens what the rule needs. Must be called before the first game. The error is for the user.
    fn prepare(&self) -> Result<(), String> {
        Ok(())
    }

    /// Does it read endgame tables? Such a rule looks at the position alone, and depends on the files that
    /// are there.
    fn reads_tables(&self) -> bool {
        false
    }
    /// Its state at the start of a game, after the opening.
    fn start(&self) -> Box<dyn RuleState>;
}

/// The state of a rule in one game.
pub trait RuleState: fmt::Debug + Send {
    /// Takes a move; returns the result if the rule ends the game with it.
    fn observe(&mut self, shown: ObservedMove<'_>) -> Option<GameOutcome>;
}

/// The properties of a move that rules use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservedMove<'p> {
    /// The side that moved.
    pub mover: Color,
    /// The score that the mover reported, from its own view.
    pub score: Option<Score>,
    /// Was it a capture or a pawn move?
    pub irreversible: bool,
    /// Full moves completed, by the position's own move number.
    pub completed: u32,
    /// The position after the move.
    pub position: &'p Chess,
    /// Are the mover's mate scores trusted?
    pub is_trusted: bool,
}

impl RuleKind {
    /// The rule with this name. Plans write `-`; journals of version 1 wrote `_`.
    pub fn named(name: &str) -> Option<&'static Self> {
        RULES.iter().find(|kind| kind.name == name.replace('_', "-"))
    }

    /// The rule of an end, by its name in a journal.
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
///
/// ```
/// use std::sync::Arc;
///
/// use threefold_games::playout::adjudication::{Adjudication, DrawRule};
///
/// let draw = DrawRule { from_move: 34, moves: 8, score: 20 };
/// let rules = Adjudication::new([Arc::new(draw) as _]);
/// let texts: Vec<String> = rules.texts().map(|(kind, settings)| format!("--{} {settings}", kind.flag)).collect();
/// assert_eq!(texts, ["--draw movenumber=34,movecount=8,score=20"]);
/// ```
#[derive(Clone, Default)]
pub struct Adjudication {
    rules: Vec<Arc<dyn Rule>>,
    mode: AdjudicationMode,
}

impl Adjudication {
    /// From these rules; of two of one kind the later counts.
    pub fn new(rules: impl IntoIterator<Item = Arc<dyn Rule>>) -> Self {
        let mut adjudication = Self::default();
        for rule in rules {
            adjudication.rules.retain(|known| known.kind() != rule.kind());
            adjudication.rules.push(rule);
        }
        let rank = |kind: &RuleKind| RULES.iter().position(|known| known == kind);
        adjudication.rules.sort_by_key(|rule| rank(rule.kind()));
        adjudication
    }

    /// Each rule with its settings as text, in the order of the table.
    pub fn texts(&self) -> impl Iterator<Item = (&'static RuleKind, String)> {
        self.rules.iter().map(|rule| (rule.kind(), rule.settings_text()))
    }

    /// Opens what the rules need. The error is for the user.
    pub fn prepare(&self) -> Result<(), String> {
        self.rules.iter().try_for_each(|rule| rule.prepare())
    }

    /// Adds a rule if none of its kind is present.
    #[must_use]
    pub fn or(self, rule: Arc<dyn Rule>) -> Self {
        let is_known = self.rules.iter().any(|known| known.kind() == rule.kind());
        let mode = self.mode;
        // `new` sets the default mode, so the mode is set again.
        if is_known { self } else { Self::new(self.rules.into_iter().chain([rule])).with_mode(mode) }
    }

    /// The state of the rules at the start of a game.
    pub fn start(&self) -> Adjudicator {
        let rules = self.rules.iter().map(|rule| (rule.kind(), rule.start())).collect();
        Adjudicator { rules, mode: self.mode, plies: 0, shadow: Vec::new() }
    }

    /// The rules that depend on the recorded moves and scores alone, and those that read endgame tables.
    pub fn split_by_tables(self) -> (Self, Self) {
        let mode = self.mode;
        let (by_tables, by_moves) = self.rules.into_iter().partition(|rule| rule.reads_tables());
        (Self { rules: by_moves, mode }, Self { rules: by_tables, mode })
    }

    /// The result that a rule with endgame tables gives the position after a move.
    pub fn by_tables(&self, shown: ObservedMove<'_>) -> Option<(GameOutcome, &'static RuleKind)> {
        let mut rules = self.rules.iter().filter(|rule| rule.reads_tables());
        // Such a rule looks at the position alone, so a new state is enough.
        rules.find_map(|rule| Some((rule.start().observe(shown)?, rule.kind())))
    }

    /// Sets the mode: whether the rules end games or only record where they would.
    #[must_use]
    pub fn with_mode(self, mode: AdjudicationMode) -> Self {
        Self { mode, ..self }
    }

    /// What the rules do.
    pub const fn mode(&self) -> AdjudicationMode {
        self.mode
    }
}

impl PartialEq for Adjudication {
    fn eq(&self, other: &Self) -> bool {
        self.mode == other.mode && self.texts().eq(other.texts())
    }
}

impl Eq for Adjudication {}

impl fmt::Debug for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.texts()).entry(&"mode", &self.mode).finish()
    }
}

/// The state of all rules in one game.
#[derive(Debug)]
pub struct Adjudicator {
    rules: Vec<(&'static RuleKind, Box<dyn RuleState>)>,
    mode: AdjudicationMode,
    /// Moves so far.
    plies: usize,
    shadow: Vec<ShadowEnd>,
}

impl Adjudicator {
    /// Takes a move; returns the result and the rule if one ends the game with it.
    pub fn observe(&mut self, shown: ObservedMove<'_>) -> Option<(GameOutcome, &'static RuleKind)> {
        self.plies += 1;
        // Every rule sees every move, even after another rule has applied.
        let fired = self.rules.iter_mut().map(|(kind, state)| Some((state.observe(shown)?, *kind)));
        let fired: Vec<_> = fired.collect::<Vec<_>>().into_iter().flatten().collect();
        match self.mode {
            AdjudicationMode::Apply => fired.into_iter().next(),
            AdjudicationMode::Shadow => {
                for (outcome, rule) in fired {
                    if self.shadow.iter().all(|known| known.rule != rule) {
                        self.shadow.push(ShadowEnd { rule, outcome, ply: self.plies });
                    }
                }
                None
            }
        }
    }

    /// What each rule would have done, the earliest first; empty unless in shadow mode.
    pub fn shadow(&self) -> &[ShadowEnd] {
        &self.shadow
    }
}

#[cfg(test)]
mod resign_tests;
#[cfg(test)]
mod table_tests;
#[cfg(test)]
mod tests;
