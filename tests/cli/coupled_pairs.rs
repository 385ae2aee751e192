//! Pairs at fixed nodes: the same game until the engines choose different moves.

use crate::sandbox::Sandbox;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;

/// Pairs of two versions at 120 nodes.
fn command(kind: &str, new: &str, games: usize) -> String {
    format!(
        "{kind} --engine echo,name=New{new} --engine echo,name=Old --each Hash=1 --nodes 120 --games {games} --maxmoves 60 \
         --openings builtin:balanced --out new --run run.sqlite"
    )
}

#[test]
fn equal_versions_have_no_difference_and_no_test_decides() {
    let sandbox = Sandbox::new();
    // The ratio passes the bound of H0 long before the end: all pairs are level.
    let test = format!("{} --elo0 0 --elo1 200 --model logistic", command("sprt", "", 80));
    let output = sandbox.run(&test);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("No difference: all 40 pairs are the same game."), "{}", output.out);
    assert!(!output.out.contains("accepted"), "{}", output.out);
    assert!(
        output.out.contains("Fewer than 20 pairs are not level, and the test decides nothing"),
        "{}",
        output.out
    );
    let page = sandbox.read("new/index.html");
    assert!(page.contains("Where they differ") && page.contains("all 40 pairs are the same game"));
}

#[test]
fn differences_of_two_versions_are_shown_with_their_moves() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&command("match", ",RepetitionPolicy=Threefold,Contempt=40", 24));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("new/report.json")).expect("JSON");
    let coupled = &report["matches"][0]["coupled_pairs"];
    let number = |key: &str| coupled[key].as_u64().expect(key);
    assert_eq!(
        (number("pairs"), number("same") + number("other_end") + number("parted")),
        (12, 12),
        "{coupled}"
    );
    let differences = coupled["differences"].as_array().expect("differences");
    assert!(number("parted") > 0 && differences.len() as u64 == number("parted"), "{coupled}");
    for difference in differences {
        let [new, old] = [0, 1].map(|index| &difference["choices"][index]);
        assert_eq!((&new["engine"], &old["engine"]), (&"New".into(), &"Old".into()));
        assert_ne!(new["move"], old["move"], "{difference}");
        // Both moves are legal in the position.
        let fen = difference["fen"].as_str().expect("a FEN");
        let position = GamePosition::parse(fen, "").expect("a position");
        let referee = Referee::new(&position).expect("legal");
        for choice in [new, old] {
            let mv = choice["move"].as_str().expect("a move").parse().expect("a move");
            assert!(referee.legal(mv).is_ok(), "{difference}");
        }
    }
    let page = sandbox.read("new/index.html");
    assert!(page.contains("Green is the move of New, red that of Old."), "{page}");
    // Games on the wall clock are not the same game.
    let timed =
        command("match", "", 2).replace("--nodes 120", "--tc 1+0.01").replace("run.sqlite", "timed.sqlite");
    let output = sandbox.run(&format!("{timed} --force"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(!output.out.contains("same game"), "{}", output.out);
}
