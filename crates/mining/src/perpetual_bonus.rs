//! Positions in which a bonus for perpetual checks changes Echo's move, for the better or for the worse.
//!
//! The side to move has repeated a cycle of checks, and one more check draws by the third occurrence. That it
//! can give these checks for ever is proven; what the other moves come to is judged by a deep search without
//! the history. The bonus helps if all other moves lose and look better than a draw; it harms if another move
//! wins and looks better than a draw, but not better than the bonus.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Setup, Square,
};

use super::history::{after, alone};
use super::random_positions::{self, NameCounter};
use super::{engine_query, ordered_parallel};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, Score};
use threefold_echo::Echo;
use threefold_named_enum::named_enum;
use threefold_oracle::Referee;
use threefold_oracle::perpetual::{Perpetual, has_checks};
use threefold_suites::trap::{AnswerSource, TrueResult};

named_enum! {
    /// What a bonus for perpetual checks does.
    pub enum BonusClass {
        /// A draw instead of a loss.
        Helps = "bonus-helps",
        /// A draw instead of a win.
        Harms = "bonus-harms",
    }
}

/// The node limit of Echo's searches, which is that of suite `perpetual-bonus`.
const SHORT_NODES: u64 = 500;
/// The nodes of the search that judges the other moves.
const DEEP_NODES: u64 = 300_000;
/// The score from which a position is judged as won, in centipawns.
const WON: i32 = 200;
/// The bonuses that are tried, in centipawns; the last is the largest that Echo has.
const BONUSES: [i32; 4] = [25, 50, 100, 200];
/// The most positions in a proof of a perpetual check.
const ROOM: usize = 600;
/// The number of consecutive checks required before a perpetual check is searched for.
const CHECKS: u16 = 3;
/// Random positions per number.
const DRAWS: usize = 200;
/// The numbers per requested case before the search is given up.
const MOST_ATTEMPTS: u64 = 2_000;
/// The hash size of short searches in MB: small, so that it is cleared quickly.
const SMALL: &str = "1";
/// The hash size of deep searches in MB.
const LARGE: &str = "32";

/// A position with its history, and the smallest bonus that changes Echo's move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BonusCase {
    /// Whether the bonus helps or harms.
    pub class: BonusClass,
    /// The position, which occurs for the second time.
    pub position: GamePosition,
    /// The right moves.
    pub best: Vec<UciMove>,
    /// The move that Echo plays without the bonus, if that helps; the check, if it harms.
    pub avoid: UciMove,
    /// The smallest bonus that changes the move, in centipawns.
    pub bonus: i32,
    /// The score of the best move that is no check of the perpetual, by the deep search.
    pub score: Score,
}

/// A cycle of checks that the checking side can go through for ever.
struct CheckCycle {
    /// The position after the first check.
    checked: Chess,
    /// The first check, a reply, another check, and a reply that restores the position.
    moves: [Move; 4],
}

impl CheckCycle {
    fn find(here: &Chess, perpetual: &Perpetual) -> Option<Self> {
        perpetual.keeping(here).into_iter().find_map(|(check, checked)| {
            checked.legal_moves().into_iter().find_map(|reply| {
                let gone = after(&checked, reply);
                perpetual.keeping(&gone).into_iter().find_map(|(again, there)| {
                    let back = there.legal_moves().into_iter().find(|&back| after(&there, back) == *here)?;
                    Some(Self { checked: checked.clone(), moves: [check, reply, again, back] })
                })
            })
        })
    }

    /// The line in which the first check is about to occur for the third time.
    fn line(&self) -> Option<GamePosition> {
        let [check, reply, again, back] = self.moves.map(|mv| mv.to_uci(CastlingMode::Standard));
        let start = Fen::from_position(&alone(&self.checked)?, EnPassantMode::Legal);
        Some(GamePosition { start, moves: vec![reply, again, back, check, reply, again, back] })
    }
}

/// The checks that begin a proven perpetual check. Checks that mate are among them.
pub fn perpetual_checks(here: &Chess) -> Vec<UciMove> {
    let keeping = Perpetual::explore(here, ROOM).keeping(here);
    keeping.into_iter().map(|(mv, _)| mv.to_uci(CastlingMode::Standard)).collect()
}

/// Echo with each bonus, and for deep searches.
struct BonusEngines {
    none: Echo,
    bonuses: [(i32, Echo); BONUSES.len()],
    thorough: Echo,
}

impl BonusEngines {
    fn new() -> Self {
        let echo = |bonus: i32, hash: &str| {
            let mut echo = Echo::new();
            for (name, value) in [("PerpetualBonus", bonus.to_string()), ("Hash", hash.to_owned())] {
                echo.set(name, &value).expect("Echo has these options, with these values");
            }
            echo
        };
        Self {
            none: echo(0, SMALL),
            bonuses: BONUSES.map(|bonus| (bonus, echo(bonus, SMALL))),
            thorough: echo(0, LARGE),
        }
    }

    /// The case of a position, if it is one.
    fn judge(&mut self, here: &Chess) -> Option<BonusCase> {
        if !has_checks(here, CHECKS) {
            return None;
        }
        let position = CheckCycle::find(here, &Perpetual::explore(here, ROOM))?.line()?;
        let checks = perpetual_checks(here);
        let without = choice(&mut self.none, &position)?;
        let with = |(bonus, echo): &mut (i32, Echo)| {
            let check = choice(echo, &position).filter(|mv| checks.contains(mv))?;
            Some((*bonus, check))
        };
        let (bonus, check) =
            if checks.contains(&without) { None } else { self.bonuses.iter_mut().find_map(with) }?;
        let legal = here.legal_moves().into_iter().map(|mv| mv.to_uci(CastlingMode::Standard));
        let others: Vec<UciMove> = legal.filter(|mv| !checks.contains(mv)).collect();
        let judged = |moves: &[UciMove], echo: &mut Echo| {
            echo.new_game();
            engine_query::best_move_and_score(echo, &bare(here), DEEP_NODES, moves)
        };
        let (best, score) = judged(&others, &mut self.thorough)?;
        let (class, best, avoid) = match result(score)? {
            TrueResult::Loss => (BonusClass::Helps, checks, without),
            TrueResult::Win => {
                // Echo's choice without the bonus may be another move that wins.
                let (_, own) = judged(&[without], &mut self.thorough)?;
                let mut winning = vec![best, without];
                winning.dedup();
                (result(own) == Some(TrueResult::Win)).then_some((BonusClass::Harms, winning, check))?
            }
            TrueResult::Draw => return None,
        };
        Some(BonusCase { class, position, best, avoid, bonus, score })
    }
}

/// The position without its history.
fn bare(here: &Chess) -> GamePosition {
    GamePosition { start: Fen::from_position(here, EnPassantMode::Legal), moves: Vec::new() }
}

/// The move that Echo plays in a new game.
fn choice(echo: &mut Echo, position: &GamePosition) -> Option<UciMove> {
    echo.new_game();
    engine_query::search(echo, position, SHORT_NODES, &[], &mut |_| {})
}

/// What a deep score comes to; `None` between a draw and a decision.
fn result(score: Score) -> Option<TrueResult> {
    match score {
        Score::Mate(mate) => Some(if mate.is_win() { TrueResult::Win } else { TrueResult::Loss }),
        Score::Cp(Centipawns(0)) => Some(TrueResult::Draw),
        Score::Cp(Centipawns(judged)) if judged >= WON => Some(TrueResult::Win),
        Score::Cp(Centipawns(judged)) if judged <= -WON => Some(TrueResult::Loss),
        Score::Cp(_) => None,
    }
}

/// White, to move, has a queen near a castled king with few pawns, and other pieces. Black's queen and pieces
/// are near White's king.
fn draw(rng: &mut ChaCha8Rng) -> Option<Chess> {
    const PIECES: [Role; 3] = [Role::Rook, Role::Bishop, Role::Knight];
    let mut board = Board::empty();
    let mut put = |role: Role, color: Color, files: Range<u32>, ranks: Range<u32>, rng: &mut ChaCha8Rng| {
        let square = Square::new(rng.random_range(ranks) * 8 + rng.random_range(files));
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, role.of(color));
        }
    };
    put(Role::King, Color::Black, 5..8, 6..8, rng);
    put(Role::King, Color::White, 0..8, 0..2, rng);
    put(Role::Queen, Color::White, 3..8, 2..8, rng);
    put(Role::Queen, Color::Black, 0..8, 0..5, rng);
    for _ in 0..rng.random_range(1..3) {
        put(*PIECES.choose(rng)?, Color::Black, 0..8, 0..6, rng);
    }
    for _ in 0..rng.random_range(1..4) {
        put(*PIECES.choose(rng)?, Color::White, 0..8, 0..8, rng);
    }
    for _ in 0..4 {
        put(Role::Pawn, Color::White, 0..8, 1..5, rng);
        put(Role::Pawn, Color::Black, 4..8, 4..7, rng);
    }
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    let position = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    if position.is_check() { None } else { random_positions::randomly_flipped(&position, rng) }
}

/// Mines this number of cases of each class. The same seed gives the same result with any number of threads.
/// `found` is called for each.
pub fn mine(seed: u64, per_class: usize, threads: NonZeroUsize, found: &dyn Fn()) -> Vec<BonusCase> {
    let mut mined: Vec<BonusCase> = Vec::new();
    let work = |engines: &mut BonusEngines, number: u64| -> Vec<BonusCase> {
        let mut rng = ordered_parallel::rng_for(seed, number);
        (0..DRAWS).filter_map(|_| draw(&mut rng).and_then(|here| engines.judge(&here))).collect()
    };
    let numbers = 0..per_class as u64 * MOST_ATTEMPTS;
    ordered_parallel::run_in_order(threads, numbers, BonusEngines::new, work, |cases| {
        for case in cases {
            let of_class = mined.iter().filter(|known| known.class == case.class).count();
            if of_class < per_class && mined.iter().all(|known| known.position != case.position) {
                mined.push(case);
                found();
            }
        }
        if mined.len() < per_class * BonusClass::ALL.len() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    // The sort is stable: within a class the cases keep the order of their numbers.
    mined.sort_by_key(|case| case.class as usize);
    mined
}

/// The file that [`mine`] makes of a seed; the same seed and the same Echo give the same bytes.
pub fn file(seed: u64, per_class: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mut numbers = NameCounter::default();
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for case in mine(seed, per_class, threads, found) {
        let number = numbers.next(case.class.name());
        written = written.and_then(|()| rows.write_record(row(number, &case)));
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# Positions in which a bonus for perpetual checks changes Echo's move at {SHORT_NODES} nodes.\n\
         # A check of a proven perpetual draws by the third occurrence; {DEEP_NODES} nodes without the history judge the other moves.\n\
         # `bonus`: the smallest of 25, 50, 100 and 200 centipawns that changes the move. `other`: the score of the best other move.\n\
         # Made by: threefold-lab positions perpetual-bonus --seed {seed} --per-class {per_class}\n\
         {}\
         # Checked again by: threefold positions check\n\
         {rows}",
        engine_query::engine_header()
    )
}

/// The columns, in order.
const COLUMNS: [&str; 10] =
    ["id", "class", "fen", "moves", "best", "avoid", "result", "source", "bonus", "other"];

fn row(number: usize, case: &BonusCase) -> [String; COLUMNS.len()] {
    let best: Vec<String> = case.best.iter().map(ToString::to_string).collect();
    [
        format!("{}.{number:03}", case.class),
        case.class.to_string(),
        case.position.start.to_string(),
        case.position.moves_text(),
        best.join(" "),
        case.avoid.to_string(),
        case.class.result().to_string(),
        AnswerSource::Judged.to_string(),
        case.bonus.to_string(),
        case.score.to_string(),
    ]
}

impl BonusClass {
    /// The result of the right moves.
    pub const fn result(self) -> TrueResult {
        match self {
            Self::Helps => TrueResult::Draw,
            Self::Harms => TrueResult::Win,
        }
    }

    /// Checks what is provable of a case: a check of a perpetual, proven by exhaustive search, draws by the
    /// third occurrence; it is right if the bonus helps, and wrong if it harms.
    ///
    /// # Errors
    ///
    /// What does not hold.
    pub fn check(self, referee: &Referee, best: &[UciMove], avoid: UciMove) -> Result<(), &'static str> {
        let checks = perpetual_checks(referee.position());
        let repeats = |mv: &UciMove| referee.legal(*mv).is_ok_and(|mv| referee.occurrences_after(mv) == 2);
        if !checks.iter().any(repeats) {
            return Err("no check of a proven perpetual leads to a third occurrence");
        }
        let holds = match self {
            Self::Helps => best == checks && !checks.contains(&avoid),
            Self::Harms => checks.contains(&avoid) && !best.iter().any(|mv| checks.contains(mv)),
        };
        holds
            .then_some(())
            .ok_or("`best` and `avoid` do not separate the checks of the perpetual from other moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn result_of_a_judged_score_needs_a_decision() {
        let table = [
            (Score::Cp(Centipawns(200)), Some(TrueResult::Win)),
            (Score::Cp(Centipawns(199)), None),
            (Score::Cp(Centipawns(0)), Some(TrueResult::Draw)),
            (Score::Cp(Centipawns(-200)), Some(TrueResult::Loss)),
        ];
        for (score, expected) in table {
            assert_eq!(result(score), expected, "{score:?}");
        }
    }

    #[test]
    fn cycle_leads_to_the_third_occurrence() {
        let here: Chess = "8/5p1k/4p3/4p1Q1/r1q5/2r5/7P/1K6 w - - 0 1"
            .parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .expect("legal");
        let cycle = CheckCycle::find(&here, &Perpetual::explore(&here, ROOM)).expect("a queen's perpetual");
        let referee = Referee::new(&cycle.line().expect("sound")).expect("legal");
        assert_eq!((referee.occurrences(), referee.ending()), (2, None));
        assert_eq!(referee.occurrences_after(cycle.moves[0]), 2);
        let checks = perpetual_checks(&here);
        let quiet = "h2h3".parse().expect("a move");
        assert_eq!(BonusClass::Helps.check(&referee, &checks, quiet), Ok(()));
        assert_eq!(BonusClass::Harms.check(&referee, &[quiet], checks[0]), Ok(()));
        assert!(BonusClass::Helps.check(&referee, &[quiet], checks[0]).is_err());
        assert!(BonusClass::Harms.check(&referee, &checks, quiet).is_err());
        let fresh = Referee::new(&bare(&here)).expect("legal");
        assert!(BonusClass::Helps.check(&fresh, &checks, quiet).is_err());
    }
}
