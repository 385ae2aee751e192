//! From games and settings to a rating list: check, split, fit, place, report.

use nalgebra::DVector;

use super::covariance::{self, Covariances};
use super::crosstable::Crosstable;
use super::error::{Colour, RatingError};
use super::head_to_head::{self, HeadToHead};
use super::list::{Fit, GoodnessOfFit, PlayerRating, RatingList};
use super::newton::{Problem, SIDES};
use super::parameters::ParameterLayout;
use super::separation::{self, Partition};
use super::settings::{ParameterPrior, RatingPoints, RatingSettings};
use super::status::RatingStatus;

/// Fits all players jointly.
///
/// # Errors
/// Returns why there is no list: invalid settings, or results that leave a distance infinite or unmeasured.
pub fn rate(table: &Crosstable, terms: &RatingSettings) -> Result<RatingList, RatingError> {
    terms.check(table)?;
    let mut head_to_heads = head_to_head::head_to_heads(table);
    if head_to_heads.is_empty() {
        return Err(RatingError::NoGames);
    }
    if terms.prior_draws > 0.0 {
        head_to_head::add_prior(&mut head_to_heads, table.names().len(), terms.prior_draws);
    }
    let partition = separation::partition(table, &head_to_heads, terms)?;
    let problem = problem(terms, &partition, &head_to_heads)?;
    let (at, covariances) = solve(&problem, table).map_err(|error| with_colour(error, table))?;
    let draws = terms.model.draw_rate(problem.layout.draws(&at));
    if draws.rate >= 1.0 {
        // Nearly certain draws together with decided games: the thresholds diverge.
        return Err(RatingError::Endless);
    }
    let uncertainty =
        |covariance| covariance::uncertainty(covariance, &problem.layout, terms, draws.slope, &partition);
    let (independent, clustered) =
        (uncertainty(&covariances.independent), uncertainty(&covariances.clustered));
    let strengths = strengths(terms, &problem, &partition, &at, &head_to_heads);
    Ok(RatingList {
        model: terms.model,
        scale: terms.scale,
        players: lines(&strengths, &partition, &head_to_heads),
        white_advantage: RatingPoints(problem.layout.advantage(&at) / terms.scale.per_point()),
        draw_rate: draws.rate,
        log_likelihood: problem.log_likelihood(&at),
        goodness_of_fit: goodness_of_fit(&problem, &at),
        independent,
        clustered,
        fit: Fit { problem, partition, at },
    })
}

fn solve(problem: &Problem, table: &Crosstable) -> Result<(DVector<f64>, Covariances), RatingError> {
    let at = problem.solve(problem.layout.start())?;
    let covariances = covariance::covariances(problem, table, &at)?;
    Ok((at, covariances))
}

/// The cause of results without a finite fit, if one colour won every game.
fn with_colour(error: RatingError, table: &Crosstable) -> RatingError {
    match (error, table.white_results()) {
        (RatingError::Endless, [_, 0, 0]) => RatingError::OneColour { winner: Colour::Black },
        (RatingError::Endless, [0, 0, _]) => RatingError::OneColour { winner: Colour::White },
        (error, _) => error,
    }
}

fn problem(
    terms: &RatingSettings,
    partition: &Partition,
    head_to_heads: &[HeadToHead],
) -> Result<Problem, RatingError> {
    let head_to_heads: Vec<HeadToHead> =
        head_to_heads.iter().filter(|meeting| partition.joins(meeting)).cloned().collect();
    let mut sums = [0.0; 3];
    for results in head_to_heads.iter().flat_map(HeadToHead::weights) {
        sums.iter_mut().zip(results).for_each(|(sum, weight)| *sum += weight);
    }
    let [losses, draws, wins] = sums;
    if losses + wins == 0.0 && !matches!(terms.draw_rate, ParameterPrior::Fixed(_)) {
        return Err(RatingError::OnlyDraws);
    }
    let share = draws / (losses + draws + wins);
    let layout = ParameterLayout::new(terms, partition.group_of.len(), &partition.groups, share);
    Ok(Problem { model: terms.model, layout, head_to_heads })
}

/// All strengths in points: groups without an anchor around the centre, perfect scorers at their place.
fn strengths(
    terms: &RatingSettings,
    problem: &Problem,
    partition: &Partition,
    at: &DVector<f64>,
    head_to_heads: &[HeadToHead],
) -> Vec<f64> {
    let unit = terms.scale.per_point();
    let mut strengths = problem.layout.levels(at, terms, &partition.groups);
    separation::place(problem, at, head_to_heads, &partition.perfect, &mut strengths);
    for strength in &mut strengths {
        *strength /= unit;
    }
    // Given ratings are returned exactly.
    for anchor in &terms.anchors {
        if let ParameterPrior::Fixed(rating) = anchor.rating {
            strengths[anchor.seat.0] = rating;
        }
    }
    strengths
}

fn lines(strengths: &[f64], partition: &Partition, head_to_heads: &[HeadToHead]) -> Vec<PlayerRating> {
    let mut lines: Vec<PlayerRating> = (strengths.iter().zip(&partition.group_of))
        .map(|(strength, group)| PlayerRating {
            rating: RatingPoints(*strength),
            status: RatingStatus::Rated,
            group: group.unwrap_or_default(),
            points: 0.0,
            games: 0,
            opposition: None,
            opponents: 0.0,
        })
        .collect();
    for perfect in &partition.perfect {
        let line = &mut lines[perfect.seat.0];
        (line.group, line.status) = (perfect.group, perfect.status);
    }
    for meeting in head_to_heads {
        for (place, seat) in meeting.players.iter().enumerate() {
            let [_, draws, wins] = meeting.results_of(place);
            lines[seat.0].points += wins as f64 + draws as f64 / 2.0;
            lines[seat.0].games += meeting.games();
        }
    }
    // For each player: games against its group, the sum of the opponents' ratings, and the entropy of its
    // opponents.
    let mut sums = vec![(0.0, 0.0, 0.0); lines.len()];
    for meeting in head_to_heads {
        let [one, other] = meeting.players;
        for (seat, opponent) in [(one, other), (other, one)] {
            let games = meeting.games() as f64;
            let share = games / lines[seat.0].games as f64;
            let (count, ratings, entropy) = &mut sums[seat.0];
            *entropy -= share * share.ln();
            if lines[seat.0].group == lines[opponent.0].group {
                *count += games;
                *ratings += games * lines[opponent.0].rating.0;
            }
        }
    }
    for (line, (count, ratings, entropy)) in lines.iter_mut().zip(sums) {
        line.opposition = (count > 0.0).then(|| RatingPoints(ratings / count));
        line.opponents = if line.games > 0 { entropy.exp() } else { 0.0 };
    }
    lines
}

fn goodness_of_fit(problem: &Problem, at: &DVector<f64>) -> GoodnessOfFit {
    let (mut chi_square, mut cells) = (0.0, 0_usize);
    let point = problem.point(at);
    for meeting in &problem.head_to_heads {
        for (side, results) in SIDES.into_iter().zip(meeting.results) {
            let [losses, draws, wins] = results.map(|count| count as f64);
            let games = losses + draws + wins;
            let reading = point.evaluate(meeting, side);
            let variance = games * reading.variance();
            if variance > 0.0 {
                chi_square += (wins + draws / 2.0 - games * reading.expected()).powi(2) / variance;
                cells += 1;
            }
        }
    }
    let advantage = usize::from(problem.layout.advantage_place().index().is_some());
    // Parameters with priors may outnumber the cells.
    GoodnessOfFit {
        chi_square,
        degrees_of_freedom: cells.saturating_sub(problem.layout.free_players() + advantage),
    }
}
