//! Pairings of known tournaments, the rules that every tournament keeps, and the cost of a pairing against the
//! smallest one of all pairings.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::super::history::{SwissEncounter, SwissRound, SwissRules, most_rounds};
use super::*;

fn begin(players: usize, games: usize, white: MoreWhite) -> SwissTournament {
    SwissTournament { rules: SwissRules { players, games, white }, rounds: Vec::new() }
}

/// Plays the next round. `result` gets the players in the order of the schedule, and returns the points in
/// halves of the first.
fn play(tournament: &mut SwissTournament, mut result: impl FnMut([usize; 2]) -> u64) {
    let SwissPairing { encounters, bye } = tournament.next_round();
    let all = tournament.rules.bye_half_points();
    let played = |players: [usize; 2]| {
        let won = result(players).min(all);
        SwissEncounter { players, half_points: [won, all - won] }
    };
    let encounters = encounters.into_iter().map(played).collect();
    tournament.rounds.push(SwissRound { encounters, bye });
}

/// `1-5 2-6`, a bye as the seed alone; seeds from 1.
fn shown(SwissPairing { encounters, bye }: &SwissPairing) -> String {
    let pairs = encounters.iter().map(|[one, other]| format!("{}-{}", one + 1, other + 1));
    pairs.chain(bye.map(|player| (player + 1).to_string())).collect::<Vec<_>>().join(" ")
}

/// The rounds of a tournament in which the better seed wins.
fn rounds_of_better_seeds(players: usize, rounds: usize, white: MoreWhite) -> Vec<String> {
    let mut tournament = begin(players, 1, white);
    let mut shown_rounds = Vec::new();
    for _ in 0..rounds {
        shown_rounds.push(shown(&tournament.next_round()));
        play(&mut tournament, |[one, other]| if one < other { 2 } else { 0 });
    }
    shown_rounds
}

#[test]
fn upper_half_meets_the_lower_half_of_a_group() {
    let table: [(usize, &[&str]); 4] = [
        (3, &["1-2 3", "1-3 2", "2-3 1"]),
        (4, &["1-3 2-4", "1-2 3-4", "1-4 2-3"]),
        (7, &["1-4 2-5 3-6 7", "1-3 2-7 4-5 6"]),
        (8, &["1-5 2-6 3-7 4-8", "1-3 2-4 5-7 6-8", "1-2 3-5 4-6 7-8"]),
    ];
    for (players, rounds) in table {
        let found = rounds_of_better_seeds(players, rounds.len(), MoreWhite::Neither);
        assert_eq!(found, rounds, "{players} players");
    }
}

#[test]
fn colours_alternate_in_single_games() {
    let first = rounds_of_better_seeds(8, 3, MoreWhite::First);
    assert_eq!(first[..2], ["1-5 6-2 3-7 8-4", "4-1 2-3 5-8 7-6"].map(str::to_owned));
    let second = rounds_of_better_seeds(8, 3, MoreWhite::Second);
    assert_eq!(second[0], "5-1 2-6 7-3 4-8", "the one who is named second has White");
}

#[test]
fn players_who_must_meet_again_do_so_once() {
    // After rounds 1 to 3 of six players each of 1, 2, 3 has met all of 4, 5, 6. Two triangles are left.
    let mut tournament = begin(6, 1, MoreWhite::Neither);
    for round in [[[0, 3], [1, 4], [2, 5]], [[0, 4], [1, 5], [2, 3]], [[0, 5], [1, 3], [2, 4]]] {
        let encounters = round.map(|players| SwissEncounter { players, half_points: [1, 1] });
        tournament.rounds.push(SwissRound { encounters: encounters.to_vec(), bye: None });
    }
    let SwissPairing { encounters, .. } = tournament.next_round();
    let again = encounters.iter().filter(|players| tournament.have_met(**players, 3));
    assert_eq!(again.count(), 1, "{encounters:?}");
}

/// Every perfect matching of these places, as a list of mates.
fn matchings(places: usize) -> Vec<Vec<usize>> {
    fn extend(mates: &mut Vec<Option<usize>>, found: &mut Vec<Vec<usize>>) {
        let Some(free) = mates.iter().position(Option::is_none) else {
            found.push(mates.iter().copied().flatten().collect());
            return;
        };
        for mate in free + 1..mates.len() {
            if mates[mate].is_none() {
                (mates[free], mates[mate]) = (Some(mate), Some(free));
                extend(mates, found);
                (mates[free], mates[mate]) = (None, None);
            }
        }
    }
    let mut found = Vec::new();
    extend(&mut vec![None; places], &mut found);
    found
}

/// The cost of a matching.
fn total(costs: &[Cost], mates: &[usize]) -> Cost {
    let pairs = mates.iter().enumerate().filter(|(place, mate)| place < *mate);
    pairs.fold(Cost::ZERO, |sum, (place, mate)| sum + costs[place * mates.len() + mate])
}

/// Some tournament: its players, games of an encounter, colours, and results.
fn tournaments(most_players: usize) -> impl Strategy<Value = (usize, usize, MoreWhite, Vec<u64>)> {
    let white = prop_oneof![Just(MoreWhite::Neither), Just(MoreWhite::First), Just(MoreWhite::Second)];
    (3..=most_players, 1..=3_usize, white, prop::collection::vec(0..=6_u64, 64))
}

proptest! {
    #[test]
    fn no_pairing_costs_less((players, games, white, results) in tournaments(8), share in 0..=100_usize) {
        let mut tournament = begin(players, games, white);
        let mut results = results.into_iter().cycle();
        for _ in 0..share * most_rounds(players) / 101 {
            play(&mut tournament, |_| results.next().unwrap_or_default());
        }
        let ranking = tournament.ranking();
        let costs = tournament.costs(&ranking);
        let places = players + players % 2;
        let found = total(&costs, &min_weight_perfect_matching(&costs, places));
        let least = matchings(places).iter().map(|mates| total(&costs, mates)).min();
        prop_assert_eq!(Some(found), least);
    }

    #[test]
    fn any_costs_are_minimal(places in 1..=4_usize, numbers in prop::collection::vec(0..=3_i64, 28 * 8)) {
        let places = 2 * places;
        let mut numbers = numbers.into_iter();
        let mut next = || numbers.next().unwrap_or_default();
        let mut costs = vec![Cost::ZERO; places * places];
        for place in 0..places {
            for mate in place + 1..places {
                let criteria = Criteria {
                    earlier_byes: next() / 3,
                    earlier_encounters: next() / 2,
                    bye_points: next() / 3,
                    colour_excess: next() / 2,
                    points: next(),
                    colours: next(),
                    same_half: next() / 3,
                    distance: next(),
                };
                costs[place * places + mate] = Cost::from(criteria);
            }
        }
        let found = total(&costs, &min_weight_perfect_matching(&costs, places));
        let least = matchings(places).iter().map(|mates| total(&costs, mates)).min();
        prop_assert_eq!(Some(found), least);
    }
}

proptest! {
    // Each case is a whole tournament.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_tournament_keeps_the_rules((players, games, white, results) in tournaments(15)) {
        let mut tournament = begin(players, games, white);
        let mut results = results.into_iter().cycle();
        let mut met = BTreeSet::new();
        for round in 0..most_rounds(players) {
            prop_assert_eq!(tournament.next_round(), tournament.next_round());
            play(&mut tournament, |_| results.next().unwrap_or_default());
            let SwissRound { encounters, bye } = &tournament.rounds[round];
            let playing = encounters.iter().flat_map(|it| it.players).chain(*bye);
            prop_assert_eq!(playing.collect::<BTreeSet<_>>().len(), players, "everyone plays or has the bye");
            prop_assert_eq!(encounters.len(), tournament.rules.encounters());
            for encounter in encounters {
                let [one, other] = encounter.players;
                let is_new = met.insert((one.min(other), one.max(other)));
                prop_assert!(is_new || round >= players / 2, "round {round}: {one} meets {other} again");
                prop_assert_eq!(is_new, !tournament.have_met(encounter.players, round));
            }
        }
        let records = tournament.records();
        prop_assert!(records.iter().all(|it| it.byes == players % 2), "all have had the bye once");
        let surplus = |record: &PlayerRecord| record.colours.iter().sum::<i64>().abs();
        if white == MoreWhite::Neither {
            prop_assert!(records.iter().all(|it| surplus(it) == 0));
        }
    }

    #[test]
    fn colours_are_balanced_for_as_long_as_opponents_are_new(
        (players, games, _, results) in tournaments(24), is_first in any::<bool>(),
    ) {
        let mut tournament = begin(players, games, if is_first { MoreWhite::First } else { MoreWhite::Second });
        let mut results = results.into_iter().cycle();
        for _ in 0..players / 2 {
            play(&mut tournament, |_| results.next().unwrap_or_default());
            for record in tournament.records() {
                prop_assert!(record.colours.iter().sum::<i64>().abs() <= 2, "{record:?}");
            }
        }
    }
}
