//! An axis: which numbers it spans, and which of them are written on it.

/// From one number to another, with round numbers in between.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// The distance of the round numbers.
    step: f64,
    /// What is written on it instead of round numbers.
    marks: Vec<(f64, String)>,
    /// Is the high end written on it too?
    marks_its_end: bool,
}

impl Axis {
    /// From `low` to `high` exactly.
    pub(super) fn exact(low: f64, high: f64) -> Self {
        // `share` divides by the length of the axis, and its step is a share of it.
        let high = if high > low { high } else { low + 1.0 };
        Self { low, high, step: round_step((high - low) / 5.0), marks: Vec::new(), marks_its_end: false }
    }

    /// From `low` to `high` with these places marked, and no others.
    pub(super) fn marked(low: f64, high: f64, marks: Vec<(f64, String)>) -> Self {
        Self { marks, ..Self::exact(low, high) }
    }

    /// Widened to round numbers on both sides.
    pub(super) fn around(low: f64, high: f64) -> Self {
        let Self { low, high, step, .. } = Self::exact(low, high);
        let [low, high] = [(low / step).floor() * step, (high / step).ceil() * step];
        Self { low, high, step, marks: Vec::new(), marks_its_end: false }
    }

    /// The axis with its high end written on it.
    pub(super) fn with_its_end(self) -> Self {
        Self { marks_its_end: true, ..self }
    }

    /// The position of a number, 0 at the low end and 1 at the high end; numbers outside are clamped.
    pub(super) fn share(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The labels and their positions: the given marks, or else round numbers.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if !self.marks.is_empty() {
            return self.marks.clone();
        }
        let first = (self.low / self.step).ceil();
        // The tolerance keeps the last mark if the quotient rounds to just below a whole number.
        let last = (self.high / self.step + 1e-9).floor();
        let decimals = (-self.step.log10().floor()).max(0.0) as usize;
        let tick = |index: u32| {
            let value = (first + f64::from(index)) * self.step;
            // A sum of steps may miss zero by a hair, which would be written with a sign.
            let value = if value.abs() < self.step / 2.0 { 0.0 } else { value };
            (value, format!("{value:.decimals$}"))
        };
        let mut ticks: Vec<(f64, String)> = (0..=(last - first).max(0.0) as u32).map(tick).collect();
        let is_new = ticks.last().is_none_or(|&(last, _)| self.high - last > self.step * 1e-6);
        if self.marks_its_end && is_new {
            ticks.push((self.high, format!("{:.decimals$}", self.high)));
        }
        ticks
    }
}

/// The least of 1, 2, 5 times a power of ten that is no smaller.
fn round_step(raw: f64) -> f64 {
    let power = 10_f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * power)
        // The tolerance keeps a step that is round already, however `powf` rounds.
        .find(|&step| raw <= step * 1.000_001)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_an_axis_are_round() {
        let table = [
            (Axis::exact(0.0, 100.0), &["0", "20", "40", "60", "80", "100"][..]),
            (Axis::around(-2.94, 2.94), &["-4", "-2", "0", "2", "4"]),
            (Axis::around(0.0, 0.7), &["0.0", "0.2", "0.4", "0.6", "0.8"]),
            (Axis::around(612.0, 1480.0), &["600", "800", "1000", "1200", "1400", "1600"]),
            (Axis::exact(0.0, 293.0).with_its_end(), &["0", "100", "200", "293"]),
            (Axis::exact(0.0, 100.0).with_its_end(), &["0", "20", "40", "60", "80", "100"]),
            (Axis::exact(1.0, 1.0), &["1.0", "1.2", "1.4", "1.6", "1.8", "2.0"]),
        ];
        for (axis, expected) in table {
            let written: Vec<String> = axis.ticks().into_iter().map(|(_, text)| text).collect();
            assert_eq!(written, expected);
        }
    }
}
