//! Play below full strength: what `debug on` reports, and the seed of a game.

use super::Dialogue;

#[test]
fn echo_reports_its_handicap() {
    let mut echo = Dialogue::begin();
    echo.say(
        "setoption name StrengthCurve value MadChess\nsetoption name UCI_Elo value 1075\ndebug on\nisready",
    );
    assert_eq!(echo.until("readyok"), ["readyok"], "it plays at full strength");
    echo.say("setoption name UCI_LimitStrength value true\nisready");
    let reported = echo.until("readyok");
    assert!(
        reported[0].starts_with(
            "info string rating 1075 nps 6863 move error 31 blunder error 330 in 13 of 128 (10 %)"
        ),
        "{reported:?}"
    );
    // MadChess's twenty lines follow, the seed, and `readyok`.
    assert_eq!(reported.len(), 23, "{reported:?}");
    assert_eq!(
        reported[1],
        "info string NPS = 6863, MoveError = 31, BlunderError = 330, BlunderPer128 = 13."
    );
    assert!(reported[2].starts_with("info string MgPawnMaterial = "), "{reported:?}");
    assert_eq!(reported[12], "info string LsPassedPawnsPer128 = 101");
    assert_eq!(reported[20], "info string LsEndgameScalePer128 = 33");
    assert!(reported[21].starts_with("info string StrengthSeed "), "{reported:?}");
    echo.say("setoption name StrengthCurve value Calibrated\nsetoption name UCI_Elo value 1200\nisready");
    let reported = echo.until("readyok");
    assert!(
        reported.iter().any(|line| line.starts_with("info string 1200 Elo, measured within ")),
        "{reported:?}"
    );
    assert!(reported.iter().any(|line| line.starts_with("info string rating ")), "{reported:?}");
    echo.say("setoption name StrengthCurve value MadChess\nisready");
    echo.until("readyok");
    // So slow that it has to be asked to stop, and hears it while it sleeps.
    echo.say("setoption name UCI_Elo value 600\nposition startpos\ngo infinite");
    std::thread::sleep(std::time::Duration::from_millis(300));
    echo.say("stop");
    let said = echo.until("bestmove");
    let most = |what: &str| -> u64 {
        let number = |line: &String| {
            let mut words = line.split_whitespace().skip_while(|word| *word != what);
            words.nth(1).and_then(|number| number.parse().ok())
        };
        said.iter().filter_map(number).max().expect("it counts")
    };
    let (nodes, millis) = (most("nodes"), most("time"));
    assert!(nodes <= 150 + millis / 2, "{nodes} nodes in {millis} ms at 500 a second");
    echo.say("debug off\nsetoption name UCI_Elo value 700\nisready");
    assert_eq!(echo.until("readyok"), ["readyok"]);
}

#[test]
fn eval_says_that_it_is_the_one_of_full_strength() {
    let mut echo = Dialogue::begin();
    echo.say("position startpos moves e2e4\neval\nisready");
    let full = echo.until("readyok");
    assert!(full.iter().all(|line| !line.starts_with("info string")), "{full:?}");
    echo.say("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 600\neval\nisready");
    let limited = echo.until("readyok");
    assert!(limited[0].starts_with("info string the evaluation at full strength; "), "{limited:?}");
    assert_eq!(limited[1..], full);
}

/// The first moves of a few games at the lowest level.
fn first_moves(echo: &mut Dialogue, seed: Option<&str>) -> Vec<String> {
    echo.say("setoption name StrengthCurve value MadChess\nsetoption name UCI_LimitStrength value true");
    echo.say("setoption name UCI_Elo value 600");
    if let Some(seed) = seed {
        echo.say(&format!("setoption name StrengthSeed value {seed}"));
    }
    let mut game = || {
        echo.say("ucinewgame\nposition startpos\ngo depth 1");
        echo.until("bestmove").pop().expect("it plays")
    };
    (0..10).map(|_| game()).collect()
}

#[test]
fn games_below_full_strength_differ_unless_a_seed_is_set() {
    let games = |seed: Option<&str>| first_moves(&mut Dialogue::begin(), seed);
    let is_one_game = |games: &[String]| games.iter().all(|mv| *mv == games[0]);
    // About twenty moves are equally likely, so that ten games and two processes hardly agree by chance.
    let random = games(None);
    assert!(!is_one_game(&random), "{random:?}");
    assert_ne!(random, games(None));
    assert!(!is_one_game(&games(Some("-1"))));
    let set = games(Some("7"));
    assert!(is_one_game(&set), "{set:?}");
    assert_eq!(set, games(Some("7")));
    assert!(["1", "2", "3", "4", "5", "6"].iter().any(|seed| games(Some(seed))[0] != set[0]));
}
