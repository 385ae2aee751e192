//! `resume --games` and `--budget`: a lengthened run has the games of a run that had this length from the
//! start.

use crate::sandbox::{CommandOutput, Sandbox};

const MATCH: &str = "match --engine echo,name=A,Hash=1,nodes=90 --engine echo,name=B,Hash=1 --nodes 60 --maxmoves 20 \
                     --openings book.epd --pgn all.pgn --out new --run run.sqlite";

const SPRT: &str = "sprt --engine echo,name=A,Hash=1,nodes=90 --engine echo,name=B,Hash=1 --nodes 60 --maxmoves 20 \
                    --elo0 0 --elo1 5 --openings book.epd --pgn all.pgn --out new --run run.sqlite";

const TOURNAMENT: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,nodes=90 \
                          --engine echo,name=C,Hash=1,nodes=30 --nodes 60 --maxmoves 20 --openings book.epd \
                          --pgn all.pgn --out new --run run.sqlite";

const FILES: [&str; 3] = ["all.pgn", "new/report.json", "new/cases.csv"];

fn done(sandbox: &Sandbox, command: &str) -> CommandOutput {
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(0), "{command}\n{}", output.err);
    output
}

#[test]
fn lengthened_run_equals_a_run_of_that_length() {
    for (command, short, long) in [(MATCH, 4, 10), (SPRT, 4, 12), (TOURNAMENT, 6, 18)] {
        let whole = Sandbox::new();
        let expected = done(&whole, &format!("{command} --games {long}"));
        let sandbox = Sandbox::new();
        done(&sandbox, &format!("{command} --games {short}"));
        assert_ne!(sandbox.read("all.pgn"), whole.read("all.pgn"));
        let output = done(&sandbox, &format!("resume run.sqlite --games {long}"));
        assert_eq!(output.out, expected.out);
        for file in FILES {
            assert_eq!(sandbox.read(file), whole.read(file), "{command}: {file}");
        }
        // The journal has the new length: its run is finished, and its command repeats it.
        assert_eq!(done(&sandbox, "resume run.sqlite").out, expected.out);
        let page = sandbox.read("new/index.html");
        assert!(page.contains(&format!("threefold resume run.sqlite --games {long}")), "{command}");
    }
}

#[test]
fn test_whose_time_is_used_up_goes_on_with_a_longer_budget() {
    let command = "sprt --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --tc 1+0.01 --clock virtual:2000 \
                   --maxmoves 20 --elo0 0 --elo1 5 --games 40 --openings book.epd --pgn all.pgn --out new \
                   --run run.sqlite -j 1";
    let whole = Sandbox::new();
    let expected = done(&whole, &format!("{command} --budget 20s"));
    let sandbox = Sandbox::new();
    done(&sandbox, &format!("{command} --budget 4s"));
    let [short, long] = [&sandbox, &whole].map(|sandbox| sandbox.read("all.pgn").matches("[Result ").count());
    assert!(short < long && long < 40, "{short} {long}");
    let refused = sandbox.run("resume run.sqlite --games 60");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("`sprt` has used up its time; give --budget, too"), "{}", refused.err);
    let refused = sandbox.run("resume run.sqlite --budget 3s");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.err.contains("the test has 4s at 1 games at a time already; give more"),
        "{}",
        refused.err
    );
    assert_eq!(done(&sandbox, "resume run.sqlite --budget 20s").out, expected.out);
    assert_eq!(sandbox.read("all.pgn"), whole.read("all.pgn"));
}

#[test]
fn run_that_cannot_be_lengthened_is_refused_and_unchanged() {
    let sandbox = Sandbox::new();
    done(&sandbox, &format!("{MATCH} --games 4"));
    done(&sandbox, "suite mates.toml --engine echo,Hash=1 --run suite.sqlite");
    done(&sandbox, "regress --plan plan.toml --quick --out plan");
    let decided = sandbox.run(
        "sprt --engine echo,name=A,Hash=1,nodes=300 --engine echo,name=B,Hash=1,nodes=1 --elo0 0 --elo1 100 \
         --nodes 60 --games 400 --openings builtin:balanced --run decided.sqlite",
    );
    assert!(decided.out.contains("H1 accepted"), "{}", decided.out);
    let table = [
        ("run.sqlite --games 4", "`match`: --games 4: the run has 4 games already; give more"),
        ("run.sqlite --games 2", "the run has 4 games already"),
        ("run.sqlite --budget 1h", "has no time budget; give --games"),
        ("run.sqlite --games 8 --part other", "the run has no match `other`; it has `match`"),
        ("suite.sqlite --games 8", "the run has no match or test that can be lengthened"),
        (
            "plan/run.sqlite --games 8",
            "the run has several matches: `policies`, `ladder`; name one with --part",
        ),
        (
            "plan/run.sqlite --games 80 --part ladder",
            "is a calibration, whose number of rounds is part of its design",
        ),
        (
            "decided.sqlite --games 4000",
            "the test is decided (H1 accepted), and further games would not count",
        ),
    ];
    for (words, why) in table {
        let before = sandbox.files();
        let output = sandbox.run(&format!("resume {words}"));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{words}\n{}", output.err);
        assert!(output.err.contains(why), "{words}\n{}", output.err);
        assert!(before == sandbox.files(), "{words} has changed a file");
    }
}

#[test]
fn test_of_a_plan_is_lengthened_by_its_name() {
    let sandbox = Sandbox::new();
    done(&sandbox, "regress --plan plan.toml --quick --out plan");
    let output = sandbox.run("resume plan/run.sqlite --games 6 --part policies --force");
    assert!(matches!(output.code, Some(0 | 1)), "{}", output.err);
    assert!(output.out.contains("policies: 6 games"), "{}", output.out);
}
