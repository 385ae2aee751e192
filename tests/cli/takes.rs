//! `sprt --take`: one table of all takes, the same games with any number of jobs and after a kill, and a take
//! with faults that leaves.

use std::fs;

use crate::sandbox::{CommandOutput, Sandbox};
use crate::tournament::killed_and_resumed;

/// A base and three takes, the second of which is stronger.
const TAKES: &str = "sprt --engine echo,name=base,nodes=60 --take echo,name=a,nodes=50 --take echo,name=b,nodes=110 \
                     --take echo,name=c,nodes=61 --elo0 0 --elo1 60 --each Hash=1 --maxmoves 60 --ahead 6 --games 300 \
                     --pgn all.pgn --out new --run run.sqlite --events events.jsonl";

const FILES: [&str; 4] = ["all.pgn", "new/report.json", "new/games.pgn", "new/summary.md"];

fn done(sandbox: &Sandbox, command: &str, code: i32) -> CommandOutput {
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(code), "{command}\n{}\n{}", output.out, output.err);
    output
}

#[test]
fn takes_have_one_table_and_do_not_depend_on_the_number_of_jobs() {
    let sandbox = Sandbox::new();
    let output = done(&sandbox, &format!("{TAKES} -j 1"), 0);
    for text in [
        "a, b, c – base: b (Elo +",
        " passes against base, after ",
        "The probability that any of the 3 takes passes although H0 is true for it is about 5.0 % at most.",
        "E against H0",
    ] {
        assert!(output.out.contains(text), "{text}: {}", output.out);
    }
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let takes = &report["takes"];
    assert_eq!((&takes["stop"], &takes["guarantee"]), (&"first".into(), &"family".into()));
    let of = |key: &str| {
        takes["takes"].as_array().into_iter().flatten().map(|it| it[key].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("name"), ["a", "b", "c"]);
    assert_eq!(of("result")[1], "passes");
    let needed = of("needed")[0].as_f64().expect("a number");
    assert!((needed - (0.95_f64 * 3.0 / 0.05).ln()).abs() < 1e-9, "{needed}");
    let shares: f64 = of("share").iter().filter_map(serde_json::Value::as_f64).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{takes}");
    let games: u64 = of("games").iter().filter_map(serde_json::Value::as_u64).sum();
    let written = sandbox.read("all.pgn");
    assert_eq!(written.matches("[Result ").count() as u64, games, "every game that counts, and no other");
    // The takes take turns in the file.
    let changes = written.matches("[Event ").count();
    let events: Vec<&str> = written.lines().filter(|line| line.starts_with("[Event ")).collect();
    assert!(events.windows(2).filter(|pair| pair[0] != pair[1]).count() > 2, "{changes} games");
    let page = sandbox.read("new/index.html");
    for text in ["id=\"takes\"", "games of all takes", "ln E against H0"] {
        assert!(page.contains(text), "{text}");
    }
    let events = sandbox.read("events.jsonl");
    assert_eq!(events.matches("\"part_finished\"").count(), 3, "{events}");
    assert_eq!(done(&sandbox, "resume run.sqlite", 0).out, output.out);
    done(&sandbox, "report run.sqlite --format terminal --out again", 0);
    assert_eq!(sandbox.read("again/summary.txt"), output.out);
    let longer = done(&sandbox, "resume run.sqlite --games 500", 2);
    assert!(longer.err.contains("whose games depend on the results of all"), "{}", longer.err);

    let other = Sandbox::new();
    assert_eq!(done(&other, &format!("{TAKES} -j 3"), 0).out, output.out);
    for file in FILES {
        let text = |sandbox: &Sandbox| sandbox.read(file).replace("-j 3", "-j 1");
        assert_eq!(text(&other), text(&sandbox), "{file}");
    }
    let seeded = Sandbox::new();
    seeded.run(&format!("{TAKES} -j 2 --seed 2"));
    assert_ne!(seeded.read("all.pgn"), written, "another seed is another order");
}

#[test]
fn killed_takes_go_on_to_the_same_games() {
    killed_and_resumed(TAKES, &[3, 17]);
}

#[test]
fn take_with_faults_leaves_and_the_others_go_on() {
    let sandbox = Sandbox::new();
    let takes = |third: &str, more: &str| {
        format!(
            "sprt --engine echo,name=base,nodes=60 --take echo,name=bad,nodes=50,fault=IllegalMovePlayed \
             --take echo,name={third} --elo0 0 --elo1 150 --each Hash=1 --maxmoves 60 --max-faults 3 --force {more}"
        )
    };
    let passed = done(&sandbox, &takes("good,nodes=900", "--stop all --games 60"), 0);
    for text in ["good (Elo +", "left because of engine faults: bad", "too many engine faults"] {
        assert!(passed.out.contains(text), "{text}: {}", passed.out);
    }
    // Without a pass the fault is what a reader must know.
    let none = done(&sandbox, &takes("same,nodes=61", "--games 8"), 3);
    assert!(none.out.contains("No take passes against base"), "{}", none.out);
    // No take passes, and none has a fault.
    let weak = "sprt --engine echo,name=base,nodes=600 --take echo,name=a,nodes=20 --take echo,name=b,nodes=30 --elo0 0 --elo1 \
                150 --each Hash=1 --maxmoves 60 --games 200 --guarantee each";
    let rejected = done(&sandbox, weak, 1);
    for text in ["rejected: a, b", "that any of the 2 does can be as likely as 9.8 %"] {
        assert!(rejected.out.contains(text), "{text}: {}", rejected.out);
    }
}

#[test]
fn what_makes_no_sense_with_takes_is_refused() {
    let sandbox = Sandbox::new();
    let bounds = "--elo0 0 --elo1 50 --nodes 20";
    let base = "sprt --engine echo,name=base";
    for (command, message) in [
        (format!("{base} --take echo,name=a,Hash=2 {bounds}"), "give --engine NEW --engine BASE"),
        (
            format!(
                "{base} --engine echo,name=x --take echo,name=a,Hash=2 --take echo,name=b,Hash=4 {bounds}"
            ),
            "needs one base; give --engine BASE once",
        ),
        (
            format!("{base} --take echo,name=a --take echo,name=b,Hash=4 {bounds}"),
            "`a` and `base` have the same program and the same options",
        ),
        (
            format!("{base} --take echo,name=a,Hash=4 --take echo,name=b,Hash=4 {bounds}"),
            "`b` and `a` have the same program and the same options",
        ),
        (
            format!(
                "{base} --take echo,name=a,Hash=4 --take echo,name=b,Hash=2 {bounds} --budget 5m --tc 1+0.1"
            ),
            "give the most games of a take by --games",
        ),
        (format!("{base} --engine echo,name=x,Hash=2 {bounds} --stop all"), "--take <SPEC>"),
        (format!("{base} --engine echo,name=x,Hash=2 {bounds} --seed 3"), "--order random:N"),
        ("plan --elo0 0 --elo1 5 --takes 3".to_owned(), "2 to 64 numbers such as 0,1,2,3"),
        ("plan --elo0 0 --elo1 5 --takes 0,900".to_owned(), "cannot show 900 Elo"),
        (
            "plan --elo0 0 --elo1 5 --takes 0,5 --budget 1h".to_owned(),
            "give the most games of a take by --games",
        ),
    ] {
        let output = done(&sandbox, &command, 2);
        assert!(output.err.contains(message), "{command}: {}", output.err);
    }
}

#[cfg(unix)]
#[test]
fn take_with_the_bench_of_the_base_is_refused_before_the_first_game() {
    use std::os::unix::fs::PermissionsExt;

    let sandbox = Sandbox::new();
    // A script is another program than Echo's, by its contents, and has the same bench.
    for (name, comment) in [("old", "# 1"), ("new", "# 2"), ("newer", "# 3")] {
        let program = std::path::Path::new(crate::PROGRAM);
        let script = format!(
            "#!/bin/sh\n{comment}\nif [ \"$1\" = bench ]; then echo \"1234 nodes 9 nps\"; exit; fi\nexec {} uci\n",
            program.display()
        );
        let file = sandbox.path(name);
        fs::write(&file, script).expect("writes");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("sets");
    }
    let command = "sprt --engine ./old --take ./new --take ./newer,nodes=40 --elo0 0 --elo1 50 --nodes 20 --games 2 \
                   --maxmoves 2";
    let refused = done(&sandbox, command, 2);
    assert!(refused.err.contains("`new` has the bench of the base `old`, 1234 nodes"), "{}", refused.err);
    assert!(refused.err.contains("give --allow-same-bench"), "{}", refused.err);
    done(&sandbox, &format!("{command} --allow-same-bench"), 0);
}

#[test]
fn plan_forecasts_takes() {
    let sandbox = Sandbox::new();
    let plan = "plan --elo0 0 --elo1 60 --takes -20,0,60 --games 4000";
    let output = done(&sandbox, plan, 0);
    assert!(output.out.contains("of 3 takes until the first take passes"), "{}", output.out);
    let json = |command: &str| -> serde_json::Value {
        serde_json::from_str(&done(&sandbox, command, 0).out).expect("JSON")
    };
    let family = json(&format!("{plan} --json"));
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    assert!(number(&family["pass_probability"]) > 0.85, "{family}");
    assert!(number(&family["error_probability"]) < 0.06, "{family}");
    let games: f64 =
        family["takes"].as_array().into_iter().flatten().map(|take| number(&take["expected_games"])).sum();
    assert!((games - number(&family["expected_games"])).abs() < 1e-6, "{family}");
    let all = json(&format!("{plan} --json --stop all"));
    assert!(number(&all["expected_games"]) > number(&family["expected_games"]), "{all}");
    assert_eq!(family, json(&format!("{plan} --json")), "the same seed, the same figures");
}

#[test]
fn startup_limits_the_benches_of_takes_too() {
    let sandbox = Sandbox::new();
    sandbox.write("late.sh", "sleep 2\necho uciok\ncat\n");
    let words = "sprt --engine LATE,name=base --take LATE+1,name=a --take LATE+2,name=b --elo0 0 --elo1 60 --nodes 60 \
                 --startup 0.2";
    let words: Vec<String> =
        words.split_whitespace().map(|word| word.replace("LATE", "sh late.sh").replace('+', " ")).collect();
    let output = sandbox.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.code, Some(3), "{}", output.err);
    let why =
        "the benches of `a` and the base are not compared: it was not done answering `uci` within 200 ms";
    assert!(output.err.contains(why), "{}", output.err);
}
