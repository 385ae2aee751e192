//! The counters of a search: depth, nodes, time, speed and hashfull.

use std::time::Duration;

use super::info_line::{InfoLine, quoted};
use super::search_options::SearchOptions;
use threefold_chess::uci::Go;

/// How far an engine's own time may be ahead of the harness's.
const CLOCK_TOLERANCE: Duration = Duration::from_millis(500);
/// The shortest time of a search whose speed is judged.
const LEAST_TIME_FOR_SPEED: Duration = Duration::from_millis(100);

/// A line with a counter that cannot be, or that is less than before. A search that was stopped or turned into a timed one may
/// begin its time again.
pub(super) fn bad_counter(
    lines: &[InfoLine],
    go: &Go,
    options: SearchOptions,
    is_changed: bool,
) -> Option<String> {
    for line in lines {
        if let Some((name, value)) = line.invalid_count() {
            return Some(format!("`{}` has {name} {value}", quoted(&line.text)));
        }
        let text = || quoted(&line.text);
        if let Some(full) = line.info.hashfull.filter(|full| *full > 1000) {
            return Some(format!("`{}` has hashfull {full}, more than 1000", text()));
        }
        let most = go.limits.depth;
        if let Some((depth, most)) = line.info.depth.zip(most).filter(|(depth, most)| depth > most) {
            return Some(format!("`{}` has depth {}, more than {}", text(), depth.0, most.0));
        }
        if line.info.time.is_some_and(|time| time > line.elapsed + CLOCK_TOLERANCE) {
            let passed = line.elapsed.as_millis();
            return Some(format!("`{}` came {passed} ms after `go`", text()));
        }
    }
    // The last line may be that of a thread which has not searched as deep.
    let of_any_thread = (options.threads > 1).then(|| lines.iter().rposition(is_of_best_move)).flatten();
    lines.iter().enumerate().find_map(|(index, line)| {
        let before = &lines[..index];
        let name = falling_counter(before, line, is_changed).or_else(|| {
            let is_judged = of_any_thread != Some(index);
            falling_depth(before, line).filter(|_| is_judged)
        })?;
        Some(format!("`{}` has less {name} than a line before", quoted(&line.text)))
    })
}

/// A line whose `nps` is less than half of nodes per time, or more than twice as much.
pub(super) fn wrong_speed(line: &InfoLine) -> Option<String> {
    let (time, nodes, nps) = (line.info.time?, line.info.nodes?, line.info.nps?);
    // Engines read their clock more than once for a line, and count milliseconds: short times are too coarse.
    if time < LEAST_TIME_FOR_SPEED {
        return None;
    }
    let speed = nodes as f64 / time.as_secs_f64();
    let shown = nps as f64;
    (shown < speed / 2.0 || shown > 2.0 * speed)
        .then(|| format!("`{}` shows {nps} nps for {speed:.0} nodes per second", quoted(&line.text)))
}

/// The counter of a line that is less than before.
fn falling_counter(before: &[InfoLine], line: &InfoLine, is_changed: bool) -> Option<&'static str> {
    let before = || before.iter().rev();
    let nodes = before().find_map(|other| other.info.nodes);
    if nodes.zip(line.info.nodes).is_some_and(|(before, now)| now < before) {
        return Some("nodes");
    }
    let time = before().find_map(|other| other.info.time).filter(|_| !is_changed);
    if time.zip(line.info.time).is_some_and(|(before, now)| now < before) {
        return Some("time");
    }
    None
}

fn falling_depth(before: &[InfoLine], line: &InfoLine) -> Option<&'static str> {
    // An iteration that is not completed may be followed by the last line of the one before.
    let comparable = |other: &&InfoLine| other.rank() == line.rank() && other.is_exact();
    let depth = before.iter().rev().find(comparable)?.info.depth.filter(|_| line.is_exact());
    depth.zip(line.info.depth).is_some_and(|(before, now)| now < before).then_some("depth")
}

fn is_of_best_move(line: &InfoLine) -> bool {
    line.rank() == 1 && line.is_exact()
}
