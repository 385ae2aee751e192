//! Anytime-valid statistics.

use threefold_stats::Risks;
use threefold_stats::anytime::{Bets, BettingPrior, EValue, Mixture, Wealth, chances, evidence, mixture};
use threefold_stats::{Judgement, Logistic};

use crate::case::{Found, Input};
use crate::for_tally;

pub(crate) fn esprt(input: &Input) -> Found {
    match input.count("categories") {
        3 => bets::<3>(input),
        5 => bets::<5>(input),
        classes => panic!("no trial has {classes} classes"),
    }
}

fn bets<const K: usize>(input: &Input) -> Found {
    let scores = ["elo0", "elo1"].map(|field| Logistic(input.number(field)).score());
    let risks = Risks { alpha: input.number("alpha"), beta: input.number("beta") };
    let prior =
        BettingPrior { weight: input.number("prior_weight"), variance: input.number("prior_variance") };
    let mut bets = Bets::<K>::new(scores, risks, prior).expect("a sound test");
    for digit in input.text("outcomes").chars() {
        bets.record(digit.to_digit(K as u32).expect("a class") as usize);
    }
    let decision = match bets.judgement() {
        Judgement::AcceptH0 => "H0",
        Judgement::AcceptH1 => "H1",
        Judgement::Continue => "continue",
    };
    let Wealth { now, highest } = bets.against_h0();
    let Wealth { now: now_h1, highest: highest_h1 } = bets.against_h1();
    Found::from([
        ("log_e0", now.log().into()),
        ("log_e1", now_h1.log().into()),
        ("max_log_e0", highest.log().into()),
        ("max_log_e1", highest_h1.log().into()),
        ("p0", bets.against_h0().p_value().into()),
        ("p1", bets.against_h1().p_value().into()),
        ("stop", bets.decided_at().map(|trial| trial as f64).into()),
        ("decision", decision.into()),
    ])
}

pub(crate) fn mixture_cs(input: &Input) -> Found {
    let alpha = input.number("alpha");
    let (interval, asymptotic) = for_tally!(input.tally("results"), results => {
        let asymptotic = mixture::asymptotic(&results, alpha, input.number("t_star"));
        (mixture::interval(&results, alpha), asymptotic)
    });
    let [above, below] = for_tally!(input.tally("results"), results => {
        [mixture::above(&results, 0.5), mixture::below(&results, 0.5)]
    });
    Found::from([
        ("score_low", interval.low.into()),
        ("score_high", interval.high.into()),
        ("log_e_above_half", above.log().into()),
        ("log_e_below_half", below.log().into()),
        ("asymptotic", asymptotic.map(|interval| vec![interval.low, interval.high]).into()),
    ])
}

pub(crate) fn ebh(input: &Input) -> Found {
    let values: Vec<EValue> = input.read::<Vec<f64>>("e_values").into_iter().map(EValue::new).collect();
    let rejected = evidence::discoveries(&values, input.number("alpha"));
    Found::from([
        ("rejected", (rejected.iter().filter(|&&rejected| rejected).count() as f64).into()),
        ("reject", rejected.into()),
        ("mean", EValue::average(&values).value().into()),
    ])
}

pub(crate) fn exact_type1(input: &Input) -> Found {
    let probabilities: Vec<f64> = input.read("probabilities");
    let games =
        <[f64; 3]>::try_from(probabilities.as_slice()).map(|probabilities| crossing(&probabilities, input));
    let pairs =
        <[f64; 5]>::try_from(probabilities.as_slice()).map(|probabilities| crossing(&probabilities, input));
    let crossing = games.or(pairs).unwrap_or_else(|_| panic!("no trial has {} classes", probabilities.len()));
    Found::from([("crossing_probability", crossing.into())])
}

fn crossing<const K: usize>(probabilities: &[f64; K], input: &Input) -> f64 {
    let (mixture, alpha) = (Mixture::<K>::against(input.number("null_mean")), input.number("alpha"));
    let steps = u32::try_from(input.count("steps")).expect("few steps");
    chances(probabilities, steps, |results| {
        if mixture.evidence(results).rejects(alpha) { Judgement::AcceptH1 } else { Judgement::Continue }
    })
    .accept_h1
}
