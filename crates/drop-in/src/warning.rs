//! Warnings about the output of engines, in the words of fastchess. fishtest stops a task at most of them.

use threefold_chess::position::GamePosition;
use threefold_games::game::GameRecord;
use threefold_games::warning::{GameWarning, WarnedLine, WarningRule};

/// Which warnings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Checked {
    /// All except those about the PVs of mate scores: the default of fastchess.
    Usual,
    /// All, including those about the PVs of mate scores (`-check-mate-pvs`).
    MatePvs,
}

/// A line for each rule that an engine broke in a game, with its first occurrence.
pub(super) fn lines(game: &GameRecord, checked: Checked) -> Vec<String> {
    game.warnings.iter().filter_map(|warning| line(game, warning, checked)).collect()
}

/// The line of one warning, in fastchess's `-testEnv` format; `None` if it is not printed.
fn line(game: &GameRecord, warning: &GameWarning, checked: Checked) -> Option<String> {
    let what = what(warning.rule, checked)?;
    let engine = game.warned_engine(warning);
    if warning.rule == WarningRule::NoScore {
        return Some(format!("Warning; {what} {engine}"));
    }
    let position = game.warned_position(warning);
    let start = if position.start == GamePosition::start_position().start {
        "startpos".to_owned()
    } else {
        format!("fen {}", position.start)
    };
    let moves = position.moves_text();
    let (of, info) = match &warning.line {
        Some(WarnedLine { mv: Some(mv), text }) => (format!("- move {mv} from"), text.clone()),
        Some(WarnedLine { mv: None, text }) => ("- from".to_owned(), text.clone()),
        None => ("from".to_owned(), warning.detail.replace('\n', " ")),
    };
    Some(format!("Warning; {what} {of} {engine} :: Info; {info} :: Position; {start} :: Moves; {moves}"))
}

/// The text of fastchess for a rule; `None` for a rule that fastchess does not check, or that is not
/// `checked`.
const fn what(rule: WarningRule, checked: Checked) -> Option<&'static str> {
    let mates = matches!(checked, Checked::MatePvs);
    match rule {
        WarningRule::IllegalPvMove => Some("Illegal PV move"),
        WarningRule::PvAfterCheckmate => Some("PV continues after checkmate"),
        WarningRule::PvAfterStalemate => Some("PV continues after stalemate"),
        WarningRule::PvAfterThreefold => Some("PV continues after threefold repetition"),
        WarningRule::PvAfterFiftyMoves => Some("PV continues after fifty-move rule"),
        WarningRule::BestMoveNotInPv => Some("Bestmove does not match beginning of last PV"),
        WarningRule::MateSigns => Some("Sign mismatch in mate scores"),
        WarningRule::NoScore => Some("No info line available to extract score from engine"),
        WarningRule::ShortMatePv if mates => Some("Incomplete mating PV"),
        WarningRule::LongMatePv if mates => Some("Too long mating PV"),
        WarningRule::MatePvWithoutMate if mates => Some("Mating PV does not end with checkmate"),
        WarningRule::ShortMatePv
        | WarningRule::LongMatePv
        | WarningRule::MatePvWithoutMate
        | WarningRule::PvAfterInsufficientMaterial
        | WarningRule::IllegalPonderMove
        | WarningRule::MateZero
        | WarningRule::NodesOverLimit
        | WarningRule::DepthOverLimit
        | WarningRule::MovetimeOverLimit
        | WarningRule::OutputBetweenSearches
        | WarningRule::SlowReady
        | WarningRule::WrongWdl => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use threefold_games::game::{GameEnd, GameOutcome, MoveRecord};

    /// A game of one move.
    fn game() -> GameRecord {
        let mv = MoveRecord::new("e2e4".parse().expect("a move"));
        GameRecord {
            played: vec![mv],
            ..GameRecord::new(
                ["A", "B"],
                GamePosition::start_position(),
                GameOutcome::White,
                GameEnd::Checkmate,
            )
        }
    }

    #[test]
    fn warnings_have_the_words_that_fishtest_looks_for() {
        let mv = " - move e7e5 from B :: Info; info depth 1 time 3 pv e7e5";
        let pv = " - from B :: Info; info depth 1 time 3 pv e7e5";
        let table = [
            (WarningRule::IllegalPvMove, "Illegal PV move", mv),
            (WarningRule::PvAfterCheckmate, "PV continues after checkmate", mv),
            (WarningRule::PvAfterStalemate, "PV continues after stalemate", mv),
            (WarningRule::PvAfterThreefold, "PV continues after threefold repetition", mv),
            (WarningRule::PvAfterFiftyMoves, "PV continues after fifty-move rule", mv),
            (WarningRule::BestMoveNotInPv, "Bestmove does not match beginning of last PV", mv),
            (WarningRule::MateSigns, "Sign mismatch in mate scores", " from B :: Info; mate 3"),
            (WarningRule::NoScore, "No info line available to extract score from engine", " B"),
            (WarningRule::ShortMatePv, "Incomplete mating PV", pv),
            (WarningRule::LongMatePv, "Too long mating PV", pv),
            (WarningRule::MatePvWithoutMate, "Mating PV does not end with checkmate", pv),
        ];
        for (rule, what, rest) in table {
            let line = rest.contains("info depth").then(|| WarnedLine {
                mv: rest.contains("move").then(|| "e7e5".parse().expect("a move")),
                text: "info depth 1 time 3 pv e7e5".to_owned(),
            });
            let warning = GameWarning {
                rule,
                side: shakmaty::Color::Black,
                count: 2,
                ply: 1,
                detail: "mate 3".to_owned(),
                line,
            };
            let game = GameRecord { warnings: vec![warning], ..game() };
            let printed = lines(&game, Checked::MatePvs);
            let place =
                if rule == WarningRule::NoScore { "" } else { " :: Position; startpos :: Moves; e2e4" };
            assert_eq!(printed, [format!("Warning; {what}{rest}{place}")]);
            for word in ["disconnect", "stall", "on time", "timeout"] {
                assert!(!printed[0].contains(word), "{printed:?}");
            }
            let is_mate_pv = rule.name().contains("mate-pv");
            assert_eq!(lines(&game, Checked::Usual).is_empty(), is_mate_pv, "{rule}");
        }
    }
}
