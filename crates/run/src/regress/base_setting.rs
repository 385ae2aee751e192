//! Values for `[base]` of a plan that are given for one run, such as `tc=8+0.08`, in place of those of the plan.

use std::fmt::Display;
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use threefold_named_enum::{UnknownName, named_enum};
use toml::Spanned;

use super::file::WrittenBase;
use super::time_budget;
use threefold_chess::clock::{Control, LimitKey};
use threefold_stats::EloModel;

named_enum! {
    /// The keys of `[base]` that a run may set.
    pub enum BaseKey {
        /// A clock for each game.
        Tc = "tc",
        /// Nodes for each move.
        Nodes = "nodes",
        /// H0, in Elo.
        Elo0 = "elo0",
        /// H1, in Elo.
        Elo1 = "elo1",
        /// The unit of Elo.
        Model = "model",
        /// The time for the games.
        Budget = "budget",
        /// The most games.
        Games = "games",
    }
}

/// A value for `[base]`.
///
/// ```
/// use threefold_run::regress::BaseSetting;
/// assert!("tc=8+0.08".parse::<BaseSetting>().is_ok());
/// let error = "budget=30".parse::<BaseSetting>().unwrap_err().to_string();
/// assert!(error.starts_with("budget=30: write hours, minutes and seconds"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum BaseSetting {
    /// A clock for each game, in place of any other limit of a search.
    Tc(String),
    /// Nodes for each move, in place of any other limit of a search.
    Nodes(NonZeroU64),
    /// H0, in Elo of the model.
    Elo0(f64),
    /// H1, in Elo of the model.
    Elo1(f64),
    /// The unit of Elo.
    Model(EloModel),
    /// The time for the games.
    Budget(String),
    /// The most games, in place of a budget of time.
    Games(NonZeroUsize),
}

/// Why a text is no value for `[base]`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BaseSettingError {
    /// It has no equals sign.
    #[error("`{0}` has no value; give KEY=VALUE, such as tc=8+0.08 or elo1=5")]
    NoValue(String),
    /// Its key is not known.
    #[error(transparent)]
    Key(#[from] UnknownName),
    /// Its value cannot be read.
    #[error("{given}: {remedy}")]
    Value {
        /// The whole text.
        given: String,
        /// What to write.
        remedy: String,
    },
}

impl FromStr for BaseSetting {
    type Err = BaseSettingError;

    fn from_str(given: &str) -> Result<Self, Self::Err> {
        let (key, value) =
            given.split_once('=').ok_or_else(|| BaseSettingError::NoValue(given.to_owned()))?;
        let wrong = |remedy: String| BaseSettingError::Value { given: given.to_owned(), remedy };
        let elo = || match value.parse::<f64>() {
            Ok(elo) if elo.is_finite() => Ok(elo),
            Ok(_) | Err(_) => Err(wrong("give a number of Elo, such as -5 or 2.5".to_owned())),
        };
        Ok(match key.parse()? {
            BaseKey::Tc => {
                let mut control = Control::default();
                control.set(LimitKey::Tc, value).map_err(|error| wrong(error.to_string()))?;
                if control.is_infinite() {
                    return Err(wrong("give a clock that ends, such as 8+0.08".to_owned()));
                }
                Self::Tc(value.to_owned())
            }
            BaseKey::Nodes => Self::Nodes(number(value).map_err(wrong)?),
            BaseKey::Elo0 => Self::Elo0(elo()?),
            BaseKey::Elo1 => Self::Elo1(elo()?),
            BaseKey::Model => Self::Model(value.parse()?),
            BaseKey::Budget => {
                time_budget::parse(value).map_err(wrong)?;
                Self::Budget(value.to_owned())
            }
            BaseKey::Games => Self::Games(number(value).map_err(wrong)?),
        })
    }
}

fn number<N: FromStr<Err: Display>>(value: &str) -> Result<N, String> {
    value.parse().map_err(|_: N::Err| "give a whole number from 1".to_owned())
}

impl BaseSetting {
    /// Sets the value. Errors about it are at the place of `[base]`.
    pub(super) fn apply(&self, base: &mut Spanned<WrittenBase>) {
        let span = base.span();
        let text = |text: &str| Some(Spanned::new(span.clone(), text.to_owned()));
        let base = base.get_mut();
        match self {
            Self::Tc(tc) => {
                base.tc = text(tc);
                (base.st, base.nodes, base.depth) = (None, None, None);
            }
            Self::Nodes(nodes) => {
                base.nodes = Some(nodes.get());
                (base.tc, base.st, base.depth) = (None, None, None);
            }
            Self::Elo0(elo) => base.elo0 = *elo,
            Self::Elo1(elo) => base.elo1 = *elo,
            Self::Model(model) => base.model = text(model.name()),
            // A quick run then uses a tenth of this budget, not the quick budget of the plan.
            Self::Budget(time) => (base.budget, base.quick_budget) = (text(time), None),
            Self::Games(games) => {
                base.games = games.get();
                (base.budget, base.quick_budget) = (None, None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_base_match_are_checked_when_they_are_given() {
        for (given, expected) in [
            ("tc=8+0.08", Ok(BaseSetting::Tc("8+0.08".to_owned()))),
            ("nodes=20000", Ok(BaseSetting::Nodes(NonZeroU64::new(20_000).expect("not 0")))),
            ("elo0=-2.5", Ok(BaseSetting::Elo0(-2.5))),
            ("model=logistic", Ok(BaseSetting::Model(EloModel::Logistic))),
            ("budget=1h30m", Ok(BaseSetting::Budget("1h30m".to_owned()))),
            ("games=100", Ok(BaseSetting::Games(NonZeroUsize::new(100).expect("not 0")))),
            ("tc", Err("`tc` has no value; give KEY=VALUE")),
            ("commit=main", Err("`commit` is not known; use one of tc, nodes, elo0")),
            ("tc=8:x", Err("tc=8:x: time control `8:x`: its ")),
            ("tc=inf", Err("tc=inf: give a clock that ends")),
            ("elo1=nan", Err("elo1=nan: give a number of Elo")),
            ("games=0", Err("games=0: give a whole number from 1")),
            ("budget=10", Err("budget=10: write hours, minutes and seconds")),
        ] {
            match (given.parse::<BaseSetting>().map_err(|error| error.to_string()), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.starts_with(expected), "{given}: {found}"),
                (found, expected) => panic!("{given}: {found:?}, not {expected:?}"),
            }
        }
    }
}
