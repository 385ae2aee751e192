//! The latest messages, the last one at the bottom.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::text::{cut, hours, lines, panel, wrapped};
use super::theme::Theme;
use crate::output::screen::messages::{Message, MessageKind};
use crate::output::screen::model::Model;

/// The width of the time and the word before a text.
const HEAD: usize = 15;

/// Draws the last messages that fit, without those that a person has scrolled past.
pub(super) fn messages(model: &Model, theme: Theme, area: Rect, buf: &mut Buffer) {
    let later = model.navigation.later_messages;
    let number = model.messages.latest().len();
    let title = match (number, later) {
        (0, _) => "Faults and messages: none".to_owned(),
        (_, 0) => format!("Faults and messages: {number}"),
        _ => format!("Faults and messages: {number}, {later} below"),
    };
    let inner = panel(&title, area, buf);
    let width = usize::from(inner.width).saturating_sub(HEAD + 1).max(10);
    // A warning can have a whole game.
    let most = usize::from(inner.height / 3).max(2);
    let mut rows: Vec<Line<'_>> = Vec::new();
    for message in model.messages.latest().rev().skip(later) {
        if rows.len() >= inner.height.into() {
            break;
        }
        rows.extend(message_lines(message, theme, width, most).into_iter().rev());
    }
    rows.truncate(inner.height.into());
    rows.reverse();
    lines(rows, inner, buf);
}

/// `0:12:31 fault  sprt, game 12: New: lost on time by 35 ms`, in at most this number of lines.
fn message_lines(message: &Message, theme: Theme, width: usize, most: usize) -> Vec<Line<'static>> {
    let style = match message.kind {
        MessageKind::Fault | MessageKind::Failed => theme.bad(),
        MessageKind::Notice => Style::new(),
    };
    let head = format!("{} {:6} ", hours(message.at), message.kind.label());
    let mut texts = wrapped(&message.text, width);
    if texts.len() > most {
        texts.truncate(most);
        texts[most - 1] = cut(&format!("{} …", texts[most - 1]), width);
    }
    let texts = texts.into_iter().enumerate();
    texts
        .map(|(index, text)| {
            let head = if index == 0 { head.clone() } else { " ".repeat(head.len()) };
            Line::from_iter([Span::styled(head, style), Span::raw(text)])
        })
        .collect()
}
