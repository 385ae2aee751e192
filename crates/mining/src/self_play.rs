//! Games of Echo against itself, from random openings.

use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;

use super::engine_query::search;
use super::openings;
use threefold_echo::Echo;
use threefold_games::playout::{GameConditions, GameState, Playout, TurnReply};

/// Nodes per move: few, so that Echo repeats positions.
const NODES: u64 = 800;

/// The longest game, in plies from the start position.
const LONGEST: usize = 240;

/// The player of both sides.
pub(super) fn player() -> Echo {
    let mut echo = Echo::new();
    echo.set("Hash", "1").expect("Echo has this option");
    echo
}

/// Plays a game, and passes it to `visit` before each move, until that breaks.
pub(super) fn play(
    rng: &mut ChaCha8Rng,
    echo: &mut Echo,
    visit: &mut dyn FnMut(&Playout) -> ControlFlow<()>,
) {
    let Some(opening) = openings::one(rng) else { return };
    let terms = GameConditions::of_plies(LONGEST.saturating_sub(opening.history.moves.len()));
    let Ok(mut game) = Playout::new(&opening.history, &terms) else { return };
    echo.new_game();
    while let GameState::ToMove(_) = game.state()
        && visit(&game).is_continue()
    {
        let best = search(echo, game.line(), NODES, &[], &mut |_| {});
        if game.answer(&TurnReply { best, ..TurnReply::default() }).is_none() {
            break;
        }
    }
}
