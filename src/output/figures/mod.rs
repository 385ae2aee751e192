//! The figures of a run while it goes on. What shows them, lines, bars or a screen, is elsewhere.

mod match_tally;
mod part_figures;
mod tune_figures;
mod warning_notices;

pub(crate) use self::part_figures::{FigureTexts, PartFigures};
pub(crate) use self::warning_notices::WarningNotices;
