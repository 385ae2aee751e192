//! Separation: players and groups whose distance from the others is not determined by the games.
//!
//! The maximum-likelihood rating of a player who won every game is infinite. Such players are removed,
//! repeatedly, since others become perfect scorers without them; the rest is split into connected groups. A
//! perfect scorer whose opponents are in one group is then placed where its result has probability 1/2, as
//! Ordo does; any other forms a group of its own.

use nalgebra::DVector;

use super::super::root_finding::{self, Slope};
use super::connectivity::Graph;
use super::crosstable::{Crosstable, PlayerIndex};
use super::error::RatingError;
use super::head_to_head::HeadToHead;
use super::newton::Problem;
use super::settings::{GapPolicy, RatingSettings};
use super::status::RatingStatus;

/// A perfect scorer, outside the fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PerfectScorer {
    pub(super) seat: PlayerIndex,
    pub(super) status: RatingStatus,
    /// The group relative to which it is placed.
    pub(super) group: usize,
    /// The round of its removal: it is placed by opponents of later rounds.
    round: usize,
}

/// The partition of the players into groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Partition {
    /// Groups to be fitted, largest first.
    pub(super) groups: Vec<Vec<PlayerIndex>>,
    /// Perfect scorers, in the order in which they can be placed.
    pub(super) perfect: Vec<PerfectScorer>,
    /// By player, the group in which the player is fitted; `None` for a perfect scorer.
    pub(super) group_of: Vec<Option<usize>>,
}

impl Partition {
    fn new(players: usize, groups: Vec<Vec<PlayerIndex>>, perfect: Vec<PerfectScorer>) -> Self {
        let mut group_of = vec![None; players];
        for (number, group) in groups.iter().enumerate() {
            for seat in group {
                group_of[seat.0] = Some(number);
            }
        }
        Self { groups, perfect, group_of }
    }

    /// Whether both players are in one group.
    pub(super) fn joins(&self, meeting: &HeadToHead) -> bool {
        let [one, other] = meeting.players.map(|seat| self.group_of[seat.0]);
        one.is_some() && one == other
    }
}

/// Splits the players, or returns why a split would be necessary.
pub(super) fn partition(
    table: &Crosstable,
    head_to_heads: &[HeadToHead],
    terms: &RatingSettings,
) -> Result<Partition, RatingError> {
    let players = table.names().len();
    let graph = Graph::of_points(players, head_to_heads, terms);
    let groups = graph.groups();
    if groups.len() == 1 {
        return Ok(Partition::new(players, groups, Vec::new()));
    }
    match terms.gaps {
        GapPolicy::Refuse => {}
        GapPolicy::Split => {
            let partition = split(players, head_to_heads, terms);
            // Without games inside a group there is nothing to fit.
            if head_to_heads.iter().any(|meeting| partition.joins(meeting)) {
                return Ok(partition);
            }
        }
    }
    let names =
        |seats: &[PlayerIndex]| seats.iter().map(|seat| table.names()[seat.0].clone()).collect::<Vec<_>>();
    let islands = Graph::of_games(players, head_to_heads, terms).groups();
    if let [mainland, rest @ ..] = islands.as_slice()
        && !rest.is_empty()
    {
        return Err(RatingError::Unconnected(names(mainland), names(&rest.concat())));
    }
    let losers = graph
        .group_without_points(&groups)
        .expect("of groups that don't all reach each other one reaches no other");
    let winners: Vec<PlayerIndex> = table.seats().filter(|seat| !losers.contains(seat)).collect();
    Err(RatingError::Swept { losers: names(losers), winners: names(&winners) })
}

fn split(players: usize, head_to_heads: &[HeadToHead], terms: &RatingSettings) -> Partition {
    let (rounds, perfect) = remove_perfect_scorers(players, head_to_heads, terms);
    let stayed = |seat: PlayerIndex| rounds[seat.0] == usize::MAX;
    let inside: Vec<HeadToHead> = head_to_heads
        .iter()
        .filter(|meeting| meeting.players.iter().all(|seat| stayed(*seat)))
        .cloned()
        .collect();
    let mut groups = Graph::of_points(players, &inside, terms).groups();
    // A removed player is a group of one in that graph.
    groups.retain(|group| stayed(group[0]));
    let mut partition = Partition::new(players, groups, Vec::new());
    let mut known = partition.group_of.clone();
    // In reverse order of removal: the opponents that place a player were removed later, or not at all.
    for (seat, status) in perfect.into_iter().rev() {
        let round = rounds[seat.0];
        let mut opponents = (head_to_heads.iter())
            .filter_map(|meeting| opponent(meeting, seat))
            .filter(|(_, opponent)| round < rounds[opponent.0])
            .map(|(_, opponent)| known[opponent.0]);
        let group = opponents.next().flatten().filter(|group| opponents.all(|other| other == Some(*group)));
        if let Some(group) = group {
            partition.perfect.push(PerfectScorer { seat, status, group, round });
        } else {
            partition.group_of[seat.0] = Some(partition.groups.len());
            partition.groups.push(vec![seat]);
        }
        known[seat.0] = group.or(partition.group_of[seat.0]);
    }
    partition
}

/// The round in which each player was removed, and the removed players in that order.
fn remove_perfect_scorers(
    players: usize,
    head_to_heads: &[HeadToHead],
    terms: &RatingSettings,
) -> (Vec<usize>, Vec<(PlayerIndex, RatingStatus)>) {
    let mut rounds = vec![usize::MAX; players];
    let mut perfect = Vec::new();
    // With virtual draws no player is a perfect scorer.
    let rounds_left = if terms.prior_draws > 0.0 { 0 } else { players };
    for round in 0..rounds_left {
        let mut sums = vec![[0; 3]; players];
        for meeting in
            head_to_heads.iter().filter(|meeting| meeting.players.iter().all(|seat| rounds[seat.0] > round))
        {
            for (place, seat) in meeting.players.iter().enumerate() {
                sums[seat.0].iter_mut().zip(meeting.results_of(place)).for_each(|(sum, count)| *sum += count);
            }
        }
        let found: Vec<_> = (sums.iter().enumerate())
            // An anchor or a relation keeps a rating finite, whatever the results.
            .filter(|(seat, _)| !terms.anchors(PlayerIndex(*seat)) && !terms.relates(PlayerIndex(*seat)))
            .filter_map(|(seat, sums)| match sums {
                [0, 0, wins] if *wins > 0 => Some((PlayerIndex(seat), RatingStatus::Unbeaten)),
                [losses, 0, 0] if *losses > 0 => Some((PlayerIndex(seat), RatingStatus::Winless)),
                _ => None,
            })
            .collect();
        let left = rounds.iter().filter(|left| **left == usize::MAX).count();
        // If all who are left are perfect scorers, their removal would leave nothing to fit.
        if found.is_empty() || found.len() == left {
            break;
        }
        for (seat, _) in &found {
            rounds[seat.0] = round;
        }
        perfect.extend(found);
    }
    (rounds, perfect)
}

/// The player's position in the head-to-head, and the opponent.
fn opponent(meeting: &HeadToHead, seat: PlayerIndex) -> Option<(usize, PlayerIndex)> {
    let place = meeting.players.iter().position(|player| *player == seat)?;
    Some((place, meeting.players[1 - place]))
}

/// The strength at which a perfect scorer's results together have probability 1/2. `strengths` are in natural
/// units; players removed later have theirs already.
pub(super) fn place(
    problem: &Problem,
    at: &DVector<f64>,
    head_to_heads: &[HeadToHead],
    perfect: &[PerfectScorer],
    strengths: &mut [f64],
) {
    let mut out = vec![usize::MAX; strengths.len()];
    for perfect in perfect {
        out[perfect.seat.0] = perfect.round;
    }
    let model = problem.model.of_results().game_model(problem.layout.draws(at));
    let advantage = problem.layout.advantage(at);
    for PerfectScorer { seat, status, round, .. } in perfect {
        // From the perfect scorer's side: its win, or by symmetry its loss.
        let up = if *status == RatingStatus::Unbeaten { 1.0 } else { -1.0 };
        let mut games = Vec::new();
        for meeting in head_to_heads {
            if let Some((place, opponent)) =
                opponent(meeting, *seat).filter(|(_, opponent)| *round < out[opponent.0])
            {
                for (colour, sign) in [(place, 1.0), (1 - place, -1.0)] {
                    let count: u64 = meeting.results[colour].iter().sum();
                    games.push((count as f64, up * (sign * advantage - strengths[opponent.0])));
                }
            }
        }
        let surplus = |lead: f64| {
            let (mut height, mut slope) = (0.0, 0.0);
            for (count, less) in &games {
                let reading = model.evaluate(lead + less);
                height += count * reading.heights[2];
                slope += count * reading.scores[2][0];
            }
            Slope { value: -std::f64::consts::LN_2 - height, derivative: -slope }
        };
        let nearest = games.iter().map(|(_, less)| -less).fold(0.0_f64, |sum, lead| sum.max(lead.abs()));
        // At both ends the probability is 1 or 0 to all digits, so the root is between them.
        strengths[seat.0] =
            up * root_finding::decreasing_root(-nearest - 200.0, nearest + 200.0, nearest, surplus);
    }
}
