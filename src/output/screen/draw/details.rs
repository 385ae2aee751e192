//! One game or case in progress, with its moves, scores, depths and times.

use std::time::Instant;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use shakmaty::Color;

use super::board::{Replayed, Spacing, place, player, replay, score, squares};
use super::text::{hours, lines, panel, wrapped};
use super::theme::Theme;
use crate::output::screen::model::Model;
use threefold_chess::clock::duration::to_hundredths;
use threefold_player::visible::visible;
use threefold_run::live::{LiveGame, LiveJob, LiveTask};

/// The width of the board with its names of ranks and files.
const BOARD: u16 = 36;

/// Draws the job of a worker.
pub(super) fn details(model: &Model, worker: usize, job: &LiveJob, area: Rect, buf: &mut Buffer) {
    let now = model.time.now();
    let part = model.parts.get(job.key.part).map_or("", |part| part.name());
    let age = hours(now.saturating_duration_since(job.begun));
    let title = format!("{part}, {}, worker {}, {age}", place(job), worker + 1);
    let inner = panel(&title, area, buf);
    let [left, right] = Layout::horizontal([Constraint::Length(BOARD), Constraint::Fill(1)]).areas(inner);
    let replayed = replay(&job.board(), usize::MAX);
    position(job, &replayed, now, left, buf);
    match &job.task {
        LiveTask::Game(game) => moves(job, game, &replayed, right, buf),
        LiveTask::Case { engine, .. } => {
            let asked = format!("Engine: {}", visible(engine));
            lines([Line::raw(asked)].into_iter().chain(line_of_play(job, right.width)), right, buf);
        }
    }
}

/// The board, with the players and clocks of a game.
fn position(job: &LiveJob, replayed: &Replayed, now: Instant, area: Rect, buf: &mut Buffer) {
    let row = |index: u16| Rect { y: area.y + index, height: 1, ..area }.intersection(area);
    let top = match &job.task {
        LiveTask::Game(game) => {
            player(game, Color::Black, now, row(0), buf);
            player(game, Color::White, now, row(11), buf);
            1
        }
        LiveTask::Case { .. } => 0,
    };
    squares(replayed, Spacing::Wide, row(top), buf);
    let under = Rect { y: area.y + 13, height: area.height.saturating_sub(13), ..area };
    lines(opening(job, area.width), under, buf);
}

/// The start position of a game.
fn opening(job: &LiveJob, width: u16) -> Vec<Line<'static>> {
    let LiveTask::Game(_) = job.task else { return Vec::new() };
    let text = format!("Opening: {}", job.position);
    let heading = wrapped(&text, usize::from(width).saturating_sub(2).max(10));
    heading.into_iter().map(|line| Line::styled(line, Theme::dim())).collect()
}

/// The position of a case as the engine gets it.
fn line_of_play(job: &LiveJob, width: u16) -> Vec<Line<'static>> {
    let text = format!("Position: {}", job.position);
    wrapped(&text, usize::from(width).max(10)).into_iter().map(Line::raw).collect()
}

/// The last moves that fit, a line each: `12… Nf6  +0.20/15  0.31 s`.
fn moves(job: &LiveJob, game: &LiveGame, replayed: &Replayed, area: Rect, buf: &mut Buffer) {
    let heading = Line::styled(format!("{:14} {:>12} {:>10}", "move", "score/depth", "time"), Theme::dim());
    let opening = job.position.moves.len();
    let room = usize::from(area.height.saturating_sub(1));
    let played: Vec<Line<'_>> = replayed
        .moves
        .iter()
        .skip(opening)
        .zip(&game.moves)
        .map(|(name, played)| {
            let used = played.used.map(to_hundredths).unwrap_or_default();
            Line::raw(format!("{name:14} {:>12} {used:>10}", score(played.score, played.depth)))
        })
        .collect();
    let first = played.len().saturating_sub(room);
    lines(std::iter::once(heading).chain(played.into_iter().skip(first)), area, buf);
}
