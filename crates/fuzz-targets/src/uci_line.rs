//! UCI lines, from GUIs and from engines.

use threefold_chess::uci::{Command, EngineEvent, Reply, UciClient, UciOptionKind, UciServer};

use crate::{Accepted, Target};

/// The fuzz target `uci_line`.
pub const TARGET: Target = Target { name: "uci_line", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "uci",
    "isready",
    "debug",
    "on",
    "off",
    "setoption",
    "name",
    "value",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
    "stop",
    "ponderhit",
    "quit",
    "id",
    "author",
    "option",
    "type",
    "check",
    "spin",
    "combo",
    "button",
    "string",
    "default",
    "min",
    "max",
    "var",
    "<empty>",
    "uciok",
    "readyok",
    "info",
    "bestmove",
    "(none)",
    "0000",
    "score",
    "cp",
    "lowerbound",
    "upperbound",
    "pv",
    "multipv",
    "Nodes searched:",
    "e2e4",
    "e7e8q",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "-1",
    "0",
    "1",
    "99999999999999999999",
    "9223372036854775807",
    "\n",
    "\t",
    "  ",
];

/// Reads every line as a command and as a reply, and follows both conversations.
pub fn check(bytes: &[u8]) -> Accepted {
    // Like the pipes, replace invalid UTF-8.
    let text = String::from_utf8_lossy(bytes);
    let mut accepted = 0;
    let mut session = UciServer::new();
    let (mut conversation, _) = UciClient::start();
    for line in text.split('\n') {
        if let Ok(Some(command)) = Command::parse(line) {
            command_reads_back(&command);
            accepted += 1;
        }
        let reply = Reply::parse(line);
        reply_reads_back(&reply);
        accepted += usize::from(!matches!(reply, Reply::Other(_)));
        session.receive(line);
        if let Ok(Some(EngineEvent::ReadyOk)) = conversation.receive(line) {
            session.search_finished();
        }
    }
    for offer in conversation.options() {
        for given in ["", "true", "1", &offer.name, "a \n b"] {
            let Ok(Some(sent)) = offer.accept(given) else { continue };
            assert!(!sent.contains('\n'), "{sent:?} would be two lines");
            // `<empty>` is an empty string value.
            let is_text = matches!(offer.kind, UciOptionKind::String { .. });
            assert!(is_text || offer.accept(&sent) == Ok(Some(sent.clone())), "{offer:?}: {sent:?}");
        }
    }
    Accepted(accepted)
}

/// A command prints in normal form (`wtime 0` becomes `wtime 1`) and parses back.
fn command_reads_back(command: &Command) {
    let printed = command.to_string();
    assert!(!printed.contains('\n'), "{printed:?} would be two lines");
    let again =
        Command::parse(&printed).ok().flatten().unwrap_or_else(|| panic!("`{printed}` is no command"));
    assert_eq!(again.to_string(), printed);
    assert_eq!(Command::parse(&again.to_string()), Ok(Some(again)), "{printed}");
}

fn reply_reads_back(reply: &Reply) {
    let printed = reply.to_string();
    assert!(!printed.contains('\n'), "{printed:?} would be two lines");
    assert_eq!(&Reply::parse(&printed), reply, "{printed}");
}
