//! The final position of a game, as a line of an EPD file.

use shakmaty::fen::Epd;
use shakmaty::{EnPassantMode, Position};

use super::game::GameRecord;
use threefold_chess::position::GamePosition;
use threefold_oracle::Referee;
use threefold_oracle::referee::IllegalGame;

/// The position with the counters as opcodes and a line feed, as fastchess writes it: `4k3/8/8/8/8/8/8/4K3 w - - hmvc 7;
/// fmvn 31;`. Fails only for a record with illegal moves.
pub fn epd(game: &GameRecord) -> Result<String, IllegalGame> {
    let moves =
        game.opening.moves.iter().copied().chain(game.played.iter().map(|played| played.mv)).collect();
    let referee = Referee::new(&GamePosition { start: game.opening.start.clone(), moves })?;
    let position = referee.position();
    let epd = Epd::from_position(position, EnPassantMode::Legal);
    Ok(format!("{epd} hmvc {}; fmvn {};\n", position.halfmoves(), position.fullmoves()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameEnd, GameOutcome, MoveRecord};

    fn game(fen: &str, book: &str, moves: &[&str]) -> GameRecord {
        let played = moves.iter().map(|mv| MoveRecord::new(mv.parse().expect(mv)));
        GameRecord {
            played: played.collect(),
            ..GameRecord::new(
                ["A", "B"],
                GamePosition::parse(fen, book).expect(fen),
                GameOutcome::Draw,
                GameEnd::FiftyMoves,
            )
        }
    }

    #[test]
    fn final_position_is_that_after_the_last_move() {
        let table: [(_, _, &[&str], _); 4] = [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "", &[], "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 3; fmvn 9;\n"),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9",
                "e1d1",
                &["e8e7"],
                "8/4k3/8/8/8/8/4P3/3K4 w - - hmvc 5; fmvn 10;\n",
            ),
            // The en-passant square is written only if the capture is legal.
            (
                "4k3/8/8/8/8/8/4P3/4K3 w - - 3 9",
                "",
                &["e2e4"],
                "4k3/8/8/8/4P3/8/8/4K3 b - - hmvc 0; fmvn 9;\n",
            ),
            (
                "4k3/8/8/8/3p4/8/4P3/4K3 w - - 3 9",
                "",
                &["e2e4"],
                "4k3/8/8/8/3pP3/8/8/4K3 b - e3 hmvc 0; fmvn 9;\n",
            ),
        ];
        for (fen, book, moves, expected) in table {
            assert_eq!(epd(&game(fen, book, moves)).expect("legal"), expected);
        }
        assert!(epd(&game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", &["e2e5"])).is_err());
    }
}
