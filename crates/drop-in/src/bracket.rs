//! The last lines of a knockout tournament: the encounters of each round with their points, and the winner.

use threefold_games::knockout::Place;
use threefold_run::{KnockoutState, MatchTask};

/// `Round 1: A vs D: 1.5 - 0.5, A goes on` for each encounter, and `Winner: A`.
pub(super) fn lines(task: &MatchTask, state: &KnockoutState) -> Vec<String> {
    let name = |engine: usize| task.engines[engine].name.as_str();
    let mut encounters = state.encounters.iter();
    let mut line = |round: usize, place: &Place| match *place {
        Place::Bye(engine) => format!("Round {}: {} has a bye", round + 1, name(engine)),
        Place::Meeting { players: [one, other], winner } => {
            let state = encounters.next().copied().unwrap_or_default();
            let [first, second] = state.half_points.map(|half| half as f64 / 2.0);
            let seed = if state.is_decided_by_seed() { " as the better seed" } else { "" };
            let goes_on = winner.map_or("not decided".to_owned(), |it| format!("{} goes on{seed}", name(it)));
            format!("Round {}: {} vs {}: {first} - {second}, {goes_on}", round + 1, name(one), name(other))
        }
    };
    let rounds = state.bracket.rounds().iter().enumerate();
    let mut lines: Vec<String> = Vec::new();
    for (round, places) in rounds {
        lines.extend(places.iter().map(|place| line(round, place)));
    }
    lines.extend(state.bracket.champion().map(|winner| format!("Winner: {}", name(winner))));
    lines
}
