//! The figures and the curve, as files for programs.

use std::fmt::Write as _;
use std::io;

use csv::{Terminator, WriterBuilder};

use super::{Graded, Shown, kind};
use threefold_harness::calibration::{AnchorRating, EloCurve, EloMark, ErrorProfile, PlayerRole};

/// A line for each player: who it is, what was asked of it or known of it elsewhere, of an anchor what was measured here
/// before, what its games say of it, of a level also where the curve has it, what its games were like, and of so many
/// moves that were judged how many lose how much.
///
/// # Errors
/// None that memory doesn't give.
pub fn figures(graded: &Graded) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record([
        "kind",
        "player",
        "asked",
        "here",
        "elo",
        "error",
        "curve",
        "curve error",
        "games",
        "points",
        "drawn",
        "faults",
        "seconds",
        "judged",
        "over 100",
        "over 300",
        "mean loss",
    ])?;
    for Shown { player, on_the_curve, .. } in graded.levels().chain(graded.anchors()) {
        let character =
            graded.characters.iter().find(|character| player.role == PlayerRole::Level(character.level));
        let counted =
            |of: fn(&ErrorProfile) -> u64| character.map_or_else(String::new, |it| of(it).to_string());
        let (asked, here) = match player.role {
            PlayerRole::Level(level) => (level.to_string(), None),
            PlayerRole::Anchor(AnchorRating { listed: elsewhere, measured: here }) => {
                (elsewhere.to_string(), here)
            }
        };
        writer.write_record([
            kind(player.role).to_owned(),
            player.name.clone(),
            asked,
            here.map_or_else(String::new, |here| here.to_string()),
            format!("{:.1}", player.elo),
            format!("{:.1}", player.error),
            on_the_curve.map_or_else(String::new, |(elo, _)| format!("{elo:.1}")),
            on_the_curve.map_or_else(String::new, |(_, error)| format!("{error:.1}")),
            player.games.to_string(),
            player.points.to_string(),
            player.drawn.to_string(),
            player.faults.to_string(),
            format!("{:.3}", player.cost),
            counted(|character| character.errors.trials()),
            counted(|character| character.errors.successes),
            counted(|character| character.blunders.successes),
            character.map_or_else(String::new, |character| format!("{:.2}", character.mean.value)),
        ])?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The curve as the engine reads it: which level is worth which Elo, for round numbers between the dial's two ends;
/// empty where there is none.
pub fn curve(graded: &Graded) -> String {
    let mut text = format!(
        "# {}, by {} games in {} rounds: {}\n# made by: {}\n# written by Echo of bench {}\nelo,level,low,high\n",
        graded.title, graded.games, graded.rounds, graded.terms, graded.made.command, graded.made.bench
    );
    for EloMark { elo, level, low, high } in graded.graduation.iter().flat_map(EloCurve::marks_and_ends) {
        writeln!(text, "{elo},{level},{low:.0},{high:.0}").expect("memory takes all");
    }
    text
}
