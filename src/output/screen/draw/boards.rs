//! The boards of the jobs in progress, side by side.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::board::{HEIGHT, Selected, WIDTH, board};
use super::text::panel;
use super::theme::Theme;
use crate::output::screen::model::Model;
use threefold_run::run_control::JobFlow;

/// The widest place for a board.
const WIDEST: u16 = 30;

/// Draws as many jobs as there is room for, the selected one among them.
pub(super) fn boards(model: &Model, area: Rect, buf: &mut Buffer) {
    let busy = model.busy();
    let selected = model.navigation.selected(&busy);
    let room = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let (columns, rows) = (usize::from(room.width / WIDTH).max(1), usize::from(room.height / HEIGHT).max(1));
    let shown = columns * rows;
    let at = busy.iter().position(|&worker| Some(worker) == selected).unwrap_or_default();
    // Pages, so that a board keeps its place while another one is selected.
    let first = at / shown * shown;
    let last = (first + shown).min(busy.len());
    let of = if busy.len() > shown {
        format!(", {} to {last} of {}", first + 1, busy.len())
    } else {
        String::new()
    };
    let title = format!("In progress{of}");
    panel(&title, area, buf);
    if busy.is_empty() {
        let text = if model.flow == JobFlow::Paused { "paused; p goes on" } else { "nothing is in progress" };
        buf.set_string(room.x + 1, room.y, text, Theme::dim());
    }
    let width = (room.width / u16::try_from(columns.min(busy.len().max(1))).unwrap_or(1)).min(WIDEST);
    for (place, &worker) in busy[first..last].iter().enumerate() {
        let Some(job) = model.job(worker) else { continue };
        let (column, row) = ((place % columns) as u16, (place / columns) as u16);
        let cell = Rect {
            x: room.x + 1 + column * width,
            y: room.y + row * HEIGHT,
            width: width.saturating_sub(2),
            height: HEIGHT,
        };
        let is_selected = if Some(worker) == selected { Selected::Yes } else { Selected::No };
        board(job, is_selected, model.time.now(), cell.intersection(room), buf);
    }
}
