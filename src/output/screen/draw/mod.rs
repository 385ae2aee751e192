//! What the screen shows: a pure function of the model, the theme and the size.

mod board;
mod boards;
mod details;
mod header;
mod messages;
mod path;
mod results;
mod text;
mod theme;
mod workers;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

pub(super) use self::theme::Theme;

use super::keys::KEYS;
use super::model::Model;
use super::navigation::{Panel, View};
use super::part_state::PartState;

/// The smallest size that is drawn.
const LEAST: (u16, u16) = (80, 24);
/// From this width on, three panels are side by side.
const WIDE: u16 = 120;
/// The width of the figures of a part.
const FIGURES: u16 = 40;
/// From this height on, workers and messages are below the boards.
const HIGH: u16 = 36;

/// Draws the screen.
pub(super) fn draw(model: &Model, theme: Theme, area: Rect, buf: &mut Buffer) {
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return too_small(area, buf);
    }
    let [head, body, foot] =
        Layout::vertical([Constraint::Length(2), Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    header::header(model, theme, head, buf);
    header::footer(model, foot, buf);
    let selected = model.navigation.selected(&model.busy());
    let job = selected.and_then(|worker| Some((worker, model.job(worker)?)));
    match (model.navigation.view, job) {
        (View::Help, _) => help(model, body, buf),
        (View::Details, Some((worker, job))) => details::details(model, worker, job, body, buf),
        (View::Details, None) | (View::Run, _) => run(model, theme, body, buf),
    }
}

fn too_small(area: Rect, buf: &mut Buffer) {
    let text = format!(
        "This window has {} x {} characters; the screen needs {} x {}. The run goes on.",
        area.width, area.height, LEAST.0, LEAST.1
    );
    let wrapped = text::wrapped(&text, area.width.into());
    text::lines(wrapped.into_iter().map(Line::raw), area, buf);
}

fn help(model: &Model, area: Rect, buf: &mut Buffer) {
    let inner = text::panel("Keys", area, buf);
    let row = |(key, what): &(&'static str, &'static str)| {
        Line::from_iter([Span::styled(format!(" {key:16}"), Theme::strong()), Span::raw(*what)])
    };
    let journal = [String::new(), format!(" Journal: {}", model.journal)].map(Line::raw);
    text::lines(KEYS.iter().map(row).chain(journal), inner, buf);
}

/// The run: results above, and the chosen panel below.
fn run(model: &Model, theme: Theme, area: Rect, buf: &mut Buffer) {
    let is_high = area.height + 3 >= HIGH;
    let above = if is_high { 11 } else { 8 };
    let [above, below] = Layout::vertical([Constraint::Length(above), Constraint::Fill(1)]).areas(area);
    if let Some(part) = model.part() {
        results(model, part, theme, above, buf);
    }
    if is_high && model.navigation.panel == Panel::Boards {
        let [boards, rest] = Layout::vertical([Constraint::Fill(1), Constraint::Length(11)]).areas(below);
        let halves = [Constraint::Fill(1), Constraint::Fill(1)];
        let [first, second] = if area.width >= WIDE {
            Layout::horizontal(halves).areas(rest)
        } else {
            Layout::vertical(halves).areas(rest)
        };
        boards::boards(model, boards, buf);
        workers::workers(model, theme, first, buf);
        messages::messages(model, theme, second, buf);
        return;
    }
    match model.navigation.panel {
        Panel::Boards => boards::boards(model, below, buf),
        Panel::Workers => workers::workers(model, theme, below, buf),
        Panel::Messages => messages::messages(model, theme, below, buf),
    }
}

/// The figures of the present part, with what else there is to show of it, if there is room.
fn results(model: &Model, part: &PartState, theme: Theme, area: Rect, buf: &mut Buffer) {
    let mut others: Vec<Other> = Other::of(model, part);
    others.truncate(if area.width >= WIDE { 2 } else { 1 });
    // The figures are second, or alone.
    let before = others.len().min(1);
    let mut columns: Vec<Constraint> = others.iter().map(|_| Constraint::Fill(1)).collect();
    columns.insert(before, Constraint::Length(FIGURES));
    let areas = Layout::horizontal(columns).split(area);
    results::figures(part, theme, areas[before], buf);
    let rest = areas.iter().enumerate().filter(|(index, _)| *index != before);
    for (other, (_, &area)) in others.iter().zip(rest) {
        other.draw(model, part, theme, area, buf);
    }
}

/// What can be shown of a part in addition to its figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Other {
    /// The path of its test.
    Path,
    /// The list of parts.
    Parts,
    /// The points of a tournament.
    Standings,
    /// The pairs of a match.
    Pairs,
}

impl Other {
    /// What there is, the most important first.
    fn of(model: &Model, part: &PartState) -> Vec<Self> {
        let all = [
            (Self::Path, part.path().is_some()),
            (Self::Standings, !part.standings().is_empty()),
            (Self::Parts, model.parts.len() > 1),
            (Self::Pairs, part.pairs().is_some()),
        ];
        all.into_iter().filter(|(_, is_there)| *is_there).map(|(other, _)| other).collect()
    }

    fn draw(self, model: &Model, part: &PartState, theme: Theme, area: Rect, buf: &mut Buffer) {
        match self {
            Self::Path => part.path().into_iter().for_each(|path| path::path(path, theme, area, buf)),
            Self::Parts => results::parts(model, area, buf),
            Self::Standings => results::standings(&part.standings(), area, buf),
            Self::Pairs => part.pairs().into_iter().for_each(|pairs| results::pairs(pairs, theme, area, buf)),
        }
    }
}
