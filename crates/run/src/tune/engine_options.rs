//! The parameters of a tune and the options that an engine lists.

use super::parameter_file;
use threefold_chess::uci::{Decimal, UciOption, UciOptionKind};
use threefold_player::SpecKey;
use threefold_stats::spsa::{Parameter, ParameterKind};

/// Options of engines that are no constants of the search or the evaluation, in lower case.
const NO_CONSTANTS: [&str; 23] = [
    "bookdepth",
    "contempt",
    "debuglevel",
    "elo",
    "hash",
    "largepages",
    "minimum thinking time",
    "move overhead",
    "moveoverhead",
    "multipv",
    "nodestime",
    "numa",
    "overhead",
    "skill",
    "skill level",
    "slow mover",
    "strength",
    "syzygy50moverule",
    "syzygyprobedepth",
    "syzygyprobelimit",
    "tablebaseprobedepth",
    "threads",
    "threadpriority",
];

/// The divisor of a parameter's range for its first `c_end`.
const RANGE_TO_C_END: f64 = 20.0;

/// The first `r_end` of a parameter.
const R_END: f64 = 0.002;

/// A parameter that an engine can't play with.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OptionMismatch {
    /// The engine has no such option.
    #[error("the engine has no option `{name}`; {}", nearest(near.as_deref()))]
    Missing {
        /// The parameter.
        name: String,
        /// An option with nearly this name.
        near: Option<String>,
    },
    /// The name is a key of a SPEC, in which the result of the tune is written.
    #[error(
        "`{name}` is a key of a SPEC, which can't set the option `{option}`; {}",
        remedy_of_key(name, option)
    )]
    SpecKey {
        /// The parameter.
        name: String,
        /// The name that the engine gives the option.
        option: String,
    },
    /// The option has no numbers of this kind.
    #[error("option `{name}` of the engine is {found}; {}", remedy_of_kind(*kind))]
    Kind {
        /// The parameter.
        name: String,
        /// What the option is.
        found: &'static str,
        /// The kind of the parameter.
        kind: ParameterKind,
    },
    /// The bounds of the parameter are wider than those of the option.
    #[error(
        "the bounds {min} to {max} of `{name}` are wider than those of the engine, {engine_min} to {engine_max}; \
             give bounds within them"
    )]
    Wider {
        /// The parameter.
        name: String,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
        /// The least value of the option.
        engine_min: f64,
        /// The greatest value of the option.
        engine_max: f64,
    },
}

fn nearest(near: Option<&str>) -> String {
    near.map_or_else(
        || "give the name of an option that it lists after `uci`".to_owned(),
        |near| format!("did you mean `{near}`?"),
    )
}

fn remedy_of_key(name: &str, option: &str) -> String {
    if name == option {
        "give the option another name in the engine, or leave it out".to_owned()
    } else {
        format!("write it as `{option}`")
    }
}

const fn remedy_of_kind(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Int => "a parameter of type int needs a spin of whole numbers",
        ParameterKind::Float => "a parameter of type float needs a string, or a spin with decimals",
    }
}

/// The default of an option differs from the value that the tune begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherDefault {
    /// The parameter.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The default of the engine.
    pub default: f64,
}

/// Checks a parameter against the options of the engine. Returns a difference of its value from the engine's
/// default, if there is one.
///
/// # Errors
/// If the engine lacks the option, or does not accept all values of the parameter.
pub fn check(parameter: &Parameter, options: &[UciOption]) -> Result<Option<OtherDefault>, OptionMismatch> {
    let Parameter { name, kind, value, min, max, .. } = parameter;
    let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
        return Err(OptionMismatch::Missing { name: name.clone(), near: near(name, options) });
    };
    if is_spec_key(name) {
        return Err(OptionMismatch::SpecKey { name: name.clone(), option: option.name.clone() });
    }
    let (default, bounds) = match (kind, &option.kind) {
        (ParameterKind::Int, &UciOptionKind::Spin { default, min, max }) => {
            (Some(default as f64), [Some(min as f64), Some(max as f64)])
        }
        (ParameterKind::Float, UciOptionKind::Decimal { default, min, max }) => {
            let bounds = [min, max].map(|bound| bound.as_ref().map(Decimal::value));
            (Some(default.value()), bounds)
        }
        (ParameterKind::Float, UciOptionKind::String { default }) => {
            // The default of a string need not be a number; then it is not compared.
            (default.trim().parse().ok(), [None, None])
        }
        (_, found) => {
            return Err(OptionMismatch::Kind { name: name.clone(), found: words(found), kind: *kind });
        }
    };
    let [engine_min, engine_max] =
        [bounds[0].unwrap_or(f64::NEG_INFINITY), bounds[1].unwrap_or(f64::INFINITY)];
    if *min < engine_min || *max > engine_max {
        let (name, min, max) = (name.clone(), *min, *max);
        return Err(OptionMismatch::Wider { name, min, max, engine_min, engine_max });
    }
    let other = default.filter(|default| (default - value).abs() > 0.0);
    Ok(other.map(|default| OtherDefault { name: name.clone(), value: *value, default }))
}

/// An option whose name differs in blanks, underscores and case only, or begins alike.
fn near(name: &str, options: &[UciOption]) -> Option<String> {
    let plain = |name: &str| name.to_lowercase().replace([' ', '_', '-'], "");
    let wanted = plain(name);
    let begins_alike = |option: &&UciOption| {
        let other = plain(&option.name);
        let shared = wanted.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
        // At least three characters are the same, and at most two follow in the longer name.
        shared >= 3 && shared + 3 > wanted.chars().count().max(other.chars().count())
    };
    options.iter().find(begins_alike).map(|option| option.name.clone())
}

const fn words(kind: &UciOptionKind) -> &'static str {
    match kind {
        UciOptionKind::Check { .. } => "a check",
        UciOptionKind::Spin { .. } => "a spin of whole numbers",
        UciOptionKind::Decimal { .. } => "a spin with decimals",
        UciOptionKind::Combo { .. } => "a combo",
        UciOptionKind::Button => "a button",
        UciOptionKind::String { .. } => "a string",
    }
}

/// A first file of parameters: the spin options of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstFile {
    /// The lines of the file.
    pub lines: Vec<String>,
    /// The spin options that are no constants of the search, have one value only, or are called like a key of a SPEC.
    pub left_out: Vec<String>,
}

/// The spin options of an engine as parameters: `c_end` is a twentieth of the range.
pub fn first_file(options: &[UciOption]) -> FirstFile {
    let mut file = FirstFile { lines: Vec::new(), left_out: Vec::new() };
    for option in options {
        let parameter = match &option.kind {
            &UciOptionKind::Spin { default, min, max } => {
                (ParameterKind::Int, default as f64, Some([min as f64, max as f64]))
            }
            UciOptionKind::Decimal { default, min, max } => {
                let bounds = min.as_ref().zip(max.as_ref()).map(|(min, max)| [min.value(), max.value()]);
                (ParameterKind::Float, default.value(), bounds)
            }
            _ => continue,
        };
        match parameter {
            (kind, value, Some([min, max]))
                if is_constant(&option.name) && !is_spec_key(&option.name) && min < max =>
            {
                let c_end = short((max - min) / RANGE_TO_C_END);
                let (name, r_end) = (option.name.clone(), R_END);
                let parameter = Parameter { name, kind, value, min, max, c_end, r_end };
                file.lines.push(parameter_file::line(&parameter));
            }
            _ => file.left_out.push(option.name.clone()),
        }
    }
    file
}

/// The number with six digits, so that 0.15000000000000002 is 0.15.
fn short(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// Can it be a constant of the search or the evaluation, by its name?
fn is_constant(name: &str) -> bool {
    let name = name.to_lowercase();
    !NO_CONSTANTS.contains(&name.as_str())
        && !name.starts_with("uci_")
        && !name.starts_with("syzygy")
        && !name.ends_with("seed")
}

/// Is it a key of a SPEC, which sets no option of an engine?
fn is_spec_key(name: &str) -> bool {
    matches!(SpecKey::from(name), SpecKey::Harness(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(name: &str, kind: UciOptionKind) -> UciOption {
        UciOption { name: name.to_owned(), kind }
    }

    fn options() -> Vec<UciOption> {
        let decimal = |text| Decimal::new(text).expect("a number");
        vec![
            option("Hash", UciOptionKind::Spin { default: 16, min: 1, max: 1024 }),
            option("UCI_Elo", UciOptionKind::Spin { default: 1600, min: 1320, max: 3190 }),
            option("LMR_Base", UciOptionKind::Spin { default: 75, min: 10, max: 150 }),
            option("Fixed", UciOptionKind::Spin { default: 7, min: 7, max: 7 }),
            option("Ponder", UciOptionKind::Check { default: false }),
            option("Depth", UciOptionKind::Spin { default: 3, min: 1, max: 21 }),
            option("nodes", UciOptionKind::Spin { default: 3, min: 1, max: 21 }),
            option("Scale", UciOptionKind::String { default: "2.25".to_owned() }),
            option(
                "Exponent",
                UciOptionKind::Decimal {
                    default: decimal("0.6"),
                    min: Some(decimal("0.1")),
                    max: Some(decimal("1.1")),
                },
            ),
        ]
    }

    fn parameter(name: &str, kind: ParameterKind, [value, min, max]: [f64; 3]) -> Parameter {
        Parameter { name: name.to_owned(), kind, value, min, max, c_end: 1.0, r_end: 0.002 }
    }

    #[test]
    fn parameters_that_the_engine_cannot_play_are_refused() {
        use ParameterKind::{Float, Int};
        let table = [
            ("Lmr Base", Int, [75.0, 10.0, 150.0], "no option `Lmr Base`; did you mean `LMR_Base`?"),
            ("Futility", Int, [75.0, 10.0, 150.0], "no option `Futility`; give the name of an option"),
            (
                "depth",
                Int,
                [3.0, 1.0, 9.0],
                "`depth` is a key of a SPEC, which can't set the option `Depth`; write",
            ),
            ("nodes", Int, [3.0, 1.0, 9.0], "the option `nodes`; give the option another name in the engine"),
            (
                "Ponder",
                Int,
                [0.0, 0.0, 1.0],
                "option `Ponder` of the engine is a check; a parameter of type int",
            ),
            (
                "LMR_Base",
                Float,
                [75.0, 10.0, 150.0],
                "is a spin of whole numbers; a parameter of type float needs",
            ),
            (
                "Exponent",
                Int,
                [1.0, 1.0, 2.0],
                "is a spin with decimals; a parameter of type int needs a spin",
            ),
            (
                "LMR_Base",
                Int,
                [75.0, 10.0, 151.0],
                "10 to 151 of `LMR_Base` are wider than those of the engine, 10",
            ),
            (
                "Exponent",
                Float,
                [0.6, 0.0, 1.0],
                "are wider than those of the engine, 0.1 to 1.1; give bounds",
            ),
        ];
        for (name, kind, numbers, message) in table {
            let error = check(&parameter(name, kind, numbers), &options()).expect_err(message).to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn another_default_is_noticed() {
        use ParameterKind::{Float, Int};
        let sound = [("lmr_base", Int, [75.0, 20.0, 100.0]), ("Scale", Float, [2.25, -9.0, 9.0])];
        for (name, kind, numbers) in sound {
            assert_eq!(check(&parameter(name, kind, numbers), &options()), Ok(None), "{name}");
        }
        let other = check(&parameter("LMR_Base", Int, [80.0, 10.0, 150.0]), &options());
        let expected = OtherDefault { name: "LMR_Base".to_owned(), value: 80.0, default: 75.0 };
        assert_eq!(other, Ok(Some(expected)));
    }

    #[test]
    fn first_file_has_the_constants_and_names_what_it_leaves_out() {
        let FirstFile { lines, left_out } = first_file(&options());
        assert_eq!(
            lines,
            [
                "LMR_Base, int, 75, 10, 150, 7, 0.002",
                "Depth, int, 3, 1, 21, 1, 0.002",
                "Exponent, float, 0.6, 0.1, 1.1, 0.05, 0.002"
            ]
        );
        assert_eq!(left_out, ["Hash", "UCI_Elo", "Fixed", "nodes"]);
    }
}
