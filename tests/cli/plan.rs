//! `plan`: the forecast as text and as JSON, and invalid options.

use crate::sandbox::Sandbox;

#[test]
fn plan_forecasts_before_a_run() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("plan --elo0 0 --elo1 5 --tc 8+0.08 --jobs 2 --budget 30m");
    assert_eq!(output.code, Some(0), "{}", output.err);
    for part in
        ["One game takes 19.200 s", "25700 games", "Budget: 188 games. A match of that length", "undecided"]
    {
        assert!(output.out.contains(part), "no `{part}` in {}", output.out);
    }
    assert!(sandbox.files().keys().all(|file| !file.starts_with("runs")), "a plan leaves no journal");
    let usual = sandbox.run("plan --elo0 0 --elo1 5 --jobs 2 --budget 30m");
    assert!(usual.out.contains("at 8+0.08, the default"), "{}", usual.out);
    assert_eq!(usual.out.lines().skip(1).collect::<Vec<_>>(), output.out.lines().skip(1).collect::<Vec<_>>());
}

#[test]
fn plan_json_equals_its_table() {
    let sandbox = Sandbox::new();
    let output =
        sandbox.run("plan --elo0 -5 --elo1 5 --model logistic --draw-ratio 0.5 --bias 0 --games 1000 --json");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let plan: serde_json::Value = serde_json::from_str(&output.out).expect("one object");
    assert_eq!((plan["format"].as_u64(), plan["budget_games"].as_f64()), (Some(1), Some(1000.0)));
    assert_eq!(plan["variance_per_game"].as_f64(), Some(0.125));
    let middle = &plan["predictions"][4];
    assert_eq!(middle["elo"].as_f64(), Some(0.0));
    let pass = middle["pass_probability"].as_f64().expect("a chance");
    assert!((pass - 0.5).abs() < 1e-9, "{pass}");
}

/// At the games at which the fixed test has a power of 80 %, an SPRT accepts a true H1 in about 67 %.
#[test]
fn plan_compares_the_test_with_a_deadline() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("plan --elo0 0 --elo1 10 --games 7462 --json");
    let plan: serde_json::Value = serde_json::from_str(&output.out).expect("one object");
    let at_h1 = &plan["predictions"][6];
    assert_eq!(at_h1["elo"].as_f64(), Some(10.0));
    let (sprt, deadline) = (at_h1["passed_within_budget"].as_f64(), at_h1["deadline"]["passed"].as_f64());
    let (sprt, deadline) = (sprt.expect("a chance"), deadline.expect("a chance"));
    assert!((0.65..0.68).contains(&sprt) && (0.79..0.801).contains(&deadline), "{sprt} {deadline}");
    let text = sandbox.run("plan --elo0 0 --elo1 10 --games 7462").out;
    assert!(text.contains("Within the budget:") && text.contains("deadline: H1"), "{text}");
    let few = sandbox.run("plan --elo0 0 --elo1 10 --games 200").out;
    assert!(
        few.contains("`sprt --deadline` refuses this: 200 games are too few to test 0 against 10"),
        "{few}"
    );
}

#[test]
fn invalid_plan_is_exit_2_with_a_remedy() {
    let sandbox = Sandbox::new();
    let table = [
        ("plan", "--elo1"),
        ("plan --elo1 5 --budget 30 --tc 8+0.08", "1h30m"),
        ("plan --elo1 5 --budget 1s --tc 8+0.08 --jobs 1", "give more time"),
        ("plan --elo1 5 --draw-ratio 0.95", "lower one of the two"),
        ("plan --elo1 5 --model bayeselo", "use normalized or logistic Elo"),
        ("plan --elo1 -5", "elo0 must be less than elo1"),
    ];
    for (words, remedy) in table {
        let output = sandbox.run(words);
        assert_eq!(output.code, Some(2), "{words}: {}", output.out);
        assert!(output.err.contains(remedy), "{words}: {}", output.err);
    }
}
