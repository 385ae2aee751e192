//! The set of tables.
//!
//! Captures and promotions lead to other materials, so tables are built in layers: fewer pieces first, then
//! fewer pawns. The tables of a layer are independent.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::entry::TableEntry;
use super::index::MAX_PIECES;
use super::material::Material;
use super::proven_value::ProvenValue;
use super::table::Table;
use super::table_file::TableFileError;

/// Why a table is not available.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Too many pieces.
    #[error("no table of {0}: it has {count} pieces, and tables have at most {MAX_PIECES}", count = .0.piece_count())]
    TooManyMen(Material),
    /// A mate is longer than an entry can represent.
    #[error(
        "no table of {0}: some of its mates take more than {longest} plies, the limit of tables",
        longest = TableEntry::LONGEST
    )]
    TooLong(Material),
    /// The file is missing.
    #[error(
        "{}: there is no such table; build it with `threefold tablebase build {material} --dir {}`",
        folder.join(Tables::file_name(*material)).display(),
        folder.display()
    )]
    Missing {
        /// The table's material.
        material: Material,
        /// The path of the folder.
        folder: PathBuf,
    },
    /// The file is invalid.
    #[error(
        "{}: {cause}; remove it, and build it again with `threefold tablebase build {material} --dir {}`",
        folder.join(Tables::file_name(*material)).display(),
        folder.display()
    )]
    TableFileError {
        /// The table's material.
        material: Material,
        /// The path of the folder.
        folder: PathBuf,
        /// What is wrong with the table's file.
        cause: TableFileError,
    },
}

/// Tables by material, built or mapped. A clone shares them.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use threefold_chess::position::GamePosition;
/// use threefold_oracle::{Referee, Tables};
///
/// let mut tables = Tables::new(NonZeroUsize::MIN);
/// tables.make(&["KQK".parse().expect("material")], &mut |_| {}).expect("enough memory");
/// let game = GamePosition::parse("7k/8/5KQ1/8/8/8/8/8 w - -", "").expect("a position");
/// let referee = Referee::new(&game).expect("legal");
/// assert!(tables.probe(referee.position()).is_some());
/// ```
#[derive(Debug, Clone)]
pub struct Tables {
    /// Never iterated in hash order.
    by_material: HashMap<Material, Arc<Table>, FxBuildHasher>,
    threads: NonZeroUsize,
    folder: Option<PathBuf>,
}

/// The extension of table files.
pub const ENDING: &str = "dtm";

/// It has mates in 127 moves; refused before any of its tables is built. No other ending with five pieces has
/// a mate that an entry cannot represent.
const OVERLONG: &str = "KPPKP";

/// Tables with more addresses are built one after another with all threads; smaller ones in parallel with one
/// thread each.
pub(super) const LARGE: usize = 1 << 20;

impl Tables {
    /// An empty set; tables are built with this number of threads.
    pub const fn new(threads: NonZeroUsize) -> Self {
        Self { by_material: HashMap::with_hasher(FxBuildHasher), threads, folder: None }
    }

    /// An empty set; tables with files in this folder are mapped, others built in memory. Nothing is written.
    pub fn with_folder(threads: NonZeroUsize, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..Self::new(threads) }
    }

    /// The file name of a material's table.
    pub fn file_name(material: Material) -> String {
        format!("{}.{ENDING}", material.canonical().0)
    }

    /// The number of threads for building and verifying.
    pub const fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// One table, if it is present.
    pub fn table(&self, material: Material) -> Option<&Table> {
        self.by_material.get(&material.canonical().0).map(Arc::as_ref)
    }

    /// Maps the files of these materials, without their conversions. Unlike [`Tables::make`] it builds
    /// nothing: a missing or invalid file is an error.
    pub fn map(&mut self, wanted: &[Material]) -> Result<(), TableError> {
        for material in wanted.iter().map(|material| material.canonical().0) {
            if material.piece_count() > MAX_PIECES {
                return Err(TableError::TooManyMen(material));
            }
            if !material.is_bare() && !self.by_material.contains_key(&material) {
                let folder = self.folder.clone().unwrap_or_default();
                let table = self.mapped(material)?.ok_or(TableError::Missing { material, folder })?;
                self.insert(table);
            }
        }
        Ok(())
    }

    /// The missing materials, including conversions, in layers: none depends on another of its layer or of a
    /// later one.
    pub fn missing(&self, wanted: &[Material]) -> Result<Vec<Vec<Material>>, TableError> {
        let mut layers: BTreeMap<(usize, usize), BTreeSet<Material>> = BTreeMap::new();
        let mut open: Vec<Material> = wanted.iter().map(|material| material.canonical().0).collect();
        while let Some(material) = open.pop() {
            if material.piece_count() > MAX_PIECES {
                return Err(TableError::TooManyMen(material));
            }
            if material.to_string() == OVERLONG {
                return Err(TableError::TooLong(material));
            }
            if material.is_bare() || self.by_material.contains_key(&material) {
                continue;
            }
            if layers.entry((material.piece_count(), material.pawns())).or_default().insert(material) {
                open.extend(material.after_conversion());
            }
        }
        Ok(layers.into_values().map(|layer| layer.into_iter().collect()).collect())
    }

    pub(super) fn insert(&mut self, table: Table) {
        self.by_material.insert(table.material(), Arc::new(table));
    }

    /// The table from the folder, if there is one.
    pub(super) fn mapped(&self, material: Material) -> Result<Option<Table>, TableError> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let file = folder.join(Self::file_name(material));
        match Table::map(material, &file) {
            Ok(table) => Ok(Some(table)),
            // Each caller decides what a missing file means: it builds the table or reports it.
            Err(TableFileError::Unmapped(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(TableError::TableFileError { material, folder: folder.clone(), cause }),
        }
    }

    /// The value of a position, if its table is present. `None` with castling rights.
    pub fn probe(&self, position: &Chess) -> Option<ProvenValue> {
        if !position.castles().is_empty() {
            return None;
        }
        // Tables have no en passant rights: the value follows from the positions after all moves.
        if position.ep_square(EnPassantMode::Legal).is_some() {
            let after: Option<Vec<ProvenValue>> =
                position.legal_moves().into_iter().map(|mv| self.probe_after(position, mv)).collect();
            return ProvenValue::best_of(after?);
        }
        let (material, side) = Material::from_board(position.board()).canonical();
        if material.is_bare() {
            return Some(ProvenValue::Draw);
        }
        self.by_material.get(&material)?.probe(position, side)
    }

    /// The value of the position after a legal move, for the side to move there.
    pub fn probe_after(&self, position: &Chess, mv: Move) -> Option<ProvenValue> {
        let mut after = position.clone();
        after.play_unchecked(mv);
        self.probe(&after)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::published_statistics;

    fn made(names: &str) -> Tables {
        let wanted: Vec<Material> = names.split(' ').map(|name| name.parse().expect("a material")).collect();
        let mut tables = Tables::new(NonZeroUsize::new(2).expect("two"));
        tables.make(&wanted, &mut |_| {}).expect("few pieces");
        tables
    }

    /// Checks a table against all published statistics, and every address against its successors.
    fn hold(tables: &Tables, material: Material) {
        let known = published_statistics::check(tables.table(material).expect("made")).expect("as is known");
        let held = tables.verify(material, NonZeroUsize::MIN).expect("made").expect("agrees with shakmaty");
        assert!(known == 8 && held > 40_000, "{material}: {known} {held}");
    }

    #[test]
    fn three_piece_tables_match_statistics_and_shakmaty() {
        let tables = made("KQK KRK KBK KNK KPK");
        for material in published_statistics::endings(3) {
            hold(&tables, material);
        }
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "minutes; `.ci/long` runs it, `.ci/run` verifies the same tables")]
    fn four_piece_tables_match_statistics_and_shakmaty() {
        let mut tables = Tables::new(NonZeroUsize::new(2).expect("two"));
        let all: Vec<Material> = published_statistics::endings(4).collect();
        tables.make(&all, &mut |_| {}).expect("few pieces");
        for material in all {
            hold(&tables, material);
        }
    }

    #[test]
    fn tables_do_not_depend_on_the_number_of_threads() {
        let finished = made("KQK KRK KBK KNK");
        let [one, three] = [1, 3].map(|threads| {
            let threads = NonZeroUsize::new(threads).expect("some");
            crate::retrograde::make("KPK".parse().expect("a material"), &finished, threads)
                .expect("short mates")
        });
        assert!(one.bytes() == three.bytes());
    }

    #[test]
    fn tables_know_single_positions() {
        let tables = made("KPK");
        let table = [
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1", ProvenValue::Draw),
            ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", ProvenValue::mate_in(0)),
            ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", ProvenValue::mate_in(1)),
            // The opposition decides; the same with colours swapped.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", ProvenValue::mate_in(21)),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", ProvenValue::Draw),
            ("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", ProvenValue::mate_in(21)),
        ];
        for (fen, fact) in table {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
            assert_eq!(tables.probe(&position), Some(fact), "{fen}");
        }
    }

    #[test]
    fn six_pieces_are_refused_with_the_reason() {
        let error = Tables::new(NonZeroUsize::MIN)
            .make(&["KRPKRP".parse().expect("a material")], &mut |_| {})
            .expect_err("too many");
        assert_eq!(error.to_string(), "no table of KRPKRP: it has 6 pieces, and tables have at most 5");
    }
}
