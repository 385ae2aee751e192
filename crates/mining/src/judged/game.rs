//! A game of Echo against itself, and its moments: positions with enough men in which a move would repeat.

use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::asked::ask;
use crate::openings;
use threefold_chess::position::GamePosition;
use threefold_echo::Echo;
use threefold_harness::playout::{GameState, GameTerms, PlayedMove, Playout, TurnReply};

/// Nodes for each move: few, so that the game wavers.
const NODES: u64 = 800;

/// Men on the board from which on no table of today reaches.
const MEN: usize = 9;

/// The longest game, in plies.
const LONGEST: usize = 240;

/// Moments of one game that are looked at.
const MOMENTS: usize = 6;

/// Who plays both sides.
pub(super) fn player() -> Echo {
    let mut echo = Echo::new();
    echo.set("Hash", "1").expect("Echo has this option");
    echo
}

/// The moments of a game, as lines since the last capture or pawn move (or the first move, where the game itself
/// has none yet) and where they lead.
pub(super) fn moments(lot: &mut ChaCha8Rng, echo: &mut Echo) -> Vec<(GamePosition, Chess)> {
    let Some(opening) = openings::one(lot) else { return Vec::new() };
    let terms = GameTerms::of_plies(LONGEST.saturating_sub(opening.line.moves.len()));
    let Ok(mut game) = Playout::new(&opening.line, &terms) else { return Vec::new() };
    let mut since = opening.line;
    echo.new_game();
    let mut moments = Vec::new();
    while let GameState::ToMove(_) = game.state()
        && moments.len() < MOMENTS
    {
        let referee = game.referee();
        let here = referee.position();
        if here.board().occupied().count() < MEN {
            break;
        }
        let repeats = |mv| referee.occurrences_after(mv) == 1;
        if here.legal_moves().into_iter().any(repeats) && referee.occurrences() == 1 {
            moments.push((since.clone(), here.clone()));
        }
        let best = ask(echo, game.line(), NODES, &[], &mut |_| {});
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
