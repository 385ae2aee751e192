//! `tune`: plays training games, and fits the evaluation weights to them.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;

use crate::args::{TuneFitArgs, TuneGamesArgs};
use threefold::command_table;
use threefold::exit::Exit;
use threefold::output::progress;
use threefold::{files, streams};
use threefold_lab::fit::{self, FitOptions};
use threefold_lab::games::{self, Play};
use threefold_lab::studies::loss::loss_curve;
use threefold_lab::training_data;

command_table! {
    /// `threefold-lab tune`
    pub enum TuneCommand {
        /// Play Echo against itself and save quiet positions with the results of their games.
        Games(TuneGamesArgs) => games;
        /// Fit the evaluation weights of this build to such positions (Texel tuning).
        Fit(TuneFitArgs) => fit;
    }
}

/// Plays games and appends their positions to a file, after the last game it holds.
pub fn games(args: &TuneGamesArgs) -> anyhow::Result<Exit> {
    let held = files::text_if_there(&args.out)?.unwrap_or_default();
    let (first, whole) = games::resume(&held);
    let unwritable = || format!("{}: can't be written; give another file", args.out.display());
    let mut file = opened(&args.out, whole as u64).with_context(unwritable)?;
    let play = Play { seed: args.seed, nodes: args.nodes, samples: args.samples.get() };
    let bar = progress::bar(args.games, "playing games");
    bar.set_position(first);
    let mut positions = held[..whole].lines().count();
    let mut written = Ok(());
    games::play(play, args.jobs.count(), first..args.games.max(first), |text| {
        written = file.write_all(text.as_bytes());
        if written.is_err() {
            return ControlFlow::Break(());
        }
        positions += text.lines().count();
        bar.inc(1);
        bar.set_message(format!("{positions} positions"));
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    written.with_context(unwritable)?;
    streams::result(&format!(
        "{positions} positions of {} games in {}",
        args.games.max(first),
        args.out.display()
    ))?;
    Ok(Exit::Fine)
}

/// Fits weights, and writes them with the losses.
pub fn fit(args: &TuneFitArgs) -> anyhow::Result<Exit> {
    let pages: Vec<(String, String)> = args
        .games
        .iter()
        .map(|file| Ok((file.display().to_string(), files::text(file)?)))
        .collect::<anyhow::Result<_>>()?;
    let data = training_data::parse_training_data(&pages, args.seed)?;
    if data.training.is_empty() || data.held_out.is_empty() {
        anyhow::bail!("too few games; play more with `threefold-lab tune games`");
    }
    streams::result(&format!(
        "{} games: {} training positions, {} held out",
        data.games,
        data.training.len(),
        data.held_out.len()
    ))?;
    let options = FitOptions {
        seed: args.seed,
        epochs: args.epochs.get(),
        learning_rate: args.learning_rate,
        prior_sd: args.prior_sd,
        lambda: args.lambda,
    };
    let bar = progress::bar(options.epochs as u64, "fitting");
    let fitted = fit::fit(&data, &options, &mut |loss| {
        bar.set_position(loss.epoch as u64);
        bar.set_message(format!("loss {:.6}, held out {:.6}", loss.training, loss.held_out));
    });
    bar.finish_and_clear();
    let (first, last) = (fitted.losses[0], fitted.losses[options.epochs]);
    streams::result(&format!(
        "logistic slope {:.6} per centipawn; loss {:.6} to {:.6}, held out {:.6} to {:.6}",
        fitted.steepness, first.training, last.training, first.held_out, last.held_out
    ))?;
    for (name, content) in [
        ("weights.csv", &fitted.file),
        ("loss.csv", &fit::table(&fitted.losses)),
        ("loss.svg", &loss_curve(&fitted.losses)),
    ] {
        files::write_whole(&args.out.join(name), content.as_bytes())?;
    }
    streams::result(&format!("weights and losses in {}", args.out.display()))?;
    Ok(Exit::Fine)
}

/// A file to append to, cut to a length in bytes.
fn opened(path: &Path, whole: u64) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    // An interrupted run may have left a part of a line.
    file.set_len(whole)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}
