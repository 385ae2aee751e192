//! A rating list, independent of the output format.

use std::collections::BTreeSet;

use super::colours::{self, Colours};
use super::input_summary::InputSummary;
use threefold_stats::elo::normal_quantile;
use threefold_stats::rating::{
    Crosstable, PlayerIndex, RatingList, RatingPoints, RatingSettings, RatingStatus, Reference, Uncertainty,
};

/// The method for the errors.
#[derive(Debug, Clone, PartialEq)]
pub enum Errors {
    /// From the curvature of the likelihood and the variance of the results, by game pairs.
    Analytic,
    /// From simulations of all games, by single games.
    Simulated {
        /// The random seed.
        seed: u64,
        /// Simulations that could be fitted.
        fitted: usize,
        /// Simulations that could not.
        unfit: usize,
    },
}

threefold_named_enum::named_enum! {
    /// The unit of a list.
    pub enum RatingUnit {
        /// Logistic Elo by score, as a match prints it.
        Elo = "elo",
        /// The model's own points.
        Points = "points",
    }
}

/// How ratings and errors are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// The unit of ratings, differences and White's advantage.
    pub unit: RatingUnit,
    /// The confidence level of all intervals, between 0 and 1.
    pub confidence: f64,
    /// Decimals of ratings and errors in printed tables.
    pub decimals: u8,
}

/// Which of the rated players are listed. The others count in the fit all the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedPlayers {
    /// Only players with at least this number of games.
    pub min_games: u64,
    /// Never these.
    pub hidden: BTreeSet<PlayerIndex>,
}

impl ListedPlayers {
    fn includes(&self, seat: PlayerIndex, games: u64) -> bool {
        games >= self.min_games && !self.hidden.contains(&seat)
    }
}

impl Shown {
    /// Half of the interval of an estimate with this standard error.
    pub fn half_interval(self, error: f64) -> f64 {
        normal_quantile(f64::midpoint(1.0, self.confidence)) * error
    }

    /// The level in per cent, such as `95 %`.
    pub fn level(self) -> String {
        // Six decimals, since 100 times a binary fraction such as 0.07 is not exact.
        format!("{} %", (1e8 * self.confidence).round() / 1e6)
    }
}

/// A rating list with its inputs and errors.
#[derive(Debug, Clone)]
pub struct Listing {
    /// What was read.
    pub input: InputSummary,
    /// The options of the fit.
    pub terms: RatingSettings,
    /// The fitted ratings.
    pub list: RatingList,
    /// The method for the errors.
    pub errors: Errors,
    /// The errors to show.
    pub uncertainty: Uncertainty,
    /// How ratings and errors are shown.
    pub shown: Shown,
    /// The best of the largest group first.
    pub lines: Vec<Line>,
    names: Vec<String>,
    pub(super) games: Colours,
}

/// A player's line.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The player's seat in the table.
    pub seat: PlayerIndex,
    /// Its place within its group, from 1.
    pub rank: usize,
    /// The player's name.
    pub name: String,
    /// Its group, from 0, the largest first.
    pub group: usize,
    /// How it is rated.
    pub status: RatingStatus,
    /// Points of the list's scale.
    pub rating: f64,
    /// The standard error; none for a player placed apart from the fit.
    pub error: Option<f64>,
    /// Losses, draws and wins.
    pub results: [u64; 3],
    /// The average rating of the opponents, each counted by games.
    pub opposition: Option<f64>,
    /// Effective number of opponents: how many equally frequent opponents have the same diversity.
    pub opponents: f64,
    /// Likelihood of superiority over the next player of its group.
    pub superiority: Option<f64>,
}

impl Line {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Points scored.
    pub fn points(&self) -> f64 {
        let [_, draws, wins] = self.results;
        wins as f64 + draws as f64 / 2.0
    }

    /// Points for each game, from 0 to 1; 0 without games.
    pub fn score(&self) -> f64 {
        self.share(self.points())
    }

    /// Draws among the games, from 0 to 1.
    pub fn draws(&self) -> f64 {
        self.share(self.results[1] as f64)
    }

    fn share(&self, part: f64) -> f64 {
        part / (self.games().max(1)) as f64
    }
}

impl Listing {
    /// A list of the table's players, rated by `list`, with its errors.
    pub fn new(
        input: InputSummary,
        table: &Crosstable,
        terms: RatingSettings,
        list: RatingList,
        (errors, uncertainty): (Errors, Uncertainty),
        shown: Shown,
        listed: &ListedPlayers,
    ) -> Self {
        let games = colours::by_colours(table);
        let names = table.names().to_vec();
        let lines = lines(&names, &games, &list, &uncertainty, listed);
        Self { input, terms, list, errors, uncertainty, shown, lines, names, games }
    }

    /// How many groups of comparable players there are.
    pub fn groups(&self) -> usize {
        self.lines.iter().map(|line| line.group + 1).max().unwrap_or(0)
    }

    /// The number of rated players, listed or not.
    pub fn rated(&self) -> usize {
        self.names.len()
    }

    /// How much logistic Elo a point of a small difference is.
    pub fn logistic_elo_per_point(&self) -> f64 {
        self.list.elo_by_score(RatingPoints(1.0))
    }

    /// The name of a seat.
    pub fn name(&self, seat: PlayerIndex) -> &str {
        &self.names[seat.0]
    }

    /// Likelihood of superiority of one player over another; none across groups.
    pub fn superiority(&self, a: &Line, b: &Line) -> Option<f64> {
        self.list.superiority(a.seat, b.seat, &self.uncertainty)
    }
}

fn lines(
    names: &[String],
    games: &Colours,
    list: &RatingList,
    errors: &Uncertainty,
    listed: &ListedPlayers,
) -> Vec<Line> {
    let totals = totals(names.len(), games);
    let mut order: Vec<PlayerIndex> = (0..names.len()).map(PlayerIndex).collect();
    let key = |seat: PlayerIndex| (list.players[seat.0].group, -list.players[seat.0].rating.0);
    order.sort_by(|&a, &b| {
        let ((group_a, rating_a), (group_b, rating_b)) = (key(a), key(b));
        (group_a.cmp(&group_b)).then(rating_a.total_cmp(&rating_b)).then(a.cmp(&b))
    });
    order.retain(|&seat| listed.includes(seat, totals[seat.0].iter().sum()));
    let mut lines: Vec<Line> = Vec::with_capacity(order.len());
    for (index, &seat) in order.iter().enumerate() {
        let player = &list.players[seat.0];
        let rank = lines.last().filter(|line| line.group == player.group).map_or(1, |line| line.rank + 1);
        let next = order.get(index + 1).filter(|next| list.players[next.0].group == player.group);
        lines.push(Line {
            seat,
            rank,
            name: names[seat.0].clone(),
            group: player.group,
            status: player.status,
            rating: player.rating.0,
            error: errors.standard_error(seat, Reference::Anchors),
            results: totals[seat.0],
            opposition: player.opposition.map(|rating| rating.0),
            opponents: player.opponents,
            superiority: next.and_then(|&next| list.superiority(seat, next, errors)),
        });
    }
    lines
}

/// Each player's losses, draws and wins.
fn totals(players: usize, games: &Colours) -> Vec<[u64; 3]> {
    let mut totals = vec![[0; 3]; players];
    for (&(white, black), results) in games {
        for (result, &count) in results.iter().enumerate() {
            totals[white.0][result] += count;
            totals[black.0][2 - result] += count;
        }
    }
    totals
}
