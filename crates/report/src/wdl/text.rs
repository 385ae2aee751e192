//! The model as text.

use super::{LeftOut, Place, ScoreUnit, WdlReport, WdlSettings};
use crate::format;
use threefold_stats::wdl::WdlFit;

impl WdlReport {
    /// What was read, the model at a few places, and the constants.
    pub fn to_text(&self) -> String {
        let mut blocks = Vec::new();
        let facts = self.facts().into_iter().map(|(name, value)| format!("{name:<12}{value}"));
        blocks.push(facts.collect::<Vec<_>>().join("\n"));
        let noun = self.settings.by.noun();
        let head = format!("{noun:>10}{:>10}{:>8}{:>10}{:>8}{:>16}", "a", "±", "b", "±", "draws at 0.00");
        let row = |Place { m, a, a_half, b, b_half, draws }| {
            let draws = format::percent(draws);
            format!("{m:>10}{a:>10.1}{a_half:>8.1}{b:>10.1}{b_half:>8.1}{draws:>16}")
        };
        let rows = self.few_places().into_iter().map(row);
        blocks.push(std::iter::once(head).chain(rows).collect::<Vec<_>>().join("\n"));
        blocks.push(self.sentence());
        blocks.push(self.constants().trim_end().to_owned());
        blocks.extend(self.claims_text());
        blocks.extend(self.caution().map(|caution| format!("note: {caution}")));
        blocks.join("\n\n") + "\n"
    }

    /// The model in one sentence.
    pub(super) fn sentence(&self) -> String {
        let Place { m, a, a_half, .. } = self.main_place();
        format!(
            "At {} {m}, half of the positions with a score of {a:.0} ± {a_half:.0} are won.",
            self.settings.by.noun()
        )
    }

    /// What was read, and how the model was fitted.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let fit = &self.fit;
        let [lost, drawn, won] = fit.counts;
        let games = match self.forfeits {
            0 => self.input.summary(),
            forfeits => format!(
                "{}; {} ended by a fault and left out",
                self.input.summary(),
                format::grouped(forfeits)
            ),
        };
        let [low, high] = fit.range;
        let model = fit.model;
        let at = f64::from(self.settings.target);
        vec![
            ("games", games),
            ("engines", format::first_of(&self.engines, 6)),
            (
                "positions",
                format!(
                    "{} of {}{}",
                    format::grouped(lost + drawn + won),
                    distinct(fit),
                    left_out(self.left_out)
                ),
            ),
            (
                "results",
                format!(
                    "{} won, {} drawn, {} lost by the side to move",
                    format::grouped(won),
                    format::grouped(drawn),
                    format::grouped(lost)
                ),
            ),
            ("scores", unit(&self.settings)),
            (
                "model",
                format!(
                    "win = σ((x - a) / b), loss = σ((-x - a) / b); a and b are cubics of {} / {}",
                    self.settings.by.noun(),
                    self.settings.target
                ),
            ),
            ("data", format!("{} {low} to {high}", self.settings.by.noun())),
            (
                "fit",
                format!(
                    "maximum likelihood; mean logarithm {:.6}; normalized spread b/a {:.4}",
                    fit.log_likelihood,
                    model.b(at) / model.a(at)
                ),
            ),
            ("errors", "± is the 95 % interval, with the positions of a game as one observation".to_owned()),
        ]
    }
}

/// `2 000 games (1 000 distinct)`
fn distinct(fit: &WdlFit) -> String {
    let games = format::count(fit.games, "game");
    if fit.distinct_games == fit.games {
        return games;
    }
    format!("{games} ({} distinct)", format::grouped(fit.distinct_games as u64))
}

fn left_out(LeftOut { other_engines, out_of_range, high }: LeftOut) -> String {
    let parts = [
        (other_engines, "of other engines"),
        (out_of_range, "outside of the range"),
        (high, "with a higher score or a mate"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, words)| format!("{} {words}", format::grouped(count)))
        .collect();
    if parts.is_empty() { String::new() } else { format!("; left out: {}", parts.join(", ")) }
}

fn unit(settings: &WdlSettings) -> String {
    let unit = match settings.unit {
        ScoreUnit::Fixed(units) => format!("x in units of the engine, {units} for a pawn"),
        ScoreUnit::Model(model) => format!(
            "x in units of the engine, by its present model of {} ({:.0} for a pawn at {})",
            model.by.noun(),
            settings.unit.pawn(),
            model.target
        ),
    };
    let [moves, material] = [settings.moves, settings.material].map(|[low, high]| format!("{low} to {high}"));
    let most = f64::from(settings.most) / 100.0;
    format!(
        "{unit}; up to ±{most:.2}, rounded to {:.2}; moves {moves}, material {material}",
        f64::from(settings.bin) / 100.0
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture;

    #[test]
    fn text_has_the_table_and_the_constants() {
        insta::assert_snapshot!(fixture::report().to_text());
    }
}
