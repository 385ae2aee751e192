//! Texts in lines of a fixed width: cut off, at both ends of a line, or wrapped.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Widget as _};

/// A text of at most this number of characters; one that is longer ends with `…`.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain((most > 0).then_some('…')).collect()
}

/// A text in lines of at most this number of characters, broken between words where that is possible.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for mut word in text.split_whitespace() {
        loop {
            let line = lines.last_mut().expect("there is a first line");
            let used = line.chars().count();
            let gap = usize::from(used > 0);
            let length = word.chars().count();
            if used + gap + length <= width {
                line.push_str(&" "[..gap]);
                line.push_str(word);
                break;
            }
            if used > 0 {
                lines.push(String::new());
                continue;
            }
            // A word that is longer than a line.
            let end = word.char_indices().nth(width.max(1)).map_or(word.len(), |(at, _)| at);
            line.push_str(&word[..end]);
            word = &word[end..];
            if word.is_empty() {
                break;
            }
            lines.push(String::new());
        }
    }
    lines
}

/// Draws a text at each end of the first row of an area; the right one covers the left one.
pub(super) fn ends(left: &Line<'_>, right: &Line<'_>, area: Rect, buf: &mut Buffer) {
    let width = u16::try_from(right.width()).unwrap_or(u16::MAX).min(area.width);
    let rest = area.width - width;
    buf.set_line(area.x, area.y, left, rest.saturating_sub(1));
    buf.set_line(area.x + rest, area.y, right, width);
}

/// Draws lines from the top of an area, if there is room.
pub(super) fn lines<'l>(lines: impl IntoIterator<Item = Line<'l>>, area: Rect, buf: &mut Buffer) {
    for (row, line) in (area.top()..area.bottom()).zip(lines) {
        buf.set_line(area.x, row, &line, area.width);
    }
}

/// Draws the heading of a panel; returns the area below it.
pub(super) fn panel(title: &str, area: Rect, buf: &mut Buffer) -> Rect {
    let block = Block::new().borders(Borders::TOP).title(format!(" {} ", cut(title, area.width.into())));
    let inner = block.inner(area);
    block.render(area, buf);
    // The panel on its right begins at once.
    Rect { width: inner.width.saturating_sub(1), ..inner }
}

/// `0:12:31`.
pub(super) fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Time on a clock: `0:02.3`, and from an hour on `1:02:03`.
pub(super) fn clock(left: Duration) -> String {
    if left >= Duration::from_hours(1) {
        return hours(left);
    }
    let tenths = left.as_millis() / 100;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_off_with_a_mark() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("äöüß", 3), "äö…");
        assert_eq!(cut("abc", 0), "");
    }

    #[test]
    fn texts_are_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("a rnbqkbnrpppppppp b", 6), ["a", "rnbqkb", "nrpppp", "pppp b"]);
        assert_eq!(wrapped("", 5), [""]);
    }

    #[test]
    fn clocks_show_tenths_below_an_hour() {
        let table = [(0, "0:00.0"), (2_345, "0:02.3"), (62_000, "1:02.0"), (3_723_000, "1:02:03")];
        for (millis, text) in table {
            assert_eq!(clock(Duration::from_millis(millis)), text);
        }
    }
}
