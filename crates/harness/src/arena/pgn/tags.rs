//! The tags of a game's PGN.

use shakmaty::CastlingMode;

use crate::arena::game::GameRecord;
use threefold_chess::clock::Control;
use threefold_chess::position::GamePosition;

/// Tags that do not follow from the game itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnTags {
    /// The match or tournament.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// `YYYY.MM.DD`; `None` in a reproducible run, which has no date.
    pub date: Option<String>,
    /// Round, or round and game.
    pub round: String,
    /// Limits of White and Black.
    pub controls: [Control; 2],
    /// The builds of White and Black, if known.
    pub engines: [Option<String>; 2],
}

/// The tags in writing order.
pub(super) fn pairs(game: &GameRecord, tags: &PgnTags) -> Vec<(&'static str, String)> {
    let [white, black] = &game.players;
    let mut pairs = vec![
        ("Event", tags.event.clone()),
        ("Site", tags.site.clone()),
        ("Date", tags.date.clone().unwrap_or_else(|| "????.??.??".to_owned())),
        ("Round", tags.round.clone()),
        ("White", white.clone()),
        ("Black", black.clone()),
        ("Result", game.outcome.pgn().to_owned()),
    ];
    if game.opening.start != GamePosition::start_position().start {
        pairs.push(("FEN", game.opening.start.to_string()));
        pairs.push(("SetUp", "1".to_owned()));
        if CastlingMode::detect(game.opening.start.as_setup()).is_chess960() {
            pairs.push(("Variant", "Chess960".to_owned()));
        }
    }
    pairs.push(("PlyCount", (game.opening.moves.len() + game.played.len()).to_string()));
    pairs.push(("Termination", game.termination().to_owned()));
    let [white, black] = tags.controls.map(time_control);
    if white == black {
        pairs.push(("TimeControl", white));
    } else {
        pairs.push(("WhiteTimeControl", white));
        pairs.push(("BlackTimeControl", black));
    }
    for (name, engine) in ["WhiteEngine", "BlackEngine"].into_iter().zip(&tags.engines) {
        pairs.extend(engine.clone().map(|engine| (name, engine)));
    }
    pairs
}

/// As PGN has it: `40/60+0.5` for a clock, `-` without one. A fixed time per move is written as fastchess
/// does.
fn time_control(control: Control) -> String {
    match (control.time, control.movetime) {
        (Some(time), _) => time.to_string(),
        (None, Some(movetime)) => format!("{}/move", movetime.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
}
