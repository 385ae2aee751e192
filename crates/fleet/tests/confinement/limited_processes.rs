//! Each limit, with the process that tries to exceed it: without limits it succeeds, and with them it does
//! not.

use std::io::{self, Write as _};
use std::net::TcpListener;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, exit};

use libtest_mimic::{Arguments, Trial};
use threefold_chess::clock::{ClockSource, Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_echo::options::Listing;
use threefold_fleet::confinement::{Confinement, Enforced, apply_and_exec, wrap};
use threefold_player::{EngineSource, EngineSpec, LaunchOptions, Question, launch};

use crate::attempts::{DONE, attempt};

/// One of the program's roles, or the tests.
pub(crate) fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &words[..] {
        ["fleet", "confine", "--memory", memory, "--processes", processes, rest @ ..] => {
            let end = rest.iter().position(|word| *word == "--").expect("`--`");
            let (read, command) = rest.split_at(end);
            let confinement = Confinement {
                memory: memory.parse().expect("a number"),
                processes: processes.parse().expect("a number"),
                read: read.chunks(2).map(|pair| PathBuf::from(pair[1])).collect(),
            };
            let args: Vec<String> = command[2..].iter().map(|&word| word.to_owned()).collect();
            let error = apply_and_exec(&confinement, command[1], &args);
            writeln!(io::stderr(), "error: {error}").expect("standard error is open");
            exit(1);
        }
        ["attempt", "none"] => {}
        ["attempt", words @ ..] => {
            writeln!(io::stdout(), "{}", attempt(words)).expect("standard output is open");
        }
        ["uci"] => echo_uci::serve(io::stdin().lock(), io::stdout(), Listing::Players)
            .expect("standard output is open"),
        _ => libtest_mimic::run(&Arguments::from_args(), trials()).exit(),
    }
}

fn trials() -> Vec<Trial> {
    let trials: [(&str, fn()); 14] = [
        ("every_limit_is_reported_once", every_limit_is_reported_once),
        ("linux_enforces_what_its_kernel_has", linux_enforces_what_its_kernel_has),
        ("socket_is_refused", socket_is_refused),
        ("file_gets_no_content", file_gets_no_content),
        ("foreign_file_is_not_read", foreign_file_is_not_read),
        ("permitted_folder_is_read", permitted_folder_is_read),
        ("memory_is_limited", memory_is_limited),
        ("other_program_is_not_started", other_program_is_not_started),
        ("threads_are_limited", threads_are_limited),
        ("signal_to_the_worker_is_refused", signal_to_the_worker_is_refused),
        ("no_privileges_are_gained", no_privileges_are_gained),
        ("secret_variable_is_not_passed_on", secret_variable_is_not_passed_on),
        ("program_that_can_not_start_is_an_error", program_that_can_not_start_is_an_error),
        ("engines_play", engines_play),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    trials.map(trial).into()
}

/// Large enough that only the limit under test matters.
fn loose() -> Confinement {
    let number = |number| NonZeroU32::new(number).expect("positive");
    Confinement { memory: number(4_096), processes: number(100_000), read: Vec::new() }
}

fn own_program() -> PathBuf {
    std::env::current_exe().expect("it runs")
}

/// The result of an attempt, with limits or without.
fn tried(confinement: Option<&Confinement>, words: &[&str]) -> String {
    let own = own_program();
    let spec: EngineSpec = "program".parse().expect("a spec");
    let args = std::iter::once("attempt").chain(words.iter().copied()).map(str::to_owned).collect();
    let source = EngineSource::Command { program: own.to_string_lossy().into_owned(), args, dir: None };
    let spec = EngineSpec { source, ..spec };
    let spec = confinement.map_or_else(|| spec.clone(), |confinement| wrap(confinement, &own, &spec));
    let Output { stdout, stderr, .. } = output(&spec);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    assert_eq!(text(&stderr), "", "{words:?}");
    text(&stdout)
}

fn output(spec: &EngineSpec) -> Output {
    let EngineSource::Command { program, args, .. } = &spec.source else { panic!("no program") };
    Command::new(program).args(args).env("NATS_SECRET", "1").output().expect("started")
}

fn enforced(limit: &str) -> Enforced {
    let rows = Confinement::report();
    rows.iter().find(|(name, _)| *name == limit).unwrap_or_else(|| panic!("no row `{limit}`")).1
}

/// Succeeds without limits. With them it fails exactly if the report says that the limit is enforced.
fn assert_limited(limit: &str, confinement: &Confinement, words: &[&str]) {
    assert_eq!(tried(None, words), DONE, "{words:?} without limits");
    let result = tried(Some(confinement), words);
    assert_eq!(
        result != DONE,
        enforced(limit) == Enforced::Yes,
        "{words:?}: {result}; {limit}: {}",
        enforced(limit)
    );
}

fn every_limit_is_reported_once() {
    let rows = Confinement::report();
    for (index, (limit, state)) in rows.iter().enumerate() {
        assert!(rows[..index].iter().all(|(earlier, _)| earlier != limit), "{limit}");
        writeln!(io::stdout(), "{limit}: {state}").expect("standard output is open");
    }
    assert_eq!(rows.len(), 8);
}

/// Otherwise a limit that is never set would pass as one that this system lacks.
#[cfg(target_os = "linux")]
fn linux_enforces_what_its_kernel_has() {
    use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
    let landlock = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))
        .and_then(Ruleset::create);
    let has_filters = Path::new("/proc/sys/kernel/seccomp/actions_avail").exists();
    for (limits, is_there) in [
        (&["memory of an engine", "no core dumps"][..], true),
        (&["no network", "no other programs"], has_filters),
        (&["reading its own files and system libraries only", "no writing of files"], landlock.is_ok()),
    ] {
        for limit in limits {
            assert_eq!(enforced(limit) == Enforced::Yes, is_there, "{limit}: {}", enforced(limit));
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn linux_enforces_what_its_kernel_has() {}

fn socket_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("bound").to_string();
    for words in [&["udp"][..], &["unix socket"], &["tcp", &address]] {
        assert_limited("no network", &loose(), words);
    }
}

fn file_gets_no_content() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("log");
    let words = ["write", &file.to_string_lossy()];
    assert_eq!(tried(None, &words), DONE);
    std::fs::remove_file(&file).expect("it was written");
    // Also a folder that may be read.
    let confinement = Confinement { read: vec![folder.path().to_owned()], ..loose() };
    assert_ne!(tried(Some(&confinement), &words), DONE);
    let size = std::fs::metadata(&file).map(|file| file.len()).ok();
    let expected = if enforced("no writing of files") == Enforced::Yes { None } else { Some(0) };
    assert_eq!(size, expected);
}

fn foreign_file_is_not_read() {
    assert_limited("reading its own files and system libraries only", &loose(), &["read", "/etc/passwd"]);
}

fn permitted_folder_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("net");
    std::fs::write(&file, "network").expect("written");
    let words = ["read", &file.to_string_lossy()];
    assert_limited("reading its own files and system libraries only", &loose(), &words);
    for read in [folder.path(), &file] {
        assert_eq!(tried(Some(&Confinement { read: vec![read.to_owned()], ..loose() }), &words), DONE);
    }
}

fn memory_is_limited() {
    let confinement = Confinement { memory: NonZeroU32::new(512).expect("positive"), ..loose() };
    assert_limited("memory of an engine", &confinement, &["allocate", "600"]);
    assert_eq!(tried(Some(&confinement), &["allocate", "100"]), DONE);
}

fn other_program_is_not_started() {
    assert_limited("no other programs", &loose(), &["start"]);
}

fn threads_are_limited() {
    let confinement = Confinement { processes: NonZeroU32::MIN, ..loose() };
    assert_limited("number of processes and threads", &confinement, &["thread"]);
    assert_eq!(tried(Some(&loose()), &["thread"]), DONE, "threads are no processes");
}

fn signal_to_the_worker_is_refused() {
    assert_limited("no signals to other processes", &loose(), &["signal"]);
}

fn no_privileges_are_gained() {
    if cfg!(target_os = "linux") {
        assert_ne!(tried(Some(&loose()), &["gain privileges"]), DONE);
    }
}

fn secret_variable_is_not_passed_on() {
    assert_eq!(tried(None, &["variable", "NATS_SECRET"]), DONE);
    assert_ne!(tried(Some(&loose()), &["variable", "NATS_SECRET"]), DONE);
    assert_eq!(tried(Some(&loose()), &["variable", "PATH"]), DONE);
}

fn program_that_can_not_start_is_an_error() {
    for (program, remedy) in [("/no/such/engine", "can't be started"), ("/etc/passwd", "can't be started")] {
        let spec: EngineSpec = program.parse().expect("a spec");
        let Output { status, stderr, .. } = output(&wrap(&loose(), &own_program(), &spec));
        let message = String::from_utf8_lossy(&stderr).into_owned();
        assert!(!status.success() && message.contains(remedy) && message.contains(program), "{message}");
    }
}

fn engines_play() {
    let own = own_program();
    let spec: EngineSpec = "program uci".parse().expect("a spec");
    let echo = spec.with_program(&own.to_string_lossy()).expect("a spec");
    let stockfish = "stockfish,Threads=2,Hash=64".parse().expect("a spec");
    let specs = if Path::new("/usr/games/stockfish").exists() { vec![echo, stockfish] } else { vec![echo] };
    for spec in specs {
        let spec = wrap(&loose(), &own, &spec);
        let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
        let mut player = launch(&spec, &options).unwrap_or_else(|fault| panic!("{spec}: {fault}"));
        player.new_game().expect("ready");
        let question = Question {
            position: GamePosition::start_position(),
            limits: Limits::nodes(20_000),
            searchmoves: Vec::new(),
        };
        assert!(player.answer(&question).expect("an answer").best.is_some(), "{spec}");
    }
}
