//! Plain alpha-beta on real positions: table entries are compared with full searches without a table.

mod baits;
mod fifty;
#[cfg(feature = "mutants")]
mod mutants;
mod solved;

use std::collections::HashMap;

use cozy_chess::Board;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::node::{Node, Search};
use super::node_result::NodeResult;
use super::thread_data::{ScoreContext, SearchMemory};
use super::window::Window;
use crate::budget::{SearchBudget, SearchStopped, SharedCounters};
use crate::engine::tests::request;
use crate::eval;
use crate::feature_switches::{Feature, FeatureSwitches};
use crate::mutants::SeededBug;
use crate::options::Settings;
use crate::position::{Key, key_of, legal_moves};
use crate::range::ScoreRange;
use crate::repetition::{Path, PathDependence};
use crate::table::{HashBounds, HashScores, TtEntry};
use crate::value::Value;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Bound;

/// Plain alpha-beta with a hash table, with or without cutoffs.
fn plain(scores: HashScores, cuts: bool) -> Settings {
    let mut features = FeatureSwitches::PLAIN;
    features.switch(Feature::TableCut, cuts);
    Settings { hash: 1, hash_scores: scores, features, ..Settings::DEFAULT }
}

/// A search of the position after a move of the root, which starts the game.
struct Question<'q> {
    settings: &'q Settings,
    root: &'q Board,
    mv: cozy_chess::Move,
    depth: i32,
    window: Window,
    /// The node limit.
    nodes: u64,
    oracle: Option<fn(&Board) -> Value>,
}

impl<'q> Question<'q> {
    /// With this depth, without other limits.
    fn new(settings: &'q Settings, root: &'q Board, mv: cozy_chess::Move, depth: i32) -> Self {
        Self { settings, root, mv, depth, window: Window::open(), nodes: u64::MAX, oracle: None }
    }
}

fn ask(memory: &mut SearchMemory, question: &Question<'_>) -> Result<Value, SearchStopped> {
    Ok(result(memory, question, &[])?.value)
}

/// The result after more moves.
fn result(
    memory: &mut SearchMemory,
    question: &Question<'_>,
    more: &[cozy_chess::Move],
) -> Result<NodeResult, SearchStopped> {
    result_and_nodes(memory, question, more).map(|(result, _)| result)
}

/// The result after more moves, and the number of nodes.
fn result_and_nodes(
    memory: &mut SearchMemory,
    question: &Question<'_>,
    more: &[cozy_chess::Move],
) -> Result<(NodeResult, u64), SearchStopped> {
    let Question { settings, root, mv, depth, window, nodes, oracle } = *question;
    let position = GamePosition::start_position();
    let limits = Limits::nodes(nodes);
    let request = request(&position, &limits);
    let shared = SharedCounters::default();
    let budget = SearchBudget::new(&request, None, settings, &shared);
    let key = key_of(root, SeededBug::NONE);
    let mut path = Path::new(SeededBug::NONE);
    path.start(root, key);
    memory.begin_search(ScoreContext::new(&path, root.side_to_move(), settings));
    let (table, thread) = (&memory.table, &mut memory.thread_data[0]);
    let mut search = Search::<'_, false>::new(table, thread, budget, None, path, settings);
    search.oracle = oracle;
    search.iteration = depth;
    let mut after = search.play(&Node::root(root, key), mv);
    for &mv in more {
        after = search.play(&after, mv);
    }
    after.depth = depth;
    let result = search.search(&after, window)?;
    Ok((result, search.budget.own_nodes()))
}

/// A search without a table, with the position as the first of its line.
struct Fresh {
    line: Vec<Key>,
}

impl Fresh {
    fn value(board: &Board, depth: i32) -> Value {
        Self { line: Vec::new() }.search(board, depth, Value::MINUS_INFINITE, Value::INFINITE)
    }

    fn search(&mut self, board: &Board, depth: i32, mut alpha: Value, beta: Value) -> Value {
        let key = key_of(board, SeededBug::NONE);
        if eval::is_insufficient(board) || self.line.contains(&key) {
            return Value::DRAW;
        }
        if depth == 0 {
            return eval::evaluate(board);
        }
        let moves = legal_moves(board);
        let ply = self.line.len();
        if moves.is_empty() {
            return if board.checkers().is_empty() { Value::DRAW } else { Value::mated_at(ply) };
        }
        self.line.push(key);
        let mut best = Value::MINUS_INFINITE;
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            best = best.max(-self.search(&after, depth - 1, -beta, -alpha));
            alpha = alpha.max(best);
            if best >= beta {
                break;
            }
        }
        self.line.pop();
        best
    }
}

/// All positions within this number of plies, each once, with the remaining plies.
fn around(board: &Board, plies: i32, found: &mut HashMap<Key, (Board, i32)>) {
    let key = key_of(board, SeededBug::NONE);
    if found.get(&key).is_some_and(|&(_, left)| left >= plies) {
        return;
    }
    found.insert(key, (board.clone(), plies));
    if plies > 0 {
        for mv in legal_moves(board) {
            let mut after = board.clone();
            after.play_unchecked(mv);
            around(&after, plies - 1, found);
        }
    }
}

/// Wrong table entries: FEN, depth, stored range.
fn untrue(memory: &SearchMemory, from: &Board, depth: i32) -> Vec<(String, u8, ScoreRange)> {
    let mut near = HashMap::new();
    around(from, depth, &mut near);
    let entries = near.values().filter_map(|(board, _)| {
        let entry = memory.table.probe(key_of(board, SeededBug::NONE))?;
        let truth = Fresh::value(board, i32::from(entry.depth));
        let holds = entry.range.low <= truth && truth <= entry.range.high;
        (!holds).then(|| (board.to_string(), entry.depth, entry.range))
    });
    entries.collect()
}

/// Endings with few moves.
const SMALL: &[&str] = &[
    "8/8/8/8/8/k1p5/2P5/K7 w - - 0 1",
    "8/8/8/p7/P7/k7/8/1K6 w - - 0 1",
    "k7/P7/8/K7/8/8/8/8 b - - 0 1",
    "8/8/8/8/1k6/p7/8/K7 w - - 0 1",
    "7k/5K2/8/8/8/8/6R1/8 w - - 0 1",
    "k7/8/1K6/8/8/8/8/Q7 b - - 0 1",
    "7k/8/5KN1/8/8/8/8/5B2 b - - 0 1",
];

#[test]
fn entries_are_correct_without_probing_except_with_real_and_progressive_scores() {
    let arms = [
        HashScores::Real,
        HashScores::Progressive,
        HashScores::Untainted,
        HashScores::Shadow,
        HashScores::BaseTwin,
    ];
    let mut lies = [0; 5];
    for fen in SMALL {
        let root: Board = fen.parse().expect("sound");
        for mv in legal_moves(&root) {
            for (arm, scores) in arms.into_iter().enumerate() {
                let settings = plain(scores, false);
                let mut memory = SearchMemory::new(1, HashBounds::Single);
                let question = Question::new(&settings, &root, mv, 5);
                let found = ask(&mut memory, &question).expect("nothing stops it");
                let mut after = root.clone();
                after.play_unchecked(mv);
                let truth = Fresh::value(&after, 5);
                if !truth.is_mate() {
                    assert_eq!(found, truth, "{scores}: {fen} {mv}");
                }
                lies[arm] += untrue(&memory, &after, 5).len();
            }
        }
    }
    assert!(lies[0] > lies[1] && lies[1] > 0, "{lies:?}");
    assert_eq!(lies[2..], [0, 0, 0]);
}

/// The number of table entries with a value after searches of small endings.
fn kept(scores: HashScores) -> usize {
    let settings = plain(scores, false);
    let mut known = 0;
    for fen in SMALL {
        let root: Board = fen.parse().expect("sound");
        for mv in legal_moves(&root) {
            let mut memory = SearchMemory::new(1, HashBounds::Single);
            ask(&mut memory, &Question::new(&settings, &root, mv, 6)).expect("nothing stops it");
            let mut near = HashMap::new();
            around(&root, 4, &mut near);
            let entries = near.keys().filter_map(|&key| memory.table.probe(key));
            known += entries.filter(|entry| entry.range != ScoreRange::UNKNOWN).count();
        }
    }
    known
}

#[test]
fn shadow_scores_keep_more_than_untainted_ones() {
    let [untainted, shadow, real] = [HashScores::Untainted, HashScores::Shadow, HashScores::Real].map(kept);
    assert!(0 < untainted && untainted < shadow && shadow < real, "{untainted} {shadow} {real}");
}

/// White gives perpetual check, and loses otherwise. The draw depends on a repetition of this position alone,
/// so it is a property of the position, and is stored.
#[test]
fn forced_draw_is_stored() {
    let root: Board = "8/6pk/8/7Q/8/8/qq6/7K b - - 0 1".parse().expect("sound");
    let mv = "h7g8".parse().expect("a move");
    let mut drawn = root.clone();
    drawn.play_unchecked(mv);
    assert!(eval::evaluate(&drawn) < Value::DRAW);
    for scores in [HashScores::Untainted, HashScores::Shadow, HashScores::Guarded, HashScores::BaseTwin] {
        let settings = plain(scores, false);
        let mut memory = SearchMemory::new(1, HashBounds::Single);
        let found = ask(&mut memory, &Question::new(&settings, &root, mv, 4)).expect("nothing stops it");
        let entry = memory.table.probe(key_of(&drawn, SeededBug::NONE)).expect("it was met");
        assert_eq!((found, entry.range), (Value::DRAW, ScoreRange::exactly(Value::DRAW)), "{scores}");
    }
}

/// White has moved the rook; the repetition draws of the king's moves are in the table only.
#[test]
fn real_scores_alone_store_a_lost_ending_as_drawn() {
    let root: Board = "7k/5K2/8/8/8/8/6R1/8 w - - 0 1".parse().expect("sound");
    let lost: Board = "8/5K2/7k/8/8/8/8/6R1 b - - 5 3".parse().expect("sound");
    for (scores, lies) in
        [(HashScores::Real, true), (HashScores::Untainted, false), (HashScores::Shadow, false)]
    {
        let settings = plain(scores, false);
        let mut memory = SearchMemory::new(1, HashBounds::Single);
        let question = Question::new(&settings, &root, "g2g1".parse().expect("a move"), 5);
        ask(&mut memory, &question).expect("nothing stops it");
        let entry = memory.table.probe(key_of(&lost, SeededBug::NONE)).expect("it was met");
        assert!(Fresh::value(&lost, i32::from(entry.depth)) < Value::DRAW);
        assert_eq!(entry.range.low >= Value::DRAW, lies, "{scores}: {:?}", entry.range);
    }
}

#[test]
fn value_does_not_depend_on_the_table_with_guarded_scores_or_twins() {
    for (quiescence, coming) in [(false, false), (true, false), (false, true), (true, true)] {
        let with = |scores, cuts| {
            let mut settings = plain(scores, cuts);
            settings.features.switch(Feature::Quiescence, quiescence);
            Settings { cycle_detection: coming, ..settings }
        };
        let bare = with(HashScores::Guarded, false);
        let [guarded, twins] = [HashScores::Guarded, HashScores::BaseTwin].map(|scores| {
            let (wrong, nodes) = wrong_warm_values(&with(scores, true), &bare);
            assert_eq!(wrong, 0, "{scores} {quiescence} {coming}");
            nodes
        });
        assert!(twins < guarded, "twins save nodes: {twins} {guarded}");
    }
}

/// The number of searches with warm tables whose values differ from those of searches without, and their
/// nodes.
fn wrong_warm_values(settings: &Settings, bare: &Settings) -> (usize, u64) {
    let (mut wrong, mut nodes) = (0, 0);
    let random = &mut ChaCha8Rng::seed_from_u64(5);
    let mut warm = [1, 2, 3].map(|size| SearchMemory::new(size, HashBounds::Single));
    for _ in 0..60 {
        let root: Board = if random.random_bool(0.5) {
            SMALL.choose(random).expect("not empty").parse().expect("sound")
        } else {
            solved::three_pieces(random)
        };
        let mv = *legal_moves(&root).choose(random).expect("there is one");
        let question = |settings| Question::new(settings, &root, mv, 5);
        let cold =
            ask(&mut SearchMemory::new(1, HashBounds::Single), &question(bare)).expect("nothing stops it");
        for memory in &mut warm {
            let (found, spent) =
                result_and_nodes(memory, &question(settings), &[]).expect("nothing stops it");
            wrong += usize::from(found.value != cold);
            nodes += spent;
        }
    }
    (wrong, nodes)
}

/// Black is in check at the horizon, and its only evasion repeats a position.
fn evasion_that_repeats(settings: &Settings) -> NodeResult {
    let root: Board = "8/6pk/8/7Q/8/8/qq6/7K b - - 0 1".parse().expect("sound");
    let mut settings = *settings;
    settings.features.switch(Feature::Quiescence, true);
    let [first, check, reply, again] = ["h7g8", "h5e8", "g8h7", "e8h5"].map(|mv| mv.parse().expect("a move"));
    let question = Question::new(&settings, &root, first, 0);
    let mut memory = SearchMemory::new(1, HashBounds::Single);
    result(&mut memory, &question, &[check, reply, again]).expect("nothing stops it")
}

#[test]
fn an_evasion_that_repeats_a_position_depends_on_the_path() {
    let found = evasion_that_repeats(&plain(HashScores::Shadow, false));
    assert_eq!((found.value, found.dependence), (Value::DRAW, PathDependence::on_ply(1)));
}

/// The table says that one move is good. All others are good enough as well, because an earlier position can
/// be repeated after them: that cuts the node, but on this path only.
#[test]
fn a_multicut_by_a_repetition_depends_on_the_path() {
    let root: Board = "8/6pk/8/7Q/8/8/qq6/7K b - - 0 1".parse().expect("sound");
    let mut settings = plain(HashScores::Shadow, false);
    settings.features.switch(Feature::Singular, true);
    let [first, check, reply] = ["h7g8", "h5e8", "g8h7"].map(|mv| mv.parse().expect("a move"));
    let mut node = root.clone();
    for mv in [first, check, reply] {
        node.play_unchecked(mv);
    }
    let mut memory = SearchMemory::new(1, HashBounds::Single);
    // Not the check that repeats the root.
    let entry = TtEntry {
        best: Some("e8e7".parse().expect("a move")),
        range: ScoreRange::bounded(Value::evaluation(-100), Bound::Lower),
        evaluation: None,
        depth: 20,
        age: 0,
        open: 0,
    };
    memory.begin_search(ScoreContext::default());
    memory.table.store(key_of(&node, SeededBug::NONE), entry);
    let window = Window::above(Value::evaluation(-150));
    let question = Question { window, ..Question::new(&settings, &root, first, 7) };
    let found = result(&mut memory, &question, &[check, reply]).expect("nothing stops it");
    assert_eq!(found.value, Value::evaluation(-114), "the goal of a multicut");
    assert_eq!(found.dependence, PathDependence::on_ply(1));
}

#[test]
fn interrupted_search_stores_no_wrong_entries() {
    let mut called_off = 0;
    for nodes in (20..600).step_by(40) {
        let settings = plain(HashScores::Shadow, false);
        for fen in &SMALL[..3] {
            let root: Board = fen.parse().expect("sound");
            let mut memory = SearchMemory::new(1, HashBounds::Single);
            let mv = legal_moves(&root)[0];
            let question = Question { nodes, ..Question::new(&settings, &root, mv, 6) };
            called_off += u32::from(ask(&mut memory, &question).is_err());
            let mut after = root.clone();
            after.play_unchecked(mv);
            assert_eq!(untrue(&memory, &after, 6), [], "{fen} {nodes}");
        }
    }
    assert!(called_off > 10, "{called_off}");
}
