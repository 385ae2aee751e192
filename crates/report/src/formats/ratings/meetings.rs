//! A player's results against each opponent: the score, the expected score, and the rating difference from
//! the score alone.

use super::listing::{Line, Listing};
use threefold_stats::rating::{RatingList, RatingPoints};

/// A player's games against one opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct Meeting<'l> {
    /// The opponent's name.
    pub opponent: &'l str,
    /// Losses, draws and wins.
    pub results: [u64; 3],
    /// Points that the list expects; none across groups.
    pub expected: Option<ExpectedPoints>,
    /// Is the opponent listed after the player?
    pub is_listed_later: bool,
    /// The lead over the opponent that would make the score expected, in points of the list's scale; none for
    /// a score of 0 or 1.
    pub lead: Option<f64>,
    /// The lead that the list gives; none across groups.
    pub rated_lead: Option<f64>,
}

/// The points that a list expects from some games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedPoints {
    /// The expected points.
    pub points: f64,
    /// The variance of the points around them, with games taken as independent.
    pub variance: f64,
}

impl Meeting<'_> {
    /// Games played.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Points scored.
    pub fn points(&self) -> f64 {
        let [_, draws, wins] = self.results;
        wins as f64 + draws as f64 / 2.0
    }
}

impl Listing {
    /// A player's games against each opponent, in the order of the list.
    pub fn meetings<'l>(&'l self, line: &Line) -> Vec<Meeting<'l>> {
        let opponents = self.lines.iter().enumerate().filter(|(_, other)| other.seat != line.seat);
        let own = self.lines.iter().position(|own| own.seat == line.seat);
        let meeting = |(index, other): (usize, &'l Line)| {
            let [white, black] = [(line.seat, other.seat), (other.seat, line.seat)]
                .map(|colours| self.games.get(&colours).copied().unwrap_or_default());
            let results = [white[0] + black[2], white[1] + black[1], white[2] + black[0]];
            let by_colour = [white.iter().sum(), black.iter().sum()];
            let rated_lead = self.list.difference(line.seat, other.seat).map(|lead| lead.0);
            let mut meeting = Meeting {
                opponent: &other.name,
                results,
                expected: rated_lead.map(|lead| expected(&self.list, by_colour, lead)),
                is_listed_later: own.is_some_and(|own| index > own),
                lead: None,
                rated_lead,
            };
            meeting.lead = lead(&self.list, by_colour, meeting.points());
            (meeting.games() > 0).then_some(meeting)
        };
        opponents.filter_map(meeting).collect()
    }
}

/// Expected points from these numbers of games with White and with Black, for a rating difference.
fn expected(list: &RatingList, [white, black]: [u64; 2], lead: f64) -> ExpectedPoints {
    let [_, draw, win] = list.chances_at(RatingPoints(lead));
    // From the view of White: a loss of the opponent, who has White, is a win of the player.
    let [loss, draw_as_black, _] = list.chances_at(RatingPoints(-lead));
    let sides = [(white, win, draw), (black, loss, draw_as_black)];
    let sum = |of: fn(f64, f64) -> f64| -> f64 {
        sides.iter().map(|&(games, win, draw)| games as f64 * of(win, draw)).sum()
    };
    // E[X²] - E[X]² of a result X of 0, 1/2 or 1.
    let variance = |win: f64, draw: f64| win + draw / 4.0 - (win + draw / 2.0).powi(2);
    ExpectedPoints { points: sum(|win, draw| win + draw / 2.0), variance: sum(variance) }
}

/// The rating difference at which the score is the expected one.
fn lead(list: &RatingList, games: [u64; 2], points: f64) -> Option<f64> {
    let total = games[0] + games[1];
    if points <= 0.0 || points >= total as f64 {
        return None;
    }
    // Points grow with the lead. At these ends of the range the result is certain.
    let mut low = -100.0 * list.scale.at_76;
    let mut high = -low;
    // Bisection: for games with both colours, whose expected scores differ, there is no closed form.
    while high - low > 1e-9 {
        let middle = low.midpoint(high);
        // Adjacent numbers of a large scale are further apart.
        if middle <= low || middle >= high {
            break;
        }
        if expected(list, games, middle).points < points {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low.midpoint(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_stats::GameResult::{Draw, Loss, Win};
    use threefold_stats::rating::{Crosstable, PlayerIndex, RatingModel, RatingScale, RatingSettings, rate};

    #[test]
    fn lead_is_found_on_every_scale() {
        let mut table = Crosstable::new(["A", "B"]);
        for pair in 0..10 {
            let results = if pair < 6 { [Win, Draw] } else { [Loss, Draw] };
            table.record_pair(PlayerIndex(0), PlayerIndex(1), results);
        }
        for at_76 in [1.0, 202.0, 1e8, 1e12] {
            let scale = RatingScale { at_76 };
            let settings = RatingSettings { scale, ..RatingSettings::new(RatingModel::Davidson) };
            let list = rate(&table, &settings).expect("connected");
            let lead = lead(&list, [10, 10], 11.0).expect("a score between 0 and 1");
            let points = expected(&list, [10, 10], lead).points;
            assert!((points - 11.0).abs() < 1e-6, "{at_76}: {points}");
        }
    }
}
