//! Warnings about the output of engines in games, by engine and rule.

use std::fmt;

use serde_json::{Value, json};

use crate::format;
use crate::model::position_fen::fen;
use crate::model::report::Report;
use threefold_chess::position::GamePosition;
use threefold_games::warning::WarningRule;

/// The warnings of one rule about one engine in a part of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarningGroup {
    /// The name of the engine that printed the line.
    pub engine: String,
    /// The part of the run.
    pub part: String,
    /// The rule that the output breaks.
    pub rule: WarningRule,
    /// How often it happened.
    pub count: u64,
    /// In how many games.
    pub games: usize,
    /// The number of the first such game, from 1.
    pub first_game: usize,
    /// The position in which it first happened, with the moves that lead to it.
    pub position: GamePosition,
    /// What happened there.
    pub detail: String,
}

impl WarningGroup {
    /// Its object in `report.json`.
    pub(crate) fn json(&self) -> Value {
        json!({
            "engine": self.engine, "part": self.part, "rule": self.rule.name(), "meaning": self.rule.summary(),
            "count": self.count, "games": self.games, "first_game": self.first_game,
            "position": self.position.to_string(), "detail": self.detail,
        })
    }

    /// One line of a list, without the position: `games: new: no-score: …, 7 times in 2 games; first in game
    /// 3`.
    pub(crate) fn in_short(&self) -> String {
        let Self { engine, part, rule, first_game, .. } = self;
        format!(
            "{part}: {engine}: {rule}: {}, {}; first in game {first_game}",
            rule.summary(),
            self.occurrences()
        )
    }

    /// `12 times in 3 games`.
    pub fn occurrences(&self) -> String {
        let times = if self.count == 1 {
            "once".to_owned()
        } else {
            format!("{} times", format::grouped(self.count))
        };
        format!("{times} in {}", format::count(self.games, "game"))
    }
}

/// Without the part, which the reader knows from the place of the line.
impl fmt::Display for WarningGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, rule, first_game, detail, position, .. } = self;
        // A game has hundreds of moves; `report.json` has them.
        let position = fen(position);
        write!(
            f,
            "{engine}: {rule}: {}, {}; first in game {first_game}: {detail}; position {position}",
            rule.summary(),
            self.occurrences()
        )
    }
}

impl Report {
    /// The warnings that count, in the order of their first occurrences.
    pub fn warnings(&self) -> Vec<WarningGroup> {
        let mut groups: Vec<WarningGroup> = Vec::new();
        for part in &self.matches {
            let first_of_part = groups.len();
            for game in &part.games {
                for warning in &game.record.warnings {
                    let engine = game.record.warned_engine(warning);
                    let known = groups[first_of_part..]
                        .iter_mut()
                        .find(|group| group.rule == warning.rule && group.engine == engine);
                    if let Some(group) = known {
                        group.count += u64::from(warning.count);
                        // A game has at most one warning of each rule and side, which holds the count.
                        group.games += 1;
                    } else {
                        groups.push(WarningGroup {
                            engine: engine.to_owned(),
                            part: part.name.clone(),
                            rule: warning.rule,
                            count: warning.count.into(),
                            games: 1,
                            first_game: game.number,
                            position: game.record.warned_position(warning),
                            detail: warning.detail.clone(),
                        });
                    }
                }
            }
        }
        groups
    }

    /// How many warnings each engine has, the most first: `4 warnings (Base 3, New 1)`; `None` without any.
    pub fn warning_summary(&self) -> Option<String> {
        summary(&self.warnings())
    }
}

/// How many of these warnings each engine has, the most first; `None` without any.
pub(crate) fn summary(groups: &[WarningGroup]) -> Option<String> {
    let mut by_engine: Vec<(&str, u64)> = Vec::new();
    for group in groups {
        match by_engine.iter_mut().find(|(engine, _)| *engine == group.engine) {
            Some((_, count)) => *count += group.count,
            None => by_engine.push((&group.engine, group.count)),
        }
    }
    by_engine.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let total: u64 = by_engine.iter().map(|&(_, count)| count).sum();
    let named: Vec<String> =
        by_engine.iter().map(|(engine, count)| format!("{engine} {}", format::grouped(*count))).collect();
    let noun = if total == 1 { "warning" } else { "warnings" };
    (total > 0).then(|| format!("{} {noun} ({})", format::grouped(total), named.join(", ")))
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::model::fixture;
    use threefold_games::warning::GameWarning;

    fn warning(rule: WarningRule, side: Color, count: u32, ply: usize) -> GameWarning {
        GameWarning { rule, side, count, ply, detail: format!("detail {count}"), line: None }
    }

    #[test]
    fn equal_warnings_are_one_line_with_their_first_occurrence() {
        let mut report = fixture::report();
        for part in &mut report.matches {
            part.games.iter_mut().for_each(|game| game.record.warnings.clear());
        }
        assert_eq!((report.warnings(), report.warning_summary()), (Vec::new(), None));
        let games = &mut report.matches[0].games;
        let mut game = games[0].clone();
        games.clear();
        // In the second game the engines have changed sides.
        game.number = 3;
        game.record.warnings = vec![
            warning(WarningRule::NoScore, Color::White, 5, 1),
            warning(WarningRule::NoScore, Color::Black, 1, 2),
            warning(WarningRule::MateSigns, Color::White, 1, 2),
        ];
        games.push(game.clone());
        game.number = 4;
        game.record.players.reverse();
        game.record.warnings = vec![warning(WarningRule::NoScore, Color::Black, 2, 0)];
        games.push(game);
        let groups = report.warnings();
        assert_eq!(groups.len(), 3, "{groups:#?}");
        assert_eq!(
            groups[0].to_string(),
            "new: no-score: The engine moves without having reported a score, 7 times in 2 games; first in game 3: \
             detail 5; position rnbqkbnr/pppppppp/8/8/8/5P2/PPPPP1PP/RNBQKBNR b KQkq - 0 1"
        );
        assert_eq!(groups[1].occurrences(), "once in 1 game");
        assert_eq!(report.warning_summary().as_deref(), Some("9 warnings (new 8, old 1)"));
    }
}
