//! A finished game without its moves: what a run keeps of it in memory.
//!
//! The moves of a game take a hundred times as much memory as the rest. They stay in the journal.

use std::time::Duration;

use shakmaty::Color;
use shakmaty::uci::UciMove;

use super::game::{GameRecord, MoveRecord};
use super::game_identity::GameIdentity;
use super::warning::GameWarning;
use crate::playout::ShadowEnd;
use threefold_chess::position::GamePosition;

/// A finished game without its moves.
pub type GameSummary = GameRecord<MoveSummary>;

/// What is kept of the moves of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveSummary {
    /// The number of moves of both sides.
    pub plies: usize,
    /// Identifies the game by its moves; `None` if they are not known.
    pub identity: Option<GameIdentity>,
    /// The times of White and Black.
    pub sides: [SideTimes; 2],
    /// The time that both sides used after each of [`GameRecord::shadow`].
    pub used_after_shadow: Vec<Duration>,
    /// The moves before the last warning, which show the positions of the warnings.
    pub until_warned: Vec<UciMove>,
}

/// The times of one side's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SideTimes {
    /// The time used, on the game's own clock.
    pub used: Duration,
    /// The clock's time left and the time used on it; `None` if the side's clock cannot run out.
    pub clock: Option<ClockTimes>,
}

/// The times of one side's moves on a clock that runs out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTimes {
    /// The number of moves.
    pub moves: u64,
    /// Their time in total.
    pub total: Duration,
    /// The longest time for a move.
    pub longest: Duration,
    /// The least time that was left after a move.
    pub least_left: Duration,
}

impl SideTimes {
    fn from_moves<'g>(moves: impl Iterator<Item = &'g MoveRecord>) -> Self {
        let mut times = Self::default();
        for played in moves {
            let Some(used) = played.used else { continue };
            times.used += used;
            if let Some(left) = played.left {
                let one = ClockTimes { moves: 1, total: used, longest: used, least_left: left };
                times.clock = Some(times.clock.map_or(one, |clock| clock.with(one)));
            }
        }
        times
    }
}

impl ClockTimes {
    /// These moves and other ones.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            moves: self.moves + other.moves,
            total: self.total + other.total,
            longest: self.longest.max(other.longest),
            least_left: self.least_left.min(other.least_left),
        }
    }
}

impl GameRecord {
    /// The game without its moves.
    pub fn summary(&self) -> GameSummary {
        let Self { players, opening, played, outcome, end, warnings, shadow, times } = self;
        let warned = warnings.iter().map(|warning| warning.ply).max().unwrap_or(0);
        GameSummary {
            players: players.clone(),
            opening: opening.clone(),
            played: MoveSummary {
                plies: played.len(),
                identity: Some(self.identity()),
                sides: [Color::White, Color::Black].map(|color| SideTimes::from_moves(self.moves_of(color))),
                used_after_shadow: shadow
                    .iter()
                    .map(|end| used(played.get(end.ply..).unwrap_or_default()))
                    .collect(),
                until_warned: played.iter().take(warned).map(|played| played.mv).collect(),
            },
            outcome: *outcome,
            end: end.clone(),
            warnings: warnings.clone(),
            shadow: shadow.clone(),
            times: *times,
        }
    }
}

/// The time used for these moves.
fn used(moves: &[MoveRecord]) -> Duration {
    moves.iter().filter_map(|played| played.used).sum()
}

impl GameSummary {
    /// The time that both sides used, on the game's own clock.
    pub fn used(&self) -> Duration {
        self.played.sides.iter().map(|side| side.used).sum()
    }

    /// What adjudication would have done in shadow mode, the earliest first, with the time that both sides
    /// used after it.
    pub fn shadow_ends(&self) -> impl Iterator<Item = (ShadowEnd, Duration)> {
        self.shadow.iter().copied().zip(self.played.used_after_shadow.iter().copied())
    }

    /// The position in which a warning first happened, with the moves that lead to it.
    pub fn warned_position(&self, warning: &GameWarning) -> GamePosition {
        let mut position = self.opening.clone();
        position.moves.extend(self.played.until_warned.iter().take(warning.ply));
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameEnd, GameOutcome};
    use crate::playout::RuleKind;
    use crate::warning::WarningRule;

    #[test]
    fn summary_has_the_times_and_the_positions_of_warnings() {
        let warning = |ply| GameWarning {
            rule: WarningRule::NoScore,
            side: Color::White,
            count: 1,
            ply,
            detail: String::new(),
            line: None,
        };
        let end = |ply| ShadowEnd {
            rule: RuleKind::named("draw").expect("a rule"),
            outcome: GameOutcome::Draw,
            ply,
        };
        let played = |mv: &str, used: Option<u64>, left: Option<u64>| MoveRecord {
            used: used.map(Duration::from_millis),
            left: left.map(Duration::from_millis),
            ..MoveRecord::new(mv.parse().expect(mv))
        };
        let game = GameRecord {
            played: vec![
                played("e8e7", Some(30), Some(900)),
                played("e2e4", Some(5), None),
                played("e7e6", Some(70), Some(800)),
                played("e1e2", None, None),
                played("e6e5", Some(10), Some(850)),
            ],
            warnings: [2, 1].map(warning).to_vec(),
            shadow: [1, 5].map(end).to_vec(),
            ..GameRecord::new(
                ["A", "B"],
                GamePosition::parse("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", "").expect("sound"),
                GameOutcome::Draw,
                GameEnd::Stalemate,
            )
        };
        let warned =
            |game: &GameSummary| game.warnings.iter().map(|it| game.warned_position(it)).collect::<Vec<_>>();
        let expected: Vec<_> = game.warnings.iter().map(|it| game.warned_position(it)).collect();
        assert_eq!(warned(&game.summary()), expected);
        assert_eq!(expected[0].moves_text(), "e8e7 e2e4");
        let millis = Duration::from_millis;
        let clock = ClockTimes { moves: 3, total: millis(110), longest: millis(70), least_left: millis(800) };
        let expected = MoveSummary {
            plies: 5,
            identity: Some(game.identity()),
            sides: [
                SideTimes { used: millis(5), clock: None },
                SideTimes { used: millis(110), clock: Some(clock) },
            ],
            used_after_shadow: [85, 0].map(millis).to_vec(),
            until_warned: ["e8e7", "e2e4"].map(|mv| mv.parse().expect(mv)).to_vec(),
        };
        assert_eq!(game.summary().played, expected);
    }
}
