//! A game or a case in progress: its board with clocks, scores and the last move.
//!
//! Pieces are letters, upper-case for White, as in a FEN: they have the same width on every terminal.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Board, CastlingMode, Chess, Color, File, Piece, Position, PositionError, Rank, Square};

use super::text::{clock, cut, hours};
use super::theme::Theme;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};
use threefold_player::visible::visible;
use threefold_run::live::{LiveGame, LiveJob, LiveTask};

/// The size of a board with its lines.
pub(super) const HEIGHT: u16 = 12;
pub(super) const WIDTH: u16 = 19;

/// A position at the end of its moves.
pub(super) struct Replayed {
    /// The pieces.
    pub(super) board: Board,
    /// The last moves, each with its number: `12. Nf3`, `12… Nf6`.
    pub(super) moves: Vec<String>,
    last: Option<UciMove>,
}

/// Plays the moves of a position and names the last ones. From the first move on that is not legal, nothing
/// is played; a start that is not legal is shown unchanged.
pub(super) fn replay(position: &GamePosition, named: usize) -> Replayed {
    let setup = position.start.as_setup();
    let mode = CastlingMode::detect(setup);
    let start = position.start.clone().into_position(mode).or_else(PositionError::ignore_impossible_check);
    let mut replayed = Replayed { board: setup.board.clone(), moves: Vec::new(), last: None };
    let Ok(mut here): Result<Chess, _> = start else { return replayed };
    let unnamed = position.moves.len().saturating_sub(named);
    for (index, &mv) in position.moves.iter().enumerate() {
        let Ok(legal) = mv.to_move(&here) else { break };
        // The notation of a move needs all legal moves, so only moves that are shown get it.
        if index < unnamed {
            here.play_unchecked(legal);
        } else {
            let dots = here.turn().fold_wb(".", "…");
            let number = here.fullmoves();
            let san = SanPlus::from_move_and_play_unchecked(&mut here, legal);
            replayed.moves.push(format!("{number}{dots} {san}"));
        }
        replayed.last = Some(mv);
    }
    replayed.board = here.board().clone();
    replayed
}

/// Draws a job in an area of at least [`WIDTH`] times [`HEIGHT`] characters.
pub(super) fn board(job: &LiveJob, is_selected: Selected, now: Instant, area: Rect, buf: &mut Buffer) {
    let replayed = replay(&job.board(), 1);
    let width = usize::from(area.width);
    let row = |index: u16| Rect { y: area.y + index, height: 1, ..area };
    let place = cut(&place(job), width.saturating_sub(10));
    let age = hours(now.saturating_duration_since(job.begun));
    let (heading, style) = match is_selected {
        Selected::Yes => (format!("[{place}] {age}"), Theme::selected()),
        Selected::No => (format!("{place} {age}"), Theme::strong()),
    };
    buf.set_stringn(area.x, area.y, heading, width, style);
    if let LiveTask::Game(game) = &job.task {
        player(game, Color::Black, now, row(1), buf);
        player(game, Color::White, now, row(10), buf);
    }
    squares(&replayed, Spacing::Narrow, row(2), buf);
    buf.set_stringn(area.x, area.y + 11, last_line(job, &replayed), width, Style::new());
}

/// Is a job the selected one?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Selected {
    /// It is.
    Yes,
    /// Another one is, or none.
    No,
}

/// The room between the squares of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    /// One character, without the names of ranks and files.
    Narrow,
    /// Two characters, with the names of ranks and files.
    Wide,
}

/// `game 12`, or the id of a case.
pub(super) fn place(job: &LiveJob) -> String {
    match &job.task {
        LiveTask::Game(_) => threefold_report::game_place(job.key.job + 1),
        LiveTask::Case { id, .. } => visible(id),
    }
}

/// Draws `> Name    0:58.1`, with a mark for the side that thinks.
pub(super) fn player(game: &LiveGame, color: Color, now: Instant, area: Rect, buf: &mut Buffer) {
    let side = color.fold_wb(0, 1);
    let mark = if game.thinks.is_some_and(|(mover, _)| mover == color) { '>' } else { ' ' };
    let left = game.left_at(now)[side].map(clock).unwrap_or_default();
    let width = usize::from(area.width.min(34));
    let name = width.saturating_sub(left.len() + 3).max(1);
    let player = cut(&visible(&game.players[side]), name);
    buf.set_stringn(area.x, area.y, format!("{mark}{player:name$} {left}"), width, Style::new());
}

/// Draws eight ranks. The squares of the last move are underlined.
pub(super) fn squares(replayed: &Replayed, spacing: Spacing, area: Rect, buf: &mut Buffer) {
    let (gap, margin) = match spacing {
        Spacing::Narrow => (1, ""),
        Spacing::Wide => (2, "  "),
    };
    for (row, rank) in Rank::ALL.into_iter().rev().enumerate() {
        let mut spans = Vec::new();
        if spacing == Spacing::Wide {
            spans.push(Span::styled(format!("{} ", rank.char()), Theme::dim()));
        }
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let piece = replayed.board.piece_at(square);
            let style = match piece.map(|piece| piece.color) {
                None => Theme::dim(),
                Some(Color::White) => Theme::strong(),
                Some(Color::Black) => Style::new(),
            };
            let is_last = replayed.last.is_some_and(|mv| is_of(mv, square));
            let style = if is_last { style.add_modifier(Modifier::UNDERLINED) } else { style };
            spans.push(Span::styled(piece.map_or('.', Piece::char).to_string(), style));
            spans.push(Span::raw(" ".repeat(gap)));
        }
        buf.set_line(area.x, area.y + row as u16, &Line::from(spans), area.width);
    }
    if spacing == Spacing::Wide {
        let files = File::ALL.map(|file| file.char().to_string()).join("  ");
        buf.set_stringn(area.x, area.y + 8, format!("{margin}{files}"), area.width.into(), Theme::dim());
    }
}

fn is_of(mv: UciMove, square: Square) -> bool {
    matches!(mv, UciMove::Normal { from, to, .. } if from == square || to == square)
}

/// `23. Nf3 +0.31/14`, the engine of a case, or the time that the first move takes.
fn last_line(job: &LiveJob, replayed: &Replayed) -> String {
    match &job.task {
        LiveTask::Case { engine, .. } => visible(engine),
        LiveTask::Game(game) => {
            let mv = replayed.moves.last().cloned().unwrap_or_default();
            match game.moves.last() {
                Some(played) => format!("{mv} {}", score(played.score, played.depth)),
                None => mv,
            }
        }
    }
}

/// `+0.31/14`, `#-3/20`, from the mover's view; empty without a score.
pub(super) fn score(score: Option<Score>, Ply(depth): Ply) -> String {
    match score {
        None => String::new(),
        Some(Score::Cp(cp)) => format!("{:+.2}/{depth}", f64::from(cp.0) / 100.0),
        Some(Score::Mate(mate)) => format!("#{}/{depth}", mate.moves()),
    }
}
