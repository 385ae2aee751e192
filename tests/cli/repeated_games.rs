//! Repeated games are no evidence: in tests, in matches, and in files that are rated.

use crate::sandbox::Sandbox;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

#[test]
fn test_that_has_used_up_its_openings_is_not_decided() {
    let sandbox = Sandbox::new();
    sandbox.write("one.epd", START);
    let sprt = "sprt --engine echo,name=A,Hash=1,nodes=90 --engine echo,name=B,Hash=1,nodes=60 --elo0 0 --elo1 10 \
                --games 1000 --maxmoves 20 --openings one.epd --run run.sqlite";
    let output = sandbox.run(&format!("{sprt} --out new"));
    assert_eq!(output.code, Some(0), "{}\n{}", output.out, output.err);
    for part in ["Not decided: 1 distinct pair", "only 2 of 10 games are distinct"] {
        assert!(output.out.contains(part), "{}", output.out);
        for file in ["new/summary.md", "new/index.html", "new/report.json"] {
            assert!(sandbox.read(file).contains(part), "{file}: {part}");
        }
    }
    assert!(!output.out.contains("accepted") && !output.out.contains("Undecided after"), "{}", output.out);
    assert!(sandbox.read("new/report.json").contains("\"distinct_games\": 2"));
    // More games would repeat them.
    let refused = sandbox.run("resume run.sqlite --games 2000");
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains("further games only repeat earlier ones"), "{}", refused.err);
    let failed = sandbox.run(&format!("{} --undecided fail", sprt.replace("run.sqlite", "other.sqlite")));
    assert_eq!(failed.code, Some(1), "{}", failed.err);
}

#[test]
fn repeated_games_of_a_match_count_once_there_and_in_rate() {
    let sandbox = Sandbox::new();
    sandbox.write("one.epd", START);
    let command = "match --engine echo,name=A,Hash=1,nodes=90 --engine echo,name=B,Hash=1,nodes=60 --games 12 \
                   --openings one.epd --maxmoves 20 --out new";
    let output = sandbox.run(command);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(output.out.contains("Repeated games: only 2 of 12 games are distinct."), "{}", output.out);
    assert!(output.out.contains("match: 12 games (2 of them distinct) at "), "{}", output.out);
    let rate = "rate new/games.pgn --white 0 --draw-rate 0.5 --groups";
    let once = sandbox.run(rate);
    assert_eq!(once.code, Some(0), "{}", once.err);
    assert!(once.err.contains("12 games read, 2 counted; 10 repeated and not counted again"), "{}", once.err);
    assert!(once.out.contains("repeated games"), "{}", once.out);
    for all in ["--repeated-games all", "--model ordo"] {
        let all = sandbox.run(&format!("{rate} {all}"));
        assert!(all.err.contains("12 games read, 12 counted; 10 repeated and counted again"), "{}", all.err);
        assert!(all.out.contains("so errors are too small"), "{}", all.out);
    }
}
