//! Starts of engines: how many a game takes, and what follows from one that fails in the middle of a run.

use crate::room::{GAMES, Room, Said};

/// An engine that notes its starts in `starts` and ends with 9 where the shell's condition about their number `$n`
/// (from 0) doesn't hold. It answers each line by these arms.
fn counting(room: &Room, name: &str, condition: &str, arms: &str) -> String {
    let script = format!(
        "n=$(cat starts 2>/dev/null || echo 0); echo $((n + 1)) > starts; [ {condition} ] || exit 9\n\
         while read -r line; do case \"$line\" in {arms} uci) echo uciok;; isready) echo readyok;; quit) exit;; \
         esac; done"
    );
    room.script(name, &script)
}

/// Four games against Echo, one at a time.
fn play(room: &Room, spec: &str) -> Said {
    let words = GAMES.replace("echo,name=B,Hash=1", "SPEC")
        + " --max-faults 100% --run run.sqlite --pgn all.pgn -j 1";
    let words: Vec<&str> = words.split(' ').map(|word| if word == "SPEC" { spec } else { word }).collect();
    room.run_words(&words)
}

fn starts(room: &Room) -> usize {
    room.read("starts").trim().parse().expect("a number")
}

#[test]
fn an_engine_with_restart_on_is_started_once_a_game() {
    let room = Room::new();
    let spec = counting(&room, "again", "$n -ge 0", "go*) echo bestmove '(none)';;");
    let said = play(&room, &format!("{spec},restart=on"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(room.read("all.pgn").matches("[Event ").count(), 4);
    assert_eq!(starts(&room), 1 + 4, "one to see that it starts, and one a game");
}

#[test]
fn an_engine_that_fails_to_start_now_and_then_loses_nothing_by_it() {
    let room = Room::new();
    // Of its starts the third, the fifth and the seventh fail.
    let condition = "$n -lt 2 ] || [ $((n % 2)) -eq 1";
    let spec = counting(&room, "flaky", condition, "go*) echo bestmove '(none)';;");
    let said = play(&room, &format!("{spec},restart=on"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let pgn = room.read("all.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 4);
    assert!(!pgn.contains("abandoned"), "{pgn}");
    assert_eq!(starts(&room), 1 + 4 + 3);
}

#[test]
fn an_engine_that_is_gone_in_the_middle_loses_its_games_as_faults() {
    let room = Room::new();
    // It starts three times: to show that it can, for the first game, and for the second, and never again.
    let spec = counting(&room, "frail", "$n -lt 3", "go*) exit;;");
    let said = play(&room, &spec);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let pgn = room.read("all.pgn");
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
    assert_eq!(starts(&room), 3 + 2 * 3);
}

#[test]
fn an_engine_that_is_gone_in_the_middle_of_a_suite_fails_the_cases_by_a_fault() {
    let room = Room::new();
    let spec = counting(&room, "frail", "$n -lt 2", "go*) exit;;");
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
    let said = room.run_words(&words);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(said.out.matches("\"verdict\":\"fault\"").count(), 5, "{}", said.out);
    let cases = room.read("out/cases.csv");
    assert_eq!(cases.matches("it could not be started (3 tries): ").count(), 4, "{cases}");
    assert_eq!(starts(&room), 2 + 4 * 3);
}
