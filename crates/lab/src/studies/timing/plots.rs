//! Parts that the plots of the page share.

use maud::{Markup, html};

use threefold_echo::timeman::TimeManager;

/// The width of a plot next to another one, in pixels.
pub(super) const HALF: f64 = 460.0;

/// A plot with its title.
pub(super) fn figure(title: &str, plot: &Markup) -> Markup {
    html! { figure { figcaption { (title) } (plot) } }
}

/// A manager's number among the curves of the page.
pub(super) fn series(manager: TimeManager) -> usize {
    TimeManager::ALL.iter().position(|&one| one == manager).unwrap_or_default()
}
