//! The parameters of a tune, and what makes them valid.

use std::collections::BTreeSet;

use super::gains::Gains;
use super::perturbation::{Flip, Perturbation};
use threefold_named_enum::named_enum;

named_enum! {
    /// The numbers that a parameter can be.
    pub enum ParameterKind {
        /// Whole numbers.
        Int = "int",
        /// Numbers with decimals.
        Float = "float",
    }
}

/// A parameter as the user gives it: the seven columns of OpenBench.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The name of the UCI option.
    pub name: String,
    /// The numbers that it can be.
    pub kind: ParameterKind,
    /// The value that the tune begins with.
    pub value: f64,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// The distance of the two sides from the value in the last iteration, above 0.
    pub c_end: f64,
    /// The gain of the last iteration, above 0: a game that is won moves the value by r · c.
    pub r_end: f64,
}

/// The largest whole number of a parameter: a larger one is no exact floating-point number.
const LARGEST_INT: f64 = 9_007_199_254_740_992.0;

/// What is wrong with a parameter.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// There is no parameter.
    #[error("there is no parameter")]
    None,
    /// It has no name.
    #[error("the parameter has no name")]
    NoName,
    /// It has a name that lines of this form can't have.
    #[error("`{0}` is no name of a parameter")]
    Name(String),
    /// Two parameters have this name.
    #[error("`{0}` is there twice")]
    Duplicate(String),
    /// A number is infinite or none.
    #[error("{column} of `{name}` is not finite")]
    NotFinite {
        /// The parameter.
        name: String,
        /// The column.
        column: &'static str,
    },
    /// A number of a parameter of type `int` has decimals, or is too large to be exact.
    #[error("{column} of `{name}` is {given}, and its type is int")]
    NotWhole {
        /// The parameter.
        name: String,
        /// The column.
        column: &'static str,
        /// The number.
        given: f64,
    },
    /// The bounds leave no room.
    #[error("min {min} of `{name}` is not below max {max}")]
    Bounds {
        /// The parameter.
        name: String,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
    /// The value is outside of the bounds.
    #[error("value {value} of `{name}` is not from {min} to {max}")]
    Value {
        /// The parameter.
        name: String,
        /// The value.
        value: f64,
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
    /// `c_end` is not above 0, or wider than the bounds.
    #[error("c_end of `{name}` is {given}")]
    Distance {
        /// The parameter.
        name: String,
        /// The number.
        given: f64,
        /// The distance of the bounds.
        range: f64,
    },
    /// `r_end` is not above 0.
    #[error("r_end of `{name}` is {given}")]
    Gain {
        /// The parameter.
        name: String,
        /// The number.
        given: f64,
    },
}

impl ParameterError {
    /// What the user can do.
    pub fn remedy(&self) -> String {
        match self {
            Self::None => "give at least one, such as `Depth, int, 5, 1, 20, 1, 0.002`".to_owned(),
            Self::NoName => "give the name of a UCI option".to_owned(),
            Self::Name(_) => "give a name without `,` and `=`, and without `#` at its beginning".to_owned(),
            Self::Duplicate(_) => "remove one of them".to_owned(),
            Self::NotFinite { .. } => "give a finite number".to_owned(),
            Self::NotWhole { .. } => "give a whole number of at most 16 digits, or the type float".to_owned(),
            Self::Bounds { .. } => "give a smaller min or a larger max".to_owned(),
            Self::Value { .. } => "give a value between the bounds, or other bounds".to_owned(),
            Self::Distance { range, .. } => format!(
                "give a number above 0 and at most {range}, the distance of the bounds; a twentieth of it, {}, is \
                 usual",
                range / 20.0
            ),
            Self::Gain { .. } => "give a number above 0; 0.002 is usual".to_owned(),
        }
    }
}

impl Parameter {
    /// The largest distance of its values.
    pub fn range(&self) -> f64 {
        self.max - self.min
    }

    /// The least useful distance from its value: half of one for whole numbers, so that the sides differ.
    pub(super) const fn least_distance(&self) -> f64 {
        match self.kind {
            ParameterKind::Int => 0.5,
            ParameterKind::Float => 0.0,
        }
    }

    /// The two values that play each other, from this value of the tune. The first one is moved by the flip.
    ///
    /// A whole number is rounded up with the probability of its fraction, both sides by the same draw.
    pub fn played(&self, value: f64, gains: Gains, perturbation: Perturbation) -> [f64; 2] {
        let distance = perturbation.flip.sign() * gains.c;
        [value + distance, value - distance].map(|moved| {
            let rounded = match self.kind {
                ParameterKind::Int => (moved + perturbation.rounding).floor(),
                ParameterKind::Float => moved,
            };
            rounded.clamp(self.min, self.max)
        })
    }

    /// The value after an iteration in which the first side won this number of games more than it lost.
    pub fn moved(&self, value: f64, gains: Gains, flip: Flip, excess: f64) -> f64 {
        (value + gains.r * gains.c * flip.sign() * excess).clamp(self.min, self.max)
    }

    /// The value for an engine: the nearest whole number of a parameter of type `int`.
    pub fn rounded(&self, value: f64) -> f64 {
        match self.kind {
            ParameterKind::Int => value.round().clamp(self.min, self.max),
            ParameterKind::Float => value,
        }
    }

    /// A value as UCI writes it.
    pub fn text(&self, value: f64) -> String {
        match self.kind {
            ParameterKind::Int => format!("{value:.0}"),
            ParameterKind::Float => value.to_string(),
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let Self { name, kind, value, min, max, c_end, r_end } = self;
        let (name, value, min, max) = (|| name.clone(), *value, *min, *max);
        if name().trim().is_empty() {
            return Err(ParameterError::NoName);
        }
        let is_name = |name: &str| {
            name.trim() == name
                && !name.starts_with('#')
                && !name.contains(|c: char| ",=".contains(c) || c.is_control())
        };
        if !is_name(&name()) {
            return Err(ParameterError::Name(name()));
        }
        let columns = [("value", value), ("min", min), ("max", max), ("c_end", *c_end), ("r_end", *r_end)];
        // Before the bounds are compared: every comparison with NaN is false.
        if let Some(&(column, _)) = columns.iter().find(|(_, number)| !number.is_finite()) {
            return Err(ParameterError::NotFinite { name: name(), column });
        }
        let is_whole = |number: f64| number.fract() == 0.0 && number.abs() <= LARGEST_INT;
        let broken = columns[..3].iter().find(|&&(_, number)| !is_whole(number));
        if let (ParameterKind::Int, Some(&(column, given))) = (kind, broken) {
            return Err(ParameterError::NotWhole { name: name(), column, given });
        }
        if min >= max {
            return Err(ParameterError::Bounds { name: name(), min, max });
        }
        if !(min..=max).contains(&value) {
            return Err(ParameterError::Value { name: name(), value, min, max });
        }
        let range = self.range();
        if *c_end <= 0.0 || *c_end > range {
            return Err(ParameterError::Distance { name: name(), given: *c_end, range });
        }
        if *r_end <= 0.0 {
            return Err(ParameterError::Gain { name: name(), given: *r_end });
        }
        Ok(())
    }
}

/// Parameters of a tune: at least one, each valid, and each with its own name.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters(Vec<Parameter>);

impl Parameters {
    /// Checks parameters.
    ///
    /// # Errors
    /// The first parameter that is wrong, by its index, and what is wrong with it.
    pub fn new(parameters: Vec<Parameter>) -> Result<Self, (usize, ParameterError)> {
        if parameters.is_empty() {
            return Err((0, ParameterError::None));
        }
        let mut names = BTreeSet::new();
        for (index, parameter) in parameters.iter().enumerate() {
            parameter.check().map_err(|error| (index, error))?;
            // UCI does not distinguish upper and lower case in names of options.
            if !names.insert(parameter.name.to_lowercase()) {
                return Err((index, ParameterError::Duplicate(parameter.name.clone())));
            }
        }
        Ok(Self(parameters))
    }

    /// The parameters, in the order given.
    pub fn all(&self) -> &[Parameter] {
        &self.0
    }

    /// The values that the tune begins with.
    pub fn start(&self) -> Vec<f64> {
        self.0.iter().map(|parameter| parameter.value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(kind: ParameterKind) -> Parameter {
        let name = "P".to_owned();
        Parameter { name, kind, value: 5.0, min: 0.0, max: 10.0, c_end: 2.0, r_end: 0.002 }
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let int = parameter(ParameterKind::Int);
        let table = [
            (Parameter { name: " ".to_owned(), ..int.clone() }, "has no name"),
            (Parameter { name: "a,b".to_owned(), ..int.clone() }, "`a,b` is no name"),
            (Parameter { value: f64::INFINITY, ..int.clone() }, "value of `P` is not finite"),
            (Parameter { r_end: f64::NAN, ..int.clone() }, "r_end of `P` is not finite"),
            (Parameter { max: 10.5, ..int.clone() }, "max of `P` is 10.5, and its type is int"),
            (Parameter { max: 1e16, ..int.clone() }, "max of `P` is 10000000000000000"),
            (Parameter { min: 10.0, ..int.clone() }, "min 10 of `P` is not below max 10"),
            (Parameter { value: 11.0, ..int.clone() }, "value 11 of `P` is not from 0 to 10"),
            (Parameter { c_end: 0.0, ..int.clone() }, "c_end of `P` is 0"),
            (Parameter { c_end: 11.0, ..int.clone() }, "c_end of `P` is 11"),
            (Parameter { r_end: -1.0, ..int.clone() }, "r_end of `P` is -1"),
        ];
        for (parameter, message) in table {
            let (index, error) = Parameters::new(vec![parameter]).expect_err(message);
            assert!(index == 0 && error.to_string().contains(message), "{error}");
            assert!(!error.remedy().is_empty());
        }
        assert_eq!(Parameters::new(Vec::new()), Err((0, ParameterError::None)));
        let other = Parameter { name: "p".to_owned(), ..int.clone() };
        assert_eq!(
            Parameters::new(vec![int.clone(), other]),
            Err((1, ParameterError::Duplicate("p".to_owned())))
        );
        let float = Parameter { max: 10.5, ..parameter(ParameterKind::Float) };
        assert!(Parameters::new(vec![float]).is_ok() && Parameters::new(vec![int]).is_ok());
    }

    #[test]
    fn sides_are_rounded_by_one_draw_and_stay_in_the_bounds() {
        let gains = Gains { c: 1.25, r: 0.1 };
        let int = parameter(ParameterKind::Int);
        let at =
            |value: f64, flip: Flip, rounding: f64| int.played(value, gains, Perturbation { flip, rounding });
        let at = |value, flip, rounding| format!("{:?}", at(value, flip, rounding));
        // 6.75 and 4.25.
        assert_eq!(at(5.5, Flip::Up, 0.0), "[6.0, 4.0]");
        assert_eq!(at(5.5, Flip::Up, 0.5), "[7.0, 4.0]");
        assert_eq!(at(5.5, Flip::Down, 0.8), "[5.0, 7.0]");
        assert_eq!(at(10.0, Flip::Up, 0.9), "[10.0, 9.0]");
        let float = parameter(ParameterKind::Float);
        let sides = float.played(0.5, gains, Perturbation { flip: Flip::Down, rounding: 0.9 });
        assert_eq!(format!("{sides:?}"), "[0.0, 1.75]");
    }

    #[test]
    fn value_moves_towards_the_side_that_won() {
        let gains = Gains { c: 2.0, r: 0.1 };
        let int = parameter(ParameterKind::Int);
        for (flip, excess, expected) in
            [(Flip::Up, 3.0, 5.6), (Flip::Down, 3.0, 4.4), (Flip::Up, -100.0, 0.0), (Flip::Up, 0.0, 5.0)]
        {
            assert!((int.moved(5.0, gains, flip, excess) - expected).abs() < 1e-12, "{excess}");
        }
        assert_eq!([5.5, 5.4].map(|value| int.text(int.rounded(value))), ["6", "5"]);
    }
}
