//! Adjudication by endgame tables and by mate scores. Syzygy's are in `SYZYGY_PATH`: a folder with those of
//! three pieces.

use std::env;
use std::num::NonZeroUsize;
use std::path::Path;

use super::*;
use crate::playout::{EndCause, GameConditions, GameState, Playout, TurnReply};
use shakmaty::uci::UciMove;
use threefold_chess::position::GamePosition;
use threefold_chess::score::MateDistance;
use threefold_oracle::tables::Tables;

/// The rule with this name and these settings.
fn rule(name: &str, settings: &str) -> Arc<dyn Rule> {
    (RuleKind::named(name).expect(name).read)(name, settings).unwrap_or_else(|error| panic!("{error}"))
}

/// The result after a move by this rule; `None` if the game goes on.
fn after_move(rule: &Arc<dyn Rule>, fen: &str, mv: &str) -> Option<GameOutcome> {
    rule.prepare().unwrap_or_else(|error| panic!("{error}"));
    let terms =
        GameConditions { adjudication: Adjudication::new([Arc::clone(rule)]), ..GameConditions::unlimited() };
    let mut game = Playout::new(&GamePosition::parse(fen, "").expect(fen), &terms).expect("legal");
    game.answer(&TurnReply::from_move(mv.parse().expect(mv))).expect("legal");
    match game.state() {
        GameState::Over(ending) => {
            assert_eq!(ending.cause, EndCause::Adjudicated(rule.kind()));
            Some(ending.outcome)
        }
        GameState::ToMove(_) => None,
    }
}

const WHITE: Option<GameOutcome> = Some(GameOutcome::White);
const DRAW: Option<GameOutcome> = Some(GameOutcome::Draw);
/// White wins with the rook, 31 plies from mate at most.
const ROOK: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";
const ROOK_LATE: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 90 80";

fn syzygy(settings: &str) -> Option<Arc<dyn Rule>> {
    let folder = env::var_os("SYZYGY_PATH");
    assert!(folder.is_some() || env::var_os("CI").is_none(), "SYZYGY_PATH is not set");
    Some(rule("syzygy", &format!("{}{settings}", folder?.to_str().expect("UTF-8"))))
}

/// A folder with our table of king and rook against king, and of what it can turn into.
#[expect(clippy::disallowed_methods, reason = "tables are files")]
fn own_tables() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut tables = Tables::new(NonZeroUsize::MIN);
    let wanted = ["KRK", "KQK"].map(|name| name.parse().expect("a material"));
    tables.make(&wanted, &mut |_| {}).expect("few pieces");
    for material in wanted {
        let file = folder.path().join(Tables::file_name(material));
        std::fs::write(&file, tables.table(material).expect("made").bytes()).expect("room on the disk");
    }
    folder
}

#[test]
fn syzygy_tables_end_games_under_the_fifty_move_rule() {
    let Some(plain) = syzygy("") else { return };
    let rule = |settings| syzygy(settings).expect("there are tables");
    let table = [
        (&plain, ROOK, "a1a2", WHITE),
        // Mate takes more than ten plies.
        (&plain, ROOK_LATE, "a1a2", DRAW),
        (&rule(",ignore50=true"), ROOK_LATE, "a1a2", WHITE),
        (&rule(",pieces=2"), ROOK, "a1a2", None),
        (&rule(",pieces=3"), ROOK, "a1a2", WHITE),
        (&rule(",results=draws"), ROOK, "a1a2", None),
        (&rule(",results=draws"), ROOK_LATE, "a1a2", DRAW),
        (&rule(",results=wins"), ROOK, "a1a2", WHITE),
        (&rule(",results=wins"), ROOK_LATE, "a1a2", None),
        // Castling is in no table.
        (&plain, "8/4k3/8/8/8/8/8/4K2R b K - 0 1", "e7e6", None),
        (&plain, "8/4k3/8/8/8/8/8/4K2R b - - 0 1", "e7e6", WHITE),
        // Too many pieces.
        (&plain, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", None),
    ];
    for (rule, fen, mv, expected) in table {
        assert_eq!(after_move(rule, fen, mv), expected, "{fen} {mv} {}", rule.settings_text());
    }
}

/// Without distances a win is certain only right after a capture or pawn move, as in fastchess; a draw always
/// is.
#[test]
fn win_without_distances_waits_for_a_capture() {
    let Some(folder) = env::var_os("SYZYGY_PATH") else { return };
    let lean = tempfile::tempdir().expect("a folder");
    for name in ["KRvK", "KQvK", "KNvK", "KBvK", "KPvK"] {
        let file = format!("{name}.rtbw");
        std::fs::copy(Path::new(&folder).join(&file), lean.path().join(&file))
            .expect("tables of three pieces");
    }
    let rule = rule("syzygy", lean.path().to_str().expect("UTF-8"));
    assert_eq!(after_move(&rule, ROOK, "a1a2"), None);
    assert_eq!(after_move(&rule, "8/8/8/8/8/8/k6p/4K2R w - - 40 60", "h1h2"), WHITE);
    assert_eq!(after_move(&rule, "8/8/8/8/8/1k6/1P6/1K6 w - - 4 60", "b1a1"), DRAW);
}

#[test]
fn own_tables_end_games_if_the_mate_comes_in_time() {
    let folder = own_tables();
    let folder = folder.path().to_str().expect("UTF-8");
    let own = |settings: &str| rule("distance-to-mate", &format!("{folder}{settings}"));
    let plain = own("");
    let table = [
        (&plain, ROOK, "a1a2", WHITE),
        // Whether the mate comes in time is unknown: a capture may start the count again.
        (&plain, ROOK_LATE, "a1a2", None),
        (&own(",ignore50=true"), ROOK_LATE, "a1a2", WHITE),
        // Mate in one more ply, the hundredth.
        (&plain, "k7/8/1K6/8/8/8/8/7R w - - 98 80", "h1h2", None),
        (&own(",results=draws"), ROOK, "a1a2", None),
        (&own(",pieces=2"), ROOK, "a1a2", None),
        // No such table.
        (&plain, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "e2e3", None),
    ];
    for (rule, fen, mv, expected) in table {
        assert_eq!(after_move(rule, fen, mv), expected, "{fen} {mv} {}", rule.settings_text());
    }
    let mating = "7k/8/6K1/8/8/8/8/R7 b - - 97 80";
    assert_eq!(after_move(&plain, mating, "h8g8"), WHITE, "98 plies and one to the mate");
}

#[test]
fn missing_tables_are_reported_before_the_first_game() {
    let empty = tempfile::tempdir().expect("a folder");
    let empty = empty.path().to_str().expect("UTF-8");
    for (name, folder, message) in [
        ("syzygy", "/nowhere/at/all", "can't be read as a folder of Syzygy tables"),
        ("syzygy", empty, "holds no Syzygy tables"),
        ("distance-to-mate", "/nowhere/at/all", "can't be read as a folder of tables"),
        ("distance-to-mate", empty, "holds no tables (.dtm); build some with `threefold tablebase build"),
    ] {
        let error = Adjudication::new([rule(name, folder)]).prepare().expect_err(folder);
        assert!(error.contains(message), "{error}");
    }
    assert_eq!(Adjudication::new([rule("max-moves", "9")]).prepare(), Ok(()));
}

#[test]
fn settings_of_tables_follow_the_folder() {
    for (given, text) in [
        ("/my tables/a,b", "/my tables/a,b"),
        ("t,results=wins,pieces=5", "t,pieces=5,results=wins"),
        ("t,ignore50=false,results=all", "t"),
        ("t,ignore50=true", "t,ignore50=true"),
        ("a,pieces=3,b,pieces=4", "a,pieces=3,b,pieces=4"),
    ] {
        assert_eq!(rule("syzygy", given).settings_text(), text);
        assert_eq!(rule("distance-to-mate", text).settings_text(), text);
    }
    for wrong in ["", ",pieces=5", "t,pieces=many", "t,ignore50=yes", "t,results=losses"] {
        assert!((syzygy::KIND.read)("--tb", wrong).is_err(), "{wrong}");
    }
}

/// The result of a game of these scores, in plies to mate or none, from White's first move on.
fn claims(who: &str, scores: &[Option<i32>], trusted: [bool; 2]) -> Option<GameOutcome> {
    let adjudication = Adjudication::new([rule("trust-mates", who)]);
    let terms = GameConditions { adjudication, trusted, ..GameConditions::unlimited() };
    let mut game = Playout::new(&GamePosition::start_position(), &terms).expect("legal");
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].map(|mv| mv.parse::<UciMove>().expect(mv));
    for (mv, score) in moves.into_iter().cycle().zip(scores) {
        let score = score.map(|moves| Score::Mate(MateDistance::from_moves(moves).expect("small")));
        game.answer(&TurnReply { score, ..TurnReply::from_move(mv) });
    }
    match game.state() {
        GameState::Over(ending) => Some(ending.outcome),
        GameState::ToMove(_) => None,
    }
}

#[test]
fn agreed_or_trusted_mate_scores_end_games() {
    let table = [
        ("both", &[Some(5), Some(-4)][..], [false; 2], WHITE),
        ("both", &[Some(-5), Some(4)], [false; 2], Some(GameOutcome::Black)),
        // Contradictions, and claims of one side.
        ("both", &[Some(5), Some(4)], [false; 2], None),
        ("both", &[Some(5), None, Some(5)], [false; 2], None),
        ("both", &[Some(5), None, None, Some(-4)], [false; 2], None),
        ("both", &[None, Some(-4)], [false; 2], None),
        ("both", &[None, Some(-4)], [false, true], WHITE),
        ("trusted", &[Some(5), Some(-4)], [false; 2], None),
        ("trusted", &[None, Some(4)], [false, true], Some(GameOutcome::Black)),
        ("trusted", &[Some(5)], [true, false], WHITE),
        ("trusted", &[Some(5)], [false, true], None),
        // `mate 0` claims nothing, also from a trusted engine.
        ("both", &[Some(0), Some(5)], [false; 2], None),
        ("both", &[Some(5), Some(0), Some(5)], [false; 2], None),
        ("both", &[Some(5), Some(0), Some(5), Some(-4)], [false; 2], WHITE),
        ("trusted", &[Some(0), Some(0)], [true; 2], None),
    ];
    for (who, scores, trusted, expected) in table {
        assert_eq!(claims(who, scores, trusted), expected, "{who} {scores:?} {trusted:?}");
    }
    assert!((trust_mates::KIND.read)("--trust-mates", "nobody").is_err());
}
