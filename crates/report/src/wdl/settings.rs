//! Which positions a model is fitted to, and in which unit.

use threefold_games::scored_game::{ScoredGame, ScoredPosition};
use threefold_stats::wdl::WdlPosition;

threefold_named_enum::named_enum! {
    /// What a and b depend on.
    pub enum WdlBy {
        /// The material of both sides: 78 at the start, 9 for a queen, 5, 3, 3 and 1 for the other pieces.
        Material = "material",
        /// The number of the move.
        Move = "move",
    }
}

impl WdlBy {
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Material => "material",
            Self::Move => "move",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Move => "Move number",
        }
    }

    /// The m at which a polynomial is the sum of its coefficients, as Stockfish chose it.
    pub const fn default_target(self) -> u16 {
        match self {
            Self::Material => 58,
            Self::Move => 32,
        }
    }

    const fn of(self, position: &ScoredPosition) -> u16 {
        match self {
            Self::Material => position.material,
            Self::Move => position.move_number,
        }
    }
}

/// The model by which an engine already scales its scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitModel {
    /// What a depends on.
    pub by: WdlBy,
    /// Its coefficients, the highest power first.
    pub a: [f64; 4],
    /// The m at which a is their sum.
    pub target: f64,
    /// Values of m outside are taken as its ends.
    pub range: [u16; 2],
}

/// The engine's own units in a score of one pawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScoreUnit {
    /// The same number everywhere.
    Fixed(u32),
    /// The a of a model.
    Model(UnitModel),
}

impl ScoreUnit {
    /// The number of units at the target of a model.
    pub fn pawn(&self) -> f64 {
        match self {
            Self::Fixed(units) => f64::from(*units),
            Self::Model(model) => model.a.iter().sum::<f64>().round(),
        }
    }

    fn at(&self, position: &ScoredPosition) -> f64 {
        match self {
            Self::Fixed(units) => f64::from(*units),
            Self::Model(model) => {
                let [low, high] = model.range;
                let m = f64::from(model.by.of(position).clamp(low, high)) / model.target;
                model.a.iter().fold(0.0, |sum, coefficient| sum * m + coefficient)
            }
        }
    }
}

/// Which positions count. The defaults of the program are those of official-stockfish/WDL_model.
#[derive(Debug, Clone, PartialEq)]
pub struct WdlSettings {
    /// What a and b depend on.
    pub by: WdlBy,
    /// The m at which a polynomial is the sum of its coefficients.
    pub target: u16,
    /// The first and the last number of a move.
    pub moves: [u16; 2],
    /// The least and the most material.
    pub material: [u16; 2],
    /// Higher scores do not count, in centipawns.
    pub most: u16,
    /// Scores are rounded to multiples of this, in centipawns.
    pub bin: u16,
    /// The unit of the model.
    pub unit: ScoreUnit,
}

/// The numbers of positions that do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Of engines that were not asked for.
    pub other_engines: u64,
    /// Outside of the range of moves or of material.
    pub out_of_range: u64,
    /// With a mate or a score that is too high.
    pub high: u64,
}

impl WdlSettings {
    /// The positions of a game that count. `is_wanted` says whose scores count, by the engine's name.
    pub fn positions(
        &self,
        game: &ScoredGame,
        is_wanted: &dyn Fn(&str) -> bool,
        left_out: &mut LeftOut,
    ) -> Vec<WdlPosition> {
        let wanted = [is_wanted(&game.players[0]), is_wanted(&game.players[1])];
        let mut found = Vec::new();
        for position in &game.positions {
            let within = |range: [u16; 2], value: u16| (range[0]..=range[1]).contains(&value);
            if !wanted[usize::from(position.turn.is_black())] {
                left_out.other_engines += 1;
            } else if !within(self.moves, position.move_number) || !within(self.material, position.material) {
                left_out.out_of_range += 1;
            } else if let Some(score) = position.score.and_then(|score| self.score(score, position)) {
                let result = game.result_for(position.turn);
                found.push(WdlPosition { m: self.by.of(position), score, result });
            } else {
                left_out.high += 1;
            }
        }
        found
    }

    /// A score in the engine's own units; `None` if it is too high.
    fn score(&self, centipawns: i32, position: &ScoredPosition) -> Option<i32> {
        let bin = f64::from(self.bin);
        let rounded = (f64::from(centipawns) / bin).round() * bin;
        // Halves to even numbers, as Python rounds.
        let own = (rounded * self.unit.at(position) / 100.0).round_ties_even();
        (own.abs() <= self.reach()).then_some(own as i32)
    }

    /// The highest score that counts, in the engine's own units.
    pub fn reach(&self) -> f64 {
        // Rounded as scores are, so that a score at the limit counts.
        (f64::from(self.most) * self.unit.pawn() / 100.0).round_ties_even()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::super::fixture;
    use super::*;
    use threefold_stats::GameResult;

    #[test]
    fn positions_that_do_not_count_are_counted() {
        let position = |move_number, material, turn, score| ScoredPosition {
            move_number,
            material,
            turn,
            score,
            claim: None,
        };
        let game = ScoredGame {
            players: ["A", "B"].map(str::to_owned),
            result: GameResult::Win,
            positions: vec![
                position(9, 78, Color::White, Some(32)),
                position(9, 78, Color::Black, Some(-33)),
                position(9, 16, Color::White, Some(32)),
                position(121, 40, Color::White, Some(32)),
                position(9, 78, Color::White, Some(404)),
                position(9, 78, Color::White, Some(402)),
                position(9, 78, Color::White, None),
            ],
            without_score: 0,
            unread_comment: None,
        };
        let settings = fixture::settings();
        let mut left_out = LeftOut::default();
        let found = settings.positions(&game, &|name| name == "A", &mut left_out);
        let scores: Vec<_> = found.iter().map(|it| (it.m, it.score, it.result)).collect();
        assert_eq!(scores, [(78, 30, GameResult::Win), (78, 400, GameResult::Win)]);
        assert_eq!(left_out, LeftOut { other_engines: 1, out_of_range: 2, high: 2 });
        let black = settings.positions(&game, &|name| name == "B", &mut left_out);
        assert_eq!((black[0].score, black[0].result), (-35, GameResult::Loss));
    }

    #[test]
    fn scores_are_in_the_units_of_a_model() {
        let model =
            UnitModel { by: WdlBy::Material, a: [0.0, 0.0, 100.0, 200.0], target: 50.0, range: [20, 60] };
        let settings = WdlSettings { unit: ScoreUnit::Model(model), ..fixture::settings() };
        let position = |material| ScoredPosition {
            move_number: 9,
            material,
            turn: Color::White,
            score: None,
            claim: None,
        };
        assert_eq!(settings.score(100, &position(50)), Some(300));
        assert_eq!(settings.score(100, &position(10)), Some(240), "as with 20");
        assert_eq!((settings.reach(), settings.score(400, &position(60))), (1200.0, None));
        let fixed = WdlSettings { unit: ScoreUnit::Fixed(356), ..fixture::settings() };
        assert_eq!(fixed.score(-50, &position(50)), Some(-178));
    }
}
