//! The tables are what cutechess-cli 1.5.1 wrote as tags of its games.

use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::*;
use crate::pairing::{Schedule, ScheduleRules};

fn order(games: usize, repetitions: usize, policy: OpeningPolicy) -> CutechessOrder {
    let [games, repetitions] =
        [games, repetitions].map(|number| NonZeroUsize::new(number).expect("not zero"));
    CutechessOrder { games, repetitions, policy }
}

/// A schedule of 50 openings.
fn schedule(
    players: usize,
    format: TournamentFormat,
    seeds: usize,
    games: usize,
    rules: (CutechessOrder, Colours),
) -> Schedule {
    let rules = ScheduleRules {
        encounter: EncounterLength::Single,
        colours: rules.1,
        seeds: NonZeroUsize::new(seeds).expect("not zero"),
        rounds: None,
        cutechess: Some(rules.0),
    };
    Schedule { players, format, encounters: games, openings: 50, rules }
}

/// Games as round:white-black@opening.
fn listed(schedule: &Schedule) -> String {
    let games = schedule
        .all_games()
        .map(|game| format!("{}:{}-{}@{}", game.round, game.white, game.black, game.opening));
    games.collect::<Vec<_>>().join(" ")
}

#[test]
fn games_are_in_the_order_of_cutechess() {
    use Colours::{Alternate, AlternateReversed, Fixed};
    use OpeningPolicy::{Default, Encounter as Meeting, Round};
    use TournamentFormat::{Gauntlet, Pyramid, RoundRobin};
    let table = [
        // players, format, seeds, games in all, games of an encounter, repetitions, policy, colours; the
        // games
        (
            (3, RoundRobin, 1, 12),
            (order(2, 2, Default), Alternate),
            "1:1-2@0 1:2-1@0 2:0-2@1 2:2-0@1 3:0-1@2 3:1-0@2 4:1-2@3 4:2-1@3 5:0-2@4 5:2-0@4 6:0-1@5 6:1-0@5",
        ),
        (
            (5, RoundRobin, 1, 10),
            (order(1, 1, Default), Alternate),
            "1:1-4@0 1:2-3@1 2:0-4@2 2:1-2@3 3:0-3@4 3:4-2@5 4:0-2@6 4:3-1@7 5:0-1@8 5:3-4@9",
        ),
        (
            (4, RoundRobin, 1, 12),
            (order(1, 1, Default), Alternate),
            "1:0-3@0 1:1-2@1 2:0-2@2 2:3-1@3 3:0-1@4 3:2-3@5 4:3-0@6 4:2-1@7 5:2-0@8 5:1-3@9 6:1-0@10 6:3-2@11",
        ),
        (
            (3, RoundRobin, 1, 12),
            (order(3, 2, Default), AlternateReversed),
            "1:2-1@0 1:1-2@0 1:2-1@1 2:2-0@2 2:0-2@2 2:2-0@3 3:1-0@4 3:0-1@4 3:1-0@5 4:2-1@6 4:1-2@6 4:2-1@7",
        ),
        (
            (4, RoundRobin, 1, 12),
            (order(2, 2, Round), Fixed),
            "1:0-3@0 1:0-3@0 1:1-2@0 1:1-2@0 2:0-2@1 2:0-2@1 2:3-1@1 2:3-1@1 3:0-1@2 3:0-1@2 3:2-3@2 3:2-3@2",
        ),
        (
            (3, RoundRobin, 1, 12),
            (order(3, 1, Meeting), Alternate),
            "1:1-2@0 1:2-1@0 1:1-2@0 2:0-2@1 2:2-0@1 2:0-2@1 3:0-1@2 3:1-0@2 3:0-1@2 4:2-1@3 4:1-2@3 4:2-1@3",
        ),
        (
            (2, RoundRobin, 1, 6),
            (order(3, 2, Default), Alternate),
            "1:0-1@0 1:1-0@0 1:0-1@1 2:1-0@1 2:0-1@2 2:1-0@2",
        ),
        ((2, RoundRobin, 1, 4), (order(2, 1, Meeting), Alternate), "1:0-1@0 1:1-0@0 2:0-1@0 2:1-0@0"),
        ((2, RoundRobin, 1, 4), (order(2, 1, Round), AlternateReversed), "1:1-0@0 1:0-1@0 2:1-0@1 2:0-1@1"),
        ((2, RoundRobin, 1, 5), (order(5, 3, Default), Alternate), "1:0-1@0 1:1-0@0 1:0-1@0 1:1-0@1 1:0-1@1"),
        (
            (4, Gauntlet, 2, 8),
            (order(1, 1, Default), Alternate),
            "1:0-2@0 1:0-3@1 1:1-2@2 1:1-3@3 2:2-0@4 2:3-0@5 2:2-1@6 2:3-1@7",
        ),
        (
            (4, Pyramid, 1, 8),
            (order(1, 1, Default), Alternate),
            "1:1-0@0 2:2-0@1 2:2-1@2 3:3-0@3 3:3-1@4 3:3-2@5 4:0-1@6 5:0-2@7",
        ),
    ];
    for ((players, format, seeds, games), rules, expected) in table {
        assert_eq!(listed(&schedule(players, format, seeds, games, rules)), expected);
    }
}

#[test]
fn games_are_in_pairs_if_openings_change_after_an_even_number() {
    use OpeningPolicy::{Default, Encounter as Meeting, Round};
    let table = [
        // order, players, games of a pairing; are they in pairs?
        (order(2, 2, Default), 3, 8, true),
        (order(2, 1, Default), 3, 8, false),
        (order(4, 4, Default), 2, 8, true),
        (order(1, 2, Default), 3, 8, false),
        // Two players go on with the opening in their next encounter.
        (order(1, 2, Default), 2, 8, true),
        (order(1, 2, Default), 2, 9, false),
        (order(2, 1, Meeting), 3, 8, true),
        (order(3, 2, Round), 3, 6, false),
    ];
    for (order, players, games, expected) in table {
        assert_eq!(order.is_in_pairs(players, games), expected, "{order:?} {players} {games}");
    }
}

proptest! {
    #[test]
    fn every_pairing_meets_equally_often(
        players in 2..10_usize, encounters in 1..4_usize, games in 1..5_usize, repetitions in 1..4_usize,
        format in prop::sample::select(&TournamentFormat::ALL[..3]),
    ) {
        let rules = (order(games, repetitions, OpeningPolicy::Default), Colours::Alternate);
        let mut schedule = schedule(players, format, 1, 0, rules);
        schedule.encounters = encounters * games * schedule.pairings();
        let mut met = std::collections::BTreeMap::new();
        let all: Vec<ScheduledGame> = schedule.all_games().collect();
        for game in &all {
            prop_assert_ne!(game.white, game.black);
            *met.entry((game.white.min(game.black), game.white.max(game.black))).or_insert(0_usize) += 1;
        }
        prop_assert_eq!(met.len(), schedule.pairings());
        prop_assert!(met.values().all(|&number| number == encounters * games), "{:?}", met);
        let endless = Schedule { openings: usize::MAX, ..schedule };
        let last = endless.all_games().map(|game| game.opening).max();
        prop_assert_eq!(Some(schedule.openings_needed()), last.map(|last| last + 1));
    }
}
