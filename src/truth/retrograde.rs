//! Makes a table by going backwards from mate.
//!
//! First every position is looked at for what is known at once: mates on the board, and captures and
//! promotions, whose values stand in finished tables. Then, ply by ply, each newly decided position hands the
//! news to its predecessors: a lost one makes them won; a won one makes them lost if all their moves are known
//! to lose by now. Nobody counts moves: the check looks again, and mostly ends at the first move that is not
//! known to lose.
//!
//! En passant rights are not part of an address. A double step that allows a capture en passant leads to the
//! better, for the side to move, of the position without the right and the capture. (Where the capture would
//! be the only move this is not so; with four men both kings and both pawns are spoken for, and no such
//! position exists. The check of tables against shakmaty covers it.)

use std::ops::ControlFlow::{self, Break, Continue};

use shakmaty::{Bitboard, Color, Piece, Rank, Role, Square, attacks};

use super::index::{Layout, MOST_MEN, Placement};
use super::material::{Material, Side};
use super::table::{Entry, Table};
use super::tables::Tables;

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Makes the table of a material whose conversions all stand in `finished`.
pub(super) fn make(material: Material, finished: &Tables) -> Table {
    let mut maker = Maker::new(material, finished);
    maker.mark_impossible();
    maker.look_at_all();
    maker.go_backwards();
    Table::new(material, maker.layout, maker.entries)
}

/// Where a capture, a promotion or both leave to.
struct Exit<'t> {
    /// `None`: bare kings.
    table: Option<&'t Table>,
    /// For each man of that table, which of ours it is.
    order: Vec<usize>,
    side: Side,
}

struct Maker<'t> {
    layout: Layout,
    pieces: Vec<Piece>,
    entries: Vec<Entry>,
    exits: Vec<Option<Exit<'t>>>,
    /// Addresses that will be decided at a distance, for reasons known before; by plies.
    awaited: Vec<Vec<u32>>,
    /// Addresses decided at one ply more than the present distance.
    next: Vec<u32>,
}

/// One man's step: who, from where, what he takes.
#[derive(Clone, Copy)]
struct Step {
    slot: usize,
    to: Square,
    captured: Option<usize>,
}

impl<'t> Maker<'t> {
    fn new(material: Material, finished: &'t Tables) -> Self {
        let layout = Layout::new(material);
        let pieces = layout.pieces().to_vec();
        let entries = vec![Entry::DRAW; layout.addresses()];
        let mut maker = Self {
            layout,
            entries,
            exits: Vec::new(),
            awaited: vec![Vec::new(); usize::from(Entry::LONGEST) + 1],
            next: Vec::new(),
            pieces,
        };
        for captured in (0..maker.pieces.len()).map(Some).chain([None]) {
            for slot in 0..maker.pieces.len() {
                for promotion in Role::ALL {
                    maker.exits.push(maker.exit_to(captured, slot, promotion, finished));
                }
            }
        }
        maker
    }

    fn exit_to(
        &self,
        captured: Option<usize>,
        slot: usize,
        becomes: Role,
        finished: &'t Tables,
    ) -> Option<Exit<'t>> {
        let mut left: Vec<(usize, Piece)> = self.pieces.iter().copied().enumerate().collect();
        left[slot].1.role = becomes;
        left.retain(|&(slot, _)| Some(slot) != captured);
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
        let mut order = Vec::new();
        for piece in material.pieces() {
            let at = left.iter().position(|&(_, ours)| ours == piece)?;
            order.push(left.remove(at).0);
        }
        Some(Exit { table, order, side })
    }

    /// The value, for the side to move there, after a move that leaves the material; none where the move is
    /// illegal, since the table holds no position in which the side to move could take the king.
    fn beyond(&self, men: Placement, step: Step, becomes: Role) -> Entry {
        let captured = step.captured.unwrap_or(self.pieces.len());
        let exit = (captured * self.pieces.len() + step.slot) * Role::ALL.len() + (becomes as usize - 1);
        let exit = self.exits[exit].as_ref().expect("tables of all conversions are made before");
        let mut after = Placement { turn: men.turn.other(), squares: [Square::A1; MOST_MEN] };
        for (square, &ours) in after.squares.iter_mut().zip(&exit.order) {
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

    fn occupied(&self, men: Placement) -> Bitboard {
        men.squares[..self.pieces.len()].iter().copied().collect()
    }

    fn attacked(&self, men: Placement, target: Square, by: Color, occupied: Bitboard) -> bool {
        self.pieces.iter().zip(&men.squares).any(|(&piece, &square)| {
            piece.color == by && attacks::attacks(square, piece, occupied).contains(target)
        })
    }

    fn after(men: Placement, step: Step) -> Placement {
        let mut after = men;
        after.turn = men.turn.other();
        after.squares[step.slot] = step.to;
        after
    }

    fn slots(&self, color: Color) -> impl Iterator<Item = (usize, Piece)> + use<'_, 't> {
        self.pieces.iter().copied().enumerate().filter(move |(_, piece)| piece.color == color)
    }

    /// Visits the values after all captures and promotions.
    fn leaving(&self, men: Placement, visit: &mut impl FnMut(Entry) -> ControlFlow<()>) -> ControlFlow<()> {
        let occupied = self.occupied(men);
        let last = men.turn.other().backrank();
        for (slot, piece) in self.slots(men.turn) {
            let from = men.squares[slot];
            let reach = attacks::attacks(from, piece, occupied);
            let captures = self
                .slots(men.turn.other())
                .filter(|&(prey, _)| prey > 1 && reach.contains(men.squares[prey]))
                .map(|(prey, _)| Step { slot, to: men.squares[prey], captured: Some(prey) });
            let push = (piece.role == Role::Pawn)
                .then(|| ahead(from, men.turn))
                .flatten()
                .filter(|&to| to.rank() == last && !occupied.contains(to))
                .map(|to| Step { slot, to, captured: None });
            for step in captures.chain(push) {
                let promotes = piece.role == Role::Pawn && step.to.rank() == last;
                let becomes: &[Role] = if promotes { &PROMOTIONS } else { &[piece.role] };
                for &role in becomes {
                    let after = self.beyond(men, step, role);
                    if after != Entry::NONE {
                        visit(after)?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Visits the values after all other moves, as far as they are known.
    fn staying(&self, men: Placement, visit: &mut impl FnMut(Entry) -> ControlFlow<()>) -> ControlFlow<()> {
        let occupied = self.occupied(men);
        for (slot, piece) in self.slots(men.turn) {
            let from = men.squares[slot];
            let mut reach = if piece.role == Role::Pawn {
                steps(from, men.turn, occupied)
            } else {
                attacks::attacks(from, piece, occupied) & !occupied
            };
            while let Some(to) = reach.pop_front() {
                let after = Self::after(men, Step { slot, to, captured: None });
                let double = piece.role == Role::Pawn && from.distance(to) == 2;
                let entry = if double { self.with_en_passant(after, slot) } else { self.entry(after) };
                if entry != Entry::NONE {
                    visit(entry)?;
                }
            }
        }
        Continue(())
    }

    fn entry(&self, men: Placement) -> Entry {
        self.layout.index(men).map_or(Entry::NONE, |index| self.entries[index])
    }

    /// The value after a double step of the pawn `prey`, captures en passant included.
    fn with_en_passant(&self, men: Placement, prey: usize) -> Entry {
        let occupied = self.occupied(men);
        let mut best = self.entry(men);
        let Some(to) = ahead(men.squares[prey], men.turn).filter(|_| best != Entry::NONE) else {
            return best;
        };
        for (slot, piece) in self.slots(men.turn).filter(|(_, piece)| piece.role == Role::Pawn) {
            if attacks::attacks(men.squares[slot], piece, occupied).contains(to) {
                let capture = self.beyond(men, Step { slot, to, captured: Some(prey) }, Role::Pawn);
                if capture != Entry::NONE && rank(best) < rank(earlier(capture)) {
                    best = earlier(capture);
                }
            }
        }
        best
    }

    /// Finds what is no position: from now on a move to such an address is known to be illegal.
    fn mark_impossible(&mut self) {
        for index in 0..self.entries.len() {
            let men = self.layout.place(index);
            let occupied = self.occupied(men);
            let theirs = men.squares[usize::from(men.turn.is_white())];
            if occupied.count() < self.pieces.len() || self.attacked(men, theirs, men.turn, occupied) {
                self.entries[index] = Entry::NONE;
            }
        }
    }

    /// Finds what is decided without looking further than finished tables.
    fn look_at_all(&mut self) {
        for index in 0..self.entries.len() {
            if self.entries[index] != Entry::NONE {
                let men = self.layout.place(index);
                if let Some(plies) = self.known_at_once(men, self.occupied(men)) {
                    self.awaited[usize::from(plies)].push(index as u32);
                }
            }
        }
    }

    fn known_at_once(&self, men: Placement, occupied: Bitboard) -> Option<u16> {
        let mut best: Option<Entry> = None;
        let _ = self.leaving(men, &mut |after| {
            let before = earlier(after);
            if best.is_none_or(|best| rank(best) < rank(before)) {
                best = Some(before);
            }
            Continue(())
        });
        match best.map(Entry::plies) {
            Some(None) => None,
            Some(Some(plies)) if plies % 2 == 1 => Some(plies),
            Some(Some(_)) => self.lost_in(men),
            None => {
                let king = men.squares[usize::from(men.turn.is_black())];
                let check = self.attacked(men, king, men.turn.other(), occupied);
                let stuck = self.staying(men, &mut |_| Break(())).is_continue();
                (check && stuck).then_some(0).or_else(|| if stuck { None } else { self.lost_in(men) })
            }
        }
    }

    /// If every move is known to lose: plies until mate. A position without a move is not meant.
    fn lost_in(&self, men: Placement) -> Option<u16> {
        let mut longest = None;
        let mut visit = |after: Entry| match after.plies() {
            Some(plies) if plies % 2 == 1 => {
                longest = longest.max(Some(plies + 1));
                Continue(())
            }
            _ => Break(()),
        };
        let all = self.staying(men, &mut visit).is_continue() && self.leaving(men, &mut visit).is_continue();
        longest.filter(|_| all)
    }

    fn go_backwards(&mut self) {
        let mut before = Vec::new();
        for plies in 0..=Entry::LONGEST {
            let mut decided = std::mem::take(&mut self.next);
            for index in std::mem::take(&mut self.awaited[usize::from(plies)]) {
                if self.entries[index as usize] == Entry::DRAW {
                    self.entries[index as usize] = Entry::mate_in(plies);
                    decided.push(index);
                }
            }
            for index in decided {
                let men = self.layout.place(index as usize);
                self.predecessors(men, &mut before);
                for &(index, double) in &before {
                    if self.entries[index as usize] == Entry::DRAW {
                        self.hear(index, plies, double.map(|slot| self.with_en_passant(men, slot)));
                    }
                }
            }
        }
    }

    /// An undecided position hears that a move of it leads to a position decided at `plies`. If the move is
    /// a double step, `instead` is its true value.
    fn hear(&mut self, index: u32, plies: u16, instead: Option<Entry>) {
        let lost = plies.is_multiple_of(2);
        let decided = match instead {
            Some(entry) if lost => {
                entry.plies().filter(|plies| plies.is_multiple_of(2)).map(|plies| plies + 1)
            }
            Some(_) | None if !lost => self.lost_in(self.layout.place(index as usize)),
            Some(_) | None => Some(plies + 1),
        };
        match decided {
            Some(at) if at == plies + 1 => {
                self.entries[index as usize] = Entry::mate_in(at);
                self.next.push(index);
            }
            Some(at) => self.awaited[usize::from(at)].push(index),
            None => {}
        }
    }

    /// The addresses from which a move that stays in the material leads here, and the pawn that stepped twice.
    fn predecessors(&self, men: Placement, found: &mut Vec<(u32, Option<usize>)>) {
        found.clear();
        let mover = men.turn.other();
        let occupied = self.occupied(men);
        for (slot, piece) in self.slots(mover) {
            let to = men.squares[slot];
            let mut origins = if piece.role == Role::Pawn {
                steps_back(to, mover, occupied)
            } else {
                attacks::attacks(to, piece, occupied) & !occupied
            };
            while let Some(from) = origins.pop_front() {
                let mut before = Placement { turn: mover, ..men };
                before.squares[slot] = from;
                let double = piece.role == Role::Pawn && from.distance(to) == 2;
                let addresses = self.layout.index(before).into_iter().chain(self.layout.twin(before));
                found.extend(addresses.map(|index| (index as u32, double.then_some(slot))));
            }
        }
    }
}

/// The value of a position whose only move leads to one of this value.
fn earlier(after: Entry) -> Entry {
    after.plies().map_or(after, |plies| Entry::mate_in(plies + 1))
}

/// The better for the side to move, the greater.
fn rank(entry: Entry) -> i32 {
    match entry.plies() {
        None => 0,
        Some(plies) if plies % 2 == 1 => 1000 - i32::from(plies),
        Some(plies) => i32::from(plies) - 1000,
    }
}

fn ahead(square: Square, color: Color) -> Option<Square> {
    square.offset(color.fold_wb(8, -8))
}

/// Where a pawn may step without capturing or promoting.
fn steps(from: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let free = |square: &Square| !occupied.contains(*square);
    let Some(one) = ahead(from, color).filter(free).filter(|one| one.rank() != color.other().backrank())
    else {
        return Bitboard::EMPTY;
    };
    let two = (from.rank() == color.relative_rank(Rank::Second)).then(|| ahead(one, color)).flatten();
    Bitboard::from_square(one) | two.filter(free).map_or(Bitboard::EMPTY, Bitboard::from_square)
}

/// Where a pawn may have stepped from without capturing.
fn steps_back(to: Square, color: Color, occupied: Bitboard) -> Bitboard {
    let free = |square: &Square| !occupied.contains(*square);
    let Some(one) = ahead(to, color.other()).filter(free).filter(|one| one.rank() != color.backrank()) else {
        return Bitboard::EMPTY;
    };
    let two = (to.rank() == color.relative_rank(Rank::Fourth)).then(|| ahead(one, color.other())).flatten();
    Bitboard::from_square(one) | two.filter(free).map_or(Bitboard::EMPTY, Bitboard::from_square)
}
