//! `calibrate` by levels: rounds that go on where they ended, and what is written of them.

use crate::room::Room;

const LEVELS: &str = "calibrate --engine echo,name=Echo,Hash=1 --levels 600,900,1300 --openings book.epd --tc 0.3+0.003 \
                      --clock virtual:20000 --games 120 --precision 300 --judged 4";

#[test]
fn levels_are_measured_in_rounds_and_told_in_order() {
    let room = Room::new();
    let said = room.run(&format!("{LEVELS} --run rounds --out new --accept curve.csv"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    for told in ["Echo 600", "Echo 900", "Echo 1300", "No anchor was given", "How the levels play"] {
        assert!(said.out.contains(told), "{told}: {}", said.out);
    }
    let figures = room.read("new/calibration.csv");
    let elos: Vec<f64> = figures
        .lines()
        .filter(|line| line.starts_with("level,"))
        .map(|line| line.split(',').nth(3).and_then(|elo| elo.parse().ok()).expect("a rating"))
        .collect();
    assert!(elos.len() >= 3 && elos[0] + 100.0 < elos[elos.len() - 1], "{figures}");
    assert!(room.read("new/calibration.html").contains("Asked against measured"));
    let curve = room.read("curve.csv");
    assert_eq!(curve, room.read("new/calibration-curve.csv"));
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
    // Both ends of the dial, and every hundred between them.
    let between = &rows[1..rows.len() - 1];
    assert!(between.len() > 3 && between.iter().all(|row| row[0] % 100 == 0), "{rows:?}");
    let rises =
        |pair: &[Vec<u32>]| (1..=100).contains(&(pair[1][0] - pair[0][0])) && pair[0][1] <= pair[1][1];
    assert!(rows.windows(2).all(rises), "{rows:?}");

    // The same command finds its rounds, plays nothing again, and says the same.
    let again = room.run(&format!("{LEVELS} --run rounds --out again"));
    assert_eq!((again.code, &again.out), (Some(0), &said.out), "{}", again.err);
    assert!(!again.err.contains("journal: "), "{}", again.err);
    // At another concurrency, the same again.
    let alone = room.run(&format!("{LEVELS} --run alone -j 1"));
    assert_eq!((alone.code, &alone.out), (Some(0), &said.out), "{}", alone.err);
    // A folder that holds something else is left alone.
    let other = room.run(&format!("{} --run rounds", LEVELS.replace("600,900", "700,900")));
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(
        other.err.contains("holds a round of another calibration; name another folder with --run"),
        "{}",
        other.err
    );
}

#[test]
fn an_interrupted_round_is_gone_on_with() {
    let room = Room::new();
    let whole = room.run(&format!("{LEVELS} --run whole"));
    // As if it had been killed after the first round.
    std::fs::create_dir(room.path("cut")).expect("a folder");
    std::fs::copy(room.path("whole/round-1.sqlite"), room.path("cut/round-1.sqlite")).expect("a journal");
    let cut = room.run(&format!("{LEVELS} --run cut"));
    assert_eq!((cut.code, &cut.out), (Some(0), &whole.out), "{}", cut.err);
}
