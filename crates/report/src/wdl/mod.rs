//! A win-draw-loss model of an engine's scores, for people and programs: `threefold wdl`'s table, page and JSON.

mod bins;
mod claims;
mod json;
mod page;
mod settings;
mod text;

pub use settings::{LeftOut, ScoreUnit, UnitModel, WdlBy, WdlSettings};

use crate::formats::ratings::InputSummary;
use threefold_stats::elo::Z95;
use threefold_stats::wdl::{ReliabilityBin, WdlFit, WdlSample};

/// The largest half of the 95 % interval of a, as a share of a, at which the constants need no caution.
const PRECISE: f64 = 0.04;

/// A fitted model with its data.
#[derive(Debug, Clone, PartialEq)]
pub struct WdlReport {
    /// What was read.
    pub input: InputSummary,
    /// The number of games that a fault ended, which are left out.
    pub forfeits: u64,
    /// The engines whose scores count.
    pub engines: Vec<String>,
    /// Which positions count.
    pub settings: WdlSettings,
    /// The positions that do not count.
    pub left_out: LeftOut,
    /// The positions.
    pub sample: WdlSample,
    /// The model.
    pub fit: WdlFit,
    /// Claimed chances against results; empty if the games have no claims.
    pub claims: Vec<ReliabilityBin>,
}

/// The model at one place.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    m: u16,
    a: f64,
    /// Half of the 95 % interval of a.
    a_half: f64,
    b: f64,
    /// Half of the 95 % interval of b.
    b_half: f64,
    draws: f64,
}

impl WdlReport {
    fn place(&self, m: u16) -> Place {
        let (model, at) = (&self.fit.model, f64::from(m));
        Place {
            m,
            a: model.a(at),
            a_half: Z95 * self.fit.error_of_a(at),
            b: model.b(at),
            b_half: Z95 * self.fit.error_of_b(at),
            draws: model.rates(0.0, at).draw,
        }
    }

    /// Every m of the data.
    fn places(&self) -> Vec<Place> {
        let [first, last] = self.fit.range;
        (first..=last).map(|m| self.place(m)).collect()
    }

    /// A few m for a table: evenly over the data, and the target if the data reaches it.
    fn few_places(&self) -> Vec<Place> {
        const PARTS: u32 = 5;
        let [first, last] = self.fit.range;
        // The product is greater than a `u16` for move numbers that a FEN may have.
        let even = (0..=PARTS).map(|part| first + (u32::from(last - first) * part / PARTS) as u16);
        let target = Some(self.settings.target).filter(|target| (first..=last).contains(target));
        let mut all: Vec<u16> = even.chain(target).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(|m| self.place(m)).collect()
    }

    /// The m for which the model is described in a sentence: the target, or the nearest of the data.
    fn main_place(&self) -> Place {
        let [first, last] = self.fit.range;
        self.place(self.settings.target.clamp(first, last))
    }

    /// Warnings about the constants, joined by `; `; `None` without any.
    pub fn caution(&self) -> Option<String> {
        let cautions: Vec<String> = [self.far_target(), self.few_games()].into_iter().flatten().collect();
        (!cautions.is_empty()).then(|| cautions.join("; "))
    }

    /// A target outside of the data, where the polynomial is an extrapolation.
    fn far_target(&self) -> Option<String> {
        let ([first, last], target, noun) = (self.fit.range, self.settings.target, self.settings.by.noun());
        (!(first..=last).contains(&target)).then(|| {
            format!(
                "{noun} {target} is outside of the data ({first} to {last}), so NormalizeToPawnValue means nothing; give \
                 --target a {noun} within it"
            )
        })
    }

    /// An interval that is too wide. The error falls with the square root of the number of games, from which the number that is
    /// needed follows.
    fn few_games(&self) -> Option<String> {
        let Place { m, a, a_half, .. } = self.main_place();
        let share = a_half / a;
        if share <= PRECISE {
            return None;
        }
        let games = self.fit.games as f64 * (share / PRECISE).powi(2);
        Some(format!(
            "these games are few: a at {} {m} is known to ± {:.0} % of it (95 %); ± {:.0} % need about {} games",
            self.settings.by.noun(),
            100.0 * share,
            100.0 * PRECISE,
            crate::format::grouped(round_up(games)),
        ))
    }

    /// The constants as C++ declares them, and how an engine uses them.
    pub fn constants(&self) -> String {
        let fit = &self.fit;
        let list = |coefficients: &[f64; 4]| coefficients.map(|value| format!("{value:.8}")).join(", ");
        let [low, high] = fit.range;
        let target = self.settings.target;
        format!(
            "// {by}, clamped to {low}..{high}, divided by {target}: m. v is the score in the engine's own units.\n\
             // a = ((as[0] * m + as[1]) * m + as[2]) * m + as[3], and b in the same way.\n\
             // win = 1 / (1 + exp((a - v) / b)), loss = 1 / (1 + exp((a + v) / b)), draw = 1 - win - loss.\n\
             const int NormalizeToPawnValue = {pawn};\n\
             constexpr double as[] = {{{a}}};\n\
             constexpr double bs[] = {{{b}}};\n",
            by = self.settings.by.title(),
            pawn = fit.model.pawn_value(),
            a = list(&fit.model.a),
            b = list(&fit.model.b),
        )
    }
}

/// A number rounded up to two significant digits.
fn round_up(number: f64) -> u64 {
    let unit = 10_f64.powf((number.log10().floor() - 1.0).max(0.0));
    ((number / unit).ceil() * unit) as u64
}

#[cfg(test)]
mod fixture;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_has_both_ends_and_the_target() {
        let report = fixture::report();
        let places: Vec<u16> = report.few_places().iter().map(|place| place.m).collect();
        assert_eq!(places, [17, 29, 41, 53, 58, 65, 78]);
        assert_eq!(report.places().len(), 62);
        assert_eq!(report.main_place().m, 58);
        // A FEN may begin with any move number.
        let mut wide = fixture::report();
        wide.fit.range = [1, u16::MAX];
        let places: Vec<u16> = wide.few_places().iter().map(|place| place.m).collect();
        assert_eq!(places, [1, 58, 13_107, 26_214, 39_321, 52_428, u16::MAX]);
    }

    #[test]
    fn caution_names_the_games_that_are_needed() {
        let caution = fixture::report().caution().expect("few games");
        assert!(caution.starts_with("these games are few: a at material 58 is known to ±"), "{caution}");
        let mut far = fixture::report();
        far.settings.target = 90;
        assert!(far.caution().expect("far").starts_with("material 90 is outside of the data (17 to 78)"));
        assert_eq!((round_up(12_345.0), round_up(99.0), round_up(1001.0)), (13_000, 99, 1100));
    }

    #[test]
    fn constants_are_those_of_the_model() {
        let report = fixture::report();
        let constants = report.constants();
        let line = constants.lines().find(|line| line.contains(" as[]")).expect("a line");
        let inner = line.split(['{', '}']).nth(1).expect("a list");
        let values: Vec<f64> = inner.split(", ").map(|value| value.parse().expect("a number")).collect();
        for (value, coefficient) in values.iter().zip(report.fit.model.a) {
            assert!((value - coefficient).abs() < 1e-8, "{constants}");
        }
    }
}
