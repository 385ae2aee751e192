//! The traffic with engines on standard output, as cutechess-cli prints it with `-debug`.

use std::time::Instant;

use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use crate::streams;
use threefold_player::traffic::Direction;
use threefold_player::visible::visible;

/// Prints the traffic with engines as cutechess-cli does: `1234 >A(0): go movetime 100`, with the
/// milliseconds since the start of the run.
pub struct TrafficPrinter {
    begun: Instant,
}

impl TrafficPrinter {
    /// Begins to count the milliseconds.
    #[expect(clippy::disallowed_methods, reason = "the lines have the time since the start")]
    pub fn start() -> Self {
        Self { begun: Instant::now() }
    }
}

impl<S: Subscriber> Layer<S> for TrafficPrinter {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut line = Line::default();
        event.record(&mut line);
        // Faults and lines of standard error are events, too, but not UCI lines.
        if [Direction::ToEngine.name(), Direction::FromEngine.name()].contains(&line.direction.as_str()) {
            // If standard output is closed, the next line of the run reports it.
            _ = streams::result(&line.text(self.begun.elapsed().as_millis()));
        }
    }
}

/// A line of the traffic.
#[derive(Debug, Default)]
struct Line {
    engine: String,
    instance: u64,
    direction: String,
    text: String,
}

impl Line {
    fn text(&self, milliseconds: u128) -> String {
        let Self { engine, instance, direction, text } = self;
        // cutechess-cli counts processes from 0.
        let number = instance.saturating_sub(1);
        visible(&format!("{milliseconds} {direction}{engine}({number}): {text}"))
    }
}

impl Visit for Line {
    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}

    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "instance" {
            self.instance = value;
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "engine" => value.clone_into(&mut self.engine),
            "direction" => value.clone_into(&mut self.direction),
            "line" => value.clone_into(&mut self.text),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_has_the_form_of_cutechess() {
        let line = Line {
            engine: "A".to_owned(),
            instance: 2,
            direction: "<".to_owned(),
            text: "bestmove e2e4".to_owned(),
        };
        assert_eq!(line.text(1234), "1234 <A(1): bestmove e2e4");
    }
}
