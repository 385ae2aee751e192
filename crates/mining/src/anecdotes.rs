//! Cases with the stories of Bruce Moreland's page on repetition detection, with positions of our own.
//!
//! The page describes three errors of programs that score a position of the game as a draw when it comes a
//! second time. Each story is a [`TrapClass`] with further requirements, so each case is proven by tables.
//! The wrong choice looks better by at least [`STRONG_BAIT`], so that an engine with that rule plays it.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Move, Position, Role};

use super::balance::{BalanceTarget, CandidateTrap, collect};
use super::history::{after, is_reversible, line, way_back};
use super::static_eval::piece_value;
use super::trap::difficulty::{GradedTrap, STRONG_BAIT};
use super::trap::{MinedTrap, NotATrap, TrapClass, csv_file, derive as derive_trap};
use super::{ordered_parallel, random_positions, table_traps};
use threefold_chess::position::GamePosition;
use threefold_chess::score::MateDistance;
use threefold_named_enum::named_enum;
use threefold_oracle::{Material, ProvenValue, Referee, Tables, Wdl};

/// Random lines per number, from one ending; the first case among them counts.
const DRAWS: usize = 20_000;

/// Numbers without a case before quotas grow, for each ending.
const ATTEMPTS_BEFORE_GROWTH: usize = 10;

/// Rejected cases before quotas grow.
const CHOICE: usize = 30;

/// The longest wins by a fork, in plies: a failure in a longer one would be a lack of strength.
const LONGEST: u16 = 30;

/// The attack that a side walks back into mates within this number of moves.
const ATTACK_MATES_WITHIN: i32 = 7;

/// The plies before the first occurrence of the repeated position.
const PRELUDES: RangeInclusive<usize> = 0..=2;

/// Where the streams of random numbers begin, apart from those of traps.
const FIRST_STREAM: u64 = 1 << 48;

named_enum! {
    /// A story of the page.
    pub enum Anecdote {
        /// GNU Chess: a won pawn ending is not won, because the only winning move repeats a position.
        MissedPawnEnding = "missed-pawn-ending",
        /// Kennedy: a fork was played and taken back. It wins, but is not played again, because it repeats.
        UndoneFork = "undone-fork",
        /// A side that has escaped from a mating attack walks back into it, because that repeats.
        ReturnToAttack = "return-to-attack",
    }
}

/// Why a line is not a case of a story.
#[derive(Debug, thiserror::Error)]
pub enum NotTheStory {
    /// It is not a trap of the story's class.
    #[error(transparent)]
    NotATrap(#[from] NotATrap),
    /// It misses a requirement of the story.
    #[error("no case of {anecdote}: {lacking}")]
    Lacking {
        /// The story asked for.
        anecdote: Anecdote,
        /// The requirement of the anecdote that the position does not meet.
        lacking: &'static str,
    },
}

impl Anecdote {
    /// The class of traps that its cases belong to.
    pub const fn class(self) -> TrapClass {
        match self {
            Self::MissedPawnEnding | Self::UndoneFork => TrapClass::OnlyWinRepeats,
            Self::ReturnToAttack => TrapClass::FalseRefuge,
        }
    }

    /// The endings that its cases come from.
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::MissedPawnEnding => &["KPK", "KPKP"],
            Self::UndoneFork => &["KRKN", "KRKB", "KRKP", "KQKP"],
            Self::ReturnToAttack => &["KRKN", "KRKB", "KRKP", "KQKP", "KBPK", "KNPK"],
        }
    }

    fn materials(self) -> impl Iterator<Item = Material> {
        self.endings().iter().map(|name| name.parse().expect("the lists above hold materials"))
    }
}

/// The materials whose tables [`mine_all`] uses.
pub fn materials() -> Vec<Material> {
    let mut materials: Vec<Material> = Anecdote::ALL.iter().flat_map(|story| story.materials()).collect();
    materials.sort_unstable();
    materials.dedup();
    materials
}

/// Derives the case of a story from a line; the tables must have its material and every material that it
/// converts to.
///
/// # Errors
///
/// The requirement that the line misses.
pub fn derive(
    tables: &Tables,
    anecdote: Anecdote,
    position: &GamePosition,
) -> Result<MinedTrap, NotTheStory> {
    let mut trap = derive_trap(tables, anecdote.class(), position)?;
    let lacking = |lacking| NotTheStory::Lacking { anecdote, lacking };
    let referee = Referee::new(position).map_err(NotATrap::from)?;
    if !anecdote.endings().contains(&trap.material.to_string().as_str()) {
        return Err(lacking("its ending is one of the story's"));
    }
    if trap.bait_score < STRONG_BAIT {
        return Err(lacking("the wrong choice looks better by a pawn"));
    }
    let story = match anecdote {
        Anecdote::MissedPawnEnding => "a won pawn ending".to_owned(),
        Anecdote::UndoneFork => undone_fork(position, &referee, &trap).map_err(lacking)?,
        Anecdote::ReturnToAttack => return_to_attack(position, &trap).map_err(lacking)?,
    };
    trap.note = format!("{story}; {}", trap.note);
    Ok(trap)
}

/// The story of a fork that was played and taken back, or the requirement that is missing.
fn undone_fork(position: &GamePosition, referee: &Referee, trap: &MinedTrap) -> Result<String, &'static str> {
    let [fork] = trap.best.as_slice() else { return Err("one move wins") };
    let mv = referee.legal(*fork).map_err(|_| "the fork is legal")?;
    let forked = forked(referee.position(), mv).ok_or("the winning move is a fork")?;
    // The last four plies are the fork, a reply, the move back and a reply.
    let played = position.moves.len().checked_sub(4).ok_or("the fork was played before")?;
    let undone = mv.from().map(|from| format!("{}{from}", mv.to()));
    if position.moves[played] != *fork
        || undone.is_none_or(|undone| position.moves[played + 2].to_string() != undone)
    {
        return Err("the fork was played and then taken back");
    }
    Ok(format!(
        "{fork} forks king and {forked}; it was played on ply {} and taken back on ply {}",
        played + 1,
        played + 3
    ))
}

/// The piece that a move attacks together with the king, if it cannot be held: it is not defended, or worth
/// more than the forking piece.
fn forked(here: &Chess, mv: Move) -> Option<&'static str> {
    // The history takes the fork back, so it must be reversible.
    if matches!(mv.role(), Role::King | Role::Pawn) || !is_reversible(mv) {
        return None;
    }
    let there = after(here, mv);
    let (board, theirs) = (there.board(), there.turn());
    if !there.checkers().contains(mv.to()) {
        return None;
    }
    let attacked = board.attacks_from(mv.to()) & board.by_color(theirs);
    attacked.into_iter().find_map(|square| {
        let role = board.role_at(square).filter(|&role| role != Role::King)?;
        let defended = board.attacks_to(square, theirs, board.occupied()).any();
        (!defended || piece_value(role) > piece_value(mv.role())).then_some(name(role))
    })
}

/// A piece in words.
const fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The story of an escape that is taken back, or the requirement that is missing.
fn return_to_attack(position: &GamePosition, trap: &MinedTrap) -> Result<String, &'static str> {
    let soon = |mate: i32| (-ATTACK_MATES_WITHIN..0).contains(&mate);
    let mate = trap.after.and_then(ProvenValue::mate).map(MateDistance::moves).filter(|&mate| soon(mate));
    let mate = mate.ok_or("the move back is mated soon")?;
    let [back] = trap.avoid.as_slice() else { return Err("one move walks back") };
    let escape = position.moves.len().checked_sub(2).ok_or("the side escaped before")?;
    let (away, again) = (position.moves[escape].to_string(), back.to_string());
    if away.get(..2) != again.get(2..4) || away.get(2..4) != again.get(..2) {
        return Err("the side escaped by its last move");
    }
    Ok(format!(
        "{away} escaped from an attack on ply {}, and {again} walks back into it (mated in {})",
        escape + 1,
        -mate
    ))
}

/// A random line that may be a case of a story.
fn random_line(
    tables: &Tables,
    anecdote: Anecdote,
    ending: Material,
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    if anecdote != Anecdote::UndoneFork {
        return table_traps::draw(tables, anecdote.class(), ending, prelude, rng);
    }
    let position = random_positions::from_table(tables.table(ending)?, rng, |value| {
        value.wdl() == Wdl::Win && value.plies().is_some_and(|plies| plies <= LONGEST)
    })?;
    let wins = |mv: &Move| tables.probe_after(&position, *mv).is_some_and(|fact| fact.wdl() == Wdl::Loss);
    let mut winning = position.legal_moves().into_iter().filter(wins);
    let (fork, None) = (winning.next()?, winning.next()) else { return None };
    forked(&position, fork)?;
    let moves: Vec<Move> = std::iter::once(fork).chain(way_back(&position, fork, rng)?).collect();
    line(&position, &moves, prelude, rng)
}

/// Mines cases of a story, balanced and without duplicate positions; `found` is called for each. The same
/// seed gives the same result with any number of threads.
pub fn mine(
    tables: &Tables,
    seed: u64,
    anecdote: Anecdote,
    count: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<GradedTrap> {
    let endings: Vec<Material> = anecdote.materials().collect();
    let wanted = BalanceTarget {
        count,
        endings: &endings,
        preludes: PRELUDES.count(),
        results: 1,
        attempts_before_growth: ATTEMPTS_BEFORE_GROWTH * endings.len().max(4),
        choice: CHOICE,
    };
    let draw = |number: u64| {
        let stream = FIRST_STREAM + ((anecdote as u64) << 40) + number;
        let mut rng = ordered_parallel::rng_for(seed, stream);
        let ending = endings[(number % endings.len() as u64) as usize];
        (0..DRAWS).find_map(|_| {
            let prelude = rng.random_range(PRELUDES);
            let line = random_line(tables, anecdote, ending, prelude, &mut rng)?;
            let trap = derive(tables, anecdote, &line).ok()?;
            Some(CandidateTrap { graded: GradedTrap::new(trap).ok()?, prelude })
        })
    };
    collect(wanted, threads, draw, found)
}

/// The cases of a seed, this number of every story; `found` is called for each.
pub fn mine_all(
    tables: &Tables,
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<(Anecdote, GradedTrap)> {
    let mine = |&story: &Anecdote| {
        let cases = mine(tables, seed, story, per_class, threads, found);
        cases.into_iter().map(move |graded| (story, graded))
    };
    Anecdote::ALL.iter().flat_map(mine).collect()
}

/// The file of [`mine_all`]'s cases; the same seed gives the same bytes.
pub fn file(cases: &[(Anecdote, GradedTrap)], seed: u64, per_class: usize) -> String {
    let rows: Vec<(&str, &GradedTrap)> = cases.iter().map(|(story, graded)| (story.name(), graded)).collect();
    csv_file::render(
        "The anecdotes of Bruce Moreland's page on repetition detection, with other positions.",
        &format!("threefold-lab positions anecdotes --seed {seed} --per-class {per_class}"),
        &rows,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rook forks king and knight, is moved back, and the knight's king returns.
    const FORK: (&str, &str) = ("8/4K3/8/8/8/5R2/k5n1/8 w - - 0 1", "f3f2 a2a3 f2f3 a3a2");
    /// A king leaves an attack, which the rook does not pursue.
    const ESCAPE: (&str, &str) = ("8/8/K7/n7/8/3R4/k7/8 w - - 1 2", "d3d2 a2b3 d2d3");

    fn tables(materials: &[&str]) -> Tables {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        let materials: Vec<Material> =
            materials.iter().map(|name| name.parse().expect("a material")).collect();
        tables.make(&materials, &mut |_| {}).expect("few pieces");
        tables
    }

    #[test]
    fn stories_have_their_requirements() {
        let tables = tables(&["KPK", "KRKN"]);
        let table = [
            (Anecdote::UndoneFork, FORK.0, FORK.1, Ok("f3f2 forks king and knight; it was played on ply 1")),
            // The same board, after another way there: the fork was never played.
            (
                Anecdote::UndoneFork,
                "8/4K3/8/8/8/8/k4Rn1/8 b - - 0 1",
                "a2a3 f2f3 a3a2",
                Err("no case of undone-fork: the fork was played before"),
            ),
            (
                Anecdote::UndoneFork,
                "8/4K3/8/8/8/8/k5n1/5R2 w - - 0 1",
                "f1f2 a2a3 f2f3 a3a2",
                Err("no case of undone-fork: the fork was played and then taken back"),
            ),
            (Anecdote::MissedPawnEnding, FORK.0, FORK.1, Err("no case of missed-pawn-ending: its ending is")),
            (
                Anecdote::ReturnToAttack,
                FORK.0,
                FORK.1,
                Err("no trap of class false-refuge: the position is drawn"),
            ),
            (
                Anecdote::ReturnToAttack,
                ESCAPE.0,
                ESCAPE.1,
                Ok("a2b3 escaped from an attack on ply 2, and b3a2 walks"),
            ),
        ];
        for (anecdote, fen, moves, expected) in table {
            let history = GamePosition::parse(fen, moves).expect("sound");
            let derived = derive(&tables, anecdote, &history);
            let story = derived.as_ref().map(|trap| trap.note.clone()).map_err(ToString::to_string);
            let begins = match (&story, expected) {
                (Ok(story), Ok(expected)) | (Err(story), Err(expected)) => story.starts_with(expected),
                _ => false,
            };
            assert!(begins, "{anecdote} {fen}: {story:?} {expected:?}");
        }
    }

    #[test]
    fn only_a_check_with_a_second_target_is_a_fork() {
        let table = [
            // Check and an undefended knight.
            (FORK.0, "f3f2", Some("knight")),
            // No check, no second target, and a target that its king defends.
            ("8/4K3/8/8/8/5R2/k5n1/8 w - - 0 1", "f3g3", None),
            ("8/4K3/8/8/8/5R2/k5n1/8 w - - 0 1", "f3a3", None),
            ("8/4K3/8/8/8/5R2/k6n/8 w - - 0 1", "f3f2", Some("knight")),
            ("8/4K3/8/8/8/5R2/kn6/8 w - - 0 1", "f3f2", None),
        ];
        for (fen, mv, expected) in table {
            let referee = Referee::new(&GamePosition::parse(fen, "").expect("sound")).expect("legal");
            let mv = referee.legal(mv.parse().expect("a move")).expect("legal");
            assert_eq!(forked(referee.position(), mv), expected, "{fen} {mv}");
        }
    }

    #[test]
    fn mined_cases_depend_on_the_seed_only() {
        let tables = tables(&["KPK"]);
        let mined = |threads| {
            let threads = NonZeroUsize::new(threads).expect("some");
            mine(&tables, 3, Anecdote::MissedPawnEnding, 3, threads, &|| {})
        };
        let cases = mined(1);
        assert_eq!((cases.len(), &mined(2)), (3, &cases));
        for graded in &cases {
            let again = derive(&tables, Anecdote::MissedPawnEnding, &graded.trap.position).expect("a case");
            assert_eq!(again, graded.trap);
        }
    }
}
