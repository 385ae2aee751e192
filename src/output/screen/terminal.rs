//! The terminal of the screen, which is left as it was on every way out: at the end, by an error, and by a
//! panic in any thread.

use std::env;
use std::io::{self, BufWriter, IsTerminal as _, Stderr};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use console::Term;
use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Is the terminal changed? A process has one, and the hook for panics asks this.
static IS_OPEN: AtomicBool = AtomicBool::new(false);

/// Checks that there is a terminal for the screen and its keys.
///
/// # Errors
/// If there is none.
pub(crate) fn check_terminal() -> anyhow::Result<()> {
    let is_dumb = cfg!(unix) && env::var_os("TERM").is_none_or(|name| name.is_empty() || name == "dumb");
    let lacks = if !io::stderr().is_terminal() {
        Some("standard error is no terminal")
    } else if !io::stdin().is_terminal() {
        Some("standard input is no terminal, so there are no keys")
    } else {
        is_dumb.then_some("the terminal (TERM) can't place text")
    };
    match lacks {
        Some(what) => {
            anyhow::bail!("--tui: {what}; leave --tui out for bars on a terminal, or lines in a pipe")
        }
        None => Ok(()),
    }
}

/// The terminal while the screen is open.
pub(super) struct ScreenTerminal {
    backend: CrosstermBackend<BufWriter<Stderr>>,
    /// What it shows.
    shown: Buffer,
}

impl ScreenTerminal {
    /// Opens the screen: keys are passed on at once, and the text before it comes back later.
    ///
    /// # Errors
    /// If the terminal can't do that.
    pub(super) fn open() -> anyhow::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            // The terminal is restored before the message, which would vanish with the alternate screen.
            let print = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                restore();
                print(info);
            }));
        });
        enable_raw_mode().context("--tui: the terminal does not pass on single keys")?;
        IS_OPEN.store(true, Ordering::SeqCst);
        let opened = execute!(io::stderr(), EnterAlternateScreen, Hide);
        if opened.is_err() {
            // No value exists yet whose drop would restore the terminal.
            restore();
        }
        opened.context("--tui: the terminal can't be written")?;
        let backend = CrosstermBackend::new(BufWriter::new(io::stderr()));
        Ok(Self { backend, shown: Buffer::empty(Rect::ZERO) })
    }

    /// Is it still open? A panic closes it.
    #[expect(clippy::unused_self, reason = "only an opened terminal can be open")]
    pub(super) fn is_open(&self) -> bool {
        IS_OPEN.load(Ordering::SeqCst)
    }

    /// The present size: that of standard error, on which it is drawn. It is zero if it is not known.
    #[expect(clippy::unused_self, reason = "the terminal that is open has this size")]
    pub(super) fn area(&self) -> Rect {
        Term::stderr().size_checked().map_or(Rect::ZERO, |(rows, columns)| Rect::new(0, 0, columns, rows))
    }

    /// Shows a drawing of the whole screen; only what has changed is written.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub(super) fn show(&mut self, drawing: Buffer) -> io::Result<()> {
        // After a change of size it is unknown what the terminal shows.
        if self.shown.area != drawing.area {
            self.backend.clear()?;
            self.shown = Buffer::empty(drawing.area);
        }
        self.backend.draw(self.shown.diff(&drawing).into_iter())?;
        Backend::flush(&mut self.backend)?;
        self.shown = drawing;
        Ok(())
    }

    /// Has everything drawn again by the next drawing.
    pub(super) fn forget(&mut self) {
        self.shown = Buffer::empty(Rect::ZERO);
    }
}

impl Drop for ScreenTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Leaves the terminal as it was; a second time, it does nothing.
fn restore() {
    if IS_OPEN.swap(false, Ordering::SeqCst) {
        // A terminal that is gone is no error.
        let _ = execute!(io::stderr(), LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}
