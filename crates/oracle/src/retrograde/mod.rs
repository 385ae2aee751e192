//! Builds a table by retrograde analysis.
//!
//! First every position gets its initial value: no position, mate, or the value of captures and promotions
//! from finished tables. Then, ply by ply, the predecessors of each position decided at that distance are
//! updated: a lost position makes them won; a won one makes them lost if all their moves are known to lose.
//! No move counters are kept: the check generates the moves again, and usually ends at the first move that is
//! not known to lose.
//!
//! An entry may be an upper bound: a capture that wins in nine plies gives a nine until a faster win is
//! found. The winner of a bound is certain, and it can decrease only through an entry with fewer plies; so
//! when the sweep reaches nine, all nines are exact.

mod atomic_entries;
mod conversions;
mod en_passant;
mod initialise;
mod predecessors;
mod quiet_moves;

use std::num::NonZeroUsize;
use std::ops::Range;

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::entry::TableEntry;
use super::index::{Placement, PositionIndex};
use super::material::Material;
use super::parallel::share;
use super::table::Table;
use super::table_file::{TableFile, ValueSet};
use super::tables::Tables;
use atomic_entries::{AtomicEntries, IN_WORD};
use conversions::Conversions;

/// Words per work item.
const PORTION: usize = 4096;

/// A mate is longer than an entry can represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MateTooLong;

/// Builds the table of a material whose conversions are all in `finished`, with this number of threads.
pub(super) fn make(
    material: Material,
    finished: &Tables,
    threads: NonZeroUsize,
) -> Result<Table, MateTooLong> {
    let maker = TableBuilder::new(material, finished, threads);
    maker.initialise_all();
    if maker.pawns_meet() {
        maker.resolve_double_steps();
    }
    for plies in 0..=TableEntry::LONGEST {
        // No entry has this distance or a longer one, and later sweeps would find nothing.
        if plies > u16::from(maker.cells.longest()) {
            break;
        }
        maker.sweep(plies);
    }
    if u16::from(maker.cells.longest()) > TableEntry::LONGEST {
        return Err(MateTooLong);
    }
    let image = maker.pack(material);
    Ok(Table::new(material, maker.layout, image))
}

struct TableBuilder<'t> {
    layout: PositionIndex,
    pieces: Vec<Piece>,
    /// Each side's pieces, the king last: the check for losing moves leaves the expensive king moves for the
    /// end.
    sides: [Vec<(usize, Piece)>; 2],
    cells: AtomicEntries,
    conversions: Conversions<'t>,
    threads: NonZeroUsize,
}

impl<'t> TableBuilder<'t> {
    fn new(material: Material, finished: &'t Tables, threads: NonZeroUsize) -> Self {
        let layout = PositionIndex::new(material);
        let pieces = layout.pieces().to_vec();
        let cells = AtomicEntries::new(layout.addresses());
        let conversions = Conversions::new(&pieces, finished);
        let sides = Color::ALL.map(|color| {
            let mut side: Vec<(usize, Piece)> =
                pieces.iter().copied().enumerate().filter(|(_, piece)| piece.color == color).collect();
            side.rotate_left(1);
            side
        });
        Self { layout, pieces, sides, cells, conversions, threads }
    }

    /// Distributes the words over the threads.
    fn share(&self, work: impl Fn(Range<usize>) + Sync) {
        share(self.threads, self.cells.words(), PORTION, work);
    }

    /// Updates the predecessors of all positions decided at this distance.
    fn sweep(&self, plies: u16) {
        let value = TableEntry::mate_in(plies);
        self.share(|words| {
            self.cells.each(words, value, |address| self.mark_decided(address, value));
        });
    }

    /// Whether both sides have pawns, so that en passant can occur.
    fn pawns_meet(&self) -> bool {
        self.sides.iter().all(|side| side.iter().any(|(_, piece)| piece.role == Role::Pawn))
    }

    fn side(&self, color: Color) -> &[(usize, Piece)] {
        &self.sides[usize::from(color.is_black())]
    }

    #[inline]
    fn occupied(&self, placement: Placement) -> Bitboard {
        let mut occupied = Bitboard::EMPTY;
        for &square in &placement.squares[..self.pieces.len()] {
            occupied |= Bitboard::from_square(square);
        }
        occupied
    }

    /// Whether a piece of this colour attacks a square. Kings are ignored: they never touch.
    #[inline]
    fn attacked(&self, placement: Placement, target: Square, by: Color, occupied: Bitboard) -> bool {
        self.side(by).iter().any(|&(slot, piece)| {
            slot > 1 && attacks::attacks(placement.squares[slot], piece, occupied).contains(target)
        })
    }

    #[inline]
    fn entry(&self, placement: Placement) -> TableEntry {
        self.layout.address(placement).map_or(TableEntry::NONE, |address| self.cells.get(address))
    }

    fn pack(&self, material: Material) -> TableFile {
        let half = self.cells.words() / 2;
        let words = |turn: Color| turn.fold_wb(0..half, half..2 * half);
        let values = Color::ALL.map(|turn| {
            let mut met = [false; 256];
            for entry in words(turn).flat_map(|word| self.cells.word(word)) {
                met[usize::from(entry.settled().byte())] = true;
            }
            ValueSet::met(&met)
        });
        TableFile::new(material, &self.layout, &values, |turn, values, bytes| {
            let (width, numbers) = (values.width(), values.numbers());
            for word in words(turn) {
                let mut bits = 0_u64;
                for (within, entry) in self.cells.word(word).into_iter().enumerate() {
                    bits |= u64::from(numbers[usize::from(entry.settled().byte())]) << (within * width);
                }
                // Eight entries of `width` bits fill `width` bytes.
                bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
            }
        })
    }
}

/// The addresses of a word.
fn addresses(word: usize) -> [usize; IN_WORD] {
    std::array::from_fn(|within| word * IN_WORD + within)
}
