//! Moves that are draws by the rules, and moves that only look like it.
//!
//! All cases have a queen or a rook against a bare king. There the tables know what is won, and only a
//! capture can delay a mate. So the effect of the fifty-move rule on a win is known exactly.

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
use super::{ordered_parallel, random_positions};
use threefold_chess::position::GamePosition;
use threefold_named_enum::named_enum;
use threefold_oracle::referee::RuleEnd;
use threefold_oracle::{Material, ProvenValue, Referee, Tables, Wdl};
use threefold_suites::trap::{AnswerSource, TrueResult};

named_enum! {
    /// The rule that a move is about.
    pub enum RuleClass {
        /// It makes a third occurrence.
        Third = "third",
        /// The pieces were on the same squares twice before, but then the king could still castle.
        LostRight = "lost-right",
        /// It makes the hundredth ply without capture or pawn move, and no mate.
        Fifty = "fifty",
        /// It wins, with mate on the hundredth ply.
        InTime = "in-time",
        /// It would win if the fifty-move rule did not apply first.
        TooLate = "too-late",
        /// It stalemates the other side.
        Stalemate = "stalemate",
        /// It leaves too little material for mate.
        Dead = "dead",
        /// It gives a win away.
        ThrownAway = "thrown-away",
        /// It wins, without a special rule.
        Won = "won",
        /// It loses, without a special rule.
        Lost = "lost",
        /// It loses only because the pawn can be captured en passant.
        EnPassant = "en-passant",
    }
}

/// The endings with a queen or a rook.
const ENDINGS: [&str; 2] = ["KQK", "KRK"];
/// The ending with en passant captures.
const PAWNS: &str = "KPKP";
/// The counter at which a game is drawn, in plies.
const LIMIT: u32 = 100;
/// The plies within which a mate must be seen.
const NEAR: u32 = 6;
/// The move number in these games.
const LATE: NonZeroU32 = NonZeroU32::new(90).expect("not zero");
/// The number of games per case before the search is given up.
const MOST_ATTEMPTS: u64 = 400_000;

/// The materials whose tables are used.
pub fn materials() -> Vec<Material> {
    let names = ENDINGS.iter().chain([&PAWNS]);
    names.map(|name| name.parse().expect("the lists above hold materials")).collect()
}

/// A move with its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleResult {
    /// The rule that it is about.
    pub class: RuleClass,
    /// The result for the side that makes it.
    pub result: TrueResult,
    /// How that is known.
    pub origin: AnswerSource,
}

/// Derives the result of a move from the game before it; `None` if it belongs to no class.
pub fn derive(tables: &Tables, position: &GamePosition, mv: UciMove) -> Option<RuleResult> {
    let referee = Referee::new(position).ok()?;
    if referee.ending().is_some() {
        return None;
    }
    let legal = referee.legal(mv).ok()?;
    let mut then = referee.clone();
    then.play(mv).ok()?;
    let by_rules = |class| Some(RuleResult { class, result: TrueResult::Draw, origin: AnswerSource::Rules });
    match then.ending() {
        Some(RuleEnd::Threefold) => return by_rules(RuleClass::Third),
        Some(RuleEnd::FiftyMoves) => return by_rules(RuleClass::Fifty),
        Some(RuleEnd::Stalemate) => return by_rules(RuleClass::Stalemate),
        Some(RuleEnd::InsufficientMaterial) => return by_rules(RuleClass::Dead),
        Some(RuleEnd::Checkmate) => {
            let counter = then.position().halfmoves();
            let win =
                RuleResult { class: RuleClass::InTime, result: TrueResult::Win, origin: AnswerSource::Rules };
            return (counter == LIMIT).then_some(win);
        }
        None => {}
    }
    let fact = tables.probe(then.position())?.one_ply_earlier();
    let by_table = |class, result| Some(RuleResult { class, result, origin: AnswerSource::Tablebase });
    let before = tables.probe(referee.position()).map(ProvenValue::wdl);
    let plies = fact.plies().map_or(0, u32::from);
    let end = referee.position().halfmoves() + plies;
    match fact.wdl() {
        Wdl::Draw if before == Some(Wdl::Win) => by_table(RuleClass::ThrownAway, TrueResult::Draw),
        Wdl::Draw => None,
        // Only the bare king can reset the counter, by a capture, and then nothing is left to win with.
        Wdl::Win if end > LIMIT && plies <= NEAR => by_table(RuleClass::TooLate, TrueResult::Draw),
        Wdl::Win if end == LIMIT && plies <= NEAR => by_table(RuleClass::InTime, TrueResult::Win),
        _ if end + 20 > LIMIT => None,
        Wdl::Win if looks_like_a_third(position, &then) => by_table(RuleClass::LostRight, TrueResult::Win),
        Wdl::Win if position.moves.is_empty() => by_table(RuleClass::Won, TrueResult::Win),
        Wdl::Loss if position.moves.is_empty() && en_passant_decides(tables, then.position()) => {
            by_table(RuleClass::EnPassant, TrueResult::Loss)
        }
        Wdl::Loss if position.moves.is_empty() && !takes(legal) => {
            by_table(RuleClass::Lost, TrueResult::Loss)
        }
        Wdl::Win | Wdl::Loss => None,
    }
}

/// Does the side to move win only because of its en passant capture?
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

/// Were the same pieces on the same squares twice before, with the same side to move?
fn looks_like_a_third(position: &GamePosition, then: &Referee) -> bool {
    let Ok(mut earlier) = Referee::new(&GamePosition { start: position.start.clone(), moves: Vec::new() })
    else {
        return false;
    };
    let now = then.position();
    let alike = |referee: &Referee| {
        referee.position().board() == now.board() && referee.position().turn() == now.turn()
    };
    let mut times = usize::from(alike(&earlier));
    for &mv in &position.moves {
        if earlier.play(mv).is_err() {
            return false;
        }
        times += usize::from(alike(&earlier));
    }
    times == 2
}

/// A move with the game before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinedRuleCase {
    /// The game that leads to the decision.
    pub history: GamePosition,
    /// The move that is judged.
    pub mv: UciMove,
    /// The result of the move under the rules.
    pub ruled: RuleResult,
}

/// Mines this number of cases of each class; the same seed gives the same result with any number of threads.
/// `found` is called for each.
pub fn mine(
    tables: &Tables,
    classes: &[RuleClass],
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<MinedRuleCase> {
    let mut mined: Vec<MinedRuleCase> = Vec::new();
    let numbered = RuleClass::ALL.iter().enumerate().filter(|(_, class)| classes.contains(class));
    for (class_number, &class) in numbered {
        for number in 0..per_class {
            let attempt = |piece| {
                let stream = ((class_number * per_class + number) as u64) << 32 | piece;
                let mut rng = ordered_parallel::rng_for(seed, stream);
                let (line, mv) = draw(class, &mut rng)?;
                let ruled = derive(tables, &line, mv)?;
                (ruled.class == class).then_some(MinedRuleCase { history: line, mv, ruled })
            };
            let new =
                |case: MinedRuleCase| mined.iter().all(|known| known.history != case.history).then_some(case);
            let case = ordered_parallel::first_in_order(threads, 0..MOST_ATTEMPTS, attempt, new);
            mined.extend(case.inspect(|_| found()));
        }
    }
    mined
}

/// A game and a move that may be of the class.
fn draw(class: RuleClass, rng: &mut ChaCha8Rng) -> Option<(GamePosition, UciMove)> {
    let counter = match class {
        RuleClass::Fifty => LIMIT - 1,
        RuleClass::InTime | RuleClass::TooLate => rng.random_range(LIMIT - NEAR..LIMIT),
        _ => 0,
    };
    match class {
        RuleClass::LostRight => {
            let (here, mv, rook) = king_to_castle_with(rng)?;
            let start = start_of(&after(&here, mv), 0, rook.into())?;
            around(start, &here, mv, rng)
        }
        RuleClass::EnPassant => {
            let (here, mv) = double_step(rng)?;
            let start = start_of(&here, counter, Bitboard::EMPTY)?;
            Some((GamePosition { start, moves: Vec::new() }, mv.to_uci(CastlingMode::Standard)))
        }
        RuleClass::Third => {
            let here = ending(rng)?;
            let mv = *here.legal_moves().choose(rng)?;
            around(start_of(&after(&here, mv), 0, Bitboard::EMPTY)?, &here, mv, rng)
        }
        _ => {
            let here = ending(rng)?;
            let mv = *here.legal_moves().choose(rng)?;
            let start = start_of(&here, counter, Bitboard::EMPTY)?;
            Some((GamePosition { start, moves: Vec::new() }, mv.to_uci(CastlingMode::Standard)))
        }
    }
}

fn ending(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let material = ENDINGS.choose(rng)?.parse().ok()?;
    random_positions::randomly_flipped(&random_positions::of_material(material, rng)?, rng)
}

/// A double step of a pawn to a square next to an enemy pawn.
fn double_step(rng: &mut ChaCha8Rng) -> Option<(Chess, Move)> {
    let here =
        random_positions::randomly_flipped(&random_positions::of_material(PAWNS.parse().ok()?, rng)?, rng)?;
    let beside_another = |mv: &Move| after(&here, *mv).legal_ep_square().is_some();
    let mv = here.legal_moves().into_iter().find(beside_another)?;
    Some((here, mv))
}

/// A king next to its original square, the move that brings it there, and a rook on its original square.
fn king_to_castle_with(rng: &mut ChaCha8Rng) -> Option<(Chess, Move, Square)> {
    let rook = *[Square::A1, Square::H1].choose(rng)?;
    let king = *[Square::D1, Square::F1, Square::D2, Square::E2, Square::F2].choose(rng)?;
    let mut board = Board::empty();
    board.set_piece_at(rook, Role::Rook.of(Color::White));
    board.set_piece_at(king, Role::King.of(Color::White));
    let lone = Square::new(rng.random_range(0..64));
    if board.piece_at(lone).is_some() {
        return None;
    }
    board.set_piece_at(lone, Role::King.of(Color::Black));
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    let here = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let home = here.legal_moves().into_iter().find(|mv| mv.from() == Some(king) && mv.to() == Square::E1)?;
    Some((here, home, rook))
}

/// A game that begins where `mv` leads, returns there once, and is about to do so again.
fn around(start: Fen, here: &Chess, mv: Move, rng: &mut ChaCha8Rng) -> Option<(GamePosition, UciMove)> {
    let [there, undo, back] = way_back(here, mv, rng)?;
    let round = [there, undo, back, mv].map(|mv| mv.to_uci(CastlingMode::Standard));
    let moves = round.iter().chain(&round[..3]).copied().collect();
    Some((GamePosition { start, moves }, round[3]))
}

/// A position as the start of a game, with this counter and without castling rights.
pub(super) fn start_with_counter(position: &Chess, counter: u32) -> Option<Fen> {
    start_of(position, counter, Bitboard::EMPTY)
}

/// A position as the start of a game, with this counter and these castling rooks.
fn start_of(position: &Chess, counter: u32, rooks: Bitboard) -> Option<Fen> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    (setup.halfmoves, setup.fullmoves) = (counter, LATE);
    setup.castling_rights = rooks;
    let sound = Chess::from_setup(setup.clone(), CastlingMode::Standard).ok()?;
    (sound.castles().castling_rights() == rooks).then(|| Fen::try_from_setup(setup).ok())?
}

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(tables: &Tables, seed: u64, per_class: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    page_of(&mine(tables, RuleClass::ALL, seed, per_class, threads, found), seed, per_class)
}

fn page_of(mined: &[MinedRuleCase], seed: u64, per_class: usize) -> String {
    let mut numbers = random_positions::NameCounter::default();
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for MinedRuleCase { history: line, mv, ruled } in mined {
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
         # Made by: threefold-lab positions rules --seed {seed} --per-class {per_class}\n\
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
    fn every_trap_class_is_mined_and_rederived() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        // En passant captures need a four-piece table, which takes minutes in a test build: `threefold
        // positions check` derives those of the shipped file.
        let (small, classes) = (&materials()[..ENDINGS.len()], &RuleClass::ALL[..RuleClass::ALL.len() - 1]);
        assert_eq!(RuleClass::ALL.last(), Some(&RuleClass::EnPassant));
        tables.make(small, &mut |_| {}).expect("few pieces");
        let two = NonZeroUsize::MIN.saturating_add(1);
        let mined = mine(&tables, classes, 3, 2, two, &|| {});
        for class in classes {
            let of_class: Vec<&MinedRuleCase> =
                mined.iter().filter(|case| case.ruled.class == *class).collect();
            assert_eq!(of_class.len(), 2, "{class}");
            for case in of_class {
                assert_eq!(derive(&tables, &case.history, case.mv), Some(case.ruled.clone()));
            }
        }
        let alone = mine(&tables, classes, 3, 1, NonZeroUsize::MIN, &|| {});
        assert_eq!(mine(&tables, classes, 3, 1, two, &|| {}), alone);
    }

    #[test]
    fn move_result_depends_on_the_history() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&materials()[..ENDINGS.len()], &mut |_| {}).expect("few pieces");
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
            let position = GamePosition::parse(fen, moves).expect("sound");
            let derived = derive(&tables, &position, mv.parse().expect("a move"));
            assert_eq!(derived.map(|ruled| (ruled.class, ruled.result)), expected, "{fen} {mv}");
        }
    }
}
