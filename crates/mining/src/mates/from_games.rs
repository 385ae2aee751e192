//! Short mates with many pieces, from games that Echo plays against itself.
//!
//! A game begins with random moves and continues with Echo's moves at few nodes, mixed with random ones: both
//! sides err enough to be mated. When Echo reports a short mate, the prover checks the position, which is
//! kept if the mate has exactly that distance; the positions before it are checked, too, each with one ply
//! more. Echo's report is only a hint.

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Position};

use super::{BUDGET, Mate};
use crate::engine_query::best_move_and_score;
use crate::history::alone;
use crate::ordered_parallel;
use crate::trap::ProofMethod;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{MateDistance, Ply, Score};
use threefold_echo::Echo;
use threefold_games::playout::{EndingRules, GameConditions, GameState, Playout, TurnReply};
use threefold_oracle::mate_prover::MateProver;

/// Nodes per move of Echo.
const NODES: u64 = 3_000;

/// The longest game, in plies.
const LONGEST_GAME: usize = 160;

/// The fewest pieces: positions with fewer come from tables.
const LEAST_PIECES: usize = 8;

/// The number of games before a distance is given up.
const MOST_ATTEMPTS: u64 = 100_000;

/// Mines this number of mates of each distance in plies. `found` is called for each.
pub(super) fn mine(
    seed: u64,
    distances: &[MateDistance],
    each: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> BTreeMap<u16, Vec<Mate>> {
    let mut mates: BTreeMap<u16, Vec<Mate>> =
        distances.iter().map(|distance| (distance.plies().0, Vec::new())).collect();
    let mut known: HashSet<Chess> = HashSet::new();
    if each == 0 || distances.is_empty() {
        return mates;
    }
    let play =
        |echo: &mut Echo, number| announced(echo, distances, &mut ordered_parallel::rng_for(seed, number));
    ordered_parallel::run_in_order(threads, 0..MOST_ATTEMPTS, Echo::new, play, |game| {
        for mate in game {
            let mates_found =
                mates.get_mut(&mate.distance.plies().0).expect("only these distances are asked for");
            if mates_found.len() < each && known.insert(mate.position.clone()) {
                mates_found.push(mate);
                found();
            }
        }
        let full = mates.values().all(|mates_found| mates_found.len() >= each);
        if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    mates
}

/// The mates of one game, one of each distance: those that Echo reported and the prover confirmed, and the
/// positions before the first of them.
fn announced(echo: &mut Echo, distances: &[MateDistance], rng: &mut ChaCha8Rng) -> Vec<Mate> {
    // Repetitions do not end a game: Echo makes errors after them, too.
    let terms = GameConditions { rules: EndingRules::NoMovesLeft, ..GameConditions::of_plies(LONGEST_GAME) };
    let mut game =
        Playout::new(&GamePosition::start_position(), &terms).expect("the start position is legal");
    let mut positions = Vec::new();
    let mut mates: Vec<Mate> = Vec::new();
    let opening = rng.random_range(8..=20);
    echo.new_game();
    while let GameState::ToMove(_) = game.state() {
        let here = game.referee().position();
        if here.board().occupied().count() < LEAST_PIECES {
            break;
        }
        positions.push(here.clone());
        let legal = here.legal_moves();
        let Some(&random_move) = legal.choose(rng) else { break };
        let mv = if game.moves().len() < opening || rng.random_ratio(1, 16) {
            game.referee().uci(random_move)
        } else {
            let Some((mv, score)) = best_move_and_score(echo, game.line(), NODES, &[]) else { break };
            if let Score::Mate(distance) = score
                && distances.contains(&distance)
                && mates.iter().all(|mate| mate.distance != distance)
                && let Some(mate) = proven(here, distance)
            {
                if mates.is_empty() {
                    mates = leading_to(&positions, distance, distances);
                }
                mates.push(mate);
            }
            mv
        };
        if game.answer(&TurnReply::from_move(mv)).is_none() {
            break;
        }
    }
    mates
}

/// The mates before the one at the end of a game, each a ply longer, as long as neither side erred. The
/// prover sees further than Echo.
fn leading_to(game: &[Chess], distance: MateDistance, distances: &[MateDistance]) -> Vec<Mate> {
    let before = game.iter().rev().skip(1).zip(distance.plies().0 + 1..);
    before
        .map(|(position, plies)| (position, MateDistance::from_plies(Ply(plies))))
        .take_while(|(_, longer)| distances.contains(longer))
        .map_while(|(position, longer)| proven(position, longer))
        .collect()
}

/// The mate, if its distance is exactly this one.
fn proven(position: &Chess, distance: MateDistance) -> Option<Mate> {
    let position = alone(position)?;
    let mut prover = MateProver::new(BUDGET);
    // A mate whose proof exceeds the budget is left out.
    if !prover.confirms(&position, distance).ok()? {
        return None;
    }
    let line = prover.line(&position, distance).ok()?;
    Some(Mate { position, distance, line, only: None, proof: ProofMethod::Search })
}
