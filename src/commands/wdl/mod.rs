//! `wdl`: a win-draw-loss model of an engine's scores.

mod args;
mod games;

pub use self::args::WdlArgs;
use self::games::ReadGames;
use crate::exit::Exit;
use crate::{files, streams};
use std::path::Path;
use threefold_player::output_file::{self, IfThere};
use threefold_stats::wdl::{WdlError, fit_wdl};

/// Reads the games, fits the model, prints it.
pub fn run(args: &WdlArgs) -> anyhow::Result<Exit> {
    let written = [&args.json, &args.html, &args.warnings].into_iter().flatten();
    for file in written.filter(|file| file.as_path() != Path::new("-")) {
        output_file::check(file, IfThere::forced(args.force))?;
    }
    let settings = args.settings()?;
    let games = ReadGames::read(args, &settings)?;
    if let Some(file) = &args.warnings {
        let lines: String = games.input.notes.iter().map(|note| note.line() + "\n").collect();
        files::write_whole(file, lines.as_bytes())?;
    }
    games.check(args)?;
    let fit = fit_wdl(&games.sample, f64::from(settings.target)).map_err(|error| refused(error, &games))?;
    let report = games.report(args, settings, fit);
    if let Some(file) = &args.html {
        files::write_whole(file, report.page().as_bytes())?;
    }
    match args.json.as_deref() {
        Some(file) if file == Path::new("-") => streams::results(&report.to_json())?,
        Some(file) => {
            files::write_whole(file, report.to_json().as_bytes())?;
            streams::results(&report.to_text())?;
        }
        None => streams::results(&report.to_text())?,
    }
    Ok(Exit::Fine)
}

/// The error with the numbers of positions, which show what was read.
fn refused(error: WdlError, games: &ReadGames) -> anyhow::Error {
    let [lost, drawn, won] = games.sample.counts();
    anyhow::anyhow!("{error} (read: {won} positions won, {drawn} drawn, {lost} lost by the side to move)")
}
