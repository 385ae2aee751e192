//! Ratings with errors from the games of a calibration or of any match.
//!
//! The unit is logistic Elo between players of nearly equal strength: a difference of 100 is an expected
//! score of 64 %.

use nalgebra::DMatrix;

use crate::job::white_result;
use threefold_games::game_identity::{GameIdentity, SeenEncounters};
use threefold_games::game_summary::GameSummary;
use threefold_games::pairing::ScheduledGame;
use threefold_stats::GameResult;
use threefold_stats::elo::Z95;
use threefold_stats::rating::{
    self, Crosstable, ParameterPrior, PlayerIndex, RatingAnchor, RatingError, RatingModel, RatingPoints,
    RatingSettings, Reference, Uncertainty,
};

/// A player's rating.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerRating {
    /// The player's name.
    pub player: String,
    /// Logistic Elo above the first player.
    pub elo: f64,
    /// Half of the 95 % confidence interval, in Elo: 1.96 standard errors, clustered by pair. Zero for the
    /// first player.
    pub error: f64,
    /// Points from games played.
    pub points: f64,
    /// Games played.
    pub games: u64,
}

/// All ratings, in the order of the players.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingScale {
    /// One for each player.
    pub ratings: Vec<PlayerRating>,
    /// The advantage of White, in Elo.
    pub white_advantage: f64,
    /// The probability of a draw between equal players, from 0 to 1.
    pub draw_rate: f64,
    /// The covariance of the ratings' errors, in Elo squared, relative to the first player, whose row is
    /// zero.
    pub covariance: DMatrix<f64>,
}

/// Why games determine no ratings.
pub type Unrated = RatingError;

/// Fits ratings to games in schedule order; the first player's rating is 0. The model is Davidson's, in which
/// draws do not shrink differences.
pub fn fit<'g>(
    players: &[String],
    games: impl IntoIterator<Item = (ScheduledGame, &'g GameSummary)>,
) -> Result<RatingScale, Unrated> {
    let mut table = Crosstable::new(players);
    let seats: Vec<PlayerIndex> = table.seats().collect();
    record(&mut table, &seats, games);
    rate(&table, RatingModel::Davidson)
}

/// Counts the games of a match in schedule order; `seats` are its players' places in the table.
///
/// Both games of a pair are one observation; a game without its partner counts alone. Each distinct pair
/// counts once: a repeated one is no new evidence.
pub(super) fn record<'g>(
    table: &mut Crosstable,
    seats: &[PlayerIndex],
    games: impl IntoIterator<Item = (ScheduledGame, &'g GameSummary)>,
) {
    let mut seen = SeenEncounters::default();
    let mut waiting: Option<RatedGame> = None;
    for (scheduled, game) in games {
        let (white, identity) = (white_result(game), game.played.identity);
        match waiting.take() {
            Some(first) if first.scheduled.encounter == scheduled.encounter => {
                if seen.is_new(&[first.identity, identity]) {
                    let [white_seat, black_seat] = [first.scheduled.white, first.scheduled.black];
                    // The second game has swapped colours, so its result is reversed.
                    table.record_pair(seats[white_seat], seats[black_seat], [first.white, white.reversed()]);
                }
            }
            alone => {
                record_alone(table, seats, &mut seen, alone.as_ref());
                waiting = Some(RatedGame { scheduled, white, identity });
            }
        }
    }
    record_alone(table, seats, &mut seen, waiting.as_ref());
}

/// A game as ratings need it.
struct RatedGame {
    scheduled: ScheduledGame,
    /// The result of White.
    white: GameResult,
    identity: Option<GameIdentity>,
}

/// Fits ratings to all games of a table by a model; the first player's rating is 0.
pub fn rate(table: &Crosstable, model: RatingModel) -> Result<RatingScale, Unrated> {
    let players = table.names();
    let anchors = vec![RatingAnchor::fixed(PlayerIndex(0), RatingPoints(0.0))];
    let mut terms =
        RatingSettings { anchors, scale: rating::RatingScale::LOGISTIC, ..RatingSettings::new(model) };
    if model == RatingModel::Ordo {
        // The model uses points only: the share of draws has no effect.
        terms.draw_rate = ParameterPrior::Fixed(0.5);
    }
    let fit = rating::rate(table, &terms)?;
    let logistic = fit.logistic_scale();
    let error = |seat| {
        fit.clustered.standard_error(seat, Reference::Anchors).expect("gaps are refused: all are fitted")
    };
    Ok(RatingScale {
        ratings: (players.iter().zip(&fit.players).zip(table.seats()))
            .map(|((player, rated), seat)| PlayerRating {
                player: player.clone(),
                elo: rated.rating.0 * logistic,
                error: Z95 * error(seat) * logistic,
                points: rated.points,
                games: rated.games,
            })
            .collect(),
        white_advantage: fit.white_advantage.0 * logistic,
        draw_rate: fit.draw_rate,
        covariance: covariance(&fit.clustered, logistic, players.len()),
    })
}

/// The covariance matrix of the errors, relative to the first player.
fn covariance(errors: &Uncertainty, logistic: f64, players: usize) -> DMatrix<f64> {
    let variance = |error: Option<f64>| (error.expect("gaps are refused: all are fitted") * logistic).powi(2);
    let own = |a| variance(errors.standard_error(PlayerIndex(a), Reference::Anchors));
    let between = |a, b| variance(errors.between(PlayerIndex(a), PlayerIndex(b)));
    // cov(a, b) = (var a + var b − var(a − b)) / 2.
    DMatrix::from_fn(players, players, |a, b| (own(a) + own(b) - between(a, b)) / 2.0)
}

fn record_alone(
    table: &mut Crosstable,
    seats: &[PlayerIndex],
    seen: &mut SeenEncounters,
    game: Option<&RatedGame>,
) {
    if let Some(RatedGame { scheduled, white, identity }) = game
        && seen.is_new(&[*identity])
    {
        table.record_game(seats[scheduled.white], seats[scheduled.black], *white);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_games::game::{GameEnd, GameOutcome, GameRecord};
    use threefold_games::game_summary::MoveSummary;
    use threefold_games::pairing::{Schedule, ScheduleRules, TournamentFormat};

    /// A game whose moves are not known.
    fn game(outcome: GameOutcome) -> GameSummary {
        let summary = played_game(outcome).summary();
        GameSummary { played: MoveSummary { identity: None, ..summary.played.clone() }, ..summary }
    }

    fn played_game(outcome: GameOutcome) -> GameRecord {
        let players = [String::new(), String::new()];
        let end = GameEnd::Checkmate;
        let opening = GamePosition::start_position();
        GameRecord::new(players, opening, outcome, end)
    }

    #[test]
    fn repeated_pair_is_rated_once() {
        use GameOutcome::{Black, White};
        // Three pairs of two engines again and again: A wins both games of one, and they win one each in the
        // others.
        let pairs = [[White, Black], [White, White], [Black, Black]];
        let games = |repeats: usize| -> Vec<(ScheduledGame, GameSummary)> {
            let schedule = Schedule {
                players: 2,
                format: TournamentFormat::RoundRobin,
                encounters: 3 * repeats,
                openings: 3,
                rules: ScheduleRules::default(),
            };
            let game = |scheduled: ScheduledGame| {
                let players = if scheduled.white == 0 { ["A", "B"] } else { ["B", "A"] };
                let mut game = played_game(pairs[scheduled.opening][scheduled.index % 2]);
                game.players = players.map(str::to_owned);
                game.opening = GamePosition::parse(
                    &format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}", scheduled.opening + 1),
                    "",
                )
                .expect("sound");
                (scheduled, game.summary())
            };
            schedule.all_games().map(game).collect()
        };
        let rated = |repeats: usize| {
            let (games, names) = (games(repeats), ["A", "B"].map(str::to_owned));
            fit(&names, games.iter().map(|(scheduled, game)| (*scheduled, game))).expect("mixed results")
        };
        assert_eq!(rated(1), rated(50));
        assert_eq!(rated(50).ratings[1].games, 6);
    }

    fn scale(
        players: &[&str],
        rounds: usize,
        outcome: impl Fn(ScheduledGame) -> GameOutcome,
    ) -> Result<RatingScale, Unrated> {
        let encounters = rounds * players.len() * (players.len() - 1) / 2;
        let schedule = Schedule {
            players: players.len(),
            format: TournamentFormat::RoundRobin,
            encounters,
            openings: 1,
            rules: ScheduleRules::default(),
        };
        let games: Vec<_> =
            schedule.all_games().map(|scheduled| (scheduled, game(outcome(scheduled)))).collect();
        let names: Vec<String> = players.iter().map(ToString::to_string).collect();
        fit(&names, games.iter().map(|(scheduled, game)| (*scheduled, game)))
    }

    #[test]
    fn more_wins_give_a_higher_rating() {
        // The stronger of two players wins three pairs of four and loses the fourth.
        let fitted = scale(&["A", "B", "C"], 40, |scheduled| {
            if (scheduled.white > scheduled.black) == (scheduled.round % 4 > 0) {
                GameOutcome::White
            } else {
                GameOutcome::Black
            }
        });
        let RatingScale { ratings, white_advantage, draw_rate, covariance } =
            fitted.expect("connected and mixed");
        let [a, b, c] = &ratings[..] else { panic!("three players") };
        assert_eq!((a.elo, a.error, a.games, a.points), (0.0, 0.0, 160, 40.0));
        assert!(b.elo > 100.0 && c.elo > b.elo + 100.0, "{ratings:?}");
        assert!((c.points, c.games) == (120.0, 160) && c.error > b.error && b.error > 20.0, "{ratings:?}");
        let of_pair = |one: usize, other: usize| covariance[(one, other)];
        assert_eq!((of_pair(0, 0), of_pair(0, 2), of_pair(2, 0)), (0.0, 0.0, 0.0));
        assert!((Z95 * of_pair(2, 2).sqrt() - c.error).abs() < 1e-9 && of_pair(1, 2) > 0.0);
        assert!(white_advantage.abs() < 1e-6 && draw_rate < 1e-3, "{white_advantage} {draw_rate}");
    }

    #[test]
    fn games_without_information_are_reported() {
        assert_eq!(scale(&["A", "B"], 5, |_| GameOutcome::Draw), Err(RatingError::OnlyDraws));
        let swept =
            scale(
                &["A", "B"],
                5,
                |scheduled| if scheduled.white == 0 { GameOutcome::White } else { GameOutcome::Black },
            );
        assert!(matches!(swept, Err(RatingError::Swept { .. })), "{swept:?}");
    }
}
