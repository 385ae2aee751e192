//! A position played out against a perfect opponent from the tables.
//!
//! The engine plays one side, with the whole history; the tables play the other. The game ends by the rules,
//! or when a move loses what must be kept. That and the opponent's choice depend on the suite kind, through
//! its [`PlayoutRules`]. The opponent is deterministic, so equal moves of the engine give equal games.

use std::sync::Arc;

use shakmaty::{Move, Position};

use super::input::{SourceFile, SuiteError};
use super::verdict::{Measure, moves_text};
use super::{Case, CaseStep, Cause, Verdict, epd};
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_games::playout::{EndCause, GameConditions, GameState, Playout, TurnReply};
use threefold_oracle::index::AUTO_MAX_PIECES;
use threefold_oracle::referee::{Referee, RuleEnd};
use threefold_oracle::{Material, ProvenValue, Tables};
use threefold_player::{Answer, FaultCause, Question};

/// The result of a playout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayoutOutcome {
    /// Why it passed or failed.
    pub cause: Cause,
    /// Details of the individual case.
    pub detail: String,
    /// The counts of the kind.
    pub measures: Vec<Measure>,
}

impl PlayoutOutcome {
    /// A result without counts.
    pub fn new(cause: impl Into<Cause>, detail: impl Into<String>) -> Self {
        Self { cause: cause.into(), detail: detail.into(), measures: Vec::new() }
    }
}

/// The goal of a playout, and how the opponent plays.
pub trait PlayoutRules: Send {
    /// The required value of the position for the engine, which is to move, by the tables.
    fn fact(&self) -> ProvenValue;

    /// The opponent's move.
    fn reply(&self, referee: &Referee, tables: &Tables) -> Option<Move>;

    /// The result, if the value of the position decides it: its value for the opponent, which is to move,
    /// after this number of the engine's moves.
    fn decide(&self, referee: &Referee, after: ProvenValue, moves: usize) -> Option<PlayoutOutcome>;

    /// The result when the rules have ended the game after this number of the engine's moves.
    fn ended(&self, ending: RuleEnd, moves: usize) -> PlayoutOutcome;
}

/// The dialogue: a new game, then a question for each move of the engine.
pub struct TablebasePlayout<S> {
    rules: S,
    position: GamePosition,
    limits: Limits,
    tables: Arc<Tables>,
    game: Option<PlayoutGame>,
    /// Nodes searched.
    nodes: u64,
}

/// A running game.
struct PlayoutGame {
    playout: Playout,
    /// Moves of the engine.
    moves: usize,
}

impl<S: PlayoutRules> TablebasePlayout<S> {
    /// Not begun yet. The limits are those of each move.
    pub const fn new(rules: S, position: GamePosition, limits: Limits, tables: Arc<Tables>) -> Self {
        Self { rules, position, limits, tables, game: None, nodes: 0 }
    }

    /// The game before its first move, or what is wrong with the suite.
    fn begin(&self) -> Result<PlayoutGame, String> {
        // No ply limit is needed: captures and pawn moves are finite, and fifty moves without them are a
        // draw.
        let playout =
            Playout::new(&self.position, &GameConditions::unlimited()).map_err(|error| error.to_string())?;
        let position = playout.referee().position();
        let (found, asked) = (self.tables.probe(position), self.rules.fact());
        if found != Some(asked) {
            let found = found.map_or_else(|| "nothing".to_owned(), value_text);
            return Err(format!("the suite says {}, the tables say {found}", value_text(asked)));
        }
        Ok(PlayoutGame { playout, moves: 0 })
    }

    /// Plays the engine's move and the reply. `Some`: the playout is over.
    fn play_move(&self, game: &mut PlayoutGame, answer: &Answer) -> Option<PlayoutOutcome> {
        let unsound = |detail: &str| Some(PlayoutOutcome::new(FaultCause::UnsoundCase, detail.to_owned()));
        let moved = game.playout.answer(&TurnReply { best: answer.best, ..TurnReply::default() });
        game.moves += usize::from(moved.is_some());
        if let GameState::Over(ending) = game.playout.state() {
            return Some(self.ended(ending.cause, game.moves));
        }
        let referee = game.playout.referee();
        let after = self.tables.probe(referee.position());
        let Some(after) = after else { return unsound("the tables do not have this position") };
        if let Some(outcome) = self.rules.decide(referee, after, game.moves) {
            return Some(outcome);
        }
        let reply = self.rules.reply(referee, &self.tables).map(|mv| referee.uci(mv));
        if reply.is_none_or(|reply| game.playout.answer(&TurnReply::from_move(reply)).is_none()) {
            return unsound("the tables have no reply");
        }
        match game.playout.state() {
            GameState::ToMove(_) => None,
            GameState::Over(ending) => Some(self.ended(ending.cause, game.moves)),
        }
    }

    /// The result of a game's end after this number of the engine's moves.
    fn ended(&self, cause: EndCause, moves: usize) -> PlayoutOutcome {
        let next = moves + 1;
        match cause {
            EndCause::Rule(ending) => self.rules.ended(ending, moves),
            EndCause::NoMove => PlayoutOutcome::new(FaultCause::NoMove, format!("at move {next}")),
            EndCause::IllegalMove(best) => {
                PlayoutOutcome::new(FaultCause::IllegalMove, format!("{best} at move {next}"))
            }
            // There is no clock, and nothing else ends the game early.
            EndCause::Flag(_) | EndCause::Adjudicated(_) | EndCause::PlyLimit => {
                PlayoutOutcome::new(FaultCause::UnsoundCase, cause.to_string())
            }
        }
    }

    fn verdict(&self, game: &PlayoutGame, answer: &Answer, outcome: PlayoutOutcome) -> Verdict {
        let PlayoutOutcome { cause, detail, measures } = outcome;
        let pv = moves_text(&game.playout.line().moves);
        Verdict { nodes: self.nodes, pv, measures, ..Verdict::new(answer, cause, detail) }
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
            Question { position: game.playout.line().clone(), limits: self.limits, searchmoves: Vec::new() };
        self.game = Some(game);
        CaseStep::Ask(question)
    }
}

/// A value as text: `a draw`, `#12`.
fn value_text(fact: ProvenValue) -> String {
    fact.mate().map_or_else(|| "a draw".to_owned(), |mate| format!("#{}", mate.moves()))
}

/// Checks that tables exist for a position.
pub fn check(source_file: &SourceFile, record: &epd::EpdRecord) -> Result<Material, SuiteError> {
    let complain = |what: String, remedy: &str| source_file.error_at_line(record.number, what, remedy);
    let referee = Referee::new(&record.position)
        .map_err(|error| complain(error.to_string(), "correct the position"))?;
    if let Some(ending) = referee.ending() {
        return Err(complain(format!("the game is over here ({ending})"), "remove the line"));
    }
    let position = referee.position();
    let input = Material::from_board(position.board());
    if input.piece_count() > AUTO_MAX_PIECES || !position.castles().is_empty() {
        let what = format!("there is no table for {input}");
        let remedy = format!("give positions of at most {AUTO_MAX_PIECES} pieces without castling rights");
        return Err(complain(what, &remedy));
    }
    Ok(input.canonical().0)
}

/// A legal move with its value.
#[derive(Debug, Clone)]
pub struct MoveValue {
    /// The move that was played.
    pub mv: Move,
    /// The value of the position after it, for the side to move there.
    pub after: ProvenValue,
    /// How often that position occurred before.
    pub occurrences: usize,
    /// The rules draw the game there.
    pub drawn: bool,
}

/// Every legal move with its value, in the order of UCI names.
pub fn move_values(referee: &Referee, tables: &Tables) -> Vec<MoveValue> {
    let position = referee.position();
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    // The generator's order may change with its version, and the choice among equal moves depends on the
    // order.
    moves.sort_by_key(|&mv| referee.uci(mv).to_string());
    moves
        .into_iter()
        .filter_map(|mv| {
            let after = tables.probe_after(position, mv)?;
            let seen = referee.occurrences_after(mv);
            // Mate on the hundredth ply is still mate.
            let fifty = !mv.is_zeroing() && position.halfmoves() >= 99 && after != ProvenValue::mate_in(0);
            Some(MoveValue { mv, after, occurrences: seen, drawn: seen >= 2 || fifty })
        })
        .collect()
}
