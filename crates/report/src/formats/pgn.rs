//! `games.pgn`: every game that counts, in the order of the schedule.

use std::io::{self, Write};

use crate::ReportFormat;
use crate::model::build::{numbered, numbered_of_run};
use crate::model::report::{NumberedGame, Report};
use threefold_games::game::GameRecord;
use threefold_games::pairing::ScheduledGame;
use threefold_games::pgn::{self, PgnOptions};
use threefold_player::EngineBuild;
use threefold_run::RecordedGame;
use threefold_run::job::{MatchTask, Part, RunSpec};

/// The table's line.
pub(crate) const FORMAT: ReportFormat = ReportFormat {
    name: "pgn",
    file: "games.pgn",
    summary: "every game that counts, in the order of the schedule",
    render: |report| {
        let mut text = Vec::new();
        write(report, &mut text)?;
        Ok(text)
    },
    stream: Some(write),
};

/// Writes one game at a time, so that the number of games does not matter for the memory needed.
fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(reader) = &report.game_reader else {
        for part in &report.matches {
            for game in &part.games_with_moves {
                out.write_all(written(game, &part.pgn)?.as_bytes())?;
            }
        }
        return Ok(());
    };
    reader.for_each(&mut |found| {
        let Some((game, options)) = numbered_of_run(reader.spec(), found) else { return Ok(()) };
        out.write_all(written(&game, options)?.as_bytes())
    })
}

/// A game of a run with its PGN tags; `None` if it is none of the run's games.
pub fn recorded_game(spec: &RunSpec, found: RecordedGame<'_>) -> Option<NumberedGame> {
    numbered_of_run(spec, found).map(|(game, _)| game)
}

/// A game of a part in the form of `games.pgn`; `task` is the match of the part, `scheduled` the game's place
/// in its schedule, `engines` are the builds that played, White first.
pub fn game(
    part: &Part,
    task: &MatchTask,
    scheduled: ScheduledGame,
    record: GameRecord,
    engines: [Option<&EngineBuild>; 2],
) -> io::Result<String> {
    written(&numbered(part, task, &scheduled, record, engines), &task.pgn)
}

fn written(game: &NumberedGame, options: &PgnOptions) -> io::Result<String> {
    pgn::pgn(&game.record, &game.tags, options).map_err(io::Error::other)
}
