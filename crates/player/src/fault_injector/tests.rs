//! Tests of the fault injector: what each fault changes, and that nothing else changes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::*;
use crate::{Bound, LaunchOptions, ScoredInfo, ScriptedPlayer, launch};
use threefold_chess::clock::{ClockSource, Clocks, Limits, Remaining, Stop};
use threefold_chess::score::{Centipawns, MateDistance, Score};

/// White is to move after four plies, and the game began at another position than the usual one, with a
/// counter of 7.
const START: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 7 20";
const MOVES: &str = "a1a2 e8d8 a2a1 d8e8";

fn question(fen: &str, moves: &str) -> Question {
    let side = |millis, increment| Remaining {
        time: Duration::from_millis(millis),
        increment: Duration::from_millis(increment),
    };
    let clocks = Clocks { white: side(500, 3), black: side(800, 4), moves_to_go: Some(9) };
    Question {
        position: GamePosition::parse(fen, moves).expect("sound"),
        limits: Limits { depth: Some(Ply(8)), ..Limits::clocks(clocks) },
        searchmoves: vec!["a1b1".parse().expect("a move"), "a1c1".parse().expect("a move")],
    }
}

fn answer() -> Answer {
    let info = |score| ScoredInfo {
        score,
        bound: Bound::Exact,
        multipv: 1,
        depth: Ply(3),
        nodes: None,
        pv: ["a1b1", "e8d8"].map(|mv| mv.parse().expect("a move")).to_vec(),
        line: Some("info depth 3".to_owned()),
    };
    let mate = Score::Mate(MateDistance::from_moves(-4).expect("small"));
    Answer {
        best: Some("a1b1".parse().expect("a move")),
        ponder: Some("e8d8".parse().expect("a move")),
        infos: vec![info(Score::Cp(Centipawns(31))), info(mate)],
        ..Answer::silent()
    }
}

/// A question and its answer with a fault.
fn pass(fault: BorderFault, asked: &Question) -> (Question, Answer) {
    let heard = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&heard);
    let scripted = ScriptedPlayer::new("scripted", move |question: &Question| {
        *kept.lock().expect("one thread") = Some(question.clone());
        Ok(answer())
    });
    let mut player = FaultInjector { player: Box::new(scripted), fault };
    let answer = player.answer(asked).expect("no fault of the player");
    let sent = heard.lock().expect("one thread").take();
    (sent.expect("it was asked"), answer)
}

/// The parts of a question and its answer that a fault may change, as text.
fn parts((sent, answer): (Question, Answer)) -> Vec<(&'static str, String)> {
    let text = |moves: &[shakmaty::uci::UciMove]| {
        moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let clocks = sent.limits.clocks.expect("it has clocks");
    vec![
        ("position", sent.position.to_string()),
        ("depth", sent.limits.depth.expect("it has a depth").0.to_string()),
        ("searchmoves", text(&sent.searchmoves)),
        (
            "clocks",
            format!(
                "{}+{} {}+{} {:?}",
                clocks.white.time.as_millis(),
                clocks.white.increment.as_millis(),
                clocks.black.time.as_millis(),
                clocks.black.increment.as_millis(),
                clocks.moves_to_go
            ),
        ),
        ("best", answer.best.map(|best| best.to_string()).unwrap_or_default()),
        ("ponder", answer.ponder.map(|ponder| ponder.to_string()).unwrap_or_default()),
        ("pv", text(&answer.infos[0].pv)),
        ("score", answer.infos[0].score.to_string()),
        ("mate", answer.infos[1].score.to_string()),
    ]
}

#[test]
fn each_fault_changes_only_its_own_part() {
    use BorderFault as F;
    let asked = question(START, MOVES);
    let sound = parts((asked.clone(), answer()));
    let now = "fen 4k3/8/8/8/8/8/8/R3K3 w - - 11 22";
    let table = [
        (F::ForgetHistory, vec![("position", now)]),
        (F::HistoryLostWithFen, vec![("position", now)]),
        (
            F::FiftyMoveCounterLost,
            vec![("position", "fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 20 moves a1a2 e8d8 a2a1 d8e8")],
        ),
        (F::DepthShort, vec![("depth", "7")]),
        (F::SearchMovesIgnored, vec![("searchmoves", "")]),
        (F::ClockInWrongUnit, vec![("clocks", "5000+3 8000+4 Some(9)")]),
        (F::OpponentsClock, vec![("clocks", "800+4 500+3 Some(9)")]),
        (F::IncrementIgnored, vec![("clocks", "500+0 800+0 Some(9)")]),
        (F::MovesToGoIgnored, vec![("clocks", "500+3 800+4 None")]),
        (F::OverheadIgnored, vec![("clocks", "510+3 800+4 Some(9)")]),
        (F::OtherMovePlayed, vec![("best", "a1c1"), ("ponder", "")]),
        (F::IllegalMovePlayed, vec![("best", "b1a1"), ("ponder", "")]),
        (F::PvIllegal, vec![("pv", "a1b1 e8d8 e8d8")]),
        (F::PvTruncated, vec![("pv", "a1b1")]),
        (F::PonderMoveLost, vec![("ponder", "")]),
        (F::MateSignFlipped, vec![("mate", "mate 4")]),
        (F::MateInPlies, vec![("mate", "mate -8")]),
        // White is to move, so the score does not change.
        (F::ScoreFromWhite, vec![]),
        (F::OptionsIgnored, vec![]),
        (F::StrengthIgnored, vec![]),
        (F::NewGameIgnored, vec![]),
        (F::PerftShort, vec![]),
    ];
    assert_eq!(table.len(), F::ALL.len());
    for (fault, changed) in table {
        let got = parts(pass(fault, &asked));
        let differing: Vec<(&str, &str)> = got
            .iter()
            .zip(&sound)
            .filter(|(got, sound)| got != sound)
            .map(|((part, got), _)| (*part, got.as_str()))
            .collect();
        assert_eq!(differing, changed, "{fault}");
    }
}

#[test]
fn white_score_fault_flips_scores_of_black_only() {
    let black = question(START, "a1a2");
    let (_, answer) = pass(BorderFault::ScoreFromWhite, &black);
    let scores: Vec<_> = answer.infos.iter().map(|info| info.score.to_string()).collect();
    assert_eq!(scores, ["cp -31", "mate 4"]);
    let (sent, _) = pass(BorderFault::OverheadIgnored, &black);
    assert_eq!(sent.limits.clocks.expect("clocks").black.time, Duration::from_millis(810));
    let usual = Question {
        position: GamePosition {
            moves: vec!["e2e4".parse().expect("a move")],
            ..GamePosition::start_position()
        },
        ..question(START, "")
    };
    assert_eq!(pass(BorderFault::HistoryLostWithFen, &usual).0.position, usual.position);
    assert_ne!(pass(BorderFault::ForgetHistory, &usual).0.position, usual.position);
}

#[test]
fn overhead_fault_sends_a_move_overhead_of_zero() {
    let spec: EngineSpec = "./engine,Hash=4,move overhead=50".parse().expect("sound");
    let sent = outgoing::spec(BorderFault::OverheadIgnored, &spec).options;
    let sent: Vec<_> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(sent, [("Hash", "4"), ("Move Overhead", "0")]);
    let echo: EngineSpec = "echo".parse().expect("sound");
    let sent = outgoing::spec(BorderFault::OverheadIgnored, &echo).options;
    assert_eq!(sent, [("Move Overhead".to_owned(), "0".to_owned())]);
    assert_eq!(outgoing::spec(BorderFault::IncrementIgnored, &spec).options, spec.options);
}

#[test]
fn option_and_perft_faults_reach_echo() {
    let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
    let launched = |spec: &str| launch(&spec.parse().expect("sound"), &options);
    // An unknown option is refused, unless it never reaches Echo.
    assert!(launched("echo,NoSuchOption=1,fault=PvIllegal").is_err());
    assert!(launched("echo,NoSuchOption=1,fault=StrengthIgnored").is_err());
    assert!(launched("echo,NoSuchOption=1,fault=OptionsIgnored").is_ok());
    assert!(launched("echo,UCI_Elo=none,fault=StrengthIgnored").is_ok());
    let leaves = |spec: &str| {
        let mut player = launched(spec).expect("it can be launched");
        player.perft(&GamePosition::start_position(), Ply(2)).expect("it counts")
    };
    assert_eq!((leaves("echo"), leaves("echo,fault=PerftShort")), (400, 20));
}

#[test]
fn only_its_fault_suppresses_a_new_game() {
    for (fault, reported) in [(BorderFault::NewGameIgnored, 0), (BorderFault::PvIllegal, 1)] {
        let games = Arc::new(Mutex::new(0));
        let mut player = FaultInjector { player: Box::new(Counter(Arc::clone(&games))), fault };
        player.new_game().expect("it never fails");
        assert_eq!(*games.lock().expect("one thread"), reported, "{fault}");
    }
}

#[test]
fn measurements_are_those_of_the_player() {
    let player = Box::new(Counter(Arc::default()));
    let mut player = FaultInjector { player, fault: BorderFault::PvIllegal };
    let time = Duration::from_millis(3);
    assert_eq!((player.idle_cpu(time), player.peak_memory()), (Some(time), Some(7)));
    assert_eq!((player.round_trip(), player.ready_after()), (Some(time), Some(time)));
}

/// Counts new games.
struct Counter(Arc<Mutex<u32>>);

impl Player for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn new_game(&mut self) -> Result<(), EngineFault> {
        *self.0.lock().expect("one thread") += 1;
        Ok(())
    }

    fn answer(&mut self, _: &Question) -> Result<Answer, EngineFault> {
        Ok(Answer::silent())
    }

    fn ready_after(&self) -> Option<Duration> {
        Some(Duration::from_millis(3))
    }

    fn idle_cpu(&mut self, time: Duration) -> Option<Duration> {
        Some(time)
    }

    fn peak_memory(&mut self) -> Option<u64> {
        Some(7)
    }

    fn round_trip(&mut self) -> Option<Duration> {
        Some(Duration::from_millis(3))
    }
}
