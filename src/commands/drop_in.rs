//! `fastchess` and `cutechess-cli`: plays what a command line of theirs asks for, and prints their lines.

use std::io::{self, Write};
use std::path::{Path, absolute};
use std::time::SystemTime;

use anyhow::Context;
use clap::{Args, Parser};

use crate::args::{Affinity, LogLevel, LogOptions, RunOptions};
use crate::commands::resume::{self, OpenRun, ReadyRun, ResumeArgs};
use crate::commands::suite::{self, SuiteArgs};
use crate::exit::Exit;
use crate::input::{by_name, search_limits};
use crate::output::engine_log::EngineLog;
use crate::output::traffic_printer::TrafficPrinter;
use crate::session::Session;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::RunOutcome;
use crate::{files, machine, program, streams};
use threefold_drop_in::{
    self as drop_in, Book, Continuation, NewRun, Peer, Printer, Request, RunSettings, Surroundings,
};
use threefold_games::opening::Opening;
use threefold_player::output_file::IfThere;
use threefold_report::Registry;
use threefold_run::journal::{self, Journal};
use threefold_run::run_control::RunControl;
use threefold_run::{RunRecord, RunSpec, single_match, tournament};

/// An example of `threefold cutechess-cli`.
pub const CUTECHESS_EXAMPLE: &str = "Example:\n  threefold cutechess-cli -engine cmd=./new name=new \
    -engine cmd=./old name=old \\\n    -each proto=uci tc=8+0.08 -openings file=book.epd format=epd order=random -srand 7 \\\n    \
    -rounds 500 -games 2 -repeat -recover\n\n\
    `threefold cutechess-cli -help` lists the options. A copy of the program that is called `fastchess` or `cutechess-cli` needs \
    no first word.";

/// `threefold fastchess` and `threefold cutechess-cli`
#[derive(Debug, Args)]
#[command(
    disable_help_flag = true,
    disable_version_flag = true,
    after_help = "Example:\n  threefold fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=8+0.08 \\\n    \
    -openings file=book.epd order=random -srand 7 -rounds 500 -recover\n\n\
    `threefold fastchess -help` lists the options. A copy of the program that is called `fastchess` or `cutechess-cli` needs \
    no first word."
)]
pub struct PeerArgs {
    /// Options of that program, such as -engine cmd=./mine
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// `threefold fastchess`
pub fn fastchess(args: &PeerArgs) -> anyhow::Result<Exit> {
    Ok(run(Peer::Fastchess, &args.words))
}

/// `threefold cutechess-cli`
pub fn cutechess_cli(args: &PeerArgs) -> anyhow::Result<Exit> {
    Ok(run(Peer::Cutechess, &args.words))
}

/// Runs a command line; the exit code is 1 for every error, as these programs have it.
pub fn run(peer: Peer, line: &[String]) -> Exit {
    let answered = answer(peer, line);
    EngineLog::end();
    match answered {
        Ok(exit) => exit,
        Err(error) => {
            // These programs print errors on standard output. If it is closed, the exit code still shows the
            // failure.
            _ = streams::result(&format!("{error:#}"));
            Exit::Worse
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "files without a name have one with the time")]
fn answer(peer: Peer, line: &[String]) -> anyhow::Result<Exit> {
    let read = |file: &Path| files::text(file).map_err(Into::into);
    let surroundings = Surroundings { cores: machine::cores(), now: SystemTime::now(), read: &read };
    match drop_in::parse_command_line(peer, line, &surroundings)? {
        Request::Text(text) => streams::results(&text).map(|()| Exit::Fine),
        Request::Compliance(engine) => compliance(&engine),
        Request::Play(new) => play(peer, &new),
        Request::Continue(continuation) => continue_run(peer, &continuation),
    }
}

/// The suite `compliance` for an engine.
fn compliance(engine: &str) -> anyhow::Result<Exit> {
    #[derive(Parser)]
    struct Suite {
        #[command(flatten)]
        args: SuiteArgs,
    }
    program::subscribe(None, None)?;
    let suite = Suite::try_parse_from(["suite", "compliance", "--engine", engine])?;
    suite::run(&suite.args)
}

/// Plays the games of a command line. The exit code is 1 if the run was interrupted.
fn play(peer: Peer, new: &NewRun) -> anyhow::Result<Exit> {
    let openings = new.book.as_ref().map_or_else(|| Ok(vec![Opening::start_position()]), openings)?;
    search_limits::warn(new.engines().iter().map(|engine| engine.control));
    let spec = new.spec(openings);
    let outputs = spec.outputs.begun(new.games_if_there, new.final_positions_if_there)?;
    let spec = RunSpec { outputs, ..spec };
    let run_options = run_options(&new.settings);
    subscribe(&new.settings, &run_options)?;
    let mut printer = Printer::new(io::stdout(), single_match::task(&spec)?.clone(), &new.printing);
    new.notices.iter().for_each(|notice| printer.line(notice));
    begin(peer, &new.settings, &run_options, spec, printer)
}

fn openings(book: &Book) -> anyhow::Result<Vec<Opening>> {
    let found = by_name::book(&book.file)?;
    let format = book.format.unwrap_or(found.format);
    found
        .read_selected(format, book.plies, |size| book.selection.indices(size))
        .with_context(|| format!("Error: {}", found.name))
}

/// The options of `match` and `resume` with the same meaning.
fn run_options(settings: &RunSettings) -> RunOptions {
    let log = settings.log.as_ref();
    RunOptions {
        jobs: Some(settings.jobs),
        affinity: settings.affinity.clone().map(Affinity::Cpus),
        force: settings.force,
        startup: Some(settings.startup),
        search_timeout: None,
        events: None,
        github: false,
        report_every: None,
        tui: false,
        quiet: true,
        log: LogOptions {
            file: log.map(|log| log.file.clone()),
            level: log.map_or(LogLevel::Trace, |log| match log.level {
                drop_in::LogLevel::Error => LogLevel::Error,
                drop_in::LogLevel::Warn => LogLevel::Warn,
                drop_in::LogLevel::Info => LogLevel::Info,
                drop_in::LogLevel::Trace => LogLevel::Trace,
            }),
            append: log.is_some_and(|log| log.appends),
            buffered: log.is_some_and(|log| log.is_buffered),
        },
        words: settings.line.iter().map(Into::into).collect(),
    }
}

/// Begins the log, and the display of the traffic.
fn subscribe(settings: &RunSettings, run_options: &RunOptions) -> anyhow::Result<()> {
    let printer = settings.prints_traffic.then(TrafficPrinter::start);
    Ok(program::subscribe(Some(run_options), printer)?)
}

/// Warns of options that an engine lacks, on standard output. If it is closed, the next line of the run
/// reports it.
fn warn_of_option(text: &str) {
    _ = streams::result(text);
}

/// Begins a run and plays it to its end.
fn begin<W: Write>(
    peer: Peer,
    settings: &RunSettings,
    run_options: &RunOptions,
    spec: RunSpec,
    mut printer: Printer<W>,
) -> anyhow::Result<Exit> {
    let mut session = Session::open(run_options)?;
    behave_like_peer(&mut session);
    let stop = session.pool.launch_options.stop.clone();
    let path = settings.journal.as_deref().map_or(JournalPath::Next(peer.program()), JournalPath::Over);
    let outcome = session.observed_by(|event| printer.take(event, &stop)).run(spec, &path)?;
    // If games could not be written, the journal is the only file that has them.
    if let RunOutcome::Finished(finished) = &outcome
        && finished.games.is_ok()
        && settings.removes_journal
    {
        journal::remove(&finished.journal).context("Error: the journal can't be removed")?;
    }
    finish(printer, outcome)
}

/// Lets a session treat Ctrl-C and options that an engine lacks as these programs do.
fn behave_like_peer(session: &mut Session<'_>) {
    session.pool.launch_options.unknown_options = drop_in::skipped_options(warn_of_option);
    // The first Ctrl-C stops at once: fishtest sends one and waits 15 seconds.
    session.pool.control = RunControl::default();
}

/// Prints the last lines.
fn finish<W: Write>(printer: Printer<W>, outcome: RunOutcome) -> anyhow::Result<Exit> {
    match outcome {
        RunOutcome::Finished(finished) => {
            finished.games?;
            print_end(printer, &finished.run)
        }
        // These commands know no shards.
        RunOutcome::Interrupted | RunOutcome::ShardFinished => {
            printer.interrupted().context(UNWRITTEN)?;
            Ok(Exit::Worse)
        }
    }
}

/// The error of printed lines.
const UNWRITTEN: &str = "standard output can't be written";

/// Prints the last lines of a run with all its results.
fn print_end<W: Write>(printer: Printer<W>, run: &RunRecord) -> anyhow::Result<Exit> {
    let exit = if printer.has_failed() { Exit::Worse } else { Exit::Fine };
    printer.finished(run).context(UNWRITTEN)?;
    Ok(exit)
}

/// Plays the games of a journal.
fn continue_run(peer: Peer, continuation: &Continuation) -> anyhow::Result<Exit> {
    let described = || {
        let file = continuation.file.display();
        format!("Error: -config file={file}: a journal of threefold is needed")
    };
    let journal = Journal::open(&continuation.file).with_context(described)?;
    let games = continuation.games(single_match::task(journal.spec()).with_context(described)?)?;
    drop(journal);
    let args = ResumeArgs {
        run: continuation.file.clone(),
        out: None,
        allow_changed_engine: false,
        trust: false,
        max_faults: None,
        games,
        budget: None,
        part: None,
        run_options: run_options(&continuation.settings),
    };
    subscribe(&continuation.settings, &args.run_options)?;
    if continuation.keeps_results {
        go_on(continuation, &args)
    } else {
        play_again(peer, continuation, &args)
    }
}

/// Plays the remaining games.
fn go_on(continuation: &Continuation, args: &ResumeArgs) -> anyhow::Result<Exit> {
    let opened = resume::open(args, &Registry::built_in())?;
    let journal = match &opened {
        OpenRun::Finished(journal) => journal,
        OpenRun::Ready(ready) => &ready.journal,
    };
    let task = single_match::task(journal.spec())?.clone();
    let mut printer = Printer::new(io::stdout(), task, &continuation.printing);
    printer.count(journal)?;
    match opened {
        OpenRun::Finished(journal) => {
            printer.summary();
            print_end(printer, &RunRecord::from_journal(&journal)?)
        }
        OpenRun::Ready(ready) => {
            let ReadyRun { journal, mut session } = *ready;
            behave_like_peer(&mut session);
            let stop = session.pool.launch_options.stop.clone();
            let changed = resume::changed_engines(args);
            let outcome = session.observed_by(|event| printer.take(event, &stop)).resume(journal, changed)?;
            finish(printer, outcome)
        }
    }
}

/// Plays the games from the start, as a new run. Existing files of games are kept, and the games are added to
/// them.
fn play_again(peer: Peer, continuation: &Continuation, args: &ResumeArgs) -> anyhow::Result<Exit> {
    let journal = Journal::open(&args.run)?;
    // The new run starts the programs that this journal names.
    resume::check_owner(args, journal.spec())?;
    let spec = (**journal.spec()).clone();
    drop(journal);
    let task = single_match::task(&spec)?.clone();
    // The folder changes below.
    let journal = continuation.settings.journal.as_deref().map(absolute).transpose()?;
    let settings = RunSettings { journal, ..continuation.settings.clone() };
    resume::enter_folder(&spec)?;
    let outputs = spec.outputs.begun(IfThere::Append, IfThere::Append)?;
    let parts = if spec.tournament.is_some() { tournament::first_round(&task) } else { spec.parts };
    let spec = RunSpec { outputs, parts, ..spec };
    let printer = Printer::new(io::stdout(), task, &continuation.printing);
    begin(peer, &settings, &args.run_options, spec, printer)
}
