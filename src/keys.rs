//! Single keys of the terminal.

use std::time::Duration;

use anyhow::Context;
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal;

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressed {
    /// A character.
    Char(char),
    /// The escape key.
    Escape,
    /// Ctrl-C, which is no signal while keys are read one by one.
    Interrupt,
}

/// Reads keys one by one. The terminal is as before when this is dropped.
pub struct Keys;

impl Keys {
    /// Makes the terminal pass on each key at once.
    ///
    /// # Errors
    /// If the terminal can't do that.
    pub fn listen() -> anyhow::Result<Self> {
        terminal::enable_raw_mode().context("the terminal does not pass on single keys")?;
        Ok(Self)
    }

    /// The next key; `None` if there is none within this time.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn next(&self, wait: Duration) -> anyhow::Result<Option<Pressed>> {
        let gone = "the terminal can't be read";
        if !event::poll(wait).context(gone)? {
            return Ok(None);
        }
        Ok(pressed(&event::read().context(gone)?))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that is gone is no error.
        let _ = terminal::disable_raw_mode();
    }
}

/// The key of an event of the terminal.
fn pressed(event: &Event) -> Option<Pressed> {
    let Event::Key(key) = event else { return None };
    let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        // Windows reports the release of a key, too.
        _ if key.kind == KeyEventKind::Release => None,
        KeyCode::Char('c') if has_control => Some(Pressed::Interrupt),
        KeyCode::Char(pressed) if !has_control => Some(Pressed::Char(pressed)),
        KeyCode::Esc => Some(Pressed::Escape),
        _ => None,
    }
}
