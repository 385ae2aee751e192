//! Every engine fault in `match`, `sprt`, `suite` and `regress`, in one table: exit code, headline, message,
//! and a quick end.

use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::dialogues;
use crate::engine::{self, Fault};
use crate::sandbox::{CommandOutput, Sandbox};

pub(crate) fn main() {
    let mut words = std::env::args().skip(1);
    match words.next().as_deref() {
        Some("engine") => return engine::run(&words.next().unwrap_or_default()),
        Some("dialogue") => return dialogues::engine::run(&words.next().unwrap_or_default()),
        _ => {}
    }
    let rows =
        TABLE.iter().flat_map(|&(fault, expected)| Job::ALL.iter().map(move |&job| (fault, expected, job)));
    let trials = rows
        .map(|(fault, expected, job)| {
            Trial::test(format!("{}::{job:?}", fault.name()), move || check(fault, expected, job))
        })
        .chain([Trial::test("every_fault_has_a_row", every_fault_has_a_row)])
        .chain(dialogues::trials())
        .chain([Trial::test("lacks-chess960::refused_for_such_a_book", chess960_is_refused)]);
    let mut arguments = Arguments::from_args();
    // A row waits for its engine most of the time.
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    arguments.test_threads.get_or_insert(TESTS_PER_CORE * cores);
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// The expected result of an engine.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    /// It plays: exit code 0, no fault.
    Plays,
    /// It can't be started: exit code 3 before the first job, with these words.
    DoesNotStart(&'static str),
    /// The run stops because of its faults: exit code 3, with one of these texts in the list of faults.
    Stopped(&'static [&'static str]),
}

use Expected::{DoesNotStart, Plays, Stopped};

const SILENT: Expected = Stopped(&["it was not done answering `go"]);
/// Output without end is found by its amount or by the time.
const FLOOD: Expected = Stopped(&["it was not done answering `go", "it wrote more than"]);
const SILENT_OR_LATE: Expected = Stopped(&["it was not done answering `go", "lost on time by"]);

const TABLE: &[(Fault, Expected)] = &[
    (Fault::None, Plays),
    (Fault::EndsAtStart, DoesNotStart("exit status: 7")),
    (Fault::MuteAtUci, DoesNotStart("answering `uci` within 2.0 s")),
    (Fault::MuteAtReady, DoesNotStart("answering `isready`")),
    (Fault::EndsAtNewGame, Stopped(&["exit status: 5"])),
    (Fault::EndsAtGo, Stopped(&["exit status: 4"])),
    (Fault::AbortsAtGo, Stopped(&["signal: 6"])),
    (Fault::AbortsWithWords, Stopped(&["line 19 of last output"])),
    (Fault::EndsAtSecondGo, Stopped(&["exit status: 6"])),
    (Fault::EndsAfterMove, Stopped(&["exit status: 0"])),
    (Fault::ClosesOutput, Stopped(&["its output closed"])),
    (Fault::MuteAtGo, SILENT),
    (Fault::Chatters, FLOOD),
    (Fault::EndlessLine, FLOOD),
    (Fault::WaitsForStop, SILENT_OR_LATE),
    (Fault::AnswersAfterStop, SILENT_OR_LATE),
    (Fault::IllegalMove, Stopped(&["illegal move `a1h8`", "illegal move: a1h8"])),
    (Fault::NullMove, Stopped(&["illegal move `0000`", "no move ("])),
    (Fault::NoMove, Stopped(&["`bestmove` without a move"])),
    (Fault::SanMove, Stopped(&["illegal move `Nf3`", "`bestmove Nf3`"])),
    (Fault::CapitalMove, Stopped(&["illegal move `", "is not a UCI move"])),
    (Fault::MovesTwice, Plays),
    // `position` and `go` are sent together, so the move may be taken for the answer.
    (Fault::MovesUnasked, Stopped(&["illegal move: e2e4", "illegal move `e2e4`"])),
    (Fault::Garbage, Plays),
    (Fault::OddReports, Plays),
    (Fault::SlowStart, Plays),
    (Fault::FailsSomeStarts, Plays),
    (Fault::StartsOnce, Stopped(&["could not be started"])),
    (Fault::LacksChess960, Plays),
    (Fault::IgnoresQuit, Plays),
    (Fault::EndsBadly, Plays),
    (Fault::Escapes, Stopped(&["last output [Frame"])),
];

/// The command that runs an engine.
#[derive(Debug, Clone, Copy)]
enum Job {
    /// Games of a fixed number of nodes a move.
    Match,
    /// Games on a wall clock.
    Clock,
    /// A sequential test.
    Sprt,
    /// A suite.
    Suite,
    /// A regression run.
    Regress,
}

impl Job {
    const ALL: &[Self] = &[Self::Match, Self::Clock, Self::Sprt, Self::Suite, Self::Regress];

    fn command(self) -> &'static str {
        match self {
            Self::Match => {
                "match --engine echo,name=Echo,Hash=1 --nodes 40 --games 8 --maxmoves 4 --openings book.epd"
            }
            // An engine that is too slow for its clock is refused before the first game without --force.
            Self::Clock => {
                "match --engine echo,name=Echo,Hash=1 --tc 0.5+0.01 --games 8 --maxmoves 4 --openings book.epd --force"
            }
            Self::Sprt => {
                "sprt --engine echo,name=Echo,Hash=1 --nodes 40 --games 8 --maxmoves 4 --openings book.epd --elo0 0 \
                 --elo1 10"
            }
            Self::Suite => "suite mates.toml",
            // Without a baseline nothing would decide.
            Self::Regress => "regress --plan small.toml --baseline base --accept",
        }
    }

    const fn plays_games(self) -> bool {
        match self {
            Self::Match | Self::Clock | Self::Sprt => true,
            Self::Suite | Self::Regress => false,
        }
    }
}

/// Tests that run at the same time on each core.
const TESTS_PER_CORE: usize = 3;

/// Time limit of a row: far more than needed, and far less than a hang.
const SOON: Duration = Duration::from_mins(1);

fn check(fault: Fault, expected: Expected, job: Job) -> Result<(), Failed> {
    let sandbox = Sandbox::new();
    sandbox.write(
        "small.toml",
        "version = 1\ntitle = \"Small\"\nseed = 1\nengine = \"echo\"\nsuites = [\"mates.toml\"]\n",
    );
    let began = Instant::now();
    let output = run(&sandbox, fault, job);
    let took = began.elapsed();
    let reported = format!("{output:#?}");
    let demand = |holds: bool, what: &str| if holds { Ok(()) } else { Err(format!("{what}\n{reported}")) };
    demand(took < SOON, &format!("it took {took:?}"))?;
    demand(!reported.contains("panicked"), "a panic")?;
    let raw = |text: &str| text.contains(['\u{1b}', '\u{7}', '\u{202e}']);
    demand(!raw(&output.out) && !raw(&output.err), "a raw escape")?;
    // The warnings come before the headline.
    let is_warning = |line: &str| line.starts_with("Warnings about ") || line.starts_with("  ");
    let headline = output.out.lines().find(|line| !line.is_empty() && !is_warning(line)).unwrap_or_default();
    match expected {
        Plays => {
            demand(output.code == Some(0), "exit code 0")?;
            demand(!output.out.contains("ngine fault"), "no fault")?;
            demand(!headline.contains("Stopped"), "an ordinary headline")?;
        }
        DoesNotStart(words) => {
            demand((output.code, output.out.as_str()) == (Some(3), ""), "exit code 3 and no result")?;
            demand(output.err.contains(words), words)?;
        }
        Stopped(words) => {
            demand(output.code == Some(3), "exit code 3")?;
            demand(headline.contains("Stopped by engine faults: "), "a headline about faults")?;
            demand(words.iter().any(|words| output.out.contains(words)), "what happened")?;
            let report = sandbox.read("new/junit.xml");
            demand(report.contains("<error"), "an error for CI")?;
        }
    }
    if job.plays_games() && !matches!(expected, DoesNotStart(_)) {
        check_games(&sandbox, fault, expected)?;
    }
    Ok(())
}

fn run(sandbox: &Sandbox, fault: Fault, job: Job) -> CommandOutput {
    let program = std::env::current_exe().expect("this program");
    // One start for each game, where starts are the matter.
    let restart = matches!(fault, Fault::FailsSomeStarts | Fault::StartsOnce) && job.plays_games();
    let spec = format!(
        "\"{}\" engine {name},name={name}{}",
        program.display(),
        if restart { ",restart=on" } else { "" },
        name = fault.name()
    );
    let words = [
        job.command().split(' ').collect::<Vec<_>>(),
        vec!["--engine", &spec, "--out", "new", "--startup", "2", "--search-timeout", "0.5", "-j", "2"],
        if job.plays_games() { vec!["--pgn", "all.pgn"] } else { Vec::new() },
    ]
    .concat();
    sandbox.run_words(&words)
}

/// An engine loses the games with its faults, and no game of a correct engine ends by a fault.
fn check_games(sandbox: &Sandbox, fault: Fault, expected: Expected) -> Result<(), Failed> {
    let games = sandbox.read("all.pgn");
    for game in games.split("[Event ").skip(1) {
        let lost = if game.contains(&format!("[White \"{}\"]", fault.name())) { "0-1" } else { "1-0" };
        let ends = ["abandoned", "time forfeit", "illegal move"];
        let is_fault = ends.iter().any(|end| game.contains(&format!("[Termination \"{end}\"]")));
        if is_fault && (expected == Plays || !game.contains(&format!("[Result \"{lost}\"]"))) {
            return Err(format!("{fault:?}:\n{game}").into());
        }
    }
    let rated = sandbox.run("rate all.pgn --strict");
    let counted = games.matches("[Event ").count();
    let output = format!("{}{}", rated.out, rated.err);
    if output.contains("ignored") || counted == 0 {
        return Err(format!("{counted} games are not all read back:\n{output}\n{games}").into());
    }
    Ok(())
}

fn every_fault_has_a_row() -> Result<(), Failed> {
    for &fault in Fault::ALL {
        let rows = TABLE.iter().filter(|(known, _)| *known == fault).count();
        if rows != 1 {
            return Err(format!("{fault:?} has {rows} rows").into());
        }
    }
    Ok(())
}

fn chess960_is_refused() -> Result<(), Failed> {
    for job in [Job::Match, Job::Sprt] {
        let sandbox = Sandbox::new();
        sandbox.write("book.epd", "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1\n");
        let output = run(&sandbox, Fault::LacksChess960, job);
        if output.code != Some(2)
            || !output.err.contains("lacks option `UCI_Chess960`")
            || !output.out.is_empty()
        {
            return Err(format!("{output:#?}").into());
        }
        if run(&sandbox, Fault::None, job).code == Some(2) {
            return Err("an engine that has the option is refused".into());
        }
    }
    Ok(())
}
