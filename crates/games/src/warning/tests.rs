//! Each rule with an engine that breaks it, and its neighbour that does not.

use std::time::Duration;

use super::*;
use crate::game::{self, GameConditions};
use crate::move_details::DetailSelection;
use threefold_chess::clock::Delays;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance, Ply, Score};
use threefold_player::{
    Answer, Bound, EngineFault, Player, Question, ScoredInfo, ScriptedPlayer, SuspendableClock,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White mates in two moves: 1.Rb7 Kg8 2.Ra8.
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1";

/// An `info` line: `MULTIPV SCORE BOUND PV…`, with SCORE in centipawns, or `#3` for a mate in three, and
/// BOUND `=`, `<` or `>`.
fn info(text: &str) -> ScoredInfo {
    let mut words = text.split_whitespace();
    let mut word = || words.next().expect(text);
    let multipv = word().parse().expect(text);
    let score = word();
    let score = match score.strip_prefix('#') {
        Some(moves) => Score::Mate(MateDistance::from_moves(moves.parse().expect(text)).expect(text)),
        None => Score::Cp(Centipawns(score.parse().expect(text))),
    };
    let bound = match word() {
        "<" => Bound::Upper,
        ">" => Bound::Lower,
        _ => Bound::Exact,
    };
    ScoredInfo {
        score,
        bound,
        multipv,
        depth: Ply(5),
        nodes: None,
        pv: words.map(|mv| mv.parse().expect(mv)).collect(),
        line: None,
    }
}

/// An answer: `info; info; … ; bestmove`.
fn answer(text: &str) -> Answer {
    let (infos, best) = text.rsplit_once(';').unwrap_or(("", text));
    let infos: Vec<ScoredInfo> =
        infos.split(';').map(str::trim).filter(|it| !it.is_empty()).map(info).collect();
    let (infos, other_lines) = infos.into_iter().partition(|info| info.multipv == 1);
    Answer { best: best.trim().parse().ok(), infos, other_lines, ..Answer::silent() }
}

/// The warnings of a game from this position in which the players answer in turn.
fn warnings(fen: &str, answers: &[&str], exempt: [bool; 2]) -> Vec<(WarningRule, Color, u32, usize, String)> {
    let opening = GamePosition::parse(fen, "").expect(fen);
    let answers: Vec<Answer> = answers.iter().map(|text| answer(text)).collect();
    let plies = answers.len();
    let player = |name: &str| {
        let answers = answers.clone();
        ScriptedPlayer::new(name, move |question: &Question| {
            Ok(answers[question.position.moves.len()].clone())
        })
    };
    let terms = GameConditions { exempt, ..GameConditions::of_plies(plies) };
    let game = game::play(
        &opening,
        [&mut player("W"), &mut player("B")],
        &terms,
        &DetailSelection::default(),
        &mut (),
    )
    .expect("legal");
    let warnings = game.warnings.into_iter();
    warnings.map(|it| (it.rule, it.side, it.count, it.ply, it.detail)).collect()
}

#[test]
fn each_rule_warns_about_its_line_and_not_about_the_sound_one() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let stalemating = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    let bare = "8/8/8/8/8/3k4/1r6/K7 w - - 0 1";
    let ninety_nine = "4k3/8/8/8/8/8/8/R3K3 w - - 98 80";
    let table = [
        // Position, one answer, rules
        (START, "1 30 = e2e4 e7e5 g1f3; e2e4".to_owned(), ""),
        (START, "1 30 = e2e4 e7e5 e4e5; e2e4".to_owned(), "illegal-pv-move"),
        (START, "1 30 = e2e4; 2 20 = d2d4 e7e4; e2e4".to_owned(), "illegal-pv-move"),
        (START, "1 30 = f2f3 e7e5 g2g4 d8h4; f2f3".to_owned(), ""),
        (START, "1 30 = f2f3 e7e5 g2g4 d8h4 e1f2; f2f3".to_owned(), "pv-after-checkmate"),
        (stalemating, "1 30 = g5g6; g5g6".to_owned(), ""),
        (stalemating, "1 30 = g5g6 h8g8; g5g6".to_owned(), "pv-after-stalemate"),
        (START, format!("1 0 = {shuffle}; g1f3"), ""),
        (START, format!("1 0 = {shuffle} e2e4; g1f3"), "pv-after-threefold"),
        (bare, "1 0 = a1b2; a1b2".to_owned(), ""),
        (bare, "1 0 = a1b2 d3d2; a1b2".to_owned(), "pv-after-insufficient-material"),
        (ninety_nine, "1 500 = a1a2 e8e7; a1a2".to_owned(), ""),
        (ninety_nine, "1 500 = a1a2 e8e7 a2a3; a1a2".to_owned(), "pv-after-fifty-moves"),
        (START, "1 30 = e2e4; 1 20 = d2d4; d2d4".to_owned(), ""),
        (START, "1 30 = e2e4; d2d4".to_owned(), "bestmove-not-in-pv"),
        // A bound, another line, and a report without moves do not name the best move.
        (START, "1 30 = d2d4; 1 20 < e2e4; d2d4".to_owned(), ""),
        (START, "1 30 = d2d4; 2 20 = e2e4; d2d4".to_owned(), ""),
        (START, "1 30 =; d2d4".to_owned(), ""),
        (MATE_IN_TWO, "1 #2 = b2b7 h8g8 a1a8; b2b7".to_owned(), ""),
        (MATE_IN_TWO, "1 #2 = b2b7 h8g8; b2b7".to_owned(), "short-mate-pv"),
        (MATE_IN_TWO, "1 #2 > b2b7 h8g8; b2b7".to_owned(), ""),
        (MATE_IN_TWO, "1 #1 = b2b7 h8g8 a1a8; b2b7".to_owned(), "long-mate-pv"),
        (MATE_IN_TWO, "1 #2 = b2b7 h8g8 a1a7; b2b7".to_owned(), "mate-pv-without-mate"),
        (MATE_IN_TWO, "1 500 = b2b7 h8g8 a1a7; b2b7".to_owned(), ""),
        (MATE_IN_TWO, "1 500 = b2b7; 2 #2 = a1a7 h8g8; b2b7".to_owned(), "short-mate-pv"),
        (START, "e2e4".to_owned(), "no-score"),
        (START, "2 30 = e2e4; e2e4".to_owned(), ""),
        // The last score that is no bound is the score of the move.
        (START, "1 #0 =; e2e4".to_owned(), "mate-zero"),
        (START, "1 30 = e2e4; 1 #0 =; e2e4".to_owned(), "mate-zero"),
        (START, "1 #0 =; 1 30 = e2e4; e2e4".to_owned(), ""),
        (START, "1 30 = e2e4; 1 #0 >; e2e4".to_owned(), ""),
        (START, "1 30 = e2e4; 2 #0 =; e2e4".to_owned(), ""),
    ];
    for (fen, said, rules) in table {
        let found = warnings(fen, &[&said], [false; 2]);
        let names: Vec<&str> = found.iter().map(|(rule, ..)| rule.name()).collect();
        assert_eq!(names.join(" "), rules, "{said}: {found:?}");
    }
}

#[test]
fn warning_about_a_line_has_the_line_of_the_engine() {
    let own = "info depth 5 seldepth 9 score cp 30 wdl 40 920 40 time 7 pv e2e4 e7e5 e4e5 \u{7}\n";
    let kept = "info depth 5 seldepth 9 score cp 30 wdl 40 920 40 time 7 pv e2e4 e7e5 e4e5";
    let table = [
        ("1 30 = e2e4 e7e5 e4e5; e2e4", Some(own), Some((Some("e4e5"), kept))),
        ("1 30 = e2e4; d2d4", Some("info depth 5"), Some((Some("d2d4"), "info depth 5"))),
        ("1 #2 = e2e4; e2e4", Some("info depth 5"), Some((None, "info depth 5"))),
        (
            "1 30 = e2e4; e2e4",
            Some("info score cp 30 wdl 1 2 997"),
            Some((None, "info score cp 30 wdl 1 2 997")),
        ),
        (
            "1 30 = e2e4; e2e4",
            Some("info score cp 30 wdl 1 2 998"),
            Some((None, "info score cp 30 wdl 1 2 998")),
        ),
        // The score of a report is reversed for an engine with `whitepov=on`, and its line is not.
        (
            "1 -30 = e2e4; e2e4",
            Some("info score cp 30 wdl 1 2 997"),
            Some((None, "info score cp 30 wdl 1 2 997")),
        ),
        // A player without lines.
        ("1 30 = e2e5; e2e5", None, Some((Some("e2e5"), "info depth 5 score cp 30 pv e2e5"))),
        ("e2e4", None, None),
    ];
    for (said, own, line) in table {
        let mut answer = answer(said);
        answer.infos.iter_mut().for_each(|info| info.line = own.map(str::to_owned));
        let mut white = ScriptedPlayer::new("W", move |_: &Question| Ok(answer.clone()));
        let mut black = ScriptedPlayer::playing("B", []);
        let (opening, terms) = (GamePosition::parse(START, "").expect(START), GameConditions::of_plies(1));
        let game =
            game::play(&opening, [&mut white, &mut black], &terms, &DetailSelection::default(), &mut ());
        let warning = game.expect("legal").warnings.swap_remove(0);
        let found = warning.line.map(|line| (line.mv.map(|mv| mv.to_string()), line.text));
        let expected = line.map(|(mv, text)| (mv.map(str::to_owned), text.to_owned()));
        assert_eq!(found, expected, "{said}");
        assert!(!warning.detail.contains("time"), "{}", warning.detail);
    }
}

#[test]
fn castling_in_another_notation_is_the_same_best_move() {
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    assert_eq!(warnings(castling, &["1 30 = e1h1; e1g1"], [false; 2]), []);
    assert_eq!(warnings(castling, &["1 30 = h1g1; e1g1"], [false; 2]).len(), 1);
}

#[test]
fn repetitions_in_a_line_count_the_positions_of_the_game() {
    let moves = ["1 0 = g1f3; g1f3", "1 0 = g8f6; g8f6", "1 0 = f3g1; f3g1", "1 0 = f6g8; f6g8"];
    let line = "1 0 = g1f3 g8f6 f3g1 f6g8";
    let sound = format!("{line}; g1f3");
    assert_eq!(warnings(START, &[&moves[..], &[&sound]].concat(), [false; 2]), []);
    let long = format!("{line} e2e4; g1f3");
    let found = warnings(START, &[&moves[..], &[&long]].concat(), [false; 2]);
    assert_eq!(found[0].0, WarningRule::PvAfterThreefold);
    assert_eq!(found[0].4, "move 5, e2e4, of info depth 5 score cp 0 pv g1f3 g8f6 f3g1 f6g8 e2e4");
    assert_eq!((found.len(), found[0].1, found[0].3), (1, Color::White, 4));
}

#[test]
fn mate_scores_of_both_engines_must_differ_in_sign() {
    let table = [
        (["1 #5 =; e2e4", "1 #-4 =; e7e5"], 0),
        (["1 #5 =; e2e4", "1 #4 =; e7e5"], 1),
        (["1 #-5 =; e2e4", "1 #-4 =; e7e5"], 1),
        // A bound is no claim, and neither is a large evaluation.
        (["1 #5 >; e2e4", "1 #4 =; e7e5"], 0),
        (["1 #5 =; e2e4", "1 3000 =; e7e5"], 0),
    ];
    for (said, expected) in table {
        let found = warnings(START, &said, [false; 2]);
        let signs = found.iter().filter(|it| it.0 == WarningRule::MateSigns).count();
        assert_eq!(signs, expected, "{said:?}: {found:?}");
    }
    let found = warnings(START, &["1 #5 =; e2e4", "1 #4 =; e7e5"], [false; 2]);
    assert_eq!((found[0].1, found[0].3), (Color::Black, 1));
    assert_eq!(found[0].4, "mate 4, and mate 5 by the opponent before");
    // Only consecutive moves are compared.
    let said = ["1 #5 =; e2e4", "1 30 =; e7e5", "1 30 =; d2d4", "1 #4 =; d7d5"];
    assert_eq!(warnings(START, &said, [false; 2]), []);
}

/// Fastchess prints a line for each; an engine without scores fills the terminal.
#[test]
fn equal_warnings_are_one_with_their_count_and_first_occurrence() {
    let said = ["e2e4", "1 0 =; e7e5", "d2d4", "1 0 = d7d6; 1 0 = d7d5 d4e4; 1 0 = d7d5 d4e4; d7d5"];
    let found = warnings(START, &said, [false; 2]);
    let expected = [
        (WarningRule::NoScore, Color::White, 2, 0, "bestmove e2e4".to_owned()),
        (
            WarningRule::IllegalPvMove,
            Color::Black,
            2,
            3,
            "move 2, d4e4, of info depth 5 score cp 0 pv d7d5 d4e4".to_owned(),
        ),
    ];
    assert_eq!(found, expected);
}

#[test]
fn exempt_side_has_no_warnings() {
    let said = ["e2e4", "e7e5"];
    let sides = |exempt| warnings(START, &said, exempt).iter().map(|it| it.1).collect::<Vec<_>>();
    assert_eq!(sides([false, false]), [Color::White, Color::Black]);
    assert_eq!(sides([true, false]), [Color::Black]);
    assert_eq!(sides([true, true]), []);
    // One of the two is wrong, and that may be the exempt one.
    let both = ["1 #5 =; e2e4", "1 #4 =; e7e5"];
    assert_eq!(warnings(START, &both, [true, false]), []);
}

/// Each limit with the largest excess that is tolerated, and the smallest that is not.
#[test]
fn searches_over_their_limits_are_warnings() {
    let nodes = |nodes| Answer { nodes, ..answer("1 0 =; e2e4") };
    let cut = |reported| Answer { nodes_over_limit: Some(reported), ..nodes(1000) };
    let deep = |depth| {
        let mut answer = answer("1 0 =; 1 0 =; e2e4");
        answer.infos[0].depth = Ply(depth);
        answer
    };
    let timed = |millis, waited| {
        let (elapsed, engine) = (Duration::from_millis(millis), Duration::from_millis(waited));
        let delays = Some(Delays { engine, ..Delays::default() });
        Answer { elapsed, delays, asked: Some(SuspendableClock::default().now()), ..answer("1 0 =; e2e4") }
    };
    let table = [
        ("nodes=1000", nodes(2124), None),
        ("nodes=1000", nodes(2125), Some("nodes-over-limit: 2125 nodes of 1000")),
        ("nodes=1000", cut(100_000), Some("nodes-over-limit: 100000 nodes of 1000")),
        ("depth=5", deep(5), None),
        ("depth=5", deep(6), Some("depth-over-limit: depth 6 of 5")),
        ("st=1,timemargin=500", timed(1150, 0), None),
        ("st=1,timemargin=500", timed(1160, 10), None),
        ("st=1,timemargin=500", timed(1151, 0), Some("movetime-over-limit: 1.1 s of 1.0 s")),
        ("inf", nodes(u64::MAX), None),
    ];
    for (control, said, expected) in table {
        let mut player = ScriptedPlayer::new("W", {
            let said = said.clone();
            move |_: &Question| Ok(said.clone())
        });
        let control = control.parse().expect(control);
        let terms = GameConditions { controls: [control; 2], ..GameConditions::of_plies(1) };
        let mut other = ScriptedPlayer::new("B", |_: &Question| Ok(Answer::silent()));
        let opening = GamePosition::start_position();
        let selection = DetailSelection::default();
        let game =
            game::play(&opening, [&mut player, &mut other], &terms, &selection, &mut ()).expect("legal");
        let found: Vec<String> =
            game.warnings.iter().map(|it| format!("{}: {}", it.rule, it.detail)).collect();
        assert_eq!(found.first().map(String::as_str), expected, "{control}: {said:?}");
        assert!(game.warnings.iter().all(|it| it.rule.is_about_a_limit() && it.count == 1), "{found:?}");
    }
}

/// A second `bestmove` or a report after the move changes nothing of the next search, and is a warning of its
/// own.
#[test]
fn output_between_searches_is_a_warning_once_for_each_search() {
    let opening = GamePosition::start_position();
    let moves = ["e2e4", "e7e5", "g1f3"];
    let player = |name: &str| {
        ScriptedPlayer::new(name, move |question: &Question| {
            let ply = question.position.moves.len();
            let mut answer = answer(&format!("1 0 =; {}", moves[ply]));
            (0..ply).for_each(|_| answer.between.add(" bestmove e2e4\r"));
            Ok(answer)
        })
    };
    let terms = GameConditions::of_plies(moves.len());
    let selection = DetailSelection::default();
    let game = game::play(&opening, [&mut player("W"), &mut player("B")], &terms, &selection, &mut ())
        .expect("legal");
    let found: Vec<_> =
        game.warnings.iter().map(|it| (it.side, it.count, it.ply, it.detail.as_str())).collect();
    let expected = [
        (Color::Black, 1, 1, "before this search it sent `bestmove e2e4`"),
        (Color::White, 1, 2, "before this search it sent `bestmove e2e4` and 1 line more"),
    ];
    assert_eq!(found, expected);
    assert!(game.warnings.iter().all(|it| it.rule == WarningRule::OutputBetweenSearches));
}

/// Ready for a new game after this time.
struct Slow(Duration, ScriptedPlayer);

impl Player for Slow {
    fn name(&self) -> &str {
        self.1.name()
    }

    fn ready_after(&self) -> Option<Duration> {
        Some(self.0)
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        self.1.new_game()
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault> {
        self.1.answer(question)
    }
}

#[test]
fn slow_engines_are_warned_about_on_wall_clocks_only() {
    let slow = |millis, control: &str| {
        let player = |millis| {
            let said = |_: &Question| Ok(answer("1 0 =; e2e4"));
            Slow(Duration::from_millis(millis), ScriptedPlayer::new("S", said))
        };
        let terms =
            GameConditions { controls: [control.parse().expect(control); 2], ..GameConditions::of_plies(1) };
        let opening = GamePosition::parse(START, "").expect("sound");
        let game = game::play(
            &opening,
            [&mut player(millis), &mut player(1)],
            &terms,
            &DetailSelection::default(),
            &mut (),
        )
        .expect("legal");
        game.warnings.into_iter().map(|it| (it.rule, it.side, it.detail)).collect::<Vec<_>>()
    };
    assert_eq!(slow(1000, "8+0.08"), []);
    assert_eq!(slow(1500, "8+0.08"), [(WarningRule::SlowReady, Color::White, "after 1.5 s".to_owned())]);
    assert_eq!(slow(1500, "nodes=100"), [], "such a game is the same on every machine");
}

#[test]
fn first_occurrence_has_its_position_and_engine() {
    let opening = GamePosition::parse(START, "d2d4").expect("sound");
    let mut player = ScriptedPlayer::new("B", |question: &Question| {
        let said = ["", "1 0 =; d7d5", "1 0 =; c2c4", "e7e6"];
        Ok(answer(said[question.position.moves.len()]))
    });
    let mut other = ScriptedPlayer::new("A", |_: &Question| Ok(answer("1 0 =; c2c4")));
    let game = game::play(
        &opening,
        [&mut other, &mut player],
        &GameConditions::of_plies(3),
        &DetailSelection::default(),
        &mut (),
    )
    .expect("legal");
    let [warning] = &game.warnings[..] else { panic!("{:?}", game.warnings) };
    assert_eq!(game.warned_engine(warning), "B");
    assert_eq!(game.warned_position(warning).moves_text(), "d2d4 d7d5 c2c4");
    let mut counted = game.clone();
    let policy = WarningPolicy { ignored: [WarningRule::NoScore].into(), strict: true };
    policy.apply(&mut counted.warnings);
    assert_eq!(counted.warnings, []);
    let mut counted = game.clone();
    WarningPolicy { ignored: [WarningRule::MateSigns].into(), strict: true }.apply(&mut counted.warnings);
    assert_eq!(counted, game);
}
