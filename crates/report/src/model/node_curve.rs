//! The curve of a calibration by nodes, in sentences.

use crate::format;
use threefold_run::calibration::{NodeCurve, NodeLevel};

/// The gain of a doubling, the budgets that the games do not separate, and the test for a monotone curve.
pub(crate) fn describe(curve: &NodeCurve) -> Vec<String> {
    let doubling = curve.doubling;
    let mut sentences = vec![format!(
        "Doubling the nodes gains {:+.1} ({:+.1} to {:+.1}) Elo on average.",
        doubling.value, doubling.low, doubling.high
    )];
    sentences.extend(curve.indistinguishable.iter().map(|stretch| {
        let nodes: Vec<String> =
            curve.levels[stretch.clone()].iter().map(|level| format::grouped(level.nodes)).collect();
        format!("The games do not separate these levels: {} nodes.", format::listed(&nodes))
    }));
    if curve.falls {
        sentences.push(format!(
            "The engine is significantly weaker with more nodes: no monotone curve fits these ratings (lack of fit {}). \
             Look for a fault in the engine or the machine before you use them.",
            format::p_value(curve.misfit)
        ));
    } else if !curve.indistinguishable.is_empty() {
        sentences.push(format!(
            "This is consistent with a rising curve (lack of fit {}).",
            format::p_value(curve.misfit)
        ));
    }
    sentences.extend(nodes_for_elo(curve));
    sentences
}

/// `+97 (+80 to +114)`: a level's rating and its band.
pub(crate) fn band(level: &NodeLevel) -> String {
    format!("{:+.0} to {:+.0}", level.low, level.high)
}

/// Nodes for round ratings.
fn nodes_for_elo(curve: &NodeCurve) -> Option<String> {
    const MOST: f64 = 8.0;
    let [first, .., last] = &curve.levels[..] else { return None };
    let (low, high) = (first.fitted, last.fitted);
    let step = [50.0, 100.0, 200.0, 500.0, 1000.0].into_iter().find(|step| high - low <= MOST * step)?;
    let nodes_at = |multiple: u32| {
        let elo = step * ((low / step).floor() + f64::from(multiple));
        let nodes = curve.nodes(elo).filter(|_| elo > low)?;
        Some(format!("{elo:+.0} at {}", format::grouped(rounded(nodes))))
    };
    let nodes_for_elo: Vec<String> = (1..=MOST as u32 + 1).filter_map(nodes_at).collect();
    (!nodes_for_elo.is_empty())
        .then(|| format!("Nodes for round ratings, from the curve: {}.", nodes_for_elo.join(", ")))
}

/// Rounded to three digits; a curve through a few levels is not more accurate.
fn rounded(nodes: f64) -> u64 {
    let unit = 10_f64.powf((nodes.log10().floor() - 2.0).max(0.0));
    ((nodes / unit).round() * unit) as u64
}

#[cfg(test)]
mod tests {
    use nalgebra::DMatrix;

    use super::*;
    use threefold_run::calibration::{PlayerRating, RatingScale};

    fn curve(elos: &[f64]) -> NodeCurve {
        let rating =
            |&elo: &f64| PlayerRating { player: String::new(), elo, error: 30.0, points: 0.0, games: 0 };
        let covariance = DMatrix::from_fn(elos.len(), elos.len(), |one, other| match (one, other) {
            (0, _) | (_, 0) => 0.0,
            _ if one == other => 200.0,
            _ => 100.0,
        });
        let ratings = elos.iter().map(rating).collect();
        let scale = RatingScale { ratings, white_advantage: 0.0, draw_rate: 0.3, covariance };
        let nodes: Vec<u64> = (0..elos.len() as u32).map(|doublings| 500 << doublings).collect();
        NodeCurve::from_ratings(&nodes, &scale).expect("rising budgets")
    }

    #[test]
    fn calibration_curve_has_its_uncertainty() {
        let table = [
            (
                &[0.0, 100.0, 200.0][..],
                "Doubling the nodes gains +100.0 (+86.1 to +113.9) Elo on average. Nodes for round ratings, from the curve: +50 at 707, +100 at 1\u{202f}000, +150 at 1\u{202f}410, +200 at 2\u{202f}000.",
            ),
            (
                &[0.0, 105.0, 100.0],
                "Doubling the nodes gains +50.0 (+36.1 to +63.9) Elo on average. The games do not separate these levels: \
                 1\u{202f}000 and 2\u{202f}000 nodes. This is consistent with a rising curve (lack of fit p = 0.373). Nodes \
                 for round ratings, from the curve: +50 at 830, +100 at 1\u{202f}380.",
            ),
            (
                &[0.0, 300.0, 100.0],
                "Doubling the nodes gains +50.0 (+36.1 to +63.9) Elo on average. The games do not separate these levels: \
                 1\u{202f}000 and 2\u{202f}000 nodes. The engine is significantly weaker with more nodes: no monotone curve \
                 fits these ratings (lack of fit p < 0.001). Look for a fault in the engine or the machine before you use \
                 them. Nodes for round ratings, from the curve: +50 at 648, +100 at 841, +150 at \
                 1\u{202f}090, +200 at 1\u{202f}410.",
            ),
        ];
        for (elos, expected) in table {
            assert_eq!(describe(&curve(elos)).join(" "), expected);
        }
        assert_eq!([rounded(12_345.0), rounded(987.6), rounded(3.4)], [12_300, 988, 3]);
    }
}
