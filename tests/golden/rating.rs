//! Rating lists.

use std::collections::BTreeMap;

use threefold_stats::rating::{
    self, Crosstable, GapPolicy, ParameterPrior, PlayerIndex, RatingAnchor, RatingList, RatingModel,
    RatingPoints, RatingScale, RatingSettings, RatingSimulation, RatingStatus, Reference, Uncertainty,
};

use crate::case::{Found, Input};

/// Half of a 95 % interval, in standard errors, with Ordo's constant.
const TWO_SIDED_95: f64 = 1.96;

pub(crate) fn davidson(input: &Input) -> Found {
    let names: Vec<String> = input.read("players");
    let anchor =
        RatingAnchor::fixed(seat(&names, input.text("anchor")), RatingPoints(input.number("anchor_rating")));
    let mut table = Crosstable::new(names);
    for (first, second, pairs) in input.read::<Vec<(usize, usize, [[u64; 3]; 3])>>("pairs") {
        table.encounter(PlayerIndex(first), PlayerIndex(second)).pairs = pairs;
    }
    let terms = RatingSettings { anchors: vec![anchor], ..RatingSettings::new(RatingModel::Davidson) };
    let list = rating::rate(&table, &terms).expect("the games connect everybody");
    let errors = |errors: &Uncertainty| -> Vec<_> {
        table.seats().map(|seat| errors.standard_error(seat, Reference::Anchors)).collect()
    };
    Found::from([
        ("elo", ratings(&list).into()),
        ("advantage", list.white_advantage.0.into()),
        ("draw_rate_equal", list.draw_rate.into()),
        ("loglik", list.log_likelihood.into()),
        ("se_fisher", errors(&list.independent).into()),
        ("se_cluster", errors(&list.clustered).into()),
        ("advantage_se_fisher", list.independent.of_advantage().into()),
        ("advantage_se_cluster", list.clustered.of_advantage().into()),
    ])
}

/// With analytic errors.
pub(crate) fn ordo(input: &Input) -> Found {
    ordo_with(input, |list, _| list.independent.clone())
}

#[test]
fn simulated_errors_equal_those_of_ordo() {
    let simulated = |list: &RatingList, terms: &RatingSettings| {
        let simulation = RatingSimulation::new(terms, list);
        simulation.errors(&simulation.replay(1, 0..1_000)).expect("most replays have a fit").uncertainty
    };
    let file = crate::read();
    let cases =
        file.cases.iter().filter(|case| case.kind == "rating_ordo" && case.input.count("simulations") > 0);
    let wrong: Vec<String> =
        cases.flat_map(|case| case.disagreements(&ordo_with(&case.input, simulated))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn ordo_with(input: &Input, errors_of: impl Fn(&RatingList, &RatingSettings) -> Uncertainty) -> Found {
    let table = table(input);
    let given = |wanted: &str, value: f64| {
        if input.read::<bool>(wanted) { ParameterPrior::Fitted } else { ParameterPrior::Fixed(value) }
    };
    let anchor = input.read::<Option<String>>("anchor").map(|name| {
        RatingAnchor::fixed(seat(table.names(), &name), RatingPoints(input.number("anchor_rating")))
    });
    let terms = RatingSettings {
        anchors: anchor.into_iter().collect(),
        advantage: given("fit_white", 0.0),
        draw_rate: given("fit_draw", 0.5),
        gaps: GapPolicy::Split,
        ..ordo_terms(RatingModel::Ordo, input)
    };
    let list = rating::rate(&table, &terms).expect("the games connect all but perfect scorers");
    let uncertainty = errors_of(&list, &terms);
    let errors = input.read::<Option<String>>("errors");
    let reference = if errors.as_deref() == Some("pool") { Reference::PoolMean } else { Reference::Anchors };
    // With simulations Ordo leaves perfect scorers out of its list.
    let listed = |seat: PlayerIndex| errors.is_none() || list.players[seat.0].status == RatingStatus::Rated;
    let each = |value: &dyn Fn(PlayerIndex) -> f64| -> Vec<_> {
        table.seats().map(|seat| listed(seat).then(|| value(seat))).collect()
    };
    // Ordo has no error of what is what it is: the anchor from itself, or a player from itself.
    let interval = |error: Option<f64>| error.filter(|error| *error > 0.0).map(|error| TWO_SIDED_95 * error);
    let pairwise = |value: &dyn Fn(PlayerIndex, PlayerIndex) -> Option<f64>| -> Vec<Vec<_>> {
        table.seats().map(|a| table.seats().map(|b| value(a, b).filter(|_| a != b)).collect()).collect()
    };
    let between = |a, b| interval(uncertainty.between(a, b));
    let superiority = |a, b| list.superiority(a, b, &uncertainty).map(|share| 100.0 * share);
    let of = |seat| interval(uncertainty.standard_error(seat, reference));
    Found::from([
        ("ratings", each(&|seat| list.players[seat.0].rating.0).into()),
        ("points", each(&|seat| list.players[seat.0].points).into()),
        ("played", each(&|seat| list.players[seat.0].games as f64).into()),
        ("white_advantage", list.white_advantage.0.into()),
        ("draw_rate_equal_pct", (100.0 * list.draw_rate).into()),
        ("errors95", table.seats().map(of).collect::<Vec<_>>().into()),
        ("pair_errors95", pairwise(&between).into()),
        ("cfs_pct", pairwise(&superiority).into()),
        ("white_advantage_sd", uncertainty.of_advantage().into()),
        ("draw_rate_sd_pct", (100.0 * uncertainty.of_draw_rate()).into()),
    ])
}

pub(crate) fn ordo_wdl(input: &Input) -> Found {
    let table = table(input);
    let loose = input.read::<Option<BTreeMap<String, (f64, f64)>>>("loose").unwrap_or_default();
    let anchors = (loose.iter())
        .map(|(name, (mean, sd))| RatingAnchor::gaussian(seat(table.names(), name), RatingPoints(*mean), *sd))
        .collect();
    let terms = RatingSettings { anchors, ..ordo_terms(RatingModel::OrdoWdl, input) };
    let list = rating::rate(&table, &terms).expect("the games connect everybody");
    Found::from([
        ("ratings", ratings(&list).into()),
        ("white_advantage", list.white_advantage.0.into()),
        ("draw_rate_equal_pct", (100.0 * list.draw_rate).into()),
    ])
}

pub(crate) fn fixed_anchors(input: &Input) -> Found {
    let table = table(input);
    let fixed: BTreeMap<String, f64> = input.read("fixed");
    let anchors = (fixed.iter())
        .map(|(name, rating)| RatingAnchor::fixed(seat(table.names(), name), RatingPoints(*rating)))
        .collect();
    let terms = RatingSettings { anchors, ..ordo_terms(RatingModel::Ordo, input) };
    let list = rating::rate(&table, &terms).expect("the games connect everybody");
    Found::from([("ratings", ratings(&list).into()), ("white_advantage", list.white_advantage.0.into())])
}

pub(crate) fn bayeselo(input: &Input) -> Found {
    let table = table(input);
    let usual = RatingSettings {
        prior_draws: input.number("prior_draws"),
        ..RatingSettings::new(RatingModel::BayesElo)
    };
    let given = |wanted: &str, value: &dyn Fn() -> f64| {
        if input.read::<bool>(wanted) { ParameterPrior::Fitted } else { ParameterPrior::Fixed(value()) }
    };
    let terms = RatingSettings {
        advantage: given("fit_advantage", &|| input.number("advantage")),
        draw_rate: given("fit_drawelo", &|| {
            usual.scale.draw_rate_of_draw_elo(RatingPoints(input.number("drawelo")))
        }),
        ..usual
    };
    let list = rating::rate(&table, &terms).expect("the games connect everybody");
    let errors = list.independent.given_advantage_and_draws();
    let sd = |seat| errors.standard_error(seat, Reference::PoolMean);
    let los = |a, b| if a == b { Some(0.0) } else { list.superiority(a, b, &errors) };
    let los: Vec<Vec<_>> = table.seats().map(|a| table.seats().map(|b| los(a, b)).collect()).collect();
    Found::from([
        ("elo", ratings(&list).into()),
        ("sd", table.seats().map(sd).collect::<Vec<_>>().into()),
        ("los", los.into()),
        ("advantage", list.white_advantage.0.into()),
        ("drawelo", list.draw_elo().map(|elo| elo.0).into()),
        ("loglik", list.log_likelihood.into()),
        ("scale", list.logistic_scale().into()),
    ])
}

/// Games as counts: White, Black, White's wins, draws and losses.
fn table(input: &Input) -> Crosstable {
    let mut table = Crosstable::new(input.read::<Vec<String>>("players"));
    for (white, black, wins, draws, losses) in input.read::<Vec<(usize, usize, u64, u64, u64)>>("games") {
        table.encounter(PlayerIndex(white), PlayerIndex(black)).single = [losses, draws, wins];
    }
    table
}

fn ordo_terms(model: RatingModel, input: &Input) -> RatingSettings {
    let centre = if input.has("average") { input.read::<Option<f64>>("average") } else { None };
    RatingSettings {
        scale: RatingScale { at_76: input.number("scale_76") },
        centre: RatingPoints(centre.unwrap_or_default()),
        ..RatingSettings::new(model)
    }
}

fn seat(names: &[String], name: &str) -> PlayerIndex {
    PlayerIndex(names.iter().position(|other| other == name).expect("the anchor plays"))
}

fn ratings(list: &RatingList) -> Vec<f64> {
    list.players.iter().map(|player| player.rating.0).collect()
}
