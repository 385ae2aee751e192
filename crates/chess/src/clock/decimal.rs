//! Decimal numbers exact to a millionth: two are equal exactly if their texts are.

use std::fmt;
use std::str::FromStr;

/// Millionths in one.
const ONE: i64 = 1_000_000;
/// Digits after the decimal point.
const PLACES: usize = 6;

/// A decimal number, exact to a millionth, from about -9.2e12 to 9.2e12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Decimal(i64);

/// Why text is not a decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a number such as `0.5`, with at most six digits after the point, and at most about 9 000 000 000 000"
)]
pub struct DecimalError;

impl Decimal {
    /// A number of millionths.
    pub const fn from_millionths(millionths: i64) -> Self {
        Self(millionths)
    }

    /// The nearest decimal; clamped to the largest and smallest, 0 for NaN.
    pub fn nearest(number: f64) -> Self {
        // The smallest `i64` is excluded, since its absolute value is no `i64`.
        Self(((number * ONE as f64).round() as i64).max(-i64::MAX))
    }

    /// The nearest with `places` digits after the decimal point, at most six.
    pub fn rounded(number: f64, places: u32) -> Self {
        let unit = 10_f64.powi(places.min(PLACES as u32).cast_signed());
        Self::nearest((number * unit).round() / unit)
    }

    /// As an `f64`.
    pub fn get(self) -> f64 {
        self.0 as f64 / ONE as f64
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        let (whole, part) = (magnitude / ONE as u64, magnitude % ONE as u64);
        let sign = if self.0 < 0 { "-" } else { "" };
        let digits = format!("{part:0PLACES$}");
        match digits.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            digits => write!(f, "{sign}{whole}.{digits}"),
        }
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |unsigned| (true, unsigned));
        let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.trim_end_matches('0').len() > PLACES {
            return Err(DecimalError);
        }
        // Digits beyond the sixth are zeros, by the check above.
        let part: String = part.chars().chain(std::iter::repeat('0')).take(PLACES).collect();
        let whole: i64 = whole.parse().map_err(|_| DecimalError)?;
        let part: i64 = part.parse().map_err(|_| DecimalError)?;
        let magnitude =
            whole.checked_mul(ONE).and_then(|whole| whole.checked_add(part)).ok_or(DecimalError)?;
        Ok(Self(if negative { -magnitude } else { magnitude }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decimals_are_parsed_in_common_forms() {
        let table = [
            // text, millionths, printed
            ("0.5", Some(500_000), "0.5"),
            ("20000.0", Some(20_000_000_000), "20000"),
            ("-0.25", Some(-250_000), "-0.25"),
            ("3", Some(3_000_000), "3"),
            ("0.0000010", Some(1), "0.000001"),
            ("0.0000001", None, ""),
            ("", None, ""),
            (".5", None, ""),
            ("1.", None, ""),
            ("1e3", None, ""),
            ("--1", None, ""),
            ("99999999999999", None, ""),
        ];
        for (text, millionths, printed) in table {
            let read = text.parse::<Decimal>().ok();
            assert_eq!(read, millionths.map(Decimal), "{text}");
            assert_eq!(read.map(|number| number.to_string()).unwrap_or_default(), printed);
        }
        assert_eq!(Decimal::rounded(0.123_456, 3).to_string(), "0.123");
        assert_eq!(Decimal::nearest(f64::NAN), Decimal(0));
        for edge in [f64::NEG_INFINITY, f64::INFINITY].map(Decimal::nearest) {
            assert_eq!(edge.to_string().parse(), Ok(edge));
        }
    }

    proptest! {
        #[test]
        fn printed_text_parses_back(millionths in any::<i32>()) {
            let number = Decimal(i64::from(millionths));
            prop_assert_eq!(number.to_string().parse(), Ok(number));
            prop_assert_eq!(Decimal::nearest(number.get()), number);
        }
    }
}
