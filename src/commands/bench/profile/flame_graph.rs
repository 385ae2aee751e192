//! A flame graph as an SVG file: the width of a function is its share of the new engine's time, and its colour
//! says how that time has changed. A table below lists the functions whose own time has changed most, those
//! that the new engine lacks included.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::stacks::Stacks;

/// The width of the picture in pixels; it scales with the page.
const WIDTH: f64 = 1200.0;
const MARGIN: f64 = 10.0;
const ROW: f64 = 18.0;
/// The heading above the first row.
const TOP: f64 = 58.0;
/// The mean width of a letter at the font's size.
const LETTER: f64 = 6.6;
/// Narrower functions are left out.
const NARROWEST: f64 = 0.5;
/// The rows of the table.
const MOST_CHANGES: usize = 12;

/// A function called from its parent, with the samples of both engines in it and below it.
#[derive(Debug, Default)]
struct Frame {
    /// Of the new and of the old engine.
    samples: [u64; 2],
    callees: BTreeMap<String, Frame>,
}

/// Two profiles in one picture.
pub(super) struct FlameGraph<'p> {
    titles: [&'p str; 2],
    root: Frame,
    own: BTreeMap<String, [u64; 2]>,
    /// Samples per second.
    frequency: f64,
}

impl<'p> FlameGraph<'p> {
    /// Of the new engine against the old one.
    pub(super) fn new(titles: [&'p str; 2], profiles: [&Stacks; 2], frequency: f64) -> Self {
        let (mut root, mut own) = (Frame::default(), BTreeMap::<String, [u64; 2]>::new());
        for (side, stacks) in profiles.into_iter().enumerate() {
            for (stack, samples) in stacks.iter() {
                root.samples[side] += samples;
                let mut frame = &mut root;
                for function in stack {
                    frame = frame.callees.entry(function.clone()).or_default();
                    frame.samples[side] += samples;
                }
                if let Some(innermost) = stack.last() {
                    own.entry(innermost.clone()).or_default()[side] += samples;
                }
            }
        }
        Self { titles, root, own, frequency }
    }

    /// The picture.
    pub(super) fn to_svg(&self) -> String {
        let mut boxes = Vec::new();
        let depth = self.draw(&mut boxes, "all", &self.root, MARGIN, 0);
        let below = TOP + (depth + 1) as f64 * ROW + 30.0;
        let changes = self.changes();
        let height = below + (changes.len() + 1) as f64 * ROW + MARGIN;
        let [new, old] = self.titles;
        let picture = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {WIDTH} {height}")) role="img"
                font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11" {
                title { "Flame graph of " (new) " against " (old) }
                rect width="100%" height="100%" fill="#fff" {}
                (line(22.0, 15, &format!("{new} against {old}: {}", self.text(self.root.samples))))
                (line(42.0, 11, "width: share of its time; red: more time than the old one, blue: less"))
                @for one in &boxes { (one) }
                (line(below, 13, "functions whose own time has changed most"))
                @for (row, (function, samples)) in (1..).zip(&changes) {
                    (line(below + f64::from(row) * ROW, 11, &format!("{}  {function}", self.text(*samples))))
                }
            }
        };
        picture.into_string() + "\n"
    }

    /// Draws a function and those that it calls; returns the depth of the deepest one.
    fn draw(&self, boxes: &mut Vec<Markup>, name: &str, frame: &Frame, x: f64, depth: usize) -> usize {
        let width = self.width(frame);
        if width < NARROWEST {
            // Nothing is drawn in this row, so the deepest one is that of the caller.
            return depth.saturating_sub(1);
        }
        let y = TOP + depth as f64 * ROW;
        boxes.push(html! {
            g {
                title { (name) ": " (self.text(frame.samples)) }
                rect x=(pixels(x)) y=(pixels(y)) width=(pixels(width - 0.3)) height=(pixels(ROW - 1.0))
                    fill=(self.colour(frame)) {}
                text x=(pixels(x + 3.0)) y=(pixels(y + 12.5)) { (shortened(name, width)) }
            }
        });
        let (mut deepest, mut next) = (depth, x);
        for (name, callee) in &frame.callees {
            deepest = deepest.max(self.draw(boxes, name, callee, next, depth + 1));
            next += self.width(callee);
        }
        deepest
    }

    fn width(&self, frame: &Frame) -> f64 {
        let total = self.root.samples[0].max(1) as f64;
        (WIDTH - 2.0 * MARGIN) * frame.samples[0] as f64 / total
    }

    /// White for no change; the full colour for a tenth of all time.
    fn colour(&self, frame: &Frame) -> String {
        let [new, old] = frame.samples.map(|samples| samples as f64);
        let most = 0.1 * self.root.samples[1].max(1) as f64;
        let change = ((new - old) / most).clamp(-1.0, 1.0);
        let pale = (235.0 - 115.0 * change.abs()) as u8;
        if change >= 0.0 { format!("rgb(240,{pale},{pale})") } else { format!("rgb({pale},{pale},250)") }
    }

    /// The functions whose own time has changed most, by the size of the change, from half a percent of all time
    /// on.
    fn changes(&self) -> Vec<(&str, [u64; 2])> {
        let mut all: Vec<(&str, [u64; 2])> =
            self.own.iter().map(|(function, samples)| (function.as_str(), *samples)).collect();
        let least = self.root.samples[1].max(1).div_ceil(200);
        all.retain(|(_, [new, old])| new.abs_diff(*old) >= least);
        all.sort_by_key(|(_, [new, old])| std::cmp::Reverse(new.abs_diff(*old)));
        all.truncate(MOST_CHANGES);
        all
    }

    /// `1.23 s, 1.10 s in the old one (+0.13 s)`
    fn text(&self, samples: [u64; 2]) -> String {
        let [new, old] = samples.map(|samples| samples as f64 / self.frequency);
        format!("{new:.2} s, {old:.2} s in the old one ({:+.2} s)", new - old)
    }
}

/// As much of a name as fits into a width.
fn shortened(name: &str, width: f64) -> String {
    let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
    if name.chars().count() <= letters {
        name.to_owned()
    } else if letters > 3 {
        name.chars().take(letters - 1).chain(['…']).collect()
    } else {
        String::new()
    }
}

/// A length with a tenth of a pixel.
fn pixels(length: f64) -> String {
    format!("{length:.1}")
}

/// A line of text.
fn line(y: f64, size: u8, text: &str) -> Markup {
    html! { text x=(pixels(MARGIN)) y=(pixels(y)) font-size=(size) xml:space="preserve" { (text) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stacks from lines `outer;inner number`.
    fn stacks(text: &str) -> Stacks {
        let samples = text.lines().flat_map(|line| {
            let (stack, number) = line.rsplit_once(' ').expect("a number");
            let frames: Vec<String> = stack.rsplit(';').map(|name| format!("\t1 {name}\n")).collect();
            vec![frames.concat() + "\n"; number.parse().expect("a number")]
        });
        Stacks::read(&samples.collect::<String>())
    }

    #[test]
    fn widths_are_shares_of_the_new_engine_and_changes_are_listed() {
        let (new, old) = (stacks("main;search 6\nmain;eval<int> 4"), stacks("main;search 6\nmain;old 2"));
        let graph = FlameGraph::new(["new & fast", "old"], [&new, &old], 10.0);
        assert_eq!(graph.changes(), [("eval<int>", [4, 0]), ("old", [0, 2])]);
        let svg = graph.to_svg();
        for text in [
            "new &amp; fast against old: 1.00 s, 0.80 s in the old one (+0.20 s)",
            "<title>eval&lt;int&gt;: 0.40 s, 0.00 s in the old one (+0.40 s)</title>",
            "width=\"707.7\" height=\"17.0\" fill=\"rgb(240,235,235)\"",
            "0.00 s, 0.20 s in the old one (-0.20 s)  old",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(!svg.contains("<title>old:"), "the new engine lacks it");
    }

    #[test]
    fn less_time_is_blue() {
        let graph = FlameGraph::new(["a", "b"], [&stacks("f 1\ng 9"), &stacks("f 9\ng 1")], 1.0);
        assert_eq!(graph.colour(&graph.root.callees["f"]), "rgb(120,120,250)");
        assert_eq!(graph.colour(&graph.root.callees["g"]), "rgb(240,120,120)");
    }
}
