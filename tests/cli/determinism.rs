//! Determinism: results do not depend on the number of jobs, on repetition, or on whether the files come from
//! the run or from its journal.

use std::fs;
use std::path::PathBuf;

use crate::sandbox::{GAMES, Sandbox, THREEFOLD};

/// The files of a report folder, without the journal.
fn reports(sandbox: &Sandbox, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let files = sandbox.files().into_iter();
    let mut reports: Vec<_> =
        files.filter_map(|(file, bytes)| Some((file.strip_prefix(folder).ok()?.to_owned(), bytes))).collect();
    reports.retain(|(file, _)| file.extension().is_none_or(|ending| ending != "sqlite"));
    reports
}

#[test]
fn regression_run_does_not_depend_on_the_number_of_jobs() {
    let sandbox = Sandbox::new();
    let accepted = sandbox.run("regress --plan plan.toml --out first --baseline base --accept -j 1");
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    for workers in ["1", "2"] {
        let words = format!("regress --plan plan.toml --out again{workers} --baseline base -j {workers}");
        let output = sandbox.run(&words);
        assert_eq!(output.code, Some(0), "{}", output.err);
        for file in ["cases.csv", "games.pgn"] {
            assert!(
                sandbox.read(&format!("first/{file}")) == sandbox.read(&format!("again{workers}/{file}")),
                "{file} with {workers} workers"
            );
        }
    }
    let cases = sandbox.read("first/cases.csv");
    for suite in ["traps,", "mates,", "clocks,"] {
        assert!(cases.lines().any(|line| line.starts_with(suite)), "{suite}\n{cases}");
    }
    assert!(sandbox.read("first/games.pgn").contains("[Event "));
}

#[test]
fn reports_come_from_the_journal_alone() {
    let sandbox = Sandbox::new();
    let accepted = sandbox.run("regress --plan plan.toml --out first --baseline base --accept");
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    let commands = [
        "regress --plan plan.toml --out new --baseline base".to_owned(),
        format!("{GAMES} --out new --run new/run.sqlite"),
        "suite traps.toml mates.toml --engine echo,Hash=1 --out new --run new/run.sqlite".to_owned(),
        "sprt --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --elo0 -10 --elo1 10 --nodes 40 --games 6 \
         --model bayeselo --batch 2 --overshoot correct --maxmoves 20 --openings book.epd --out new --run new/run.sqlite"
            .to_owned(),
        "calibrate --engine echo,Hash=1 --nodes 20,60 --games 4 --openings book.epd --out new --run new/run.sqlite"
            .to_owned(),
    ];
    for command in commands {
        let output = sandbox.run(&command);
        assert!(output.code.is_some_and(|code| code < 2), "{command}\n{}", output.err);
        let rebuilt = sandbox.run("report new/run.sqlite --out rebuilt");
        assert_eq!(rebuilt.code, output.code, "{command}\n{}", rebuilt.err);
        let written = reports(&sandbox, "new");
        assert!(written.len() >= 5, "{written:?}");
        assert!(written == reports(&sandbox, "rebuilt"), "{command}");
        assert!(rebuilt.out.contains("rebuilt/index.html"), "{}", rebuilt.out);
        for folder in ["new", "rebuilt"] {
            fs::remove_dir_all(sandbox.path(folder)).expect("it was written");
        }
    }
}

#[test]
fn games_on_virtual_clocks_are_reproducible() {
    let sandbox = Sandbox::new();
    let games = "--tc 1+0.01 --clock virtual:5000 --games 4 --openings book.epd --maxmoves 30";
    for (file, workers) in [("one.pgn", 1), ("two.pgn", 2)] {
        let output = sandbox.run(&format!(
            "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,tc=2 {games} --pgn {file} -j {workers}"
        ));
        assert_eq!(output.code, Some(0), "{}", output.err);
    }
    let pgn = sandbox.read("one.pgn");
    assert!(pgn == sandbox.read("two.pgn"));
    assert_eq!(pgn.matches("[Event ").count(), 4);
}

/// On virtual clocks an engine process plays like the built-in engine, with any number of jobs and on a busy
/// machine.
#[test]
fn virtual_clocks_do_not_depend_on_processes_or_load() {
    let sandbox = Sandbox::new();
    let games = "--tc 1+0.01 --clock virtual:20000 --games 4 --openings book.epd --maxmoves 30";
    let own = "TimeManager=Smooth,Hash=1";
    let other = "TimeManager=smoothpiggybank(init-nps=30000\\,max-move-budget=0.4),Hash=1";
    let play = |source: &str, file: &str, workers: &str| {
        let engines = format!("--engine {source},name=A,{own} --engine {source},name=B,{other}");
        let output = sandbox.run(&format!("match {engines} {games} --pgn {file} -j {workers}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        // The program that played is reported, and differs.
        let is_program = |line: &&str| line.starts_with("[WhiteEngine ") || line.starts_with("[BlackEngine ");
        let games = sandbox.read(file);
        assert!(games.lines().any(|line| is_program(&line)), "{games}");
        games.lines().filter(|line| !is_program(line)).collect::<Vec<_>>().join("\n")
    };
    let alone = play("echo", "alone.pgn", "1");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let beside_load = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let games = play(&format!("{THREEFOLD},args=uci"), "load.pgn", "2");
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        games
    });
    assert!(alone == beside_load, "{alone}\n{beside_load}");
    assert!(alone.replace('\n', " ").contains("time budget "), "{alone}");
}

#[test]
fn engines_from_files_and_options_play_the_same_games() {
    let sandbox = Sandbox::new();
    let games = "--nodes 60 --games 4 --openings book.epd";
    let ways = [
        "--engine echo,name=Old,Hash=1 --engine echo,name=New,Hash=2",
        "--engine @engines.toml#old --engine @engines.toml#new",
        "--engine @engines.toml#old --engine echo,name=New --each Hash=2",
        "--engine @engines.toml#old,nodes=60 --engine echo,name=New,hash=2 --each nodes=60 --each Hash=1",
    ];
    let mut pgns = Vec::new();
    for (number, way) in ways.iter().enumerate() {
        let output = sandbox.run(&format!("match {way} {games} --pgn {number}.pgn"));
        assert_eq!(output.code, Some(0), "{way}\n{}", output.err);
        pgns.push(sandbox.read(&format!("{number}.pgn")));
    }
    assert!(pgns.iter().all(|pgn| *pgn == pgns[0]));
    assert!(pgns[0].contains("[White \"Old\"]") && pgns[0].contains("[White \"New\"]"));
}
