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

mod backwards;
mod cells;
mod en_passant;
mod exits;
mod first_look;
mod steps;

use std::num::NonZeroUsize;
use std::ops::Range;

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::entry::Entry;
use super::image::{Image, Values};
use super::index::{Layout, Placement};
use super::material::Material;
use super::sharing::share;
use super::table::Table;
use super::tables::Tables;
use cells::{Cells, IN_WORD};
use exits::Exits;

/// Words that a thread takes at a time.
const PORTION: usize = 4096;

/// A material's mates take longer than an entry can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Overlong;

/// Makes the table of a material whose conversions all stand in `finished`, on so many threads.
pub(super) fn make(material: Material, finished: &Tables, threads: NonZeroUsize) -> Result<Table, Overlong> {
    let maker = Maker::new(material, finished, threads);
    maker.look_at_all();
    if maker.pawns_meet() {
        maker.look_at_double_steps();
    }
    for plies in 0..=Entry::LONGEST {
        if plies > u16::from(maker.cells.longest()) {
            break;
        }
        maker.sweep(plies);
    }
    if u16::from(maker.cells.longest()) > Entry::LONGEST {
        return Err(Overlong);
    }
    let image = maker.pack(material);
    Ok(Table::new(material, maker.layout, image))
}

struct Maker<'t> {
    layout: Layout,
    pieces: Vec<Piece>,
    /// Each side's men, the king last: the check of moves that lose asks the king last, whose steps cost most.
    sides: [Vec<(usize, Piece)>; 2],
    cells: Cells,
    exits: Exits<'t>,
    threads: NonZeroUsize,
}

impl<'t> Maker<'t> {
    fn new(material: Material, finished: &'t Tables, threads: NonZeroUsize) -> Self {
        let layout = Layout::new(material);
        let pieces = layout.pieces().to_vec();
        let cells = Cells::new(layout.addresses());
        let exits = Exits::new(&pieces, finished);
        let sides = Color::ALL.map(|color| {
            let mut side: Vec<(usize, Piece)> =
                pieces.iter().copied().enumerate().filter(|(_, piece)| piece.color == color).collect();
            side.rotate_left(1);
            side
        });
        Self { layout, pieces, sides, cells, exits, threads }
    }

    /// Shares the words out to the threads.
    fn share(&self, work: impl Fn(Range<usize>) + Sync) {
        share(self.threads, self.cells.words(), PORTION, work);
    }

    /// Hands the news of all positions decided at this distance to their predecessors.
    fn sweep(&self, plies: u16) {
        let value = Entry::mate_in(plies);
        self.share(|words| {
            self.cells.each(words, value, |address| self.tell(address, value));
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
    fn occupied(&self, men: Placement) -> Bitboard {
        let mut occupied = Bitboard::EMPTY;
        for &square in &men.squares[..self.pieces.len()] {
            occupied |= Bitboard::from_square(square);
        }
        occupied
    }

    /// Does a man of this colour attack a square? Kings are left out: they never touch.
    #[inline]
    fn attacked(&self, men: Placement, target: Square, by: Color, occupied: Bitboard) -> bool {
        self.side(by).iter().any(|&(slot, piece)| {
            slot > 1 && attacks::attacks(men.squares[slot], piece, occupied).contains(target)
        })
    }

    #[inline]
    fn entry(&self, men: Placement) -> Entry {
        self.layout.address(men).map_or(Entry::NONE, |address| self.cells.get(address))
    }

    fn pack(&self, material: Material) -> Image {
        let half = self.cells.words() / 2;
        let words = |turn: Color| turn.fold_wb(0..half, half..2 * half);
        let values = Color::ALL.map(|turn| {
            let mut met = [false; 256];
            for entry in words(turn).flat_map(|word| self.cells.word(word)) {
                met[usize::from(entry.settled().byte())] = true;
            }
            Values::met(&met)
        });
        Image::new(material, &self.layout, &values, |turn, values, bytes| {
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
