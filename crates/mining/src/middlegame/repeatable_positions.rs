//! The positions of a game in which a move would repeat, with enough pieces.

use std::ops::ControlFlow;

use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::self_play;
use threefold_chess::position::GamePosition;
use threefold_echo::Echo;

/// The fewest pieces: more than any endgame table of today has.
const LEAST_PIECES: usize = 9;

/// The most positions used of one game.
const POSITIONS_PER_GAME: usize = 6;

/// The repeatable positions of a game: lines since the last capture or pawn move (or the first move, if there
/// was none), and the positions they lead to.
pub(super) fn repeatable_positions(rng: &mut ChaCha8Rng, echo: &mut Echo) -> Vec<(GamePosition, Chess)> {
    let mut since = GamePosition::start_position();
    let mut moments = Vec::new();
    self_play::play(rng, echo, &mut |game| {
        let referee = game.referee();
        let here = referee.position();
        match game.moves().last() {
            None => since = game.line().clone(),
            Some(_) if here.halfmoves() == 0 => {
                since =
                    GamePosition { start: Fen::from_position(here, EnPassantMode::Legal), moves: Vec::new() };
            }
            Some(&mv) => since.moves.push(mv),
        }
        if moments.len() == POSITIONS_PER_GAME || here.board().occupied().count() < LEAST_PIECES {
            return ControlFlow::Break(());
        }
        let repeats = |mv| referee.occurrences_after(mv) == 1;
        if here.legal_moves().into_iter().any(repeats) && referee.occurrences() == 1 {
            moments.push((since.clone(), here.clone()));
        }
        ControlFlow::Continue(())
    });
    moments
}
