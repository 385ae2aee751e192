//! `match --tournament swiss`: standings and cross table in all outputs, the same with any number of jobs and
//! after a kill.

use crate::sandbox::Sandbox;
use crate::tournament::{done, killed_and_resumed, with_any_jobs};

/// Five engines, the strongest last. Two games in an encounter.
const SWISS: &str = "match --tournament swiss --rounds 3 --engine echo,name=A,nodes=60 --engine echo,name=B,nodes=40 \
                     --engine echo,name=C,nodes=80 --engine echo,name=D,nodes=20 --engine echo,name=E,nodes=2000 \
                     --each Hash=1 --maxmoves 60 --games 2 --openings book.epd --pgn all.pgn --out new \
                     --run run.sqlite --events events.jsonl";

#[test]
fn swiss_shows_its_standings_and_does_not_depend_on_the_number_of_jobs() {
    let (sandbox, output) = with_any_jobs(SWISS);
    assert!(output.out.contains(" the Swiss tournament of 5 engines"), "{}", output.out);
    for text in ["Buchholz", "Sonneborn-Berger", " round 3 ", "A bye counts 2 points."] {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
    assert!(output.err.contains("3 rounds, 6 encounters of 2 games"), "{}", output.err);
    let lines: Vec<&str> = output.err.lines().filter(|line| line.starts_with("round ")).collect();
    assert_eq!(lines.len(), 6, "a line for each encounter: {}", output.err);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let swiss = &report["swiss"];
    assert_eq!(swiss["rounds"].as_array().map(Vec::len), Some(3));
    assert_eq!(swiss["rounds"][0][2], serde_json::json!({ "bye": "E", "points": 2 }));
    assert_eq!(swiss["standings"].as_array().map(Vec::len), Some(5));
    assert_eq!(
        (&report["knockout"], report["matches"].as_array().map(Vec::len)),
        (&serde_json::Value::Null, Some(6))
    );
    let points = swiss["standings"].as_array().into_iter().flatten().filter_map(|it| it["points"].as_f64());
    assert!((points.sum::<f64>() - 18.0).abs() < 1e-9, "12 games and 3 byes of 2 points: {swiss}");
    let page = sandbox.read("new/index.html");
    assert!(page.contains("id=\"standings\"") && page.contains("<summary>Round 3</summary>"));
    let games = sandbox.read("all.pgn");
    for round in ["1.1.1", "1.1.2", "2.1.1", "3.1.2"] {
        assert_eq!(games.matches(&format!("[Round \"{round}\"]")).count(), 2, "{round}");
    }
}

#[test]
fn killed_swiss_goes_on_to_the_same_pairings() {
    killed_and_resumed(SWISS, &[2, 4, 7]);
}

#[test]
fn what_makes_no_sense_with_a_swiss_is_refused() {
    let sandbox = Sandbox::new();
    let engines =
        "--engine echo,name=A --engine echo,name=B --engine echo,name=C --nodes 20 --openings book.epd";
    let two = "--engine echo,name=A --engine echo,name=B --nodes 20 --openings book.epd";
    for (command, message) in [
        (
            format!("match --tournament swiss {engines} --seeds 2"),
            "the engines of a swiss tournament are seeded in the order of --engine",
        ),
        (format!("match --tournament swiss {engines} --rounds 4"), "give --rounds 3 or fewer"),
        (format!("match --tournament swiss {two}"), "a Swiss tournament takes three engines"),
        (format!("match {engines} --rounds 2"), "--rounds is for Swiss tournaments"),
        (format!("match --tournament knockout {engines} --rounds 2"), "--rounds is for Swiss tournaments"),
        (format!("sprt --tournament swiss {two} --elo0 0 --elo1 5"), "unexpected argument '--tournament'"),
    ] {
        let output = sandbox.run(&command);
        assert_eq!(output.code, Some(2), "{command}: {}", output.err);
        assert!(output.err.contains(message), "{command}: {}", output.err);
    }
    done(&sandbox, &format!("match --tournament swiss {engines} --games 2 --maxmoves 1 --run run.sqlite"));
    let output = sandbox.run("resume run.sqlite --games 8");
    assert_eq!(output.code, Some(2));
    assert!(
        output.err.contains("is a swiss tournament, whose encounters depend on the results"),
        "{}",
        output.err
    );
}
