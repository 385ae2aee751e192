//! Middlegame traps, beyond the tables: judged by deep searches, not proven.
//!
//! Echo plays itself with few nodes, so that it repeats positions at times. Whenever a move would lead to a
//! position that occurred once, two Echos are asked that differ only in their repetition policy: is such a
//! position a draw? If they choose different moves, the answer is determined with a hundred times the nodes,
//! from the position without its history, so that the policies do not matter: a third occurrence is still two
//! visits away, and until then the board alone decides. The case is kept if both deep searches find one of
//! the moves good and the other bad, and if the misled Echo plays well without the history: then the history
//! misled it.

mod policy_engines;
mod repeatable_positions;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, EnPassantMode};

use self::policy_engines::{MoveScore, PolicyEngine};
use super::{engine_query, ordered_parallel, self_play};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Centipawns;
use threefold_echo::Echo;
use threefold_echo::repetition::RepetitionPolicy;
use threefold_named_enum::named_enum;
use threefold_oracle::Referee;

/// Nodes of a short search.
const SHORT_NODES: u64 = 5_000;

/// Nodes of a deep search.
const DEEP_NODES: u64 = 100 * SHORT_NODES;

/// The number of lines that a deep search compares.
const MULTIPV: usize = 4;

/// Moves this near to the best are accepted, in centipawns.
const GOOD_MARGIN: i32 = 30;

/// The smallest cost of the bad move, in centipawns.
const LEAST_COST: i32 = 100;

/// The number of games per requested trap before the search is given up.
const MOST_ATTEMPTS: u64 = 2_000;

named_enum! {
    /// How the history misleads.
    pub enum JudgedClass {
        /// Every good move leads to a position that occurred once.
        Repeat = "middlegame-repeat",
        /// The bad move leads to such a position, and a good one does not.
        Refuge = "middlegame-refuge",
        /// Neither does: the repetition is deeper in the search.
        Deeper = "middlegame-deeper",
    }
}

/// A position of Echo's own games in which the policies differ and one of them is judged wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgedTrap {
    /// How the history misleads.
    pub class: JudgedClass,
    /// The position with its history, since the last capture or pawn move.
    pub position: GamePosition,
    /// The moves that both deep searches find good, best first.
    pub best: Vec<UciMove>,
    /// The move of the misled policy.
    pub avoid: UciMove,
    /// The misled policy.
    pub misled: RepetitionPolicy,
    /// The cost of the bad move in centipawns, by the deep search that finds it less bad.
    pub costs: Centipawns,
}

/// Echo with each of the two policies.
struct PolicyPair {
    draw: PolicyEngine,
    ignored: PolicyEngine,
}

impl PolicyPair {
    fn new() -> Self {
        let draw = PolicyEngine::new(RepetitionPolicy::HistoryDraw);
        Self { draw, ignored: PolicyEngine::new(RepetitionPolicy::HistoryIgnored) }
    }

    /// The trap of a position with its history, if it is one.
    fn judge(&mut self, position: &GamePosition) -> Option<JudgedTrap> {
        let referee = Referee::new(position).ok()?;
        let bare = GamePosition {
            start: Fen::from_position(referee.position(), EnPassantMode::Legal),
            moves: Vec::new(),
        };
        let by_draw = self.draw.choice(position, SHORT_NODES)?;
        let by_ignored = self.ignored.choice(position, SHORT_NODES)?;
        if by_draw == by_ignored {
            return None;
        }
        let deep = [
            self.draw.ranked_moves(&bare, DEEP_NODES, &[]),
            self.ignored.ranked_moves(&bare, DEEP_NODES, &[]),
        ];
        let best = as_good(&deep);
        let (misled, avoid) = match (best.contains(&by_draw), best.contains(&by_ignored)) {
            (false, true) => (RepetitionPolicy::HistoryDraw, by_draw),
            (true, false) => (RepetitionPolicy::HistoryIgnored, by_ignored),
            _ => return None,
        };
        let engine = match misled {
            RepetitionPolicy::HistoryDraw => &mut self.draw,
            _ => &mut self.ignored,
        };
        if !best.contains(&engine.choice(&bare, SHORT_NODES)?) {
            return None;
        }
        let [draw, ignored] = deep;
        let costs = [(&mut self.draw, draw), (&mut self.ignored, ignored)]
            .into_iter()
            .map(|(engine, deep)| {
                // Searched alone, since it may be worse than all lines of the first search.
                let bad = engine.ranked_moves(&bare, DEEP_NODES, &[avoid]);
                Some(deep.first()?.worth.0 - bad.first()?.worth.0)
            })
            .collect::<Option<Vec<i32>>>()?;
        let costs = costs.into_iter().min().filter(|&costs| costs >= LEAST_COST)?;
        let class = JudgedClass::classify(&referee, &best, avoid);
        Some(JudgedTrap { class, position: position.clone(), best, avoid, misled, costs: Centipawns(costs) })
    }
}

/// The moves that both find good, in the order of the first.
fn as_good(deep: &[Vec<MoveScore>; 2]) -> Vec<UciMove> {
    let good = |opinions: &[MoveScore]| -> Vec<UciMove> {
        let best = opinions.first().map_or(0, |best| best.worth.0);
        opinions.iter().filter(|other| other.worth.0 + GOOD_MARGIN >= best).map(|other| other.mv).collect()
    };
    let [first, second] = deep.each_ref().map(|opinions| good(opinions));
    first.into_iter().filter(|mv| second.contains(mv)).collect()
}

impl JudgedClass {
    /// The class of a position with its good moves and the bad one.
    pub fn classify(referee: &Referee, best: &[UciMove], avoid: UciMove) -> Self {
        let repeats = |mv: UciMove| referee.legal(mv).is_ok_and(|mv| referee.occurrences_after(mv) > 0);
        if best.iter().all(|&mv| repeats(mv)) {
            Self::Repeat
        } else if repeats(avoid) {
            Self::Refuge
        } else {
            Self::Deeper
        }
    }
}

/// Mines traps from Echo's games, at most one per game, without duplicate positions. The same seed gives the
/// same result with any number of threads. `heard` gets the numbers of games played and traps found.
pub fn mine(
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    on_progress: &mut dyn FnMut(usize, usize),
) -> Vec<JudgedTrap> {
    let mut traps: Vec<JudgedTrap> = Vec::new();
    let mut positions: Vec<Chess> = Vec::new();
    let mut played = 0;
    let tools = || (self_play::player(), PolicyPair::new());
    let work = |(player, pair): &mut (Echo, PolicyPair), number: u64| {
        let mut rng = ordered_parallel::rng_for(seed, number);
        repeatable_positions::repeatable_positions(&mut rng, player)
            .into_iter()
            .find_map(|(line, here)| Some((here, pair.judge(&line)?)))
    };
    ordered_parallel::run_in_order(threads, 0..count as u64 * MOST_ATTEMPTS, tools, work, |found| {
        played += 1;
        if let Some((position, trap)) = found
            && !positions.contains(&position)
        {
            positions.push(position);
            traps.push(trap);
        }
        on_progress(played, traps.len());
        if traps.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    traps
}

/// The file that [`mine`] makes of a seed; the same seed and the same Echo give the same bytes.
pub fn file(
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    on_progress: &mut dyn FnMut(usize, usize),
) -> String {
    let traps = mine(seed, count, threads, on_progress);
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for (number, trap) in (1..).zip(&traps) {
        written = written.and_then(|()| rows.write_record(row(number, trap)));
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# Repetition traps of the middlegame, from Echo's own games: judged, not proven.\n\
         # Two policies part at {SHORT_NODES} nodes; {DEEP_NODES} nodes of both, without the history, settle the answer.\n\
         # `misled`: the policy that plays `avoid`; `costs`: what that gives away, in centipawns.\n\
         # Made by: threefold-lab positions middlegame --seed {seed} --count {count}\n\
         {}\
         # Checked again by: threefold positions check\n\
         {rows}",
        engine_query::engine_header()
    )
}

/// The columns, in order.
const COLUMNS: [&str; 9] = ["id", "class", "fen", "moves", "best", "avoid", "source", "misled", "costs"];

fn row(number: usize, trap: &JudgedTrap) -> [String; COLUMNS.len()] {
    let best: Vec<String> = trap.best.iter().map(ToString::to_string).collect();
    [
        format!("middlegame.{number:03}"),
        trap.class.to_string(),
        trap.position.start.to_string(),
        trap.position.moves_text(),
        best.join(" "),
        trap.avoid.to_string(),
        "judged".to_owned(),
        trap.misled.to_string(),
        trap.costs.0.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;

    use super::*;

    fn opinions(text: &str) -> Vec<MoveScore> {
        let mut words = text.split(' ');
        std::iter::from_fn(|| {
            let mv = words.next()?.parse().expect("a move");
            let worth = Centipawns(words.next()?.parse().expect("centipawns"));
            Some(MoveScore { mv, worth })
        })
        .collect()
    }

    #[test]
    fn move_is_accepted_if_both_engines_accept_it() {
        let table = [
            ("a2a3 50 b2b3 20 c2c3 19", "b2b3 10 a2a3 0", "a2a3 b2b3"),
            ("a2a3 50 b2b3 20", "b2b3 10 a2a3 -21", "b2b3"),
            ("a2a3 50", "b2b3 10", ""),
        ];
        for (first, second, good) in table {
            let found: Vec<String> =
                as_good(&[opinions(first), opinions(second)]).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), good, "{first}; {second}");
        }
    }

    #[test]
    fn case_class_follows_from_the_repetition() {
        // The rook has moved there and back: a1a2 leads to a position that occurred once.
        let line =
            GamePosition::parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8").expect("sound");
        let referee = Referee::new(&line).expect("legal");
        let table = [
            ("a1a2", "a1a3", JudgedClass::Repeat),
            ("a1a3", "a1a2", JudgedClass::Refuge),
            ("a1a3", "a1a4", JudgedClass::Deeper),
        ];
        for (best, avoid, expected) in table {
            let [best, avoid] = [best, avoid].map(|mv| mv.parse().expect("a move"));
            assert_eq!(JudgedClass::classify(&referee, &[best], avoid), expected);
        }
    }

    #[test]
    fn agreeing_policies_give_no_trap() {
        let position = GamePosition::parse("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", "").expect("sound");
        assert_eq!(PolicyPair::new().judge(&position), None);
    }

    #[test]
    fn candidates_have_a_repeating_move() {
        let moments: Vec<(GamePosition, Chess)> = (0..4)
            .flat_map(|game| {
                repeatable_positions::repeatable_positions(
                    &mut ordered_parallel::rng_for(1, game),
                    &mut self_play::player(),
                )
            })
            .collect();
        assert!(!moments.is_empty());
        for (line, here) in moments {
            let referee = Referee::new(&line).expect("legal");
            let once = |mv| referee.occurrences_after(mv) == 1;
            assert!(here.legal_moves().into_iter().any(once), "{line}");
            assert_eq!(*referee.position(), here);
        }
    }
}
