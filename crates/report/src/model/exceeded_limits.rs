//! Engines that do not keep the limits of their searches, as a sentence of the headline.

use shakmaty::Color;

use crate::format;
use crate::model::report::{MatchPart, Report};
use crate::model::warnings::WarningGroup;
use threefold_games::warning::WarningRule;

/// The headline names a limit that an engine exceeds in this share of its moves or more.
const NAMED_SHARE: f64 = 0.01;

impl Report {
    /// The limits that an engine exceeds in 1 % of its moves or more: `Cheat exceeded its node limit in 573
    /// of 573 moves`.
    pub(crate) fn exceeded_limits(&self) -> Vec<String> {
        let groups = self.warnings();
        groups
            .iter()
            .filter_map(|group| {
                let limit = limit(group.rule)?;
                let part = self.matches.iter().find(|part| part.name == group.part)?;
                let WarningGroup { engine, count, .. } = group;
                // The last move of a lost game may not have been played.
                let moves = moves(part, engine).max(*count);
                let [count_text, moves_text] = [*count, moves].map(format::grouped);
                (*count as f64 >= NAMED_SHARE * moves as f64)
                    .then(|| format!("{engine} exceeded its {limit} in {count_text} of {moves_text} moves."))
            })
            .collect()
    }
}

/// The limit that a rule is about, if it is about one.
const fn limit(rule: WarningRule) -> Option<&'static str> {
    match rule {
        WarningRule::NodesOverLimit => Some("node limit"),
        WarningRule::DepthOverLimit => Some("depth limit"),
        WarningRule::MovetimeOverLimit => Some("time for a move"),
        _ => None,
    }
}

/// The number of moves of an engine.
fn moves(part: &MatchPart, engine: &str) -> u64 {
    let games = part.games.iter().map(|game| &game.record);
    let of_game = games.map(|game| {
        let sides = Color::ALL.into_iter().filter(|color| game.players[color.fold_wb(0, 1)] == engine);
        // Of an odd number of plies the side that begins has one more.
        sides.map(|color| game.played.plies.midpoint(usize::from(game.begins() == color))).sum::<usize>()
    });
    of_game.sum::<usize>() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::fixture;
    use threefold_games::warning::GameWarning;

    #[test]
    fn headline_names_limits_that_are_exceeded_in_one_move_of_a_hundred() {
        let mut report = fixture::report();
        report.matches.truncate(1);
        let part = &mut report.matches[0];
        part.games.truncate(1);
        let game = &mut part.games[0].record;
        let engine = game.players[0].clone();
        game.played.plies = 400;
        for (rule, count, text) in [
            (WarningRule::NodesOverLimit, 1, None),
            (WarningRule::NodesOverLimit, 2, Some("node limit in 2 of 200 moves.")),
            (WarningRule::DepthOverLimit, 200, Some("depth limit in 200 of 200 moves.")),
            (WarningRule::MovetimeOverLimit, 201, Some("time for a move in 201 of 201 moves.")),
            (WarningRule::NoScore, 200, None),
        ] {
            let warning =
                GameWarning { rule, side: Color::White, count, ply: 0, detail: String::new(), line: None };
            report.matches[0].games[0].record.warnings = vec![warning];
            let expected = text.map(|text| format!("{engine} exceeded its {text}"));
            assert_eq!(report.exceeded_limits().first(), expected.as_ref(), "{rule} {count}");
            if let Some(expected) = expected {
                assert!(report.headline().contains(&expected), "{}", report.headline());
            }
        }
    }
}
