//! The figures and the curve, as files for programs.

use std::fmt::Write as _;
use std::io;

use csv::{Terminator, WriterBuilder};

use super::{CalibrationReport, Shown, kind};
use threefold_run::calibration::{AnchorRating, EloCurve, EloMark, ErrorProfile, PlayerRole};

/// A line for each player: its requested or listed Elo, an anchor's earlier measurement, the measured Elo, a
/// level's Elo on the curve, its results, and its error profile.
///
/// # Errors
/// None that memory doesn't give.
pub fn figures(report: &CalibrationReport) -> io::Result<Vec<u8>> {
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
    for Shown { player, on_the_curve, .. } in report.levels().chain(report.anchors()) {
        let character =
            report.error_profiles.iter().find(|character| player.role == PlayerRole::Level(character.level));
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

/// The curve in the form that the engine reads: the level for each round Elo value; empty if there is no
/// curve.
pub fn curve(report: &CalibrationReport) -> String {
    let mut text = format!(
        "# {}, by {} games in {} rounds: {}\n# made by: {}\n# written by Echo of bench {}\nelo,level,low,high\n",
        report.title,
        report.games,
        report.rounds,
        report.terms,
        report.provenance.command,
        report.provenance.bench
    );
    for EloMark { elo, level, low, high } in report.elo_curve.iter().flat_map(EloCurve::marks_and_ends) {
        writeln!(text, "{elo},{level},{low:.0},{high:.0}").expect("memory takes all");
    }
    text
}
