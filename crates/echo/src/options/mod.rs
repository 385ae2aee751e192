//! Echo's options: one table from which parsing, UCI's `option` lines and the documentation are derived.
//!
//! A row's setter receives a value that its type has already accepted, so it cannot fail.

mod names;
mod rows;
mod settings;

pub use names::current_name;
pub use settings::Settings;

use super::timeman::{self, Parameter};
use threefold_chess::clock::Decimal;

#[cfg(any(test, feature = "lab"))]
use super::feature_switches::Feature;
#[cfg(any(test, feature = "lab"))]
use super::search_constants::SearchConstant;

/// The type of an option's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The value without a `setoption`.
        default: bool,
    },
    /// An integer.
    Spin {
        /// The value without a `setoption`.
        default: i64,
        /// The least accepted value.
        min: i64,
        /// The greatest accepted value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value without a `setoption`.
        default: &'static str,
        /// All words.
        choices: Vec<&'static str>,
    },
    /// A decimal number.
    Number {
        /// The value without a `setoption`.
        default: Decimal,
    },
    /// Any text; empty by default.
    Text,
    /// No value: it triggers an action.
    Button,
}

/// The options that `uci` lists. All are accepted, listed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Listing {
    /// Options for players in a GUI and for match runners.
    #[default]
    Players,
    /// All options, including those for experiments.
    Experimental,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionRow {
    /// The UCI name.
    pub name: &'static str,
    /// One line of help.
    pub summary: &'static str,
    /// The type of its values.
    pub kind: OptionKind,
    /// The shortest list that includes it.
    pub listing: Listing,
}

/// Why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("`{given}` is not an option of Echo; use one of {known}")]
    Unknown {
        /// The name given.
        given: String,
        /// The known names.
        known: String,
    },
    /// It does not accept this value.
    #[error("`{name}` can't be `{given}`; use {remedy}")]
    Value {
        /// The name of the option.
        name: &'static str,
        /// The value given.
        given: String,
        /// Valid values.
        remedy: String,
    },
}

/// The name of the option for the size of the hash table.
pub(super) const HASH: &str = "Hash";

/// The name of the option for the seed of the random choices below full strength.
pub const STRENGTH_SEED: &str = "StrengthSeed";

/// The name of the option for the folders of Syzygy tables.
pub(super) const SYZYGY_PATH: &str = "SyzygyPath";

/// The action after setting an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Nothing.
    Set,
    /// Clear the memory of earlier searches.
    ClearHash,
    /// Open the Syzygy tables in these folders, or close them if the text is empty.
    OpenEndings,
}

/// The effect of setting an option.
enum Setter {
    Check(fn(&mut Settings, bool)),
    Spin(fn(&mut Settings, i64)),
    Combo(fn(&mut Settings, &str)),
    TimeStrategy,
    Parameter(Parameter),
    Button(Effect),
    Text(Effect),
    #[cfg(any(test, feature = "lab"))]
    Feature(Feature),
    #[cfg(any(test, feature = "lab"))]
    Constant(SearchConstant),
}

/// An option with its setter.
struct Row {
    option: OptionRow,
    set: Setter,
}

impl Row {
    /// Lists the row for players, too.
    const fn listed(mut self) -> Self {
        self.option.listing = Listing::Players;
        self
    }
}

/// All options, in UCI's order.
///
/// ```
/// use threefold_echo::options::{self, OptionKind};
///
/// let hash = options::table().into_iter().find(|row| row.name == "Hash").expect("an option");
/// assert_eq!(hash.kind, OptionKind::Spin { default: 16, min: 1, max: 65_536 });
/// ```
pub fn table() -> Vec<OptionRow> {
    rows::all().into_iter().map(|row| row.option).collect()
}

/// Whether there is an option of this name, ignoring case.
pub fn is_known(name: &str) -> bool {
    table().iter().any(|row| row.name.eq_ignore_ascii_case(name))
}

/// The options on a list, in the order of [`table`].
pub fn listed(listing: Listing) -> Vec<OptionRow> {
    table().into_iter().filter(|row| row.listing <= listing).collect()
}

impl Settings {
    /// Sets one option. Names (including former ones) and words are case-insensitive; a button accepts
    /// anything.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        let mut rows = rows::all();
        let current = current_name(name);
        let Some(at) = rows.iter().position(|row| row.option.name.eq_ignore_ascii_case(current)) else {
            let known: Vec<&str> = rows.iter().map(|row| row.option.name).collect();
            return Err(OptionError::Unknown { given: name.to_owned(), known: known.join(", ") });
        };
        let Row { option, set } = rows.swap_remove(at);
        let refuse = |remedy| OptionError::Value { name: option.name, given: value.to_owned(), remedy };
        match (set, &option.kind) {
            (Setter::Check(set), _) => match value.to_ascii_lowercase().as_str() {
                "true" => set(self, true),
                "false" => set(self, false),
                _ => return Err(refuse("true or false".to_owned())),
            },
            (Setter::Spin(set), &OptionKind::Spin { min, max, .. }) => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => set(self, number),
                Ok(_) | Err(_) => return Err(refuse(format!("a whole number from {min} to {max}"))),
            },
            (Setter::Combo(set), OptionKind::Combo { choices, .. }) => {
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)) {
                    Some(choice) => set(self, choice),
                    None => return Err(refuse(format!("one of {}", choices.join(", ")))),
                }
            }
            (Setter::TimeStrategy, _) => {
                let (manager, terms) = timeman::parse_time_manager(value).map_err(refuse)?;
                self.time_manager = manager;
                // A name without parentheses leaves the parameters as they were set.
                self.time_terms = terms.unwrap_or(self.time_terms);
            }
            (Setter::Parameter(parameter), _) => {
                self.time_terms.set(parameter, parameter.parse(value).map_err(refuse)?);
            }
            (Setter::Button(effect) | Setter::Text(effect), _) => return Ok(effect),
            #[cfg(any(test, feature = "lab"))]
            (Setter::Feature(feature), _) => match value.parse() {
                Ok(on) => self.features.switch(feature, on),
                Err(_) => return Err(refuse("true or false".to_owned())),
            },
            #[cfg(any(test, feature = "lab"))]
            (Setter::Constant(constant), _) => {
                let [_, least, most] = constant.range();
                match value.parse() {
                    Ok(number) if (least..=most).contains(&number) => self.constants.set(constant, number),
                    Ok(_) | Err(_) => return Err(refuse(format!("a whole number from {least} to {most}"))),
                }
            }
            (Setter::Spin(_) | Setter::Combo(_), _) => {
                unreachable!("a row is built with the kind of its setter")
            }
        }
        Ok(Effect::Set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::Mutant;
    use crate::repetition::RepetitionPolicy;

    #[test]
    fn option_names_are_case_insensitive() {
        let mut settings = Settings::DEFAULT;
        for (name, value, effect) in [
            ("hash", "64", Effect::Set),
            ("MULTIPV", "3", Effect::Set),
            ("repetitionpolicy", "historydraw", Effect::Set),
            ("uci_chess960", "TRUE", Effect::Set),
            ("clear hash", "", Effect::ClearHash),
        ] {
            assert_eq!(settings.set(name, value), Ok(effect), "{name}");
        }
        assert_eq!(
            settings,
            Settings {
                hash: 64,
                multi_pv: 3,
                chess960: true,
                repetition_policy: RepetitionPolicy::HistoryDraw,
                ..Settings::DEFAULT
            }
        );
    }

    #[test]
    fn option_errors_name_valid_values() {
        let table = [
            ("Hash", "0", "`Hash` can't be `0`; use a whole number from 1 to 65536"),
            ("hash", "big", "`Hash` can't be `big`; use a whole number from 1 to 65536"),
            ("Ponder", "1", "`Ponder` can't be `1`; use true or false"),
            (
                "RepetitionPolicy",
                "Never",
                "`RepetitionPolicy` can't be `Never`; use one of HistoryDraw, HistoryIgnored, Threefold",
            ),
        ];
        for (name, value, complaint) in table {
            let mut settings = Settings::DEFAULT;
            assert_eq!(settings.set(name, value).expect_err(name).to_string(), complaint);
            assert_eq!(settings, Settings::DEFAULT);
        }
        let unknown = Settings::DEFAULT.clone().set("Hush", "1").expect_err("unknown").to_string();
        assert!(
            unknown.starts_with("`Hush` is not an option of Echo; use one of Hash, Clear Hash,"),
            "{unknown}"
        );
    }

    #[test]
    fn option_defaults_are_accepted_and_change_nothing() {
        for OptionRow { name, kind, .. } in table() {
            let default = match kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } => default.to_owned(),
                OptionKind::Number { default } => default.to_string(),
                OptionKind::Text | OptionKind::Button => continue,
            };
            let mut settings = Settings::DEFAULT;
            assert_eq!(settings.set(name, &default), Ok(Effect::Set), "{name}");
            assert_eq!(settings, Settings::DEFAULT, "{name}");
        }
    }

    #[test]
    fn option_lines_contain_no_uci_keywords() {
        // python-chess 1.11.0 splits lines at these keywords.
        let sound = |word: &str| {
            !["name", "type", "default", "min", "max", "var"].iter().any(|keyword| word.contains(keyword))
        };
        assert!(!sound("UpcomingRepetition"));
        for row in table() {
            let choices = if let OptionKind::Combo { choices, .. } = row.kind { choices } else { Vec::new() };
            for word in choices.iter().chain([&row.name]) {
                assert!(sound(word), "{word}");
            }
        }
        // An option of another build, whose values name mutants.
        for mutant in Mutant::ALL {
            assert!(sound(mutant.name()), "{mutant}");
        }
    }
}
