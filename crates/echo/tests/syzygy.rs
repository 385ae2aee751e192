//! Echo with Syzygy tables of up to four pieces in the folder of the variable `SYZYGY_PATH`: it preserves
//! every result and wins every win. Without the variable the test is skipped and says so; if `CI` is set it
//! fails. Parts without files are tested next to the code.
#![expect(clippy::disallowed_methods, reason = "the folder of tables is named in the environment")]

use std::env;
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase};
use threefold_chess::clock::{Limits, Stop};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Score;
use threefold_echo::{Echo, SearchRequest};
use threefold_oracle::Referee;
use threefold_oracle::referee::RuleEnd;

const VARIABLE: &str = "SYZYGY_PATH";

/// A random position of four pieces; `None` if it is illegal.
fn random_position(random: &mut ChaCha8Rng) -> Option<Chess> {
    let mut squares = [' '; 64];
    let others: Vec<char> = "QRBNPqrbnp".chars().collect();
    let pieces = [&['K'][..], &['k'], &others, &others];
    for pieces in pieces {
        let at = random.random_range(0..64);
        let piece = *pieces.choose(random)?;
        if squares[at] != ' ' || (piece.eq_ignore_ascii_case(&'p') && !(8..56).contains(&at)) {
            return None;
        }
        squares[at] = piece;
    }
    let ranks: Vec<String> = squares
        .chunks(8)
        .map(|rank| rank.iter().map(|&piece| if piece == ' ' { '1' } else { piece }).collect())
        .collect();
    let side = if random.random_bool(0.5) { 'w' } else { 'b' };
    let clock = *[0, 0, 0, 20, 60, 90].choose(random)?;
    let fen: Fen = format!("{} {side} - - {clock} 90", ranks.join("/")).parse().ok()?;
    let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
    (!position.is_game_over()).then_some(position)
}

/// The rank of a result for the side to move: 2 win, 0 draw, -2 loss; between them ambiguous rounding.
const fn rank(wdl: AmbiguousWdl) -> i32 {
    match wdl {
        AmbiguousWdl::Win => 2,
        AmbiguousWdl::MaybeWin => 1,
        AmbiguousWdl::CursedWin | AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss => 0,
        AmbiguousWdl::MaybeLoss => -1,
        AmbiguousWdl::Loss => -2,
    }
}

const REMEDY: &str = "set SYZYGY_PATH to a folder with Syzygy's tables of three and four pieces";

/// The folder of tables, from the values of `SYZYGY_PATH` and `CI`; `None` if the test is skipped.
fn folder(tables: Option<String>, ci: Option<String>) -> Option<String> {
    let folder = tables.filter(|value| !value.is_empty());
    let is_ci = ci.is_some_and(|value| !["", "false"].contains(&value.as_str()));
    assert!(folder.is_some() || !is_ci, "nothing is tested in CI: {REMEDY}");
    folder
}

#[test]
fn syzygy_test_is_skipped_without_tables() {
    let text = |value: &str| Some(value.to_owned());
    assert_eq!(folder(None, None), None);
    assert_eq!(folder(text(""), text("false")), None);
    assert_eq!(folder(text("tables"), text("true")), text("tables"));
}

#[test]
#[should_panic(expected = "nothing is tested in CI: set SYZYGY_PATH to a folder")]
fn syzygy_test_fails_in_ci_without_tables() {
    folder(None, Some("true".to_owned()));
}

/// Files of WDL and DTZ tables for all endings of three and four pieces.
const FILES: usize = 2 * (5 + 30);

#[test]
fn syzygy_results_are_preserved_and_wins_won() {
    let Some(folder) = folder(env::var(VARIABLE).ok(), env::var("CI").ok()) else {
        eprintln!("skipped: {REMEDY}");
        return;
    };
    let mut tables = Tablebase::new();
    let files = tables.add_directory(&folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    assert!(files >= FILES, "{folder} has {files} tables; put all {FILES} of three and four pieces there");
    let mut echo = Echo::new();
    echo.set("SyzygyPath", &folder).expect("the same folder");
    echo.set("Hash", "1").expect("an option");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut positions, mut won) = (0, 0);
    while positions < 400 {
        let Some(position) = random_position(&mut random) else { continue };
        let Ok(before) = tables.probe_wdl(&position) else { continue };
        positions += 1;
        let fen = Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string();
        let mut game = GamePosition::parse(&fen, "").expect("sound");
        let mut referee = Referee::new(&game).expect("legal");
        let (best, score) = answer(&mut echo, &game);
        let mut after = position.clone();
        after.play_unchecked(referee.legal(best).expect("a legal move"));
        if !after.is_game_over() {
            let kept = -rank(tables.probe_wdl(&after).expect("all of four pieces"));
            assert!(kept + 1 >= rank(before), "{fen}: {best} leads from {before:?} to {kept}");
        }
        match rank(before) {
            2 => assert!(
                matches!(score, Score::Mate(mate) if mate.is_win()) || cp(score) > 10_000,
                "{fen}: {score}"
            ),
            0 => assert_eq!(cp(score), 0, "{fen}"),
            -2 => assert!(
                matches!(score, Score::Mate(mate) if !mate.is_win()) || cp(score) < -10_000,
                "{fen}: {score}"
            ),
            _ => {}
        }
        // One win in eight is played out against itself as the defender.
        if rank(before) == 2 && positions % 8 == 0 {
            echo.new_game();
            while referee.ending().is_none() {
                let (mv, _) = answer(&mut echo, &game);
                referee.play(mv).expect("legal");
                game.moves.push(mv);
            }
            assert_eq!(referee.ending(), Some(RuleEnd::Checkmate), "{game}");
            assert_eq!(referee.position().turn(), !position.turn(), "{game}");
            won += 1;
        }
    }
    eprintln!("{positions} positions kept, {won} wins won");
    assert!(won > 5, "{won}");
}

fn cp(score: Score) -> i32 {
    match score {
        Score::Cp(centipawns) => centipawns.0,
        Score::Mate(_) => i32::MAX,
    }
}

fn answer(echo: &mut Echo, position: &GamePosition) -> (shakmaty::uci::UciMove, Score) {
    let request = SearchRequest {
        position,
        limits: &Limits::nodes(3_000),
        only: &[],
        stop: &Stop::default(),
        pondering: &Stop::default(),
        now: &|| Duration::ZERO,
    };
    let mut score = None;
    let found = echo.search(&request, &mut |report| score = Some(report.score)).expect("a legal line");
    (found.best.expect("the game goes on"), score.expect("a report"))
}
