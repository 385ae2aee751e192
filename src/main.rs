//! The shell around everything: arguments in, exit code out.
//!
//! Only this floor knows that there is a terminal, an environment and files to be found. It resolves them once
//! into an order that needs none of them, and everything below is told, not asked.

#![expect(unreachable_pub, reason = "a program has no outside: `pub` is what other modules use")]

mod args;
mod commands;
mod controls;
mod exit;
mod files;
mod foretelling;
mod game_file;
mod game_length;
mod owner;
mod place;
mod progress;
mod reading;
mod report_sets;
mod running;
mod streams;
mod tables;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use args::{Cli, Command, PositionsCommand, StudyCommand, TablebaseCommand, TuneCommand};
use exit::Exit;

use threefold_echo::processor;
use threefold_harness::visible::visible;

/// Parses the command line, does what it says, and names an error with its remedy on standard error.
fn main() -> ExitCode {
    if let Err(lacking) = processor::check() {
        streams::notice(&format!("error: {lacking}"));
        return Exit::Misuse.into();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return help(&error).into();
        }
    };
    tracing_subscriber::fmt()
        .with_writer(|| streams::Log)
        .with_ansi(false)
        .with_max_level(tracing::Level::WARN)
        .init();
    match dispatch(cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            streams::notice(&format!("error: {error:#}"));
            Exit::of(&error).into()
        }
    }
}

/// Prints the help that was asked for, or what is wrong with the command line.
fn help(answer: &clap::Error) -> Exit {
    let hostile = |word: OsString| {
        let word = word.to_string_lossy().into_owned();
        visible(&word) != word
    };
    // Colours are escape sequences, too: a message that quotes hostile words goes without.
    let plain = env::args_os().any(hostile).then(|| answer.render().to_string());
    if answer.use_stderr() {
        // What can't be said on standard error is said by the exit code.
        match plain {
            Some(text) => streams::notice(text.trim_end()),
            None => _ = answer.print(),
        }
        return Exit::Misuse;
    }
    let printed = plain.map_or_else(
        || answer.print().and_then(|()| io::stdout().flush()).context("standard output can't be written"),
        |text| streams::results(&text),
    );
    match printed {
        Ok(()) => Exit::Fine,
        Err(error) => {
            streams::notice(&format!("error: {error:#}"));
            Exit::Misuse
        }
    }
}

fn dispatch(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Regress(args) => commands::regress::run(&args),
        Command::Suite(args) => commands::suite::run(&args),
        Command::Match(args) => commands::games::run_match(&args),
        Command::Sprt(args) => commands::games::run_sprt(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Calibrate(args) => commands::calibrate::run(&args),
        Command::Resume(args) => commands::resume::run(&args),
        Command::Rate(args) => commands::rate::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Positions(PositionsCommand::Check(args)) => commands::positions::check(&args),
        Command::Positions(PositionsCommand::Traps(args)) => commands::positions::traps(&args),
        Command::Positions(PositionsCommand::Mates(args)) => commands::positions::mates(&args),
        Command::Positions(PositionsCommand::Underpromotions(args)) => {
            commands::positions::underpromotions(&args)
        }
        Command::Positions(PositionsCommand::Perpetuals(args)) => commands::positions::perpetuals(&args),
        Command::Positions(PositionsCommand::Conversions(args)) => commands::positions::conversions(&args),
        Command::Positions(PositionsCommand::Defences(args)) => commands::positions::defences(&args),
        Command::Positions(PositionsCommand::Openings(args)) => commands::positions::openings(&args),
        Command::Positions(PositionsCommand::Judged(args)) => commands::positions::judged(&args),
        Command::Positions(PositionsCommand::Rules(args)) => commands::positions::rules(&args),
        Command::Positions(PositionsCommand::BestMoves(args)) => commands::positions::best_moves(&args),
        Command::Positions(PositionsCommand::Signature(args)) => commands::positions::signature(&args),
        Command::Positions(PositionsCommand::Prove(args)) => commands::proof::prove(&args),
        Command::Positions(PositionsCommand::VerifyProof(args)) => commands::proof::verify(&args),
        Command::Tablebase(TablebaseCommand::Build(args)) => commands::tablebase::build(&args),
        Command::Tablebase(TablebaseCommand::Probe(args)) => commands::tablebase::probe(&args),
        Command::Tablebase(TablebaseCommand::Verify(args)) => commands::tablebase::verify(&args),
        Command::Mutants(args) => commands::mutants::run(&args),
        Command::Study(StudyCommand::Ablation(args)) => commands::study::ablation::run(&args),
        Command::Study(StudyCommand::Repetition(args)) => commands::study::repetition::run(&args),
        Command::Study(StudyCommand::Time(args)) => commands::study::time::run(&args),
        Command::Tune(TuneCommand::Games(args)) => commands::tune::games(&args),
        Command::Tune(TuneCommand::Fit(args)) => commands::tune::fit(&args),
        Command::Uci(args) => commands::echo::uci(&args),
        Command::Bench => commands::echo::bench(),
        Command::Perft(args) => commands::echo::perft(&args),
    }
}
