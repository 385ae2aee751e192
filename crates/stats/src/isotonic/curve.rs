//! A smooth monotone curve through an isotonic fit, and its inverse.
//!
//! Fritsch and Carlson's monotone cubic interpolation through the blocks, each at the weighted mean of its
//! levels. The curve is strictly increasing and has one inverse, found by bisection. Outside its domain the
//! curve is constant and has no inverse.

use super::fit::{Block, Isotonic};
use super::measurements::Measurements;

/// A strictly increasing curve.
#[derive(Debug, Clone, PartialEq)]
pub struct MonotoneCurve {
    points: Vec<CurveNode>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct CurveNode {
    x: f64,
    y: f64,
    slope: f64,
}

/// Bisections that exhaust the precision of an `f64`.
const HALVINGS: u32 = 64;

impl MonotoneCurve {
    /// The curve through the blocks of the fit. `None` unless every value has a finite level and the levels
    /// increase.
    pub fn through(levels: &[f64], measured: &Measurements) -> Option<Self> {
        let rising = levels.windows(2).all(|pair| pair[0] < pair[1]);
        if levels.len() != measured.levels() || !rising || !levels.iter().all(|level| level.is_finite()) {
            return None;
        }
        let place = |Block { levels: stretch, mean, weight }: &Block| {
            let weighted = stretch.clone().map(|level| levels[level] * measured.weights()[level]);
            CurveNode { x: weighted.sum::<f64>() / weight, y: *mean, slope: 0.0 }
        };
        let mut points: Vec<CurveNode> = Isotonic::fit(measured).blocks().iter().map(place).collect();
        set_slopes(&mut points);
        Some(Self { points })
    }

    /// The first and the last level.
    pub fn domain(&self) -> (f64, f64) {
        let [first, .., last] = &self.points[..] else { return (self.points[0].x, self.points[0].x) };
        (first.x, last.x)
    }

    /// The value at a level; constant outside the domain.
    pub fn value_at(&self, x: f64) -> f64 {
        let (first, last) = self.domain();
        let x = x.clamp(first, last);
        // The last level belongs to the segment before it, and a single block has no segment.
        let after = self.points.partition_point(|point| point.x <= x).min(self.points.len() - 1);
        let Some(before) = after.checked_sub(1) else { return self.points[0].y };
        between(&self.points[before], &self.points[after], x)
    }

    /// The level with this value; `None` outside the range.
    pub fn inverse(&self, y: f64) -> Option<f64> {
        let (mut low, mut high) = self.domain();
        if !(self.value_at(low) <= y && y <= self.value_at(high)) {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if self.value_at(middle) < y { low = middle } else { high = middle }
        }
        Some(f64::midpoint(low, high))
    }
}

/// Slopes that prevent overshooting: the mean of both sides' slopes, reduced to the circle of radius 3 in
/// which a cubic is monotone (Fritsch and Carlson).
fn set_slopes(points: &mut [CurveNode]) {
    let rises: Vec<f64> =
        points.windows(2).map(|pair| (pair[1].y - pair[0].y) / (pair[1].x - pair[0].x)).collect();
    let count = points.len();
    for (index, point) in points.iter_mut().enumerate() {
        point.slope = match (index.checked_sub(1).map(|before| rises[before]), rises.get(index)) {
            (Some(before), Some(after)) => f64::midpoint(before, *after),
            (Some(end), None) => end,
            (None, after) => after.copied().unwrap_or_default(),
        };
    }
    for (index, rise) in (0..count.saturating_sub(1)).zip(rises) {
        // The means of the blocks increase strictly, so no rise is 0.
        let [before, after] = [points[index].slope / rise, points[index + 1].slope / rise];
        let length = before.hypot(after);
        if length > 3.0 {
            points[index].slope = 3.0 / length * before * rise;
            points[index + 1].slope = 3.0 / length * after * rise;
        }
    }
}

/// The cubic Hermite interpolation between two points.
fn between(from: &CurveNode, to: &CurveNode, x: f64) -> f64 {
    let width = to.x - from.x;
    let t = (x - from.x) / width;
    let rest = 1.0 - t;
    from.y * (1.0 + 2.0 * t) * rest * rest
        + to.y * t * t * (3.0 - 2.0 * t)
        + width * (from.slope * t * rest * rest - to.slope * t * t * rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn curve(levels: &[f64], values: &[f64]) -> MonotoneCurve {
        let measured = Measurements::independent(values, &vec![1.0; values.len()]).expect("sound");
        MonotoneCurve::through(levels, &measured).expect("rising levels")
    }

    #[test]
    fn curve_reproduces_lines_and_centres_blocks() {
        let line = curve(&[0.0, 1.0, 3.0], &[10.0, 20.0, 40.0]);
        for x in [0.0, 0.5, 1.0, 2.2, 3.0] {
            assert!((line.value_at(x) - (10.0 + 10.0 * x)).abs() < 1e-12, "{x}: {}", line.value_at(x));
        }
        assert_eq!((line.value_at(-5.0), line.value_at(9.0)), (10.0, 40.0));
        assert!((line.inverse(25.0).expect("within") - 1.5).abs() < 1e-12);
        assert_eq!((line.inverse(9.0), line.inverse(41.0), line.inverse(f64::NAN)), (None, None, None));
        let flat = curve(&[0.0, 1.0, 2.0, 3.0], &[0.0, 9.0, 7.0, 20.0]);
        assert!((flat.value_at(1.5) - 8.0).abs() < 1e-12 && flat.value_at(1.0) < 8.0);
        let alone = curve(&[3.0], &[5.0]);
        assert_eq!((alone.domain(), alone.value_at(0.0), alone.inverse(5.0)), ((3.0, 3.0), 5.0, Some(3.0)));
        let two = Measurements::independent(&[1.0, 2.0], &[1.0; 2]).expect("sound");
        assert_eq!(MonotoneCurve::through(&[1.0, 1.0], &two), None);
        assert_eq!(MonotoneCurve::through(&[1.0], &two), None);
    }

    proptest! {
        #[test]
        fn curve_increases_and_its_inverse_agrees(
            points in prop::collection::vec((0.01..100.0_f64, -1000.0..1000.0_f64), 2..12),
            at in 0.0..1.0_f64,
        ) {
            let (steps, values): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
            let levels: Vec<f64> = steps.iter().scan(0.0, |at, step| { *at += step; Some(*at) }).collect();
            let curve = curve(&levels, &values);
            let (first, last) = curve.domain();
            let heights: Vec<f64> =
                (0..=200).map(|step| curve.value_at(first + (last - first) * f64::from(step) / 200.0)).collect();
            for pair in heights.windows(2) {
                prop_assert!(pair[0] <= pair[1] + 1e-9, "{pair:?}");
            }
            let y = heights[0] + at * (heights[200] - heights[0]);
            let back = curve.inverse(y).map(|x| curve.value_at(x));
            prop_assert!(back.is_some_and(|back| (back - y).abs() < 1e-6), "{y} {back:?}");
        }
    }
}
