//! Start and end of the program: arguments, logging, exit code.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::args::{RunOptions, hints};
use crate::exit::Exit;
use crate::output::engine_log::EngineLog;
use crate::output::github;
use crate::output::screen::check_terminal;
use crate::output::traffic_printer::TrafficPrinter;
use crate::streams;
use threefold_echo::processor;
use threefold_player::output_file::{IfThere, OutputError};
use threefold_player::traffic;
use threefold_player::visible::visible;

/// Parses the command line, runs the command, and prints errors on standard error. `run_options` returns the
/// run options, which name the log.
pub fn main<C: Parser>(
    run_options: impl FnOnce(&C) -> Option<&RunOptions>,
    run: impl FnOnce(C) -> anyhow::Result<Exit>,
) -> ExitCode {
    // Before anything else: an instruction that the processor lacks would end the program without a message.
    if let Err(lacking) = processor::check() {
        streams::notice(&format!("error: {lacking}"));
        return Exit::Misuse.into();
    }
    let cli = match C::try_parse() {
        Ok(cli) => cli,
        Err(mut error) => {
            let words: Vec<String> =
                env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
            hints::improve(&mut error, &words);
            return help(&error).into();
        }
    };
    let given = run_options(&cli);
    let is_github = given.is_some_and(|run_options| run_options.github);
    let wants_screen = given.is_some_and(|run_options| run_options.tui);
    // At once, not after an engine was built for minutes.
    let checked = if wants_screen { check_terminal() } else { Ok(()) };
    let ended = checked.and_then(|()| Ok(subscribe(given, None)?)).and_then(|()| run(cli));
    // The subscriber is never dropped, so the log is completed here, also after an error.
    EngineLog::end();
    match ended {
        Ok(exit) => exit.into(),
        Err(error) if error.is::<streams::ClosedOutput>() => Exit::of(&error).into(),
        Err(error) if Exit::of(&error) == Exit::Interrupted => {
            streams::notice("interrupted");
            Exit::Interrupted.into()
        }
        Err(error) => {
            streams::notice(&format!("error: {error:#}"));
            if is_github {
                github::publish_error(&format!("{error:#}"));
            }
            Exit::of(&error).into()
        }
    }
}

/// Sends warnings to standard error, and UCI traffic to the file of --log and to a printer, if one is given.
///
/// # Errors
/// If the log file can't be written.
pub fn subscribe(
    run_options: Option<&RunOptions>,
    printer: Option<TrafficPrinter>,
) -> Result<(), OutputError> {
    let wanted = run_options.and_then(|run_options| Some((run_options.log.file.as_deref()?, run_options)));
    let log = wanted.map(|(file, run_options)| {
        let level: LevelFilter = run_options.log.level.into();
        let if_there =
            if run_options.log.append { IfThere::Append } else { IfThere::forced(run_options.force) };
        let log = EngineLog::begin(file, if_there, run_options.log.buffered)?;
        Ok(log.with_filter(Targets::new().with_target(traffic::TARGET, level)))
    });
    let warnings =
        Targets::new().with_default(LevelFilter::WARN).with_target(traffic::TARGET, LevelFilter::OFF);
    let shown = tracing_subscriber::fmt::layer().with_writer(|| streams::Log).with_ansi(false);
    let traffic = Targets::new().with_target(traffic::TARGET, LevelFilter::TRACE);
    let printer = printer.map(|printer| printer.with_filter(traffic));
    tracing_subscriber::registry()
        .with(shown.with_filter(warnings))
        .with(log.transpose()?)
        .with(printer)
        .init();
    Ok(())
}

/// Prints the help, or the error of the command line.
fn help(answer: &clap::Error) -> Exit {
    let hostile = |word: OsString| {
        let word = word.to_string_lossy().into_owned();
        visible(&word) != word
    };
    // Colours are escape sequences: a message that quotes control characters has none.
    let plain = env::args_os().any(hostile).then(|| answer.render().to_string());
    if answer.use_stderr() {
        // If standard error can't be written, the exit code still reports the error.
        match plain {
            Some(text) => streams::notice(text.trim_end()),
            None => _ = answer.print(),
        }
        return Exit::Misuse;
    }
    let printed = plain.map_or_else(
        || streams::printed(answer.print().and_then(|()| io::stdout().flush())),
        |text| streams::results(&text),
    );
    match printed {
        Ok(()) => Exit::Fine,
        Err(error) if error.is::<streams::ClosedOutput>() => Exit::Misuse,
        Err(error) => {
            streams::notice(&format!("error: {error:#}"));
            Exit::Misuse
        }
    }
}
