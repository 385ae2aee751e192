//! Texel tuning: fits the evaluation weights to game results by least squares.
//!
//! A logistic curve maps a position's evaluation to an expected score (P. Österlund's method, first used in
//! Texel). Its slope is fitted once to the initial weights and then kept, so that the unit stays a centipawn.
//! Adam (Kingma and Ba, 2015) then minimises the loss in batches of a few thousand positions, in a random
//! order drawn from the seed.
//!
//! The target of a position is a weighted mean of the game result and of the search score in the game
//! (lambda). The loss on held-out positions uses results only.
//!
//! Each weight has a Gaussian prior around its initial value, so weights with little data barely move. Each
//! game counts as one observation.

use rand::seq::SliceRandom;

use super::training_data::{TrainingData, TrainingPosition};
use threefold_echo::eval::traced::{Exact, exact, rounded};
use threefold_echo::eval::weights::{COUNT, GROUPS, WEIGHTS, file};
use threefold_mining::ordered_parallel;

/// Options of the fit.
#[derive(Debug, Clone, Copy)]
pub struct FitOptions {
    /// Random seed of the order of positions.
    pub seed: u64,
    /// Number of passes over all positions.
    pub epochs: usize,
    /// Learning rate: the largest step of a weight in the first epoch, in centipawns; it decays to a tenth.
    pub learning_rate: f64,
    /// Standard deviation of the prior around the initial weights, in centipawns.
    pub prior_sd: f64,
    /// Weight of the search score against the game result in the target, 0 to 1.
    pub lambda: f64,
}

/// The mean squared error of the expected scores after an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// The number of the epoch; 0 is before the first.
    pub epoch: usize,
    /// On the training positions.
    pub training: f64,
    /// On the held-out positions.
    pub held_out: f64,
}

/// The result of a fit.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// Slope of the logistic curve, per centipawn.
    pub steepness: f64,
    /// The losses, one for each epoch.
    pub losses: Vec<Loss>,
    /// The weights after the last epoch, as a file.
    pub file: String,
}

/// Positions in a batch.
const BATCH: usize = 2048;
/// Adam's decay rates beta1 and beta2, and its epsilon.
const MEMORY: [f64; 2] = [0.9, 0.999];
const LEAST: f64 = 1e-12;
/// Share of a weight that is added to the standard deviation of its prior.
const SPREAD_OF_ITSELF: f64 = 0.15;
/// Groups of weights that are not fitted: they guide won endings and do not predict results.
const KEPT: &str = "endgame.";

/// Fits the weights of this build. `on_epoch` is called after each epoch.
pub fn fit(data: &TrainingData, options: &FitOptions, on_epoch: &mut dyn FnMut(Loss)) -> Fitted {
    let start = exact(&WEIGHTS);
    let mut weights = start.clone();
    let steepness = steepness(&data.training, &weights);
    let loss = |epoch, weights: &Exact| Loss {
        epoch,
        training: error(&data.training, weights, steepness),
        held_out: error(&data.held_out, weights, steepness),
    };
    let first = loss(0, &weights);
    on_epoch(first);
    let mut losses = vec![first];
    let free = free();
    let prior_strength = prior_strength(&start, options.prior_sd, first.training / data.games.max(1) as f64);
    let targets = targets(&data.training, options.lambda);
    let mut adam = Adam::new();
    let mut order: Vec<usize> = (0..data.training.len()).collect();
    // Not a stream of a game number: those divide the data.
    let mut lot = ordered_parallel::rng_for(options.seed, u64::MAX);
    for epoch in 1..=options.epochs {
        order.shuffle(&mut lot);
        let rate = options.learning_rate * 0.1_f64.powf((epoch - 1) as f64 / options.epochs as f64);
        for batch in order.chunks(BATCH) {
            let mut gradient = slope(&data.training, &targets, batch, &weights, steepness);
            for (slope, (weight, (start, prior_strength))) in
                gradient.iter_mut().zip(weights.iter().zip(start.iter().zip(prior_strength.iter())))
            {
                for end in [0, 1] {
                    slope[end] += prior_strength[end] * (weight[end] - start[end]);
                }
            }
            adam.step(&mut weights, &gradient, &free, rate);
        }
        let now = loss(epoch, &weights);
        on_epoch(now);
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

/// The strength of the prior of each weight, in the scale of the mean squared error.
fn prior_strength(start: &Exact, spread: f64, loss_a_game: f64) -> Box<Exact> {
    // The posterior with normal errors is highest where E + E₀ / games · ((w - w₀) / sd)² is lowest. E is the
    // mean squared error, and E₀ its first value. This is the factor of w - w₀ in the slope.
    Box::new(start.map(|ends| {
        ends.map(|weight| 2.0 * loss_a_game / (spread + SPREAD_OF_ITSELF * weight.abs()).powi(2))
    }))
}

/// The weights that are fitted.
fn free() -> Vec<bool> {
    let mut free = vec![true; COUNT];
    for group in GROUPS.iter().filter(|group| group.name.starts_with(KEPT)) {
        for weight in group.weights() {
            free[weight.index()] = false;
        }
    }
    free
}

/// The expected score of an evaluation.
fn expected(value: f64, steepness: f64) -> f64 {
    1.0 / (1.0 + (-steepness * value).exp())
}

/// The target of each position: a mean of its result and the expected score of its search.
fn targets(data: &[TrainingPosition], trust: f64) -> Vec<f64> {
    let searched: Vec<(f64, f64)> =
        data.iter().map(|position| (position.searched, position.result)).collect();
    let steepness = steepest(&searched);
    searched
        .into_iter()
        .map(|(value, result)| trust * expected(value, steepness) + (1.0 - trust) * result)
        .collect()
}

fn error(data: &[TrainingPosition], weights: &Exact, steepness: f64) -> f64 {
    let values = data.iter().map(|position| (position.traced.value(weights), position.result));
    error_of(values, steepness)
}

fn error_of(values: impl ExactSizeIterator<Item = (f64, f64)>, steepness: f64) -> f64 {
    let count = values.len().max(1) as f64;
    values.map(|(value, result)| (result - expected(value, steepness)).powi(2)).sum::<f64>() / count
}

/// The slope with the smallest loss for these weights.
fn steepness(data: &[TrainingPosition], weights: &Exact) -> f64 {
    let values: Vec<(f64, f64)> =
        data.iter().map(|position| (position.traced.value(weights), position.result)).collect();
    steepest(&values)
}

/// The slope with the smallest loss, by ternary search: the loss has one minimum.
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

/// The gradient of the loss of some positions.
fn slope(
    data: &[TrainingPosition],
    targets: &[f64],
    batch: &[usize],
    weights: &Exact,
    steepness: f64,
) -> Box<Exact> {
    let mut gradient = Box::new([[0.0; 2]; COUNT]);
    for &index in batch {
        let traced = &data[index].traced;
        let score = expected(traced.value(weights), steepness);
        let times = 2.0 * (score - targets[index]) * score * (1.0 - score) * steepness / batch.len() as f64;
        traced.add_slope(weights, times, &mut gradient);
    }
    gradient
}

/// The Adam optimiser.
struct Adam {
    mean: Box<Exact>,
    square: Box<Exact>,
    /// Powers of the decay rates, for the bias correction.
    unlearnt: [f64; 2],
}

impl Adam {
    fn new() -> Self {
        let zeros = || Box::new([[0.0; 2]; COUNT]);
        Self { mean: zeros(), square: zeros(), unlearnt: [1.0; 2] }
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
    use crate::training_data;

    /// Positions in which the side with the bishop pair or the open file won.
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

    const AIM: FitOptions =
        FitOptions { seed: 5, epochs: 12, learning_rate: 2.0, prior_sd: 20.0, lambda: 0.0 };

    #[test]
    fn tuning_increases_winning_weights_reproducibly() {
        let data = training_data::parse_training_data(&[("games.epd".to_owned(), text())], 1).expect("sound");
        let mut on_epoch = 0;
        let fitted = fit(&data, &AIM, &mut |_| on_epoch += 1);
        assert_eq!(on_epoch, AIM.epochs + 1);
        let (first, last) = (fitted.losses[0], fitted.losses[AIM.epochs]);
        assert!(last.training < first.training && last.held_out < first.held_out, "{first:?} {last:?}");
        assert_eq!(fitted.file, fit(&data, &AIM, &mut |_| {}).file);
        assert_eq!(fitted.file.lines().count(), COUNT + 1);
    }

    #[test]
    fn target_is_between_result_and_search_score() {
        let data = training_data::parse_training_data(&[("games.epd".to_owned(), text())], 1)
            .expect("sound")
            .training;
        let table = [(0.0, [1.0, 0.5, 0.0]), (0.5, [0.75, 0.5, 0.25]), (1.0, [0.5; 3])];
        for (trust, expected) in table {
            for (position, target) in data.iter().zip(targets(&data, trust)) {
                let place = (2.0 - 2.0 * position.result) as usize;
                assert!((target - expected[place]).abs() < 1e-9, "{trust}: {target}");
            }
        }
    }

    #[test]
    fn gradient_is_the_derivative_of_the_error() {
        let data = training_data::parse_training_data(&[("games.epd".to_owned(), text())], 1).expect("sound");
        let all: Vec<usize> = (0..data.training.len()).collect();
        let weights = exact(&WEIGHTS);
        let results: Vec<f64> = data.training.iter().map(|position| position.result).collect();
        let gradient = slope(&data.training, &results, &all, &weights, 0.005);
        for index in [0, 3, 6, 40, COUNT - 30] {
            for end in [0, 1] {
                let moved = |by: f64| {
                    let mut moved = weights.clone();
                    moved[index][end] += by;
                    error(&data.training, &moved, 0.005)
                };
                let measured = (moved(0.5) - moved(-0.5)) / 1.0;
                assert!((measured - gradient[index][end]).abs() < 1e-7, "{index} {end}: {measured}");
            }
        }
    }
}
