//! What a game costs besides thinking: `play` between players that answer from a list.
//!
//! `cargo bench --bench arena`. Items are plies, so the throughput's inverse is the overhead of one.

use std::num::NonZeroU32;
use std::sync::Arc;

use divan::counter::ItemsCount;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Ply, Score};
use threefold_games::game::{self, Adjudication, GameConditions};
use threefold_games::move_details::DetailSelection;
use threefold_games::pgn::{self, PgnOptions, PgnTags};
use threefold_games::playout::adjudication::{DrawRule, Like, MaxMoves, ResignRule, Rule};
use threefold_oracle::Referee;
use threefold_player::scripted::ScriptedPlayer;
use threefold_player::{Answer, Bound, ScoredInfo};

fn main() {
    divan::main();
}

/// A long game without captures or pawn moves: every earlier position has to be remembered.
fn tour(plies: usize) -> Vec<UciMove> {
    let mut referee = Referee::new(&GamePosition::start_position()).expect("legal");
    let mut moves = Vec::new();
    while moves.len() < plies {
        let quiet = referee
            .position()
            .legal_moves()
            .into_iter()
            .filter(|&mv| !mv.is_zeroing() && is_quiet(referee.position(), mv))
            .min_by_key(|&mv| referee.occurrences_after(mv))
            .expect("knights can always move");
        let mv = referee.uci(quiet);
        referee.play(mv).expect("legal");
        moves.push(mv);
    }
    moves
}

/// A check might leave no quiet reply.
fn is_quiet(position: &Chess, mv: Move) -> bool {
    let mut next = position.clone();
    next.play_unchecked(mv);
    !next.is_check()
}

fn terms() -> GameConditions {
    let control: Control = "40/60+0.5".parse().expect("sound");
    let rules: [Arc<dyn Rule>; 3] = [
        Arc::new(DrawRule { from_move: 500, moves: 8, score: 10 }),
        Arc::new(ResignRule { moves: 4, score: 600, two_sided: true, like: Like::Threefold }),
        Arc::new(MaxMoves(NonZeroU32::new(500).expect("not zero"))),
    ];
    GameConditions {
        controls: [control; 2],
        clock_sources: [ClockSource::Virtual { nodes_per_second: NonZeroU32::MIN.saturating_add(999_999) };
            2],
        adjudication: Adjudication::new(rules),
        ..GameConditions::unlimited()
    }
}

fn scripted(moves: &[UciMove], first: usize) -> ScriptedPlayer {
    let mut own = moves.iter().copied().skip(first).step_by(2).collect::<Vec<_>>().into_iter();
    let score = Score::Cp(Centipawns(12));
    ScriptedPlayer::new("scripted", move |_| {
        let claim = ScoredInfo {
            score,
            bound: Bound::Exact,
            multipv: 1,
            depth: Ply(8),
            nodes: Some(1000),
            pv: Vec::new(),
            line: None,
        };
        Ok(Answer { best: own.next(), infos: vec![claim], nodes: 1000, ..Answer::silent() })
    })
}

fn finished(moves: &[UciMove]) -> game::GameRecord {
    let (mut white, mut black) = (scripted(moves, 0), scripted(moves, 1));
    game::play(
        &GamePosition::start_position(),
        [&mut white, &mut black],
        &terms(),
        &DetailSelection::default(),
        &mut (),
    )
    .expect("a legal opening")
}

#[divan::bench(args = [20, 80])]
fn play(bencher: divan::Bencher<'_, '_>, plies: usize) {
    let moves = tour(plies);
    assert_eq!(finished(&moves).played.len(), plies);
    bencher.counter(ItemsCount::new(plies)).bench(|| finished(&moves));
}

#[divan::bench(args = [20, 80])]
fn pgn(bencher: divan::Bencher<'_, '_>, plies: usize) {
    let record = finished(&tour(plies));
    let terms = terms();
    let tags = PgnTags {
        event: "bench".to_owned(),
        site: "here".to_owned(),
        round: "1".to_owned(),
        controls: terms.controls,
        ..PgnTags::default()
    };
    bencher.counter(ItemsCount::new(plies)).bench(|| pgn::pgn(&record, &tags, &PgnOptions::default()));
}
