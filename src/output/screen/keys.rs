//! The keys of the screen.

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// Start no more games, or start them again.
    Pause,
    /// Stop after the games in progress, or go on after all.
    Finish,
    /// Show another panel.
    NextPanel,
    /// The game, line or message before.
    Previous,
    /// The game, line or message after.
    Next,
    /// Show the selected game alone.
    Details,
    /// Leave what covers the run.
    Back,
    /// Show the keys.
    Help,
    /// Draw everything again.
    Redraw,
    /// Stop after the games in progress, or at once if that is so already: Ctrl-C, which is no signal while keys
    /// are read one by one.
    Interrupt,
}

/// The list of keys: the keys, and what they do.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("p", "pause: nothing begins; what is in progress goes on to its end"),
    ("s", "stop after what is in progress; `resume` continues the run"),
    ("p or s again", "go on"),
    ("Ctrl-C", "as s; a second one stops at once, what is in progress is lost"),
    ("Tab", "show boards, workers or messages"),
    ("arrows, h j k l", "select a game, or scroll the messages"),
    ("Enter", "show the selected game alone, with its moves"),
    ("Esc, q", "back to the run"),
    ("Ctrl-L", "draw the screen again"),
    ("?", "this list"),
];

/// The meaning of an event of the terminal.
pub(super) fn meaning(event: &Event) -> Option<Key> {
    let Event::Key(key) = event else { return None };
    // Windows reports the release of a key, too.
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Key::Interrupt),
            KeyCode::Char('l') => Some(Key::Redraw),
            _ => None,
        };
    }
    match key.code {
        KeyCode::Char('p') => Some(Key::Pause),
        KeyCode::Char('s') => Some(Key::Finish),
        KeyCode::Tab => Some(Key::NextPanel),
        KeyCode::Left | KeyCode::Up | KeyCode::Char('h' | 'k') => Some(Key::Previous),
        KeyCode::Right | KeyCode::Down | KeyCode::Char('l' | 'j') => Some(Key::Next),
        KeyCode::Enter => Some(Key::Details),
        KeyCode::Esc | KeyCode::Char('q') => Some(Key::Back),
        KeyCode::Char('?') => Some(Key::Help),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEvent;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        meaning(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn keys_have_their_meaning() {
        for (code, key) in [
            (KeyCode::Char('p'), Key::Pause),
            (KeyCode::Char('s'), Key::Finish),
            (KeyCode::Tab, Key::NextPanel),
            (KeyCode::Up, Key::Previous),
            (KeyCode::Char('j'), Key::Next),
            (KeyCode::Enter, Key::Details),
            (KeyCode::Esc, Key::Back),
            (KeyCode::Char('q'), Key::Back),
        ] {
            assert_eq!(press(code, KeyModifiers::NONE), Some(key), "{code:?}");
        }
        // Some terminals report Shift with a question mark.
        assert_eq!(press(KeyCode::Char('?'), KeyModifiers::SHIFT), Some(Key::Help));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Interrupt));
        assert_eq!(press(KeyCode::Char('l'), KeyModifiers::CONTROL), Some(Key::Redraw));
    }

    #[test]
    fn other_keys_do_nothing() {
        assert_eq!(press(KeyCode::Char('x'), KeyModifiers::NONE), None);
        assert_eq!(press(KeyCode::Char('p'), KeyModifiers::CONTROL), None, "Ctrl-P is another key");
        assert_eq!(press(KeyCode::Char('z'), KeyModifiers::CONTROL), None);
        assert_eq!(meaning(&Event::Resize(80, 24)), None);
        let mut released = KeyEvent::new(KeyCode::Char('p'), KeyModifiers::NONE);
        released.kind = KeyEventKind::Release;
        assert_eq!(meaning(&Event::Key(released)), None, "a key counts once");
    }
}
