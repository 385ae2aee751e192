//! The smooth manager's parameters, with the proposal's defaults, and their text form.
//!
//! Each parameter is an option of its own. `written_form` parses Lc0's text form, which sets several.

use threefold_chess::clock::Decimal;
use threefold_named_enum::named_enum;

named_enum! {
    /// A parameter of the smooth manager, with the name of its option.
    pub enum Parameter {
        /// The initial estimate of tree reuse.
        InitTreeReuse = "SmoothInitTreeReuse",
        /// The largest estimate of tree reuse.
        MaxTreeReuse = "SmoothMaxTreeReuse",
        /// The half-life of the reuse estimate, in average moves.
        TreeReuseUpdateRate = "SmoothTreeReuseUpdateRate",
        /// The initial speed in nodes per second; without effect after a first search with the piggybank.
        InitNps = "SmoothInitNps",
        /// The half-life of the speed estimate, in seconds.
        NpsUpdateRate = "SmoothNpsUpdateRate",
        /// The initial estimate of time use.
        InitTimeuse = "SmoothInitTimeuse",
        /// The smallest estimate of time use.
        MinTimeuse = "SmoothMinTimeuse",
        /// The half-life of the time-use estimate, in average moves.
        TimeuseUpdateRate = "SmoothTimeuseUpdateRate",
        /// The largest budget as a part of the clock.
        MaxMoveBudget = "SmoothMaxMoveBudget",
        /// The median length of a game, in moves.
        MovesLeftMidpoint = "SmoothMovesLeftMidpoint",
        /// The steepness of the distribution of game lengths.
        MovesLeftSteepness = "SmoothMovesLeftSteepness",
        /// Piggybank: the initial savings as a part of the clock.
        InitPiggybank = "SmoothInitPiggybank",
        /// Piggybank: the part of its expected time that each move saves.
        PerMovePiggybank = "SmoothPerMovePiggybank",
        /// Piggybank: the part of the savings that one move may use.
        MaxPiggybankUse = "SmoothMaxPiggybankUse",
        /// Piggybank: the limit of the savings, in average moves.
        MaxPiggybankMoves = "SmoothMaxPiggybankMoves",
        /// Piggybank: seconds until a slower speed is used completely.
        NpsUpdatePeriod = "SmoothNpsUpdatePeriod",
        /// Piggybank: the window of move trends, in milliseconds.
        TrendPeriod = "SmoothTrendPeriod",
        /// Piggybank: the assumed factor on the best move's future nodes.
        BestmoveOptimism = "SmoothBestmoveOptimism",
        /// Piggybank: the assumed factor on another move's future nodes.
        OvertakerOptimism = "SmoothOvertakerOptimism",
        /// Piggybank: milliseconds for which a move may use savings without uncertainty.
        ForcePiggybank = "SmoothForcePiggybank",
    }
}

impl Parameter {
    /// Default, minimum and maximum.
    const fn range(self) -> [i64; 3] {
        const ONE: i64 = 1_000_000;
        match self {
            Self::InitTreeReuse => [500_000, 0, 990_000],
            Self::MaxTreeReuse => [700_000, 0, 990_000],
            Self::TreeReuseUpdateRate => [4 * ONE, 10_000, 1_000 * ONE],
            Self::InitNps => [20_000 * ONE, ONE, 1_000_000_000 * ONE],
            Self::NpsUpdateRate => [5 * ONE, 1_000, 1_000 * ONE],
            Self::InitTimeuse => [700_000, 10_000, ONE],
            Self::MinTimeuse => [300_000, 10_000, ONE],
            Self::TimeuseUpdateRate => [10 * ONE, 10_000, 1_000 * ONE],
            Self::MaxMoveBudget => [300_000, 1_000, ONE],
            Self::MovesLeftMidpoint => [51_500_000, ONE, 1_000 * ONE],
            Self::MovesLeftSteepness => [7 * ONE, ONE, 100 * ONE],
            Self::InitPiggybank => [90_000, 0, ONE],
            Self::PerMovePiggybank => [120_000, 0, ONE],
            Self::MaxPiggybankUse => [940_000, 0, ONE],
            Self::MaxPiggybankMoves => [36_500_000, 0, 1_000 * ONE],
            Self::NpsUpdatePeriod => [20 * ONE, 1_000, 1_000 * ONE],
            Self::TrendPeriod => [3_000 * ONE, ONE, 1_000_000 * ONE],
            Self::BestmoveOptimism => [200_000, 0, 1_000 * ONE],
            Self::OvertakerOptimism => [4 * ONE, 0, 1_000 * ONE],
            Self::ForcePiggybank => [1_000 * ONE, 0, 1_000_000 * ONE],
        }
    }

    /// The value without a `setoption`.
    pub const fn default(self) -> Decimal {
        Decimal::from_millionths(self.range()[0])
    }

    /// The least accepted value.
    pub const fn min(self) -> Decimal {
        Decimal::from_millionths(self.range()[1])
    }

    /// The greatest accepted value.
    pub const fn max(self) -> Decimal {
        Decimal::from_millionths(self.range()[2])
    }

    /// The names in Lc0's text form: `init-tree-reuse` for `SmoothInitTreeReuse`, and where Lc0's code has
    /// another name, that one too.
    pub(super) fn written(self) -> impl Iterator<Item = String> {
        let mut written = String::new();
        for letter in self.name().trim_start_matches("Smooth").chars() {
            if letter.is_ascii_uppercase() && !written.is_empty() {
                written.push('-');
            }
            written.push(letter.to_ascii_lowercase());
        }
        let other = match self {
            Self::MovesLeftMidpoint => Some("midpoint"),
            Self::MovesLeftSteepness => Some("steepness"),
            Self::TrendPeriod => Some("trend-nps-update-period-ms"),
            Self::ForcePiggybank => Some("force-piggybank-ms"),
            _ => None,
        };
        std::iter::once(written).chain(other.map(str::to_owned))
    }

    /// Parses a value; the error names valid values.
    pub fn parse(self, text: &str) -> Result<Decimal, String> {
        let (min, max) = (self.min(), self.max());
        match text.parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            Ok(_) | Err(_) => Err(format!("a number from {min} to {max}")),
        }
    }
}

/// The values of all parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmoothParameters([Decimal; Parameter::ALL.len()]);

impl SmoothParameters {
    /// The parameters without any `setoption`.
    pub const DEFAULT: Self = {
        let mut terms = [Decimal::from_millionths(0); Parameter::ALL.len()];
        let mut index = 0;
        while index < terms.len() {
            terms[index] = Parameter::ALL[index].default();
            index += 1;
        }
        Self(terms)
    };

    /// The value of a parameter.
    pub fn get(&self, parameter: Parameter) -> f64 {
        self.0[parameter as usize].get()
    }

    /// Sets a parameter.
    pub const fn set(&mut self, parameter: Parameter, value: Decimal) {
        self.0[parameter as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_defaults_are_within_their_range() {
        for &parameter in Parameter::ALL {
            assert!((parameter.min()..=parameter.max()).contains(&parameter.default()), "{parameter}");
            assert_eq!(parameter.parse(&parameter.default().to_string()), Ok(parameter.default()));
        }
    }

    #[test]
    fn defaults_are_those_of_lc0() {
        let defaults: Vec<String> =
            Parameter::ALL.iter().map(|parameter| parameter.default().to_string()).collect();
        let proposal = "0.5 0.7 4 20000 5 0.7 0.3 10 0.3 51.5 7";
        let piggybank = "0.09 0.12 0.94 36.5 20 3000 0.2 4 1000";
        assert_eq!(defaults.join(" "), format!("{proposal} {piggybank}"));
    }
}
