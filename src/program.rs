//! A program's start and end: arguments in, exit code out.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;

use crate::exit::Exit;
use crate::streams;
use threefold_echo::processor;
use threefold_harness::visible::visible;

/// Parses the command line, runs it, and prints an error with its remedy on standard error.
pub fn main<C: Parser>(run: impl FnOnce(C) -> anyhow::Result<Exit>) -> ExitCode {
    if let Err(lacking) = processor::check() {
        streams::notice(&format!("error: {lacking}"));
        return Exit::Misuse.into();
    }
    let cli = match C::try_parse() {
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
    match run(cli) {
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
