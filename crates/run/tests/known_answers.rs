//! A run of takes with known answers has the games of runs without them.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Position};

use threefold_chess::clock::Stop;
use threefold_chess::position::GamePosition;
use threefold_games::game::{Adjudication, GameRecord};
use threefold_games::opening::Opening;
use threefold_games::playout::adjudication::{MaxMoves, Rule};
use threefold_player::{Answer, EngineFault, EngineSpec, LaunchOptions, Player, Question, ScriptedPlayer};
use threefold_run::journal::Journal;
use threefold_run::pool::{PoolConfig, PreparedPool, RunStatus};
use threefold_run::{
    JobKey, JobResult, MatchTask, PairCounting, Part, Purpose, RunRecord, RunSpec, TakesRule, Task, takes,
};
use threefold_stats::takes::{Guarantee, TakesEnd};
use threefold_stats::{EloModel, Risks, Sprt};

const BASE: &str = "echo,name=Base,Hash=1";

/// A change of the base that acts rarely, and one that acts often.
const TAKES: [&str; 2] = ["echo,name=A,Hash=1,HashFifty=Ignore", "echo,name=B,Hash=1,nodes=64"];

/// Positions after eight random moves.
fn openings(number: usize) -> Vec<Opening> {
    let mut random = ChaCha8Rng::seed_from_u64(49);
    let mut opening = || {
        let (mut position, mut history) = (Chess::default(), GamePosition::start_position());
        for _ in 0..8 {
            let legal = position.legal_moves();
            let mv = legal[random.random_range(0..legal.len())];
            history.moves.push(mv.to_uci(CastlingMode::Standard));
            position.play_unchecked(mv);
        }
        Opening { history, ..Opening::start_position() }
    };
    (0..number).map(|_| opening()).collect()
}

/// A test that no number of pairs decides.
fn task(take: &str, pairs: usize) -> MatchTask {
    let test = Sprt::new(EloModel::Normalized, -1.0, 1.0, Risks { alpha: 1e-9, beta: 1e-9 });
    let length: Arc<dyn Rule> = Arc::new(MaxMoves(NonZeroU32::new(40).expect("not zero")));
    let engines = [take, BASE].map(|text| text.parse().expect("sound")).to_vec();
    MatchTask {
        control: "nodes=60".parse().expect("sound"),
        adjudication: Adjudication::new([length]),
        purpose: Purpose::Test(test.expect("sound").into()),
        ..MatchTask::new(engines, openings(pairs), pairs)
    }
}

fn takes_run(pairs: usize) -> RunSpec {
    let rule = TakesRule::new(TakesEnd::AllDecided, Guarantee::Each);
    let spec = takes::spec(TAKES.map(|take| task(take, pairs)).to_vec(), rule, 7);
    RunSpec { counting: PairCounting::All, ..spec }
}

/// The games of a run by part and number, and the number of searches of the base. After `alike` searches it
/// counts one node more in each.
fn played(spec: RunSpec, alike: usize) -> (BTreeMap<JobKey, GameRecord>, usize) {
    let searches = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&searches);
    let launch = move |spec: &EngineSpec, options: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
        let mut player = threefold_player::launch(spec, options)?;
        if spec.name != "Base" {
            return Ok(player);
        }
        let counter = Arc::clone(&counter);
        Ok(Box::new(ScriptedPlayer::new("Base", move |question: &Question| {
            // A scripted player has no start of a game of its own.
            if question.position.moves.len() < 10 {
                player.new_game()?;
            }
            let drift = u64::from(counter.fetch_add(1, Ordering::Relaxed) >= alike);
            player.answer(question).map(|answer| Answer { nodes: answer.nodes + drift, ..answer })
        })))
    };
    let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH).expect("memory");
    let config = PoolConfig {
        launch: &launch,
        ..PoolConfig::new(NonZeroUsize::new(2).expect("not zero"), Stop::default())
    };
    let prepared = PreparedPool::to_begin(Arc::clone(journal.spec()), &config).expect("sound");
    assert_eq!(prepared.run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
    assert!(RunRecord::from_journal(&journal).expect("sound").is_done());
    let mut games = BTreeMap::new();
    let take = &mut |key, result: JobResult| {
        let JobResult::Game(game) = result else { return Err("a case".to_owned()) };
        games.insert(key, game);
        Ok(())
    };
    journal.contents().replay(take).expect("sound");
    (games, searches.load(Ordering::Relaxed))
}

/// Plays takes with known answers, and each take alone.
fn compare(pairs: usize) {
    let (games, searches) = played(takes_run(pairs), usize::MAX);
    assert_eq!(games.len(), 4 * pairs);
    let mut searches_alone = 0;
    for (part, take) in TAKES.iter().enumerate() {
        let alone = Part::without_labels("alone".to_owned(), Task::Match(task(take, pairs)));
        let spec = RunSpec { parts: vec![alone], counting: PairCounting::All, ..RunSpec::default() };
        let (expected, searches) = played(spec, usize::MAX);
        searches_alone += searches;
        for (key, game) in expected {
            assert_eq!(games[&JobKey { part, ..key }], game, "{take}, game {}", key.job + 1);
        }
    }
    assert!(searches * 10 < searches_alone * 9, "{searches} of {searches_alone}");
}

#[test]
fn games_with_known_answers_are_those_of_each_take_alone() {
    compare(24);
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn thousand_pairs_with_known_answers_are_those_of_each_take_alone() {
    compare(1_000);
}

#[test]
fn base_that_answers_otherwise_plays_its_games_itself() {
    let (whole, all) = played(takes_run(24), usize::MAX);
    let (games, searches) = played(takes_run(24), 300);
    assert_eq!(games.len(), whole.len());
    assert!(searches > all, "{searches} searches, {all} by a base that always answers alike");
    let moves = |games: &BTreeMap<JobKey, GameRecord>| {
        games
            .values()
            .map(|game| game.played.iter().map(|played| played.mv).collect())
            .collect::<Vec<Vec<_>>>()
    };
    assert_eq!(moves(&games), moves(&whole), "its moves are the same, and no game is lost");
}
