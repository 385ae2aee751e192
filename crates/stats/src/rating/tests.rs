//! Properties of all models, or of some.

use proptest::prelude::*;

use super::super::pentanomial::GameResult::{self, Draw, Loss, Win};
use super::{RatingSettings as Settings, *};

/// White, Black, and White's result.
pub(super) type Game = (usize, usize, GameResult);

const RESULTS: [GameResult; 3] = [Loss, Draw, Win];

pub(super) fn table(players: usize, games: &[Game]) -> Crosstable {
    let mut table = Crosstable::new((0..players).map(|player| format!("P{player}")));
    for &(white, black, result) in games {
        table.record_game(PlayerIndex(white), PlayerIndex(black), result);
    }
    table
}

pub(super) fn anchored(model: RatingModel) -> Settings {
    let anchors = vec![RatingAnchor::fixed(PlayerIndex(0), RatingPoints(2000.0))];
    Settings { anchors, ..Settings::new(model) }
}

fn ratings(list: &RatingList) -> Vec<f64> {
    list.players.iter().map(|player| player.rating.0).collect()
}

fn close(left: &[f64], right: &[f64]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| (left - right).abs() < 1e-5)
}

#[test]
fn rating_errors_name_the_reason() {
    let cases: [(usize, &[Game], &str); 7] = [
        (
            2,
            &[(0, 1, Win), (1, 0, Loss)],
            "`P1` lost every game against `P0`: the difference can't be measured; play more games, or leave the losers out",
        ),
        (
            3,
            &[(0, 1, Win), (0, 1, Loss)],
            "no game connects `P0`, `P1` with `P2`; play some between the groups, or rate each group alone",
        ),
        (2, &[(0, 1, Draw)], "all games were drawn, so errors are unknown; play more games"),
        (
            2,
            &[(0, 1, Win), (1, 0, Win)],
            "White won every game, so White's advantage can't be estimated; give it, or play more games",
        ),
        (
            2,
            &[(0, 1, Loss), (1, 0, Loss)],
            "Black won every game, so White's advantage can't be estimated; give it, or play more games",
        ),
        (1, &[], "there are no games to rate"),
        (
            4,
            &[(0, 1, Draw), (2, 3, Win), (3, 2, Win), (0, 2, Win), (1, 3, Win)],
            "`P2`, `P3` lost every game against `P0`, `P1`: the difference can't be measured; play more games, or leave the losers out",
        ),
    ];
    for (players, games, message) in cases {
        for model in [RatingModel::Davidson, RatingModel::Ordo, RatingModel::OrdoWdl] {
            let unfit = rate(&table(players, games), &anchored(model)).expect_err(message);
            assert_eq!(unfit.to_string(), message, "{model}");
        }
    }
    // Virtual draws bound a perfect score, but only if the draw rate cannot diverge with the rating.
    let one_sided = table(2, cases[0].1);
    assert_eq!(rate(&one_sided, &anchored(RatingModel::BayesElo)), Err(RatingError::Endless));
    let known = Settings { draw_rate: ParameterPrior::Fixed(0.3), ..anchored(RatingModel::BayesElo) };
    let one_sided = rate(&one_sided, &known).expect("virtual draws bound it");
    assert!(one_sided.difference(PlayerIndex(0), PlayerIndex(1)) > Some(RatingPoints(0.0)));
}

#[test]
fn invalid_rating_settings_are_named() {
    let usual = Settings::new(RatingModel::OrdoWdl);
    let anchor = RatingAnchor::fixed(PlayerIndex(0), RatingPoints(0.0));
    let anchors = |anchors: &[RatingAnchor]| Settings { anchors: anchors.to_vec(), ..usual.clone() };
    let cases = [
        (anchors(&[anchor, anchor]), "the second anchor `P0`"),
        (anchors(&[RatingAnchor::fixed(PlayerIndex(9), RatingPoints(0.0))]), "an anchor in seat 9"),
        (anchors(&[RatingAnchor::fixed(PlayerIndex(0), RatingPoints(f64::NAN))]), "the anchor `P0`"),
        (anchors(&[RatingAnchor::gaussian(PlayerIndex(0), RatingPoints(0.0), 0.0)]), "the anchor `P0`"),
        (Settings { advantage: ParameterPrior::Fixed(f64::INFINITY), ..usual.clone() }, "White's advantage"),
        (Settings { draw_rate: ParameterPrior::Fixed(1.0), ..usual.clone() }, "the draw rate"),
        (Settings { prior_draws: -1.0, ..usual.clone() }, "the virtual draws"),
        (Settings { scale: RatingScale { at_76: 0.0 }, ..usual.clone() }, "the scale or its centre"),
        (
            Settings {
                advantage: ParameterPrior::Gaussian { mean: 30.0, sd: 5.0 },
                ..Settings::new(RatingModel::Ordo)
            },
            "what is known loosely",
        ),
    ];
    for (terms, culprit) in cases {
        let unfit = rate(&table(2, &[(0, 1, Win), (0, 1, Loss)]), &terms).expect_err(culprit);
        assert!(
            matches!(&unfit, RatingError::Settings { what, .. } if what == culprit),
            "{culprit}: {unfit}"
        );
    }
}

#[test]
fn two_players_without_draws_have_the_logistic_difference() {
    let games = [(0, 1, Win), (1, 0, Loss), (0, 1, Win), (1, 0, Loss), (0, 1, Loss), (1, 0, Win)];
    for &model in RatingModel::ALL {
        let terms = Settings { prior_draws: 0.0, scale: RatingScale::LOGISTIC, ..anchored(model) };
        let list = rate(&table(2, &games), &terms).expect("both won");
        assert_eq!(list.players[0].rating, RatingPoints(2000.0));
        let difference = list.difference(PlayerIndex(0), PlayerIndex(1)).expect("one group").0;
        assert!((difference - 400.0 * 2.0_f64.log10()).abs() < 1e-6, "{model}: {difference}");
        assert!(list.white_advantage.0.abs() < 1e-6, "{model}");
        assert!(list.draw_rate.abs() < 1e-12 && (list.logistic_scale() - 1.0).abs() < 1e-12, "{model}");
        let chances = list.chances(PlayerIndex(0), PlayerIndex(1)).expect("one group");
        assert!((chances[2] - 2.0 / 3.0).abs() < 1e-9, "{model}: {chances:?}");
        assert!(list.superiority(PlayerIndex(0), PlayerIndex(1), &list.clustered) > Some(0.5), "{model}");
        assert_eq!(list.superiority(PlayerIndex(1), PlayerIndex(1), &list.clustered), Some(0.5), "{model}");
    }
}

#[test]
fn equal_round_robin_scores_give_equal_ratings_except_with_bayeselo() {
    // A scores its half by wins and losses, B and C by draws with each other and wins and losses against A.
    let mut table = table(4, &[]);
    for (first, second, results) in [
        (0, 1, [[Win, Loss], [Loss, Win], [Win, Loss]]),
        (0, 2, [[Win, Win], [Draw, Draw], [Loss, Draw]]),
        (0, 3, [[Loss, Loss], [Draw, Win], [Draw, Loss]]),
        (1, 2, [[Draw, Draw], [Draw, Draw], [Draw, Draw]]),
        (1, 3, [[Draw, Draw], [Draw, Draw], [Draw, Draw]]),
        (2, 3, [[Win, Loss], [Win, Draw], [Loss, Win]]),
    ] {
        for pair in results {
            table.record_pair(PlayerIndex(first), PlayerIndex(second), pair);
        }
    }
    let spread = |model| {
        let terms = Settings { centre: RatingPoints(2000.0), prior_draws: 0.0, ..Settings::new(model) };
        let list = rate(&table, &terms).expect("everybody won and lost");
        let tied: Vec<&PlayerRating> =
            list.players.iter().filter(|player| (player.points - 9.0).abs() < 1e-9).collect();
        assert!(tied.len() >= 2, "{list:?}");
        tied.iter().map(|player| (player.rating.0 - tied[0].rating.0).abs()).fold(0.0, f64::max)
    };
    for model in [RatingModel::Davidson, RatingModel::Ordo] {
        assert!(spread(model) < 1e-6, "{model}: {}", spread(model));
    }
    assert!(spread(RatingModel::BayesElo) > 0.1, "{}", spread(RatingModel::BayesElo));
}

#[test]
fn unbounded_ridge_is_refused() {
    // With twice as many natural units between 0, {1, 3} and 2 as ln ν has, every result gets likelier for ever.
    let games = [
        (0, 1, Loss),
        (0, 2, Loss),
        (2, 3, Win),
        (2, 1, Draw),
        (1, 2, Loss),
        (3, 2, Draw),
        (3, 2, Draw),
        (3, 2, Loss),
        (3, 0, Draw),
        (0, 2, Loss),
        (1, 2, Draw),
    ];
    for (model, unfit) in [
        (RatingModel::Davidson, RatingError::Endless),
        (RatingModel::OrdoWdl, RatingError::Endless),
        (RatingModel::Ordo, RatingError::Drawish),
    ] {
        assert_eq!(rate(&table(4, &games), &anchored(model)).err(), Some(unfit), "{model}");
    }
}

#[test]
fn too_many_draws_need_a_draw_rate() {
    let games = [
        (0, 1, Draw),
        (0, 1, Draw),
        (0, 1, Draw),
        (2, 1, Loss),
        (1, 2, Draw),
        (2, 0, Loss),
        (0, 2, Draw),
        (2, 0, Win),
        (0, 2, Win),
    ];
    let anchors = |top| {
        vec![
            RatingAnchor::fixed(PlayerIndex(0), RatingPoints(0.0)),
            RatingAnchor::fixed(PlayerIndex(1), RatingPoints(top)),
        ]
    };
    let terms = |top| Settings { anchors: anchors(top), ..Settings::new(RatingModel::Ordo) };
    assert!(rate(&table(3, &games), &terms(0.0)).is_ok());
    assert_eq!(rate(&table(3, &games), &terms(800.0)).err(), Some(RatingError::Drawish));
    let given = Settings { draw_rate: ParameterPrior::Fixed(0.4), ..terms(800.0) };
    assert!(rate(&table(3, &games), &given).is_ok());
}

#[test]
fn anchor_with_prior_is_between_fixed_and_none() {
    let games =
        [(0, 1, Win), (1, 0, Draw), (0, 1, Loss), (1, 2, Win), (2, 1, Draw), (2, 0, Win), (0, 2, Win)];
    let table = table(3, &games);
    for model in [RatingModel::Davidson, RatingModel::OrdoWdl, RatingModel::BayesElo] {
        let terms = |second| {
            let anchors = vec![RatingAnchor::fixed(PlayerIndex(0), RatingPoints(100.0)), second];
            Settings { anchors, ..Settings::new(model) }
        };
        let loose = |sd| {
            ratings(
                &rate(&table, &terms(RatingAnchor::gaussian(PlayerIndex(1), RatingPoints(500.0), sd)))
                    .expect("tied"),
            )
        };
        let fixed = ratings(
            &rate(&table, &terms(RatingAnchor::fixed(PlayerIndex(1), RatingPoints(500.0)))).expect("tied"),
        );
        let free = rate(
            &table,
            &Settings {
                anchors: vec![RatingAnchor::fixed(PlayerIndex(0), RatingPoints(100.0))],
                ..Settings::new(model)
            },
        );
        let free = ratings(&free.expect("tied"));
        let middle = loose(50.0)[1];
        assert!(close(&loose(1e-5), &fixed) && close(&loose(1e5)[..1], &free[..1]), "{model}");
        assert!(free[1] + 10.0 < middle && middle < 499.0, "{model}: {} {middle}", free[1]);
        assert!((loose(1e5)[1] - free[1]).abs() < 0.5, "{model}");
    }
}

#[test]
fn groups_are_rated_separately_and_perfect_scorers_placed() {
    // 0 and 1 are one group, 2 and 3 another that lost to them; 4 beat 0 only, 5 beat 4 only, 6 beat 0 and lost to 2.
    let games = [
        (0, 1, Win),
        (1, 0, Win),
        (1, 0, Draw),
        (0, 1, Loss),
        (2, 3, Win),
        (3, 2, Draw),
        (3, 2, Loss),
        (2, 3, Loss),
        (0, 2, Win),
        (4, 0, Win),
        (0, 4, Loss),
        (5, 4, Win),
        (2, 6, Win),
        (6, 0, Win),
    ];
    let terms =
        Settings { gaps: GapPolicy::Split, centre: RatingPoints(1000.0), ..Settings::new(RatingModel::Ordo) };
    let list = rate(&table(7, &games), &terms).expect("two groups have games");
    let groups: Vec<usize> = list.players.iter().map(|player| player.group).collect();
    assert_eq!(groups[..4], [0, 0, 0, 0], "0 beat 2, who beat 6, who beat 0: {list:?}");
    let games = &games[..12];
    let list = rate(&table(7, games), &terms).expect("two groups have games");
    let lines: Vec<_> = list.players.iter().map(|player| (player.group, player.status)).collect();
    let (rated, unbeaten) = (RatingStatus::Rated, RatingStatus::Unbeaten);
    assert_eq!(
        lines,
        [(0, rated), (0, rated), (1, rated), (1, rated), (0, unbeaten), (0, unbeaten), (2, rated)],
        "6 played nobody"
    );
    let rating = |seat: usize| list.players[seat].rating.0;
    assert!((rating(0) + rating(1) - 2000.0).abs() < 1e-9 && (rating(2) + rating(3) - 2000.0).abs() < 1e-9);
    assert!(rating(5) > rating(4) && rating(4) > rating(0), "{list:?}");
    let [white, black] =
        [list.chances(PlayerIndex(4), PlayerIndex(0)), list.chances(PlayerIndex(0), PlayerIndex(4))]
            .map(|c| c.expect("placed"));
    assert!((white[2] * black[0] - 0.5).abs() < 1e-9, "both wins have an even chance");
    assert_eq!(
        (
            list.difference(PlayerIndex(0), PlayerIndex(2)),
            list.clustered.between(PlayerIndex(0), PlayerIndex(2))
        ),
        (None, None)
    );
    assert_eq!(list.clustered.standard_error(PlayerIndex(4), Reference::Anchors), None);
    let refused = rate(&table(7, games), &Settings::new(RatingModel::Ordo)).expect_err("6 is alone");
    assert!(matches!(refused, RatingError::Unconnected(..)), "{refused}");
}

/// Up to 60 games among four players; seat 0 to 3, how many seats further on the opponent sits, half-points.
fn games() -> impl Strategy<Value = Vec<Game>> {
    let game = (0..4_usize, 1..4_usize, 0..3_usize);
    let reported =
        |(white, step, points): (usize, usize, usize)| (white, (white + step) % 4, RESULTS[points]);
    prop::collection::vec(game, 0..60).prop_map(move |games| games.into_iter().map(reported).collect())
}

fn model() -> impl Strategy<Value = RatingModel> {
    prop::sample::select(RatingModel::ALL)
}

proptest! {
    #[test]
    fn rating_fit_is_finite_or_refused(games in games(), model in model(), times in prop::sample::select(&[1, 1_000_000_000][..])) {
        let mut table = table(4, &games);
        for seat in table.seats() {
            for other in table.seats().filter(|other| *other != seat) {
                table.encounter(seat, other).single.iter_mut().for_each(|count| *count *= times);
            }
        }
        for gaps in [GapPolicy::Refuse, GapPolicy::Split] {
            if let Ok(list) = rate(&table, &Settings { gaps, ..anchored(model) }) {
                prop_assert!(ratings(&list).iter().all(|rating| rating.is_finite()));
                prop_assert!(list.log_likelihood <= 0.0 && (0.0..1.0).contains(&list.draw_rate));
                prop_assert!(list.goodness_of_fit.chi_square.is_finite());
                for errors in [&list.independent, &list.clustered, &list.clustered.given_advantage_and_draws()] {
                    for (seat, reference) in table.seats().zip([Reference::Anchors, Reference::PoolMean].repeat(2)) {
                        prop_assert!(errors.standard_error(seat, reference).is_none_or(f64::is_finite));
                    }
                    prop_assert!(errors.of_advantage().is_finite() && errors.of_draw_rate().is_finite());
                }
            }
        }
    }

    #[test]
    fn rating_does_not_depend_on_the_order_of_games(games in games(), model in model()) {
        let one = rate(&table(4, &games), &anchored(model));
        let reversed: Vec<Game> = games.iter().rev().copied().collect();
        prop_assert_eq!(&rate(&table(4, &reversed), &anchored(model)), &one);
        // The games that one player had with White are recorded as the second games of pairs that the other
        // began.
        let mut paired = table(4, &[]);
        let mut waiting = games.clone();
        while let Some((white, black, result)) = waiting.pop() {
            match waiting.iter().position(|other| (other.1, other.0) == (white, black)) {
                Some(at) => {
                    let (.., first) = waiting.remove(at);
                    paired.record_pair(PlayerIndex(black), PlayerIndex(white), [first, result.reversed()]);
                }
                None => paired.record_game(PlayerIndex(white), PlayerIndex(black), result),
            }
        }
        match (one, rate(&paired, &anchored(model))) {
            (Ok(one), Ok(other)) => {
                prop_assert!(close(&ratings(&one), &ratings(&other)));
                prop_assert_eq!(one.independent, other.independent);
            }
            (one, other) => prop_assert_eq!(one.err(), other.err()),
        }
    }

    #[test]
    fn white_advantage_mirrors_with_the_colours(games in games(), model in model()) {
        let swapped: Vec<Game> =
            games.iter().map(|&(white, black, result)| (black, white, result.reversed())).collect();
        if let Ok(list) = rate(&table(4, &games), &anchored(model)) {
            let other = rate(&table(4, &swapped), &anchored(model)).expect("as finite as before");
            prop_assert!(close(&ratings(&list), &ratings(&other)), "{:?} {:?}", list.players, other.players);
            prop_assert!(close(&[list.white_advantage.0, list.draw_rate], &[-other.white_advantage.0, other.draw_rate]));
        }
    }

    #[test]
    fn ratings_shift_with_the_anchors(games in games(), model in model()) {
        let terms = |shift: f64| Settings {
            anchors: [(0, 100.0), (3, 180.0)]
                .map(|(player, elo)| RatingAnchor::fixed(PlayerIndex(player), RatingPoints(elo + shift)))
                .into(),
            ..Settings::new(model)
        };
        if let Ok(list) = rate(&table(4, &games), &terms(0.0)) {
            let shifted = rate(&table(4, &games), &terms(1000.0)).expect("as finite as before");
            let back = shifted.players.iter().map(|player| player.rating.0 - 1000.0).collect::<Vec<_>>();
            prop_assert!(close(&ratings(&list), &back), "{:?} {:?}", list.players, back);
            prop_assert_eq!(list.players[3].rating, RatingPoints(180.0));
        }
    }

    #[test]
    fn win_instead_of_a_loss_never_lowers_the_difference(games in games(), model in model()) {
        let terms = Settings { advantage: ParameterPrior::Fixed(20.0), ..anchored(model) };
        let lost = games.iter().position(|(.., result)| *result == Loss);
        let lead = |list: &RatingList, at: usize| {
            list.difference(PlayerIndex(games[at].0), PlayerIndex(games[at].1)).expect("one group").0
        };
        let mut better = games.clone();
        if let (Some(at), Ok(list)) = (lost, rate(&table(4, &games), &terms)) {
            better[at].2 = Win;
            if let Ok(raised) = rate(&table(4, &better), &terms) {
                prop_assert!(lead(&raised, at) > lead(&list, at));
            }
        }
    }
}
