//! Connectivity of players by results. Source: Ford, "Solution of a ranking problem from binary comparisons"
//! (1957).
//!
//! A fit is finite if every player can be reached from every other along games with points, each player
//! having won or drawn against the next. Anchors and priors connect players as well, through a virtual node;
//! relations connect two players directly. Otherwise the results form groups that can be rated separately,
//! and only the direction of the differences between groups is known.

use super::crosstable::PlayerIndex;
use super::head_to_head::HeadToHead;
use super::settings::RatingSettings;

/// The graph of points: an edge from every player to each opponent it took points from.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    /// The last node represents anchors and priors.
    beyond: Vec<Vec<usize>>,
    players: usize,
}

impl Graph {
    pub(super) fn of_points(players: usize, head_to_heads: &[HeadToHead], terms: &RatingSettings) -> Self {
        let mut graph = Self::bare(players, terms);
        for meeting in head_to_heads {
            for (place, [from, to]) in
                [meeting.players, [meeting.players[1], meeting.players[0]]].iter().enumerate()
            {
                let [_, draws, wins] = meeting.results_of(place);
                // A draw is a point for both, and a virtual one connects like a real one.
                if draws + wins > 0 || meeting.prior_draws > 0.0 {
                    graph.beyond[from.0].push(to.0);
                }
            }
        }
        graph
    }

    /// The graph in which any game connects both ways.
    pub(super) fn of_games(players: usize, head_to_heads: &[HeadToHead], terms: &RatingSettings) -> Self {
        let mut graph = Self::bare(players, terms);
        for HeadToHead { players: [one, other], .. } in head_to_heads {
            graph.beyond[one.0].push(other.0);
            graph.beyond[other.0].push(one.0);
        }
        graph
    }

    /// Without games: only anchors and relations connect players.
    fn bare(players: usize, terms: &RatingSettings) -> Self {
        let mut beyond = vec![Vec::new(); players + 1];
        for seat in (0..players).filter(|seat| terms.anchors(PlayerIndex(*seat))) {
            beyond[seat].push(players);
            beyond[players].push(seat);
        }
        for [one, other] in terms.relations.iter().map(|relation| relation.players) {
            beyond[one.0].push(other.0);
            beyond[other.0].push(one.0);
        }
        Self { beyond, players }
    }

    /// The strongly connected components, largest first, then by the first player.
    pub(super) fn groups(&self) -> Vec<Vec<PlayerIndex>> {
        // Kosaraju's algorithm: backwards in reverse order of completion.
        let mut seen = vec![false; self.beyond.len()];
        let mut departures = Vec::with_capacity(self.beyond.len());
        for start in 0..self.beyond.len() {
            walk(&self.beyond, start, &mut seen, &mut departures);
        }
        let mut backwards = vec![Vec::new(); self.beyond.len()];
        for (from, to) in
            self.beyond.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |to| (from, *to)))
        {
            backwards[to].push(from);
        }
        let mut seen = vec![false; self.beyond.len()];
        let mut groups: Vec<Vec<PlayerIndex>> = Vec::new();
        for &start in departures.iter().rev() {
            let mut group = Vec::new();
            walk(&backwards, start, &mut seen, &mut group);
            group.retain(|node| *node < self.players);
            group.sort_unstable();
            groups.push(group.into_iter().map(PlayerIndex).collect());
        }
        groups.retain(|group| !group.is_empty());
        groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
        groups
    }

    /// The smallest of these groups that took no point off the others.
    pub(super) fn group_without_points<'g>(
        &self,
        groups: &'g [Vec<PlayerIndex>],
    ) -> Option<&'g [PlayerIndex]> {
        let closed = |group: &&Vec<PlayerIndex>| {
            // Only the anchors' group contains the virtual node.
            let inside =
                |node: &usize| *node == self.players || group.binary_search(&PlayerIndex(*node)).is_ok();
            group.iter().all(|seat| self.beyond[seat.0].iter().all(inside))
        };
        groups.iter().filter(closed).min_by_key(|group| group.len()).map(Vec::as_slice)
    }
}

/// Depth-first search in order of completion. It has its own stack, since a chain of a thousand players must
/// not overflow the thread's.
fn walk(beyond: &[Vec<usize>], start: usize, seen: &mut [bool], departures: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.last_mut() {
        if let Some(&to) = beyond[*node].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[to], true) {
                path.push((to, 0));
            }
        } else {
            departures.push(*node);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::pentanomial::GameResult::{Draw, Win};
    use super::super::crosstable::Crosstable;
    use super::super::head_to_head::head_to_heads;
    use super::super::settings::{RatingAnchor, RatingModel, RatingPoints, RatingRelation};
    use super::*;

    fn graph(players: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Graph {
        let mut beyond = vec![Vec::new(); players + 1];
        for (from, to) in edges {
            beyond[from].push(to);
        }
        Graph { beyond, players }
    }

    #[test]
    fn connectivity_finds_islands_and_sweeps() {
        let mut table = Crosstable::new(["A", "B", "C", "D"]);
        table.record_game(PlayerIndex(0), PlayerIndex(1), Win);
        table.record_game(PlayerIndex(2), PlayerIndex(3), Draw);
        let free = RatingSettings::new(RatingModel::Davidson);
        let groups = |table: &Crosstable, terms: &RatingSettings| {
            let head_to_heads = head_to_heads(table);
            (
                Graph::of_games(4, &head_to_heads, terms).groups(),
                Graph::of_points(4, &head_to_heads, terms).groups(),
            )
        };
        let seats = |seats: &[&[usize]]| -> Vec<Vec<PlayerIndex>> {
            seats.iter().map(|group| group.iter().copied().map(PlayerIndex).collect()).collect()
        };
        assert_eq!(groups(&table, &free), (seats(&[&[0, 1], &[2, 3]]), seats(&[&[2, 3], &[0], &[1]])));
        let anchors = [0, 3].map(|seat| RatingAnchor::fixed(PlayerIndex(seat), RatingPoints(0.0))).to_vec();
        let ends = RatingSettings { anchors, ..free.clone() };
        assert_eq!(
            groups(&table, &ends),
            (seats(&[&[0, 1, 2, 3]]), seats(&[&[0, 2, 3], &[1]])),
            "anchors tie"
        );
        let relation = RatingRelation {
            players: [PlayerIndex(3), PlayerIndex(0)],
            difference: RatingPoints(0.0),
            sd: 1.0,
        };
        let related = RatingSettings { relations: vec![relation], ..free.clone() };
        assert_eq!(
            groups(&table, &related),
            (seats(&[&[0, 1, 2, 3]]), seats(&[&[0, 2, 3], &[1]])),
            "relations tie"
        );
        table.record_game(PlayerIndex(1), PlayerIndex(2), Draw);
        let points = Graph::of_points(4, &head_to_heads(&table), &free);
        let found = points.groups();
        assert_eq!(found, seats(&[&[1, 2, 3], &[0]]));
        assert_eq!(
            points.group_without_points(&found),
            Some(&[PlayerIndex(1), PlayerIndex(2), PlayerIndex(3)][..]),
            "A lost no point"
        );
    }

    proptest! {
        #[test]
        fn groups_are_strongly_connected_components(edges in prop::collection::vec((0..7_usize, 0..7_usize), 0..20)) {
            let mut reach = [[false; 7]; 7];
            (0..7).for_each(|node| reach[node][node] = true);
            for _ in 0..7 {
                for &(from, to) in &edges {
                    (0..7).for_each(|node| reach[node][to] |= reach[node][from]);
                }
            }
            let groups = graph(7, edges).groups();
            prop_assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 7);
            for group in &groups {
                let first = group[0].0;
                for (one, reached) in reach.iter().enumerate() {
                    prop_assert_eq!(group.contains(&PlayerIndex(one)), reach[first][one] && reached[first]);
                }
            }
        }
    }
}
