//! The smooth manager's parameters, with the proposal's defaults, and their text form.
//!
//! Lc0 and the option `TimeManager` accept `smooth(init-nps=20000.0,max-move-budget=0.3)`. Parameters not named
//! have their defaults. Each parameter is also an option of its own.

use std::str::FromStr;

use super::TimeManager;
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
        /// The initial speed in nodes per second.
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

    /// The default.
    pub const fn default(self) -> Decimal {
        Decimal::from_millionths(self.range()[0])
    }

    /// The minimum.
    pub const fn min(self) -> Decimal {
        Decimal::from_millionths(self.range()[1])
    }

    /// The maximum.
    pub const fn max(self) -> Decimal {
        Decimal::from_millionths(self.range()[2])
    }

    /// The name in the text form: `init-tree-reuse` for `SmoothInitTreeReuse`.
    pub fn written(self) -> String {
        let mut written = String::new();
        for letter in self.name().trim_start_matches("Smooth").chars() {
            if letter.is_ascii_uppercase() && !written.is_empty() {
                written.push('-');
            }
            written.push(letter.to_ascii_lowercase());
        }
        written
    }

    /// Parses a value; the error names valid values.
    pub fn read(self, text: &str) -> Result<Decimal, String> {
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
    /// The defaults.
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

/// Parses a manager, `Classic` or `smooth(init-nps=20000.0,…)`; parameters only with parentheses.
pub(crate) fn read(text: &str) -> Result<(TimeManager, Option<SmoothParameters>), String> {
    let known = |name: &str| {
        TimeManager::from_str(name).map_err(|unknown| format!("one of {}", unknown.known.join(", ")))
    };
    let Some((name, rest)) = text.split_once('(') else { return Ok((known(text)?, None)) };
    let manager = known(name)?;
    if !matches!(manager, TimeManager::Smooth | TimeManager::SmoothPiggybank) {
        return Err(format!("`{manager}` without brackets: it has no parameters"));
    }
    let inside = rest.strip_suffix(')').ok_or("a closing bracket at its end")?;
    let mut terms = SmoothParameters::DEFAULT;
    for pair in inside.split(',').filter(|pair| !pair.trim().is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = (key.trim(), value.trim());
        let parameter = Parameter::ALL.iter().find(|parameter| parameter.written() == key);
        let &parameter = parameter.ok_or_else(|| {
            let names: Vec<String> = Parameter::ALL.iter().map(|parameter| parameter.written()).collect();
            format!("in its brackets, for `{key}`, one of {}", names.join(", "))
        })?;
        let value = parameter.read(value).map_err(|remedy| format!("for `{key}` {remedy}"))?;
        terms.set(parameter, value);
    }
    Ok((manager, Some(terms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameter_defaults_are_within_their_range() {
        for &parameter in Parameter::ALL {
            assert!((parameter.min()..=parameter.max()).contains(&parameter.default()), "{parameter}");
            assert_eq!(parameter.read(&parameter.default().to_string()), Ok(parameter.default()));
        }
    }

    #[test]
    fn parameters_are_parsed() {
        let with = |pairs: &[(Parameter, &str)]| {
            let mut terms = SmoothParameters::DEFAULT;
            for (parameter, value) in pairs {
                terms.set(*parameter, value.parse().expect(value));
            }
            Some(terms)
        };
        let table = [
            ("classic", Ok((TimeManager::Classic, None))),
            ("SmoothPiggybank", Ok((TimeManager::SmoothPiggybank, None))),
            ("smooth()", Ok((TimeManager::Smooth, Some(SmoothParameters::DEFAULT)))),
            (
                "smooth(init-nps=20000.0, max-move-budget=0.42)",
                Ok((
                    TimeManager::Smooth,
                    with(&[(Parameter::InitNps, "20000"), (Parameter::MaxMoveBudget, "0.42")]),
                )),
            ),
            ("smooth(init-nps=2", Err("a closing bracket at its end")),
            ("fixed(parts=2)", Err("`Fixed` without brackets: it has no parameters")),
            ("hasty", Err("one of Classic, Fixed, Legacy, Smooth, SmoothPiggybank")),
            ("smooth(init-nps=fast)", Err("for `init-nps` a number from 1 to 1000000000")),
            ("smooth(init-timeuse=1.5)", Err("for `init-timeuse` a number from 0.01 to 1")),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), expected.map_err(str::to_owned), "{text}");
        }
        let error = read("smooth(pace=2)").expect_err("unknown");
        assert!(
            error.starts_with("in its brackets, for `pace`, one of init-tree-reuse, max-tree-reuse,"),
            "{error}"
        );
    }
}
