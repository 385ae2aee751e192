//! The table of the workers: what each does now, and what it has done.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::board::place;
use super::text::{cut, hours, lines, panel};
use super::theme::Theme;
use crate::output::screen::model::{Model, WorkerTally};
use threefold_player::visible::visible;
use threefold_run::live::{LiveJob, LiveTask};

/// Draws a row for each worker, from the selected page on.
pub(super) fn workers(model: &Model, theme: Theme, area: Rect, buf: &mut Buffer) {
    let inner = panel("Workers", area, buf);
    let room = usize::from(inner.height.saturating_sub(1)).max(1);
    let selected = model.navigation.selected(&model.busy());
    let first = selected.unwrap_or_default() / room * room;
    let what = usize::from(inner.width.saturating_sub(39)).max(8);
    let heading =
        format!("  {:>3} {:what$} {:>8} {:>7} {:>6} {:>6}", "no.", "now", "since", "done", "/min", "faults");
    let minutes = model.time.active().as_secs_f64() / 60.0;
    let rows = model.workers.iter().enumerate().skip(first).map(|(worker, tally)| {
        let job = model.job(worker);
        let now = cut(&job.map_or_else(|| "idle".to_owned(), doing), what);
        let since =
            job.map_or_else(String::new, |job| hours(model.time.now().saturating_duration_since(job.begun)));
        let WorkerTally { jobs, faults } = *tally;
        let speed = if minutes > 0.0 { format!("{:.1}", jobs as f64 / minutes) } else { String::new() };
        let mark = if Some(worker) == selected { '>' } else { ' ' };
        let text =
            format!("{mark} {:>3} {now:what$} {since:>8} {jobs:>7} {speed:>6} {faults:>6}", worker + 1);
        Line::styled(text, if faults > 0 { theme.bad() } else { Style::new() })
    });
    lines(std::iter::once(Line::styled(heading, Theme::dim())).chain(rows), inner, buf);
}

/// `game 12: New – Base`, or the id of a case with its engine.
fn doing(job: &LiveJob) -> String {
    match &job.task {
        LiveTask::Game(game) => {
            format!("{}: {} – {}", place(job), visible(&game.players[0]), visible(&game.players[1]))
        }
        LiveTask::Case { engine, .. } => format!("{}: {}", place(job), visible(engine)),
    }
}
