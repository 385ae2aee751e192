//! Options that an engine lacks: they are left out, as fastchess does, with a warning for each.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use threefold_player::UnknownOptions;

/// Leaves out the options that an engine lacks; `print` gets a line for each the first time.
pub fn skipped_options(print: impl Fn(&str) + Send + Sync + 'static) -> UnknownOptions {
    let known: Mutex<BTreeSet<[String; 2]>> = Mutex::default();
    UnknownOptions::Skipped(Arc::new(move |engine, option| {
        // After a panic in another thread the warning is left out.
        let is_new = known.lock().is_ok_and(|mut known| known.insert([engine, option].map(str::to_owned)));
        if is_new {
            print(&format!("Warning; {engine} doesn't have option {option}"));
        }
    }))
}
