//! Hand-written games for the tests of this study.

use std::time::Duration;

use super::super::fixture;
use super::Trial;
use threefold_chess::clock::{Control, SearchEnd, TimeEstimates, TimeReport};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_echo::timeman::TimeManager;
use threefold_games::game::{GameEnd, GameOutcome, GameRecord, MoveRecord};
use threefold_games::pgn::PgnTags;
use threefold_report::model::report::{MatchPart, NumberedGame, Report};
use threefold_stats::GameResult;

/// A move without a time report, with its milliseconds.
pub(super) fn unreported_move(used: u64) -> MoveRecord {
    MoveRecord {
        depth: Ply(1),
        nodes: 1,
        used: Some(Duration::from_millis(used)),
        left: Some(Duration::from_secs(1)),
        ..MoveRecord::new("e2e4".parse().expect("a move"))
    }
}

/// A move with its time report: milliseconds planned and used, nodes in the tree, and reused nodes.
pub(super) fn reported_move(budget: u64, used: u64, tree: u64, reused: u64, end: SearchEnd) -> MoveRecord {
    let account = TimeReport {
        budget: Duration::from_millis(budget),
        hard_limit: Duration::from_millis(2 * budget),
        used: Duration::from_millis(used),
        tree,
        reused,
        regained: None,
        estimates: TimeEstimates::default(),
        end,
    };
    MoveRecord { account: Some(account), ..unreported_move(used) }
}

/// A game of alternating moves; a side with too few gets moves without a report and without time.
pub(super) fn game(
    number: usize,
    players: [&str; 2],
    control: &str,
    [white, black]: [&[MoveRecord]; 2],
    (outcome, end): (GameOutcome, GameEnd),
) -> NumberedGame {
    let plies = (2 * white.len()).saturating_sub(1).max(2 * black.len());
    let side = |ply: usize| if ply.is_multiple_of(2) { white } else { black };
    let played = (0..plies).map(|ply| side(ply).get(ply / 2).cloned().unwrap_or_else(|| unreported_move(0)));
    let control: Control = control.parse().expect("a control");
    let tags = PgnTags {
        event: "time".to_owned(),
        site: "threefold".to_owned(),
        round: number.to_string(),
        controls: [control; 2],
        ..PgnTags::default()
    };
    let record = GameRecord {
        played: played.collect(),
        ..GameRecord::new(players.map(str::to_owned), GamePosition::start_position(), outcome, end)
    };
    NumberedGame { number, tags, record }
}

/// A match against Classic with these results of the manager; every game has these moves, the manager's
/// first.
pub(super) fn meeting(
    manager: TimeManager,
    control: &str,
    pairs: &[[GameResult; 2]],
    [ours, theirs]: [&[MoveRecord]; 2],
) -> MatchPart {
    let trial = Trial { manager, control: control.parse().expect("sound") };
    let manager = manager.name();
    let mut games = Vec::new();
    for (index, &[first, second]) in pairs.iter().enumerate() {
        games.push(game(2 * index + 1, [manager, "Classic"], control, [ours, theirs], white_scores(first)));
        let second = white_scores(second.reversed());
        games.push(game(2 * index + 2, ["Classic", manager], control, [theirs, ours], second));
    }
    MatchPart {
        name: trial.to_string(),
        terms: format!("{control}, clock virtual:1000"),
        games: games.iter().map(NumberedGame::summary).collect(),
        games_with_moves: games,
        ..fixture::duel(trial.labels(), [manager, "Classic"], pairs)
    }
}

/// A run of nothing but these matches.
pub(super) fn report(matches: Vec<MatchPart>) -> Report {
    fixture::report(Vec::new(), matches)
}

const fn white_scores(result: GameResult) -> (GameOutcome, GameEnd) {
    match result {
        GameResult::Win => (GameOutcome::White, GameEnd::Checkmate),
        GameResult::Draw => (GameOutcome::Draw, GameEnd::Stalemate),
        GameResult::Loss => (GameOutcome::Black, GameEnd::Checkmate),
    }
}
