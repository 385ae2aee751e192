//! Several takes on the page: their table, and their evidence over the games of all of them.

use maud::{Markup, html};

use super::table::table;
use crate::formats::svg::{self, TakeCurve};
use crate::model::report::{Report, Takes};
use crate::model::take_table::Take;
use threefold_stats::Bounds;

/// The table and the charts. The tests of the takes follow as sections of their own.
pub(super) fn section(report: &Report, takes: &Takes) -> Markup {
    let list = report.take_list();
    let curves = |values: fn(&Take<'_>) -> Vec<f64>| -> Vec<TakeCurve<'_>> {
        let both = list.iter().zip(&takes.games);
        both.map(|(take, games)| TakeCurve { name: take.name, games, values: values(take) }).collect()
    };
    let risks = list.first().map(|take| (take.test.hypotheses().risks(), take.test.running.bounds()));
    let statistic = list.first().map_or("", |take| take.test.statistic().words);
    html! {
        h2 id="takes" { "Takes" }
        (table("Takes", &Take::COLUMNS, list.iter().map(|take| take.row().to_vec())))
        @if let Some((risks, bounds)) = risks {
            h3 { "Evidence of all takes over the games" }
            (svg::take_curves(
                &format!("The {statistic} of each take over the games of all takes"), statistic,
                &curves(|take| take.test.path.clone()), bounds,
            ))
            (svg::legend(list.iter().enumerate().map(|(index, take)| (index % 6, take.name))))
            details {
                summary { "E-values" }
                (svg::take_curves(
                    "The logarithm of the e-value against H0 of each take over the games of all takes", "ln E against H0",
                    &curves(|take| take.test.wealth.iter().map(|[over, _]| over.log()).collect()),
                    Bounds { lower: risks.beta.ln(), upper: -risks.alpha.ln() },
                ))
                p class="faint" {
                    "A take with an e-value of " (format!("{:.0}", 1.0 / risks.alpha)) " or more rejects H0 without a model of the results."
                }
            }
        }
    }
}
