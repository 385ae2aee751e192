//! Captures and promotions: moves into other, finished tables.

use shakmaty::{Color, Piece, Role, Square, attacks};

use crate::entry::TableEntry;
use crate::index::{MAX_PIECES, Placement};
use crate::material::{Material, TableSide};
use crate::table::Table;
use crate::tables::Tables;

/// The promotion roles.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A move of one piece: slot, target, captured slot, resulting role.
#[derive(Clone, Copy)]
pub(super) struct PieceMove {
    pub(super) slot: usize,
    pub(super) to: Square,
    pub(super) captured: Option<usize>,
    pub(super) becomes: Role,
}

/// The material after a capture, a promotion or both.
struct Conversion<'t> {
    /// `None`: bare kings.
    table: Option<&'t Table>,
    /// For each piece of that table, the index of ours.
    order: [usize; MAX_PIECES],
    piece_count: usize,
    side: TableSide,
}

/// All conversions of a material.
pub(super) struct Conversions<'t> {
    /// By captured slot (the number of pieces: none), moving slot and resulting role; `None` for impossible
    /// ones.
    conversions: Vec<Option<Conversion<'t>>>,
    piece_count: usize,
}

impl<'t> Conversions<'t> {
    pub(super) fn new(pieces: &[Piece], finished: &'t Tables) -> Self {
        let mut conversions = Vec::new();
        for captured in 0..=pieces.len() {
            for slot in 0..pieces.len() {
                conversions
                    .extend(Role::ALL.map(|becomes| conversion(pieces, captured, slot, becomes, finished)));
            }
        }
        Self { conversions, piece_count: pieces.len() }
    }

    /// The value after a conversion, for the side to move there; `TableEntry::NONE` if the move is illegal,
    /// since a table has no position in which the side to move could capture the king.
    #[inline]
    pub(super) fn value_after(&self, placement: Placement, step: PieceMove) -> TableEntry {
        let captured = step.captured.unwrap_or(self.piece_count);
        // In the order in which `new` lists them. Roles count from 1.
        let number =
            (captured * self.piece_count + step.slot) * Role::ALL.len() + (step.becomes as usize - 1);
        let conversion =
            self.conversions[number].as_ref().expect("tables of all conversions are made before");
        let mut after = Placement { turn: placement.turn.other(), squares: [Square::A1; MAX_PIECES] };
        for (square, &ours) in after.squares.iter_mut().zip(&conversion.order[..conversion.piece_count]) {
            *square = if ours == step.slot { step.to } else { placement.squares[ours] };
        }
        let Some(table) = conversion.table else {
            let touch = attacks::king_attacks(after.squares[0]).contains(after.squares[1]);
            return if touch { TableEntry::NONE } else { TableEntry::DRAW };
        };
        if conversion.side == TableSide::Swapped {
            after.turn = after.turn.other();
            after.squares = after.squares.map(Square::flip_vertical);
        }
        table.entry(after)
    }
}

fn conversion<'t>(
    pieces: &[Piece],
    captured: usize,
    slot: usize,
    becomes: Role,
    finished: &'t Tables,
) -> Option<Conversion<'t>> {
    let mut left: Vec<(usize, Piece)> = pieces.iter().copied().enumerate().collect();
    left[slot].1.role = becomes;
    left.retain(|&(slot, _)| slot != captured);
    let (material, side) = Material::of_pieces(left.iter().map(|&(_, piece)| piece)).canonical();
    if side == TableSide::Swapped {
        for (_, piece) in &mut left {
            piece.color = piece.color.other();
        }
    }
    let table = finished.table(material);
    if table.is_none() && !material.is_bare() {
        return None;
    }
    let mut order = [0; MAX_PIECES];
    let piece_count = left.len();
    for (ours, piece) in order.iter_mut().zip(material.pieces()) {
        let at = left.iter().position(|&(_, ours)| ours == piece)?;
        // Taken out, so that like pieces have different places.
        *ours = left.remove(at).0;
    }
    Some(Conversion { table, order, piece_count, side })
}

/// The promotion rank.
pub(super) fn last_rank(color: Color) -> shakmaty::Rank {
    color.other().backrank()
}
