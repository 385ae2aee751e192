//! Formatting of figures, shared by all formats: every rate with its interval, every Elo with its error,
//! every test with its p-value.

pub use threefold_chess::clock::duration::format_duration as duration;
pub use threefold_player::visible::{picture, visible};
use threefold_stats::interval::Rate;
use threefold_stats::{Estimate, Logistic, Normalized};

/// The chance that an interval misses: they are all 95 % intervals.
const ALPHA: f64 = 0.05;

/// A share in per cent: `93.2 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// `41/44`.
pub fn fraction(rate: Rate) -> String {
    format!("{}/{}", rate.successes, rate.trials())
}

/// `93.2 % (81.8 to 97.7)`, after Wilson.
pub fn share(rate: Rate) -> String {
    let interval = rate.wilson(ALPHA);
    rate.share().map_or_else(
        || "no cases".to_owned(),
        |share| format!("{} ({:.1} to {:.1})", percent(share), interval.low * 100.0, interval.high * 100.0),
    )
}

/// `41/44, 93.2 % (81.8 to 97.7)`.
pub fn rate(rate: Rate) -> String {
    if rate.trials() == 0 { share(rate) } else { format!("{}, {}", fraction(rate), share(rate)) }
}

/// A mean of shares: `93.2 % (92.8 to 93.7)`.
pub fn mean_share(share: Estimate<f64>) -> String {
    format!("{} ({:.1} to {:.1})", percent(share.value), 100.0 * share.low, 100.0 * share.high)
}

/// A mean: `0.41 (0.39 to 0.43)`, `0.41 (at least 0.00)`.
pub fn mean(mean: Estimate<f64>) -> String {
    let Estimate { low, value, high } = mean;
    if high.is_finite() {
        format!("{value:.2} ({low:.2} to {high:.2})")
    } else {
        format!("{value:.2} (at least {low:.2})")
    }
}

/// `+12.3 (-4.5 to +29.1)`.
pub fn logistic(elo: Estimate<Logistic>) -> String {
    spread(elo.low.0, elo.value.0, elo.high.0)
}

/// `+12.3 ± 16.8`: the estimate and half the width of its interval.
pub fn plus_minus(elo: Estimate<Logistic>) -> String {
    format!("{} ± {:.1}", tenths(elo.value.0), (elo.high.0 - elo.low.0) / 2.0)
}

/// `+21.3 ± 30.1`: the estimate and half the width of its interval.
pub fn plus_minus_normalized(elo: Estimate<Normalized>) -> String {
    format!("{} ± {:.1}", tenths(elo.value.0), (elo.high.0 - elo.low.0) / 2.0)
}

/// `+12.3 (-4.5 to +29.1)`.
pub fn normalized(elo: Estimate<Normalized>) -> String {
    spread(elo.low.0, elo.value.0, elo.high.0)
}

/// An interval alone: `-4.5 to +29.1`, `at least +3.1`, or that nothing bounds it.
pub fn range([low, high]: [Logistic; 2]) -> String {
    match (low.0.is_finite(), high.0.is_finite()) {
        (true, true) => format!("{} to {}", tenths(low.0), tenths(high.0)),
        (true, false) => format!("at least {}", tenths(low.0)),
        (false, true) => format!("at most {}", tenths(high.0)),
        (false, false) => "unbounded".to_owned(),
    }
}

/// A difference to a tenth: `+20.8`, `0`.
pub fn rounded(elo: Logistic) -> String {
    signed((elo.0 * 10.0).round() / 10.0)
}

/// A number rounded to two digits: `4`, `410`, `13 000`.
pub fn about(number: f64) -> String {
    // `max` keeps the logarithm of 0 finite.
    let unit = 10_f64.powf((number.max(1.0).log10().floor() - 1.0).max(0.0));
    grouped(((number / unit).round() * unit) as u64)
}

/// The e-value that rejects at a risk: `20` for 5 %.
pub fn needed(risk: f64) -> String {
    points((1.0 / risk * 10.0).round() / 10.0)
}

fn spread(low: f64, value: f64, high: f64) -> String {
    format!("{} ({} to {})", tenths(value), tenths(low), tenths(high))
}

/// `+12.3`; a value that rounds to zero is `+0.0`, whatever its sign.
pub fn tenths(value: f64) -> String {
    format!("{:+.1}", (10.0 * value).round() / 10.0 + 0.0)
}

/// A figure of a baseline, or that there is none.
pub fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// A difference with its sign: `+10`, `-2.5`, `0`.
pub fn signed(difference: f64) -> String {
    if difference == 0.0 { "0".to_owned() } else { format!("{difference:+}") }
}

/// A rating: `1423 ± 38`, or without error for an anchor.
pub fn rating(elo: f64, error: Option<f64>) -> String {
    error.map_or_else(|| format!("{elo:.0} (anchor)"), |error| format!("{elo:.0} ± {error:.0}"))
}

/// Smaller p-values are given as a bound.
const SMALLEST_P: f64 = 0.001;

/// `p = 0.031`, never a bare zero.
pub fn p_value(p: f64) -> String {
    let sign = if p < SMALLEST_P { "" } else { "= " };
    format!("p {sign}{}", bare_p(p))
}

/// `0.031`, for a table of p-values.
pub fn bare_p(p: f64) -> String {
    match p {
        p if p < SMALLEST_P => format!("< {SMALLEST_P}"),
        // Three decimals would be `1.000`.
        p if p > 0.9995 => "1".to_owned(),
        p => format!("{p:.3}"),
    }
}

/// The 95 % upper limit of the failure rate after no failure in n cases: one minus the n-th root of 5 %.
pub fn flawless(rate: Rate) -> Option<String> {
    (rate.failures == 0 && rate.trials() > 0).then(|| {
        // The upper end of a two-sided interval of 90 % is a one-sided limit of 95 %.
        let upper = Rate { successes: 0, failures: rate.trials() }.clopper_pearson(2.0 * ALPHA).high;
        format!(
            "No failure in {}: at most {} of such cases fail (exact 95 % upper limit).",
            count(rate.trials() as usize, "case"),
            percent(upper)
        )
    })
}

/// `1 case`, `2 cases`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number as u64)) }
}

/// Points as a tournament table has them: `12.5`, `13`.
pub fn points(points: f64) -> String {
    format!("{points:.1}").trim_end_matches(".0").to_owned()
}

/// Digits in threes, a narrow gap between them.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Nodes per second in four digits: `1.507 M`, `75.4 k`, `812`.
pub fn speed(nps: f64) -> String {
    match nps {
        ..1e4 => grouped(nps.round() as u64),
        ..1e6 => format!("{:.1} k", nps / 1e3),
        _ => format!("{:.3} M", nps / 1e6),
    }
}

/// A line divided between words into lines of this width in characters, those after the first with an indent; unchanged
/// without a width. A word that is longer than a line has its own.
pub fn wrapped(line: &str, indent: &str, width: Option<u16>) -> String {
    let Some(width) = width.map(usize::from) else { return line.to_owned() };
    let mut lines: Vec<String> = Vec::new();
    let mut current = String::new();
    for word in line.split(' ') {
        let is_full = current.chars().count() + 1 + word.chars().count() > width;
        // A line of nothing but the indent stays open, or a long word would leave an empty line.
        if is_full && !current.trim().is_empty() {
            lines.push(std::mem::replace(&mut current, indent.to_owned() + word));
        } else {
            current.extend((!current.is_empty()).then_some(' '));
            current.push_str(word);
        }
    }
    lines.push(current);
    lines.join("\n")
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

/// The first names, and how many more there are: `a, b`, `a, b and 7 more`.
pub fn first_of(names: &[String], most: usize) -> String {
    let first = &names[..names.len().min(most)];
    match names.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {} more", first.join(", "), grouped(more as u64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_their_error() {
        let passed = |successes, failures| Rate { successes, failures };
        let table = [
            (rate(passed(41, 3)), "41/44, 93.2 % (81.8 to 97.7)"),
            (rate(passed(0, 0)), "no cases"),
            (rate(passed(3, 0)), "3/3, 100.0 % (43.9 to 100.0)"),
            (
                logistic(Estimate { low: Logistic(-4.51), value: Logistic(12.3), high: Logistic(29.1) }),
                "+12.3 (-4.5 to +29.1)",
            ),
            (mean_share(Estimate { low: 0.9281, value: 0.932, high: 0.9372 }), "93.2 % (92.8 to 93.7)"),
            (mean(Estimate { low: 0.391, value: 0.407, high: 0.43 }), "0.41 (0.39 to 0.43)"),
            (mean(Estimate { low: 0.0, value: 0.407, high: f64::INFINITY }), "0.41 (at least 0.00)"),
            (range([Logistic(-4.51), Logistic(29.1)]), "-4.5 to +29.1"),
            (range([Logistic(3.12), Logistic(f64::INFINITY)]), "at least +3.1"),
            (range([Logistic(f64::NEG_INFINITY), Logistic(3.12)]), "at most +3.1"),
            (range([f64::NEG_INFINITY, f64::INFINITY].map(Logistic)), "unbounded"),
            (rounded(Logistic(-0.001)), "0"),
            (rounded(Logistic(20.844)), "+20.8"),
            (about(4.4), "4"),
            (about(413.0), "410"),
            (about(12_960.0), "13\u{202f}000"),
            (needed(0.05), "20"),
            (needed(0.03), "33.3"),
            (rating(1422.6, Some(37.9)), "1423 ± 38"),
            (signed(0.0), "0"),
            (signed(2.5), "+2.5"),
            (rating(1000.0, None), "1000 (anchor)"),
            (p_value(0.0312), "p = 0.031"),
            (p_value(1e-9), "p < 0.001"),
            (p_value(1.0), "p = 1"),
            (bare_p(0.0312), "0.031"),
            (bare_p(1e-9), "< 0.001"),
            (
                flawless(passed(120, 0)).unwrap_or_default(),
                "No failure in 120 cases: at most 2.5 % of such cases fail (exact 95 % upper limit).",
            ),
            (flawless(passed(120, 1)).unwrap_or_default(), ""),
            (flawless(passed(0, 0)).unwrap_or_default(), ""),
        ];
        for (text, expected) in table {
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn numbers_are_formatted_readably() {
        let table = [
            (count(1, "case"), "1 case"),
            (count(1234, "game"), "1\u{202f}234 games"),
            (grouped(1_000_000), "1\u{202f}000\u{202f}000"),
            (speed(812.4), "812"),
            (speed(75_420.0), "75.4 k"),
            (speed(1_507_321.0), "1.507 M"),
            (points(12.5), "12.5"),
            (points(10.0), "10"),
            (listed(&["a".to_owned(), "b".to_owned(), "c".to_owned()]), "a, b and c"),
            (first_of(&["a".to_owned(), "b".to_owned()], 2), "a, b"),
            (first_of(&["a".to_owned(), "b".to_owned(), "c".to_owned()], 1), "a and 2 more"),
            (visible("a\0b\nc\u{1b}[1m\u{202e}"), "a␀b␊c␛[1m\u{fffd}"),
        ];
        for (text, expected) in table {
            assert_eq!(text, expected);
        }
    }
}
