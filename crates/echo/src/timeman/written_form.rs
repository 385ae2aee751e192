//! The text form of a time manager and its parameters, as in Lc0's `--time-manager`.
//!
//! `smooth(mle-legacy(steepness=12.0,midpoint=50.0),init-nps=20000.0)`: parameters in parentheses, and inside
//! `mle-legacy` those of the estimate of the moves left. As in Lc0, these two may stand outside, too. Lc0
//! requires decimals; here `20000` is the same as `20000.0`. Parameters not named have their defaults.

use std::str::FromStr;

use super::TimeManager;
use super::parameters::{Parameter, SmoothParameters};

/// The name of the only estimator of moves left.
const ESTIMATOR: &str = "mle-legacy";
/// The parameters of the estimator.
const OF_ESTIMATOR: [Parameter; 2] = [Parameter::MovesLeftSteepness, Parameter::MovesLeftMidpoint];

/// Parses a manager, `Classic` or `smooth(init-nps=20000.0,…)`; parameters only with parentheses. The error
/// names what is valid.
pub(crate) fn parse_time_manager(text: &str) -> Result<(TimeManager, Option<SmoothParameters>), String> {
    let Some((name, rest)) = text.split_once('(') else { return Ok((known(text)?, None)) };
    let manager = known(name)?;
    if !matches!(manager, TimeManager::Smooth | TimeManager::SmoothPiggybank) {
        return Err(format!("`{manager}` without brackets: it has no parameters"));
    }
    let inside = rest.strip_suffix(')').ok_or("a closing bracket at its end")?;
    let mut given = GivenParameters { terms: SmoothParameters::DEFAULT, set: Vec::new() };
    let mut has_estimator = false;
    for item in items(inside)? {
        match item.split_once('(') {
            Some((estimator, inside)) => {
                let estimator = estimator.trim();
                if estimator != ESTIMATOR {
                    return Err(format!("in its brackets, for `{estimator}(…)`, `{ESTIMATOR}(…)`"));
                }
                if std::mem::replace(&mut has_estimator, true) {
                    return Err(format!("`{ESTIMATOR}` once"));
                }
                let inside = inside.strip_suffix(')').ok_or("a comma after an inner bracket")?;
                for pair in items(inside)? {
                    given.parse_pair(pair, &OF_ESTIMATOR)?;
                }
            }
            None if item == ESTIMATOR && !has_estimator => has_estimator = true,
            None => given.parse_pair(item, Parameter::ALL)?,
        }
    }
    Ok((manager, Some(given.terms)))
}

fn known(name: &str) -> Result<TimeManager, String> {
    TimeManager::from_str(name.trim()).map_err(|unknown| format!("one of {}", unknown.known.join(", ")))
}

/// The parts between the commas outside of brackets, without those that are empty.
fn items(text: &str) -> Result<Vec<&str>, String> {
    let (mut depth, mut items, mut from) = (0_u32, Vec::new(), 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or("an opening bracket for each closing one")?,
            ',' if depth == 0 => {
                items.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err("a closing bracket for each opening one".to_owned());
    }
    items.push(&text[from..]);
    Ok(items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect())
}

/// The parameters read so far.
struct GivenParameters {
    terms: SmoothParameters,
    set: Vec<Parameter>,
}

impl GivenParameters {
    /// Reads `key=value` for one of the `allowed` parameters, each at most once.
    fn parse_pair(&mut self, pair: &str, allowed: &[Parameter]) -> Result<(), String> {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (key, value) = (key.trim(), value.trim());
        let found = allowed.iter().find(|parameter| parameter.written().any(|name| name == key));
        let &parameter = found.ok_or_else(|| {
            let names: Vec<String> =
                allowed.iter().filter_map(|parameter| parameter.written().last()).collect();
            format!("in its brackets, for `{key}`, one of {}", names.join(", "))
        })?;
        if self.set.contains(&parameter) {
            return Err(format!("`{key}` once"));
        }
        let value = parameter.parse(value).map_err(|remedy| format!("for `{key}` {remedy}"))?;
        self.set.push(parameter);
        self.terms.set(parameter, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_forms_are_parsed() {
        let with = |pairs: &[(Parameter, &str)]| {
            let mut terms = SmoothParameters::DEFAULT;
            for (parameter, value) in pairs {
                terms.set(*parameter, value.parse().expect(value));
            }
            Some(terms)
        };
        let estimator = [(Parameter::MovesLeftSteepness, "12"), (Parameter::MovesLeftMidpoint, "50")];
        let whole = [estimator[0], estimator[1], (Parameter::InitNps, "20000")];
        let smooth = |pairs| Ok((TimeManager::Smooth, with(pairs)));
        let table = [
            ("classic", Ok((TimeManager::Classic, None))),
            ("SmoothPiggybank", Ok((TimeManager::SmoothPiggybank, None))),
            ("smooth()", smooth(&[])),
            ("smooth(mle-legacy)", smooth(&[])),
            ("smooth(mle-legacy())", smooth(&[])),
            // The examples of Lc0's page.
            ("smooth(mle-legacy(steepness=12.0,midpoint=50.0))", smooth(&estimator)),
            (
                "smooth(init-tree-reuse=0.2,init-nps=12345.0)",
                smooth(&[(Parameter::InitTreeReuse, "0.2"), (Parameter::InitNps, "12345")]),
            ),
            ("smooth(mle-legacy(steepness=12.0,midpoint=50.0),init-nps=20000.0)", smooth(&whole)),
            (" smooth ( init-nps = 20000 , mle-legacy ( midpoint = 50 , steepness=12 ) )", smooth(&whole)),
            ("smooth(steepness=12.0,midpoint=50.0)", smooth(&estimator)),
            ("smooth(moves-left-steepness=12,moves-left-midpoint=50)", smooth(&estimator)),
            (
                "SmoothPiggybank(force-piggybank-ms=500.0,trend-nps-update-period-ms=2000.0)",
                Ok((
                    TimeManager::SmoothPiggybank,
                    with(&[(Parameter::ForcePiggybank, "500"), (Parameter::TrendPeriod, "2000")]),
                )),
            ),
            ("smooth(init-nps=2", Err("a closing bracket at its end")),
            ("smooth(mle-legacy(midpoint=50.0)", Err("a closing bracket for each opening one")),
            ("smooth(init-nps=2.0))", Err("an opening bracket for each closing one")),
            ("smooth(mle-legacy(midpoint=50.0)init-nps=2.0)", Err("a comma after an inner bracket")),
            ("smooth(mlh(steepness=2.0))", Err("in its brackets, for `mlh(…)`, `mle-legacy(…)`")),
            (
                "smooth(mle-legacy(init-nps=2.0))",
                Err("in its brackets, for `init-nps`, one of steepness, midpoint"),
            ),
            ("smooth(init-nps=2.0,init-nps=3.0)", Err("`init-nps` once")),
            ("smooth(midpoint=50.0,mle-legacy(midpoint=50.0))", Err("`midpoint` once")),
            ("smooth(mle-legacy(),mle-legacy())", Err("`mle-legacy` once")),
            ("fixed(parts=2)", Err("`Fixed` without brackets: it has no parameters")),
            ("hasty", Err("one of Classic, Fixed, Legacy, Smooth, SmoothPiggybank")),
            ("smooth(init-nps=fast)", Err("for `init-nps` a number from 1 to 1000000000")),
            ("smooth(init-timeuse=1.5)", Err("for `init-timeuse` a number from 0.01 to 1")),
        ];
        for (text, expected) in table {
            assert_eq!(parse_time_manager(text), expected.map_err(str::to_owned), "{text}");
        }
        let error = parse_time_manager("smooth(pace=2)").expect_err("unknown");
        assert!(
            error.starts_with("in its brackets, for `pace`, one of init-tree-reuse, max-tree-reuse,"),
            "{error}"
        );
    }
}
