//! Measures engines in rounds, one process at a time.
//!
//! In each round every candidate is started in turn, and the order is reversed from round to round. So a machine that gets
//! slower slows all of them, and the rounds are pairs.

use std::time::Duration;

use super::candidate::Candidate;
use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_echo::bench;
use threefold_player::{EngineFault, LaunchOptions, Question, launch};

/// Positions with fewer pieces are left out: their searches soon find everything in the transposition table.
const FEWEST_PIECES: usize = 8;

/// What a candidate did in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Round {
    /// The nodes that it reported, of all positions together.
    pub(super) nodes: u64,
    /// The wall time of all searches together.
    pub(super) elapsed: Duration,
    /// The time from the start of the process to `readyok`.
    pub(super) startup: Duration,
    /// The peak memory of the process, in bytes; `None` if the system does not report it.
    pub(super) peak_memory: Option<u64>,
}

impl Round {
    /// Nodes per second.
    pub(super) fn speed(&self) -> f64 {
        // A time of zero would give an infinite speed.
        self.nodes as f64 / self.elapsed.max(Duration::from_nanos(1)).as_secs_f64()
    }
}

/// The end of the measurement before its last round.
#[derive(Debug)]
pub(super) struct Failure {
    /// The index of the candidate.
    pub(super) candidate: usize,
    pub(super) fault: EngineFault,
}

/// Measures a candidate once.
#[derive(Debug)]
pub(super) struct Meter {
    options: LaunchOptions,
    questions: Vec<Question>,
}

impl Meter {
    /// With these limits for the search of each position.
    pub(super) fn new(options: LaunchOptions, limits: Limits) -> Self {
        let positions = bench::POSITIONS.iter().map(|(fen, moves)| {
            GamePosition::parse(fen, moves).expect("the bench's own positions are sound")
        });
        let positions =
            positions.filter(|position| position.start.as_setup().board.occupied().count() >= FEWEST_PIECES);
        let question = |position| Question { position, limits, searchmoves: Vec::new() };
        Self { options, questions: positions.map(question).collect() }
    }

    /// Starts a process, searches all positions, and ends it.
    pub(super) fn round(&self, candidate: &Candidate) -> Result<Round, EngineFault> {
        let clock = &self.options.clock;
        let begun = clock.now();
        let mut player = launch(&candidate.spec, &self.options)?;
        let startup = clock.now().saturating_duration_since(begun);
        player.new_game()?;
        let (mut nodes, mut elapsed) = (0_u64, Duration::ZERO);
        for question in &self.questions {
            let answer = player.answer(question)?;
            nodes = nodes.saturating_add(answer.nodes_at_end);
            elapsed += answer.elapsed;
        }
        if nodes == 0 {
            let lacks = "a count of nodes in its `info` lines, from which the speed is computed";
            return Err(EngineFault::NotSupported(lacks.to_owned()));
        }
        // Dropped, the player ends its process.
        Ok(Round { nodes, elapsed, startup, peak_memory: player.peak_memory() })
    }
}

/// The rounds of each candidate, after one that is not counted: in it, files come into the system's cache. `finished` is
/// called after each process.
pub(super) fn rounds(
    meter: &Meter,
    candidates: &[Candidate],
    rounds: u32,
    mut finished: impl FnMut(&Candidate),
) -> Result<Vec<Vec<Round>>, Failure> {
    let mut counted = vec![Vec::new(); candidates.len()];
    for round in 0..=rounds {
        for index in order(round, candidates.len()) {
            let candidate = &candidates[index];
            let measured = meter.round(candidate).map_err(|fault| Failure { candidate: index, fault })?;
            finished(candidate);
            if round > 0 {
                counted[index].push(measured);
            }
        }
    }
    Ok(counted)
}

/// The order of the candidates in a round, reversed in every second one.
fn order(round: u32, candidates: usize) -> Vec<usize> {
    if round.is_multiple_of(2) { (0..candidates).collect() } else { (0..candidates).rev().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::clock::{ClockSource, Stop};

    #[test]
    fn order_is_reversed_in_every_second_round() {
        assert_eq!([0, 1, 2].map(|round| order(round, 3)), [[0, 1, 2], [2, 1, 0], [0, 1, 2]]);
        assert_eq!(order(1, 1), [0]);
    }

    #[test]
    fn positions_have_enough_pieces_to_search() {
        let options = LaunchOptions::new(ClockSource::Wall, Stop::default());
        let meter = Meter::new(options, Limits::nodes(5));
        assert_eq!((meter.questions.len(), bench::POSITIONS.len()), (11, 14));
    }

    #[test]
    fn speed_is_nodes_over_time() {
        let round = |nodes, elapsed| Round { nodes, elapsed, startup: Duration::ZERO, peak_memory: None };
        assert!((round(3000, Duration::from_millis(1500)).speed() - 2000.0).abs() < 1e-9);
        assert!(round(3000, Duration::ZERO).speed().is_finite());
    }
}
