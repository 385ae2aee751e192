//! `games.pgn`: every game that counts, in the order of the schedule.

use std::io;

use super::ReportFormat;
use super::build::numbered;
use super::model::NumberedGame;
use threefold_harness::arena::game::GameRecord;
use threefold_harness::arena::pairing::ScheduledGame;
use threefold_harness::arena::pgn::{self, PgnOptions};
use threefold_harness::player::EngineBuild;
use threefold_harness::run::job::MatchTask;

/// The table's line.
pub(super) const FORMAT: ReportFormat = ReportFormat {
    name: "pgn",
    file: "games.pgn",
    summary: "every game that counts, in the order of the schedule",
    render: |report| {
        let mut text = String::new();
        for part in &report.matches {
            for game in &part.games {
                text.push_str(&written(game, &part.pgn)?);
            }
        }
        Ok(text.into_bytes())
    },
};

/// A game of a part in the form of `games.pgn`; the fixture is its place in the schedule, `engines` are the builds that
/// played, White first.
pub fn game(
    part: &str,
    task: &MatchTask,
    fixture: ScheduledGame,
    record: &GameRecord,
    engines: [Option<&EngineBuild>; 2],
) -> io::Result<String> {
    written(&numbered(part, task, &(fixture, record), engines), &task.pgn)
}

fn written(game: &NumberedGame, options: &PgnOptions) -> io::Result<String> {
    pgn::pgn(&game.record, &game.tags, options).map_err(io::Error::other)
}
