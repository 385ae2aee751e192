//! Moves that the rules make a draw, and moves that only look like it.
//!
//! All of it happens with a queen or a rook against a bare king, where the tables know what is won and nothing
//! but a capture can put a mate off. So what the fifty-move rule leaves of a win is known to the ply.

use std::num::{NonZeroU32, NonZeroUsize};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Setup,
    Square,
};

use super::history::{after, way_back};
use super::{crew, scatter};
use threefold_chess::position::GamePosition;
use threefold_harness::suite::trap::{AnswerSource, TrueResult};
use threefold_named_enum::named_enum;
use threefold_oracle::referee::RuleEnd;
use threefold_oracle::{Material, ProvenValue, Referee, Tables, Wdl};

named_enum! {
    /// What a move is about.
    pub enum RuleClass {
        /// It makes a third occurrence.
        Third = "third",
        /// The men stood so twice before, but then the king could still castle.
        LostRight = "lost-right",
        /// It makes the hundredth ply without progress, and no mate.
        Fifty = "fifty",
        /// It wins, with mate on the hundredth ply.
        InTime = "in-time",
        /// It would win, had the fifty-move rule not to come first.
        TooLate = "too-late",
        /// It leaves the other side without a move.
        Stalemate = "stalemate",
        /// It leaves nobody who can mate.
        Dead = "dead",
        /// It gives a win away.
        ThrownAway = "thrown-away",
        /// It wins, and nothing is about it.
        Won = "won",
        /// It loses, and nothing is about it.
        Lost = "lost",
        /// It loses only because the pawn can be captured en passant.
        EnPassant = "en-passant",
    }
}

/// Who has the queen or the rook.
const ENDINGS: [&str; 2] = ["KQK", "KRK"];
/// Where a pawn can be captured en passant.
const PAWNS: &str = "KPKP";
/// The counter at which a game is drawn, in plies.
const LIMIT: u32 = 100;
/// Plies within which a mate is to be seen.
const NEAR: u32 = 6;
/// The number of the move in these games.
const LATE: NonZeroU32 = NonZeroU32::new(90).expect("not zero");
/// How many games are drawn for a case before there is held to be none.
const PATIENCE: u64 = 400_000;

/// The materials whose tables are asked.
pub fn materials() -> Vec<Material> {
    let names = ENDINGS.iter().chain([&PAWNS]);
    names.map(|name| name.parse().expect("the lists above hold materials")).collect()
}

/// A move and what it comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled {
    /// What it is about.
    pub class: RuleClass,
    /// The result for who makes it.
    pub result: TrueResult,
    /// By what that is known.
    pub origin: AnswerSource,
}

/// Derives what a move comes to from the game before it; `None` where it is about nothing that has a class.
pub fn derive(tables: &Tables, line: &GamePosition, mv: UciMove) -> Option<Ruled> {
    let referee = Referee::new(line).ok()?;
    if referee.ending().is_some() {
        return None;
    }
    let legal = referee.legal(mv).ok()?;
    let mut then = referee.clone();
    then.play(mv).ok()?;
    let by_rules = |class| Some(Ruled { class, result: TrueResult::Draw, origin: AnswerSource::Rules });
    match then.ending() {
        Some(RuleEnd::Threefold) => return by_rules(RuleClass::Third),
        Some(RuleEnd::FiftyMoves) => return by_rules(RuleClass::Fifty),
        Some(RuleEnd::Stalemate) => return by_rules(RuleClass::Stalemate),
        Some(RuleEnd::InsufficientMaterial) => return by_rules(RuleClass::Dead),
        Some(RuleEnd::Checkmate) => {
            let counter = then.position().halfmoves();
            let win =
                Ruled { class: RuleClass::InTime, result: TrueResult::Win, origin: AnswerSource::Rules };
            return (counter == LIMIT).then_some(win);
        }
        None => {}
    }
    let fact = tables.probe(then.position())?.one_ply_earlier();
    let by_table = |class, result| Some(Ruled { class, result, origin: AnswerSource::Tablebase });
    let before = tables.probe(referee.position()).map(ProvenValue::wdl);
    let plies = fact.plies().map_or(0, u32::from);
    let end = referee.position().halfmoves() + plies;
    match fact.wdl() {
        Wdl::Draw if before == Some(Wdl::Win) => by_table(RuleClass::ThrownAway, TrueResult::Draw),
        Wdl::Draw => None,
        // Nobody but the lone king can wind the counter back, and then nothing is left to win.
        Wdl::Win if end > LIMIT && plies <= NEAR => by_table(RuleClass::TooLate, TrueResult::Draw),
        Wdl::Win if end == LIMIT && plies <= NEAR => by_table(RuleClass::InTime, TrueResult::Win),
        _ if end + 20 > LIMIT => None,
        Wdl::Win if looks_like_a_third(line, &then) => by_table(RuleClass::LostRight, TrueResult::Win),
        Wdl::Win if line.moves.is_empty() => by_table(RuleClass::Won, TrueResult::Win),
        Wdl::Loss if line.moves.is_empty() && en_passant_decides(tables, then.position()) => {
            by_table(RuleClass::EnPassant, TrueResult::Loss)
        }
        Wdl::Loss if line.moves.is_empty() && !takes(legal) => by_table(RuleClass::Lost, TrueResult::Loss),
        Wdl::Win | Wdl::Loss => None,
    }
}

/// Would whoever is to move, and wins, not win without its capture en passant?
fn en_passant_decides(tables: &Tables, then: &Chess) -> bool {
    if then.legal_ep_square().is_none() {
        return false;
    }
    let setup = Setup { ep_square: None, ..then.to_setup(EnPassantMode::Legal) };
    let without = Chess::from_setup(setup, CastlingMode::Standard).ok();
    without.and_then(|without| tables.probe(&without)).is_some_and(|fact| fact.wdl() != Wdl::Win)
}

fn takes(mv: Move) -> bool {
    mv.is_capture()
}

/// Did the same men stand on the same squares twice before, with the same side to move?
fn looks_like_a_third(line: &GamePosition, then: &Referee) -> bool {
    let Ok(mut earlier) = Referee::new(&GamePosition { start: line.start.clone(), moves: Vec::new() }) else {
        return false;
    };
    let now = then.position();
    let alike = |referee: &Referee| {
        referee.position().board() == now.board() && referee.position().turn() == now.turn()
    };
    let mut times = usize::from(alike(&earlier));
    for &mv in &line.moves {
        if earlier.play(mv).is_err() {
            return false;
        }
        times += usize::from(alike(&earlier));
    }
    times == 2
}

/// A move with the game before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The game.
    pub line: GamePosition,
    /// The move.
    pub mv: UciMove,
    /// What it comes to.
    pub ruled: Ruled,
}

/// Mines so many cases of each of these classes; the same seed finds the same on any number of threads. `found` hears of
/// each.
pub fn mine(
    tables: &Tables,
    classes: &[RuleClass],
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Case> {
    let mut mined: Vec<Case> = Vec::new();
    let numbered = RuleClass::ALL.iter().enumerate().filter(|(_, class)| classes.contains(class));
    for (class_number, &class) in numbered {
        for number in 0..per_class {
            let attempt = |piece| {
                let stream = ((class_number * per_class + number) as u64) << 32 | piece;
                let mut lot = crew::lot(seed, stream);
                let (line, mv) = draw(class, &mut lot)?;
                let ruled = derive(tables, &line, mv)?;
                (ruled.class == class).then_some(Case { line, mv, ruled })
            };
            let new = |case: Case| mined.iter().all(|known| known.line != case.line).then_some(case);
            mined.extend(crew::first(threads, 0..PATIENCE, attempt, new));
            found();
        }
    }
    mined
}

/// A game and a move that may be of the class.
fn draw(class: RuleClass, lot: &mut ChaCha8Rng) -> Option<(GamePosition, UciMove)> {
    let counter = match class {
        RuleClass::Fifty => LIMIT - 1,
        RuleClass::InTime | RuleClass::TooLate => lot.random_range(LIMIT - NEAR..LIMIT),
        _ => 0,
    };
    match class {
        RuleClass::LostRight => {
            let (here, mv, rook) = king_to_castle_with(lot)?;
            let start = start_of(&after(&here, mv), 0, rook.into())?;
            around(start, &here, mv, lot)
        }
        RuleClass::EnPassant => {
            let (here, mv) = double_step(lot)?;
            let start = start_of(&here, counter, Bitboard::EMPTY)?;
            Some((GamePosition { start, moves: Vec::new() }, mv.to_uci(CastlingMode::Standard)))
        }
        RuleClass::Third => {
            let here = ending(lot)?;
            let mv = *here.legal_moves().choose(lot)?;
            around(start_of(&after(&here, mv), 0, Bitboard::EMPTY)?, &here, mv, lot)
        }
        _ => {
            let here = ending(lot)?;
            let mv = *here.legal_moves().choose(lot)?;
            let start = start_of(&here, counter, Bitboard::EMPTY)?;
            Some((GamePosition { start, moves: Vec::new() }, mv.to_uci(CastlingMode::Standard)))
        }
    }
}

fn ending(lot: &mut ChaCha8Rng) -> Option<Chess> {
    let material = ENDINGS.choose(lot)?.parse().ok()?;
    scatter::turned(&scatter::of_material(material, lot)?, lot)
}

/// A pawn that goes two squares, to the side of another one.
fn double_step(lot: &mut ChaCha8Rng) -> Option<(Chess, Move)> {
    let here = scatter::turned(&scatter::of_material(PAWNS.parse().ok()?, lot)?, lot)?;
    let beside_another = |mv: &Move| after(&here, *mv).legal_ep_square().is_some();
    let mv = here.legal_moves().into_iter().find(beside_another)?;
    Some((here, mv))
}

/// A king beside his own square, the move that takes him there, and a rook on hers.
fn king_to_castle_with(lot: &mut ChaCha8Rng) -> Option<(Chess, Move, Square)> {
    let rook = *[Square::A1, Square::H1].choose(lot)?;
    let king = *[Square::D1, Square::F1, Square::D2, Square::E2, Square::F2].choose(lot)?;
    let mut board = Board::empty();
    board.set_piece_at(rook, Role::Rook.of(Color::White));
    board.set_piece_at(king, Role::King.of(Color::White));
    let lone = Square::new(lot.random_range(0..64));
    if board.piece_at(lone).is_some() {
        return None;
    }
    board.set_piece_at(lone, Role::King.of(Color::Black));
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    let here = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let home = here.legal_moves().into_iter().find(|mv| mv.from() == Some(king) && mv.to() == Square::E1)?;
    Some((here, home, rook))
}

/// The game that begins where `mv` leads, comes back there once, and is about to do so again.
fn around(start: Fen, here: &Chess, mv: Move, lot: &mut ChaCha8Rng) -> Option<(GamePosition, UciMove)> {
    let [there, undo, back] = way_back(here, mv, lot)?;
    let round = [there, undo, back, mv].map(|mv| mv.to_uci(CastlingMode::Standard));
    let moves = round.iter().chain(&round[..3]).copied().collect();
    Some((GamePosition { start, moves }, round[3]))
}

/// A position as the start of a game, with this counter and these rooks to castle with.
fn start_of(position: &Chess, counter: u32, rooks: Bitboard) -> Option<Fen> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    (setup.halfmoves, setup.fullmoves) = (counter, LATE);
    setup.castling_rights = rooks;
    let sound = Chess::from_setup(setup.clone(), CastlingMode::Standard).ok()?;
    (sound.castles().castling_rights() == rooks).then(|| Fen::try_from_setup(setup).ok())?
}

/// The file that [`mine`] makes of a seed, to the byte.
pub fn file(tables: &Tables, seed: u64, per_class: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    page_of(&mine(tables, RuleClass::ALL, seed, per_class, threads, found), seed, per_class)
}

fn page_of(mined: &[Case], seed: u64, per_class: usize) -> String {
    let mut numbers = scatter::Numbers::default();
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for Case { line, mv, ruled } in mined {
        let number = numbers.next(ruled.class.name());
        written = written.and_then(|()| {
            rows.write_record([
                format!("{}.{number:03}", ruled.class),
                ruled.class.to_string(),
                line.start.to_string(),
                line.moves_text(),
                mv.to_string(),
                ruled.result.to_string(),
                ruled.origin.to_string(),
                ruled.class.summary().to_owned(),
            ])
        });
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# Single moves that the rules make a draw, and others that only look like it: `result` is what `best` comes \
         to.\n\
         # Made by: threefold positions rules --seed {seed} --per-class {per_class}\n\
         # Proven again by: threefold positions check\n\
         {rows}"
    )
}

/// The columns, in order.
const COLUMNS: [&str; 8] = ["id", "class", "fen", "moves", "best", "result", "source", "note"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_found_and_derived_again() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        // Captures en passant need a table of four men, which takes minutes in a build for tests:
        // `threefold positions check` derives those of the shipped file.
        let (small, classes) = (&materials()[..ENDINGS.len()], &RuleClass::ALL[..RuleClass::ALL.len() - 1]);
        assert_eq!(RuleClass::ALL.last(), Some(&RuleClass::EnPassant));
        tables.make(small, &mut |_| {}).expect("few men");
        let two = NonZeroUsize::MIN.saturating_add(1);
        let mined = mine(&tables, classes, 3, 2, two, &|| {});
        for class in classes {
            let of_class: Vec<&Case> = mined.iter().filter(|case| case.ruled.class == *class).collect();
            assert_eq!(of_class.len(), 2, "{class}");
            for case in of_class {
                assert_eq!(derive(&tables, &case.line, case.mv), Some(case.ruled.clone()));
            }
        }
        let alone = mine(&tables, classes, 3, 1, NonZeroUsize::MIN, &|| {});
        assert_eq!(mine(&tables, classes, 3, 1, two, &|| {}), alone);
    }

    #[test]
    fn what_a_move_comes_to_depends_on_the_game() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&materials(), &mut |_| {}).expect("few men");
        let table = [
            // FEN, moves, the move, what it is
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "", "a1a8", Some((RuleClass::InTime, TrueResult::Win))),
            ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "", "a1a7", Some((RuleClass::Fifty, TrueResult::Draw))),
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", "", "a1b1", Some((RuleClass::Won, TrueResult::Win))),
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 90", "", "a1a8", None),
            ("8/8/8/8/8/2k5/8/KR6 w - - 0 90", "", "b1b3", Some((RuleClass::ThrownAway, TrueResult::Draw))),
            ("7k/8/6Q1/8/8/8/8/K7 b - - 0 90", "", "h8g8", None),
        ];
        for (fen, moves, mv, expected) in table {
            let line = GamePosition::parse(fen, moves).expect("sound");
            let derived = derive(&tables, &line, mv.parse().expect("a move"));
            assert_eq!(derived.map(|ruled| (ruled.class, ruled.result)), expected, "{fen} {mv}");
        }
    }
}
