//! Where captures and promotions lead: out of the material, into finished tables.

use shakmaty::{Color, Piece, Role, Square, attacks};

use crate::entry::Entry;
use crate::index::{LARGEST, Placement};
use crate::material::{Material, Side};
use crate::table::Table;
use crate::tables::Tables;

/// What a pawn may become.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// One man's step: who, to where, what he takes, what he is then.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) slot: usize,
    pub(super) to: Square,
    pub(super) captured: Option<usize>,
    pub(super) becomes: Role,
}

/// The material that a capture, a promotion or both lead to.
struct Exit<'t> {
    /// `None`: bare kings.
    table: Option<&'t Table>,
    /// For each man of that table, which of ours it is.
    order: [usize; LARGEST],
    men: usize,
    side: Side,
}

/// All ways out of a material.
pub(super) struct Exits<'t> {
    /// By the captured slot (the number of men: none), the moving slot and what it becomes; `None` for what
    /// can't happen.
    exits: Vec<Option<Exit<'t>>>,
    men: usize,
}

impl<'t> Exits<'t> {
    pub(super) fn new(pieces: &[Piece], finished: &'t Tables) -> Self {
        let mut exits = Vec::new();
        for captured in 0..=pieces.len() {
            for slot in 0..pieces.len() {
                exits.extend(Role::ALL.map(|becomes| exit(pieces, captured, slot, becomes, finished)));
            }
        }
        Self { exits, men: pieces.len() }
    }

    /// The value, for the side to move there, after a step that leaves the material; none where the step is
    /// illegal, since a table holds no position in which the side to move could take the king.
    #[inline]
    pub(super) fn beyond(&self, men: Placement, step: Step) -> Entry {
        let captured = step.captured.unwrap_or(self.men);
        let number = (captured * self.men + step.slot) * Role::ALL.len() + (step.becomes as usize - 1);
        let exit = self.exits[number].as_ref().expect("tables of all conversions are made before");
        let mut after = Placement { turn: men.turn.other(), squares: [Square::A1; LARGEST] };
        for (square, &ours) in after.squares.iter_mut().zip(&exit.order[..exit.men]) {
            *square = if ours == step.slot { step.to } else { men.squares[ours] };
        }
        let Some(table) = exit.table else {
            let touch = attacks::king_attacks(after.squares[0]).contains(after.squares[1]);
            return if touch { Entry::NONE } else { Entry::DRAW };
        };
        if exit.side == Side::Swapped {
            after.turn = after.turn.other();
            after.squares = after.squares.map(Square::flip_vertical);
        }
        table.entry(after)
    }
}

fn exit<'t>(
    pieces: &[Piece],
    captured: usize,
    slot: usize,
    becomes: Role,
    finished: &'t Tables,
) -> Option<Exit<'t>> {
    let mut left: Vec<(usize, Piece)> = pieces.iter().copied().enumerate().collect();
    left[slot].1.role = becomes;
    left.retain(|&(slot, _)| slot != captured);
    let (material, side) = Material::of_pieces(left.iter().map(|&(_, piece)| piece)).canonical();
    if side == Side::Swapped {
        for (_, piece) in &mut left {
            piece.color = piece.color.other();
        }
    }
    let table = finished.table(material);
    if table.is_none() && !material.is_bare() {
        return None;
    }
    let mut order = [0; LARGEST];
    let men = left.len();
    for (ours, piece) in order.iter_mut().zip(material.pieces()) {
        let at = left.iter().position(|&(_, ours)| ours == piece)?;
        *ours = left.remove(at).0;
    }
    Some(Exit { table, order, men, side })
}

/// The rank on which a side's pawns promote.
pub(super) fn last_rank(color: Color) -> shakmaty::Rank {
    color.other().backrank()
}
