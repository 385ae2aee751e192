//! The study's figures, one per line.

use std::io;

use csv::{Terminator, WriterBuilder};

use super::Study;
use threefold_report::{Report, ReportFormat};

pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "repetition-csv",
    file: "repetition-study.csv",
    summary: "search cost and Elo of each variant: figure, variant, scope, value, low, high, count",
    stream: None,
    render,
};

fn render(report: &Report) -> io::Result<Vec<u8>> {
    let study = Study::new(report);
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(["figure", "variant", "scope", "value", "low", "high", "count"])?;
    let number = |value: f64| format!("{value:.4}");
    let classes = study.classes();
    for (variant, part) in &study.traps {
        for class in std::iter::once(None).chain(classes.iter().copied().map(Some)) {
            let Some(rate) = study.rate(*variant, class) else { continue };
            let interval = rate.wilson(0.05);
            writer.write_record([
                "traps passed".to_owned(),
                part.engine.clone(),
                class.unwrap_or("all").to_owned(),
                rate.share().map(number).unwrap_or_default(),
                number(interval.low),
                number(interval.high),
                rate.trials().to_string(),
            ])?;
        }
    }
    for cost in &study.costs {
        let mut row = |figure: &str, value: Option<f64>, ends: Option<[f64; 2]>| {
            let Some(value) = value else { return Ok(()) };
            let [low, high] = ends.map_or_else(|| [String::new(), String::new()], |ends| ends.map(number));
            let variant = cost.variant.to_string();
            writer.write_record([figure, &variant, "", &number(value), &low, &high, ""])
        };
        let speed = cost.speed;
        row(
            "speed without detection kept",
            speed.map(|[_, median, _]| median),
            speed.map(|[low, _, high]| [low, high]),
        )?;
        row("searches cut short", cost.cut_short.map(|[count, _]| count as f64), None)?;
        row("nodes to depth", cost.nodes, None)?;
        row("time to depth", cost.time, None)?;
        row("nodes that hang", cost.hanging, None)?;
        row("stores without a value", cost.bare, None)?;
        row("overlooked a million nodes", cost.wrong.map(|[overlooked, _]| overlooked), None)?;
        row("imagined a million nodes", cost.wrong.map(|[_, imagined]| imagined), None)?;
    }
    for (pairing, duel) in &study.matches {
        let estimate = duel.fixed.map(|fixed| fixed.logistic);
        let describe = |end: Option<f64>| end.map(|end| format!("{end:.2}")).unwrap_or_default();
        writer.write_record([
            "logistic Elo".to_owned(),
            pairing.to_string(),
            String::new(),
            describe(estimate.map(|it| it.value.0)),
            describe(estimate.map(|it| it.low.0)),
            describe(estimate.map(|it| it.high.0)),
            (2 * duel.sheet.pairs().trials()).to_string(),
        ])?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}
