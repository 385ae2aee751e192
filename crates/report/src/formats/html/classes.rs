//! The classes of a suite: bars in natural order, and one curve where their names differ by a number.

use maud::{Markup, html};

use super::case_states::{CaseState, JudgedSuite};
use super::{cases, format};
use crate::formats::svg::{self, PassCurve};
use crate::model::report::SuitePart;
use threefold_stats::interval::Rate;
use threefold_suites::VerdictKind;

/// Numbers that a curve needs.
const FEWEST_POINTS: usize = 4;

/// The classes, if there are several: a curve, or bars that open.
pub(super) fn section(suite: &JudgedSuite<'_>) -> Markup {
    let part = suite.part;
    let classes = part.classes();
    let curves = curves(&classes);
    let in_curves =
        |class: &str| numbered(class).is_some_and(|(name, _)| curves.iter().any(|curve| curve.name == name));
    let others: Vec<(&str, Rate)> = classes.iter().copied().filter(|(class, _)| !in_curves(class)).collect();
    html! {
        @if !curves.is_empty() { (svg::pass_curves(&curves, x_label(&curves))) }
        @if classes.len() > 1 && !others.is_empty() {
            @let several = format::count(others.len(), if curves.is_empty() { "class" } else { "further class" });
            details {
                // `count` adds an s to any noun.
                summary { (several.replace("classs", "classes")) }
                div class="bars" { @for (class, rate) in others { (bar(class, rate)) } }
            }
        }
        details {
            summary { "Causes of the verdicts" }
            (causes(part))
        }
    }
}

/// What the numbers of the classes are.
fn x_label(curves: &[PassCurve]) -> &'static str {
    if curves.iter().all(|curve| curve.name.starts_with("mate")) {
        "moves to mate"
    } else {
        "number in the name of the class"
    }
}

fn bar(class: &str, rate: Rate) -> Markup {
    let share = 100.0 * rate.share().unwrap_or_default();
    html! {
        div {
            span { (class) }
            span class="bar" role="img" aria-label=(format!("{share:.0} per cent passed")) {
                i style=(format!("width:{share:.1}%")) {}
            }
            span class="faint" { (format::rate(rate)) }
        }
    }
}

/// The curves of classes that differ by a number, such as `mate-in-2` and `mate-in-10`.
fn curves(classes: &[(&str, Rate)]) -> Vec<PassCurve> {
    let mut curves: Vec<PassCurve> = Vec::new();
    for (class, rate) in classes {
        let Some((name, number)) = numbered(class) else { continue };
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.rates.push((number, *rate)),
            None => curves.push(PassCurve { name: name.to_owned(), rates: vec![(number, *rate)] }),
        }
    }
    curves.retain(|curve| curve.rates.len() >= FEWEST_POINTS);
    for curve in &mut curves {
        // The order of the names is another one if a number has a sign, as in `x-+5`.
        curve.rates.sort_by_key(|(number, _)| *number);
    }
    curves
}

/// `mate-in` and 10 of `mate-in-10`.
fn numbered(class: &str) -> Option<(&str, u32)> {
    let (name, number) = class.rsplit_once('-')?;
    Some((name, number.parse().ok()?))
}

fn causes(part: &SuitePart) -> Markup {
    let columns = ["cause", "verdict", "meaning", "cases"];
    let rows = part.causes().into_iter().map(|(cause, count)| {
        let state = match cause.kind() {
            VerdictKind::Passed => CaseState::Passed,
            VerdictKind::Failed => CaseState::Failed,
            VerdictKind::Skipped => CaseState::Skipped,
            VerdictKind::Fault => CaseState::Fault,
        };
        vec![
            html! { (cause.name()) },
            html! { (cases::mark(state)) (part.lost_case.word(cause.kind())) },
            html! { (cause.summary()) },
            html! { (count) },
        ]
    });
    super::table::marked_up(&format!("Causes of the verdicts in {}", part.name), &columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_differ_by_a_number_are_one_curve() {
        let rate = Rate { successes: 1, failures: 1 };
        let names =
            ["mate-in-+4", "mate-in-1", "mate-in-2", "mate-in-10", "level-1", "level-2", "underpromotion"];
        let found = curves(&names.map(|name| (name, rate)));
        let [curve] = &found[..] else { panic!("{found:?}") };
        assert_eq!(curve.name, "mate-in");
        assert_eq!(curve.rates.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 4, 10]);
    }
}
