//! Numbers as C++'s `fmt` prints them, which fastchess uses.

/// With this number of decimals. What is not a number is `-nan`, as the division of zero by zero is on x86.
pub(super) fn fixed(number: f64, decimals: usize) -> String {
    if number.is_nan() {
        "-nan".to_owned()
    } else {
        // Infinite numbers are `inf` and `-inf` in both.
        format!("{number:.decimals$}")
    }
}

/// With this number of significant digits, from 1, as `%.Ng` prints them.
pub(super) fn significant(number: f64, digits: usize) -> String {
    let (decimals, most) = (digits - 1, i32::try_from(digits).unwrap_or(i32::MAX));
    let scientific = format!("{number:.decimals$e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trimmed = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    // `%g` looks at the exponent after rounding: 99.6 with two digits is `1e+02`.
    if (-4..most).contains(&exponent) {
        let decimals = usize::try_from(most - 1 - exponent).unwrap_or_default();
        trimmed(&format!("{number:.decimals$}"))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_in_c() {
        for (number, text) in [
            (0.08, "0.08"),
            (0.1, "0.1"),
            (1.0, "1"),
            (12.0, "12"),
            (0.125, "0.12"),
            (100.0, "1e+02"),
            (0.000_01, "1e-05"),
        ] {
            assert_eq!(significant(number, 2), text);
        }
        for (number, text) in [
            (1.005, "1.00"),
            (f64::NAN, "-nan"),
            (f64::INFINITY, "inf"),
            (-2.5, "-2.50"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(fixed(number, 2), text);
        }
    }
}
