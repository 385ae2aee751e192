//! Tests of the path-dependence rules on random graphs, where all values can be computed by brute force.
//!
//! Positions are numbers, the sides move in turn, and every game consists of cycles, so rare cases occur in
//! every search. The rules under test are the engine's own code.

use std::collections::HashMap;

use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::table::{self, CutoffPermission, CycleRoom, HashScores, HorizonSearch};

/// A game on a graph. The lower half of the positions is one side's to move, the upper half the other's.
struct Graph {
    moves: Vec<Vec<usize>>,
    /// The static value of a position, for the side to move.
    worth: Vec<i32>,
}

impl Graph {
    /// A random graph: up to three moves per position; no move can be taken back at once.
    fn random(random: &mut ChaCha8Rng, each: usize) -> Self {
        let mut moves: Vec<Vec<usize>> = vec![Vec::new(); 2 * each];
        for at in 0..2 * each {
            let other_side = if at < each { each..2 * each } else { 0..each };
            let sound = other_side.filter(|&to| !moves[to].contains(&at));
            let count = random.random_range(1..=3);
            let chosen = sound.sample(random, count);
            moves[at] = chosen;
        }
        let worth = (0..2 * each).map(|_| random.random_range(-20..=20)).collect();
        Self { moves, worth }
    }

    /// A graph with exact static values -1, 0 or 1. The side without a move has lost.
    fn solved(random: &mut ChaCha8Rng, each: usize) -> Self {
        let mut graph = Self::random(random, each);
        for _ in 0..random.random_range(1..=each / 3) {
            let lost = random.random_range(0..2 * each);
            graph.moves[lost].clear();
        }
        graph.worth = vec![0; 2 * each];
        loop {
            let before = graph.worth.clone();
            for (at, moves) in graph.moves.iter().enumerate() {
                graph.worth[at] = if moves.iter().any(|&to| before[to] == -1) {
                    1
                } else {
                    -i32::from(moves.iter().all(|&to| before[to] == 1))
                };
            }
            if before == graph.worth {
                return graph;
            }
        }
    }

    /// The value of a full search without bounds and table at the end of a line.
    fn value(&self, line: &mut Vec<usize>, at: usize, depth: i32) -> i32 {
        if line.contains(&at) {
            return 0;
        }
        if self.moves[at].is_empty() {
            return -1;
        }
        if depth == 0 {
            return self.worth[at];
        }
        line.push(at);
        let value = self.moves[at].iter().map(|&to| -self.value(line, to, depth - 1)).max();
        line.pop();
        value.expect("there are moves")
    }

    /// The true value of a position as the root.
    fn fresh(&self, at: usize, depth: i32) -> i32 {
        self.value(&mut Vec::new(), at, depth)
    }
}

/// A search with an unlimited hash table.
struct Model<'g> {
    graph: &'g Graph,
    scores: HashScores,
    probes: bool,
    sees_upcoming: bool,
    table: HashMap<usize, (ScoreRange, i32)>,
    /// The entries that are valid on one path only, with `BaseTwin`.
    twins: HashMap<(Vec<usize>, usize), (ScoreRange, i32, PathDependence)>,
    /// All stored entries: position, depth, range. Without those that a node stores before its last move.
    stored: Vec<(usize, i32, ScoreRange)>,
    /// All stored twins: path, position, depth, range.
    stored_twins: Vec<(Vec<usize>, usize, i32, ScoreRange)>,
    line: Vec<usize>,
}

fn value(raw: i32) -> Value {
    Value::from_raw(raw)
}

impl<'g> Model<'g> {
    fn new(graph: &'g Graph, scores: HashScores) -> Self {
        Self {
            graph,
            scores,
            probes: true,
            sees_upcoming: false,
            table: HashMap::new(),
            twins: HashMap::new(),
            stored: Vec::new(),
            stored_twins: Vec::new(),
            line: Vec::new(),
        }
    }

    fn root(&mut self, at: usize, depth: i32, window: Window) -> Value {
        self.search(at, depth, window).value
    }

    fn search(&mut self, at: usize, depth: i32, requested: Window) -> NodeResult {
        let ply = self.line.len();
        if let Some(before) = self.line.iter().position(|&before| before == at) {
            let known = self.table.get(&at).filter(|_| self.scores == HashScores::Progressive);
            let range = known.map_or(ScoreRange::UNKNOWN, |&(range, _)| range);
            return NodeResult { value: Value::DRAW, range, dependence: PathDependence::on_ply(before) };
        }
        let moves = &self.graph.moves[at];
        if moves.is_empty() {
            return NodeResult::path_independent(value(-1));
        }
        if depth == 0 {
            return NodeResult::path_independent(value(self.graph.worth[at]));
        }
        if let Some(result) = self.probe(at, depth, requested) {
            return result;
        }
        let mut window = requested;
        let mut outcome = NodeOutcome::new();
        let repeating = |to: &usize| self.line.iter().position(|before| before == to);
        let coming = moves.iter().filter_map(repeating).max().filter(|_| self.sees_upcoming);
        if let Some(dependence) = coming
            && window.alpha < Value::DRAW
        {
            window.alpha = Value::DRAW;
            if Value::DRAW >= window.beta {
                return NodeResult::path_dependent(Value::DRAW, PathDependence::on_ply(dependence));
            }
            outcome = NodeOutcome::with_upcoming_draw(Some(RepetitionDraw {
                value: Value::DRAW,
                dependence: PathDependence::on_ply(dependence),
            }));
        }
        self.line.push(at);
        for (number, &to) in moves.iter().enumerate() {
            let closed = Window::above(window.alpha).negated();
            let mut tried =
                -self.ask(to, depth - 1, ply, if number == 0 { window.negated() } else { closed });
            if number > 0 && window.alpha < tried.value && tried.value < window.beta {
                tried = -self.ask(to, depth - 1, ply, window.negated());
            }
            outcome.add_move(tried);
            outcome.best = outcome.best.max(tried.value);
            window.alpha = window.alpha.max(tried.value);
            if window.alpha >= window.beta {
                outcome.record_cutoff();
                break;
            }
            if self.scores == HashScores::Progressive && outcome.range_so_far() != ScoreRange::UNKNOWN {
                self.table.insert(at, (outcome.range_so_far(), depth));
            }
        }
        self.line.pop();
        let result = outcome.result(ply, requested);
        self.store(at, depth, requested, result);
        result
    }

    fn ask(&mut self, to: usize, depth: i32, ply: usize, window: Window) -> NodeResult {
        self.search(to, depth, window).with_range_at(ply, window)
    }

    /// Whether a path-independent entry may give a cutoff at equal depth, with guarded scores.
    fn is_safe(&self, depth: i32) -> bool {
        let (reach, beyond) = (self.line.len(), HorizonSearch::Nothing);
        let room = CycleRoom { reach, depth, beyond, sees_upcoming: self.sees_upcoming };
        table::guarded_cutoff(room) == CutoffPermission::SameDepth
    }

    fn probe(&self, at: usize, depth: i32, window: Window) -> Option<NodeResult> {
        let twin = self.scores == HashScores::BaseTwin && !self.is_safe(depth);
        let entry = if twin {
            self.twins.get(&(self.line.clone(), at)).copied()
        } else {
            self.table.get(&at).map(|&(range, draft)| (range, draft, PathDependence::NONE))
        };
        let (ScoreRange { low, high }, draft, dependence) = entry.filter(|_| self.probes)?;
        let trusted = match self.scores {
            HashScores::Guarded => self.is_safe(depth) && draft == depth,
            HashScores::BaseTwin => draft == depth,
            HashScores::Real | HashScores::Untainted | HashScores::Shadow | HashScores::Progressive => {
                draft >= depth
            }
        };
        if !trusted {
            return None;
        }
        let value = if low == high || low >= window.beta {
            low
        } else if high <= window.alpha {
            high
        } else {
            return None;
        };
        Some(NodeResult::path_dependent(value, dependence))
    }

    fn store(&mut self, at: usize, depth: i32, requested: Window, result: NodeResult) {
        let naive = ScoreRange::from_search(result.value, requested.alpha, requested.beta);
        let range = if result.dependence.is_above(self.line.len()) {
            self.scores.stored_range(naive, result.range, (requested.alpha, requested.beta), true)
        } else {
            result.range
        };
        if range != ScoreRange::UNKNOWN {
            self.stored.push((at, depth, range));
            self.table.insert(at, (range, depth));
        }
        if self.scores == HashScores::BaseTwin && !self.is_safe(depth) {
            self.stored_twins.push((self.line.clone(), at, depth, naive));
            self.twins.insert((self.line.clone(), at), (naive, depth, result.dependence));
        }
    }

    /// The number of stored ranges that are wrong for the position alone.
    fn untrue(&self, truth: impl Fn(usize, i32) -> i32) -> usize {
        let is_untrue = |&&(at, depth, range): &&(usize, i32, ScoreRange)| {
            let truth = value(truth(at, depth));
            truth < range.low || range.high < truth
        };
        self.stored.iter().filter(is_untrue).count()
    }

    /// The number of twins that are wrong on their path.
    fn untrue_twins(&self) -> usize {
        let is_untrue = |(line, at, depth, range): &&(Vec<usize>, usize, i32, ScoreRange)| {
            let truth = value(self.graph.value(&mut line.clone(), *at, *depth));
            truth < range.low || range.high < truth
        };
        self.stored_twins.iter().filter(is_untrue).count()
    }
}

const ARMS: [HashScores; 4] =
    [HashScores::Real, HashScores::Untainted, HashScores::Shadow, HashScores::BaseTwin];

#[test]
fn root_is_correct_without_probing_and_only_real_scores_store_wrong_values() {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let mut untrue = [0; ARMS.len()];
    for _ in 0..400 {
        let graph = Graph::random(random, 6);
        for (arm, scores) in ARMS.into_iter().enumerate() {
            for sees_upcoming in [false, true] {
                let (at, depth) = (random.random_range(0..12), random.random_range(1..=7));
                let mut model = Model { probes: false, sees_upcoming, ..Model::new(&graph, scores) };
                let found = model.root(at, depth, Window::open());
                assert_eq!(found, value(graph.fresh(at, depth)), "{scores} {sees_upcoming} {at} {depth}");
                untrue[arm] += model.untrue(|at, depth| graph.fresh(at, depth)) + model.untrue_twins();
            }
        }
    }
    assert!(untrue[0] > 500, "{untrue:?}");
    assert_eq!(untrue[1..], [0, 0, 0]);
}

/// The entries and the wrong ones of one search of each of 600 graphs, without probing.
fn entries_and_wrong_ones(scores: HashScores) -> Vec<(usize, usize)> {
    let random = &mut ChaCha8Rng::seed_from_u64(4);
    let counts = (0..600).map(|_| {
        let graph = Graph::random(random, 6);
        let (at, depth) = (random.random_range(0..12), random.random_range(1..=7));
        let mut model = Model { probes: false, ..Model::new(&graph, scores) };
        let found = model.root(at, depth, Window::open());
        assert_eq!(found, value(graph.fresh(at, depth)), "{scores} {at} {depth}");
        (model.stored.len(), model.untrue(|at, depth| graph.fresh(at, depth)))
    });
    counts.collect()
}

/// These figures are in `docs/src/dev/echo-repetitions.md`.
#[test]
fn progressive_bounds_store_wrong_values() {
    let sums = [
        (HashScores::Real, (8733, 2213)),
        (HashScores::Progressive, (5199, 137)),
        (HashScores::Shadow, (4777, 0)),
        (HashScores::BaseTwin, (4777, 0)),
    ];
    for (scores, expected) in sums {
        let counts = entries_and_wrong_ones(scores);
        let (stored, wrong) = counts.iter().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        assert_eq!((stored, wrong), expected, "{scores}");
        // Entries of one graph are not independent, so the graphs are the sample: the error of a ratio of
        // sums.
        let share = wrong as f64 / stored as f64;
        let squares = counts.iter().map(|&(all, wrong)| (wrong as f64 - share * all as f64).powi(2));
        let error = 1.96 * squares.sum::<f64>().sqrt() / stored as f64;
        eprintln!("{scores}: {:.2} ± {:.2} % of {stored}", 100.0 * share, 100.0 * error);
    }
}

#[test]
fn warm_table_changes_nothing_with_guarded_scores_or_twins() {
    let random = &mut ChaCha8Rng::seed_from_u64(2);
    let mut searched = [0; 2];
    for number in 0..400 {
        let graph = Graph::random(random, 6);
        let roots: Vec<(usize, i32)> =
            (0..12).map(|_| (random.random_range(0..12), random.random_range(1..=7))).collect();
        for (arm, scores) in [HashScores::Guarded, HashScores::BaseTwin].into_iter().enumerate() {
            let mut warm = Model { sees_upcoming: number % 2 == 1, ..Model::new(&graph, scores) };
            for &(at, depth) in &roots {
                let found = warm.root(at, depth, Window::open());
                assert_eq!(found, value(graph.fresh(at, depth)), "{scores} {at} {depth}");
            }
            let untrue = (warm.untrue(|at, depth| graph.fresh(at, depth)), warm.untrue_twins());
            assert_eq!(untrue, (0, 0), "{scores} {number}");
            searched[arm] += warm.stored.len();
        }
    }
    // The twins save searches.
    assert!(searched[1] < searched[0], "{searched:?}");
}

#[test]
fn warm_table_serves_all_searches_with_solved_leaves_except_with_real_scores() {
    let random = &mut ChaCha8Rng::seed_from_u64(3);
    let (mut wrong, mut untrue) = ([0; ARMS.len()], [0; ARMS.len()]);
    for _ in 0..200 {
        let graph = Graph::solved(random, 9);
        for (arm, scores) in ARMS.into_iter().enumerate() {
            for sees_upcoming in [false, true] {
                let mut warm = Model { sees_upcoming, ..Model::new(&graph, scores) };
                for _ in 0..60 {
                    let (at, depth) = (random.random_range(0..18), random.random_range(1..=7));
                    let window = [Window::open(), Window::above(value(-1)), Window::above(Value::DRAW)];
                    let window = window.into_iter().choose(random).expect("three");
                    let shown =
                        ScoreRange::from_search(warm.root(at, depth, window), window.alpha, window.beta);
                    let truth = value(graph.worth[at]);
                    wrong[arm] += usize::from(truth < shown.low || shown.high < truth);
                }
                untrue[arm] += warm.untrue(|at, _| graph.worth[at]);
            }
        }
    }
    assert!(wrong[0] > 20 && untrue[0] > 100, "{wrong:?} {untrue:?}");
    assert_eq!((&wrong[1..], &untrue[1..]), (&[0, 0, 0][..], &[0, 0, 0][..]));
}
