//! What the search finds, as the rest of the house reads it: moves by their castling rules, values as scores.

use cozy_chess::{Board, Move};
use shakmaty::uci::UciMove;

use crate::options::Settings;
use crate::request::Report;
use crate::scoring::Scoring;
use crate::search::deepen::Insight;
use crate::syzygy::Outcome;
use crate::value::Value;
use crate::wire::{self, Castling};
use threefold_chess::score::Ply;

/// Writes the search's findings as the rest of the house reads them.
pub(super) struct Writer<'b> {
    pub(super) board: &'b Board,
    pub(super) castling: Castling,
    pub(super) scoring: Scoring,
    pub(super) has_endings: bool,
    /// What the tables say of the position itself.
    pub(super) outcome: Option<Outcome>,
}

impl<'b> Writer<'b> {
    pub(super) const fn new(board: &'b Board, settings: &Settings) -> Self {
        let castling = if settings.chess960 { Castling::TakesRook } else { Castling::TwoSteps };
        Self { board, castling, scoring: settings.scoring(), has_endings: false, outcome: None }
    }

    pub(super) fn report(&self, insight: &Insight<'_>) -> Report {
        Report {
            line_of_play: insight.rank as u32,
            depth: Ply(insight.depth as u16),
            seldepth: Ply(insight.deepest as u16),
            score: self.scoring.score(self.value(insight.value)),
            bound: insight.bound,
            nodes: insight.nodes,
            hashfull: insight.fullness,
            table_hits: self.has_endings.then_some(insight.table_hits),
            pv: self.line(insight.line),
            elapsed: insight.elapsed,
        }
    }

    /// The tables' word goes before the search's, unless that is a mate.
    fn value(&self, found: Value) -> Value {
        match self.outcome {
            Some(Outcome::Win) if !found.is_win() => Value::won_at(0),
            Some(Outcome::Draw) => Value::DRAW,
            Some(Outcome::Loss) if !found.is_loss() => -Value::won_at(0),
            Some(Outcome::Win | Outcome::Loss) | None => found,
        }
    }

    pub(super) fn line(&self, moves: &[Move]) -> Vec<UciMove> {
        let mut board = self.board.clone();
        moves
            .iter()
            .map(|&mv| {
                let written = wire::write(&board, mv, self.castling);
                board.play_unchecked(mv);
                written
            })
            .collect()
    }
}
