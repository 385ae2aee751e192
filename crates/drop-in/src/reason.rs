//! The reason of a game's end, as fastchess and cutechess-cli print it.
//!
//! `OpenBench` counts crashes, time losses and illegal moves by the words "disconnect", "stalls", "on time"
//! and "illegal", so no other reason may have them.

use shakmaty::Color;

use super::peer::Peer;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
use threefold_player::FaultCause;

/// What the end lines count for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    OnTime,
    ByCrash,
}

/// The reason, in the words of the program that it stands in for. They differ where cutechess-cli names an
/// illegal move and leaves out the size of an overrun.
pub(super) fn reason(peer: Peer, game: &GameRecord) -> String {
    let (winner, loser) = match game.outcome {
        GameOutcome::White => (Color::White, Color::Black),
        // The reason of a draw names no player.
        GameOutcome::Black | GameOutcome::Draw => (Color::Black, Color::White),
    };
    let (winner, loser) = (name(winner), name(loser));
    match &game.end {
        GameEnd::Checkmate => format!("{winner} mates"),
        GameEnd::Stalemate => "Draw by stalemate".to_owned(),
        GameEnd::Threefold => "Draw by 3-fold repetition".to_owned(),
        GameEnd::FiftyMoves => "Draw by fifty moves rule".to_owned(),
        GameEnd::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
        GameEnd::Adjudicated(rule) => {
            // Only the remark for Syzygy tables is fastchess' own.
            let remark = if rule.name == "syzygy" { rule.remark } else { "" };
            match game.outcome {
                GameOutcome::Draw => format!("Draw by adjudication{remark}"),
                GameOutcome::White | GameOutcome::Black => format!("{winner} wins by adjudication{remark}"),
            }
        }
        GameEnd::TimeForfeit { over, .. } => match peer {
            Peer::Fastchess => format!("{loser} loses on time ({}ms overrun)", over.as_millis()),
            Peer::Cutechess => format!("{loser} loses on time"),
        },
        GameEnd::IllegalMove(text) => match (peer, text.split_ascii_whitespace().next()) {
            (Peer::Cutechess, Some(word)) => format!("{loser} makes an illegal move: {}", printable(word)),
            (Peer::Fastchess | Peer::Cutechess, _) => format!("{loser} makes an illegal move"),
        },
        GameEnd::EngineFault(fault) if fault.cause == FaultCause::NoAnswer => {
            format!("{loser}'s connection stalls")
        }
        GameEnd::EngineFault(_) => format!("{loser} disconnects"),
    }
}

/// A word of an engine in a line that programs read.
fn printable(word: &str) -> String {
    word.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

/// Whose loss the end lines count, and under what.
pub(super) fn counted_loss(game: &GameRecord) -> Option<(&str, Loss)> {
    let loser = match game.outcome {
        GameOutcome::White => &game.players[1],
        GameOutcome::Black => &game.players[0],
        GameOutcome::Draw => return None,
    };
    match game.end {
        GameEnd::TimeForfeit { .. } => Some((loser, Loss::OnTime)),
        GameEnd::EngineFault(_) => Some((loser, Loss::ByCrash)),
        _ => None,
    }
}

/// The result as PGN writes it.
pub(super) const fn result(outcome: GameOutcome) -> &'static str {
    match outcome {
        GameOutcome::White => "1-0",
        GameOutcome::Black => "0-1",
        GameOutcome::Draw => "1/2-1/2",
    }
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_games::playout::adjudication::RuleKind;
    use threefold_player::RecordedFault;

    fn game(outcome: GameOutcome, end: GameEnd) -> GameRecord {
        GameRecord::new(["A", "B"], GamePosition::start_position(), outcome, end)
    }

    #[test]
    fn reasons_have_the_words_that_test_frameworks_count() {
        let rule = |name| GameEnd::Adjudicated(RuleKind::named(name).expect("a rule"));
        let fault =
            |cause| GameEnd::EngineFault(RecordedFault { cause, detail: "timeout, stalled".to_owned() });
        let illegal = |text: &str| GameEnd::IllegalMove(text.to_owned());
        let over = Duration::from_micros(14_700);
        let table = [
            (GameOutcome::White, GameEnd::Checkmate, "White mates", None),
            (GameOutcome::Draw, GameEnd::Stalemate, "Draw by stalemate", None),
            (GameOutcome::Draw, GameEnd::Threefold, "Draw by 3-fold repetition", None),
            (GameOutcome::Draw, GameEnd::FiftyMoves, "Draw by fifty moves rule", None),
            (GameOutcome::Draw, GameEnd::InsufficientMaterial, "Draw by insufficient mating material", None),
            (GameOutcome::Draw, rule("draw"), "Draw by adjudication", None),
            (GameOutcome::Draw, rule("max-moves"), "Draw by adjudication", None),
            (GameOutcome::Black, rule("resign"), "Black wins by adjudication", None),
            (
                GameOutcome::Black,
                GameEnd::TimeForfeit { over, margin: Duration::ZERO, delays: None },
                "White loses on time (14ms overrun)",
                Some(("A", Loss::OnTime)),
            ),
            (GameOutcome::White, illegal("e2e5"), "Black makes an illegal move", None),
            (GameOutcome::White, illegal("A1A1"), "Black makes an illegal move", None),
            (GameOutcome::White, illegal(""), "Black makes an illegal move", None),
            (GameOutcome::White, fault(FaultCause::Crash), "Black disconnects", Some(("B", Loss::ByCrash))),
            (
                GameOutcome::Black,
                fault(FaultCause::NoAnswer),
                "White's connection stalls",
                Some(("A", Loss::ByCrash)),
            ),
        ];
        for (outcome, end, text, loss) in table {
            let game = game(outcome, end);
            assert_eq!((reason(Peer::Fastchess, &game).as_str(), counted_loss(&game)), (text, loss));
        }
    }

    #[test]
    fn cutechess_names_the_illegal_move() {
        let table = [
            ("e2e5", "White makes an illegal move: e2e5"),
            ("A1A1", "White makes an illegal move: A1A1"),
            ("(none)", "White makes an illegal move: (none)"),
            ("Nf9 ponder e7e5", "White makes an illegal move: Nf9"),
            ("a\u{1b}[2J", "White makes an illegal move: a?[2J"),
            ("", "White makes an illegal move"),
        ];
        for (given, text) in table {
            let game = game(GameOutcome::Black, GameEnd::IllegalMove(given.to_owned()));
            assert_eq!(reason(Peer::Cutechess, &game), text);
            assert_eq!(reason(Peer::Fastchess, &game), "White makes an illegal move");
        }
        let over = Duration::from_millis(7);
        let late = GameEnd::TimeForfeit { over, margin: Duration::ZERO, delays: None };
        assert_eq!(reason(Peer::Cutechess, &game(GameOutcome::Black, late)), "White loses on time");
    }
}
