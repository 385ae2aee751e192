//! Engines that misbehave. One that can't be started ends the command with exit 3, its command line and its
//! last words; whatever one does later is a verdict, and the rest of the work goes on. Starts are in `starts`.

use crate::room::{Room, THREEFOLD};

#[test]
fn an_engine_that_cannot_start_is_named_with_its_command_and_last_words() {
    let room = Room::new();
    let quits = room.script("quits", "echo loading >&2; echo no network file >&2; exit 7");
    let mute = room.script("mute", "while read -r line; do :; done");
    let stuck = room.script("stuck", "while read -r line; do case $line in uci) echo uciok;; esac; done");
    let table: &[(&str, &str, &[&str])] = &[
        // spec, seconds it has to start, parts of what is said
        (
            "./nobody,name=N",
            "60",
            &["engine `N` (`./nobody,name=N`)", "`./nobody` can't be started", "check the path"],
        ),
        ("book.epd", "60", &["engine `book` (`book.epd`)", "can't be started"]),
        (&quits, "60", &["engine `quits` (`sh quits.sh,name=quits`)", "exit status: 7", "no network file"]),
        (
            &mute,
            "0.2",
            &["engine `mute` (`sh mute.sh,name=mute`)", "answering `uci` within 200 ms", "--startup"],
        ),
        (&stuck, "0.2", &["engine `stuck`", "within 200 ms", "--startup"]),
    ];
    for (spec, startup, parts) in table {
        let commands = [
            vec!["match", "--engine", "echo", "--engine", spec, "--nodes", "9", "--openings", "book.epd"],
            vec!["suite", "mates.toml", "--engine", spec, "--out", "new", "--run", "new/run.sqlite"],
            vec!["regress", "--plan", "plan.toml", "--engine", spec, "--out", "new"],
        ];
        for command in commands {
            let before = room.files();
            let said = room.run_words(&[&command[..], &["--startup", startup]].concat());
            assert_eq!((said.code, said.out.as_str()), (Some(3), ""), "{command:?}\n{}", said.err);
            for part in *parts {
                assert!(said.err.contains(part), "{command:?}\nlacks `{part}`:\n{}", said.err);
            }
            assert!(before == room.files(), "{command:?} changed {:?}", room.files().keys());
        }
    }
}

/// `threefold uci` lists the options that players set; the experimental ones are listed on request.
#[test]
fn threefold_as_an_engine_takes_experimental_options_once_it_lists_them() {
    let room = Room::new();
    let games = ["--nodes", "20", "--games", "2", "--maxmoves", "4", "--openings", "book.epd"];
    let play = |engine: &str| {
        room.run_words(&[&["match", "--engine", "echo", "--engine", engine], &games[..]].concat())
    };
    let hidden = play(&format!("{THREEFOLD} uci,name=T,CycleDetection=true"));
    assert!(hidden.err.contains("add `args=--experimental`"), "{}", hidden.err);
    assert_ne!(hidden.code, Some(0));
    let listed = play(&format!("{THREEFOLD} uci,args=--experimental,name=T,CycleDetection=true"));
    assert_eq!(listed.code, Some(0), "{}", listed.err);
}

#[test]
fn faults_in_games_lose_them_and_the_others_are_played() {
    let room = Room::new();
    let crash = room.engine("crash", "go*) echo out of luck >&2; exit 4;;");
    let cheat = room.engine("cheat", "go*) echo bestmove a1h8;;");
    let talk = room.engine("talk", "go*) echo bestmove Nf3;;");
    let games = "--nodes 40 --games 12 --max-faults 100% --maxmoves 8 --openings book.epd --pgn all.pgn --run run.sqlite";
    let engines = ["echo,name=E", &crash, &cheat, &talk].map(|spec| ["--engine", spec]).concat();
    let said = room.run_words(&[&["match"], &engines[..], &games.split(' ').collect::<Vec<_>>()].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let pgn = room.read("all.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 12, "every game is played");
    for (name, what) in [("crash", "out of luck"), ("cheat", "a1h8"), ("talk", "Nf3")] {
        assert!(pgn.contains(what), "{name}: `{what}` is nowhere in\n{pgn}");
        assert!(said.out.contains(name) && said.out.contains(what), "{name}\n{}", said.out);
    }
    // Echo wins both games against each of them.
    let lost = |color: &str, result: &str| {
        let echo = format!("[{color} \"E\"]");
        pgn.split("[Event ").filter(|game| game.contains(&echo)).all(|game| game.contains(result))
    };
    assert!(lost("White", "[Result \"1-0\"]") && lost("Black", "[Result \"0-1\"]"), "{pgn}");
}

#[test]
fn an_engine_that_hangs_loses_on_time() {
    let room = Room::new();
    let hang = room.engine("hang", "go*) ;;");
    let games = "--games 2 --openings book.epd --pgn all.pgn --run run.sqlite -j 2";
    let specs = ["match", "--engine", "echo,name=E,nodes=40", "--engine", &format!("{hang},st=0.05")];
    let said = room.run_words(&[&specs[..], &games.split(' ').collect::<Vec<_>>()].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let pgn = room.read("all.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 2);
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("[Result \"0-1\"]"), "{pgn}");
}

#[test]
fn faults_in_a_suite_are_verdicts() {
    let room = Room::new();
    let crash = room.engine("crash", "go*) echo out of luck >&2; exit 4;;");
    let cheat = room.engine("cheat", "go*) echo bestmove a1h8;;");
    let hang = room.engine("hang", "go*) ;;");
    for (spec, limit, verdict) in
        [(crash, "--nodes=9", "fault"), (cheat, "--nodes=9", "fault"), (hang, "--movetime=20", "fault")]
    {
        let words = [
            "suite",
            "mates.toml",
            "--engine",
            &spec,
            limit,
            "--json",
            "--run",
            "run.sqlite",
            "-j",
            "5",
            "--max-faults=5",
        ];
        let said = room.run_words(&words);
        std::fs::remove_file(room.path("run.sqlite")).expect("it was written");
        assert_eq!(said.code, Some(0), "nothing is demanded of the suite: {}", said.err);
        assert_eq!(said.out.lines().count(), 5, "{}", said.out);
        for line in said.out.lines() {
            assert!(line.contains(&format!("\"verdict\":\"{verdict}\"")), "{spec}: {line}");
        }
    }
    // A threshold turns them into exit 1.
    room.write("strict.toml", format!("{}[thresholds]\npass = 0.5\n", room.read("mates.toml")));
    let spec = room.engine("crash", "go*) exit 4;;");
    let said = room.run_words(&["suite", "strict.toml", "--engine", &spec, "--max-faults", "100%"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
}
