//! What shows a run while it goes on: bars, lines, or the screen.

use crate::args::RunOptions;
use crate::output::progress::{Display, ProgressMode};
use crate::output::screen::Screen;
use crate::streams;
use threefold_run::event::RunEvent;
use threefold_run::journal::{Journal, JournalError};
use threefold_run::pool::PoolConfig;

/// What shows a run, round after round.
pub(super) enum RunView {
    /// Bars or lines, new ones for each round; `None` between rounds.
    Progress(ProgressMode, Option<Display<'static>>),
    /// One screen for all rounds.
    Screen(Screen),
}

impl RunView {
    /// The view of a run of this pool.
    ///
    /// # Errors
    /// If the terminal can't show a screen.
    pub(super) fn open(options: &RunOptions, pool: &PoolConfig<'_>) -> anyhow::Result<Self> {
        Ok(if options.tui {
            Self::Screen(Screen::open(pool)?)
        } else {
            Self::Progress(options.progress(), None)
        })
    }

    /// A round begins.
    ///
    /// # Errors
    /// If the journal can't be read.
    pub(super) fn begin(&mut self, journal: &Journal) -> Result<(), JournalError> {
        match self {
            Self::Progress(mode, display) => *display = Some(Display::new(journal, *mode)?),
            Self::Screen(screen) => screen.begin(journal)?,
        }
        Ok(())
    }

    /// Shows an event of the round.
    pub(super) fn show(&mut self, event: &RunEvent<'_>) {
        match self {
            Self::Progress(_, display) => display.iter_mut().for_each(|display| display.show(event)),
            Self::Screen(screen) => screen.show(event),
        }
    }

    /// Shows a message.
    pub(super) fn notice(&self, text: &str) {
        match self {
            Self::Progress(_, display) => display.iter().for_each(|display| display.notice(text)),
            Self::Screen(screen) => screen.notice(text),
        }
    }

    /// Shows messages of another thread.
    pub(super) fn notifier(&self) -> Box<dyn Fn(&str) + Send> {
        match self {
            Self::Progress(_, Some(display)) => Box::new(display.notifier()),
            // The screen shows the notices of the whole program.
            Self::Progress(_, None) | Self::Screen(_) => Box::new(streams::notice),
        }
    }

    /// A round has ended. A bar that is redrawn later would erase the messages that follow.
    pub(super) fn end(&mut self) {
        if let Self::Progress(_, display) = self
            && let Some(mut display) = display.take()
        {
            display.close();
        }
    }
}
