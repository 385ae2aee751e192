//! The first lines, which say what runs and how far it is, and the last one, which names the keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::text::{ends, hours};
use super::theme::Theme;
use crate::output::screen::model::Model;
use crate::output::screen::navigation::View;
use crate::output::screen::part_state::PartState;
use threefold_report::format::grouped;
use threefold_run::run_control::JobFlow;

/// The two lines at the top.
pub(super) fn header(model: &Model, theme: Theme, area: Rect, buf: &mut Buffer) {
    let title = Line::styled(format!(" {}", model.title), Theme::strong());
    ends(&title, &state(model, theme), area, buf);
    let second = Rect { y: area.y + 1, ..area };
    let elapsed = Line::raw(format!("{} ", hours(model.time.elapsed())));
    ends(&Line::raw(format!(" {}", progress(model))), &elapsed, second, buf);
}

/// `2 games in progress`, or that the run is paused or stops.
fn state(model: &Model, theme: Theme) -> Line<'static> {
    let number = model.busy().len();
    let unit = unit(model, number);
    match model.flow {
        JobFlow::Running => Line::raw(format!("{number} {unit} in progress ")),
        JobFlow::Paused => Line::styled(format!("PAUSED, {number} {unit} in progress "), theme.notable()),
        JobFlow::Ending => Line::styled(format!("STOPPING after {number} {unit} "), theme.notable()),
    }
}

fn unit(model: &Model, number: usize) -> &'static str {
    match (model.part().is_none_or(PartState::is_match), number) {
        (true, 1) => "game",
        (true, _) => "games",
        (false, 1) => "case",
        (false, _) => "cases",
    }
}

/// `part 3 of 12, mate: 144/4 000, 12 games/min, 4.1 h left, 2 faults`.
fn progress(model: &Model) -> String {
    let Some(part) = model.part() else { return "no part has begun".to_owned() };
    let texts = part.texts();
    let place = match model.parts.len() {
        1 => String::new(),
        parts => format!("part {} of {parts}, ", model.current + 1),
    };
    let [counted, jobs] = [texts.counted, texts.jobs].map(|number| grouped(number as u64));
    let figures = texts.speed.iter().chain(&texts.ending).fold(String::new(), |all, one| all + ", " + one);
    let faults = match model.messages.faults() {
        0 => String::new(),
        1 => ", 1 fault".to_owned(),
        faults => format!(", {faults} faults"),
    };
    format!("{place}{}: {counted}/{jobs}{figures}{faults}", part.name())
}

/// The line at the bottom.
pub(super) fn footer(model: &Model, area: Rect, buf: &mut Buffer) {
    let several = unit(model, 2);
    let after = format!("stop after {several}");
    let (pause, finish) = match model.flow {
        JobFlow::Running => ("pause", after.as_str()),
        JobFlow::Paused => ("go on", after.as_str()),
        JobFlow::Ending => ("pause", "do not stop"),
    };
    let next = model.navigation.next_panel().name();
    let one = format!("one {}", unit(model, 1));
    let keys: &[(&str, &str)] = match model.navigation.view {
        View::Run => {
            &[("p", pause), ("s", finish), ("Tab", next), ("Enter", &one), ("?", "keys"), ("Ctrl-C", "stop")]
        }
        View::Details => &[("Esc", "back"), ("arrows", "another one"), ("p", pause), ("?", "keys")],
        View::Help => &[("Esc", "back")],
    };
    let spans = keys.iter().flat_map(|(key, what)| {
        [Span::raw(" "), Span::styled((*key).to_owned(), Theme::strong()), Span::raw(format!(" {what} "))]
    });
    buf.set_line(area.x, area.y, &spans.collect::<Line<'_>>(), area.width);
}
