//! `calibrate` with strength levels: its rounds, their continuation, and the reports.

use crate::sandbox::{Sandbox, THREEFOLD};

const LEVELS: &str = "calibrate --engine echo,name=Echo,Hash=1,StrengthCurve=MadChess --levels 600,900,1300 \
                      --openings book.epd --tc 0.1+0.001 --clock virtual:20000 --games 60 --precision 300 --judge-moves 1";

#[test]
fn calibration_measures_levels_in_rounds_and_reports_them_in_order() {
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

    // The same command finds the finished rounds, plays no game, and prints the same report.
    let again = sandbox.run(&format!("{LEVELS} --run rounds --out again"));
    assert_eq!((again.code, &again.out), (Some(0), &output.out), "{}", again.err);
    assert!(!again.err.contains("journal: "), "{}", again.err);
    // Another number of jobs gives the same report.
    let alone = sandbox.run(&format!("{LEVELS} --run alone -j 1"));
    assert_eq!((alone.code, &alone.out), (Some(0), &output.out), "{}", alone.err);
    // The folder of another calibration is refused.
    let other = sandbox.run(&format!("{} --run rounds", LEVELS.replace("0.1+0.001", "0.2+0.002")));
    assert_eq!(other.code, Some(2), "{}", other.err);
    assert!(
        other.err.contains("belongs to another calibration (other engines, time control, seed or openings)"),
        "{}",
        other.err
    );
}

#[test]
fn comparison_names_changed_levels() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&format!("{LEVELS} --run rounds --out new"));
    assert_eq!(first.code, Some(0), "{}", first.err);
    let same = sandbox.run(&format!("{LEVELS} --run rounds --compare-with new/calibration.csv"));
    assert_eq!(same.code, Some(0), "{}", same.out);
    assert!(same.out.contains("No significant change since new/calibration.csv in"), "{}", same.out);
    // The middle level of the earlier calibration is made 2000 Elo stronger.
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
fn calibration_reports_when_its_budget_is_used_up() {
    let sandbox = Sandbox::new();
    // Eight games of each pair: levels far from each other would have no rating.
    let small_budget = LEVELS
        .replace("600,900,1300", "800,1000,1200")
        .replace("--games 60 --precision 300", "--games 24 --precision 1");
    let output = sandbox.run(&small_budget);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(
        output.out.contains("The budget of 24 games and 7200 seconds does not allow another round."),
        "{}",
        output.out
    );
    // If the last round reaches the precision, the report does not mention the budget.
    let low_precision = small_budget.replace("--precision 1", "--precision 2000 --precise-range 310:390");
    let output = sandbox.run(&low_precision);
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(!output.out.contains("does not allow another round"), "{}", output.out);
}

#[test]
fn calibration_plays_no_more_games_than_requested() {
    let sandbox = Sandbox::new();
    let distant_levels = LEVELS.replace("600,900,1300", "800,1200").replace("0.1+0.001", "0.3+0.003");
    let distant_levels = distant_levels.replace("--games 60", "--games 20").replace("moves 1", "moves 4");
    let output = sandbox.run(&format!("{distant_levels} --out new"));
    let journals = output.err.lines().filter(|line| line.starts_with("journal: ")).count();
    assert_eq!(
        (output.code, journals),
        (Some(0), 2),
        "a round that one level wins completely, and a round that connects the levels: {}",
        output.err
    );
    let figures = sandbox.read("new/calibration.csv");
    let games: usize = figures
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(8).and_then(|games| games.parse::<usize>().ok()).expect("a count"))
        .sum();
    assert_eq!(games, 2 * 20, "each game counts for two players: {figures}");
}

/// The FEN of a rank with only White's king, on this file.
fn king_on(file: usize) -> String {
    [file, 7 - file].map(|empty| if empty > 0 { empty.to_string() } else { String::new() }).join("K")
}

#[test]
fn calibration_continues_after_games_that_are_all_drawn() {
    let sandbox = Sandbox::new();
    // No king can cross these pawns.
    let drawn: Vec<String> =
        (0..8).map(|file| format!("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/{} w - -", king_on(file))).collect();
    sandbox.write("drawn.epd", drawn.join("\n") + "\n");
    let all_drawn = LEVELS.replace("600,900,1300", "2900,3000").replace("book.epd", "drawn.epd");
    let output = sandbox.run(&all_drawn.replace("--games 60", "--games 24"));
    let journals = output.err.lines().filter(|line| line.starts_with("journal: ")).count();
    assert_eq!((output.code, journals), (Some(0), 3), "{}", output.err);
    assert!(output.out.contains("The budget of 24 games"), "{}", output.out);
}

#[test]
fn calibration_continues_after_an_interruption() {
    let sandbox = Sandbox::new();
    let whole = sandbox.run(&format!("{LEVELS} --run whole"));
    // The state of a calibration that was killed after the first round.
    std::fs::create_dir(sandbox.path("cut")).expect("a folder");
    std::fs::copy(sandbox.path("whole/round-1.sqlite"), sandbox.path("cut/round-1.sqlite"))
        .expect("a journal");
    let cut = sandbox.run(&format!("{LEVELS} --run cut"));
    assert_eq!((cut.code, &cut.out), (Some(0), &whole.out), "{}", cut.err);
}

#[test]
fn larger_budget_continues_the_existing_rounds() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&format!("{LEVELS} --run rounds"));
    assert_eq!(first.code, Some(0), "{}", first.err);
    let rounds = || std::fs::read_dir(sandbox.path("rounds")).expect("a folder").count();
    let before = rounds();
    let more = LEVELS.replace("--games 60 --precision 300", "--games 120 --precision 100");
    let more = more.replace("600,900,1300", "600,900,1300,1600");
    let output = sandbox.run(&format!("{more} --run rounds --out new"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    assert!(rounds() > before, "{}", output.err);
    let played = |output: &str| output.lines().filter(|line| line.starts_with("journal: ")).count();
    assert_eq!(
        (played(&first.err), played(&output.err)),
        (before, rounds() - before),
        "no round is played twice"
    );
    assert!(output.out.contains("Echo 1600"), "a new level: {}", output.out);
    assert!(sandbox.read("new/calibration.html").contains("; then threefold calibrate"), "both commands");
}

#[test]
fn precise_range_limits_where_precision_is_required() {
    let sandbox = Sandbox::new();
    let measured_levels = |options: &str, message: &str| {
        let output =
            sandbox.run(&format!("{} {options} --out new", LEVELS.replace("--games 60", "--games 400")));
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert!(output.out.contains(message), "{}", output.out);
        sandbox.read("new/calibration.csv").lines().filter(|line| line.starts_with("level,")).count()
    };
    let everywhere = measured_levels("", "Every level is measured to ± 300 Elo.");
    let low = measured_levels(
        "--precise-range 300:900",
        "Every level from 300 to 900 Elo is measured to ± 300 Elo.",
    );
    assert!(low < everywhere, "{low} {everywhere}: levels outside of the range are not measured");
    measured_levels(
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

#[test]
fn calibration_that_faults_stopped_continues_by_the_command_that_it_names() {
    let sandbox = Sandbox::new();
    // Every second process of this engine ends at its first search.
    let crashing = format!(
        "n=$(cat starts 2>/dev/null || echo 0); echo $((n + 1)) >starts\n[ $((n % 2)) = 1 ] || exec '{THREEFOLD}' uci\n\
         while read -r line; do case \"$line\" in uci) printf 'uci\nquit\n' | '{THREEFOLD}' uci;; isready) echo readyok;; go*) exit 7;; quit) exit;; \
         esac; done\n"
    );
    let anchor = format!("{},restart=on=900", sandbox.script("bad", &crashing));
    let levels = LEVELS.replace("600,900,1300", "700,1000");
    let levels = levels.replace("--games 60", "--games 40").replace("--judge-moves 1", "--judge-moves 0");
    let command = [
        &levels.split_whitespace().collect::<Vec<_>>()[..],
        &["--anchor", &anchor, "--run", "rounds", "-j", "1"],
    ]
    .concat();
    let stopped = sandbox.run_words(&command);
    assert_eq!(stopped.code, Some(3), "{}\n{}", stopped.out, stopped.err);
    let hint = "repeat the command with --run rounds and a larger --max-faults, such as --max-faults 10%";
    assert!(stopped.err.contains(hint), "{}", stopped.err);
    let again = sandbox.run_words(&command);
    assert_eq!(again.code, Some(3), "without more faults allowed it is stopped again: {}", again.err);
    let output = sandbox.run_words(&[&command[..], &["--max-faults", "100%"]].concat());
    assert_eq!(output.code, Some(0), "{}\n{}", output.out, output.err);
    assert!(output.out.contains("Echo 700") && output.out.contains("bad"), "{}", output.out);
}
