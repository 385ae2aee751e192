//! A tune on the page: its table, the course of each parameter, and the values to paste.

use maud::{Markup, html};

use super::table::table;
use crate::format;
use crate::formats::svg;
use crate::model::report::Tuning;
use crate::model::tuned_values::TUNED_TEXTS;
use crate::model::tuning::{TunedParameter, number};

/// The card of a tune: how far it is, and the parameters that moved most.
pub(super) fn card(tuning: &Tuning) -> Markup {
    /// The parameters of the card.
    const SHOWN: usize = 5;
    let mut all: Vec<TunedParameter<'_>> = tuning.parameters().collect();
    let moved = |it: &TunedParameter<'_>| it.effect.drift_in_noise().map_or(0.0, f64::abs);
    all.sort_by(|one, other| moved(other).total_cmp(&moved(one)));
    html! {
        p class="figure" { (format::count(tuning.effects.len(), "parameter")) }
        p { (tuning.progress()) }
        @for it in all.iter().take(SHOWN) {
            p { b { (it.parameter.name) } " " (number(it.parameter.value)) " → " (number(it.tuned())) }
        }
        @if all.len() > SHOWN { p class="faint" { (format::count(all.len() - SHOWN, "more parameter")) } }
    }
}

/// Everything about a tune.
pub(super) fn section(tuning: &Tuning) -> Markup {
    html! {
        @if tuning.void_pairs > 0 {
            p class="warn" {
                (format::count(tuning.void_pairs as usize, "pair")) " with an engine fault moved no value."
            }
        }
        (table("Parameters", &TunedParameter::COLUMNS, tuning.rows()))
        p class="faint" { (TunedParameter::NOTE) }
        h3 { "Values over the iterations" }
        p class="faint" {
            "The curve is the value, and the band reaches to both sides of an iteration. The horizontal line is the start. The \
             axis ends at the bounds."
        }
        @for (place, it) in tuning.parameters().enumerate() {
            h4 { (it.parameter.name) }
            (svg::tuned_value(&tuning.tune, place))
        }
        h3 { "The values to paste" }
        @for form in &TUNED_TEXTS {
            details {
                summary { (form.title) }
                pre { (form.text(tuning)) }
            }
        }
    }
}
