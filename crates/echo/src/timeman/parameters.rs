//! The smooth manager's parameters, with the defaults of the page that proposed it, and their written form.
//!
//! Lc0 takes `smooth(init-nps=20000.0,max-move-budget=0.3)`; so does the option `TimeManager`. What isn't named has its
//! default. Each parameter is an option of its own as well.

use std::str::FromStr;

use super::TimeManager;
use threefold_chess::clock::Decimal;
use threefold_named_enum::named_enum;

named_enum! {
    /// A parameter of the smooth manager, by the name of its option.
    pub enum Parameter {
        /// The part of a tree that the next search is first thought to inherit.
        InitTreeReuse = "SmoothInitTreeReuse",
        /// No more of a tree is thought to be inherited.
        MaxTreeReuse = "SmoothMaxTreeReuse",
        /// After a search of so many average moves, what is thought of reuse has gone half the way to what was seen.
        TreeReuseUpdateRate = "SmoothTreeReuseUpdateRate",
        /// Nodes per second, before any are counted.
        InitNps = "SmoothInitNps",
        /// After so many seconds, the speed has gone half the way to what is seen.
        NpsUpdateRate = "SmoothNpsUpdateRate",
        /// The part of its budget that a search is first thought to use.
        InitTimeuse = "SmoothInitTimeuse",
        /// No smaller part of a budget is thought to be used.
        MinTimeuse = "SmoothMinTimeuse",
        /// After a search of so many average moves, what is thought of use has gone half the way to what was seen.
        TimeuseUpdateRate = "SmoothTimeuseUpdateRate",
        /// No budget is a larger part of the clock.
        MaxMoveBudget = "SmoothMaxMoveBudget",
        /// The median length of a game, in moves.
        MovesLeftMidpoint = "SmoothMovesLeftMidpoint",
        /// How narrowly lengths lie around it.
        MovesLeftSteepness = "SmoothMovesLeftSteepness",
        /// For the piggybank: what is put aside before the first move, as a part of the clock.
        InitPiggybank = "SmoothInitPiggybank",
        /// For the piggybank: what each move puts aside, as a part of its expected time.
        PerMovePiggybank = "SmoothPerMovePiggybank",
        /// For the piggybank: the part of what was put aside that one move may use.
        MaxPiggybankUse = "SmoothMaxPiggybankUse",
        /// For the piggybank: no more is put aside than so many average moves take.
        MaxPiggybankMoves = "SmoothMaxPiggybankMoves",
        /// For the piggybank: seconds after which a slower speed is believed.
        NpsUpdatePeriod = "SmoothNpsUpdatePeriod",
        /// For the piggybank: milliseconds over which it is seen which moves are looked at.
        TrendPeriod = "SmoothTrendPeriod",
        /// For the piggybank: so many times as often as now the best move is looked at in future.
        BestmoveOptimism = "SmoothBestmoveOptimism",
        /// For the piggybank: so many times as often as now another move is looked at in future.
        OvertakerOptimism = "SmoothOvertakerOptimism",
        /// For the piggybank: for so many milliseconds a move may use what was put aside without a reason.
        ForcePiggybank = "SmoothForcePiggybank",
    }
}

impl Parameter {
    /// What it is unless set, and the least and the most it may be.
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

    /// What it is unless set.
    pub const fn default(self) -> Decimal {
        Decimal::from_millionths(self.range()[0])
    }

    /// The least it may be.
    pub const fn min(self) -> Decimal {
        Decimal::from_millionths(self.range()[1])
    }

    /// The most it may be.
    pub const fn max(self) -> Decimal {
        Decimal::from_millionths(self.range()[2])
    }

    /// The name in the written form: `init-tree-reuse` for `SmoothInitTreeReuse`.
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

    /// Reads a value for it, or says what would be right.
    pub fn read(self, text: &str) -> Result<Decimal, String> {
        let (min, max) = (self.min(), self.max());
        match text.parse() {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            Ok(_) | Err(_) => Err(format!("a number from {min} to {max}")),
        }
    }
}

/// What every parameter is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmoothParameters([Decimal; Parameter::ALL.len()]);

impl SmoothParameters {
    /// As the page has them.
    pub const DEFAULT: Self = {
        let mut terms = [Decimal::from_millionths(0); Parameter::ALL.len()];
        let mut index = 0;
        while index < terms.len() {
            terms[index] = Parameter::ALL[index].default();
            index += 1;
        }
        Self(terms)
    };

    /// What a parameter is set to.
    pub fn get(&self, parameter: Parameter) -> f64 {
        self.0[parameter as usize].get()
    }

    /// Sets a parameter.
    pub const fn set(&mut self, parameter: Parameter, value: Decimal) {
        self.0[parameter as usize] = value;
    }
}

/// A manager as it is written, `Classic` or `smooth(init-nps=20000.0,…)`; the terms only where there are brackets.
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
    fn defaults_are_within_their_range() {
        for &parameter in Parameter::ALL {
            assert!((parameter.min()..=parameter.max()).contains(&parameter.default()), "{parameter}");
            assert_eq!(parameter.read(&parameter.default().to_string()), Ok(parameter.default()));
        }
    }

    #[test]
    fn the_written_form_is_read() {
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
