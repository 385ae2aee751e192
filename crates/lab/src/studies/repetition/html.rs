//! The study as an HTML page.

use maud::{Markup, html};

use super::{Cost, Study, Variant};
use threefold_echo::repetition::{Detector, RepetitionPolicy};
use threefold_echo::table::HashScores;
use threefold_report::formats::html::{document, table};
use threefold_report::formats::svg::{self, LabelledRate};
use threefold_report::{ReportFormat, format};

pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "repetition-html",
    file: "repetition-study.html",
    summary: "search cost and Elo of each way to treat repetitions, on one page",
    stream: None,
    render: |report| Ok(document(&report.title, &page(&Study::new(report))).into_bytes()),
};

fn page(study: &Study<'_>) -> Markup {
    let report = study.report;
    html! {
        h1 { (report.title) }
        p {
            "How should an engine treat a position that repeats a position of the game, and which of its scores may the hash "
            "table keep? Every published answer is an option of Echo. Here each combination solves the traps, searches the "
            "same positions to a fixed depth, and plays matches."
        }
        (advice(study))
        (matches(study))
        (policies(study))
        (costs(study))
        (grid(study))
        h2 { "How to reproduce" }
        @if !report.command.is_empty() { p { code { (report.command) } } }
        @if !report.machine.is_empty() { p { "Speeds are of " (report.machine) "." } }
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
    let variants = RepetitionPolicy::ALL.iter().map(|&policy| Variant { policy, ..Variant::REFERENCE });
    let variants: Vec<Variant> = variants.collect();
    let describe =
        |variant, class| study.rate(variant, class).map_or_else(|| "not run".to_owned(), format::rate);
    let columns: Vec<String> = std::iter::once("class".to_owned())
        .chain(variants.iter().map(|variant| variant.policy.to_string()))
        .collect();
    let scopes = std::iter::once(None).chain(study.classes().into_iter().map(Some));
    let rows = scopes.map(|class| {
        let rates = variants.iter().map(|&variant| describe(variant, class));
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
        p { "Traps passed with KeyStack, Real, and without detection of upcoming repetitions; 95 % intervals (Wilson)." }
        (svg::pass_rates(&plotted))
        (table("Traps passed, by class and policy", &columns, rows))
    }
}

/// Every combination with its trap results and search cost.
fn grid(study: &Study<'_>) -> Markup {
    let columns = [OPTION_LABELS.as_slice(), &["traps passed"], &COSTS].concat();
    let rows = study.costs.iter().map(|cost| {
        let passed = study.rate(cost.variant, None).map_or_else(String::new, format::share);
        [answers(cost.variant).to_vec(), vec![passed], figures(cost).to_vec()].concat()
    });
    html! {
        h2 { "Every combination" }
        details {
            summary { (format::count(study.costs.len(), "combination")) }
            (table("Every combination", &columns, rows))
        }
    }
}

/// The names of a variant's answers.
const OPTION_LABELS: [&str; 6] =
    ["policy", "detector", "hash scores", "upcoming repetitions", "fifty-move counter", "perpetual bonus"];

fn answers(variant: Variant) -> [String; 6] {
    let [policy, detector, scores, _, fifty, bonus] = variant.option_values();
    let upcoming = if variant.upcoming { "upcoming" } else { "none" };
    [policy, detector, scores, upcoming, fifty, bonus].map(str::to_owned)
}

const COSTS: [&str; 7] = [
    "relative speed, by round",
    "cut short",
    "nodes to depth",
    "time to depth",
    "history-dependent nodes",
    "stores without a value",
    "missed, false",
];

fn figures(cost: &Cost) -> [String; 7] {
    let share = |value: Option<f64>| value.map_or_else(String::new, format::percent);
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

/// The cost of each option value alone, with all other options as in the reference variant.
fn costs(study: &Study<'_>) -> Markup {
    let columns: Vec<String> = std::iter::once("answer").chain(COSTS).map(str::to_owned).collect();
    let detectors = Detector::ALL
        .iter()
        .map(|&detector| (detector.to_string(), Variant { detector, ..Variant::REFERENCE }));
    let policies = RepetitionPolicy::ALL
        .iter()
        .map(|&policy| (policy.to_string(), Variant { policy, ..Variant::REFERENCE }));
    let scores = HashScores::ALL.iter().flat_map(|&scores| {
        let variant = Variant { scores, ..Variant::REFERENCE };
        [
            (scores.to_string(), variant),
            (format!("{scores}, upcoming"), Variant { upcoming: true, ..variant }),
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
        h2 { "Search cost" }
        p {
            "Speed: nodes per second relative to no detection, in the same round; median of the rounds. Nodes and time to the "
            "same depth: relative to the reference variant (" (Variant::REFERENCE) "); they are underestimates if the node limit cut "
            "searches short. Variants that score draws differently search different nodes, which take different times. "
            "Echo's default is a specialised build, about 3 % faster than the other rows. History-dependent nodes have a score "
            "that depends on a repetition above them. Missed and false: nodes for each million at which the detector counted "
            "too few or too many occurrences."
        }
        @for (title, answers) in [
            ("Detectors", detectors.collect::<Vec<_>>()),
            ("Policies", policies.collect()),
            ("Hash scores and upcoming repetitions", scores.collect()),
            ("Fifty-move counter and perpetual checks", Variant::other_counters().collect()),
        ] {
            h3 { (title) }
            (table(title, &columns, rows_of(answers)))
        }
    }
}

fn matches(study: &Study<'_>) -> Markup {
    let columns = ["match", "games", "Elo, fixed-N 95 %", "Elo, anytime 95 %"];
    let rows = study.matches.iter().map(|(pairing, duel)| {
        vec![
            pairing.to_string(),
            (2 * duel.sheet.pairs().trials()).to_string(),
            duel.fixed.map_or_else(String::new, |fixed| format::logistic(fixed.logistic)),
            format::range(duel.anytime),
        ]
    });
    let plotted: Vec<_> = study
        .matches
        .iter()
        .filter_map(|(pairing, duel)| Some((pairing.to_string(), duel.fixed?.logistic)))
        .collect();
    let terms = study.report.matches.first().map(|part| part.terms.clone()).unwrap_or_default();
    html! {
        h2 { "Elo" }
        p { "Game pairs from the same openings, " (terms) "; logistic Elo of the first against the second." }
        (svg::differences(&plotted))
        (table("Elo of each match", &columns, rows))
    }
}
