//! Closed or full standard streams: notices are dropped, a lost result is exit code 2, and there is no panic.

use crate::sandbox::{GAMES, Sandbox};

/// Commands that print a result, at least a line of it.
const RESULTS: &[&str] = &[
    "report run.sqlite --out new",
    "plan --elo0 0 --elo1 5",
    "positions prove '6k1/8/6K1/8/8/8/8/R7 w - - 0 1' --within 3",
    "perft 2",
    "tablebase build --pieces 3 --dir tables",
    "tablebase verify KQK --dir tables",
    "tablebase probe '8/8/8/8/8/4k3/8/4K2Q w - - 0 1' --dir tables",
    "suite mates.toml --engine echo,Hash=1 --json",
    "rate games.pgn --white 0 --draw-rate 0.5",
    "positions openings --seed 1 --count 1 --nodes 20",
    "--help",
    "match --help",
    "--version",
    "completions bash",
];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{GAMES} --pgn games.pgn --run run.sqlite"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let output = sandbox.run("tablebase build --pieces 3 --dir tables");
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox
}

#[test]
fn undeliverable_result_is_exit_2() {
    let sandbox = sandbox();
    for command in RESULTS {
        let output = sandbox.shell(&format!("$T {command} > /dev/full"));
        assert_eq!(output.code, Some(2), "{command}\n{}", output.err);
        assert!(output.err.contains("standard output can't be written"), "{command}\n{}", output.err);
        // Whether the reader is gone before the last line is chance.
        let output = sandbox.shell(&format!("$T {command} | true; exit ${{PIPESTATUS[0]}}"));
        assert!(matches!(output.code, Some(0 | 2)), "{command}: {:?}\n{}", output.code, output.err);
        assert!(
            !output.err.contains("panicked") && !output.err.contains("pipe"),
            "{command}\n{}",
            output.err
        );
        let output = sandbox.shell(&format!("$T {command} >&- 2>&-"));
        assert!(matches!(output.code, Some(0 | 2)), "{command}: {:?}", output.code);
    }
}

#[test]
fn run_continues_with_closed_standard_error() {
    let whole = Sandbox::new().run(&format!("{GAMES} --run run.sqlite"));
    for silenced in ["2> /dev/full", "2>&-", "2> >(head -1 > first)"] {
        let sandbox = Sandbox::new();
        let output = sandbox.shell(&format!("$T {GAMES} --pgn all.pgn --run run.sqlite {silenced}"));
        assert_eq!((output.code, &output.out), (Some(0), &whole.out), "{silenced}\n{}", output.err);
        assert_eq!(sandbox.read("all.pgn").matches("[Event ").count(), 4, "{silenced}");
    }
}

#[test]
fn error_with_closed_standard_error_sets_the_exit_code() {
    let sandbox = Sandbox::new();
    for command in
        ["match", "plan --elo1 x", "report none.sqlite", "rate none.pgn", "suite none.toml --engine echo"]
    {
        let output = sandbox.shell(&format!("$T {command} 2> /dev/full"));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}");
    }
}
