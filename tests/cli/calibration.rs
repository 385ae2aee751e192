//! `calibrate` by levels: continued rounds, and the reports.

use crate::sandbox::Sandbox;

const LEVELS: &str = "calibrate --engine echo,name=Echo,Hash=1,StrengthCurve=MadChess --levels 600,900,1300 \
                      --openings book.epd --tc 0.3+0.003 --clock virtual:20000 --games 120 --precision 300 --judge-moves 4";

#[test]
fn levels_are_measured_in_rounds_and_told_in_order() {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("{LEVELS} --run rounds --out new"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let sentences = ["There is no anchor", "Largest error:", "level measures above"];
    for expected in
        ["Echo 600", "Echo 900", "Echo 1300", "Error profile of the levels"].iter().chain(&sentences)
    {
        assert!(output.out.contains(expected), "{expected}: {}", output.out);
    }
    let figures = sandbox.read("new/calibration.csv");
    let elos: Vec<f64> = figures
        .lines()
        .filter(|line| line.starts_with("level,"))
        .map(|line| line.split(',').nth(4).and_then(|elo| elo.parse().ok()).expect("a rating"))
        .collect();
    assert!(elos.len() >= 3 && elos[0] + 100.0 < elos[elos.len() - 1], "{figures}");
    assert!(sandbox.read("new/calibration.html").contains("Requested and measured Elo"));

    // The same command finds its rounds, plays nothing again, and says the same.
    let again = sandbox.run(&format!("{LEVELS} --run rounds --out again"));
    assert_eq!((again.code, &again.out), (Some(0), &output.out), "{}", again.err);
    assert!(!again.err.contains("journal: "), "{}", again.err);
    // At another concurrency, the same again.
    let alone = sandbox.run(&format!("{LEVELS} --run alone -j 1"));
    assert_eq!((alone.code, &alone.out), (Some(0), &output.out), "{}", alone.err);
    // A folder that holds something else is left alone.
    let other = sandbox.run(&format!("{} --run rounds", LEVELS.replace("0.3+0.003", "0.4+0.004")));
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(
        other.err.contains("belongs to another calibration (other engines, time control, seed or openings)"),
        "{}",
        other.err
    );
}

#[test]
fn what_changed_since_an_earlier_calibration_is_named() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&format!("{LEVELS} --run rounds --out new"));
    assert_eq!(first.code, Some(0), "{}", first.err);
    let same = sandbox.run(&format!("{LEVELS} --run rounds --compare-with new/calibration.csv"));
    assert_eq!(same.code, Some(0), "{}", same.out);
    assert!(same.out.contains("No significant change since new/calibration.csv in"), "{}", same.out);
    // As if the middle of three had been two thousand Elo stronger.
    let figures = sandbox.read("new/calibration.csv");
    let raised: Vec<String> = figures
        .lines()
        .map(|line| {
            let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
            if cells[1] == "Echo 900" {
                cells[4] = (cells[4].parse::<f64>().expect("a rating") + 2_000.0).to_string();
            }
            cells.join(",")
        })
        .collect();
    sandbox.write("raised.csv", raised.join("\n") + "\n");
    let other = sandbox.run(&format!("{LEVELS} --run rounds --compare-with raised.csv"));
    assert_eq!(other.code, Some(1), "{}", other.out);
    assert!(other.out.contains("Significant changes:"), "{}", other.out);
}

#[test]
fn where_little_is_left_it_ends_and_says_so() {
    let sandbox = Sandbox::new();
    let brief = LEVELS.replace("--games 120 --precision 300", "--games 24 --precision 1");
    let output = sandbox.run(&brief);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(
        output.out.contains("The budget of 24 games and 7200 seconds does not allow another round."),
        "{}",
        output.out
    );
    // What the last game that could be afforded made known is known.
    let enough = brief.replace("--precision 1", "--precision 2000 --precise-range 310:390");
    let output = sandbox.run(&enough);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(!output.out.contains("does not allow another round"), "{}", output.out);
}

#[test]
fn no_more_games_are_played_than_asked_for() {
    let sandbox = Sandbox::new();
    let far_apart = LEVELS.replace("600,900,1300", "700,1300").replace("--games 120", "--games 20");
    let output = sandbox.run(&format!("{far_apart} --out new"));
    let journals = output.err.lines().filter(|line| line.starts_with("journal: ")).count();
    assert_eq!((output.code, journals), (Some(0), 2), "a sweep, and what bridges it: {}", output.err);
    let figures = sandbox.read("new/calibration.csv");
    let games: usize = figures
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(8).and_then(|games| games.parse::<usize>().ok()).expect("a count"))
        .sum();
    assert_eq!(games, 2 * 20, "each has two players: {figures}");
}

/// A rank with only White's king, on this file.
fn king_on(file: usize) -> String {
    [file, 7 - file].map(|empty| if empty > 0 { empty.to_string() } else { String::new() }).join("K")
}

#[test]
fn games_that_all_end_alike_are_followed_by_others() {
    let sandbox = Sandbox::new();
    // No king can cross these pawns.
    let drawn: Vec<String> =
        (0..8).map(|file| format!("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/{} w - -", king_on(file))).collect();
    sandbox.write("drawn.epd", drawn.join("\n") + "\n");
    let alike = LEVELS.replace("600,900,1300", "2900,3000").replace("book.epd", "drawn.epd");
    let output = sandbox.run(&alike.replace("--games 120", "--games 24"));
    let journals = output.err.lines().filter(|line| line.starts_with("journal: ")).count();
    assert_eq!((output.code, journals), (Some(0), 3), "{}", output.err);
    assert!(output.out.contains("The budget of 24 games"), "{}", output.out);
}

#[test]
fn an_interrupted_round_is_gone_on_with() {
    let sandbox = Sandbox::new();
    let whole = sandbox.run(&format!("{LEVELS} --run whole"));
    // As if it had been killed after the first round.
    std::fs::create_dir(sandbox.path("cut")).expect("a folder");
    std::fs::copy(sandbox.path("whole/round-1.sqlite"), sandbox.path("cut/round-1.sqlite"))
        .expect("a journal");
    let cut = sandbox.run(&format!("{LEVELS} --run cut"));
    assert_eq!((cut.code, &cut.out), (Some(0), &whole.out), "{}", cut.err);
}

#[test]
fn with_more_to_spend_it_goes_on_from_the_rounds_that_are_there() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&format!("{LEVELS} --run rounds"));
    assert_eq!(first.code, Some(0), "{}", first.err);
    let rounds = || std::fs::read_dir(sandbox.path("rounds")).expect("a folder").count();
    let before = rounds();
    let more = LEVELS.replace("--games 120 --precision 300", "--games 240 --precision 100");
    let more = more.replace("600,900,1300", "600,900,1300,1600");
    let output = sandbox.run(&format!("{more} --run rounds --out new"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(rounds() > before, "{}", output.err);
    let played = |output: &str| output.lines().filter(|line| line.starts_with("journal: ")).count();
    assert_eq!((played(&first.err), played(&output.err)), (before, rounds() - before), "nothing again");
    assert!(output.out.contains("Echo 1600"), "a level that was not there before: {}", output.out);
    assert!(sandbox.read("new/calibration.html").contains("; then threefold calibrate"), "both commands");
}

#[test]
fn precision_is_asked_for_where_it_counts() {
    let sandbox = Sandbox::new();
    let measured = |asked: &str, known: &str| {
        let output =
            sandbox.run(&format!("{} {asked} --out new", LEVELS.replace("--games 120", "--games 400")));
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(output.out.contains(known), "{}", output.out);
        sandbox.read("new/calibration.csv").lines().filter(|line| line.starts_with("level,")).count()
    };
    let everywhere = measured("", "Every level is measured to ± 300 Elo.");
    let low =
        measured("--precise-range 300:900", "Every level from 300 to 900 Elo is measured to ± 300 Elo.");
    assert!(low < everywhere, "{low} {everywhere}: round numbers beyond are left out");
    measured(
        "--precise-range -900:-800",
        "No level measures -900 to -800 Elo, the range of --precise-range.",
    );
    for wrong in ["900:300", "900", "a:b", "300:inf"] {
        let output = sandbox.run(&format!("{LEVELS} --precise-range {wrong}"));
        assert_eq!(output.code, Some(2), "{wrong}: {}", output.err);
        assert!(
            output.err.contains(&format!("--precise-range `{wrong}`: write FROM:TO in Elo")),
            "{wrong}: {}",
            output.err
        );
    }
}
