//! Ctrl-C: it raises the signal that stops the searches and runs of this process.

use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use threefold_chess::clock::Stop;

/// The signal that Ctrl-C gives to every run of this process. A signal handler can be installed only once.
pub(crate) fn interrupt() -> anyhow::Result<Stop> {
    static INSTALLED: Mutex<Option<Stop>> = Mutex::new(None);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stop) = &*installed {
        return Ok(stop.clone());
    }
    let stop = Stop::default();
    let raised = stop.clone();
    ctrlc::set_handler(move || raised.raise()).context("can't install the Ctrl-C handler")?;
    Ok(installed.insert(stop).clone())
}
