//! The folder of `--out`: a run replaces the files of an earlier run, and nothing of the user's.

use crate::sandbox::{GAMES, Sandbox};

/// Every command with `--out`, and a file that it writes.
const COMMANDS: &[(&str, &str)] = &[
    ("GAMES --out new --run RUN", "new/games.pgn"),
    (
        "sprt --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 20 --games 4 --elo0 0 --elo1 5 \
         --openings book.epd --out new --run RUN",
        "new/index.html",
    ),
    ("suite mates.toml --engine echo,Hash=1 --nodes 1 --out new --run RUN", "new/cases.csv"),
    ("regress --plan plan.toml --quick --out new", "new/summary.md"),
    ("report made.sqlite --out new", "new/report.json"),
    ("resume made.sqlite --out new", "new/games.pgn"),
    ("report made.sqlite --out new --format junit", "new/junit.xml"),
    (
        "calibrate --engine echo,name=Echo,Hash=1,StrengthCurve=MadChess --levels 600,900,1300 --openings book.epd \
         --tc 0.1+0.001 --clock virtual:20000 --games 60 --precision 300 --judge-moves 0 --out new \
         --run RUN",
        "new/calibration.csv",
    ),
    (
        "calibrate --engine echo,Hash=1 --nodes 20,60 --games 4 --openings book.epd --out new --run RUN",
        "new/rates.md",
    ),
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let made = sandbox.run(&format!("{GAMES} --run made.sqlite"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    sandbox
}

#[test]
fn file_of_the_user_is_refused_and_that_of_an_earlier_run_replaced() {
    let sandbox = sandbox();
    for (number, (command, file)) in COMMANDS.iter().enumerate() {
        let command = |run: usize| {
            command.replace("GAMES", GAMES).replace("RUN", &format!("runs/{number}-{run}.sqlite"))
        };
        sandbox.write(file, "my own\n");
        let before = sandbox.files();
        let output = sandbox.run(&command(1));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}\n{}", command(1), output.err);
        let name = file.strip_prefix("new/").expect("in the folder");
        let expected = format!(
            "new: {name} was not written by a run, or was changed since; give --force to replace it, or name another folder"
        );
        assert!(output.err.contains(&expected), "{}\n{}", command(1), output.err);
        assert!(before == sandbox.files(), "{}: {:?}", command(1), sandbox.files().keys());
        let output = sandbox.run(&format!("{} --force", command(2)));
        assert!(matches!(output.code, Some(0 | 1)), "{}\n{}", command(2), output.err);
        // Over its own files.
        let output = sandbox.run(&command(3));
        assert!(matches!(output.code, Some(0 | 1)), "{}\n{}", command(3), output.err);
        if !name.starts_with("rates") {
            assert_ne!(sandbox.read(file), "my own\n", "{}", command(3));
        }
        std::fs::remove_dir_all(sandbox.path("new")).expect("a folder");
    }
}

#[test]
fn folder_with_files_of_these_names_keeps_them_all() {
    let sandbox = Sandbox::new();
    for file in ["games.pgn", "index.html", "summary.md", "cases.csv", "report.json", "junit.xml"] {
        sandbox.write(file, "my own\n");
    }
    let before = sandbox.files();
    let output = sandbox.run(&format!("{GAMES} --out . -q"));
    assert_eq!(output.code, Some(2), "{}", output.err);
    let expected =
        ".: index.html, summary.md, junit.xml, cases.csv, games.pgn and 1 more were not written by a run";
    assert!(output.err.contains(expected), "{}", output.err);
    assert!(before == sandbox.files(), "{:?}", sandbox.files().keys());
}

#[test]
fn baseline_is_no_folder_for_reports() {
    let sandbox = Sandbox::new();
    let accept = "regress --plan plan.toml --accept --baseline base";
    let output = sandbox.run(&format!("{accept} --out base"));
    assert_eq!(output.code, Some(2), "reports and baseline have a file of one name: {}", output.err);
    assert_eq!(sandbox.run(accept).code, Some(0));
    assert_eq!(sandbox.run(accept).code, Some(0), "a baseline is replaced by a baseline");
    let before = sandbox.files();
    for command in [
        "suite mates.toml --engine echo --out base",
        "suite mates.toml --engine echo --out base --force",
        "regress --plan plan.toml --quick --baseline base --out base",
    ] {
        let output = sandbox.run(command);
        assert_eq!(output.code, Some(2), "{command}: {}", output.err);
        assert!(output.err.contains("base: is a baseline, which only"), "{command}: {}", output.err);
        assert!(before == sandbox.files(), "{command}: {:?}", sandbox.files().keys());
    }
    // Nor do the cases of a report become a baseline's.
    sandbox.write("mine/cases.csv", "my own\n");
    let output = sandbox.run("regress --plan plan.toml --accept --baseline mine");
    assert_eq!(output.code, Some(2), "{}", output.err);
    assert!(output.err.contains("mine: cases.csv was not written by a run"), "{}", output.err);
    assert_eq!(sandbox.read("mine/cases.csv"), "my own\n");
}

#[test]
fn games_that_are_appended_to_a_file_of_the_report_folder_stay() {
    let sandbox = Sandbox::new();
    for games in [4, 8] {
        let command = format!("{GAMES} --out new --pgn new/games.pgn --append");
        std::fs::create_dir_all(sandbox.path("new")).expect("a folder");
        let output = sandbox.run(&command);
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(sandbox.read("new/games.pgn").matches("[Event ").count(), games);
    }
}
