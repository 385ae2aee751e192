//! Traps whose moves are judged by tables, with the history or the fifty-move counter added.

use shakmaty::Position;
use shakmaty::uci::UciMove;

use super::judged_line::JudgedLine;
use super::occurrences::PastPositions;
use super::reason::{errors, in_words, reason};
use super::requirements::requirements;
use super::{MinedTrap, NotATrap, ProofMethod, TrapClass};
use crate::reference_search::shallow_value;
use threefold_chess::position::GamePosition;
use threefold_chess::score::Centipawns;
use threefold_oracle::threefold_rule::JudgedMove;
use threefold_oracle::{Material, Referee, Tables, Wdl, fifty_move_rule, threefold_rule};

pub(super) fn derive(
    tables: &Tables,
    class: TrapClass,
    position: &GamePosition,
) -> Result<MinedTrap, NotATrap> {
    let judged = match class {
        TrapClass::FiftyMoves => fifty_move_rule::judge(tables, position)?,
        _ => threefold_rule::judge(tables, position)?,
    };
    let referee = Referee::new(position)?;
    let here = referee.position();
    // A win is the least `Wdl`, and a loss the greatest.
    let result = judged.iter().map(|judged| judged.worth).min().unwrap_or(Wdl::Draw);
    let (right, wrong): (Vec<&JudgedMove>, Vec<&JudgedMove>) =
        judged.iter().partition(|judged| judged.worth == result);
    let bait = class_bait(class, &wrong);
    let waited = right.first().and_then(|judged| tables.probe(&judged.after.clone().swap_turn().ok()?));
    let (past, counter) = (PastPositions::new(position)?, here.halfmoves());
    let mut scene = JudgedLine { class, result, right, wrong, bait, waited, past, counter };
    if let Some((_, lacking)) = requirements(&scene).into_iter().find(|(holds, _)| !holds) {
        return Err(NotATrap::Lacking { class, lacking });
    }
    let forecasts = |judged: &JudgedMove| shallow_value(here, judged.mv);
    // Of equals the first.
    scene.bait =
        scene.bait.or_else(|| scene.wrong.iter().copied().rev().max_by_key(|judged| forecasts(judged)));
    let mates = scene.right.iter().filter_map(|judged| judged.table.mate()).filter(|_| result == Wdl::Win);
    let material = Material::from_board(here.board()).canonical().0;
    let best: Vec<UciMove> = scene.right.iter().map(|judged| judged.uci).collect();
    let errors = match class {
        // The tables that show errors ignore the counter.
        TrapClass::FiftyMoves => None,
        _ => Some(errors(tables, position)?),
    };
    let judgement = reason(&scene);
    Ok(MinedTrap {
        class,
        position: position.clone(),
        best,
        avoid: scene.bait.iter().map(|bait| bait.uci).collect(),
        result,
        material,
        mate: mates.min_by_key(|mate| mate.plies()),
        after: scene.bait.map(|bait| bait.table),
        proof: ProofMethod::Tablebase,
        bait_score: bait_score(&scene, forecasts),
        note: match &errors {
            None => format!("{judgement} (table {material})"),
            Some(errors) => format!("{judgement} (table {material}); {}", in_words(errors)),
        },
        history_errors: errors.map(|errors| errors.iter().map(|error| error.ply).collect()),
    })
}

/// The wrong move that the class is about, if there is one.
fn class_bait<'j>(class: TrapClass, wrong: &[&'j JudgedMove]) -> Option<&'j JudgedMove> {
    let best_of = |wanted: &dyn Fn(&JudgedMove) -> bool| {
        // Of equals the first.
        wrong.iter().copied().rev().filter(|judged| wanted(judged)).max_by_key(|judged| judged.table.rank())
    };
    match class {
        TrapClass::FiftyMoves => best_of(&|_| true),
        TrapClass::FalseRefuge | TrapClass::ThirdAvoid | TrapClass::Dawdle => {
            best_of(&|judged| judged.seen > 0)
        }
        TrapClass::VoidEnPassant => best_of(&|judged| judged.seen >= 2),
        TrapClass::OnlyWinRepeats
        | TrapClass::ThirdSeek
        | TrapClass::OnlyDrawRepeats
        | TrapClass::OtherSide
        | TrapClass::ZugzwangTriangle
        | TrapClass::LiveEnPassant
        | TrapClass::PerpetualFind
        | TrapClass::PerpetualAvoid
        | TrapClass::PinnedEnPassant => None,
    }
}

/// By how many centipawns the wrong choice looks better. An engine that scores a first repetition as a draw
/// takes the repeating move for 0.
fn bait_score(scene: &JudgedLine<'_>, forecasts: impl Fn(&JudgedMove) -> Centipawns) -> Centipawns {
    let best = |moves: &[&JudgedMove]| moves.iter().map(|judged| forecasts(judged).0).max().unwrap_or(0);
    let bait = scene.bait.map_or(0, |bait| forecasts(bait).0);
    Centipawns(match scene.class {
        TrapClass::OnlyWinRepeats
        | TrapClass::OtherSide
        | TrapClass::ZugzwangTriangle
        | TrapClass::LiveEnPassant => bait,
        TrapClass::FalseRefuge => -best(&scene.right),
        TrapClass::ThirdAvoid
        | TrapClass::ThirdSeek
        | TrapClass::Dawdle
        | TrapClass::OnlyDrawRepeats
        | TrapClass::FiftyMoves
        | TrapClass::VoidEnPassant
        | TrapClass::PerpetualFind
        | TrapClass::PerpetualAvoid
        | TrapClass::PinnedEnPassant => bait - best(&scene.right),
    })
}
