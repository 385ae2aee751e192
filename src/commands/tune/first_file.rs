//! `tune --from-engine`: a first file of parameters.

use std::time::Duration;

use super::engine;
use crate::exit::Exit;
use crate::{files, streams};
use threefold_run::tune::engine_options::{self, FirstFile};

/// The first line of the file.
const HEAD: &str = "# name, type, value, min, max, c_end, r_end";

/// Prints the spin options of an engine as parameters.
///
/// # Errors
/// If the engine does not start, or has no such option.
pub(super) fn print(given: &str, startup: Option<Duration>) -> anyhow::Result<Exit> {
    let engine = files::engine(given, &[])?;
    let FirstFile { lines, left_out } = engine_options::first_file(&engine::options(&engine, startup)?);
    if !left_out.is_empty() {
        streams::notice(&format!(
            "left out, since they are no constants of the search, have one value only, or are called like a key of a SPEC: {}",
            left_out.join(", ")
        ));
    }
    anyhow::ensure!(
        !lines.is_empty(),
        "`{}` has no spin option that could be tuned; let it offer its constants as options of type spin",
        engine.name
    );
    streams::notice("remove what you don't tune, and narrow the bounds: c_end is a twentieth of them");
    streams::result(&format!("{HEAD}\n{}", lines.join("\n")))?;
    Ok(Exit::Fine)
}
