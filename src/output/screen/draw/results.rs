//! The results of a part: its figures, its pairs, the points of a tournament, and the list of parts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::text::{cut, lines, panel, wrapped};
use super::theme::Theme;
use crate::output::screen::model::Model;
use crate::output::screen::part_state::{PartState, Standing};
use threefold_stats::Pentanomial;

/// The results of a pair, from worst to best.
const PAIRS: [&str; 5] = ["LL", "LD", "WL DD", "WD", "WW"];

/// Draws the figures of the present part, a line each.
pub(super) fn figures(part: &PartState, theme: Theme, area: Rect, buf: &mut Buffer) {
    let first = if part.is_match() { part.engines().first() } else { None };
    let title = match first {
        Some(engine) if part.pairs().is_some() => format!("Results of {engine}"),
        _ => "Results".to_owned(),
    };
    let inner = panel(&title, area, buf);
    let style = |text: &str| if text.contains("engine fault") { theme.bad() } else { Style::new() };
    let mut shown: Vec<Line<'_>> = Vec::new();
    for text in &part.texts().figures {
        let rows = wrapped(text, usize::from(inner.width));
        shown.extend(rows.into_iter().map(|row| Line::styled(row, style(text))));
    }
    if !part.standings().is_empty() && part.pairs().is_none() {
        let [won, drawn] = part.won_and_drawn();
        shown.push(Line::raw(format!("{won} games won, {drawn} drawn")));
    } else if shown.is_empty() {
        let unit = if part.is_match() { "game" } else { "case" };
        shown.push(Line::styled(format!("no {unit} counts yet"), Theme::dim()));
    }
    if let Some(pairs) = part.pairs() {
        let counts = pairs.counts.map(|count| count.to_string()).join(", ");
        shown.push(Line::raw(format!("Ptnml(0-2) [{counts}]")));
    }
    if let Some([wins, draws, losses]) = part.score().filter(|score| score.iter().any(|&number| number > 0)) {
        let letters = [('W', wins, theme.good()), ('D', draws, Style::new()), ('L', losses, theme.bad())];
        shown.push(Line::raw(""));
        shown.push(shares(letters, inner.width));
    }
    lines(shown, inner, buf);
}

/// A bar of letters, each in proportion to its number.
fn shares(parts: [(char, u64, Style); 3], width: u16) -> Line<'static> {
    let total: u64 = parts.iter().map(|(_, number, _)| number).sum();
    let mut sum = 0;
    // The sums are rounded, not the parts, so the bar has exactly this width.
    let column = |sum: u64| (sum as f64 / total.max(1) as f64 * f64::from(width)).round() as usize;
    Line::from_iter(parts.map(|(letter, number, style)| {
        let from = column(sum);
        sum += number;
        Span::styled(letter.to_string().repeat(column(sum) - from), style)
    }))
}

/// Draws a bar for each result of a pair.
pub(super) fn pairs(pairs: &Pentanomial, theme: Theme, area: Rect, buf: &mut Buffer) {
    let inner = panel("Pairs of the first engine, worst to best", area, buf);
    let most = pairs.counts.into_iter().max().unwrap_or_default().max(1);
    let room = f64::from(inner.width.saturating_sub(16));
    let styles = [theme.bad(), theme.bad(), Style::new(), theme.good(), theme.good()];
    let rows = PAIRS.iter().zip(pairs.counts).zip(styles).map(|((name, count), style)| {
        let length = (count as f64 / most as f64 * room).round() as usize;
        Line::from_iter([
            Span::raw(format!("{name:5} ")),
            Span::styled("█".repeat(length), style),
            Span::raw(format!(" {count}")),
        ])
    });
    lines(rows, inner, buf);
}

/// Draws the engines of a tournament with their points.
pub(super) fn standings(standings: &[&Standing], area: Rect, buf: &mut Buffer) {
    let inner = panel("Points of finished games", area, buf);
    let name = usize::from(inner.width.saturating_sub(26)).max(8);
    let heading = Line::styled(format!("{:name$} points   won drawn  lost", "engine"), Theme::dim());
    let rows = standings.iter().map(|standing| {
        let [wins, draws, losses] = standing.score;
        let points = standing.half_points() as f64 / 2.0;
        let engine = cut(&standing.engine, name);
        Line::raw(format!("{engine:name$} {points:>6.1} {wins:>5} {draws:>5} {losses:>5}"))
    });
    lines(std::iter::once(heading).chain(rows), inner, buf);
}

/// Draws the parts of the run around the present one.
pub(super) fn parts(model: &Model, area: Rect, buf: &mut Buffer) {
    let inner = panel(&format!("Parts, {} in the run", model.parts.len()), area, buf);
    let room = usize::from(inner.height);
    let first = model.current.saturating_sub(room / 2).min(model.parts.len().saturating_sub(room));
    let name = usize::from(inner.width / 3).clamp(10, 24);
    let rows = model.parts.iter().enumerate().skip(first).map(|(index, part)| {
        let texts = part.texts();
        let mark = if index == model.current { '>' } else { ' ' };
        let what = texts.ending.iter().chain(&texts.figures).cloned().collect::<Vec<_>>().join(", ");
        let part_name = cut(part.name(), name);
        let text = format!("{mark} {part_name:name$} {:>4}/{:<4} {what}", texts.counted, texts.jobs);
        let style = if index == model.current { Theme::strong() } else { Style::new() };
        Line::styled(text, style)
    });
    lines(rows, inner, buf);
}
