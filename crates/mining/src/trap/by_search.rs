//! Traps with too many pieces for tables: the value of every move is proven by search, as a short mate or as
//! a perpetual check.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

use super::occurrences::PastPositions;
use super::{MinedTrap, NotATrap, ProofMethod, TrapClass};
use crate::history::after;
use crate::reference_search::shallow_value;
use crate::static_eval::positional_eval;
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Centipawns, MateDistance};
use threefold_oracle::threefold_rule::{JudgeError, twice};
use threefold_oracle::{MateProver, Material, Perpetual, ProvenValue, Referee, Wdl};

/// The most positions of the checking side in a perpetual.
const ROOM: usize = 4_000;
/// The number of moves within which all but the right move must be mated.
const MATED_WITHIN: u16 = 4;
/// The number of moves within which the checking side must not have a mate.
const NO_MATE_WITHIN: u16 = 2;
/// The largest cost of each proof, in positions.
const BUDGET: u64 = 300_000;

pub(super) fn derive(class: TrapClass, position: &GamePosition) -> Result<MinedTrap, NotATrap> {
    let referee = Referee::new(position)?;
    if referee.ending().is_some() {
        return Err(JudgeError::Over.into());
    }
    let mut prover = MateProver::with_drawn_positions(twice(position)?, BUDGET);
    let SearchProof { right, bait, after: value, mate, said } = match class {
        TrapClass::PinnedEnPassant => third_after_step(&referee, position, &mut prover)?,
        TrapClass::PerpetualAvoid => escape(&referee, &mut prover)?,
        _ => perpetual(&referee, &mut prover)?,
    };
    let here = referee.position();
    let best_right = right.iter().map(|&mv| shallow_value(here, mv).0).max().unwrap_or(0);
    let best: Vec<UciMove> = right.iter().map(|&mv| referee.uci(mv)).collect();
    Ok(MinedTrap {
        class,
        position: position.clone(),
        best,
        avoid: vec![referee.uci(bait)],
        result: if mate.is_some() { Wdl::Win } else { Wdl::Draw },
        material: Material::from_board(here.board()).canonical().0,
        mate,
        after: Some(value),
        history_errors: None,
        proof: ProofMethod::Search,
        bait_score: Centipawns(shallow_value(here, bait).0 - best_right),
        note: said,
    })
}

/// What search proves of the end of a line.
struct SearchProof {
    right: Vec<Move>,
    bait: Move,
    /// The value of the bait for the side that plays it.
    after: ProvenValue,
    /// The quickest mate of a right move.
    mate: Option<MateDistance>,
    said: String,
}

/// The wrong move with the best value; of equals the first.
fn bait(here: &Chess, wrong: &[(Move, ProvenValue)]) -> Option<(Move, ProvenValue)> {
    // `max_by_key` returns the last of equals.
    wrong.iter().copied().rev().max_by_key(|&(mv, _)| shallow_value(here, mv))
}

/// Only one move saves the side to move, and all others are mated soon.
fn only_saviour(
    class: TrapClass,
    prover: &mut MateProver,
    referee: &Referee,
    right: Move,
    said: &str,
) -> Result<SearchProof, NotATrap> {
    let here = referee.position();
    let others: Vec<Move> = here.legal_moves().into_iter().filter(|&mv| mv != right).collect();
    let wrong = all_mated(class, prover, referee, &others)?;
    let longest = wrong.iter().filter_map(|(_, fact)| fact.mate()).map(|mate| -mate.moves()).max();
    let (bait, value) =
        bait(here, &wrong).ok_or(NotATrap::Lacking { class, lacking: "there is a wrong move" })?;
    Ok(SearchProof {
        right: vec![right],
        bait,
        after: value,
        mate: None,
        said: format!(
            "only {} draws, {said}; {} is mated within {} after anything else",
            referee.uci(right),
            if here.turn() == Color::White { "White" } else { "Black" },
            longest.unwrap_or(0),
        ),
    })
}

/// Each of these moves with its distance to being mated.
fn all_mated(
    class: TrapClass,
    prover: &mut MateProver,
    referee: &Referee,
    moves: &[Move],
) -> Result<Vec<(Move, ProvenValue)>, NotATrap> {
    let mut mated = Vec::new();
    for &mv in moves {
        // The other side is to move and mates; a position that occurred before could interrupt the mate.
        let mate = prover.distance(&after(referee.position(), mv), MATED_WITHIN)?;
        let mate = mate.filter(|mate| mate.is_win() && referee.occurrences_after(mv) == 0);
        let lacking = "every move but the right one is mated soon";
        mated.push((
            mv,
            ProvenValue::Mate(mate.ok_or(NotATrap::Lacking { class, lacking })?).one_ply_earlier(),
        ));
    }
    Ok(mated)
}

/// A check is answered: some answers win, the others allow a perpetual or are mated.
fn escape(referee: &Referee, prover: &mut MateProver) -> Result<SearchProof, NotATrap> {
    let lacking = |lacking| NotATrap::Lacking { class: TrapClass::PerpetualAvoid, lacking };
    let here = referee.position();
    let (mut wrong, mut won, mut repeats) = (Vec::new(), Vec::new(), None);
    for mv in here.legal_moves() {
        let there = after(here, mv);
        if Perpetual::explore(&there, ROOM).holds(&there) {
            wrong.push((mv, ProvenValue::Draw));
            repeats = repeats.or((referee.occurrences_after(mv) == 1).then_some(mv));
            continue;
        }
        let mate = prover.distance(&there, MATED_WITHIN)?;
        match mate.map(|mate| ProvenValue::Mate(mate).one_ply_earlier()) {
            Some(fact) if fact.wdl() == Wdl::Loss => wrong.push((mv, fact)),
            Some(fact) if referee.occurrences_after(mv) == 0 => won.push((mv, fact)),
            _ => return Err(lacking("every move wins soon, loses soon, or allows a perpetual check")),
        }
    }
    if !(1..=3).contains(&won.len()) {
        return Err(lacking("one to three moves win"));
    }
    let repeats = repeats.ok_or_else(|| {
        lacking("a move that allows a perpetual check leads to a position that occurred once")
    })?;
    let drawn: Vec<_> = wrong.iter().copied().filter(|&(_, fact)| fact == ProvenValue::Draw).collect();
    let (bait, value) = bait(here, &drawn).ok_or_else(|| lacking("a move allows a perpetual check"))?;
    let best_looks = |moves: &[(Move, ProvenValue)]| {
        moves.iter().map(|&(mv, _)| positional_eval(&after(here, mv), here.turn())).max()
    };
    if best_looks(&won) > best_looks(&drawn) {
        return Err(lacking("no winning move looks better than one that allows a perpetual check"));
    }
    let mate = won.iter().filter_map(|(_, fact)| fact.mate()).min_by_key(|mate| mate.plies());
    let names: Vec<String> = won.iter().map(|&(mv, _)| referee.uci(mv).to_string()).collect();
    let said = format!(
        "only {} (mate in {}); after {} there is a perpetual check, proven over every reply, and {} repeats a \
         position that occurred once before",
        if names.len() == 1 { format!("{} wins", names[0]) } else { format!("{} win", names.join(", ")) },
        mate.map_or(0, MateDistance::moves),
        referee.uci(bait),
        referee.uci(repeats),
    );
    Ok(SearchProof { right: won.into_iter().map(|(mv, _)| mv).collect(), bait, after: value, mate, said })
}

/// The check that begins a perpetual, with the text of the note.
fn perpetual(referee: &Referee, prover: &mut MateProver) -> Result<SearchProof, NotATrap> {
    let class = TrapClass::PerpetualFind;
    let lacking = |lacking| NotATrap::Lacking { class, lacking };
    let here = referee.position();
    let keeping = Perpetual::explore(here, ROOM).keeping(here);
    let [(check, _)] = keeping.as_slice() else {
        return Err(lacking("exactly one check keeps a perpetual"));
    };
    if referee.occurrences_after(*check) != 1 {
        return Err(lacking("the check leads to a position that occurred once"));
    }
    let said = "by perpetual check, proven over every reply; its position occurred once before";
    let saved = only_saviour(class, prover, referee, *check, said)?;
    if prover.distance(here, NO_MATE_WITHIN)?.is_some() {
        return Err(lacking("no side mates at once"));
    }
    Ok(saved)
}

/// The move that makes a third occurrence, with the text of the note.
fn third_after_step(
    referee: &Referee,
    position: &GamePosition,
    prover: &mut MateProver,
) -> Result<SearchProof, NotATrap> {
    let class = TrapClass::PinnedEnPassant;
    let lacking = |lacking| NotATrap::Lacking { class, lacking };
    let here = referee.position();
    let past = PastPositions::new(position)?;
    let mut thirds = here.legal_moves().into_iter().filter(|&mv| referee.occurrences_after(mv) == 2);
    let (Some(third), None) = (thirds.next(), thirds.next()) else {
        return Err(lacking("exactly one move makes a third occurrence"));
    };
    let there: Chess = after(here, third);
    let step: UciMove = past
        .pinned_step(&there)
        .ok_or_else(|| lacking("the first occurrence followed a double step past a pinned pawn"))?;
    // A new prover, in which no position of the history is drawn.
    let lost = MateProver::new(BUDGET).distance(&there, MATED_WITHIN)?;
    if !lost.is_some_and(MateDistance::is_win) {
        return Err(lacking("without the history the drawing move is mated as well"));
    }
    let said = format!(
        "by the third occurrence: the first followed {step}, but the pawn beside it was pinned and could not \
         capture en passant",
    );
    only_saviour(class, prover, referee, third, &said)
}
