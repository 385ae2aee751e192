//! Faults of fastchess 1.8.2 that were reproduced, as acceptance tests: each test is named after what is
//! right, and describes what fastchess does instead.
//!
//! A run that does not end fails by the time limit of every command.

use std::collections::BTreeSet;

use nix::sys::signal::Signal;

use crate::interruption::{gate, interrupt};
use crate::sandbox::{CommandOutput, Sandbox, THREEFOLD};

/// Echo as a process. Each line to it passes the shell's `input`, a body of a loop over
/// `$line`; each line from it passes the program `output` of sed.
fn filtered(sandbox: &Sandbox, name: &str, input: &str, output: &str) -> String {
    let script = format!(
        "while IFS= read -r line; do\n{input}\nprintf '%s\\n' \"$line\"\n[ \"$line\" = quit ] && break\ndone | \
         '{THREEFOLD}' uci | sed -u '{output}'\n"
    );
    sandbox.script(name, &script)
}

/// A match of an engine against Echo, with its games in `games.pgn`.
fn games(sandbox: &Sandbox, engine: &str, more: &str) -> CommandOutput {
    let opponent = format!("{THREEFOLD} uci,nodes=20,name=Opponent");
    let engine = format!("{engine},nodes=20");
    let first = ["match", "--engine", &engine, "--engine", &opponent];
    let rest = "--games 2 -j 1 --openings book.epd --pgn games.pgn --machine-check 0 --max-faults 100%";
    let more: Vec<&str> = rest.split(' ').chain(more.split(' ')).collect();
    sandbox.run_words(&[&first[..], &more[..]].concat())
}

/// The values of a tag, one for each game.
fn tags(sandbox: &Sandbox, name: &str) -> Vec<String> {
    let start = format!("[{name} \"");
    let games = sandbox.read("games.pgn");
    let values = games.lines().filter_map(|line| line.strip_prefix(&start)?.strip_suffix("\"]"));
    values.map(str::to_owned).collect()
}

/// Asserts that the first engine has lost both games, because it did not answer.
fn assert_unanswered(sandbox: &Sandbox) {
    assert_eq!(tags(sandbox, "Result"), ["0-1", "1-0"]);
    let games = sandbox.read("games.pgn");
    assert_eq!(games.matches("fails: it was not done answering").count(), 2, "{games}");
}

/// The first defect: the time limit starts again with each line of output.
#[test]
fn an_engine_that_prints_for_ever_loses_on_time() {
    let sandbox = Sandbox::new();
    let chatty = filtered(
        &sandbox,
        "chatty",
        "case \"$line\" in go*) while :; do echo info depth 1 >&2; sleep 0.01; done;; esac",
        "",
    );
    let endless = sandbox.engine(
        "endless",
        "go*) while :; do echo info depth 1 score cp 3 nodes 9 pv e2e4; sleep 0.01; done;;",
    );
    for engine in [chatty, endless] {
        let output = games(&sandbox, &engine, "--tc 0.5+0.01 --force");
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_unanswered(&sandbox);
    }
}

/// The second defect: with a node limit there is no time limit.
#[test]
fn a_clock_counts_beside_a_node_limit() {
    let sandbox = Sandbox::new();
    let asleep = sandbox.engine("asleep", "go*) sleep 1000;;");
    let output = games(&sandbox, &asleep, "--tc 0.3+0.1 --nodes 100 --force");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_unanswered(&sandbox);
}

/// The third defect: the time of the next period is credited before the last move of a period is judged.
#[test]
fn a_late_last_move_of_a_period_loses_on_time() {
    let sandbox = Sandbox::new();
    let late = "case \"$line\" in go*) n=$((n+1)); [ $((n%2)) = 0 ] && sleep 1.3;; ucinewgame) n=0;; esac";
    let late = filtered(&sandbox, "late", late, "");
    let output = games(&sandbox, &late, "--tc 2/1 --force");
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert_eq!(tags(&sandbox, "Termination"), ["time forfeit", "time forfeit"]);
    let plies = tags(&sandbox, "PlyCount");
    assert!(plies.iter().all(|plies| plies.parse::<u32>().is_ok_and(|plies| plies <= 11)), "{plies:?}");
}

/// The fourth defect: 0.3 s are 299 ms, 4.1 s are 4099 ms.
#[test]
fn times_reach_the_engine_to_the_millisecond() {
    for (control, words) in [
        ("--tc 0.3", "wtime 300 btime 300"),
        ("--tc 4.1", "wtime 4100 btime 4100"),
        ("--tc 10.1+0.017", "wtime 10117 btime 10117 winc 17 binc 17"),
        ("--st 0.3", "movetime 300"),
        ("--st 4.1", "movetime 4100"),
    ] {
        let sandbox = Sandbox::new();
        // The check before the games asks for a move in less time.
        let notes = "case \"$line\" in go*) echo \"$line\" >> said;; esac";
        let notes = filtered(&sandbox, "notes", notes, "");
        let output = games(&sandbox, &notes, &format!("{control} --maxmoves 3"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        let said = sandbox.read("said");
        assert!(
            said.contains(&format!("{words}\n")) || said.contains(&format!("{words} ")),
            "{control}: {said}"
        );
    }
}

/// The fifth defect: `multipv 10` is taken for `multipv 1`, and its score ends the game.
#[test]
fn the_tenth_variation_is_not_the_first() {
    let sandbox = Sandbox::new();
    let both = "s/^info .*score .* pv \\(.*\\)/info depth 1 multipv 1 score cp 900 pv \\1\\n\
                info depth 1 multipv 10 score cp -900 pv \\1/";
    let several = filtered(&sandbox, "several", ":", both);
    let control = "--tc 10+0.1 --maxmoves 20 --resign movecount=3,score=500";
    assert_eq!(games(&sandbox, &several, control).code, Some(0));
    assert!(sandbox.read("games.pgn").contains("{+9.00/1"), "{}", sandbox.read("games.pgn"));
    assert_eq!(tags(&sandbox, "Result"), ["1/2-1/2", "1/2-1/2"]);
    let sandbox = Sandbox::new();
    // An engine whose first variation has that score resigns.
    let resigns = filtered(&sandbox, "resigns", ":", "s/score cp -*[0-9]*/score cp -900/");
    assert_eq!(games(&sandbox, &resigns, control).code, Some(0));
    assert_eq!(tags(&sandbox, "Result"), ["0-1", "1-0"]);
}

/// The sixth and seventh defects: an interrupted pair is played again and its first game stays in the file,
/// and a resumed match has lost some of its options.
#[test]
fn a_resumed_match_has_each_game_once_and_all_options() {
    let match_of = |sandbox: &Sandbox| -> Vec<String> {
        sandbox.write("at", "go nodes 40*");
        let gate = sandbox.script("gate", &gate());
        let line = "match --engine GATE --engine echo,name=Echo,Hash=1 --each Hash=1 --nodes 40 --games 10 --maxmoves 6 \
                    --openings book.epd --order random:3 --draw movenumber=3,movecount=2,score=500 --event Resumed \
                    --pgn-fields seldepth,hashfull,pv --strict --ignore-warnings no-score --pgn games.pgn \
                    --run run.sqlite -j 1";
        line.split_whitespace()
            .map(|word| if word == "GATE" { gate.clone() } else { word.to_owned() })
            .collect()
    };
    let whole = Sandbox::new();
    let words = match_of(&whole);
    let output = whole.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let rounds = tags(&whole, "Round");
    assert_eq!((rounds.len(), rounds.iter().collect::<BTreeSet<_>>().len()), (10, 10), "{rounds:?}");
    for searches in [1, 4, 9, 16] {
        let sandbox = Sandbox::new();
        let words = match_of(&sandbox);
        let interrupted = interrupt(&sandbox, &words, searches, Signal::SIGTERM);
        assert_eq!(interrupted.code, Some(130), "{}", interrupted.err);
        let resumed = sandbox.run("resume run.sqlite -j 1");
        assert_eq!((resumed.code, resumed.out), (output.code, output.out.clone()), "{}", resumed.err);
        assert!(sandbox.read("games.pgn") == whole.read("games.pgn"), "after {searches} searches");
    }
}

/// The eighth defect: at the end of a test, games that are being played are dropped, so short games count
/// more often. Here games count in the order of the schedule.
#[test]
fn a_test_counts_the_same_games_whatever_their_speed() {
    let counted = |jobs: &str| {
        let sandbox = Sandbox::new();
        let line = "sprt --engine echo,name=A,Hash=1,nodes=400 --engine echo,name=B,Hash=1,nodes=20 --elo0 0 --elo1 60 \
                    --games 400 --openings builtin:balanced --pgn games.pgn --maxmoves 60 -j";
        let output = sandbox.run(&format!("{line} {jobs}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(output.out.contains("H1 accepted"), "{}", output.out);
        (output.out, tags(&sandbox, "Round").len(), sandbox.read("games.pgn"))
    };
    let (one, four) = (counted("1"), counted("4"));
    assert!(one.1 < 400 && one.1.is_multiple_of(2), "{} games", one.1);
    assert!(one == four, "{} and {} games", one.1, four.1);
}

/// More defects: one line of warning for each move, and an exit code of 0 whatever the engines did.
#[test]
fn warnings_are_counted_and_faults_fail_the_run() {
    let sandbox = Sandbox::new();
    let mute = filtered(&sandbox, "mute", ":", "/^info/d");
    let output = games(&sandbox, &mute, "--tc 10+0.1 --maxmoves 30");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let lines: Vec<&str> = output.err.lines().filter(|line| line.contains("no-score")).collect();
    assert_eq!(lines.len(), 1, "{}", output.err);
    assert!(output.out.contains(", 60 times in 2 games;"), "{}", output.out);
    let asleep = sandbox.engine("asleep", "go*) sleep 1000;;");
    let opponent = format!("{THREEFOLD} uci,nodes=20,name=Opponent");
    let words = [
        "match",
        "--engine",
        &asleep,
        "--engine",
        &opponent,
        "--tc",
        "0.2",
        "--games",
        "8",
        "--openings",
        "book.epd",
    ];
    assert_eq!(sandbox.run_words(&words).code, Some(3));
}
