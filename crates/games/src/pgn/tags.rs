//! The tags of a game's PGN.

use shakmaty::CastlingMode;

use super::options::{PgnExtent, PgnOptions};
use crate::calendar;
use crate::game::{GameRecord, GameTimes};
use threefold_chess::clock::Control;
use threefold_chess::position::GamePosition;
use threefold_player::EngineId;

/// Tags that do not follow from the game itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnTags {
    /// The match or tournament.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// Round, or round and game.
    pub round: String,
    /// Limits of White and Black.
    pub controls: [Control; 2],
    /// The engines of White and Black.
    pub engines: [PgnEngine; 2],
    /// The opening's code in the Encyclopaedia of Chess Openings, if the book has it.
    pub eco: Option<String>,
    /// The opening's name in the book.
    pub opening: Option<String>,
}

/// What is known of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnEngine {
    /// Its answer to `uci`.
    pub id: EngineId,
    /// Its build, in words.
    pub build: Option<String>,
}

/// The tags in writing order. Empty values are left out.
pub(super) fn pairs(game: &GameRecord, tags: &PgnTags, options: &PgnOptions) -> Vec<(&'static str, String)> {
    let [white, black] = &game.players;
    let seconds = game.times.map(|GameTimes { begun, .. }| begun.div_euclid(1000));
    let mut pairs = vec![
        ("Event", tags.event.clone()),
        ("Site", tags.site.clone()),
        ("Date", seconds.map_or_else(|| "????.??.??".to_owned(), |it| calendar::date(it).replace('-', "."))),
        ("Round", tags.round.clone()),
        ("White", white.clone()),
        ("Black", black.clone()),
        ("Result", game.outcome.pgn().to_owned()),
    ];
    let is_full = options.extent == PgnExtent::Full;
    if is_full {
        let [white, black] = &tags.engines;
        pairs.extend(white.id.name.clone().map(|name| ("EngineWhiteName", name)));
        pairs.extend(white.id.author.clone().map(|author| ("EngineWhiteAuthor", author)));
        pairs.extend(black.id.name.clone().map(|name| ("EngineBlackName", name)));
        pairs.extend(black.id.author.clone().map(|author| ("EngineBlackAuthor", author)));
    }
    if game.opening.start != GamePosition::start_position().start {
        pairs.push(("FEN", game.opening.start.to_string()));
        pairs.push(("SetUp", "1".to_owned()));
        if CastlingMode::detect(game.opening.start.as_setup()).is_chess960() {
            pairs.push(("Variant", "Chess960".to_owned()));
        }
    }
    if is_full {
        pairs.extend(game.times.iter().flat_map(times));
        pairs.extend(conditions(game, tags));
    }
    pairs
}

/// When the game was played. Form and names are those of fastchess, in UTC.
fn times(times: &GameTimes) -> [(&'static str, String); 3] {
    let milliseconds = i64::try_from(times.duration.as_millis()).unwrap_or(i64::MAX);
    let end = times.begun.saturating_add(milliseconds);
    let written =
        |milliseconds: i64| format!("{} +0000", calendar::date_and_time(milliseconds.div_euclid(1000)));
    let seconds = times.duration.as_secs();
    let duration = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    [("GameDuration", duration), ("GameStartTime", written(times.begun)), ("GameEndTime", written(end))]
}

/// The end, the limits, the opening and the builds.
fn conditions(game: &GameRecord, tags: &PgnTags) -> Vec<(&'static str, String)> {
    let mut pairs = vec![
        ("PlyCount", (game.opening.moves.len() + game.played.len()).to_string()),
        ("Termination", game.termination().to_owned()),
    ];
    let [white, black] = tags.controls.map(time_control);
    if white == black {
        pairs.push(("TimeControl", white));
    } else {
        pairs.push(("WhiteTimeControl", white));
        pairs.push(("BlackTimeControl", black));
    }
    pairs.extend(tags.eco.clone().map(|eco| ("ECO", eco)));
    pairs.extend(tags.opening.clone().map(|opening| ("Opening", opening)));
    for (name, engine) in ["WhiteEngine", "BlackEngine"].into_iter().zip(&tags.engines) {
        pairs.extend(engine.build.clone().map(|build| (name, build)));
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
