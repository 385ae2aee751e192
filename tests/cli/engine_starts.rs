//! Starts of engines: their number for each game, and the result of a failed start in the middle of a run.

use crate::sandbox::{CommandOutput, GAMES, Sandbox};

/// An engine that counts its starts in the file `starts`, and exits with 9 if the shell condition on their
/// number `$n` (from 0) is false. The arms of `case` answer each line.
fn counting(sandbox: &Sandbox, name: &str, condition: &str, arms: &str) -> String {
    let script = format!(
        "n=$(cat starts 2>/dev/null || echo 0); echo $((n + 1)) > starts; [ {condition} ] || exit 9\n\
         while read -r line; do case \"$line\" in {arms} uci) echo uciok;; isready) echo readyok;; quit) exit;; \
         esac; done"
    );
    sandbox.script(name, &script)
}

/// Four games against Echo, one at a time.
fn play(sandbox: &Sandbox, spec: &str) -> CommandOutput {
    let words = GAMES.replace("echo,name=B,Hash=1", "SPEC")
        + " --max-faults 100% --run run.sqlite --pgn all.pgn -j 1";
    let words: Vec<&str> = words.split(' ').map(|word| if word == "SPEC" { spec } else { word }).collect();
    sandbox.run_words(&words)
}

fn starts(sandbox: &Sandbox) -> usize {
    sandbox.read("starts").trim().parse().expect("a number")
}

#[test]
fn engine_with_restart_starts_once_per_game() {
    let sandbox = Sandbox::new();
    let spec = counting(&sandbox, "again", "$n -ge 0", "go*) echo bestmove '(none)';;");
    let output = play(&sandbox, &format!("{spec},restart=on"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(sandbox.read("all.pgn").matches("[Event ").count(), 4);
    assert_eq!(starts(&sandbox), 1 + 4, "one to see that it starts, and one a game");
}

#[test]
fn occasional_start_failure_is_retried() {
    let sandbox = Sandbox::new();
    // Of its starts the third, the fifth and the seventh fail.
    let condition = "$n -lt 2 ] || [ $((n % 2)) -eq 1";
    let spec = counting(&sandbox, "flaky", condition, "go*) echo bestmove '(none)';;");
    let output = play(&sandbox, &format!("{spec},restart=on"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let pgn = sandbox.read("all.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 4);
    assert!(!pgn.contains("abandoned"), "{pgn}");
    assert_eq!(starts(&sandbox), 1 + 4 + 3);
}

#[test]
fn removed_engine_loses_its_games_by_faults() {
    let sandbox = Sandbox::new();
    // It starts three times: to show that it can, for the first game, and for the second, and never again.
    let spec = counting(&sandbox, "frail", "$n -lt 3", "go*) exit;;");
    let output = play(&sandbox, &spec);
    assert_eq!(output.code, Some(0), "{}", output.err);
    let pgn = sandbox.read("all.pgn");
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), 4, "{pgn}");
    for (number, game) in games.iter().enumerate() {
        let text = game.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_unstarted =
            text.contains("it could not be started (3 tries): ") && text.contains("exit status: 9");
        assert_eq!(is_unstarted, number >= 2, "{number}: {game}");
        assert!(!is_unstarted || text.contains("[PlyCount \"0\"]"), "{game}");
        let lost = if text.contains("[White \"frail\"]") { "[Result \"0-1\"]" } else { "[Result \"1-0\"]" };
        assert!(text.contains(lost), "{game}");
    }
    assert_eq!(starts(&sandbox), 3 + 2 * 3);
}

#[test]
fn removed_engine_fails_its_cases_by_faults() {
    let sandbox = Sandbox::new();
    let spec = counting(&sandbox, "frail", "$n -lt 2", "go*) exit;;");
    let words = [
        "suite",
        "--max-faults=100%",
        "mates.toml",
        "--engine",
        &spec,
        "--out",
        "out",
        "--json",
        "--run",
        "run.sqlite",
        "-j",
        "1",
    ];
    let output = sandbox.run_words(&words);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(output.out.matches("\"verdict\":\"fault\"").count(), 5, "{}", output.out);
    let cases = sandbox.read("out/cases.csv");
    assert_eq!(cases.matches("it could not be started (3 tries): ").count(), 4, "{cases}");
    // The process that was checked has the first case, and after its crash a second one has it again.
    assert_eq!(starts(&sandbox), 2 + 4 * 3);
}
