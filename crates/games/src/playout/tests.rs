//! Games with scripted answers, and properties of every script.

use std::num::NonZeroU32;
use std::sync::Arc;

use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Square};

use super::adjudication::{DrawRule, Like, ResignRule, Rule};
use super::*;
use threefold_chess::clock::Flag;
use threefold_chess::score::Centipawns;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn line(fen: &str) -> GamePosition {
    GamePosition::parse(fen, "").expect("a FEN")
}

fn answers(game: &mut Playout, moves: &str) -> Vec<Option<PlayedMove>> {
    let reply = |mv: &str| TurnReply { best: mv.parse().ok(), ..TurnReply::default() };
    moves.split_whitespace().map(|mv| game.answer(&reply(mv))).collect()
}

fn ending(game: &Playout) -> Option<GameEnding> {
    match game.state() {
        GameState::ToMove(_) => None,
        GameState::Over(ending) => Some(ending),
    }
}

#[test]
fn game_ends_by_rules_length_or_forfeit() {
    let all = GameConditions::unlimited();
    let lenient = GameConditions { rules: EndingRules::NoMovesLeft, ..GameConditions::unlimited() };
    let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let illegal = |mv: &str| EndCause::IllegalMove(mv.parse().expect("a move"));
    let table = [
        // terms, start, answers, outcome and cause
        (&all, START, "f2f3 e7e5 g2g4 d8h4", Some((GameOutcome::Black, EndCause::Rule(RuleEnd::Checkmate)))),
        (&all, START, shuffle, Some((GameOutcome::Draw, EndCause::Rule(RuleEnd::Threefold)))),
        (&lenient, START, shuffle, None),
        (
            &lenient,
            START,
            "f2f3 e7e5 g2g4 d8h4",
            Some((GameOutcome::Black, EndCause::Rule(RuleEnd::Checkmate))),
        ),
        (
            &all,
            "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
            "",
            Some((GameOutcome::Draw, EndCause::Rule(RuleEnd::Stalemate))),
        ),
        (&GameConditions::of_plies(2), START, "e2e4 e7e5", Some((GameOutcome::Draw, EndCause::PlyLimit))),
        (&GameConditions::of_plies(0), START, "", Some((GameOutcome::Draw, EndCause::PlyLimit))),
        (
            &GameConditions::of_plies(4),
            START,
            "f2f3 e7e5 g2g4 d8h4",
            Some((GameOutcome::Black, EndCause::Rule(RuleEnd::Checkmate))),
        ),
        (&all, START, "e2e4 e2e4", Some((GameOutcome::White, illegal("e2e4")))),
        (&all, START, "none", Some((GameOutcome::Black, EndCause::NoMove))),
        (&all, START, "e2e4 e7e5", None),
    ];
    for (terms, fen, moves, expected) in table {
        let mut game = Playout::new(&line(fen), terms).expect("legal");
        answers(&mut game, moves);
        let ended = ending(&game).map(|ending| (ending.outcome, ending.cause));
        assert_eq!(ended, expected, "{fen}: {moves}");
        let played = game.line().clone();
        if ended.is_some() {
            assert_eq!(answers(&mut game, "e2e4 none"), [None, None], "nothing is played after the end");
            assert_eq!((ending(&game).map(|it| (it.outcome, it.cause)), game.line()), (expected, &played));
        }
    }
}

#[test]
fn adjudication_applies_after_chess_rules_and_before_the_ply_limit() {
    let draw: Arc<dyn Rule> = Arc::new(DrawRule { from_move: 0, moves: 1, score: 10 });
    let adjudication = Adjudication::new([Arc::clone(&draw)]);
    let terms = GameConditions { adjudication, ..GameConditions::of_plies(2) };
    let mut game = Playout::new(&line(START), &terms).expect("legal");
    for mv in ["g1f3", "g8f6"] {
        let best = mv.parse().ok();
        let moved =
            game.answer(&TurnReply { best, score: Some(Score::Cp(Centipawns(3))), ..TurnReply::default() });
        assert_eq!(moved.map(|moved| moved.mv), best);
    }
    let cause = EndCause::Adjudicated(draw.kind());
    assert_eq!(game.state(), GameState::Over(GameEnding { outcome: GameOutcome::Draw, cause }));
}

#[test]
fn time_forfeit_precedes_the_move_and_lag_is_charged() {
    let control: Control = "1+0.1".parse().expect("sound");
    let clock_source = ClockSource::Virtual { nodes_per_second: NonZeroU32::new(1000).expect("not zero") };
    let terms = GameConditions {
        controls: [control; 2],
        clock_sources: [clock_source; 2],
        ..GameConditions::unlimited()
    };
    let mut game = Playout::new(&line(START), &terms).expect("legal");
    let millis = Duration::from_millis;
    let reply = |mv: &str, nodes, lag| TurnReply {
        nodes,
        lag: millis(lag),
        ..TurnReply::from_move(mv.parse().expect("a move"))
    };
    let moved = game.answer(&reply("e2e4", 500, 100)).expect("legal and in time");
    assert_eq!((moved.used, moved.left), (Some(millis(600)), Some(millis(600))));
    let GameState::ToMove(turn) = game.state() else { panic!("the game goes on") };
    let clocks = turn.limits.clocks.expect("a clock");
    assert_eq!((turn.mover, clocks.white.time, clocks.black.time), (Color::Black, millis(600), millis(1100)));
    assert_eq!(game.answer(&reply("e2e4", 1000, 101)), None, "an illegal move, and too late");
    let cause = EndCause::Flag(Flag { over: millis(1), margin: Duration::ZERO });
    assert_eq!(game.state(), GameState::Over(GameEnding { outcome: GameOutcome::White, cause }));
}

/// An answer as numbers: a legal move, no move or an illegal one; the score; time and nodes.
#[derive(Debug, Clone, Copy)]
struct Script {
    choice: u16,
    score: i16,
    nodes: u16,
    lag: u8,
}

fn script() -> impl Strategy<Value = Script> {
    (any::<u16>(), -900..900_i16, 0..40_u16, any::<u8>()).prop_map(|(choice, score, nodes, lag)| Script {
        choice,
        score,
        nodes,
        lag: lag / 64,
    })
}

/// The board turned round, with the colours exchanged.
fn swapped(position: &GamePosition) -> GamePosition {
    let mut setup = position.start.as_setup().clone();
    setup.board.flip_vertical();
    setup.board.swap_colors();
    setup.castling_rights = setup.castling_rights.flip_vertical();
    setup.ep_square = setup.ep_square.map(Square::flip_vertical);
    setup.turn = !setup.turn;
    let start = Fen::try_from(setup).expect("a board upside down is a board");
    GamePosition { start, moves: position.moves.iter().map(|&mv| flipped(mv)).collect() }
}

fn flipped(mv: UciMove) -> UciMove {
    match mv {
        UciMove::Normal { from, to, promotion } => {
            UciMove::Normal { from: from.flip_vertical(), to: to.flip_vertical(), promotion }
        }
        UciMove::Put { role, to } => UciMove::Put { role, to: to.flip_vertical() },
        UciMove::Null => UciMove::Null,
    }
}

impl Script {
    /// The answer in this game. Legal moves are numbered in an order that exchanging colours preserves.
    fn reply(self, game: &Playout) -> TurnReply {
        let referee = game.referee();
        let upside_down = referee.position().turn().is_black();
        let mut legal: Vec<UciMove> =
            referee.position().legal_moves().into_iter().map(|mv| referee.uci(mv)).collect();
        legal.sort_by_key(|&mv| if upside_down { flipped(mv) } else { mv }.to_string());
        let best = match self.choice % 128 {
            0 => None,
            // Legal in no position.
            1 => Some(UciMove::Null),
            _ => Some(legal[usize::from(self.choice) % legal.len()]),
        };
        TurnReply {
            best,
            score: Some(Score::Cp(Centipawns(i32::from(self.score)))),
            nodes: u64::from(self.nodes),
            elapsed: Duration::ZERO,
            lag: Duration::from_millis(u64::from(self.lag)),
        }
    }
}

fn terms(plies: usize) -> GameConditions {
    let control: Control = "9/0.4+0.003,timemargin=2".parse().expect("sound");
    let clock_source = ClockSource::Virtual { nodes_per_second: NonZeroU32::new(1000).expect("not zero") };
    let rules: [Arc<dyn Rule>; 2] = [
        Arc::new(DrawRule { from_move: 0, moves: 2, score: 300 }),
        Arc::new(ResignRule { moves: 3, score: 200, two_sided: false, like: Like::Threefold }),
    ];
    GameConditions {
        controls: [control; 2],
        clock_sources: [clock_source; 2],
        adjudication: Adjudication::new(rules),
        ..GameConditions::of_plies(plies)
    }
}

/// Plays a script to its end; returns the game and what each side was charged.
fn played(
    opening: &GamePosition,
    terms: &GameConditions,
    scripts: &[Script],
) -> (Playout, Vec<(Color, PlayedMove)>) {
    let mut game = Playout::new(opening, terms).expect("legal");
    let mut moved = Vec::new();
    for script in scripts {
        let GameState::ToMove(TurnRequest { mover, .. }) = game.state() else { break };
        let reply = script.reply(&game);
        moved.extend(game.answer(&reply).map(|it| (mover, it)));
    }
    (game, moved)
}

proptest! {
    /// A game is over after at most its number of plies, whatever the answers are.
    #[test]
    fn every_game_ends(scripts in prop::collection::vec(script(), 60), plies in 0..60_usize) {
        let (game, moved) = played(&line(START), &terms(plies), &scripts);
        prop_assert!(ending(&game).is_some());
        prop_assert!(moved.len() <= plies);
        prop_assert_eq!(game.moves().len(), moved.len());
        let line = game.line().clone();
        let again = Referee::new(&line).expect("legal");
        prop_assert_eq!(again.position(), game.referee().position());
    }

    /// The same answers with exchanged colours give the opposite result for the same cause.
    #[test]
    fn playout_is_symmetric_in_colours(scripts in prop::collection::vec(script(), 60), fen in prop::sample::select(vec![
        START,
        "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 1",
        "8/P6k/8/8/8/8/p6K/8 w - - 90 60",
    ])) {
        let opening = line(fen);
        let (game, moved) = played(&opening, &terms(60), &scripts);
        let (other, swapped_moves) = played(&swapped(&opening), &terms(60), &scripts);
        prop_assert_eq!(swapped(game.line()), other.line().clone());
        let charged = |moved: &[(Color, PlayedMove)]| moved.iter().map(|(_, it)| (it.used, it.left)).collect::<Vec<_>>();
        prop_assert_eq!(charged(&moved), charged(&swapped_moves));
        let (one, two) = (ending(&game).expect("over"), ending(&other).expect("over"));
        prop_assert_eq!(one.outcome.winner(), two.outcome.winner().map(|winner| !winner));
        let cause = match one.cause {
            EndCause::IllegalMove(mv) => EndCause::IllegalMove(flipped(mv)),
            cause => cause,
        };
        prop_assert_eq!(cause, two.cause);
    }

    /// The time granted to a side equals the time used plus the time left, up to a debt within the margin.
    #[test]
    fn playout_conserves_time(scripts in prop::collection::vec(script(), 60)) {
        let (_, moved) = played(&line(START), &terms(60), &scripts);
        for color in Color::ALL {
            let own: Vec<PlayedMove> = moved.iter().filter(|(mover, _)| *mover == color).map(|&(_, it)| it).collect();
            let mut used = Duration::ZERO;
            for (moves, it) in (1_u32..).zip(&own) {
                used += it.used.expect("a virtual clock");
                let increments = Duration::from_millis(3) * (moves + 1);
                let granted = Duration::from_millis(400) * (1 + moves / 9) + increments;
                let held = used + it.left.expect("a clock");
                let debt = held.checked_sub(granted).expect("no time is lost");
                prop_assert!(debt <= Duration::from_millis(2), "{held:?} {granted:?}");
            }
        }
    }
}

#[test]
fn mirrored_game_has_swapped_colours() {
    let opening = GamePosition::parse(START, "e2e4 c7c5").expect("sound");
    let other = swapped(&opening);
    let fen = |position: &GamePosition| {
        Fen::from_position(Referee::new(position).expect("legal").position(), EnPassantMode::Legal)
            .to_string()
    };
    assert_eq!(fen(&opening), "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_eq!(fen(&other), "rnbqkbnr/pppp1ppp/8/4p3/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 2");
}
