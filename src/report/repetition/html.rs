//! The study on one page.

use maud::{Markup, html};

use super::{Cost, Study, Variant};
use crate::echo::repetition::{Detector, RepetitionPolicy};
use crate::echo::table::HashScores;
use crate::report::html::document;
use crate::report::svg::{self, LabelledRate};
use crate::report::{Format, phrase};

/// The table's line.
pub(super) const FORMAT: Format = Format {
    name: "repetition-html",
    file: "repetition-study.html",
    summary: "what each answer to repetitions costs and is worth, on one page",
    render: |report| Ok(document(&report.title, &page(&Study::of(report))).into_bytes()),
};

fn page(study: &Study<'_>) -> Markup {
    let report = study.report;
    html! {
        h1 { (report.title) }
        @if !report.command.is_empty() { p class="faint" { "Made by " code { (report.command) } } }
        @if !report.machine.is_empty() { p class="faint" { "Speeds are of " (report.machine) "." } }
        p {
            "A position that occurred once in the game and once in the search: a draw, or not; and what may the hash "
            "table keep of it? Every published answer is an option of Echo. Here each combination is asked the "
            "traps, searches the same positions to a depth, and plays."
        }
        (advice(study))
        (policies(study))
        (grid(study))
        (costs(study))
        (worths(study))
    }
}

fn advice(study: &Study<'_>) -> Markup {
    html! {
        @if let Some(advice) = study.advice() {
            h2 { "Recommended" }
            p { @for (name, value) in advice.variant.options() { code { (name) "=" (value) } " " } }
            ul { @for reason in &advice.reasons { li { (reason) } } }
        }
    }
}

/// A table whose first column names the rows.
fn table(columns: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr { @for column in columns { th { (column) } } }
                @for row in rows { tr { @for cell in row { td { (cell) } } } }
            }
        }
    }
}

fn policies(study: &Study<'_>) -> Markup {
    let variants = RepetitionPolicy::ALL.iter().map(|&policy| Variant { policy, ..Variant::PLAIN });
    let variants: Vec<Variant> = variants.collect();
    let told =
        |variant, class| study.rate(variant, class).map_or_else(|| "not asked".to_owned(), phrase::rate);
    let columns: Vec<String> = std::iter::once("class".to_owned())
        .chain(variants.iter().map(|variant| variant.policy.to_string()))
        .collect();
    let scopes = std::iter::once(None).chain(study.classes().into_iter().map(Some));
    let rows = scopes.map(|class| {
        let rates = variants.iter().map(|&variant| told(variant, class));
        std::iter::once(class.unwrap_or("all").to_owned()).chain(rates).collect()
    });
    let plotted: Vec<LabelledRate> = variants
        .iter()
        .filter_map(|&variant| {
            let rate = study.rate(variant, None)?;
            Some(LabelledRate { label: variant.policy.to_string(), rate, rank: "rank-suite" })
        })
        .collect();
    html! {
        h2 { "Policies on the traps" }
        p { "Traps passed, with KeyStack, Real and no foresight; intervals are Wilson's, 95 %." }
        (svg::pass_rates(&plotted))
        (table(&columns, rows))
    }
}

fn grid(study: &Study<'_>) -> Markup {
    let detectors = || Detector::ALL.iter().copied().filter(|&detector| detector != Detector::Nothing);
    let columns: Vec<String> = ["policy".to_owned(), "hash scores".to_owned(), "foresight".to_owned()]
        .into_iter()
        .chain(detectors().map(|detector| detector.to_string()))
        .collect();
    let mut rows = Vec::new();
    for &policy in RepetitionPolicy::ALL {
        for &scores in HashScores::ALL {
            for foresight in [false, true] {
                let rate = |detector| {
                    let rate = study.rate(Variant { policy, detector, scores, foresight }, None);
                    rate.map_or_else(|| "not asked".to_owned(), phrase::share)
                };
                let told = if foresight { "upcoming" } else { "none" };
                let named = [policy.to_string(), scores.to_string(), told.to_owned()];
                rows.push(named.into_iter().chain(detectors().map(rate)).collect());
            }
        }
    }
    html! {
        h2 { "Every combination on the traps" }
        (table(&columns, rows))
    }
}

fn costs(study: &Study<'_>) -> Markup {
    let columns = [
        "variant",
        "speed kept",
        "rounds from … to",
        "nodes to depth",
        "time to depth",
        "nodes that hang",
        "stores without a value",
        "overlooked",
        "imagined",
    ];
    let share = |value: Option<f64>| value.map_or_else(String::new, phrase::percent);
    let ratio = |value: Option<f64>| value.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
    let count = |value: Option<f64>| value.map_or_else(String::new, |count| format!("{count:.0}"));
    let row = |cost: &Cost| {
        let Cost { variant, speed, nodes, time, hanging, bare, wrong } = *cost;
        vec![
            variant.to_string(),
            ratio(speed.map(|[_, median, _]| median)),
            speed.map_or_else(String::new, |[low, _, high]| format!("{low:.3} to {high:.3}")),
            ratio(nodes),
            ratio(time),
            share(hanging),
            share(bare),
            count(wrong.map(|[overlooked, _]| overlooked)),
            count(wrong.map(|[_, imagined]| imagined)),
        ]
    };
    html! {
        h2 { "What it costs" }
        p {
            "Speed: nodes a second as a share of those without any detection, in the same round, the median of the "
            "rounds. Nodes and time to the same depth: as a share of the plain variant's (" (Variant::PLAIN) "). "
            "Nodes that hang have a value that a repetition above them went into. Overlooked and imagined: "
            "nodes at which the detector counted fewer or more occurrences than there were, a million nodes."
        }
        (table(&columns.map(str::to_owned), study.costs.iter().map(row)))
    }
}

fn worths(study: &Study<'_>) -> Markup {
    let columns = ["match", "games", "Elo, fixed-N 95 %", "Elo at any look, 95 %"];
    let rows = study.worths.iter().map(|(worth, duel)| {
        vec![
            worth.to_string(),
            (2 * duel.sheet.pairs().trials()).to_string(),
            duel.fixed.map_or_else(String::new, |fixed| phrase::logistic(fixed.logistic)),
            phrase::range(duel.anytime),
        ]
    });
    let terms = study.report.matches.first().map(|part| part.terms.clone()).unwrap_or_default();
    html! {
        h2 { "What it is worth" }
        p { "Paired games from the same openings, " (terms) "; logistic Elo of the first over the second." }
        (table(&columns.map(str::to_owned), rows))
    }
}
