//! Models of each policy, and Echo with each of its policies: the signature must name the policy.

use shakmaty::Position;
use shakmaty::uci::UciMove;

use super::*;
use crate::dialogue::script::{lead, says};
use crate::signature::{ProbeResult, Signature, Topic, probe_result};
use crate::verdict::{CaseRecord, Verdict, VerdictKind};
use crate::{SignatureReading, SourceFile, Suite, SuiteSource, Timing, run_case};
use selection::MoveAppeal;
use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_oracle::referee::Referee;
use threefold_player::{Answer, EngineSpec, LaunchOptions, Player, Question, ScriptedPlayer, launch};

/// The shipped traps.
const TRAPS: &str = include_str!("../../../../../positions/traps.csv");

/// Enough of each topic to settle it.
const PER_TOPIC: usize = 10;

fn shipped() -> Vec<Probe> {
    let source_file = SourceFile { file: "traps.csv".to_owned(), text: TRAPS.to_owned() };
    probes(&trap::parse_traps(&source_file).expect("sound"), PER_TOPIC)
}

fn record(probe: &Probe, verdict: Verdict) -> CaseRecord {
    CaseRecord {
        suite: "policy".to_owned(),
        id: probe.trap.clone(),
        class: probe.topic.name().to_owned(),
        engine: String::new(),
        accepted: String::new(),
        note: String::new(),
        line: GamePosition::start_position(),
        verdict,
    }
}

/// The signature of an engine that is launched anew for each probe.
fn reading(mut engine: impl FnMut(&Probe) -> Box<dyn Player>) -> SignatureReading {
    let records: Vec<CaseRecord> = shipped()
        .iter()
        .map(|probe| {
            let mut inquiry = ProbeCase::new(probe.clone(), Limits::nodes(2000));
            let verdict = run_case(&mut inquiry, &mut [engine(probe)], Timing::default())
                .expect("there is no interruption");
            record(probe, verdict)
        })
        .collect();
    SignatureReading::from_records(&records)
}

fn echo(options: &str) -> SignatureReading {
    let spec: EngineSpec = format!("echo,{options}").parse().expect("sound");
    reading(|_| {
        launch(&spec, &LaunchOptions::new(ClockSource::Wall, Stop::default()))
            .expect("Echo has these options")
    })
}

#[test]
fn echo_is_named_by_its_own_policy() {
    let table = [
        ("RepetitionPolicy=HistoryDraw", Signature::Draw),
        ("RepetitionPolicy=HistoryIgnored", Signature::Ignored),
        ("RepetitionPolicy=Threefold", Signature::Threefold),
    ];
    for (options, signature) in table {
        let reading = echo(options);
        assert_eq!(reading.signature, signature, "{options}: {reading:?}");
    }
}

#[test]
fn engine_without_history_is_blind() {
    let reading = echo("fault=ForgetHistory");
    assert_eq!(reading.signature, Signature::Blind, "{reading:?}");
}

/// Does an engine know `searchmoves`?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SearchMoves {
    Known,
    Ignored,
}

/// An engine that knows the good moves, and scores draws by a policy.
fn model(probe: &Probe, moves: SearchMoves, is_draw: fn(Before) -> bool) -> Box<dyn Player> {
    let probe = probe.clone();
    Box::new(ScriptedPlayer::new("model", move |question: &Question| {
        let drawn = is_draw(Before::of(question, probe.asked));
        if moves == SearchMoves::Known && !question.searchmoves.is_empty() {
            let score = if drawn { 0 } else { 500 };
            return Ok(says(&probe.asked.to_string(), &[&format!("cp {score} {}", probe.asked)]));
        }
        let plays_asked = drawn == (probe.appeal == MoveAppeal::Repels);
        let score = match (probe.appeal, drawn) {
            (MoveAppeal::Attracts, _) => 500,
            (MoveAppeal::Repels, true) => 0,
            (MoveAppeal::Repels, false) => -500,
        };
        let best = if plays_asked { probe.asked } else { another(&probe) };
        Ok(says(&best.to_string(), &[&format!("cp {score} {best}")]))
    }))
}

/// A good move other than the one asked about, or any other if there is none.
fn another(probe: &Probe) -> UciMove {
    let referee = Referee::new(&probe.without_history).expect("a shipped line");
    let legal = referee.position().legal_moves().into_iter().map(|mv| referee.uci(mv));
    let mut others = probe.best.iter().copied().chain(legal).filter(|&mv| mv != probe.asked);
    others.next().expect("a choice")
}

/// How often a move's position occurred, and whether that was at the start only.
struct Before {
    times: usize,
    is_first: bool,
}

impl Before {
    fn of(question: &Question, mv: UciMove) -> Self {
        let mut referee = Referee::new(&question.position).expect("a shipped line");
        let times = referee.occurrences_after(referee.legal(mv).expect("a move of the file"));
        referee.play(mv).expect("a move of the file");
        let start =
            Referee::new(&GamePosition { moves: Vec::new(), ..question.position.clone() }).expect("a start");
        Self { times, is_first: start.position().board() == referee.position().board() }
    }
}

#[test]
fn policies_are_recognised_with_and_without_searchmoves() {
    type IsDraw = fn(Before) -> bool;
    let draw: IsDraw = |before| before.times >= 1;
    let short: IsDraw = |before| before.times >= 2 || (before.times == 1 && !before.is_first);
    let third: IsDraw = |before| before.times >= 2;
    let blind: IsDraw = |_| false;
    let table = [
        (draw, Signature::Draw),
        (short, Signature::DrawScanTooShort),
        // A model has no PV, so its policy inside the search does not show.
        (third, Signature::IgnoredOrThreefold),
        (blind, Signature::Blind),
    ];
    for (is_draw, signature) in table {
        for moves in [SearchMoves::Known, SearchMoves::Ignored] {
            let reading = reading(|probe| model(probe, moves, is_draw));
            assert_eq!(reading.signature, signature, "{moves:?}: {reading:?}");
        }
    }
}

#[test]
fn random_answers_are_undecided() {
    for moves in [SearchMoves::Known, SearchMoves::Ignored] {
        let mut seed = 1_u64;
        let reading = reading(|probe| random(&mut seed, probe, moves));
        assert_eq!(reading.signature, Signature::Undecided, "{moves:?}: {reading:?}");
    }
}

/// Plays any move and gives any score, a draw with probability 1/2.
fn random(seed: &mut u64, probe: &Probe, moves: SearchMoves) -> Box<dyn Player> {
    *seed += 1;
    let mut state = *seed;
    let probe = probe.clone();
    Box::new(ScriptedPlayer::new("random", move |question: &Question| {
        // Knuth's MMIX multiplier: any pseudo-random sequence will do.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let referee = Referee::new(&question.position).expect("a shipped line");
        let legal = referee.position().legal_moves();
        let any = referee.uci(legal[(state >> 33) as usize % legal.len()]);
        let best =
            if moves == SearchMoves::Known && !question.searchmoves.is_empty() { probe.asked } else { any };
        let score = if (state >> 60).is_multiple_of(2) { 0 } else { 77 };
        Ok(says(&best.to_string(), &[&format!("cp {score} {best}")]))
    }))
}

/// A forced loop: White's only draw is to keep checking.
const LOOP: &str = "p,perpetual-find,8/4pQ1k/5p1p/4P3/1q5b/8/2P2r2/2K5 b - - 1 1,h7h8 f7f8 h8h7,f8f7,,draw";

fn in_tree(answer: Answer) -> Verdict {
    let source_file = SourceFile {
        file: "t.csv".to_owned(),
        text: format!("id,class,fen,moves,best,avoid,result\n{LOOP}\n"),
    };
    let found = probes(&trap::parse_traps(&source_file).expect("sound"), 1);
    let [probe] = &found[..] else { panic!("{found:?}") };
    assert_eq!(probe.topic, Topic::InTree);
    lead(&mut ProbeCase::new(probe.clone(), Limits::nodes(2000)), [answer]).0
}

#[test]
fn variation_shows_the_score_of_a_second_occurrence() {
    let once = "f8f7 h7h8 f7f8 h8h7";
    let table = [
        (vec![format!("cp 0 {once}")], ProbeResult::Draw),
        (vec![format!("cp 0 {once} f8f7")], ProbeResult::Draw),
        (vec![format!("cp -2 {once} {once}")], ProbeResult::NoDraw),
        (vec![format!("cp 0 {once} {once}"), "cp 0 f8f7".to_owned()], ProbeResult::NoDraw),
        (vec![format!("cp -90 {once} {once}"), format!("cp 0 {once}")], ProbeResult::Draw),
        (vec!["cp 0 f8f7 h7h8".to_owned()], ProbeResult::Inconclusive),
        (vec![format!("cp -90 {once} {once}")], ProbeResult::Inconclusive),
        (vec![], ProbeResult::Inconclusive),
    ];
    for (claims, expected) in table {
        let claims: Vec<&str> = claims.iter().map(String::as_str).collect();
        let verdict = in_tree(says("f8f7", &claims));
        let found = probe_result(&record(&shipped()[0], verdict.clone()));
        assert_eq!(found, Some(expected), "{claims:?}: {}", verdict.reason());
        assert_eq!(
            verdict.kind(),
            if expected == ProbeResult::Inconclusive { VerdictKind::Skipped } else { VerdictKind::Passed }
        );
    }
}

#[test]
fn illegal_move_is_a_fault() {
    let verdict = in_tree(says("f8a1", &[]));
    assert_eq!((verdict.kind(), verdict.reason().as_str()), (VerdictKind::Fault, "illegal move: f8a1"));
}

#[test]
fn every_topic_has_valid_probes() {
    for probe in shipped() {
        let bare = Referee::new(&probe.without_history).expect("sound");
        let referee = Referee::new(&probe.position).expect("sound");
        let times = referee.occurrences_after(referee.legal(probe.asked).expect("legal"));
        let expected = match probe.topic {
            Topic::Inside | Topic::Edge => 1,
            Topic::Third => 2,
            Topic::InTree => 0,
        };
        assert_eq!(times, expected, "{probe:?}");
        assert_eq!(bare.position().board(), referee.position().board(), "{probe:?}");
        assert!(probe.topic != Topic::Edge || probe.appeal == MoveAppeal::Repels, "{probe:?}");
    }
    for topic in Topic::ALL {
        let count = shipped().iter().filter(|probe| probe.topic == *topic).count();
        assert!((8..=PER_TOPIC).contains(&count), "{topic}: {count}");
    }
}

#[test]
fn settings_are_checked() {
    let table = [
        ("", "missing field `settings`"),
        ("[settings]\nper_topic = 0\n", "`per_topic` is 0"),
        ("[settings]\nper_topic = 5\nmore = 1\n", "unknown field `more`"),
    ];
    for (settings, message) in table {
        let text = format!(
            "version = 1\nkind = \"policy\"\ntitle = \"t\"\npositions = [\"t.csv\"]\n[limits]\nnodes = 9\n{settings}"
        );
        let source_file = SourceFile { file: "p.toml".to_owned(), text };
        let positions = vec![SourceFile { file: "t.csv".to_owned(), text: TRAPS.to_owned() }];
        let error =
            Suite::read(&SuiteSource { suite_file: source_file, positions }).expect_err(message).to_string();
        assert!(error.contains(message) && error.contains("p.toml"), "{error}");
    }
}
