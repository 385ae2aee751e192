//! Plots by move number: budget, use, tree size and reuse.

use maud::{Markup, html};

use super::UnderControl;
use super::course::MoveFigure;
use super::figures::Figures;
use super::plots::{HALF, figure, series};
use threefold_report::formats::svg::{self, MovePlot};

/// A plot for each quantity, with a curve for each manager that reports it.
pub(super) fn plots(at: &UnderControl<'_>) -> Markup {
    let plots: Vec<(MoveFigure, Vec<svg::Curve<'_>>)> = MoveFigure::ALL
        .iter()
        .map(|&course| (course, curves(at, course)))
        .filter(|(_, curves)| !curves.is_empty())
        .collect();
    let names = at.figures.iter().map(|it| (series(it.manager), it.manager.name()));
    html! {
        @if !plots.is_empty() {
            h3 { "Move by move" }
            p {
                "Means over the games that lasted so long, by the engine's moves after the opening, as far as one game "
                "in ten comes."
            }
            (svg::legend(names))
            div class="plots" {
                @for (course, curves) in &plots {
                    @let plot = MovePlot { text: course.summary(), unit: course.name(), width: HALF, height: 230.0 };
                    (figure(course.summary(), &plot.draw(curves)))
                }
            }
        }
    }
}

fn curves<'f>(at: &'f UnderControl<'_>, course: MoveFigure) -> Vec<svg::Curve<'f>> {
    let of_manager = |it: &'f Figures| {
        let (_, points) = it.courses.iter().find(|(followed, _)| *followed == course)?;
        let curve = svg::Curve { name: it.manager.name(), series: series(it.manager), points };
        (!points.is_empty()).then_some(curve)
    };
    at.figures.iter().filter_map(of_manager).collect()
}
