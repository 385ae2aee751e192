//! A game of Echo against itself, and its positions with enough pieces in which a move would repeat.

use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::engine_query::search;
use crate::openings;
use threefold_chess::position::GamePosition;
use threefold_echo::Echo;
use threefold_games::playout::{GameConditions, GameState, PlayedMove, Playout, TurnReply};

/// Nodes per move: few, so that Echo repeats positions.
const NODES: u64 = 800;

/// The fewest pieces: more than any endgame table of today has.
const LEAST_PIECES: usize = 9;

/// The longest game, in plies.
const LONGEST: usize = 240;

/// The most positions used of one game.
const POSITIONS_PER_GAME: usize = 6;

/// The player of both sides.
pub(super) fn player() -> Echo {
    let mut echo = Echo::new();
    echo.set("Hash", "1").expect("Echo has this option");
    echo
}

/// The repeatable positions of a game: lines since the last capture or pawn move (or the first move, if there
/// was none), and the positions they lead to.
pub(super) fn repeatable_positions(rng: &mut ChaCha8Rng, echo: &mut Echo) -> Vec<(GamePosition, Chess)> {
    let Some(opening) = openings::one(rng) else { return Vec::new() };
    let terms = GameConditions::of_plies(LONGEST.saturating_sub(opening.history.moves.len()));
    let Ok(mut game) = Playout::new(&opening.history, &terms) else { return Vec::new() };
    let mut since = opening.history;
    echo.new_game();
    let mut moments = Vec::new();
    while let GameState::ToMove(_) = game.state()
        && moments.len() < POSITIONS_PER_GAME
    {
        let referee = game.referee();
        let here = referee.position();
        if here.board().occupied().count() < LEAST_PIECES {
            break;
        }
        let repeats = |mv| referee.occurrences_after(mv) == 1;
        if here.legal_moves().into_iter().any(repeats) && referee.occurrences() == 1 {
            moments.push((since.clone(), here.clone()));
        }
        let best = search(echo, game.line(), NODES, &[], &mut |_| {});
        let Some(PlayedMove { mv, .. }) = game.answer(&TurnReply { best, ..TurnReply::default() }) else {
            break;
        };
        since.moves.push(mv);
        let here = game.referee().position();
        if here.halfmoves() == 0 {
            since = GamePosition { start: Fen::from_position(here, EnPassantMode::Legal), moves: Vec::new() };
        }
    }
    moments
}
