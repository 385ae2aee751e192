//! A drawing at two widths: a plot scaled down to a phone would have text of four pixels.

use maud::{Markup, html};

/// The width of a plot on a page that is at least 900 pixels wide, in pixels.
pub(super) const WIDE: f64 = 940.0;
/// The width of a plot on a narrower page, in pixels.
pub(super) const NARROW: f64 = 350.0;

/// The drawing at both widths; the style shows the one that fits the page.
pub(super) fn at_both_widths(draw: impl Fn(f64) -> Markup) -> Markup {
    html! {
        div class="wide" { (draw(WIDE)) }
        div class="narrow" { (draw(NARROW)) }
    }
}
