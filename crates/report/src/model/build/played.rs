//! The games of a part as they were played.

use threefold_games::game_summary::GameSummary;
use threefold_games::pairing::ScheduledGame;
use threefold_run::job::white_result;
use threefold_stats::GameResult;

/// A game with its place in the schedule.
pub(super) type Scheduled<'r> = (ScheduledGame, &'r GameSummary);

/// A game's result for an engine; `None` if the engine did not play.
pub(super) fn result((scheduled, game): &Scheduled<'_>, seat: usize) -> Option<GameResult> {
    let for_white = white_result(game);
    if scheduled.white == seat {
        Some(for_white)
    } else {
        (scheduled.black == seat).then(|| for_white.reversed())
    }
}
