//! `strength-curve`: the curve that is written, and invalid options.

use threefold_echo::strength::curve::EloCurve;

use crate::refused;
use crate::sandbox::Sandbox;

const LEVELS: &str = "strength-curve --engine echo,name=Echo,Hash=1,StrengthCurve=MadChess --levels 600,900,1300 \
                      --openings book.epd --tc 0.3+0.003 --clock virtual:20000 --games 120 --precision 300 --judge-moves 4";

#[test]
fn strength_curve_is_written_completely_or_not_at_all() {
    let sandbox = Sandbox::new();
    let up_to_full = LEVELS.replace("600,900,1300", "600,900,1300,1700,2100,2600,3200").replace("120", "240");
    let unanchored = sandbox.run(&format!("{up_to_full} --accept curve.csv"));
    assert_eq!(unanchored.code, Some(2), "{}", unanchored.err);
    assert!(unanchored.err.contains("--accept needs anchors"), "{}", unanchored.err);
    let anchor = "echo,name=Known,Hash=1,UCI_LimitStrength=true,StrengthCurve=MadChess,UCI_Elo=1300=1200";
    let output = sandbox.run(&format!("{up_to_full} --anchor {anchor} --out new --accept curve.csv"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    let curve = sandbox.read("curve.csv");
    assert_eq!(curve, sandbox.read("new/calibration-curve.csv"));
    assert!(EloCurve::parse(&curve).is_some(), "Echo can be built with it: {curve}");
    assert!(
        curve.starts_with("# Calibration of Echo by UCI_Elo") && curve.contains("\nelo,level,low,high\n"),
        "{curve}"
    );
    let rows: Vec<Vec<u32>> = curve
        .lines()
        .skip_while(|line| !line.starts_with("elo,"))
        .skip(1)
        .map(|line| line.split(',').take(2).map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    // Both ends of the levels, and every hundred between them.
    let between = &rows[1..rows.len() - 1];
    assert!(between.len() > 3 && between.iter().all(|row| row[0] % 100 == 0), "{rows:?}");
    let rises =
        |pair: &[Vec<u32>]| (1..=100).contains(&(pair[1][0] - pair[0][0])) && pair[0][1] <= pair[1][1];
    assert!(rows.windows(2).all(rises), "{rows:?}");
}

#[test]
fn strength_curve_of_another_engine_is_refused() {
    let sandbox = Sandbox::new();
    let table: &[(&str, &[&str])] = &[
        (
            "strength-curve --accept curve.csv --openings book.epd",
            &["--accept needs levels on MadChess's scale", "StrengthCurve=MadChess"],
        ),
        (
            "strength-curve --engine echo,StrengthCurve=MadChess --accept curve.csv --openings book.epd",
            &["--accept needs full strength as the highest level", "such as 800:3200:200"],
        ),
        (
            "strength-curve --engine echo,strengthcurve=madchess --levels 600,3200 --accept curve.csv --openings book.epd",
            &["--accept needs anchors", "name=Stash 21=2713"],
        ),
    ];
    for (command, parts) in table {
        refused(&sandbox, command, parts);
    }
}
