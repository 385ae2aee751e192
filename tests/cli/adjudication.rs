//! Rules of adjudication in matches: shadow mode, and games that end by tables or mate scores.

use serde_json::Value;

use crate::sandbox::Sandbox;

const GAMES: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 60 --games 4 \
                     --openings book.epd --pgn all.pgn --force --out new";

#[test]
fn shadow_mode_plays_the_same_games_to_their_end_and_reports_the_difference() {
    let sandbox = Sandbox::new();
    let pgn = |more: &str| {
        let output = sandbox.run(&format!("{GAMES} {more}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        (sandbox.read("all.pgn"), output.out)
    };
    let (plain, _) = pgn("");
    let (shadow, printed) = pgn("--maxmoves 3 --adjudication shadow");
    assert_eq!(shadow, plain);
    assert!(printed.contains("match: what adjudication would have changed"), "{printed}");
    let report: Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let rows = report["matches"][0]["shadow"].as_array().expect("a list").clone();
    assert_eq!((rows.len(), &rows[0]["rule"], &rows[0]["ended"]), (2, &"max-moves".into(), &4.into()));
    for file in ["index.html", "summary.md"] {
        assert!(
            sandbox.read(&format!("new/{file}")).contains("What adjudication would have changed"),
            "{file}"
        );
    }
    let (applied, printed) = pgn("--maxmoves 3");
    assert_ne!(applied, plain);
    assert!(!printed.contains("would have changed"), "{printed}");
}

#[test]
fn own_tables_end_a_game_and_the_pgn_names_them() {
    let sandbox = Sandbox::new();
    sandbox.write("ending.epd", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1\n");
    assert_eq!(sandbox.run("tablebase build KRK --dir tables").code, Some(0));
    let games = GAMES.replace("book.epd", "ending.epd");
    let output = sandbox.run(&format!("{games} --tb-own tables"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let pgn = sandbox.read("all.pgn").replace('\n', " ");
    assert_eq!(pgn.matches("White wins by adjudication: distance-to-mate table").count(), 4, "{pgn}");
    let output = sandbox.run(&format!("{games} --tb none"));
    assert_eq!(output.code, Some(2));
    assert!(output.err.contains("can't be read as a folder of Syzygy tables"), "{}", output.err);
}
