//! Short texts of the command line, plans, journals and UCI: time controls, search limits, clock sources,
//! decimals, time reports, positions, fault limits, and adjudication rules.

use threefold_chess::clock::{ClockSource, Control, Decimal, TimeControl, TimeReport};
use threefold_chess::position::GamePosition;
use threefold_games::playout::adjudication::{Adjudication, RULES};
use threefold_run::FaultLimit;

use crate::{Accepted, Target, reads_back, text};

/// The fuzz target `limits`.
pub const TARGET: Target = Target { name: "limits", check, vocabulary: VOCABULARY };

const VOCABULARY: &[&str] = &[
    "inf",
    "40/",
    "60",
    "+",
    "0.5",
    ":",
    ",",
    "=",
    " ",
    "/",
    ".",
    "%",
    "-",
    "1e9",
    "usual",
    "st",
    "tc",
    "nodes",
    "depth",
    "timemargin",
    "wall",
    "virtual",
    "movenumber",
    "movecount",
    "score",
    "twosided",
    "true",
    "false",
    "draw",
    "resign",
    "max-moves",
    "{",
    "}",
    "\"",
    "99999999999",
    "4294967295",
    "18446744073709551615",
    "0",
    "time",
    "budget",
    "most",
    "used",
    "tree",
    "reused",
    "end",
    "settled",
    "fen",
    "moves",
    "e2e4",
    "8/8/8/8/8/8/8/8 w - - 0 1",
];

/// Parses the text as each type, and panics if an accepted value does not print and parse back to itself.
pub fn check(bytes: &[u8]) -> Accepted {
    let Some(text) = text(bytes) else { return Accepted(0) };
    let mut accepted = 0;
    accepted += reads_back::<TimeControl>(text);
    accepted += reads_back::<Control>(text);
    accepted += reads_back::<ClockSource>(text);
    accepted += reads_back::<Decimal>(text);
    accepted += reads_back::<TimeReport>(text);
    accepted += reads_back::<GamePosition>(text);
    accepted += reads_back::<FaultLimit>(text);
    for kind in RULES {
        if let Ok(rule) = (kind.read)(kind.name, text) {
            let again = (kind.read)(kind.name, &rule.settings_text()).expect("a rule's own text");
            assert_eq!(again.settings_text(), rule.settings_text());
            accepted += rules(&Adjudication::new([rule]));
        }
    }
    accepted += serde_json::from_str(text).map_or(0, |table| rules(&table));
    Accepted(accepted)
}

fn rules(rules: &Adjudication) -> usize {
    let written = serde_json::to_string(rules).expect("a table of texts");
    assert_eq!(&serde_json::from_str::<Adjudication>(&written).expect("its own text"), rules, "{written}");
    let _ = rules.start();
    1
}
