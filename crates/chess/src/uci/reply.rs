//! Output of an engine.

use std::fmt;

use shakmaty::uci::UciMove;

use super::info::Info;
use super::option::UciOption;
use super::tokens::{Tokens, one_line};

/// One line of an engine's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`.
    Name(String),
    /// `id author …`.
    Author(String),
    /// `option …`.
    Option(UciOption),
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `info …`.
    Info(Info),
    /// `bestmove …`.
    BestMove(BestMove),
    /// `bestmove` without a move: the text after it. `(none)`, `0000` and similar mean that there is none;
    /// see [`means_no_move`].
    NoMove(String),
    /// `Nodes searched: N`, the last line of `go perft` in Stockfish and others.
    Leaves(u64),
    /// Anything else, including an empty line.
    Other(String),
}

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestMove {
    /// The move to play.
    pub best: UciMove,
    /// The expected reply.
    pub ponder: Option<UciMove>,
}

/// Does this text after `bestmove` mean that there is no move?
///
/// ```
/// # use threefold_chess::uci::means_no_move;
/// assert!(means_no_move("(none)") && means_no_move("0000 ponder 0000"));
/// assert!(!means_no_move("") && !means_no_move("A1A1"));
/// ```
pub fn means_no_move(text: &str) -> bool {
    matches!(text.split_ascii_whitespace().next(), Some("(none)" | "none" | "NULL" | "null" | "0000"))
}

/// How a text that is shown to users says that there is no move.
pub const NO_MOVE: &str = "(none)";

impl Reply {
    /// The end of a search: its move, or `(none)`.
    pub fn end_of_search(best: Option<UciMove>, ponder: Option<UciMove>) -> Self {
        best.map_or_else(
            || Self::NoMove("(none)".to_owned()),
            |best| Self::BestMove(BestMove { best, ponder }),
        )
    }

    /// Parses one line; never fails.
    pub fn parse(line: &str) -> Self {
        let mut tokens = Tokens::new(line);
        match tokens.next() {
            Some("id") => match tokens.next() {
                Some("name") => Self::Name(tokens.rest().to_owned()),
                Some("author") => Self::Author(tokens.rest().to_owned()),
                _ => Self::Other(line.trim().to_owned()),
            },
            Some("option") => {
                UciOption::parse(tokens).map_or_else(|| Self::Other(line.trim().to_owned()), Self::Option)
            }
            Some("uciok") => Self::UciOk,
            Some("readyok") => Self::ReadyOk,
            Some("info") => Self::Info(Info::parse(tokens)),
            Some("bestmove") => best_move(tokens),
            _ => leaves(line).map_or_else(|| Self::Other(line.trim().to_owned()), Self::Leaves),
        }
    }
}

/// Parses the leaf count, with or without `searched`, with a colon or an equals sign, in any case.
fn leaves(line: &str) -> Option<u64> {
    let (label, count) = line.split_once([':', '='])?;
    let label = label.trim().to_ascii_lowercase();
    matches!(label.as_str(), "nodes searched" | "nodes" | "total nodes" | "total")
        .then(|| count.trim().parse().ok())?
}

fn best_move(mut tokens: Tokens<'_>) -> Reply {
    let all = tokens.clone().rest();
    // `0000` would be read as the null move.
    let best = tokens.next().filter(|_| !means_no_move(all)).and_then(|word| word.parse().ok());
    let Some(best) = best else { return Reply::NoMove(all.to_owned()) };
    let ponder = if tokens.next() == Some("ponder") { tokens.next_parsed() } else { None };
    // A null move means that no reply is expected.
    Reply::BestMove(BestMove { best, ponder: ponder.filter(|&mv| mv != UciMove::Null) })
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(offer) => offer.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(BestMove { best, ponder }) => {
                write!(f, "bestmove {best}")?;
                ponder.iter().try_for_each(|ponder| write!(f, " ponder {ponder}"))
            }
            Self::NoMove(text) => write!(f, "bestmove {text}"),
            Self::Leaves(leaves) => write!(f, "Nodes searched: {leaves}"),
            Self::Other(text) => f.write_str(&one_line(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::uci::command::tests::any_move;
    use crate::uci::option::tests::options;

    #[test]
    fn replies_are_parsed_leniently() {
        let best =
            |best: &str| Reply::BestMove(BestMove { best: best.parse().expect("a move"), ponder: None });
        let none = |text: &str| Reply::NoMove(text.to_owned());
        let table = [
            (" bestmove  e2e4\r\n", best("e2e4")),
            ("bestmove e7e8q ponder", best("e7e8q")),
            ("bestmove e2e4 ponder 0000", best("e2e4")),
            ("bestmove (none)", none("(none)")),
            ("bestmove 0000 ponder 0000", none("0000 ponder 0000")),
            ("bestmove", none("")),
            ("bestmove A1A1 \r", none("A1A1")),
            ("bestmove Nf3 ponder e7e5", none("Nf3 ponder e7e5")),
            ("\r", Reply::Other(String::new())),
            ("bestmoves are made by Fish 2", Reply::Other("bestmoves are made by Fish 2".to_owned())),
            ("id name Fish 2 \r", Reply::Name("Fish 2".to_owned())),
            ("id", Reply::Other("id".to_owned())),
            ("option", Reply::Other("option".to_owned())),
            ("Nodes searched: 4865609", Reply::Leaves(4_865_609)),
            ("nodes = 20", Reply::Leaves(20)),
            ("Nodes searched: many", Reply::Other("Nodes searched: many".to_owned())),
            ("a2a3: 20", Reply::Other("a2a3: 20".to_owned())),
            ("uciok", Reply::UciOk),
            ("\treadyok", Reply::ReadyOk),
        ];
        for (line, reply) in table {
            assert_eq!(Reply::parse(line), reply, "{line:?}");
        }
    }

    fn replies() -> impl Strategy<Value = Reply> {
        prop_oneof![
            "[A-Z][a-z]{0,5}( [0-9])?".prop_map(Reply::Name),
            "[A-Z][a-z]{0,5}( [A-Z])?".prop_map(Reply::Author),
            options().prop_map(Reply::Option),
            Just(Reply::UciOk),
            any::<u64>().prop_map(Reply::Leaves),
            Just(Reply::ReadyOk),
            (prop::option::of(any_move()), prop::option::of(any_move()))
                .prop_map(|(best, ponder)| Reply::end_of_search(best, ponder)),
            "(x[a-z]{0,4})?".prop_map(Reply::NoMove),
        ]
    }

    proptest! {
        #[test]
        fn printed_text_parses_back(reply in replies()) {
            prop_assert_eq!(Reply::parse(&reply.to_string()), reply);
        }

        #[test]
        fn foreign_text_never_panics(
            line in "(id|name|option|type|spin|min|var|bestmove|ponder|info|-?[0-9]{1,20}|[a-h1-8]{4}| |\\PC)*",
        ) {
            let reply = Reply::parse(&line);
            prop_assert_eq!(Reply::parse(&reply.to_string()), reply);
        }
    }
}
