//! Games with adjudication in shadow mode.

use std::num::NonZeroU32;
use std::sync::Arc;

use super::adjudication::{AdjudicationMode, Like, MaxMoves, ResignRule, Rule};
use super::*;
use threefold_chess::score::Centipawns;

/// What rules do in a game of these moves with White's score of each, from the start position.
fn played(mode: AdjudicationMode, moves: &str, scores: &[i32]) -> Playout {
    let rules: [Arc<dyn Rule>; 2] = [
        Arc::new(ResignRule { moves: 1, score: 500, two_sided: false, like: Like::Threefold }),
        Arc::new(MaxMoves(NonZeroU32::new(2).expect("not zero"))),
    ];
    let adjudication = Adjudication::new(rules).with_mode(mode);
    let terms = GameConditions { adjudication, ..GameConditions::unlimited() };
    let mut game = Playout::new(&GamePosition::start_position(), &terms).expect("legal");
    for (ply, (mv, score)) in moves.split(' ').zip(scores).enumerate() {
        let own = if ply % 2 == 0 { *score } else { -score };
        let score = Some(Score::Cp(Centipawns(own)));
        game.answer(&TurnReply { score, ..TurnReply::from_move(mv.parse().expect(mv)) });
    }
    game
}

/// The ends in shadow: rule, result, ply.
fn shadow(game: &Playout) -> Vec<(&'static str, GameOutcome, usize)> {
    game.shadow().iter().map(|end| (end.rule.name, end.outcome, end.ply)).collect()
}

#[test]
fn shadow_mode_plays_on_and_records_the_first_end_of_each_rule() {
    let moves = "f2f3 e7e5 a2a3 a7a6 g2g4 d8h4";
    let scores = [0, 0, -600, 0, -700, 0];
    let game = played(AdjudicationMode::Shadow, moves, &scores);
    let mate = GameEnding { outcome: GameOutcome::Black, cause: EndCause::Rule(RuleEnd::Checkmate) };
    assert_eq!(game.state(), GameState::Over(mate));
    assert_eq!(shadow(&game), [("resign", GameOutcome::Black, 3), ("max-moves", GameOutcome::Draw, 4)]);
    let game = played(AdjudicationMode::Apply, moves, &scores);
    assert_eq!((game.moves().len(), shadow(&game)), (3, Vec::new()));
}

#[test]
fn rule_that_applies_at_the_end_by_the_rules_changes_nothing() {
    let game = played(AdjudicationMode::Shadow, "f2f3 e7e5 g2g4 d8h4", &[0, 0, 0, 600]);
    assert_eq!(shadow(&game), []);
    let game = played(AdjudicationMode::Shadow, "f2f3 e7e5 g2g4 b8c6", &[0, 0, 0, 600]);
    assert_eq!(shadow(&game), [("resign", GameOutcome::White, 4), ("max-moves", GameOutcome::Draw, 4)]);
}
