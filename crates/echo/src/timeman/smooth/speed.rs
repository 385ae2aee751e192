//! Smoothing of the search speed.

/// The smoothing method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SpeedSmoothing {
    /// As on Lc0's page: from the initial value on, half of the distance per `half` milliseconds.
    Always { half: f64 },
    /// As merged: samples of the first search are used unsmoothed. Later a faster one is used at once, a
    /// slower one gradually within `window` milliseconds.
    Downwards { window: f64 },
}

/// The speed in nodes per second. Times are milliseconds since the start of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Speed {
    known: f64,
    blend: SpeedSmoothing,
    /// Whether a first search has ended.
    is_reliable: bool,
    /// The time of the last sample.
    seen: f64,
}

impl Speed {
    pub(super) const fn new(known: f64, blend: SpeedSmoothing) -> Self {
        Self { known, blend, is_reliable: false, seen: 0.0 }
    }

    /// Nodes per second.
    pub(super) const fn a_second(&self) -> f64 {
        self.known
    }

    /// A search begins.
    pub(super) const fn begin(&mut self) {
        self.seen = 0.0;
    }

    /// Records a sample: nodes and time since the start of the search.
    pub(super) fn see(&mut self, nodes: f64, elapsed: f64) {
        let sample = 1e3 * nodes / elapsed;
        if nodes <= 0.0 || elapsed <= self.seen {
            return;
        }
        self.known = match self.blend {
            SpeedSmoothing::Always { half } => super::approach(self.known, sample, half, elapsed - self.seen),
            SpeedSmoothing::Downwards { .. } if !self.is_reliable || sample >= self.known => sample,
            SpeedSmoothing::Downwards { window } => {
                let share = self.seen / window;
                if share >= 1.0 || elapsed >= window {
                    sample
                } else {
                    // The estimate at the start of the search, consistent with this sample.
                    let before = (share * sample - self.known) / (share - 1.0);
                    before + (sample - before) * elapsed / window
                }
            }
        };
        self.seen = elapsed;
    }

    /// A search has ended.
    pub(super) const fn end(&mut self) {
        self.is_reliable = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The speed after these samples of the first search, from 20 000, and these of the second.
    fn known(blend: SpeedSmoothing, first: &[(f64, f64)], second: &[(f64, f64)]) -> f64 {
        let mut speed = Speed::new(20_000.0, blend);
        for &(nodes, elapsed) in first {
            speed.see(nodes, elapsed);
        }
        speed.end();
        speed.begin();
        for &(nodes, elapsed) in second {
            speed.see(nodes, elapsed);
        }
        speed.a_second()
    }

    #[test]
    fn speed_of_the_first_search_approaches_from_the_initial_value() {
        let always = SpeedSmoothing::Always { half: 5e3 };
        let table = [
            // nodes and milliseconds of the first search, of the second; speed
            (vec![], vec![], 20_000.0),
            (vec![(0.0, 0.0)], vec![], 20_000.0),
            // Half of the way to 100 000 in five seconds, and half of the rest in five more.
            (vec![(500_000.0, 5e3)], vec![], 60_000.0),
            (vec![(500_000.0, 5e3), (1_000_000.0, 10e3)], vec![], 80_000.0),
            (vec![(500_000.0, 5e3)], vec![(500_000.0, 5e3)], 80_000.0),
            // Two samples of a constant speed equal one.
            (vec![(250_000.0, 2.5e3), (500_000.0, 5e3)], vec![], 60_000.0),
        ];
        for (first, second, speed) in table {
            let found = known(always, &first, &second);
            assert!((found - speed).abs() < 1e-6, "{first:?} {second:?}: {found}");
        }
    }

    #[test]
    fn merged_speed_of_the_first_search_is_unsmoothed() {
        let downwards = SpeedSmoothing::Downwards { window: 20e3 };
        let table = [
            // nodes and milliseconds of the second search, speed
            (vec![], 50_000.0),
            (vec![(100_000.0, 1e3)], 100_000.0),
            (vec![(25_000.0, 1e3)], 50_000.0 - 25_000.0 / 20.0),
            (vec![(25_000.0, 1e3), (50_000.0, 2e3)], 50_000.0 - 25_000.0 / 10.0),
            (vec![(500_000.0, 20e3)], 25_000.0),
            (vec![(500_000.0, 19e3), (525_000.0, 21e3)], 25_000.0),
        ];
        for (second, speed) in table {
            let found = known(downwards, &[(50.0, 1.0)], &second);
            assert!((found - speed).abs() < 1e-6, "{second:?}: {found}");
        }
    }
}
