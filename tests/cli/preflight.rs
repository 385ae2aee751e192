//! The check before `match` and `sprt`: a first move of each engine, and a line with the number and length of
//! games.

use super::sandbox::{CommandOutput, Sandbox};

/// An engine that answers its first `go` after `first` seconds, and every further one after `later` seconds.
fn slow(sandbox: &Sandbox, name: &str, first: &str, later: &str) -> String {
    sandbox.engine(
        name,
        &format!("go*) if [ -z \"$moved\" ]; then sleep {first}; moved=1; else sleep {later}; fi; echo bestmove '(none)';;"),
    )
}

fn play(sandbox: &Sandbox, engine: &str, words: &str) -> CommandOutput {
    let games = if words.contains("--games") { "" } else { "--games 2" };
    let words = format!("--openings book.epd {games} --max-faults 9 --machine-check 0 -j 1 {words}");
    // A busy machine may keep Echo waiting, and no check is about Echo.
    let engines = ["match", "--engine", "echo,name=Echo,Hash=1,timemargin=60000", "--engine", engine];
    sandbox.run_words(&engines.into_iter().chain(words.split_whitespace()).collect::<Vec<_>>())
}

#[test]
fn games_that_an_engine_can_only_lose_on_time_are_refused() {
    let sandbox = Sandbox::new();
    let engine = slow(&sandbox, "slow", "0.4", "0.4");
    for limit in ["--tc 0.05+0.01", "--st 0.05", "--tc 40/0.05 --each timemargin=20"] {
        let output = play(&sandbox, &engine, limit);
        assert_eq!(output.code, Some(2), "{limit}: {}{}", output.out, output.err);
        assert!(
            output.err.contains("engine `slow` can only lose on time: its first move takes "),
            "{}",
            output.err
        );
        assert!(output.err.contains("timemargin=") && output.err.contains("--force"), "{}", output.err);
    }
    assert!(!sandbox.path("runs").exists(), "no journal");
    let forced = play(&sandbox, &engine, "--st 0.05 --force");
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert!(forced.err.contains("warning: engine `slow` can only lose on time"), "{}", forced.err);
}

#[test]
fn an_engine_that_is_slow_only_at_first_is_not_refused() {
    let sandbox = Sandbox::new();
    for (engine, words) in [
        (slow(&sandbox, "cold", "0.5", "0"), "--tc 0.2+0.01"),
        (slow(&sandbox, "slow", "0.3", "0.3"), "--st 0.05 --each timemargin=30000"),
        (slow(&sandbox, "free", "0.3", "0.3"), "--nodes 9"),
    ] {
        let output = play(&sandbox, &engine, words);
        assert_eq!(output.code, Some(0), "{words}: {}", output.err);
        assert!(!output.err.contains("only lose on time"), "{words}: {}", output.err);
    }
}

#[test]
fn engine_without_a_move_is_warned_of() {
    let sandbox = Sandbox::new();
    for (arm, message) in [
        ("exit 4", "engine `odd` does not answer in the first opening: it ended (exit status: 4)"),
        ("echo bestmove e2e5", "engine `odd` plays no legal move in the first opening: e2e5"),
        ("echo bestmove '(none)'", "engine `odd` plays no legal move in the first opening: (none)"),
    ] {
        let engine = sandbox.engine("odd", &format!("go*) {arm};;"));
        let output = play(&sandbox, &engine, "--nodes 9");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(output.err.contains(&format!("warning: {message}")), "{}", output.err);
    }
}

#[test]
fn one_line_has_the_number_of_games_and_their_time() {
    let sandbox = Sandbox::new();
    let engine = "echo,name=B,Hash=1,nodes=90";
    let line = |output: &CommandOutput| {
        output.err.lines().find(|line| line.starts_with("preflight: ")).map(str::to_owned)
    };
    let output = play(&sandbox, engine, "--nodes 50 --maxmoves 1 --json");
    let text = line(&output).expect("a line");
    assert!(text.contains("Echo moves after ") && text.contains(", B moves after "), "{text}");
    assert!(text.contains("; 2 games, 1 at a time, about ") && text.ends_with("; 1 of 8 openings"), "{text}");
    assert!(output.out.starts_with('{') && !output.out.contains("preflight"), "{}", output.out);
    assert_eq!(line(&play(&sandbox, engine, "--nodes 50 --maxmoves 1 -q")), None);
    let virtual_clocks =
        play(&sandbox, "echo,name=B,Hash=1", "--tc 1 --clock virtual:5000 --maxmoves 1 --games 40");
    assert_eq!(
        line(&virtual_clocks).as_deref(),
        Some("preflight: 40 games, 1 at a time; 8 openings, up to 3 times each")
    );
    let sprt = sandbox.run(
        "sprt --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 9 --elo0 0 --elo1 5 --games 2 \
         --openings book.epd --maxmoves 1",
    );
    let text = line(&sprt).expect("a line");
    assert!(
        text.contains("at most 2 games") && text.contains("SPRT [0, 5] normalized Elo: about 25700 games"),
        "{text}"
    );
}
