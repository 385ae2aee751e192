//! Traps whose moves are judged by tables, with the history or the fifty-move counter added.

use shakmaty::Position;

use super::demands::demands;
use super::past::Past;
use super::reason::{errors, reason};
use super::{NoTrap, Proof, Trap, TrapClass};
use crate::line::Line;
use crate::mining::lean::glance;
use crate::score::Centipawns;
use crate::truth::with_history::Judged;
use crate::truth::{Material, Referee, Tables, Wdl, with_counter, with_history};

/// A line's end with its moves judged.
pub(super) struct Scene<'j> {
    pub(super) class: TrapClass,
    /// What best play comes to.
    pub(super) result: Wdl,
    pub(super) right: Vec<&'j Judged>,
    pub(super) wrong: Vec<&'j Judged>,
    /// The wrong move that baits, if there is one.
    pub(super) bait: Option<&'j Judged>,
    pub(super) past: Past,
    /// Plies without capture or pawn move.
    pub(super) counter: u32,
}

pub(super) fn derive(tables: &Tables, class: TrapClass, line: &Line) -> Result<Trap, NoTrap> {
    let judged = match class {
        TrapClass::FiftyMoves => with_counter::judge(tables, line)?,
        _ => with_history::judge(tables, line)?,
    };
    let referee = Referee::new(line)?;
    let here = referee.position();
    let result = judged.iter().map(|judged| judged.worth).min().unwrap_or(Wdl::Draw);
    let (right, wrong): (Vec<&Judged>, Vec<&Judged>) =
        judged.iter().partition(|judged| judged.worth == result);
    let bait = bait(class, &wrong);
    let scene = Scene { class, result, right, wrong, bait, past: Past::of(line)?, counter: here.halfmoves() };
    if let Some((_, lacking)) = demands(&scene).into_iter().find(|(holds, _)| !holds) {
        return Err(NoTrap::Lacking { class, lacking });
    }
    let mates = scene.right.iter().filter_map(|judged| judged.table.mate()).filter(|_| result == Wdl::Win);
    let material = Material::of(here.board()).canonical().0;
    Ok(Trap {
        class,
        line: line.clone(),
        best: scene.right.iter().map(|judged| judged.wire).collect(),
        avoid: bait.iter().map(|bait| bait.wire).collect(),
        result,
        material,
        mate: mates.min_by_key(|mate| mate.plies()),
        proof: Proof::Tablebase,
        pull: pull(&scene, here.turn()),
        note: match class {
            // The tables that tell errors don't know the counter.
            TrapClass::FiftyMoves => format!("{} (table {material})", reason(&scene)),
            _ => format!("{} (table {material}); {}", reason(&scene), errors(tables, line)?),
        },
    })
}

fn bait<'j>(class: TrapClass, wrong: &[&'j Judged]) -> Option<&'j Judged> {
    let wrong = wrong.iter().copied();
    match class {
        // What is best on the board; of equals the first.
        TrapClass::FiftyMoves => wrong.rev().max_by_key(|judged| judged.table.rank()),
        _ => wrong.filter(|judged| judged.seen > 0).min_by_key(|judged| judged.table.plies()),
    }
}

/// By how much the wrong choice looks better.
fn pull(scene: &Scene<'_>, mover: shakmaty::Color) -> Centipawns {
    let look =
        |moves: &[&Judged]| moves.iter().map(|judged| glance(&judged.after, mover).0).max().unwrap_or(0);
    let bait = scene.bait.map_or(0, |bait| look(&[bait]));
    Centipawns(match scene.class {
        TrapClass::OnlyWinRepeats | TrapClass::OtherSide | TrapClass::LiveEnPassant => look(&scene.wrong),
        TrapClass::FalseRefuge => -look(&scene.right),
        TrapClass::ThirdAvoid | TrapClass::FiftyMoves => bait - look(&scene.right),
        TrapClass::VoidEnPassant if scene.result == Wdl::Win => bait - look(&scene.right),
        TrapClass::ThirdSeek
        | TrapClass::OnlyDrawRepeats
        | TrapClass::VoidEnPassant
        | TrapClass::PerpetualFind
        | TrapClass::PinnedEnPassant => look(&scene.wrong) - look(&scene.right),
    })
}
