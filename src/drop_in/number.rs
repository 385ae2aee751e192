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

/// With two significant digits, as `%.2g` prints them.
pub(super) fn two_digits(number: f64) -> String {
    let scientific = format!("{number:.1e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let trimmed = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..2).contains(&exponent) {
        let decimals = usize::try_from(1 - exponent).unwrap_or_default();
        trimmed(&format!("{number:.decimals$}"))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
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
            assert_eq!(two_digits(number), text);
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
