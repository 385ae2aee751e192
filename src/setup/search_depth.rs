//! Searches that show what an engine does, and the depth of searches that no number of nodes ends.

use std::time::Duration;

use threefold_chess::clock::Limits;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_player::{Answer, EngineFault, Player, Question};

/// The depths from which one is chosen.
const SHALLOWEST: u16 = 4;
const DEEPEST: u16 = 8;
/// The longest mean time of a search. A plan has more than a thousand, for two cores and three minutes.
const LONGEST: Duration = Duration::from_millis(300);
/// Positions of the kind that many suites ask: few pawns, open kings and queens, so that an engine with a simple search needs
/// a hundred times as long for the last plies as in an opening.
const POSITIONS: [&str; 3] = [
    "6q1/N7/2r5/2P1Q2B/4R1p1/b4k2/2p5/R3K2R w KQ - 0 1",
    "2nr4/1P1k4/8/N3Q3/8/6P1/7p/n4K2 w - - 0 1",
    "8/4qP2/3n4/1r4P1/2p5/2K2p2/1n1P4/7k w - - 0 1",
];

/// The depth to which an engine searches all kinds of positions in a short time, at most [`DEEPEST`].
pub(super) fn short_depth(player: &mut dyn Player) -> Ply {
    let mut is_short = |depth: &u16| mean_time(player, Ply(*depth)).is_some_and(|time| time <= LONGEST);
    Ply((SHALLOWEST..=DEEPEST).take_while(|depth| is_short(depth)).last().unwrap_or(SHALLOWEST))
}

/// The mean time of a search to this depth; `None` if one has no answer. Suites report why.
fn mean_time(player: &mut dyn Player, depth: Ply) -> Option<Duration> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut sum = Duration::ZERO;
    for fen in POSITIONS {
        let position = GamePosition::parse(fen, "").expect("a FEN");
        sum += search_once(player, position, limits).ok()?.elapsed;
    }
    Some(sum / POSITIONS.len() as u32)
}

/// The first search of a new game.
pub(super) fn search_once(
    player: &mut dyn Player,
    line: GamePosition,
    limits: Limits,
) -> Result<Answer, EngineFault> {
    player.new_game()?;
    player.answer(&Question { position: line, limits, searchmoves: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_player::ScriptedPlayer;

    #[test]
    fn depth_is_the_last_one_that_takes_a_short_time() {
        // The milliseconds of a search to depth 4, and the factor of each ply more.
        for (first, factor, expected) in [(1, 2, 8), (10, 5, 6), (200, 2, 4), (400, 2, 4), (300, 1, 8)] {
            let mut player = ScriptedPlayer::new("A", move |question| {
                let Ply(depth) = question.limits.depth.expect("a depth");
                let elapsed = Duration::from_millis(first * u64::pow(factor, u32::from(depth - SHALLOWEST)));
                Ok(Answer { elapsed, ..Answer::silent() })
            });
            assert_eq!(short_depth(&mut player), Ply(expected), "{first} {factor}");
        }
    }

    #[test]
    fn search_without_an_answer_ends_the_choice() {
        let mut player = ScriptedPlayer::new("A", |question| match question.limits.depth {
            Some(Ply(6)) => Err(EngineFault::Option("none".to_owned())),
            _ => Ok(Answer::silent()),
        });
        assert_eq!(short_depth(&mut player), Ply(5));
    }
}
