//! The model as one page for a browser: its curves with the data, and its parameters. The page needs no script and loads
//! nothing.

use maud::{Markup, html};

use super::{Place, WdlReport};
use crate::format;
use crate::formats::html::{document, table};
use crate::formats::svg::{self, ParameterCurve, ShareCurve, SharePoint};
use threefold_stats::GameResult;
use threefold_stats::wdl::WdlRates;

/// Points of a drawn curve.
const STEPS: u32 = 120;

/// A result with its name, its colour, and its share in the model.
type NamedResult = (GameResult, &'static str, usize, fn(WdlRates) -> f64);

const RESULTS: [NamedResult; 3] = [
    (GameResult::Win, "won", 2, |rates| rates.win),
    (GameResult::Draw, "drawn", 0, |rates| rates.draw),
    (GameResult::Loss, "lost", 1, |rates| rates.loss),
];

impl WdlReport {
    /// The page, as the text of one HTML file.
    pub fn page(&self) -> String {
        let noun = self.settings.by.noun();
        let content = html! {
            h1 { "Win-draw-loss model of " (format::first_of(&self.engines, 2)) }
            div class=(if self.caution().is_some() { "verdict doubtful" } else { "verdict accepted" }) {
                strong { (self.sentence()) }
                @if let Some(caution) = self.caution() { p { "Note: " (caution) "." } }
            }
            nav aria-label="Contents" {
                a href="#results" { "Results over the score" }
                a href="#parameters" { "Parameters" }
                @if !self.claims.is_empty() { a href="#claims" { "Claimed chances" } }
                a href="#constants" { "Constants" }
                a href="#method" { "Method" }
            }
            h2 id="results" { "Results over the score" }
            p {
                "Curves: the model. Dots: the share of positions with nearly the same score, where there are at least 20. "
                "Results and scores are from the view of the side to move."
            }
            @for window in self.windows() { (self.results(window)) }
            h2 id="parameters" { "Parameters over " (noun) }
            p { "a is the score at which half of the positions are won, b the spread. Bands: 95 % intervals, with a game as one observation." }
            (svg::model_parameters(&format!("a and b over {noun}, with 95 % bands"), noun, &self.parameters()))
            (table("The model at a few places; ± is the 95 % interval", &[noun, "a", "±", "b", "±", "draws at 0.00"], self.few_places().into_iter().map(row)))
            (self.claims_section())
            h2 id="constants" { "Constants" }
            p { "For an engine in C++. " code { "--json" } " has them for other programs." }
            pre tabindex="0" aria-label="Constants" { (self.constants()) }
            h2 id="method" { "Method" }
            (table("How the model was fitted", &["what", "value"], self.facts().into_iter().map(|(name, value)| vec![name.to_owned(), value])))
        };
        document("Win-draw-loss model", &content)
    }

    /// Three parts of the data: the centre of each, and its first and last m.
    fn windows(&self) -> [(u16, [u16; 2]); 3] {
        let [first, last] = self.fit.range;
        // Each window is a sixth of the data, and the outer ones reach to its ends.
        let half = ((last - first) / 12).max(1);
        let centre = self.main_place().m;
        [first + half, centre, last - half]
            .map(|at| (at, [at.saturating_sub(half).max(first), (at + half).min(last)]))
    }

    fn results(&self, (centre, [low, high]): (u16, [u16; 2])) -> Markup {
        let reach = self.settings.reach();
        let bins = self.bins([low, high]);
        let positions: u64 = bins.iter().map(|bin| bin.positions).sum();
        let noun = self.settings.by.noun();
        let curve = |(result, name, series, share): NamedResult| {
            let at = |step: u32| {
                let score = reach * (2.0 * f64::from(step) / f64::from(STEPS) - 1.0);
                (score, 100.0 * share(self.fit.model.rates(score, f64::from(centre))))
            };
            let point = |bin: &super::bins::Bin| SharePoint {
                score: bin.score(),
                share: 100.0 * bin.share(result),
                title: format!(
                    "score {:.0}: {} of {} positions {name}",
                    bin.score(),
                    format::percent(bin.share(result)),
                    format::grouped(bin.positions)
                ),
            };
            ShareCurve {
                name,
                series,
                model: (0..=STEPS).map(at).collect(),
                points: bins.iter().map(point).collect(),
            }
        };
        html! {
            h3 {
                (self.settings.by.title()) " " (centre) " "
                span class="faint" { "dots: " (noun) " " (low) " to " (high) ", " (format::grouped(positions)) " positions" }
            }
            (svg::result_shares(&format!("Won, drawn and lost positions over the score at {noun} {centre}"), reach, &RESULTS.map(curve)))
        }
    }

    fn parameters(&self) -> [ParameterCurve; 2] {
        let places = self.places();
        let values = |of: fn(&Place) -> (f64, f64)| {
            let value = |place: &Place| (f64::from(place.m), of(place).0, of(place).1);
            places.iter().map(value).collect()
        };
        [
            ParameterCurve { name: "a", series: 0, values: values(|place| (place.a, place.a_half)) },
            ParameterCurve { name: "b", series: 1, values: values(|place| (place.b, place.b_half)) },
        ]
    }
}

fn row(Place { m, a, a_half, b, b_half, draws }: Place) -> Vec<String> {
    let tenth = |value: f64| format!("{value:.1}");
    vec![m.to_string(), tenth(a), tenth(a_half), tenth(b), tenth(b_half), format::percent(draws)]
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn page_has_the_plots_and_no_foreign_markup() {
        let page = fixture::report().page();
        assert_eq!(page.matches("<svg class=\"plot\"").count(), 8, "four plots at two widths");
        assert!(page.contains("&lt;b&gt;Echo") && !page.contains("<b>Echo"), "{page}");
        assert!(page.contains("constexpr double as[] = {"));
    }
}
