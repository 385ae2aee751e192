//! The conditions in the heading of a results block: time control, threads, hash and book.

use std::fmt;
use std::path::Path;

use super::number::significant;
use threefold_chess::clock::Control;
use threefold_harness::player::EngineSpec;

/// `10+0.1, 1t, 16MB, book.epd`; what differs between the first two engines is `x - y`.
#[derive(Debug, Clone)]
pub(super) struct Heading(String);

impl Heading {
    pub(super) fn of(engines: &[EngineSpec], book: Option<&Path>) -> Self {
        let both = |text: &dyn Fn(&EngineSpec) -> String| match engines {
            [first, second, ..] if text(first) == text(second) => text(first),
            [first, second, ..] => format!("{} - {}", text(first), text(second)),
            _ => String::new(),
        };
        let mut parts = vec![
            both(&|engine| limit(&engine.control)),
            both(&|engine| option(engine, "Threads", "t", "1t")),
            both(&|engine| option(engine, "Hash", "MB", "NULL")),
        ];
        parts.extend(book.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()));
        Self(parts.join(", "))
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The first limit, in fastchess' order and form.
fn limit(control: &Control) -> String {
    if let Some(time) = control.time {
        let moves = time.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = time.increment.as_secs_f64();
        let increment =
            if increment > 0.0 { format!("+{}", significant(increment, 2)) } else { String::new() };
        return format!("{moves}{}{increment}", time.base.as_secs_f64());
    }
    match (control.movetime, control.depth, control.nodes) {
        (Some(time), _, _) => format!("{}/move", time.as_secs_f64()),
        (_, Some(depth), _) => format!("{} plies", depth.0),
        (_, _, Some(nodes)) => format!("{nodes} nodes"),
        _ => String::new(),
    }
}

/// The value of an option that the command line sets, or what fastchess prints without it.
fn option(engine: &EngineSpec, name: &str, unit: &str, unset: &str) -> String {
    let value = engine.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    value.map_or_else(|| unset.to_owned(), |(_, value)| format!("{value}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_has_the_conditions_of_both_engines() {
        let table = [
            (
                "a,tc=10+0.1,Threads=1,Hash=16",
                "b,tc=10+0.1,threads=1,Hash=16",
                Some("books/b.epd"),
                "10+0.1, 1t, 16MB, b.epd",
            ),
            ("a,tc=40/60", "b,st=0.5", None, "40/60 - 0.5/move, 1t, NULL"),
            ("a,depth=8,Hash=8", "b,nodes=5000", None, "8 plies - 5000 nodes, 1t, 8MB - NULL"),
            ("a,tc=8+0.08", "b,tc=8+0.08", Some("b.pgn"), "8+0.08, 1t, NULL, b.pgn"),
        ];
        for (first, second, book, text) in table {
            let engines = [first, second].map(|text| text.parse().expect("sound"));
            assert_eq!(Heading::of(&engines, book.map(Path::new)).to_string(), text);
        }
    }
}
