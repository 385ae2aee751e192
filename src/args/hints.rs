//! Hints for options of other match runners: what they are called here.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Options of fastchess and cutechess-cli, and what does the same here.
const OPTIONS: [(&str, &str); 6] = [
    ("--rounds", "--games N is the number of games; a pair of games is a round"),
    ("--concurrency-limit", "-j N is the number of games at a time"),
    ("--repeat", "games are played in pairs with reversed colours without an option"),
    (
        "--recover",
        "an engine is started again after a fault without an option; --max-faults limits the faults",
    ),
    ("--srand", "--order random:SEED"),
    ("--pgnout", "--pgn FILE"),
];

/// The options with one dash that begin a command line of these programs.
const ONE_DASH: [&str; 9] =
    ["-engine", "-each", "-openings", "-rounds", "-games", "-concurrency", "-sprt", "-pgnout", "-repeat"];

/// Replaces the suggestion of a wrong command line, if it is one of another match runner. `words` are those
/// of the command line, without the program.
pub fn improve(error: &mut clap::Error, words: &[String]) {
    if error.kind() != ErrorKind::UnknownArgument {
        return;
    }
    let one_dash = words.iter().find(|word| ONE_DASH.contains(&word.as_str()));
    let hint = match (one_dash, error.get(ContextKind::InvalidArg)) {
        (Some(option), _) => Some(format!(
            "`{option}` is an option of fastchess and cutechess-cli; `threefold fastchess {option} …` and `threefold \
             cutechess-cli {option} …` take their command lines"
        )),
        (None, Some(ContextValue::String(option))) => {
            let option = option.split_whitespace().next().unwrap_or_default();
            OPTIONS
                .iter()
                .find(|(name, _)| *name == option)
                .map(|(_, hint)| format!("in this program, {hint}"))
        }
        (None, _) => None,
    };
    if let Some(hint) = hint {
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
}
