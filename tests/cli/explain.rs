//! `explain`: one case in words or as JSON.

use crate::sandbox::{GAMES, Sandbox};

const SUITE: &str = "suite traps.toml --engine echo,name=Echo,Hash=1 --run run.sqlite --json";

/// The ids of the cases of the sandbox's traps, in order.
fn ids(sandbox: &Sandbox) -> Vec<String> {
    let text = sandbox.read("traps.csv");
    let ids = text.lines().skip(1).filter_map(|line| Some(line.split(',').next()?.to_owned()));
    ids.collect()
}

#[test]
fn explain_describes_a_case_of_a_run() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(SUITE);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let id = &ids(&sandbox)[0];
    let explained = sandbox.run(&format!("explain run.sqlite traps/{id}"));
    assert_eq!(explained.code, Some(0), "{}", explained.err);
    let text = &explained.out;
    assert!(text.starts_with(&format!("traps/{id} (class ")), "{text}");
    for label in [
        "\nhistory ",
        "\naccepted ",
        "\nwhy ",
        "\nplayed ",
        "\nverdict ",
        "\nmeaning ",
        "\nscore ",
        "\nline ",
    ] {
        assert!(text.contains(label), "{label} is missing: {text}");
    }
    // A board of eight ranks from the view of the side to move, with the accepted move marked.
    assert!(text.contains("\n  8 ") && text.contains("to move; ") && text.contains(" to "), "{text}");
    // The command in the text runs the case alone, with the same verdict.
    let command = text.lines().find_map(|line| line.strip_prefix("run again")).expect("a command").trim();
    let again = sandbox.shell(&format!("{} --json", command.replacen("threefold", "$T", 1)));
    let of_case = |out: &str| out.lines().find(|line| line.contains(&format!("\"{id}\""))).map(str::to_owned);
    assert_eq!(again.out.lines().count(), 1, "one case: {} {}", again.out, again.err);
    assert_eq!(of_case(&again.out), of_case(&ran.out), "{command}");
}

#[test]
fn explain_describes_a_case_of_a_built_in_suite() {
    let sandbox = Sandbox::new();
    let id = &ids(&sandbox)[0];
    let explained = sandbox.run(&format!("explain --suite repetition {id}"));
    assert_eq!(explained.code, Some(0), "{}", explained.err);
    assert!(explained.out.contains("limits     20\u{202f}000 nodes"), "{}", explained.out);
    assert!(
        explained.out.contains(&format!("run again  threefold suite repetition --case {id} --engine ./mine")),
        "{}",
        explained.out
    );
    assert!(!explained.out.contains("\nverdict"), "there is no verdict without a run: {}", explained.out);
}

#[test]
fn explain_prints_one_json_object() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(SUITE);
    let id = &ids(&sandbox)[0];
    let line = ran.out.lines().find(|line| line.contains(&format!("\"{id}\""))).expect("it ran");
    let ran: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
    let object = |command: &str| -> serde_json::Value {
        let explained = sandbox.run(command);
        assert_eq!(explained.code, Some(0), "{}", explained.err);
        serde_json::from_str(&explained.out).expect("one JSON object")
    };
    let case = object(&format!("explain run.sqlite traps/{id} --json"));
    let result = &case["results"][0];
    for key in ["played", "verdict", "cause", "detail", "nodes", "depth", "score"] {
        assert_eq!(result[key], ran[key], "{key}: {case}");
    }
    assert_eq!(
        result["pv"].as_array().expect("moves").len(),
        ran["pv"].as_str().expect("moves").split(' ').count()
    );
    assert_eq!((&case["suite"], &case["id"], &case["class"]), (&"traps".into(), &ran["id"], &ran["class"]));
    assert!(case["history"]["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{case}");
    assert!(case["fen"].as_str().is_some_and(|fen| fen.split(' ').count() == 6), "{case}");
    assert!(case["command"].as_str().is_some_and(|command| command.contains(" --case ")), "{case}");
    // Without a run there is no result, and the case is the same.
    let alone = object(&format!("explain --suite traps.toml {id} --json"));
    assert_eq!(alone["results"], serde_json::json!([]));
    for key in ["fen", "history", "accepted", "note", "limits", "title"] {
        assert_eq!(alone[key], case[key], "{key}");
    }
}

#[test]
fn unknown_case_gets_the_nearest_name() {
    let sandbox = Sandbox::new();
    let id = &ids(&sandbox)[0];
    let near = format!("{id}x");
    let unknown = sandbox.run(&format!("explain --suite traps.toml {near}"));
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.err.contains(&format!("there is no case `{near}`; the closest name is `traps/{id}`")),
        "{}",
        unknown.err
    );
    assert_eq!(sandbox.run("explain traps/x").code, Some(2), "without a run or a suite");
    assert_eq!(sandbox.run(&format!("{GAMES} --run games.sqlite")).code, Some(0));
    let game = sandbox.run("explain games.sqlite 1");
    assert!(game.err.contains("there is no case `1`: the run has no suite"), "{}", game.err);
}

#[test]
fn suite_with_case_runs_that_case_and_requires_it() {
    let sandbox = Sandbox::new();
    let all = sandbox.run(SUITE);
    let failed = all.out.lines().find(|line| line.contains("\"failed\"")).expect("300 nodes fail some trap");
    let passed = all.out.lines().find(|line| line.contains("\"passed\"")).expect("and pass some");
    for (line, code) in [(passed, 0), (failed, 1)] {
        let id = ids(&sandbox).into_iter().find(|id| line.contains(&format!("\"{id}\""))).expect("its id");
        let one = sandbox.run(&format!("suite traps.toml --case {id} --engine echo,name=Echo,Hash=1 --json"));
        assert_eq!((one.code, one.out.trim_end()), (Some(code), line), "{}", one.err);
    }
    let bench = sandbox.run("suite compliance --case x --engine echo");
    assert_eq!(bench.code, Some(2), "{}", bench.err);
    assert!(bench.err.contains("there is no case `x`; the closest name is `compliance/"), "{}", bench.err);
}

#[test]
fn cases_without_positions_run_alone() {
    let sandbox = Sandbox::new();
    // `smoke` plays games, `compliance` has clauses, `bench` has one case.
    let games = "[[settings.games]]\nid = \"one\"\ncontrol = \"1+0.01\"\n[[settings.games]]\nid = \"two\"\ncontrol = \"1+0.01\"\n";
    let head = "version = 1\nkind = \"smoke\"\ntitle = \"S\"\npositions = []\n[settings]\nplies = 4\n";
    sandbox.write("games.toml", format!("{head}{games}"));
    for (suite, id, verdict) in [("games.toml", "two", "passed"), ("compliance", "quit", "skipped")] {
        let alone = sandbox
            .run(&format!("suite {suite} --case {id} --engine echo,name=E,Hash=1 --run {id}.sqlite --json"));
        assert_eq!(alone.out.lines().count(), 1, "one case: {} {}", alone.out, alone.err);
        assert!(alone.out.contains(&format!("\"verdict\":\"{verdict}\"")), "{}", alone.out);
        let explained = sandbox.run(&format!("explain {id}.sqlite {id}"));
        assert!(
            explained.out.contains(&format!(" --case {id} --engine echo,name=E,Hash=1")),
            "{}",
            explained.out
        );
        let bundled = sandbox.run(&format!("bundle {id}.sqlite {id} --out {id}"));
        assert_eq!(bundled.code, Some(0), "{}", bundled.err);
        let again = sandbox.shell(&format!("THREEFOLD=$T sh {id}/reproduce.sh"));
        // Real clocks: the number of nodes differs.
        assert_eq!(again.out.lines().count(), 1, "{} {}", again.out, again.err);
        let same = [format!("\"id\":\"{id}\""), format!("\"verdict\":\"{verdict}\"")];
        assert!(same.iter().all(|part| again.out.contains(part)), "{}", again.out);
    }
    let explained = sandbox.run("explain --suite bench bench");
    assert!(
        explained.out.contains("run again  threefold suite bench --case bench --engine ./mine"),
        "{}",
        explained.out
    );
}
