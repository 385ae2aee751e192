//! Traps among too many men for tables: everything but the right move is mated soon, proven by search.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Move, Position};

use super::past::Past;
use super::{NoTrap, Proof, Trap, TrapClass};
use crate::line::Line;
use crate::mining::history::after;
use crate::mining::lean::glance;
use crate::score::Centipawns;
use crate::truth::with_history::{Unjudged, twice};
use crate::truth::{MateProver, Material, Perpetual, Referee, Wdl};

/// How many positions of the checking side a perpetual may take.
const ROOM: usize = 4_000;
/// Within how many moves everything but the right move must be mated.
const MATED_WITHIN: u16 = 4;
/// Within how many moves the checking side must have no mate.
const NO_MATE_WITHIN: u16 = 2;
/// What each proof may cost, in positions.
const BUDGET: u64 = 300_000;

pub(super) fn derive(class: TrapClass, line: &Line) -> Result<Trap, NoTrap> {
    let referee = Referee::new(line)?;
    if referee.ending().is_some() {
        return Err(Unjudged::Over.into());
    }
    let here = referee.position();
    let (right, said) = match class {
        TrapClass::PinnedEnPassant => third_after_step(&referee, line)?,
        _ => perpetual(&referee)?,
    };
    let mut prover = MateProver::barring(twice(line)?, BUDGET);
    let others: Vec<Move> = here.legal_moves().into_iter().filter(|&mv| mv != right).collect();
    let longest = all_mated(class, &mut prover, &referee, &others)?;
    if class == TrapClass::PerpetualFind && prover.distance(here, NO_MATE_WITHIN)?.is_some() {
        return Err(NoTrap::Lacking { class, lacking: "nobody mates at once" });
    }
    let looks = |mv: Move| glance(&after(here, mv), here.turn()).0;
    let best_wrong = others.iter().map(|&mv| looks(mv)).max().unwrap_or(0);
    let wire = referee.wire(right);
    Ok(Trap {
        class,
        line: line.clone(),
        best: vec![wire],
        avoid: Vec::new(),
        result: Wdl::Draw,
        material: Material::of(here.board()).canonical().0,
        mate: None,
        proof: Proof::Search,
        pull: Centipawns(best_wrong - looks(right)),
        note: format!(
            "only {wire} draws, {said}; {} is mated within {longest} after anything else",
            if here.turn() == Color::White { "White" } else { "Black" },
        ),
    })
}

/// Within how many moves every one of these is mated.
fn all_mated(
    class: TrapClass,
    prover: &mut MateProver,
    referee: &Referee,
    moves: &[Move],
) -> Result<i32, NoTrap> {
    let mut longest = 0;
    for &mv in moves {
        // The other side is to move and mates; a position that stood before could cut the mate off.
        let mate = prover.distance(&after(referee.position(), mv), MATED_WITHIN)?;
        let mate = mate.filter(|mate| mate.is_win() && referee.occurrences_after(mv) == 0);
        let lacking = "every move but the right one is mated soon";
        longest = longest.max(mate.ok_or(NoTrap::Lacking { class, lacking })?.moves());
    }
    let lacking = "there is a wrong move";
    if moves.is_empty() { Err(NoTrap::Lacking { class, lacking }) } else { Ok(longest) }
}

/// The check that begins a perpetual, and what is to be said of it.
fn perpetual(referee: &Referee) -> Result<(Move, String), NoTrap> {
    let lacking = |lacking| NoTrap::Lacking { class: TrapClass::PerpetualFind, lacking };
    let here = referee.position();
    let keeping = Perpetual::explore(here, ROOM).keeping(here);
    let [(check, _)] = keeping.as_slice() else {
        return Err(lacking("exactly one check keeps a perpetual"));
    };
    if referee.occurrences_after(*check) != 1 {
        return Err(lacking("the check leads to a position that stood on the board once"));
    }
    let said = "by checks for ever, proven over every reply; its position stood on the board once".to_owned();
    Ok((*check, said))
}

/// The move that makes a third occurrence, and what is to be said of it.
fn third_after_step(referee: &Referee, line: &Line) -> Result<(Move, String), NoTrap> {
    let lacking = |lacking| NoTrap::Lacking { class: TrapClass::PinnedEnPassant, lacking };
    let here = referee.position();
    let past = Past::of(line)?;
    let mut thirds = here.legal_moves().into_iter().filter(|&mv| referee.occurrences_after(mv) == 2);
    let (Some(third), None) = (thirds.next(), thirds.next()) else {
        return Err(lacking("exactly one move makes a third occurrence"));
    };
    let there: Chess = after(here, third);
    let step: UciMove = past
        .pinned_step(&there)
        .ok_or_else(|| lacking("the first occurrence followed a double step past a pinned pawn"))?;
    let lost = MateProver::new(BUDGET).distance(&there, MATED_WITHIN)?;
    if !lost.is_some_and(crate::score::MateDistance::is_win) {
        return Err(lacking("without the history the drawing move is mated as well"));
    }
    let said = format!(
        "by the third occurrence: the first followed {step}, but the pawn beside it was pinned and could not \
         capture en passant",
    );
    Ok((third, said))
}
