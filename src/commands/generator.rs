//! What the generators of positions share: endgame tables, the progress bar, and the place of the output.

use std::time::Duration;

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{GeneratorOptions, Jobs, TablesOption};
use crate::exit::Exit;
use crate::{files, streams};
use threefold_oracle::{Material, Tables};
use threefold_player::output_file::{self, IfThere};

/// Tables, with the folder of finished ones.
pub fn tables(option: &TablesOption, jobs: Jobs) -> Tables {
    let threads = jobs.count();
    option.tables.as_ref().map_or_else(|| Tables::new(threads), |folder| Tables::with_folder(threads, folder))
}

/// Builds or loads the tables of these materials.
pub fn made(option: &TablesOption, jobs: Jobs, materials: &[Material]) -> anyhow::Result<Tables> {
    let mut tables = tables(option, jobs);
    let bar = bar(0, "building tables");
    tables.make(materials, &mut |table| {
        bar.inc(1);
        bar.set_message(format!("built {}", table.material()));
    })?;
    bar.finish_and_clear();
    Ok(tables)
}

/// A progress bar, or a spinner for an unknown length; hidden without a terminal.
pub fn bar(length: usize, what: &str) -> ProgressBar {
    let bar = if length == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(length as u64) };
    if !Term::stderr().is_term() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = "{spinner} {prefix} {pos}/{len} {elapsed} {wide_msg}";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is ours"));
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// Ends the bar of a generator. A warning says if fewer positions were found than asked for.
pub fn finish(bar: &ProgressBar) {
    // Read before the end, which sets the position to the length.
    let (found, asked) = (bar.position(), bar.length().unwrap_or_default());
    bar.finish_and_clear();
    if found < asked {
        streams::notice(&format!(
            "warning: only {found} of {asked} positions were found, since the number of attempts is limited; try another --seed"
        ));
    }
}

/// Checks that the output can be written before hours of work.
pub fn check_place(options: &GeneratorOptions) -> anyhow::Result<()> {
    if let Some(file) = &options.out {
        output_file::check(file, IfThere::forced(options.force))?;
    }
    Ok(())
}

/// Writes a generated text where the options say.
///
/// # Errors
/// If it can't be written.
pub fn deliver(options: &GeneratorOptions, text: &str) -> anyhow::Result<Exit> {
    match &options.out {
        Some(file) => files::write_whole(file, text.as_bytes())?,
        None => streams::results(text)?,
    }
    Ok(Exit::Fine)
}
