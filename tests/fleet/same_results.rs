//! A run on a fleet has the results of a run on one machine, to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::processes::{self, Fleet};

/// The files of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("the reports");
    entries
        .map(|entry| {
            let entry = entry.expect("readable");
            (entry.file_name().into_string().expect("text"), fs::read(entry.path()).expect("readable"))
        })
        .collect()
}

/// Runs a command on three workers and locally, and compares all that is written.
fn compare(fleet: &Fleet, command: &str, code: i32) {
    let ended = fleet.submit("fleet", command).wait();
    assert_eq!(ended.code, Some(code), "{}", ended.text);
    let here = fleet.locally("here", command);
    assert_eq!(here.code, Some(code), "{}", here.text);
    let (there, here) = (files(&fleet.path("fleet/out")), files(&fleet.path("here/out")));
    assert!(there.len() > 3 && there.keys().eq(here.keys()), "{:?}", there.keys());
    // The page of a match also says what each worker scored, and those are others.
    // The list of the files that the run wrote has its checksum.
    let is_same = |name: &str| !["index.html", ".threefold-reports"].contains(&name);
    for (name, bytes) in there.iter().filter(|(name, _)| is_same(name)) {
        assert!(*bytes == here[name], "{name} differs");
    }
}

/// A fleet of three workers; `None` without the programs that it needs.
fn three_workers() -> Option<Fleet> {
    if !processes::is_there() {
        return None;
    }
    let mut fleet = Fleet::new();
    for _ in 0..3 {
        fleet.start_worker("");
    }
    Some(fleet)
}

#[test]
fn match_of_200_pairs_is_the_same_to_the_byte() {
    let Some(fleet) = three_workers() else { return };
    compare(
        &fleet,
        "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,RepetitionPolicy=HistoryDraw --tc 0.4+0.004 \
         --clock virtual:10000 --games 400 --maxmoves 60 -j 2 --out out",
        0,
    );
}

#[test]
fn decided_test_and_suite_are_the_same_to_the_byte() {
    let Some(fleet) = three_workers() else { return };
    // The test accepts H1 long before its last pair: what is queued is withdrawn.
    compare(
        &fleet,
        "sprt --engine echo,name=New,nodes=800,Hash=1 --engine echo,name=Base,nodes=100,Hash=1 --elo0 0 --elo1 50 --games 4000 \
         --maxmoves 80 -j 2 --out out",
        0,
    );
    fs::remove_dir_all(fleet.path("fleet")).expect("a folder");
    fs::remove_dir_all(fleet.path("here")).expect("a folder");
    compare(&fleet, "suite rule anecdotes --engine echo,Hash=1 -j 2 --out out", 0);
}

#[test]
fn several_takes_are_the_same_to_the_byte() {
    let Some(fleet) = three_workers() else { return };
    compare(
        &fleet,
        "sprt --engine echo,name=Base,nodes=60 --take echo,name=A,nodes=50 --take echo,name=B,nodes=110 \
         --take echo,name=C,nodes=61 --elo0 0 --elo1 60 --games 200 --stop all --each Hash=1 --maxmoves 60 --ahead 16 -j 2 --out out",
        0,
    );
}

#[test]
fn tune_is_the_same_to_the_byte() {
    let Some(fleet) = three_workers() else { return };
    let parameters = fleet.path("params.csv");
    fs::write(
        &parameters,
        "UCI_Elo, int, 1500, 800, 2400, 150, 0.05\nContempt, int, 0, -100, 100, 20, 0.02\n",
    )
    .expect("writable");
    let command = format!(
        "tune --engine echo,Hash=1,UCI_LimitStrength=true,StrengthSeed=5 --parameters {} --games 96 --pairs-per 2 --nodes 60 \
         --maxmoves 40 --ahead 12 --test-games 40 -j 2 --out out",
        parameters.display()
    );
    compare(&fleet, &command, 1);
}

#[test]
fn swiss_tournament_is_the_same_to_the_byte() {
    let Some(fleet) = three_workers() else { return };
    compare(
        &fleet,
        "match --tournament swiss --engine echo,name=A,nodes=60 --engine echo,name=B,nodes=40 --engine echo,name=C,nodes=900 \
         --engine echo,name=D,nodes=20 --engine echo,name=E,nodes=300 --each Hash=1 --games 4 --maxmoves 60 -j 2 --out out",
        0,
    );
}

#[test]
fn page_and_metrics_are_served_while_a_run_goes_on() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    let address = processes::free_address();
    let command = format!(
        "--serve {address} sprt --engine echo,name=New,Hash=1 --engine echo,name=Base,Hash=1 --nodes 300 --elo0 0 --elo1 5 \
         --games 200 --maxmoves 40 -j 2 --out out"
    );
    let submitted = fleet.submit("fleet", &command);
    let answer = |path: &str, wanted: &str| {
        for _ in 0..300 {
            let answer = processes::http(&address, &format!("GET {path}"));
            if answer.contains(wanted) {
                return answer;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("no `{wanted}` at {path}: {}", processes::http(&address, &format!("GET {path}")));
    };
    answer("/metrics", "threefold_run_messages_waiting");
    fleet.start_worker("");
    let page = answer("/", "New");
    assert!(
        page.starts_with("HTTP/1.1 200") && page.contains("Refresh: 5") && page.contains("<h1>"),
        "{page}"
    );
    answer("/metrics", "threefold_worker_slots 1");
    assert!(processes::http(&address, "POST /").starts_with("HTTP/1.1 405"));
    assert!(processes::http(&address, "GET /etc/passwd").starts_with("HTTP/1.1 404"));
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
}

#[test]
fn tests_of_a_queue_are_the_same_to_the_byte_and_in_the_same_order() {
    let Some(fleet) = three_workers() else { return };
    let test = |nodes: u32| {
        format!(
            "sprt --engine echo,name=New,nodes={nodes},Hash=1 --engine echo,name=Base,nodes=50,Hash=1 --elo0 0 --elo1 200 \
             --games 60 --maxmoves 60 -j 2"
        )
    };
    for folder in ["fleet", "here"] {
        for (options, nodes) in [("--name low", 60), ("--name high --priority 1", 200)] {
            let added = fleet.locally(folder, &format!("queue add {options} -- {}", test(nodes)));
            assert_eq!(added.code, Some(0), "{}", added.text);
        }
    }
    let there = fleet.submit("fleet", "queue run").wait();
    assert_eq!(there.code, Some(0), "{}", there.text);
    let here = fleet.locally("here", "queue run");
    assert_eq!(here.code, Some(0), "{}", here.text);
    for text in [&there.text, &here.text] {
        let place = |name: &str| text.find(&format!("starting test {name}")).expect("it was run");
        assert!(place("2 `high`") < place("1 `low`"), "{text}");
    }
    for test in ["tests/1", "tests/2"] {
        let [there, here] = ["fleet", "here"].map(|run| fleet.path(run).join(".threefold/queue").join(test));
        for name in ["report.json", "games.pgn", "summary.md"] {
            let [there, here] = [&there, &here].map(|folder| fs::read(folder.join(name)).expect("a report"));
            assert!(there == here, "{test}/{name} differs");
        }
    }
}
