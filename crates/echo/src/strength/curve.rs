//! The measured curve from MadChess's ratings to Elo, by `threefold calibrate`.
//!
//! The data is in `curve.csv`, written by `threefold-lab strength-curve`: lines of `elo,level,low,high`,
//! lowest first, with linear interpolation.

use std::sync::LazyLock;

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Elo, on the scale of the anchors that it was measured with.
    pub elo: f64,
    /// The MadChess rating with this Elo.
    pub rating: f64,
    /// The lower end of the simultaneous 95 % band, in Elo.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The measured curve.
pub static MEASURED: LazyLock<EloCurve> =
    LazyLock::new(|| EloCurve::parse(include_str!("curve.csv")).expect("the command wrote it"));

/// A piecewise linear curve.
///
/// ```
/// use threefold_echo::strength::curve::EloCurve;
///
/// let text = "elo,level,low,high\n1000,800,900,1100\n1400,1000,1300,1500\n";
/// let curve = EloCurve::parse(text).expect("it rises");
/// assert_eq!(curve.point_at(1200).map(|point| point.rating), Some(900.0));
/// assert_eq!(curve.point_at(1400), None, "full strength");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EloCurve(Vec<CurvePoint>);

impl EloCurve {
    /// Parses a file's text; `None` unless the curve is increasing and within its band.
    pub fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        let point = |line: &str| -> Option<CurvePoint> {
            let numbers: Option<Vec<f64>> = line.split(',').map(|number| number.parse().ok()).collect();
            match numbers?[..] {
                [elo, rating, low, high] => Some(CurvePoint { elo, rating, low, high }),
                _ => None,
            }
        };
        let points: Vec<CurvePoint> = lines.map(point).collect::<Option<_>>()?;
        let rises =
            points.windows(2).all(|pair| pair[0].elo < pair[1].elo && pair[0].rating <= pair[1].rating);
        let within = points.iter().all(|point| point.low <= point.elo && point.elo <= point.high);
        (points.len() > 1 && rises && within).then_some(Self(points))
    }

    /// The points, lowest first.
    pub fn points(&self) -> &[CurvePoint] {
        &self.0
    }

    /// The Elo of full strength.
    pub fn full_strength(&self) -> u32 {
        // Rounded up: every smaller whole number is still on the curve.
        self.0.last().map_or(0, |point| point.elo.ceil() as u32)
    }

    /// The point at an Elo: the first one below the curve's start; `None` from its end on, which is full
    /// strength.
    pub fn point_at(&self, elo: u32) -> Option<CurvePoint> {
        let elo = f64::from(elo);
        let above = self.0.partition_point(|point| point.elo <= elo);
        let to = self.0.get(above)?;
        let Some(from) = above.checked_sub(1).map(|below| self.0[below]) else { return Some(*to) };
        let share = (elo - from.elo) / (to.elo - from.elo);
        let between = |of: fn(&CurvePoint) -> f64| of(&from) + share * (of(to) - of(&from));
        Some(CurvePoint {
            elo,
            rating: between(|point| point.rating),
            low: between(|point| point.low),
            high: between(|point| point.high),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::{STRONGEST, WEAKEST};

    const TEXT: &str =
        "# a scale\nelo,level,low,high\n650,600,600,700\n800,900,790,810\n1000,1900,980,1030\n";

    #[test]
    fn curve_interpolates_between_points() {
        let curve = EloCurve::parse(TEXT).expect("it rises");
        let reported =
            |elo| curve.point_at(elo).map(|point| (point.elo, point.rating, point.low, point.high));
        let table = [
            (600, Some((650.0, 600.0, 600.0, 700.0))),
            (650, Some((650.0, 600.0, 600.0, 700.0))),
            (725, Some((725.0, 750.0, 695.0, 755.0))),
            (800, Some((800.0, 900.0, 790.0, 810.0))),
            (999, Some((999.0, 1895.0, 979.05, 1028.9))),
            (1000, None),
            (3000, None),
        ];
        for (elo, point) in table {
            assert_eq!(reported(elo), point, "{elo}");
        }
    }

    #[test]
    fn curve_must_increase() {
        for text in [
            "elo,level,low,high\n",
            "elo,level,low,high\n650,600,600,700\n",
            "elo,level,low,high\n650,600,600,700\n640,700,600,700\n",
            "elo,level,low,high\n650,600,600,700\n700,590,600,700\n",
            "elo,level,low,high\n650,600,600,700\n700,six,600,700\n",
            "elo,level,low,high\n650,600,600,700\n700,800,600\n",
            "elo,level,low,high\n650,600,600,700\n700,800,710,800\n",
        ] {
            assert_eq!(EloCurve::parse(text), None, "{text}");
        }
    }

    #[test]
    fn measured_curve_reaches_full_strength_in_steps_of_a_hundred() {
        let points = MEASURED.points();
        let (first, last) = (points[0], points[points.len() - 1]);
        assert!(f64::from(WEAKEST) <= first.rating && last.rating <= f64::from(STRONGEST));
        let between = &points[1..points.len() - 1];
        assert!(between.iter().all(|point| point.elo % 100.0 == 0.0), "{between:?}");
        assert!(points.windows(2).all(|pair| pair[1].elo - pair[0].elo <= 100.0), "{points:?}");
    }
}
