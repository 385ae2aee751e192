//! Ratings in logistic Elo by score, the unit of a match's Elo difference.
//!
//! A model's own points are log odds of its parameters: Davidson's x is the log odds of a win against a loss,
//! so with many draws a lead of 100 points is far less than 100 logistic Elo. The expected score of a lead,
//! averaged over both colours, has a logistic Elo difference. Ratings stay additive if one factor converts
//! all leads, as in `BayesElo`'s `scale`. The factor here is the least-squares one over all games played: for
//! two players it is exact, and their difference is the one that a match prints for the same score.

use super::crosstable::Crosstable;
use super::error::RatingError;
use super::fit::rate;
use super::list::RatingList;
use super::settings::{RatingPoints, RatingScale, RatingSettings};

/// The change of the factor at which the iteration ends.
const SMALL: f64 = 1e-10;

/// The largest number of fits; two suffice unless several quantities are given in points.
const MAX_FITS: u32 = 50;

/// Fits all players jointly, in logistic Elo by score: sets the scale of `terms`. Anchors and priors are read
/// in that unit.
///
/// # Errors
/// The errors of [`rate`].
pub fn rate_in_elo(table: &Crosstable, terms: &mut RatingSettings) -> Result<RatingList, RatingError> {
    terms.scale = RatingScale::LOGISTIC;
    let mut list = rate(table, terms)?;
    for _ in 0..MAX_FITS {
        let factor = elo_per_point(&list);
        if (factor - 1.0).abs() < SMALL {
            break;
        }
        terms.scale.at_76 *= factor;
        list = rate(table, terms)?;
    }
    Ok(list)
}

/// The factor from the list's points to logistic Elo by score, with least squared error over all games.
fn elo_per_point(list: &RatingList) -> f64 {
    /// A lead, as a share of the scale, at which the factor is that of small leads.
    const TINY: f64 = 1e-4;
    let (mut products, mut squares, mut games) = (0.0, 0.0, 0.0);
    for meeting in &list.fit.problem.head_to_heads {
        let [first, second] = meeting.players.map(|seat| list.players[seat.0].rating.0);
        let (lead, count) = (first - second, meeting.games() as f64);
        products += count * lead * list.elo_by_score(RatingPoints(lead));
        squares += count * lead * lead;
        games += count;
    }
    let tiny = TINY * list.scale.at_76;
    // If all leads are nearly 0, the quotient is nearly 0/0.
    if squares > games * tiny * tiny {
        products / squares
    } else {
        list.elo_by_score(RatingPoints(tiny)) / tiny
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::pentanomial::GameResult::{Draw, Loss, Win};
    use super::super::crosstable::PlayerIndex;
    use super::super::settings::{ParameterPrior, RatingAnchor, RatingModel};
    use super::*;

    /// A match of 586 games with a score of 68.8 %, and White better.
    fn two_players() -> Crosstable {
        let mut table = Crosstable::new(["A", "B"]);
        for (results, pairs) in [([Win, Win], 110), ([Win, Draw], 80), ([Draw, Draw], 73), ([Win, Loss], 30)]
        {
            for _ in 0..pairs {
                table.record_pair(PlayerIndex(0), PlayerIndex(1), results);
            }
        }
        table
    }

    #[test]
    fn two_players_have_the_elo_difference_of_their_score() {
        let points = 110.0 * 2.0 + 80.0 * 1.5 + 73.0 + 30.0;
        let score: f64 = points / 586.0;
        let elo = 400.0 * (score / (1.0 - score)).log10();
        for &model in RatingModel::ALL {
            let mut terms = RatingSettings { prior_draws: 0.0, ..RatingSettings::new(model) };
            let list = rate_in_elo(&two_players(), &mut terms).expect("both scored");
            let lead = list.difference(PlayerIndex(0), PlayerIndex(1)).expect("one group").0;
            // Rao and Kupper's expected points are not exactly the scored points.
            let tolerance =
                if model == RatingModel::BayesElo || model == RatingModel::OrdoWdl { 2.0 } else { 1e-6 };
            assert!((lead - elo).abs() < tolerance, "{model}: {lead} instead of {elo}");
            assert!((list.elo_by_score(RatingPoints(lead)) - lead).abs() < 1e-6, "{model}");
        }
    }

    #[test]
    fn several_anchors_are_read_in_elo() {
        let mut table = two_players();
        for _ in 0..3 {
            table.record_game(PlayerIndex(1), PlayerIndex(0), Loss);
        }
        let anchors = [(0, 100.0), (1, 0.0)]
            .map(|(seat, elo)| RatingAnchor::fixed(PlayerIndex(seat), RatingPoints(elo)));
        let mut terms = RatingSettings {
            anchors: anchors.to_vec(),
            draw_rate: ParameterPrior::Fixed(0.4),
            ..RatingSettings::new(RatingModel::Davidson)
        };
        let list = rate_in_elo(&table, &mut terms).expect("both scored");
        assert!((list.elo_by_score(RatingPoints(100.0)) - 100.0).abs() < 1e-6);
    }

    #[test]
    fn equal_players_have_the_scale_of_small_leads() {
        let mut table = Crosstable::new(["A", "B"]);
        for results in [[Win, Loss], [Loss, Win], [Draw, Draw]] {
            table.record_pair(PlayerIndex(0), PlayerIndex(1), results);
        }
        let mut terms = RatingSettings::new(RatingModel::Davidson);
        let list = rate_in_elo(&table, &mut terms).expect("both scored");
        assert!((list.elo_by_score(RatingPoints(1.0)) - 1.0).abs() < 1e-4, "{:?}", list.scale);
    }
}
