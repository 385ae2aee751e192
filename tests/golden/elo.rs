//! Elo, its errors and its conversions.

use threefold_stats::bayeselo::{BayesElo, DrawElo};
use threefold_stats::{Logistic, ResultCounts, Sample, Scoresheet, compat, elo};

use crate::case::{AnyTally, Found, Input};
use crate::for_tally;
use crate::sequential::{games, six_classes_or_games};

pub(crate) fn fishtest(input: &Input) -> Found {
    let (estimate, superiority) = for_tally!(input.tally("results"), results => {
        (elo::logistic(&results).expect("there are trials"), elo::superiority(&results))
    });
    Found::from([
        ("elo", estimate.value.0.into()),
        ("elo95", ((estimate.high.0 - estimate.low.0) / 2.0).into()),
        ("los", superiority.into()),
    ])
}

pub(crate) fn fastchess(input: &Input) -> Found {
    let results = six_classes_or_games(input);
    let (block, points, games) = for_tally!(results, results => {
        (compat::fastchess(&results).expect("there are trials"), results.points(), results.games())
    });
    let score = points / games as f64;
    // C prints the quotient of two zeros with its sign.
    let percent = if block.superiority.is_nan() {
        "-nan".to_owned()
    } else {
        format!("{:.2}", 100.0 * block.superiority)
    };
    let mut found = Found::from([
        ("elo", block.elo.value.0.into()),
        ("elo_error", block.elo.margin.into()),
        ("nelo", block.normalized.value.0.into()),
        ("nelo_error", block.normalized.margin.into()),
        ("score", score.into()),
        ("los_text", format!("{percent} %").as_str().into()),
        ("points_ratio_pct", (100.0 * score).into()),
    ]);
    match results {
        AnyTally::Games(games) => {
            found.extend([("draw_ratio_pct", games.draw_ratio().map(|ratio| 100.0 * ratio).into())]);
        }
        AnyTally::Pairs(pairs) => found.extend([
            ("draw_ratio_pct", pairs.level_pair_ratio().map(|ratio| 100.0 * ratio).into()),
            ("pairs_ratio", pairs.pairs_ratio().unwrap_or(f64::NAN).into()),
            ("wl_dd_ratio", (input.number("WL") / input.number("DD")).into()),
        ]),
    }
    found
}

pub(crate) fn cutechess(input: &Input) -> Found {
    let games = games(input);
    let block = compat::cutechess(&games).expect("there are games");
    Found::from([
        ("elo", block.elo.value.0.into()),
        ("elo_error", block.elo.margin.into()),
        ("point_ratio", (games.points() / games.games() as f64).into()),
        ("draw_ratio", games.draw_ratio().into()),
        ("los_pct", block.superiority.map_or(f64::NAN, |los| 100.0 * los).into()),
    ])
}

pub(crate) fn openbench(input: &Input) -> Found {
    let estimate = for_tally!(input.tally("results"), results => compat::openbench(&results));
    Found::from([
        ("lower", estimate.low.0.into()),
        ("elo", estimate.value.0.into()),
        ("upper", estimate.high.0.into()),
    ])
}

pub(crate) fn los_exact(input: &Input) -> Found {
    let (wins, losses) = (input.count("wins"), input.count("losses"));
    Found::from([
        ("los_beta", elo::superiority_of_decisive(wins, losses).into()),
        ("los_normal", compat::cutechess_superiority(wins, losses).into()),
    ])
}

pub(crate) fn conversions(input: &Input) -> Found {
    let (strength, draws) = (BayesElo(input.number("bayeselo")), DrawElo(input.number("drawelo")));
    let [loss, draw, win] = strength.probabilities(draws);
    let logistic = Logistic(input.number("logistic_elo"));
    let ratio = input.number("draw_ratio");
    let of_ratio = BayesElo::from_probabilities([
        1.0 - logistic.score() - ratio / 2.0,
        ratio,
        logistic.score() - ratio / 2.0,
    ]);
    Found::from([
        ("loss", loss.into()),
        ("draw", draw.into()),
        ("win", win.into()),
        ("bayeselo_to_logistic", strength.logistic(draws).0.into()),
        ("elo_to_bayeselo", of_ratio.map(|(strength, draws)| vec![strength.0, draws.0]).into()),
        ("score_of_logistic", logistic.score().into()),
        ("elo_of_score", Logistic::of_score_clamped(input.number("score")).0.into()),
    ])
}

pub(crate) fn nelo_page(input: &Input) -> Found {
    let pairs = ResultCounts { counts: input.read("pentanomial") };
    let games = games(input);
    let sheet = Scoresheet::from_counts(pairs, games).expect("the pairs consist of the games");
    let nelo_of_pairs = elo::normalized(&pairs).expect("there are pairs");
    let nelo_of_games = elo::normalized(&games).expect("there are games");
    let pair_sample = Sample::regularised(&pairs).expect("there are pairs");
    let game_sample = Sample::regularised(&games).expect("there are games");
    let score = elo::score(&pairs).expect("there are pairs");
    let variance = sheet.variance_per_game().expect("there are pairs");
    let level = sheet.level_pairs().expect("there are pairs");
    Found::from([
        ("tri_nelo", nelo_of_games.value.0.into()),
        ("tri_nelo_lower", nelo_of_games.low.0.into()),
        ("tri_nelo_upper", nelo_of_games.high.0.into()),
        ("tri_variance", game_sample.variance().into()),
        ("draw_ratio", games.draw_ratio().into()),
        ("penta_nelo", nelo_of_pairs.value.0.into()),
        ("penta_nelo_lower", nelo_of_pairs.low.0.into()),
        ("penta_nelo_upper", nelo_of_pairs.high.0.into()),
        ("penta_draw_ratio", pair_sample.probabilities()[2].into()),
        ("score", score.value.into()),
        ("score_lower", score.low.into()),
        ("score_upper", score.high.into()),
        ("variance_per_game", variance.value.into()),
        ("variance_per_game_lower", variance.low.into()),
        ("variance_per_game_upper", variance.high.into()),
        ("skewness", pair_sample.skewness().into()),
        ("excess_kurtosis", pair_sample.excess_kurtosis().into()),
        ("dd_prob", level.drawn.into()),
        ("wl_prob", level.traded.into()),
        ("variance_ratio", sheet.variance_ratio().into()),
        ("rms_bias_elo", sheet.opening_bias().map(|bias| bias.0).into()),
        ("pairs_ratio", pairs.pairs_ratio().into()),
    ])
}
