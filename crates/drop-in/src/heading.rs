//! The conditions in the heading of a results block: time control, threads, hash and book.

use std::fmt;
use std::path::Path;

use super::number::significant;
use threefold_chess::clock::Control;
use threefold_chess::uci::UciOption;
use threefold_player::EngineSpec;

/// `10+0.1, 1t, 16MB, book.epd`; what differs between the first two engines is `x - y`.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// The first two engines, and the options that they list, as far as they are known.
    engines: Vec<(EngineSpec, Option<Vec<UciOption>>)>,
    book: Option<String>,
}

impl Heading {
    pub(super) fn new(engines: &[EngineSpec], book: Option<&Path>) -> Self {
        Self {
            engines: engines.iter().take(2).map(|engine| (engine.clone(), None)).collect(),
            book: book.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()),
        }
    }

    /// Takes over the options that engines list.
    pub(super) fn learn(&mut self, offers: &[(EngineSpec, Vec<UciOption>)]) {
        for (engine, known) in &mut self.engines {
            let listed = offers.iter().find(|(other, _)| other == engine).map(|(_, listed)| listed.clone());
            *known = listed.or(known.take());
        }
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let both = |text: &dyn Fn(&EngineSpec, Option<&[UciOption]>) -> String| {
            let texts: Vec<String> =
                self.engines.iter().map(|(engine, offers)| text(engine, offers.as_deref())).collect();
            match &texts[..] {
                [first, second] if first != second => format!("{first} - {second}"),
                [first, ..] => first.clone(),
                [] => String::new(),
            }
        };
        let limits = both(&|engine, _| limit(&engine.control));
        let threads = both(&|engine, offers| option(engine, offers, "Threads", "t"));
        let hash = both(&|engine, offers| option(engine, offers, "Hash", "MB"));
        write!(f, "{limits}, {threads}, {hash}")?;
        self.book.iter().try_for_each(|book| write!(f, ", {book}"))
    }
}

/// The first limit, in fastchess' order and form.
fn limit(control: &Control) -> String {
    if let Some(time) = control.time {
        let moves = time.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = time.increment.as_secs_f64();
        // fastchess prints the increment with two significant digits.
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

/// The value of an option: that of the command line, or the engine's default. `NULL` if the engine lacks the
/// option.
fn option(engine: &EngineSpec, offers: Option<&[UciOption]>, name: &str, unit: &str) -> String {
    let set = engine.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let set = set.map(|(_, value)| value.clone());
    let value = match offers {
        Some(offers) => offers
            .iter()
            .find(|offer| offer.name == name)
            .and_then(|offer| set.or_else(|| offer.default_text())),
        None => set,
    };
    value.map_or_else(|| "NULL".to_owned(), |value| format!("{value}{unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::uci::UciOptionKind;

    #[test]
    fn heading_has_the_conditions_of_both_engines() {
        let table = [
            (
                "a,tc=10+0.1,Threads=1,Hash=16",
                "b,tc=10+0.1,threads=1,Hash=16",
                Some("books/b.epd"),
                "10+0.1, 1t, 16MB, b.epd",
            ),
            ("a,tc=40/60", "b,st=0.5", None, "40/60 - 0.5/move, NULL, NULL"),
            ("a,depth=8,Hash=8", "b,nodes=5000", None, "8 plies - 5000 nodes, NULL, 8MB - NULL"),
            ("a,tc=8+0.08", "b,tc=8+0.08", Some("b.pgn"), "8+0.08, NULL, NULL, b.pgn"),
        ];
        for (first, second, book, text) in table {
            let engines = [first, second].map(|text| text.parse().expect("sound"));
            assert_eq!(Heading::new(&engines, book.map(Path::new)).to_string(), text);
        }
    }

    #[test]
    fn options_that_are_not_set_have_the_default_of_the_engine() {
        let spin = |name: &str, default| UciOption {
            name: name.to_owned(),
            kind: UciOptionKind::Spin { default, min: 1, max: 99 },
        };
        let table = [
            // Options of the first engine, of the second, what the first lists, what the second lists,
            // heading.
            ("", "", vec![spin("Threads", 1), spin("Hash", 16)], vec![], "1 nodes, 1t - NULL, 16MB - NULL"),
            (
                ",Hash=8",
                ",Threads=2",
                vec![spin("Threads", 1), spin("Hash", 16)],
                vec![spin("Threads", 1), spin("Hash", 8)],
                "1 nodes, 1t - 2t, 8MB",
            ),
            // An option that the engine lacks is not set.
            (",Hash=8", ",Hash=8", vec![spin("Hash", 16)], vec![], "1 nodes, NULL, 8MB - NULL"),
        ];
        for (first, second, of_first, of_second, text) in table {
            let engines: [EngineSpec; 2] = [("a", first), ("b", second)]
                .map(|(name, options)| format!("{name},nodes=1{options}").parse().expect("sound"));
            let mut heading = Heading::new(&engines, None);
            let [one, other] = engines;
            heading.learn(&[(other, of_second), (one, of_first)]);
            assert_eq!(heading.to_string(), text);
            heading.learn(&[]);
            assert_eq!(heading.to_string(), text, "what is known stays known");
        }
    }
}
