//! UCI options: the `option` lines of an engine, and the check of a value before it is sent.

use std::fmt;

use super::tokens::{Tokens, one_line};

/// One option of an engine, as its line `option name …` declares it.
///
/// ```
/// use threefold_chess::uci::{UciOption, UciOptionKind};
///
/// let kind = UciOptionKind::Spin { default: 16, min: 1, max: 1024 };
/// let hash = UciOption { name: "Hash".to_owned(), kind };
/// assert_eq!(hash.accept("64").expect("in range"), Some("64".to_owned()));
/// assert_eq!(hash.accept("0").unwrap_err().to_string(), "`Hash` can't be `0`; give a whole number from 1 to 1024");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UciOption {
    /// The name as the engine spells it.
    pub name: String,
    /// The type of its values.
    pub kind: UciOptionKind,
}

/// The type of an option's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UciOptionKind {
    /// `true` or `false`.
    Check {
        /// The value without a `setoption`.
        default: bool,
    },
    /// An integer.
    Spin {
        /// The value without a `setoption`.
        default: i64,
        /// The least value that the engine accepts.
        min: i64,
        /// The greatest value that the engine accepts.
        max: i64,
    },
    /// A number with decimals. Engines send it as a `spin` whose default or bounds have a decimal point.
    Decimal {
        /// The value without a `setoption`.
        default: Decimal,
        /// The minimum; `None` if the engine names none.
        min: Option<Decimal>,
        /// The greatest value that the engine accepts.
        max: Option<Decimal>,
    },
    /// One of several words.
    Combo {
        /// The value without a `setoption`.
        default: String,
        /// The possible words.
        choices: Vec<String>,
    },
    /// No value: it triggers an action.
    Button,
    /// Any text. An unknown type is treated as this.
    String {
        /// The value without a `setoption`.
        default: String,
    },
}

/// A finite decimal number, as the engine or the user spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal(String);

impl Decimal {
    /// `None` if the text is no finite number.
    pub fn new(text: &str) -> Option<Self> {
        text.parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some(Self(text.to_owned()))
    }

    /// The nearest floating-point number.
    pub fn value(&self) -> f64 {
        self.0.parse().expect("`new` has read it")
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why an option does not accept a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` can't be `{given}`; give {remedy}")]
pub struct InvalidValue {
    /// The name of the option that a value was refused for.
    pub name: String,
    /// The value given.
    pub given: String,
    /// The valid values, as text.
    pub remedy: String,
}

impl UciOption {
    /// The value to send for a user's value, in the engine's spelling; `None` for a button.
    pub fn accept(&self, given: &str) -> Result<Option<String>, InvalidValue> {
        let invalid =
            |remedy: String| Err(InvalidValue { name: self.name.clone(), given: given.to_owned(), remedy });
        let one_of = |words: &[&str], given: &str| {
            words.iter().find(|word| word.eq_ignore_ascii_case(given)).map(|&word| word.to_owned())
        };
        match &self.kind {
            UciOptionKind::Check { .. } => {
                let word = one_of(&["true", "false"], given);
                word.map_or_else(|| invalid("`true` or `false`".to_owned()), |word| Ok(Some(word)))
            }
            UciOptionKind::Spin { min, max, .. } => match given.trim().parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => Ok(Some(number.to_string())),
                Ok(_) | Err(_) => invalid(format!("a whole number from {min} to {max}")),
            },
            UciOptionKind::Decimal { min, max, .. } => {
                let is_in_range = |number: &Decimal| {
                    min.as_ref().is_none_or(|min| min.value() <= number.value())
                        && max.as_ref().is_none_or(|max| number.value() <= max.value())
                };
                match Decimal::new(given.trim()).filter(is_in_range) {
                    Some(number) => Ok(Some(number.to_string())),
                    None => invalid(decimals(min.as_ref(), max.as_ref())),
                }
            }
            UciOptionKind::Combo { choices, .. } => {
                let words: Vec<&str> = choices.iter().map(String::as_str).collect();
                // A choice may have parameters, as in `smooth(init-nps=20000)`, which the engine checks.
                let (word, parameters) = given.find('(').map_or((given, ""), |at| given.split_at(at));
                let choice = one_of(&words, given).or_else(|| {
                    let choice = one_of(&words, word).filter(|_| parameters.ends_with(')'))?;
                    Some(choice + &one_line(parameters))
                });
                choice.map_or_else(
                    || invalid(format!("one of {}", words.join(", "))),
                    |choice| Ok(Some(choice)),
                )
            }
            UciOptionKind::Button if given.is_empty() || given == "true" => Ok(None),
            UciOptionKind::Button => invalid("no value: it is a button".to_owned()),
            // UCI writes an empty string as `<empty>`.
            UciOptionKind::String { .. } if given.is_empty() => Ok(Some("<empty>".to_owned())),
            UciOptionKind::String { .. } => Ok(Some(one_line(given))),
        }
    }

    /// The default value, as UCI writes it; `None` for a button.
    pub fn default_text(&self) -> Option<String> {
        match &self.kind {
            UciOptionKind::Check { default } => Some(default.to_string()),
            UciOptionKind::Spin { default, .. } => Some(default.to_string()),
            UciOptionKind::Decimal { default, .. } => Some(default.to_string()),
            UciOptionKind::Combo { default, .. } | UciOptionKind::String { default } => Some(default.clone()),
            UciOptionKind::Button => None,
        }
    }

    /// Parses the words after `option`; `None` without a name.
    pub(super) fn parse(mut tokens: Tokens<'_>) -> Option<Self> {
        tokens.until(&["name"]);
        tokens.next()?;
        let name = tokens.until(&["type"]);
        tokens.next();
        let kind = tokens.next().unwrap_or("string");
        (!name.is_empty()).then(|| Self { name, kind: UciOptionKind::parse(kind, tokens) })
    }
}

impl UciOptionKind {
    fn parse(kind: &str, mut tokens: Tokens<'_>) -> Self {
        const KEYWORDS: &[&str] = &["default", "min", "max", "var"];
        // The default of a string is the rest of the line: it may contain any other keyword.
        if !["check", "spin", "combo", "button"].contains(&kind) {
            tokens.until(&["default"]);
            tokens.next();
            let default = tokens.rest();
            return Self::String { default: if default == "<empty>" { "" } else { default }.to_owned() };
        }
        let (mut default, mut min, mut max, mut choices) = (String::new(), None, None, Vec::new());
        while let Some(word) = tokens.next() {
            match word {
                "default" => default = tokens.until(KEYWORDS),
                "min" => min = tokens.next(),
                "max" => max = tokens.next(),
                "var" => choices.push(tokens.until(KEYWORDS)),
                _ => {}
            }
        }
        match kind {
            "check" => Self::Check { default: default == "true" },
            "spin" => Self::read_number(&default, min, max),
            "combo" => Self::Combo { default, choices },
            _ => Self::Button,
        }
    }

    /// A `spin`: its numbers have decimals if one of them has a decimal point.
    fn read_number(default: &str, min: Option<&str>, max: Option<&str>) -> Self {
        let numbers = [Some(default), min, max].map(|text| text.and_then(Decimal::new));
        if numbers.iter().flatten().any(|number| number.0.contains('.')) {
            let [default, min, max] = numbers;
            return Self::Decimal { default: default.unwrap_or_else(|| Decimal("0".to_owned())), min, max };
        }
        let whole = |text: Option<&str>| text?.parse().ok();
        Self::Spin {
            default: whole(Some(default)).unwrap_or_default(),
            min: whole(min).unwrap_or(i64::MIN),
            max: whole(max).unwrap_or(i64::MAX),
        }
    }
}

/// `a number from 0.1 to 1.0`, as far as there are bounds.
fn decimals(min: Option<&Decimal>, max: Option<&Decimal>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("a number from {min} to {max}"),
        (Some(min), None) => format!("a number from {min}"),
        (None, Some(max)) => format!("a number up to {max}"),
        (None, None) => "a number".to_owned(),
    }
}

impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            UciOptionKind::Check { default } => write!(f, "check default {default}"),
            UciOptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            UciOptionKind::Decimal { default, min, max } => {
                write!(f, "spin default {default}")?;
                min.iter().try_for_each(|min| write!(f, " min {min}"))?;
                max.iter().try_for_each(|max| write!(f, " max {max}"))
            }
            UciOptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            UciOptionKind::Button => f.write_str("button"),
            UciOptionKind::String { default } if default.is_empty() => f.write_str("string default <empty>"),
            UciOptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> UciOption {
        UciOption::parse(Tokens::new(text)).expect("it has a name")
    }

    #[test]
    fn accepted_values_have_the_spelling_of_the_engine() {
        let table = [
            // words after `option`, given value, sent value or error
            ("name Ponder type check default false", "TRUE", Ok(Some("true"))),
            (
                "name Ponder type check default false",
                "yes",
                Err("`Ponder` can't be `yes`; give `true` or `false`"),
            ),
            ("name Hash type spin default 16 min 1 max 64", "064", Ok(Some("64"))),
            (
                "name Hash type spin default 16 min 1 max 64",
                "65",
                Err("`Hash` can't be `65`; give a whole number from 1 to 64"),
            ),
            ("name Rate type spin default 0.5 min 0.1 max 1.0", "0.3", Ok(Some("0.3"))),
            ("name Rate type spin default 0.5 min 0.1 max 1.0", " 1 ", Ok(Some("1"))),
            (
                "name Rate type spin default 0.5 min 0.1 max 1.0",
                "1.2",
                Err("`Rate` can't be `1.2`; give a number from 0.1 to 1.0"),
            ),
            (
                "name Rate type spin default 1 min 0 max 2.5",
                "inf",
                Err("`Rate` can't be `inf`; give a number from 0 to 2.5"),
            ),
            ("name Rate type spin default -.5", "-1e3", Ok(Some("-1e3"))),
            ("name Rate type spin min -.5", "-1", Err("`Rate` can't be `-1`; give a number from -.5")),
            (
                "name Hash type spin default 16 min 1 max 64",
                "16.5",
                Err("`Hash` can't be `16.5`; give a whole number from 1 to 64"),
            ),
            (
                "name Style type combo default Solid var Solid var Very Wild",
                "very wild",
                Ok(Some("Very Wild")),
            ),
            (
                "name Style type combo default Solid var Solid var Very Wild",
                "x",
                Err("`Style` can't be `x`; give one of Solid, Very Wild"),
            ),
            ("name Clear Hash type button", "", Ok(None)),
            (
                "name Clear Hash type button",
                "5",
                Err("`Clear Hash` can't be `5`; give no value: it is a button"),
            ),
            ("name Book type string default <empty>", "a b", Ok(Some("a b"))),
            ("name Book type file default /x y", "", Ok(Some("<empty>"))),
        ];
        for (text, given, sent) in table {
            let answer = read(text).accept(given).map_err(|error| error.to_string());
            let sent = sent.map(|sent| sent.map(str::to_owned)).map_err(str::to_owned);
            assert_eq!(answer, sent, "{text}");
        }
        assert_eq!(UciOption::parse(Tokens::new("type spin")), None);
    }

    /// Any option that can be printed.
    pub(in crate::uci) fn options() -> impl Strategy<Value = UciOption> {
        let words = "[A-Z][a-z]{1,5}( [A-Z][a-z]{0,5})?";
        let kind = prop_oneof![
            any::<bool>().prop_map(|default| UciOptionKind::Check { default }),
            any::<(i64, i64, i64)>().prop_map(|(default, min, max)| UciOptionKind::Spin {
                default,
                min,
                max
            }),
            ("-?[0-9]{1,3}\\.[0-9]{1,3}", prop::option::of("[0-9]{1,3}(\\.[0-9])?")).prop_map(
                |(default, max)| {
                    let decimal = |text: String| Decimal::new(&text).expect("a number");
                    UciOptionKind::Decimal { default: decimal(default), min: None, max: max.map(decimal) }
                }
            ),
            (words, prop::collection::vec(words, 0..4))
                .prop_map(|(default, choices)| UciOptionKind::Combo { default, choices }),
            Just(UciOptionKind::Button),
            "([A-Z][a-z]{1,5}( [A-Z/.]{0,5}[a-z])?)?".prop_map(|default| UciOptionKind::String { default }),
        ];
        (words, kind).prop_map(|(name, kind)| UciOption { name, kind })
    }
}
