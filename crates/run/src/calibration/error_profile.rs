//! How often the moves of each level are errors, judged by the engine at full strength.
//!
//! Two players with equal ratings may differ: one makes many small errors, the other few large ones. For each
//! sampled move of a game, the judge searches the position twice with the same number of nodes: with all
//! moves, and restricted to the move played. The difference of the scores is the loss. Scores are clamped to
//! ± 10 pawns, since a game cannot be lost by more.

use std::collections::BTreeMap;
use std::io;

use shakmaty::Color;
use shakmaty::uci::UciMove;

use super::strength_option::StrengthOption;
use crate::{PartResult, RecordedGame, RunRecord};
use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_echo::{Echo, SearchReport, SearchRequest};
use threefold_games::game_summary::GameSummary;
use threefold_stats::elo::Estimate;
use threefold_stats::interval::Rate;
use threefold_stats::mean;

/// Nodes of each of the two searches per move.
pub const JUDGE_NODES: u64 = 20_000;
/// Scores are clamped to this, in centipawns: beyond it a game is decided.
const DECIDED: i32 = 1000;
/// Losses above these are errors and blunders, in centipawns.
const ERROR: i32 = 100;
const BLUNDER: i32 = 300;

/// A move that a level played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveSample {
    /// The value of the strength option.
    pub level: u32,
    /// The game up to the move.
    pub position: GamePosition,
    /// The move that the level played.
    pub played: UciMove,
}

/// How often a level makes errors.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorProfile {
    /// The value of the strength option.
    pub level: u32,
    /// Share of moves that lose more than 100 centipawns.
    pub errors: Rate,
    /// Share of moves that lose more than 300 centipawns.
    pub blunders: Rate,
    /// Mean loss of a move, in centipawns, with its 95 % confidence interval.
    pub mean: Estimate<f64>,
}

/// A sample of each level's moves, evenly spread over its games; all moves if there are fewer.
///
/// # Errors
/// If a journal can't be read.
pub fn samples(option: &StrengthOption, runs: &[RunRecord], each: usize) -> io::Result<Vec<MoveSample>> {
    let parts: Vec<PartResult<'_>> = runs.iter().flat_map(RunRecord::parts).collect();
    let games: Vec<&GameSummary> = parts.iter().flat_map(PartResult::games).map(|(_, game)| game).collect();
    let known = option.levels(&parts);
    // The summaries have no moves: the sample is chosen by the lengths of games, which are read afterwards.
    let mut moves: Vec<(u32, usize, usize)> = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let levels = game.players.each_ref().map(|name| known.get(name).copied());
        let first = usize::from(game.begins() == Color::Black);
        let by_ply = (0..game.played.plies).map(|ply| levels[(first + ply) % 2]);
        moves.extend(by_ply.enumerate().filter_map(|(ply, level)| Some((level?, number, ply))));
    }
    moves.sort_unstable();
    let of_levels = moves.chunk_by(|one, other| one.0 == other.0);
    let chosen = of_levels.flat_map(|of_level| spread(of_level, each)).copied().enumerate();
    let mut by_game: BTreeMap<usize, Vec<(usize, u32, usize)>> = BTreeMap::new();
    for (place, (level, number, ply)) in chosen {
        by_game.entry(number).or_default().push((place, level, ply));
    }
    let mut samples: Vec<(usize, MoveSample)> = Vec::new();
    let mut number = 0;
    for run in runs {
        run.game_reader().for_each(&mut |RecordedGame { game, .. }| {
            for &(place, level, ply) in by_game.get(&number).into_iter().flatten() {
                let mut position = game.opening.clone();
                position.moves.extend(game.played[..ply].iter().map(|played| played.mv));
                samples.push((place, MoveSample { level, position, played: game.played[ply].mv }));
            }
            number += 1;
            Ok(())
        })?;
    }
    samples.sort_unstable_by_key(|(place, _)| *place);
    Ok(samples.into_iter().map(|(_, sample)| sample).collect())
}

/// This number of items, evenly spread; all if there are fewer.
fn spread<T>(all: &[T], chosen: usize) -> impl Iterator<Item = &T> {
    let chosen = chosen.min(all.len());
    (0..chosen).map(move |number| &all[number * all.len() / chosen])
}

/// Judges moves with the engine at full strength.
pub struct MoveJudge {
    echo: Echo,
    limits: Limits,
}

impl MoveJudge {
    /// Each move is searched twice with this number of nodes.
    pub fn new(nodes: u64) -> Self {
        Self { echo: Echo::new(), limits: Limits::nodes(nodes) }
    }

    /// The loss of a move, in centipawns; `None` if the judge rejects the game.
    pub fn loss(&mut self, sample: &MoveSample) -> Option<i32> {
        let (best, value) = self.value(&sample.position, &[])?;
        if best == Some(sample.played) {
            return Some(0);
        }
        let (_, bound) = self.value(&sample.position, &[sample.played])?;
        // With one root move the same nodes search deeper, and may return more than the best move's value.
        Some((value - bound).max(0))
    }

    fn value(&mut self, position: &GamePosition, only: &[UciMove]) -> Option<(Option<UciMove>, i32)> {
        // A hash table with other positions would make the value depend on the order of the sample.
        self.echo.new_game();
        let never = Stop::default();
        let request = SearchRequest {
            position,
            limits: &self.limits,
            only,
            stop: &never,
            pondering: &never,
            now: &|| std::time::Duration::ZERO,
        };
        let mut last = None;
        let found =
            self.echo.search(&request, &mut |report: &SearchReport| last = Some(report.score)).ok()?;
        Some((found.best, centipawns(last?)))
    }
}

/// A score, clamped.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(Centipawns(value)) => value.clamp(-DECIDED, DECIDED),
        Score::Mate(mate) if mate.is_win() => DECIDED,
        Score::Mate(_) => -DECIDED,
    }
}

/// The error profile of each level, lowest level first.
pub fn error_profiles(losses: &[(u32, i32)]) -> Vec<ErrorProfile> {
    let levels = losses.chunk_by(|one, other| one.0 == other.0);
    levels
        .filter_map(|of_level| {
            let beyond = |limit: i32| {
                let successes = of_level.iter().filter(|(_, loss)| *loss > limit).count();
                Rate { successes: successes as u64, failures: (of_level.len() - successes) as u64 }
            };
            let values = of_level.iter().enumerate().map(|(group, (_, loss))| (group, f64::from(*loss)));
            let Estimate { low, value, high } = mean::of_groups(values)?;
            Some(ErrorProfile {
                level: of_level[0].0,
                errors: beyond(ERROR),
                blunders: beyond(BLUNDER),
                // No loss is negative.
                mean: Estimate { low: low.max(0.0), value, high },
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_losses_are_measured() {
        let table = [
            // position, move, at least, at most
            ("4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1", "e1e2", 0, 0),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 0, 0),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "g1f1", 150, 2 * DECIDED),
            ("4k3/8/8/8/3q4/8/2N5/4K3 w - - 0 1", "c2a1", 300, 2 * DECIDED),
        ];
        let mut judge = MoveJudge::new(5_000);
        for (fen, played, least, most) in table {
            let history = GamePosition::parse(fen, "").expect("sound");
            let sample = MoveSample { level: 0, position: history, played: played.parse().expect("a move") };
            let loss = judge.loss(&sample).expect("legal");
            assert!((least..=most).contains(&loss), "{fen} {played}: {loss}");
            assert_eq!(judge.loss(&sample), Some(loss), "the same again");
        }
    }

    #[test]
    fn samples_are_chosen_evenly() {
        let all: Vec<usize> = (0..10).collect();
        let table: [(usize, &[usize]); 5] =
            [(0, &[]), (1, &[0]), (3, &[0, 3, 6]), (9, &[0, 1, 2, 3, 4, 5, 6, 7, 8]), (11, &all)];
        for (each, chosen) in table {
            assert_eq!(spread(&all, each).copied().collect::<Vec<_>>(), chosen, "{each}");
        }
        assert_eq!(spread::<usize>(&[], 3).count(), 0);
    }

    #[test]
    fn losses_are_counted_by_level() {
        let losses = [(600, 0), (600, 101), (600, 301), (600, 100), (800, 300), (800, 0)];
        let [low, high] = &error_profiles(&losses)[..] else { panic!("two levels") };
        assert_eq!(
            (low.level, low.errors.successes, low.blunders.successes, low.errors.trials()),
            (600, 2, 1, 4)
        );
        assert_eq!((high.level, high.errors.successes, high.blunders.successes), (800, 1, 0));
        assert!((low.mean.value - 125.5).abs() < 1e-9 && low.mean.high > 125.5);
        // Student's interval would begin at -75 and at -1756.
        assert!(low.mean.low.abs() < 1e-12 && high.mean.low.abs() < 1e-12);
        let [narrow] = &error_profiles(&[(600, 10), (600, 12), (600, 14)])[..] else { panic!("one level") };
        assert!(narrow.mean.low > 5.0, "{narrow:?}");
    }
}
