//! Options of `rate` that select games and players, and the form of the list.

use serde_json::Value;

use crate::sandbox::Sandbox;

/// White, Black, result and round of a game.
type Game<'g> = (&'g str, &'g str, &'g str, &'g str);

/// Pairs of four players; D has one pair only, and the older B0 one with B and one with A.
const GAMES: &[Game<'_>] = &[
    ("A", "B", "1-0", "1.1"),
    ("B", "A", "1/2-1/2", "1.2"),
    ("A", "C", "0-1", "2.1"),
    ("C", "A", "0-1", "2.2"),
    ("B", "C", "1-0", "3.1"),
    ("C", "B", "1-0", "3.2"),
    ("B", "B0", "1-0", "4.1"),
    ("B0", "B", "1-0", "4.2"),
    ("A", "B0", "1-0", "5.1"),
    ("B0", "A", "1/2-1/2", "5.2"),
    ("C", "D", "1-0", "6.1"),
    ("D", "C", "1-0", "6.2"),
];

fn pgn<'g>(games: impl IntoIterator<Item = &'g Game<'g>>) -> String {
    let game = |&(white, black, result, round): &Game<'_>| {
        format!(
            "[Event \"x\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
             1. e4 e5 {result}\n\n"
        )
    };
    games.into_iter().map(game).collect()
}

/// The list as JSON, and what was printed on standard error.
fn list(sandbox: &Sandbox, arguments: &str) -> (Value, String) {
    let output = sandbox.run(&format!("rate {arguments} --json -"));
    assert_eq!(output.code, Some(0), "{arguments}: {}", output.err);
    (serde_json::from_str(&output.out).expect("JSON"), output.err)
}

/// Rank, name and rating of the listed players.
fn ranks(list: &Value) -> Vec<(u64, String, f64)> {
    let player = |player: &Value| {
        let name = player["name"].as_str().expect("a name").to_owned();
        let rating = player["rating"].as_f64().expect("a rating");
        (player["rank"].as_u64().expect("a rank"), name, rating)
    };
    list["players"].as_array().expect("a list").iter().map(player).collect()
}

#[test]
fn ignored_draws_are_as_if_they_had_not_been_played() {
    let sandbox = Sandbox::empty();
    sandbox.write("games.pgn", pgn(GAMES));
    sandbox.write("decisive.pgn", pgn(GAMES.iter().filter(|game| game.2 != "1/2-1/2")));
    let options = "--model ordo --white 0 --draw-rate 0.5";
    let (ignored, summary) = list(&sandbox, &format!("games.pgn --ignore-draws {options}"));
    assert_eq!(summary, "12 games read, 10 counted; 2 drawn and ignored\n");
    assert_eq!(ignored["games"]["drawn"], 2);
    let (decisive, _) = list(&sandbox, &format!("decisive.pgn {options}"));
    assert_eq!(ignored["players"], decisive["players"]);
    let (all, _) = list(&sandbox, &format!("games.pgn {options}"));
    assert_ne!(ignored["players"], all["players"]);
    assert_eq!(all["games"]["drawn"], 0);
}

#[test]
fn players_that_are_not_listed_count_in_the_ratings() {
    let sandbox = Sandbox::empty();
    sandbox.write("games.pgn", pgn(GAMES));
    // In the list of relations the second player is the older version.
    sandbox.write("versions.csv", "B, B0, 20, 50\n");
    let relations = "games.pgn --relations versions.csv --model ordo-wdl";
    let (all, _) = list(&sandbox, relations);
    let all = ranks(&all);
    assert_eq!(all.len(), 5);
    for (option, hidden) in [
        ("--min-games 3", &["D"][..]),
        ("--hide-older", &["B0"]),
        ("--min-games 3 --hide-older", &["B0", "D"]),
        ("--min-games 2", &[]),
    ] {
        let (some, _) = list(&sandbox, &format!("{relations} {option}"));
        let left = all.iter().filter(|(_, name, _)| !hidden.contains(&name.as_str()));
        let expected: Vec<_> =
            (1..).zip(left).map(|(rank, (_, name, rating))| (rank, name.clone(), *rating)).collect();
        assert_eq!(ranks(&some), expected, "{option}");
        let matrix = some["superiority"].as_array().expect("rows");
        assert!(matrix.iter().all(|row| row.as_array().expect("a row").len() == expected.len()), "{option}");
        let printed = sandbox.run(&format!("rate {relations} {option}")).out;
        let notes = printed.lines().filter(|line| line.starts_with("listed ")).collect::<Vec<_>>();
        let note =
            format!("listed               {} of 5 players; the ratings are of all games", expected.len());
        assert_eq!(notes, if hidden.is_empty() { vec![] } else { vec![note.as_str()] }, "{option}");
    }
    let none = sandbox.run("rate games.pgn --min-games 100");
    assert_eq!(none.code, Some(2), "{}", none.err);
    assert!(none.err.contains("leave no player to list; lower --min-games"), "{}", none.err);
    let alone = sandbox.run("rate games.pgn --hide-older");
    assert_eq!(alone.code, Some(2), "{}", alone.err);
    assert!(alone.err.contains("--relations"), "{}", alone.err);
}

#[test]
fn decimals_are_those_asked_for() {
    let sandbox = Sandbox::empty();
    sandbox.write("games.pgn", pgn(GAMES));
    let (exact, _) = list(&sandbox, "games.pgn");
    let (_, best, rating) = ranks(&exact).swap_remove(0);
    for (option, shown) in [
        ("", format!("{rating:.1}")),
        ("--decimals 0", format!("{rating:.0}")),
        ("--decimals 3", format!("{rating:.3}")),
    ] {
        let text = sandbox.run(&format!("rate games.pgn {option}")).out;
        let line = text.lines().find(|line| line.starts_with(" 1 ")).expect("the first player");
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[..3], ["1", best.as_str(), shown.as_str()], "{option}");
    }
    let too_many = sandbox.run("rate games.pgn --decimals 7");
    assert_eq!(too_many.code, Some(2), "{}", too_many.err);
}

#[test]
fn a_list_names_the_files_of_games() {
    let sandbox = Sandbox::empty();
    let (one, two) = GAMES.split_at(6);
    sandbox.write("one.pgn", pgn(one));
    sandbox.write("two, new.pgn", pgn(two));
    sandbox.write("files.txt", "# all games\none.pgn\n\ntwo, new.pgn\n");
    sandbox.write("games.pgn", pgn(GAMES));
    let (listed, _) = list(&sandbox, "@files.txt");
    assert_eq!(listed["files"], serde_json::json!(["one.pgn", "two, new.pgn"]));
    assert_eq!(listed["players"], list(&sandbox, "games.pgn").0["players"]);
    sandbox.write("empty.txt", "# none\n");
    for (file, said) in [("empty.txt", "empty.txt: names no file"), ("missing.txt", "missing.txt: ")] {
        let output = sandbox.run(&format!("rate @{file}"));
        assert_eq!(output.code, Some(2), "{}", output.err);
        assert!(output.err.contains(said), "{}", output.err);
    }
}
