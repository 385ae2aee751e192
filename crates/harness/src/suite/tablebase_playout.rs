//! A position played out against the tables.
//!
//! The engine plays one side with the game's whole history before it, a perfect opponent the other; the rules end
//! the game, or a move that gives away what was at stake. What is at stake and how the opponent plays is the
//! kind's own: its [`Stakes`]. The opponent decides without chance, so a game is the same whenever the engine's
//! moves are.

use std::sync::Arc;

use shakmaty::{Move, Position};

use super::input::{SourceFile, SuiteError};
use super::verdict::{Measure, moves_text};
use super::{Case, CaseStep, Cause, Verdict, epd};
use crate::player::{Answer, FaultCause, Question};
use crate::playout::{EndCause, GameState, GameTerms, Playout, TurnReply};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_oracle::index::AUTO_MAX_PIECES;
use threefold_oracle::referee::{Referee, RuleEnd};
use threefold_oracle::{Material, ProvenValue, Tables};

/// How a bout came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayoutOutcome {
    /// Why it passed or failed.
    pub cause: Cause,
    /// What differs from case to case.
    pub detail: String,
    /// What the kind counts.
    pub measures: Vec<Measure>,
}

impl PlayoutOutcome {
    /// One in which nothing is counted.
    pub fn new(cause: impl Into<Cause>, detail: impl Into<String>) -> Self {
        Self { cause: cause.into(), detail: detail.into(), measures: Vec::new() }
    }
}

/// What a bout is about, and how the opponent plays.
pub trait PlayoutRules: Send {
    /// What the position must be worth for the engine, to move, in the tables' words.
    fn fact(&self) -> ProvenValue;

    /// The opponent's move.
    fn reply(&self, referee: &Referee, tables: &Tables) -> Option<Move>;

    /// What the position is worth to the opponent, to move, after so many moves of the engine's: does that settle
    /// it?
    fn decide(&self, referee: &Referee, after: ProvenValue, moves: usize) -> Option<PlayoutOutcome>;

    /// The rules have ended the game after so many moves of the engine's.
    fn ended(&self, ending: RuleEnd, moves: usize) -> PlayoutOutcome;
}

/// The dialogue: a new game, then a question for each move of the engine's.
pub struct TablebasePlayout<S> {
    rules: S,
    line: GamePosition,
    limits: Limits,
    tables: Arc<Tables>,
    game: Option<PlayoutGame>,
    /// Nodes spent.
    nodes: u64,
}

/// A game under way.
struct PlayoutGame {
    playout: Playout,
    /// Moves of the engine's.
    moves: usize,
}

impl<S: PlayoutRules> TablebasePlayout<S> {
    /// Not begun yet; the limits are those of each move.
    pub const fn new(rules: S, line: GamePosition, limits: Limits, tables: Arc<Tables>) -> Self {
        Self { rules, line, limits, tables, game: None, nodes: 0 }
    }

    /// The game before its first move, or what is wrong with the suite.
    fn begin(&self) -> Result<PlayoutGame, String> {
        let playout = Playout::new(&self.line, &GameTerms::unlimited()).map_err(|error| error.to_string())?;
        let position = playout.referee().position();
        let (found, asked) = (self.tables.probe(position), self.rules.fact());
        if found != Some(asked) {
            let found = found.map_or_else(|| "nothing".to_owned(), value_text);
            return Err(format!("it says {}, and the tables {found}", value_text(asked)));
        }
        Ok(PlayoutGame { playout, moves: 0 })
    }

    /// Plays the engine's move and the reply to it. `Some`: the bout is over.
    fn play_move(&self, game: &mut PlayoutGame, answer: &Answer) -> Option<PlayoutOutcome> {
        let unsound = |detail: &str| Some(PlayoutOutcome::new(FaultCause::UnsoundCase, detail.to_owned()));
        let moved = game.playout.answer(&TurnReply { best: answer.best, ..TurnReply::default() });
        game.moves += usize::from(moved.is_some());
        if let GameState::Over(ending) = game.playout.state() {
            return Some(self.ended(ending.cause, game.moves));
        }
        let referee = game.playout.referee();
        let after = self.tables.probe(referee.position());
        let Some(after) = after else { return unsound("the tables end here") };
        if let Some(outcome) = self.rules.decide(referee, after, game.moves) {
            return Some(outcome);
        }
        let reply = self.rules.reply(referee, &self.tables).map(|mv| referee.uci(mv));
        if reply.is_none_or(|reply| game.playout.answer(&TurnReply::of(reply)).is_none()) {
            return unsound("the tables know no reply");
        }
        match game.playout.state() {
            GameState::ToMove(_) => None,
            GameState::Over(ending) => Some(self.ended(ending.cause, game.moves)),
        }
    }

    /// What a game's end comes to, after so many moves of the engine's.
    fn ended(&self, cause: EndCause, moves: usize) -> PlayoutOutcome {
        let next = moves + 1;
        match cause {
            EndCause::Rule(ending) => self.rules.ended(ending, moves),
            EndCause::NoMove => PlayoutOutcome::new(FaultCause::NoMove, format!("at move {next}")),
            EndCause::IllegalMove(best) => {
                PlayoutOutcome::new(FaultCause::IllegalMove, format!("{best} at move {next}"))
            }
            // No clock runs here, and nothing else ends the game early.
            EndCause::Flag(_) | EndCause::Adjudicated(_) | EndCause::PlyLimit => {
                PlayoutOutcome::new(FaultCause::UnsoundCase, cause.to_string())
            }
        }
    }

    fn verdict(&self, game: &PlayoutGame, answer: &Answer, outcome: PlayoutOutcome) -> Verdict {
        let PlayoutOutcome { cause, detail, measures } = outcome;
        let pv = moves_text(&game.playout.line().moves);
        Verdict { nodes: self.nodes, pv, measures, ..Verdict::of(answer, cause, detail) }
    }
}

impl<S: PlayoutRules> Case for TablebasePlayout<S> {
    fn next(&mut self, answer: Option<&Answer>) -> CaseStep {
        let Some(mut game) = self.game.take() else {
            return match self.begin() {
                Ok(game) => {
                    self.game = Some(game);
                    CaseStep::NewGame
                }
                Err(error) => CaseStep::Done(Verdict::unsound_case(error)),
            };
        };
        if let Some(answer) = answer {
            self.nodes += answer.nodes;
            if let Some(outcome) = self.play_move(&mut game, answer) {
                return CaseStep::Done(self.verdict(&game, answer, outcome));
            }
        }
        let question =
            Question { line: game.playout.line().clone(), limits: self.limits, searchmoves: Vec::new() };
        self.game = Some(game);
        CaseStep::Ask(question)
    }
}

/// A value in words: `a draw`, `#12`.
fn value_text(fact: ProvenValue) -> String {
    fact.mate().map_or_else(|| "a draw".to_owned(), |mate| format!("#{}", mate.moves()))
}

/// Checks that tables can stand behind a position.
pub fn check(page: &SourceFile, record: &epd::EpdRecord) -> Result<Material, SuiteError> {
    let complain = |what: String, remedy: &str| page.error_at_line(record.number, what, remedy);
    let referee =
        Referee::new(&record.line).map_err(|error| complain(error.to_string(), "mend the position"))?;
    if let Some(ending) = referee.ending() {
        return Err(complain(format!("the game is over here ({ending})"), "drop the line"));
    }
    let position = referee.position();
    let input = Material::of(position.board());
    if input.piece_count() > AUTO_MAX_PIECES || !position.castles().is_empty() {
        let what = format!("no table knows this {input}");
        let remedy = format!("give positions of at most {AUTO_MAX_PIECES} men that can't castle");
        return Err(complain(what, &remedy));
    }
    Ok(input.canonical().0)
}

/// A legal move with what it leads to.
#[derive(Debug, Clone)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// The value of the position after it, for the side to move there.
    pub after: ProvenValue,
    /// How often that position stood on the board before.
    pub occurrences: usize,
    /// The rules draw the game there.
    pub drawn: bool,
}

/// Every legal move with what it leads to, in the order of their UCI names.
pub fn move_values(referee: &Referee, tables: &Tables) -> Vec<MoveValue> {
    let position = referee.position();
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_by_key(|&mv| referee.uci(mv).to_string());
    moves
        .into_iter()
        .filter_map(|mv| {
            let after = tables.probe_after(position, mv)?;
            let seen = referee.occurrences_after(mv);
            let fifty = !mv.is_zeroing() && position.halfmoves() >= 99 && after != ProvenValue::mate_in(0);
            Some(MoveValue { mv, after, occurrences: seen, drawn: seen >= 2 || fifty })
        })
        .collect()
}
