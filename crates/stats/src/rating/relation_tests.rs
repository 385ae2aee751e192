//! Relations: priors of differences between players.

use super::super::pentanomial::GameResult::{Draw, Loss, Win};
use super::tests::{anchored, table};
use super::*;

#[test]
fn relation_is_a_prior_of_a_difference() {
    // P1 and P2 have no game with each other; the relation measures P2.
    let games = [
        (0, 1, Win),
        (1, 0, Win),
        (0, 1, Draw),
        (1, 0, Loss),
        (0, 2, Win),
        (2, 0, Win),
        (2, 0, Win),
        (0, 2, Draw),
    ];
    let related = |sd: f64| {
        let relation =
            RatingRelation { players: [PlayerIndex(2), PlayerIndex(1)], difference: RatingPoints(25.0), sd };
        let terms = RatingSettings { relations: vec![relation], ..anchored(RatingModel::OrdoWdl) };
        rate(&table(3, &games), &terms).expect("the games connect all")
    };
    let lead = |list: &RatingList| list.players[2].rating.0 - list.players[1].rating.0;
    let free = rate(&table(3, &games), &anchored(RatingModel::OrdoWdl)).expect("the games connect all");
    let (tight, loose, weak) = (related(1e-3), related(80.0), related(90_000.0));
    assert!((lead(&tight) - 25.0).abs() < 1e-3, "{}", lead(&tight));
    assert!((lead(&weak) - lead(&free)).abs() < 0.1, "{} {}", lead(&weak), lead(&free));
    assert!(lead(&loose) > 25.5 && lead(&loose) < lead(&free) - 1.0, "{} {}", lead(&loose), lead(&free));
    let error =
        |list: &RatingList| list.independent.between(PlayerIndex(2), PlayerIndex(1)).expect("one group");
    assert!(
        error(&tight) < 2e-3 && error(&loose) < 80.0 && error(&loose) < error(&free),
        "{}",
        error(&loose)
    );
    // A player without points has a finite rating with a relation.
    let swept = [&games[..4], &[(0, 2, Win)]].concat();
    let relation =
        RatingRelation { players: [PlayerIndex(2), PlayerIndex(1)], difference: RatingPoints(0.0), sd: 50.0 };
    let terms = RatingSettings {
        relations: vec![relation],
        gaps: GapPolicy::Split,
        ..anchored(RatingModel::Davidson)
    };
    let list = rate(&table(3, &swept), &terms).expect("the relation connects P2");
    assert_eq!(list.players[2].status, RatingStatus::Rated);
    assert!(list.players[2].rating < list.players[1].rating);
    let simulation = RatingSimulation::new(&terms, &list);
    let simulated = simulation.errors(&simulation.replay(1, 0..50)).expect("most replays have a fit");
    assert!(simulated.uncertainty.standard_error(PlayerIndex(2), Reference::Anchors) > Some(20.0));
}
