//! Converts search results to public types: moves by their castling notation, values to scores.

use cozy_chess::{Board, Move};
use shakmaty::uci::UciMove;

use crate::move_conversion::{self, Castling};
use crate::options::Settings;
use crate::request::SearchReport;
use crate::scoring::Scoring;
use crate::search::iterative_deepening::IterationInfo;
use crate::syzygy::TablebaseOutcome;
use crate::value::Value;
use threefold_chess::score::Ply;

/// Converts search results to public types.
pub(super) struct ReportWriter<'b> {
    pub(super) board: &'b Board,
    pub(super) castling: Castling,
    pub(super) scoring: Scoring,
    pub(super) has_endings: bool,
    /// The outcome of the root position by the tables.
    pub(super) outcome: Option<TablebaseOutcome>,
}

impl<'b> ReportWriter<'b> {
    pub(super) const fn new(board: &'b Board, settings: &Settings) -> Self {
        let castling = if settings.chess960 { Castling::TakesRook } else { Castling::TwoSteps };
        Self { board, castling, scoring: settings.scoring(), has_endings: false, outcome: None }
    }

    pub(super) fn report(&self, info: &IterationInfo<'_>) -> SearchReport {
        SearchReport {
            line_of_play: info.rank as u32,
            depth: Ply(info.depth as u16),
            seldepth: Ply(info.deepest as u16),
            score: self.scoring.score(self.value(info.value)),
            bound: info.bound,
            nodes: info.nodes,
            hashfull: info.hashfull,
            table_hits: self.has_endings.then_some(info.table_hits),
            pv: self.line(info.line),
            elapsed: info.elapsed,
        }
    }

    /// The tables' outcome takes precedence, unless the search has found a mate.
    fn value(&self, found: Value) -> Value {
        match self.outcome {
            Some(TablebaseOutcome::Win) if !found.is_win() => Value::won_at(0),
            Some(TablebaseOutcome::Draw) => Value::DRAW,
            Some(TablebaseOutcome::Loss) if !found.is_loss() => -Value::won_at(0),
            Some(TablebaseOutcome::Win | TablebaseOutcome::Loss) | None => found,
        }
    }

    pub(super) fn line(&self, moves: &[Move]) -> Vec<UciMove> {
        let mut board = self.board.clone();
        moves
            .iter()
            .map(|&mv| {
                let written = move_conversion::to_uci(&board, mv, self.castling);
                board.play_unchecked(mv);
                written
            })
            .collect()
    }
}
