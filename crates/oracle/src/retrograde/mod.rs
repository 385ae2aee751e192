//! Makes a table by going backwards from mate.
//!
//! First every position is looked at for what is known at once: that it is none, that it is mate, and what
//! captures and promotions are worth, whose values stand in finished tables. Then, ply by ply, each position
//! decided at that distance hands the news to its predecessors: a lost one makes them won; a won one makes them
//! lost if all their moves are known to lose by now. Nobody counts moves: the check looks again, and mostly
//! ends at the first move that is not known to lose.
//!
//! An entry may be written before its time, as an upper bound: a capture that wins in nine is worth a nine
//! until something quicker is found. That a bound says who wins is certain, and whatever lowers it comes from
//! an entry of less plies; so when the sweep comes to nine, the nines are exact.

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

/// Words that a thread takes at a time.
const PORTION: usize = 4096;

/// A material's mates take longer than an entry can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MateTooLong;

/// Makes the table of a material whose conversions all stand in `finished`, on so many threads.
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
    /// Each side's men, the king last: the check of moves that lose asks the king last, whose steps cost most.
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

    /// Shares the words out to the threads.
    fn share(&self, work: impl Fn(Range<usize>) + Sync) {
        share(self.threads, self.cells.words(), PORTION, work);
    }

    /// Hands the news of all positions decided at this distance to their predecessors.
    fn sweep(&self, plies: u16) {
        let value = TableEntry::mate_in(plies);
        self.share(|words| {
            self.cells.each(words, value, |address| self.mark_decided(address, value));
        });
    }

    /// Do both sides have pawns, so that there is en passant?
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

    /// Does a man of this colour attack a square? Kings are left out: they never touch.
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
                bytes.extend_from_slice(&bits.to_le_bytes()[..width]);
            }
        })
    }
}

/// A word's addresses.
fn addresses(word: usize) -> [usize; IN_WORD] {
    std::array::from_fn(|within| word * IN_WORD + within)
}
