//! Smoothing of the search speed.

/// The smoothing method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SpeedSmoothing {
    /// As proposed: half of the distance per `half` milliseconds.
    Always { half: f64 },
    /// As merged: a faster sample is used at once, a slower one gradually within `window` milliseconds.
    Downwards { window: f64 },
}

/// The speed in nodes per second. Times are milliseconds since the start of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Speed {
    known: f64,
    blend: SpeedSmoothing,
    /// Until a first search has ended, samples are used unsmoothed.
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
            _ if !self.is_reliable => sample,
            SpeedSmoothing::Always { half } => super::approach(self.known, sample, half, elapsed - self.seen),
            SpeedSmoothing::Downwards { .. } if sample >= self.known => sample,
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

    fn known(blend: SpeedSmoothing, seen: &[(f64, f64)]) -> f64 {
        let mut speed = Speed::new(20_000.0, blend);
        speed.see(50.0, 1.0);
        speed.end();
        speed.begin();
        for &(nodes, elapsed) in seen {
            speed.see(nodes, elapsed);
        }
        speed.a_second()
    }

    #[test]
    fn speed_of_the_first_search_is_unsmoothed() {
        let always = SpeedSmoothing::Always { half: 5e3 };
        let downwards = SpeedSmoothing::Downwards { window: 20e3 };
        let table = [
            // nodes and milliseconds, speed
            (always, vec![], 50_000.0),
            (always, vec![(0.0, 0.0)], 50_000.0),
            (always, vec![(500_000.0, 5e3)], 75_000.0),
            // Two samples of a constant speed equal one.
            (always, vec![(250_000.0, 2.5e3), (500_000.0, 5e3)], 75_000.0),
            (downwards, vec![(100_000.0, 1e3)], 100_000.0),
            (downwards, vec![(25_000.0, 1e3)], 50_000.0 - 25_000.0 / 20.0),
            (downwards, vec![(25_000.0, 1e3), (50_000.0, 2e3)], 50_000.0 - 25_000.0 / 10.0),
            (downwards, vec![(500_000.0, 20e3)], 25_000.0),
            (downwards, vec![(500_000.0, 19e3), (525_000.0, 21e3)], 25_000.0),
        ];
        for (blend, seen, speed) in table {
            let found = known(blend, &seen);
            assert!((found - speed).abs() < 1e-6, "{blend:?} {seen:?}: {found}");
        }
    }
}
