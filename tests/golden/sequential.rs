//! Sequential tests.

use std::num::NonZeroU32;

use threefold_stats::bayeselo::{self, BayesElo, DrawElo};
use threefold_stats::planning::{self, Openings};
use threefold_stats::sequential::SprtState;
use threefold_stats::sequential::approximation;
use threefold_stats::sequential::brownian::{Brownian, StopPoint};
use threefold_stats::sequential::overshoot::OvershootLadders;
use threefold_stats::sequential::stopped::{self, StoppedEstimate};
use threefold_stats::{
    Bounds, EloModel, GameResult, Judgement, Logistic, Overshoot, ResultCounts, Risks, Sample, Sprt,
    SprtConfig, TrialUnit, compat,
};

use crate::case::{AnyTally, Found, Input};
use crate::for_tally;

pub(crate) fn sprt_bounds(input: &Input) -> Found {
    with_bounds(Found::new(), risks(input).bounds())
}

pub(crate) fn gsprt_llr(input: &Input) -> Found {
    let test = test(input, risks(input));
    let (exact, alt, alt2) = for_tally!(input.tally("results"), results => {
        let sample = Sample::regularised(&results).expect("there are trials");
        (test.llr(&results), approximation::llr_alt(&test, &sample), approximation::llr_alt2(&test, &sample))
    });
    let judgement = exact.map_or(Judgement::Continue, |llr| test.bounds().judge(llr));
    let found = Found::from([
        ("llr", exact.into()),
        ("llr_alt", alt.into()),
        ("llr_alt2", alt2.into()),
        ("decision", word(judgement).into()),
    ]);
    with_bounds(found, test.bounds())
}

pub(crate) fn gsprt_llr_extreme(input: &Input) -> Found {
    let test = test(input, Risks::USUAL);
    Found::from([("llr", for_tally!(input.tally("results"), results => test.llr(&results)).into())])
}

pub(crate) fn fastchess_llr(input: &Input) -> Found {
    let results = six_classes_or_games(input);
    let bounds = risks(input).bounds();
    let llr = match (input.text("model"), results) {
        ("bayesian", AnyTally::Games(games)) if games.counts[0] == 0 || games.counts[2] == 0 => Some(0.0),
        ("bayesian", results) => {
            let [elo0, elo1] = elo(input);
            let test = Sprt::new(EloModel::BayesElo, elo0, elo1, risks(input)).expect("a sound test");
            for_tally!(results, results => test.llr(&results))
        }
        _ => for_tally!(results, results => test(input, risks(input)).llr(&results)),
    };
    let llr = llr.expect("there are trials");
    let fraction = if llr < 0.0 { -llr / bounds.lower } else { llr / bounds.upper };
    let found = Found::from([
        ("llr", llr.into()),
        ("fraction", fraction.into()),
        ("result", word(bounds.judge(llr)).into()),
    ]);
    with_bounds(found, bounds)
}

pub(crate) fn cutechess_sprt(input: &Input) -> Found {
    let bounds = risks(input).bounds();
    let llr = compat::cutechess_llr(&games(input), elo(input).map(Logistic));
    with_bounds(Found::from([("llr", llr.into()), ("result", word(bounds.judge(llr)).into())]), bounds)
}

pub(crate) fn bayeselo_llr(input: &Input) -> Found {
    let AnyTally::Games(results) = input.tally("results") else { panic!("BayesElo knows single games only") };
    let [elo0, elo1] = elo(input);
    let test = Sprt::new(EloModel::BayesElo, elo0, elo1, Risks::USUAL).expect("a sound test");
    let elo = [elo0, elo1].map(BayesElo);
    let drawish = |sample: Option<Sample<3>>| sample.and_then(|sample| DrawElo::of_sample(&sample));
    let raw = drawish(Sample::raw(&results));
    let regularised = drawish(Sample::regularised(&results));
    let llr = bayeselo::llr_at_sample(&results, elo);
    Found::from([
        ("drawelo", raw.map(|draws| draws.0).into()),
        ("llr_legacy", llr.into()),
        ("llr_openbench", llr.into()),
        ("llr_gsprt", test.llr(&results).into()),
        ("lelo0", regularised.map(|draws| elo[0].logistic(draws).0).into()),
        ("lelo1", regularised.map(|draws| elo[1].logistic(draws).0).into()),
    ])
}

pub(crate) fn openbench_llr(input: &Input) -> Found {
    let [elo0, elo1] = elo(input);
    let test = Sprt::new(EloModel::Normalized, elo0, elo1, Risks::USUAL).expect("a sound test");
    Found::from([("llr", for_tally!(input.tally("results"), results => test.llr(&results)).into())])
}

pub(crate) fn brownian_cdf(input: &Input) -> Found {
    let [lower, upper, drift, sigma, time, place] =
        ["a", "b", "mu", "sigma", "T", "y"].map(|field| input.number(field));
    let motion = Brownian { bounds: Bounds { lower, upper }, drift, variance: sigma * sigma };
    Found::from([("cdf", motion.chance_of_worse(StopPoint { time, place }).into())])
}

pub(crate) fn sprt_estimate(input: &Input) -> Found {
    let test = test(input, risks(input));
    let (stopped, llr) = for_tally!(input.tally("results"), results => {
        (stopped::estimate(&test, &results, input.number("p")), test.llr(&results))
    });
    let StoppedEstimate { elo, superiority } = stopped.expect("there are trials");
    let found = Found::from([
        ("elo", elo.value.0.into()),
        ("ci_low", elo.low.0.into()),
        ("ci_high", elo.high.0.into()),
        ("los", superiority.into()),
        ("llr", llr.into()),
    ]);
    with_bounds(found, test.bounds())
}

pub(crate) fn sprt_overshoot(input: &Input) -> Found {
    let test = test(input, risks(input));
    let batch = u32::try_from(input.count("batch_size")).ok().and_then(NonZeroU32::new).expect("a batch");
    let conduct =
        SprtConfig::new(test, TrialUnit::Pairs, batch, Overshoot::Correct).expect("pairs are known");
    let mut running = SprtState::new(conduct);
    let mut looks = Vec::new();
    for class in input.text("pairs").bytes() {
        let look = running.record(pair(class - b'0'));
        if running.sheet().pairs().trials().is_multiple_of(batch.get().into()) {
            looks.push(look);
        }
    }
    let last = looks.last().expect("a whole batch");
    let state = match last.judgement {
        Judgement::AcceptH0 => "rejected",
        Judgement::AcceptH1 => "accepted",
        Judgement::Continue => "",
    };
    let OvershootLadders { lower, upper } = *running.ladders();
    let found = Found::from([
        ("state", state.into()),
        ("llr", last.llr.into()),
        ("llr_head", looks.iter().take(10).map(|look| look.llr).collect::<Vec<_>>().into()),
        ("m0", lower.height.into()),
        ("sq0", lower.squares.into()),
        ("m1", upper.height.into()),
        ("sq1", upper.squares.into()),
        ("o0", lower.overshoot().into()),
        ("o1", upper.overshoot().into()),
        ("results", running.sheet().pairs().counts.map(|count| count as f64).into()),
    ]);
    with_bounds(found, test.bounds())
}

/// A pair of this class: half-points gained in both games.
fn pair(half_points: u8) -> [GameResult; 2] {
    use GameResult::{Draw, Loss, Win};
    match half_points {
        0 => [Loss, Loss],
        1 => [Loss, Draw],
        2 => [Draw, Draw],
        3 => [Win, Draw],
        4 => [Win, Win],
        other => panic!("a pair has no {other} half-points"),
    }
}

pub(crate) fn sprt_curve(input: &Input) -> Found {
    let test = test(input, risks(input));
    let bias = Logistic(input.number("rms_bias"));
    let openings = Openings { draw_ratio: input.number("draw_ratio"), bias };
    let variance = openings.variance_per_game().expect("there are such games");
    let [score0, score1] = threefold_stats::sequential::expected_scores(test.hypotheses(), variance);
    let prospects: Vec<_> = input
        .read::<Vec<f64>>("true_elo")
        .into_iter()
        .map(|truth| {
            planning::operating_point(&test, openings, Logistic(truth)).expect("there are such games")
        })
        .collect();
    Found::from([
        ("variance_per_game", variance.into()),
        ("score0", score0.into()),
        ("score1", score1.into()),
        ("lelo0", Logistic::of_score(score0).0.into()),
        ("lelo1", Logistic::of_score(score1).0.into()),
        ("pass_probability", prospects.iter().map(|prospect| prospect.pass).collect::<Vec<_>>().into()),
        ("expected_games", prospects.iter().map(|prospect| prospect.games).collect::<Vec<_>>().into()),
    ])
}

fn test(input: &Input, risks: Risks) -> Sprt {
    let [elo0, elo1] = elo(input);
    Sprt::new(input.text("model").parse().expect("a known model"), elo0, elo1, risks).expect("a sound test")
}

fn elo(input: &Input) -> [f64; 2] {
    ["elo0", "elo1"].map(|field| input.number(field))
}

fn risks(input: &Input) -> Risks {
    Risks { alpha: input.number("alpha"), beta: input.number("beta") }
}

fn word(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::AcceptH0 => "H0",
        Judgement::AcceptH1 => "H1",
        Judgement::Continue => "continue",
    }
}

fn with_bounds(mut found: Found, bounds: Bounds) -> Found {
    found.extend([("lower", bounds.lower.into()), ("upper", bounds.upper.into())]);
    found
}

/// Single games by their results.
pub(crate) fn games(input: &Input) -> ResultCounts<3> {
    ResultCounts { counts: ["losses", "draws", "wins"].map(|field| input.count(field)) }
}

/// fastchess' counts: pairs with WL apart from DD, or games.
pub(crate) fn six_classes_or_games(input: &Input) -> AnyTally {
    if input.has("wins") {
        return AnyTally::Games(games(input));
    }
    let [ll, ld, wl, dd, wd, ww] = ["LL", "LD", "WL", "DD", "WD", "WW"].map(|field| input.count(field));
    AnyTally::Pairs(ResultCounts { counts: [ll, ld, wl + dd, wd, ww] })
}
