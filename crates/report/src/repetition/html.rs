//! The study on one page.

use maud::{Markup, html};

use super::{Cost, Study, Variant};
use crate::html::{document, table};
use crate::svg::{self, LabelledRate};
use crate::{Format, phrase};
use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::HashScores;

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
        (worths(study))
        (policies(study))
        (costs(study))
        (grid(study))
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

/// Every combination: what the traps say of it, and what it costs.
fn grid(study: &Study<'_>) -> Markup {
    let columns = [ANSWERS.as_slice(), &["traps passed"], &COSTS].concat();
    let rows = study.costs.iter().map(|cost| {
        let passed = study.rate(cost.variant, None).map_or_else(String::new, phrase::share);
        [answers(cost.variant).to_vec(), vec![passed], figures(cost).to_vec()].concat()
    });
    html! {
        h2 { "Every combination" }
        details {
            summary { (phrase::count(study.costs.len(), "combination")) }
            (table(&columns, rows))
        }
    }
}

/// The names of a variant's answers.
const ANSWERS: [&str; 4] = ["policy", "detector", "hash scores", "foresight"];

fn answers(variant: Variant) -> [String; 4] {
    let Variant { policy, detector, scores, foresight } = variant;
    let foresight = if foresight { "upcoming" } else { "none" };
    [policy.to_string(), detector.to_string(), scores.to_string(), foresight.to_owned()]
}

const COSTS: [&str; 7] = [
    "speed kept, by round",
    "cut short",
    "nodes to depth",
    "time to depth",
    "nodes that hang",
    "stores without a value",
    "overlooked, imagined",
];

fn figures(cost: &Cost) -> [String; 7] {
    let share = |value: Option<f64>| value.map_or_else(String::new, phrase::percent);
    let ratio = |value: Option<f64>| value.map_or_else(String::new, |ratio| format!("{ratio:.3}"));
    let Cost { speed, cut_short, nodes, time, hanging, bare, wrong, .. } = *cost;
    [
        speed.map_or_else(String::new, |[low, median, high]| format!("{median:.3} ({low:.3} to {high:.3})")),
        cut_short.map_or_else(String::new, |[count, all]| format!("{count} of {all}")),
        ratio(nodes),
        ratio(time),
        share(hanging),
        share(bare),
        wrong.map_or_else(String::new, |[overlooked, imagined]| format!("{overlooked:.0}, {imagined:.0}")),
    ]
}

/// What each answer costs by itself, where all others are the plain variant's.
fn costs(study: &Study<'_>) -> Markup {
    let columns: Vec<String> = std::iter::once("answer").chain(COSTS).map(str::to_owned).collect();
    let detectors =
        Detector::ALL.iter().map(|&detector| (detector.to_string(), Variant { detector, ..Variant::PLAIN }));
    let policies = RepetitionPolicy::ALL
        .iter()
        .map(|&policy| (policy.to_string(), Variant { policy, ..Variant::PLAIN }));
    let scores = HashScores::ALL.iter().flat_map(|&scores| {
        let variant = Variant { scores, ..Variant::PLAIN };
        [
            (scores.to_string(), variant),
            (format!("{scores}, upcoming"), Variant { foresight: true, ..variant }),
        ]
    });
    let rows_of = |answers: Vec<(String, Variant)>| {
        answers
            .into_iter()
            .filter_map(|(name, variant)| {
                Some(std::iter::once(name).chain(figures(study.cost(variant)?)).collect())
            })
            .collect::<Vec<Vec<String>>>()
    };
    html! {
        h2 { "What it costs" }
        p {
            "Speed: nodes a second as a share of those without any detection, in the same round, the median of the "
            "rounds. Nodes and time to the same depth: as a share of the plain variant's (" (Variant::PLAIN) "); "
            "where the limit of nodes cut searches short, they would be more. "
            "Where draws are seen other nodes are searched than where they are not, and those take other times. Echo "
            "as it ships is compiled for its own choices, which makes it some 3 % faster than the other rows. "
            "Nodes that hang have a value that a repetition above them went into. Overlooked and imagined: "
            "nodes at which the detector counted fewer or more occurrences than there were, a million nodes."
        }
        @for (title, answers) in [
            ("Detectors", detectors.collect::<Vec<_>>()),
            ("Policies", policies.collect()),
            ("What the hash table keeps, and foresight", scores.collect()),
        ] {
            h3 { (title) }
            (table(&columns, rows_of(answers)))
        }
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
    let plotted: Vec<_> = study
        .worths
        .iter()
        .filter_map(|(worth, duel)| Some((worth.to_string(), duel.fixed?.logistic)))
        .collect();
    let terms = study.report.matches.first().map(|part| part.terms.clone()).unwrap_or_default();
    html! {
        h2 { "What it is worth" }
        p { "Paired games from the same openings, " (terms) "; logistic Elo of the first over the second." }
        (svg::differences(&plotted))
        (table(&columns, rows))
    }
}
