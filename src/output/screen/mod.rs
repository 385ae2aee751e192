//! The live screen of a run, `--tui`: results, boards and clocks, workers and messages, with keys.
//!
//! Events of the run and keys change a model, and a thread of its own draws the model a few times a second.
//! What the workers do is copied when it is drawn, so no game waits for the screen. The terminal is written
//! while the model is not locked: a slow terminal does not delay the run.

mod draw;
mod keys;
mod messages;
mod model;
mod navigation;
mod part_state;
mod run_time;
mod terminal;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;
use crossterm::event;
use ratatui::buffer::Buffer;

pub(crate) use self::terminal::check_terminal;

use self::draw::Theme;
use self::model::{Model, Request};
use self::terminal::ScreenTerminal;
use crate::streams;
use threefold_chess::clock::Stop;
use threefold_player::SuspendableClock;
use threefold_run::event::RunEvent;
use threefold_run::journal::{Journal, JournalError};
use threefold_run::live::LiveJobs;
use threefold_run::pool::PoolConfig;
use threefold_run::run_control::RunControl;

/// The longest time between two drawings; a key draws at once.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// The screen of a run.
pub(crate) struct Screen {
    model: Arc<Mutex<Model>>,
    is_closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread of the screen reads and changes.
struct ScreenLoop {
    model: Arc<Mutex<Model>>,
    is_closing: Arc<AtomicBool>,
    live: Arc<LiveJobs>,
    control: RunControl,
    stop: Stop,
    clock: SuspendableClock,
    theme: Theme,
}

impl Screen {
    /// Opens the screen for the runs of a pool.
    ///
    /// # Errors
    /// If the terminal can't be used.
    pub(crate) fn open(pool: &PoolConfig<'_>) -> anyhow::Result<Self> {
        let clock = pool.launch_options.clock.clone();
        let model = Arc::new(Mutex::new(Model::new(pool.workers.get(), clock.now())));
        let is_closing = Arc::new(AtomicBool::new(false));
        let screen = ScreenLoop {
            model: Arc::clone(&model),
            is_closing: Arc::clone(&is_closing),
            live: pool.live.clone().unwrap_or_else(|| Arc::new(LiveJobs::new(pool.workers))),
            control: pool.control.clone(),
            stop: pool.launch_options.stop.clone(),
            clock,
            theme: Theme::of_environment(),
        };
        let terminal = ScreenTerminal::open()?;
        let for_notices = Arc::clone(&model);
        streams::divert_notices(move |text| locked(&for_notices).notice(text));
        let thread = thread::Builder::new().name("screen".to_owned()).spawn(move || screen.run(terminal));
        // The terminal was moved into the thread's closure, whose drop has restored it.
        if thread.is_err() {
            streams::end_diversion();
        }
        Ok(Self { model, is_closing, thread: Some(thread.context("--tui: no thread for the screen")?) })
    }

    /// A run begins, or another round of it.
    ///
    /// # Errors
    /// If its journal can't be read.
    pub(crate) fn begin(&self, journal: &Journal) -> Result<(), JournalError> {
        let mut model = locked(&self.model);
        model.begin(journal.spec(), &journal.file().display().to_string());
        journal.contents().replay(&mut |key, result| {
            model.replay(key.part, key.job, &result);
            Ok(())
        })
    }

    /// Shows an event.
    pub(crate) fn show(&self, event: &RunEvent<'_>) {
        locked(&self.model).take(event);
    }

    /// Shows a message, which is also printed when the screen is closed.
    pub(crate) fn notice(&self, text: &str) {
        locked(&self.model).notice(text);
    }

    /// Closes the screen, and prints its notices and a line for each part.
    pub(crate) fn close(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.is_closing.store(true, Ordering::Relaxed);
        // An error means that the thread has panicked, and then its message was printed.
        let _ = thread.join();
        // After the end of the thread, which leaves the alternate screen: a line printed before would vanish
        // with it.
        streams::end_diversion();
        let lines = locked(&self.model).closing_lines();
        for line in lines {
            streams::notice(&line);
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

impl ScreenLoop {
    /// Draws and reads keys until the screen is closed. A terminal that is gone ends it, not the run.
    fn run(self, mut terminal: ScreenTerminal) {
        while !self.is_closing.load(Ordering::Relaxed) && terminal.is_open() {
            if self.draw(&mut terminal).and_then(|()| self.read_key(&mut terminal)).is_err() {
                return;
            }
        }
    }

    fn draw(&self, terminal: &mut ScreenTerminal) -> std::io::Result<()> {
        let area = terminal.area();
        let jobs = self.live.now();
        let mut drawing = Buffer::empty(area);
        {
            let mut model = locked(&self.model);
            model.advance(self.clock.now(), jobs, self.control.flow());
            draw::draw(&model, self.theme, area, &mut drawing);
        }
        terminal.show(drawing)
    }

    /// Waits for a key or a new size, until it is time to draw.
    fn read_key(&self, terminal: &mut ScreenTerminal) -> std::io::Result<()> {
        if !event::poll(REDRAW_INTERVAL)? {
            return Ok(());
        }
        let Some(key) = keys::meaning(&event::read()?) else { return Ok(()) };
        if key == keys::Key::Redraw {
            terminal.forget();
        }
        // Without the lock of the model below: a notice takes it, too.
        let request = locked(&self.model).press(key);
        match request {
            Some(Request::Flow(flow)) => self.control.set(flow),
            Some(Request::Interrupt) if self.control.end_after_jobs() => {}
            Some(Request::Interrupt) => self.stop.raise(),
            None => {}
        }
        Ok(())
    }
}

fn locked(model: &Mutex<Model>) -> MutexGuard<'_, Model> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
