//! The fit of a rating list: what is asked, what comes out, and why there may be no answer.
//!
//! The log-likelihood is concave. Newton's method therefore finds the maximum wherever one exists; where none
//! exists, because a distance is infinite or unmeasured, the reason is said instead of a number.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use thiserror::Error;

use super::super::elo::normal_cdf;
use super::crosstable::{Crosstable, Games, Seat};
use super::davidson::{self, Layout, PER_ELO, Place};

/// A strength or a difference of strengths, in Elo on Davidson's scale. Draws do not shrink it, so a difference
/// is larger than in logistic Elo by (2 + ν) / 2; [`Fit::logistic_scale`] is that factor.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Strength(pub f64);

/// A player whose rating is given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// Who.
    pub seat: Seat,
    /// The rating it keeps.
    pub rating: Strength,
}

/// Standard errors, in Elo on Davidson's scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// As if all games were independent.
    pub fisher: f64,
    /// With the games of a pair taken together: what to show.
    pub clustered: f64,
}

/// An estimate with its errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated {
    /// The estimate.
    pub strength: Strength,
    /// Its errors, relative to the anchors; zero for an anchor.
    pub errors: Errors,
}

/// All players' strengths, with what the fit says besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// In the order of seats.
    pub players: Vec<Rated>,
    /// What the white pieces are worth.
    pub white_advantage: Rated,
    /// The chance of a draw between equals, colours aside, from 0 to 1.
    pub draw_rate_equal: f64,
    /// The logarithm of the likelihood of all results.
    pub log_likelihood: f64,
    layout: Layout,
    clustered: DMatrix<f64>,
}

/// Why games have no rating list.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Unfit {
    /// Nobody, or nobody to measure by.
    #[error("a rating list needs players and at least one anchor among them, each named once")]
    Anchors,
    /// Two groups never met.
    #[error("no game connects {} with {}; play some between the groups, or rate each alone", names(.0), names(.1))]
    Unconnected(Vec<String>, Vec<String>),
    /// A group lost every game against the rest: the distance between them is infinite.
    #[error("{} lost every game against {}: the distance can't be measured; play more games, or leave the former out", names(.losers), names(.winners))]
    Swept {
        /// Without a point against the others.
        losers: Vec<String>,
        /// Without a loss or draw against the losers.
        winners: Vec<String>,
    },
    /// Nothing but draws.
    #[error("all games were drawn: ratings would be equal and their errors unknown; play more games")]
    OnlyDraws,
    /// The likelihood grows without end, as when one colour won every game.
    #[error("the results leave no finite fit, as when White won every game; play more games")]
    Endless,
}

/// Fits all players jointly, the anchors held at their ratings, and White's advantage and the draw rate besides.
pub fn fit(table: &Crosstable, anchors: &[Anchor]) -> Result<Fit, Unfit> {
    check(table, anchors)?;
    let anchored =
        |seat| anchors.iter().find(|anchor| anchor.seat == seat).map(|anchor| anchor.rating.0 * PER_ELO);
    let layout = Layout::new(table, anchored);
    let (parameters, information) = climb(table, &layout)?;
    let fisher = information.inverse();
    // On a ridge that climbs for ever the steps end where the numbers do, with nothing known of where they are.
    if !fisher.diagonal().iter().all(|&variance| variance < FLAT) {
        return Err(Unfit::Endless);
    }
    let clustered = &fisher * davidson::clustered_scores(table, &layout, &parameters) * &fisher;
    let rated = |value: f64, index: Option<usize>| Rated {
        strength: Strength(value / PER_ELO),
        errors: Errors {
            fisher: index.map_or(0.0, |at| fisher[(at, at)].sqrt() / PER_ELO),
            // A sum of squares, but for its last digit: where it is nought, rounding may leave it below.
            clustered: index.map_or(0.0, |at| clustered[(at, at)].max(0.0).sqrt() / PER_ELO),
        },
    };
    let nu = layout.nu(&parameters);
    Ok(Fit {
        players: table
            .seats()
            .map(|seat| rated(layout.strength(&parameters, seat), layout.place(seat).parameter()))
            .collect(),
        white_advantage: rated(parameters[layout.advantage], Some(layout.advantage)),
        draw_rate_equal: nu / (2.0 + nu),
        log_likelihood: davidson::log_likelihood(table, &layout, &parameters),
        layout,
        clustered,
    })
}

impl Fit {
    /// How much stronger `a` is than `b`, and the standard error of that, games of a pair taken together.
    pub fn difference(&self, a: Seat, b: Seat) -> (Strength, f64) {
        let mut contrast = DVector::zeros(self.clustered.nrows());
        for (seat, sign) in [(a, 1.0), (b, -1.0)] {
            if let Place::Free(index) = self.layout.place(seat) {
                contrast[index] += sign;
            }
        }
        let variance = contrast.dot(&(&self.clustered * &contrast));
        let difference = self.players[a.0].strength.0 - self.players[b.0].strength.0;
        (Strength(difference), variance.max(0.0).sqrt() / PER_ELO)
    }

    /// How sure the games make us that `a` is stronger than `b`.
    pub fn superiority(&self, a: Seat, b: Seat) -> f64 {
        let (difference, error) = self.difference(a, b);
        // Two anchors differ by decree; a player compared with itself is as good as itself.
        if error > 0.0 { normal_cdf(difference.0 / error) } else { 0.5 * (1.0 + sign(difference.0)) }
    }

    /// By what a small difference is to be divided to compare it with logistic Elo: (2 + ν) / 2.
    pub fn logistic_scale(&self) -> f64 {
        1.0 / (1.0 - self.draw_rate_equal)
    }
}

/// Says why there can be no fit, as far as it can be told from who beat whom.
fn check(table: &Crosstable, anchors: &[Anchor]) -> Result<(), Unfit> {
    let players = table.names().len();
    let mut seats: Vec<Seat> = anchors.iter().map(|anchor| anchor.seat).collect();
    seats.sort();
    seats.dedup();
    let known = anchors.iter().all(|anchor| anchor.seat.0 < players && anchor.rating.0.is_finite());
    if seats.is_empty() || seats.len() < anchors.len() || !known {
        return Err(Unfit::Anchors);
    }
    let name = |seat: &Seat| table.names()[seat.0].clone();
    if let [mainland, rest @ ..] = table.islands().as_slice()
        && !rest.is_empty()
    {
        let others = rest.iter().flatten().map(name).collect();
        return Err(Unfit::Unconnected(mainland.iter().map(name).collect(), others));
    }
    let drawn_only = |games: Games| games.results[0] + games.results[2] == 0;
    if table.games().all(drawn_only) {
        return Err(Unfit::OnlyDraws);
    }
    if let Some(losers) = table.swept() {
        let winners = table.seats().filter(|seat| !losers.contains(seat)).map(|seat| name(&seat)).collect();
        return Err(Unfit::Swept { losers: losers.iter().map(name).collect(), winners });
    }
    Ok(())
}

/// A variance, in units of one e-fold of the odds, that no finite fit of real results comes near.
const FLAT: f64 = 1e6;

/// Newton's steps have this many chances; a concave function with a maximum takes a dozen.
const MAX_STEPS: u32 = 100;

/// Newton's method from the middle, each step halved until it climbs. Returns the maximum and the information there.
fn climb(table: &Crosstable, layout: &Layout) -> Result<(DVector<f64>, Cholesky<f64, Dyn>), Unfit> {
    let mut at = layout.start();
    let mut height = davidson::log_likelihood(table, layout, &at);
    for _ in 0..MAX_STEPS {
        let (gradient, information) = davidson::derivatives(table, layout, &at);
        let information = Cholesky::new(information).ok_or(Unfit::Endless)?;
        let mut step = information.solve(&gradient);
        if step.amax() < 1e-10 {
            return Ok((at, information));
        }
        let climbed = (0..60).find_map(|_| {
            let there = &at + &step;
            step *= 0.5;
            let reached = davidson::log_likelihood(table, layout, &there);
            // Beside the maximum the height no longer changes in its last digits, yet the step is sound.
            (reached >= height - 1e-12 * height.abs()).then_some((there, reached))
        });
        (at, height) = climbed.ok_or(Unfit::Endless)?;
    }
    Err(Unfit::Endless)
}

/// A list of names for a message, cut short.
fn names(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::pentanomial::GameResult::{self, Draw, Loss, Win};
    use super::*;

    const ANCHOR: Anchor = Anchor { seat: Seat(0), rating: Strength(2000.0) };

    /// White, Black, and White's result.
    type Game = (usize, usize, GameResult);

    fn table(players: usize, games: &[Game]) -> Crosstable {
        let mut table = Crosstable::new((0..players).map(|player| format!("P{player}")));
        for &(white, black, result) in games {
            table.record_game(Seat(white), Seat(black), result);
        }
        table
    }

    #[test]
    fn what_has_no_fit_says_why() {
        let cases: [(usize, &[Game], &str); 6] = [
            (
                2,
                &[(0, 1, Win), (1, 0, Loss)],
                "`P1` lost every game against `P0`: the distance can't be measured; play more games, or leave the former out",
            ),
            (
                3,
                &[(0, 1, Win), (0, 1, Loss)],
                "no game connects `P0`, `P1` with `P2`; play some between the groups, or rate each alone",
            ),
            (
                2,
                &[(0, 1, Draw)],
                "all games were drawn: ratings would be equal and their errors unknown; play more games",
            ),
            (
                2,
                &[(0, 1, Win), (1, 0, Win)],
                "the results leave no finite fit, as when White won every game; play more games",
            ),
            (0, &[], "a rating list needs players and at least one anchor among them, each named once"),
            (
                4,
                &[(0, 1, Draw), (2, 3, Win), (3, 2, Win), (0, 2, Win), (1, 3, Win)],
                "`P2`, `P3` lost every game against `P0`, `P1`: the distance can't be measured; play more games, or leave the former out",
            ),
        ];
        for (players, games, message) in cases {
            let unfit = fit(&table(players, games), &[ANCHOR]).expect_err(message);
            assert_eq!(unfit.to_string(), message);
        }
        assert_eq!(fit(&table(2, &[(0, 1, Draw)]), &[ANCHOR, ANCHOR]), Err(Unfit::Anchors));
        assert_eq!(fit(&table(2, &[(0, 1, Draw)]), &[]), Err(Unfit::Anchors));
    }

    #[test]
    fn two_players_without_draws_have_the_logistic_difference() {
        let mut games = vec![(0, 1, Win), (1, 0, Loss), (0, 1, Win), (1, 0, Loss), (0, 1, Loss), (1, 0, Win)];
        let fit_of = |games: &[_]| fit(&table(2, games), &[ANCHOR]).expect("both won");
        let fit = fit_of(&games);
        assert!((fit.players[0].strength.0 - 2000.0).abs() < 1e-9);
        assert!((fit.difference(Seat(0), Seat(1)).0.0 - 400.0 * 2.0_f64.log10()).abs() < 1e-6);
        assert!(fit.white_advantage.strength.0.abs() < 1e-6);
        assert_eq!((fit.draw_rate_equal, fit.logistic_scale()), (0.0, 1.0));
        assert!(fit.superiority(Seat(0), Seat(1)) > 0.5);
        games.reverse();
        assert_eq!(fit_of(&games), fit);
    }

    #[test]
    fn equal_scores_in_a_round_robin_are_equal_ratings() {
        let mut table = table(3, &[]);
        for (first, second) in [(0, 1), (1, 2), (2, 0)] {
            table.record_pair(Seat(first), Seat(second), [Win, Draw]);
            table.record_pair(Seat(first), Seat(second), [Loss, Draw]);
        }
        let fit = fit(&table, &[ANCHOR]).expect("everybody won and lost");
        for player in &fit.players {
            assert!((player.strength.0 - 2000.0).abs() < 1e-6, "{player:?}");
        }
        assert!((fit.superiority(Seat(1), Seat(1)) - 0.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn a_fit_is_finite_or_refused(games in prop::collection::vec((0..4_usize, 1..4_usize, 0..3_usize), 0..60)) {
            let result = |half_points| [Loss, Draw, Win][half_points];
            let games: Vec<_> =
                games.into_iter().map(|(white, step, points)| (white, (white + step) % 4, result(points))).collect();
            if let Ok(fit) = fit(&table(4, &games), &[ANCHOR]) {
                prop_assert!(fit.players.iter().all(|player| player.strength.0.is_finite()));
                prop_assert!(fit.players.iter().all(|player| player.errors.clustered.is_finite()));
                prop_assert!(fit.log_likelihood <= 0.0 && fit.draw_rate_equal < 1.0);
            }
        }
    }
}
