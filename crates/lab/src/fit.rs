//! Fits weights to results: the least mean square of what is foretold wrong.
//!
//! A position's value is read as an expected score by a logistic curve (P. Österlund's method, known by his
//! engine Texel); how steep it is, is fitted once to the weights at the start and then kept, which keeps a
//! centipawn a centipawn. The weights then go down the gradient by Adam (Kingma and Ba, 2015), a few thousand
//! positions a step, in an order drawn from the seed.
//!
//! A result says little of one position: much happens in between. What the search made of the position in the
//! game says more, though only what Echo believes already. The weights are fitted to a mean of both; how well
//! that went is told by results alone.
//!
//! Games are few and some weights count seldom. So the weights at the start count as knowledge as well: they
//! are held to be right give or take a spread and a part of themselves, and each game weighs as one observation
//! against that. Where games say little, a weight stays where it was.

use rand::seq::SliceRandom;

use super::lessons::{Lesson, Lessons};
use threefold_echo::eval::traced::{Exact, exact, rounded};
use threefold_echo::eval::weights::{COUNT, GROUPS, WEIGHTS, file};
use threefold_mining::ordered_parallel;

/// How to go about it.
#[derive(Debug, Clone, Copy)]
pub struct Aim {
    /// The order of the positions follows from it.
    pub seed: u64,
    /// How often every position is looked at.
    pub epochs: usize,
    /// The longest step of a weight at the start, in centipawns; it shrinks to a tenth.
    pub rate: f64,
    /// How far the weights at the start are held to be off, in centipawns: a standard deviation.
    pub spread: f64,
    /// How much of what is fitted to is the search's value, the rest being the result: 0 to 1.
    pub trust: f64,
}

/// How well results are foretold after an epoch: the mean square of the error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// From 0, before any.
    pub epoch: usize,
    /// Of the positions fitted to.
    pub training: f64,
    /// Of those held out.
    pub held_out: f64,
}

/// What a fit comes to.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The logistic curve's steepness, for one centipawn.
    pub steepness: f64,
    /// From the start to the end.
    pub losses: Vec<Loss>,
    /// The weights after the last epoch, as a file. What is held out has no say in them.
    pub file: String,
}

/// Positions a step.
const BATCH: usize = 2048;
/// Adam's memories of the gradient and of its square, and the least it divides by.
const MEMORY: [f64; 2] = [0.9, 0.999];
const LEAST: f64 = 1e-12;
/// How far a weight is held to be off beyond the spread that all share: a part of itself.
const SPREAD_OF_ITSELF: f64 = 0.15;
/// What these groups say is how to win, not how much is won: games have no say in it.
const KEPT: &str = "endgame.";

/// Fits the weights of this build. `heard` hears of each epoch.
pub fn fit(lessons: &Lessons, aim: &Aim, heard: &mut dyn FnMut(Loss)) -> Fitted {
    let start = exact(&WEIGHTS);
    let mut weights = start.clone();
    let steepness = steepness(&lessons.training, &weights);
    let loss = |epoch, weights: &Exact| Loss {
        epoch,
        training: error(&lessons.training, weights, steepness),
        held_out: error(&lessons.held_out, weights, steepness),
    };
    let first = loss(0, &weights);
    heard(first);
    let mut losses = vec![first];
    let free = free();
    let pull = pull(&start, aim.spread, first.training / lessons.games.max(1) as f64);
    let goals = goals(&lessons.training, aim.trust);
    let mut adam = Adam::new();
    let mut order: Vec<usize> = (0..lessons.training.len()).collect();
    let mut lot = ordered_parallel::rng_for(aim.seed, u64::MAX);
    for epoch in 1..=aim.epochs {
        order.shuffle(&mut lot);
        let rate = aim.rate * 0.1_f64.powf((epoch - 1) as f64 / aim.epochs as f64);
        for batch in order.chunks(BATCH) {
            let mut gradient = slope(&lessons.training, &goals, batch, &weights, steepness);
            for (slope, (weight, (start, pull))) in
                gradient.iter_mut().zip(weights.iter().zip(start.iter().zip(pull.iter())))
            {
                for end in [0, 1] {
                    slope[end] += pull[end] * (weight[end] - start[end]);
                }
            }
            adam.step(&mut weights, &gradient, &free, rate);
        }
        let now = loss(epoch, &weights);
        heard(now);
        losses.push(now);
    }
    Fitted { steepness, losses, file: file(&rounded(&weights)) }
}

/// The losses as a table.
pub fn table(losses: &[Loss]) -> String {
    let rows =
        losses.iter().map(|loss| format!("{},{:.7},{:.7}\n", loss.epoch, loss.training, loss.held_out));
    std::iter::once("epoch,training,held-out\n".to_owned()).chain(rows).collect()
}

/// How hard each weight is held where it was: half the squared distance over the spread's square stands beside
/// the games' squares over their mean.
fn pull(start: &Exact, spread: f64, loss_a_game: f64) -> Box<Exact> {
    Box::new(start.map(|ends| {
        ends.map(|weight| 2.0 * loss_a_game / (spread + SPREAD_OF_ITSELF * weight.abs()).powi(2))
    }))
}

/// Which weights games may move.
fn free() -> Vec<bool> {
    let mut free = vec![true; COUNT];
    for group in GROUPS.iter().filter(|group| group.name.starts_with(KEPT)) {
        for weight in group.weights() {
            free[weight.index()] = false;
        }
    }
    free
}

/// The score that a value foretells.
fn expected(value: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + (-steepness * value).exp())
}

/// The score that each lesson is to foretell: its result, and what its search's value foretells.
fn goals(lessons: &[Lesson], trust: f64) -> Vec<f64> {
    let searched: Vec<(f64, f64)> = lessons.iter().map(|lesson| (lesson.searched, lesson.result)).collect();
    let steepness = steepest(&searched);
    searched
        .into_iter()
        .map(|(value, result)| trust * expected(value, steepness) + (1.0 - trust) * result)
        .collect()
}

fn error(lessons: &[Lesson], weights: &Exact, steepness: f64) -> f64 {
    let values = lessons.iter().map(|lesson| (lesson.traced.value(weights), lesson.result));
    error_of(values, steepness)
}

fn error_of(values: impl ExactSizeIterator<Item = (f64, f64)>, steepness: f64) -> f64 {
    let count = values.len().max(1) as f64;
    values.map(|(value, result)| (result - expected(value, steepness)).powi(2)).sum::<f64>() / count
}

/// The steepness at which these weights foretell best.
fn steepness(lessons: &[Lesson], weights: &Exact) -> f64 {
    let values: Vec<(f64, f64)> =
        lessons.iter().map(|lesson| (lesson.traced.value(weights), lesson.result)).collect();
    steepest(&values)
}

/// The steepness at which values foretell results best, by narrowing down: the error has one valley.
fn steepest(values: &[(f64, f64)]) -> f64 {
    let error = |steepness| error_of(values.iter().copied(), steepness);
    let (mut low, mut high): (f64, f64) = (1e-4, 5e-2);
    for _ in 0..50 {
        let third = (high - low) / 3.0;
        if error(low + third) < error(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    f64::midpoint(low, high)
}

/// How the mean error of some positions changes with each weight.
fn slope(lessons: &[Lesson], goals: &[f64], batch: &[usize], weights: &Exact, steepness: f64) -> Box<Exact> {
    let mut gradient = Box::new([[0.0; 2]; COUNT]);
    for &index in batch {
        let traced = &lessons[index].traced;
        let score = expected(traced.value(weights), steepness);
        let times = 2.0 * (score - goals[index]) * score * (1.0 - score) * steepness / batch.len() as f64;
        traced.add_slope(weights, times, &mut gradient);
    }
    gradient
}

/// Steps as long as the gradient is steady, not as it is steep.
struct Adam {
    mean: Box<Exact>,
    square: Box<Exact>,
    /// How much of the memories is still the nought they began with.
    unlearnt: [f64; 2],
}

impl Adam {
    fn new() -> Self {
        let nought = || Box::new([[0.0; 2]; COUNT]);
        Self { mean: nought(), square: nought(), unlearnt: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut Exact, gradient: &Exact, free: &[bool], rate: f64) {
        for (unlearnt, memory) in self.unlearnt.iter_mut().zip(MEMORY) {
            *unlearnt *= memory;
        }
        for index in (0..COUNT).filter(|&index| free[index]) {
            for end in [0, 1] {
                let slope = gradient[index][end];
                let (mean, square) = (&mut self.mean[index][end], &mut self.square[index][end]);
                *mean += (1.0 - MEMORY[0]) * (slope - *mean);
                *square += (1.0 - MEMORY[1]) * (slope * slope - *square);
                let mean = *mean / (1.0 - self.unlearnt[0]);
                let square = *square / (1.0 - self.unlearnt[1]);
                weights[index][end] -= rate * mean / (square.sqrt() + LEAST);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lessons;

    /// Positions in which whoever has the bishop pair or the open file won.
    fn text() -> String {
        let rows = [
            ("r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/2B1KB2 w - -", "1-0"),
            ("2b1kb2/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w - -", "0-1"),
            ("4k3/pppp1ppp/2n2n2/8/8/8/PPPP1PPP/2B1KB2 w - -", "1-0"),
            ("2b1kb2/pppp1ppp/8/8/8/2N2N2/PPPP1PPP/4K3 w - -", "0-1"),
            ("4k3/pppp1ppp/2n2n2/8/8/2N2N2/PPPP1PPP/4K3 w - -", "1/2-1/2"),
        ];
        let lines = (0..100).map(|game| {
            let (epd, result) = rows[game % rows.len()];
            format!("{epd} c9 \"{result}\"; ce 0; id \"{game}\";\n")
        });
        lines.collect()
    }

    const AIM: Aim = Aim { seed: 5, epochs: 12, rate: 2.0, spread: 20.0, trust: 0.0 };

    #[test]
    fn what_wins_games_gains_and_the_same_seed_gains_the_same() {
        let lessons = lessons::read(&[("games.epd".to_owned(), text())], 1).expect("sound");
        let mut heard = 0;
        let fitted = fit(&lessons, &AIM, &mut |_| heard += 1);
        assert_eq!(heard, AIM.epochs + 1);
        let (first, last) = (fitted.losses[0], fitted.losses[AIM.epochs]);
        assert!(last.training < first.training && last.held_out < first.held_out, "{first:?} {last:?}");
        assert_eq!(fitted.file, fit(&lessons, &AIM, &mut |_| {}).file);
        assert_eq!(fitted.file.lines().count(), COUNT + 1);
    }

    #[test]
    fn the_goal_lies_between_the_result_and_what_the_search_foretells() {
        let lessons = lessons::read(&[("games.epd".to_owned(), text())], 1).expect("sound").training;
        let table = [(0.0, [1.0, 0.5, 0.0]), (0.5, [0.75, 0.5, 0.25]), (1.0, [0.5; 3])];
        for (trust, expected) in table {
            for (lesson, goal) in lessons.iter().zip(goals(&lessons, trust)) {
                let place = (2.0 - 2.0 * lesson.result) as usize;
                assert!((goal - expected[place]).abs() < 1e-9, "{trust}: {goal}");
            }
        }
    }

    #[test]
    fn the_slope_is_how_the_error_changes() {
        let lessons = lessons::read(&[("games.epd".to_owned(), text())], 1).expect("sound");
        let all: Vec<usize> = (0..lessons.training.len()).collect();
        let weights = exact(&WEIGHTS);
        let results: Vec<f64> = lessons.training.iter().map(|lesson| lesson.result).collect();
        let gradient = slope(&lessons.training, &results, &all, &weights, 0.005);
        for index in [0, 3, 6, 40, COUNT - 30] {
            for end in [0, 1] {
                let moved = |by: f64| {
                    let mut moved = weights.clone();
                    moved[index][end] += by;
                    error(&lessons.training, &moved, 0.005)
                };
                let measured = (moved(0.5) - moved(-0.5)) / 1.0;
                assert!((measured - gradient[index][end]).abs() < 1e-7, "{index} {end}: {measured}");
            }
        }
    }
}
