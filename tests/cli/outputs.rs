//! What is said where: standard output is for the result, standard error for quiet lines, and help is enough
//! to begin with.

use rusqlite::Connection;

use crate::room::{GAMES, Room};

#[test]
fn standard_output_is_for_the_result_and_standard_error_for_quiet_lines() {
    let room = Room::new();
    let said = room.run(&format!("{GAMES} --pgn all.pgn --out new --run run.sqlite -j 1"));
    assert_eq!(said.code, Some(0));
    let quiet: Vec<&str> = said.err.lines().map(str::trim_end).collect();
    let expected = [
        "journal: run.sqlite",
        "match                 1/4",
        "match                 2/4",
        "match                 3/4",
        "match                 4/4    done",
        "reports: new/index.html",
        "games: all.pgn",
    ];
    assert_eq!(quiet, expected);
    assert!(said.out.contains('A') && said.out.contains('B'), "{}", said.out);
    assert!(!said.out.contains("journal") && !said.out.contains('\u{1b}'), "{}", said.out);
}

#[test]
fn json_is_an_object_a_case_and_nothing_else() {
    let room = Room::new();
    let said = room
        .run("suite traps.toml mates.toml --engine echo,name=X,Hash=1 --engine echo,name=Y,Hash=1 --json");
    assert_eq!(said.code, Some(0), "{}", said.err);
    let traps =
        room.read("traps.csv").lines().filter(|line| line.contains(',') && !line.starts_with('#')).count();
    let mates = room.read("mates.epd").lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(said.out.lines().count(), 2 * (traps - 1 + mates));
    for line in said.out.lines() {
        let case: serde_json::Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let case = case.as_object().expect("an object");
        for key in ["id", "class", "engine", "played", "verdict", "nodes", "depth", "score", "pv"] {
            assert!(case.contains_key(key), "no {key} in {line}");
        }
    }
}

#[test]
fn a_threshold_or_a_rejected_test_is_exit_1() {
    let room = Room::new();
    room.write("strict.toml", format!("{}[thresholds]\npass = 1.0\n", room.read("mates.toml")));
    let said = room.run("suite strict.toml --engine echo --nodes 1");
    assert_eq!(said.code, Some(1), "{}\n{}", said.out, said.err);
    let sprt = "--elo0 -60 --elo1 60 --alpha 0.3 --beta 0.3 --openings book.epd --games 200 --maxmoves 60 \
        --resign movecount=1,score=300";
    for (new, base, code, accepted) in
        [("nodes=1", "nodes=400", 1, "H0 accepted: "), ("nodes=400", "nodes=1", 0, "H1 accepted: ")]
    {
        let said = room.run(&format!("sprt --engine echo,{new},Hash=1 --engine echo,{base},Hash=1 {sprt}"));
        assert_eq!(said.code, Some(code), "{}\n{}", said.out, said.err);
        assert!(said.out.contains(accepted), "{}", said.out);
    }
}

#[test]
fn a_change_for_the_worse_is_exit_1_and_named() {
    let room = Room::new();
    let good = "regress --plan plan.toml --quick --out new --baseline base";
    let said = room.run(&good.replace(" --quick", " --accept"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(room.run(good).code, Some(0));
    // The same plan with an engine that sees a single node.
    room.vary("mates.toml", "nodes = 300", "nodes = 1", "mates.toml");
    let said = room.run(good);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(said.out.contains("mates"), "{}", said.out);
}

/// Changes the order in a journal.
fn alter(room: &Room, file: &str, sql: &str) {
    let db = Connection::open(room.path(file)).expect("a journal");
    let changed = db.execute(&format!("UPDATE run SET ordered = {sql}"), []).expect("sound SQL");
    assert_eq!(changed, 1);
}

#[test]
fn a_report_is_written_in_the_formats_that_are_named() {
    let room = Room::new();
    let made = room.run(&format!("{GAMES} --run made.sqlite --out all"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let names = |folder: &str| {
        let entries = std::fs::read_dir(room.path(folder)).expect("made");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let said = room.run("report made.sqlite --out some --format junit --format json --format terminal");
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert_eq!(names("some"), ["junit.xml", "report.json", "summary.txt"]);
    assert_eq!(said.out.lines().count(), 3, "{}", said.out);
    for file in ["junit.xml", "report.json"] {
        assert!(room.read(&format!("some/{file}")) == room.read(&format!("all/{file}")), "{file}");
    }
    assert_eq!(room.read("some/summary.txt"), made.out);
    let said = room.run("report made.sqlite --out none --format junti");
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("a similar value exists: 'junit'"), "{}", said.err);
    assert!(!room.path("none").exists());
}

#[test]
fn reports_that_the_program_lacks_are_refused_with_the_nearest_and_the_program_that_has_them() {
    let room = Room::new();
    let made = room.run(&format!("{GAMES} --run made.sqlite --out all"));
    assert_eq!(made.code, Some(0), "{}", made.err);
    alter(
        &room,
        "made.sqlite",
        "json_set(ordered, '$.printed', 'cases-by-noon', '$.command', 'lab study tables')",
    );
    for command in ["report made.sqlite --out new", "resume made.sqlite", "resume made.sqlite --out new"] {
        let said = room.run(command);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}: {}", said.err);
        let told = [
            "error: made.sqlite: this program makes no reports called `cases-by-noon`",
            "the nearest that it makes are called `cases`",
            "use the program that began the run (`lab study tables`)",
            "or name formats: `threefold report made.sqlite --format html`",
        ];
        for part in told {
            assert!(said.err.contains(part), "{command}\nlacks `{part}`:\n{}", said.err);
        }
        assert!(!room.path("new").exists());
    }
    let said = room.run("report made.sqlite --out new --format csv --format pgn");
    assert_eq!((said.code, said.out.as_str()), (Some(0), "new/cases.csv\nnew/games.pgn\n"), "{}", said.err);
    assert!(room.read("new/games.pgn") == room.read("all/games.pgn"));
}

#[test]
fn help_shows_each_command_by_example() {
    let room = Room::new();
    let help = room.run("--help");
    assert_eq!((help.code, help.err.as_str()), (Some(0), ""));
    assert!(help.out.contains("Exit codes: 0 all as asked"), "{}", help.out);
    let commands = [
        "regress",
        "suite",
        "match",
        "sprt",
        "calibrate",
        "resume",
        "report",
        "positions",
        "positions traps",
        "positions mates",
        "positions openings",
        "positions check",
        "uci",
        "bench",
        "perft",
        "completions",
        "man",
    ];
    for command in commands {
        let said = room.run(&format!("{command} --help"));
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{command}");
        let (_, examples) =
            said.out.split_once("Example").unwrap_or_else(|| panic!("{command}:\n{}", said.out));
        assert!(examples.contains(&format!("threefold {command}")), "{command}:\n{}", said.out);
    }
    assert_eq!(room.run("--version").code, Some(0));
}
