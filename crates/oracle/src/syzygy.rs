//! Syzygy tables, for comparison with ours.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shakmaty::{Chess, Position};
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase, Wdl as SyzygyWdl};

use super::mapped_file::Mapped;
use super::proven_value::Wdl;

/// Errors of Syzygy tables.
#[derive(Debug, thiserror::Error)]
pub enum SyzygyError {
    /// The folder cannot be read.
    #[error("{}: can't be read as a folder of Syzygy tables: {cause}; check the path", folder.display())]
    Folder {
        /// The path of the folder.
        folder: PathBuf,
        /// The system's error.
        cause: io::Error,
    },
    /// No tables in the folder.
    #[error("{}: holds no Syzygy tables (.rtbw); check the path", .0.display())]
    Empty(PathBuf),
    /// A table is missing or damaged.
    #[error(
        "Syzygy probe failed: {0}; give a folder with the .rtbw files of this ending and of those after captures and promotions"
    )]
    Unanswered(#[from] shakmaty_syzygy::SyzygyError),
}

/// A folder of Syzygy tables.
#[derive(Debug)]
pub struct Syzygy(Tablebase<Chess>);

impl Syzygy {
    /// Opens the folder; tables are mapped on the first probe.
    pub fn open(folder: &Path) -> Result<Self, SyzygyError> {
        Self::open_all([folder.to_owned()])
    }

    /// Opens several folders, each with tables.
    pub fn open_all(folders: impl IntoIterator<Item = PathBuf>) -> Result<Self, SyzygyError> {
        let mut tables = Tablebase::with_filesystem(Arc::new(MappedFiles));
        for folder in folders {
            let found = tables.add_directory(&folder);
            if found.map_err(|cause| SyzygyError::Folder { folder: folder.clone(), cause })? == 0 {
                return Err(SyzygyError::Empty(folder));
            }
        }
        Ok(Self(tables))
    }

    /// A position's result in a game, with its plies since the last capture or pawn move, under the
    /// fifty-move rule. `None` if the tables lack the position, or if they do not decide it: a win needs the
    /// table of distances unless the position follows a capture or pawn move, and some distances are rounded.
    /// Repetitions do not count.
    pub fn result_in_game(&self, position: &Chess) -> Option<Wdl> {
        match self.graded_wdl(position)? {
            -1..=1 => return Some(Wdl::Draw),
            2 if position.halfmoves() == 0 => return Some(Wdl::Win),
            -2 if position.halfmoves() == 0 => return Some(Wdl::Loss),
            _ => {}
        }
        match self.0.probe_wdl(position).ok()? {
            AmbiguousWdl::Win => Some(Wdl::Win),
            AmbiguousWdl::Loss => Some(Wdl::Loss),
            AmbiguousWdl::CursedWin | AmbiguousWdl::Draw | AmbiguousWdl::BlessedLoss => Some(Wdl::Draw),
            AmbiguousWdl::MaybeWin | AmbiguousWdl::MaybeLoss => None,
        }
    }

    /// A position's result without the fifty-move rule: cursed wins count as wins.
    pub fn wdl(&self, position: &Chess) -> Result<Wdl, SyzygyError> {
        Ok(match self.0.probe_wdl_after_zeroing(position)? {
            SyzygyWdl::Win | SyzygyWdl::CursedWin => Wdl::Win,
            SyzygyWdl::Draw => Wdl::Draw,
            SyzygyWdl::BlessedLoss | SyzygyWdl::Loss => Wdl::Loss,
        })
    }
}

impl Syzygy {
    /// A position's result under the fifty-move rule after a capture or pawn move, in Syzygy's numbers: 2 for
    /// a win, 1 for a cursed win, 0 for a draw, -1 for a blessed loss, -2 for a loss. `None` if the tables
    /// lack it.
    pub fn graded_wdl(&self, position: &Chess) -> Option<i8> {
        // A probe may find a winning capture into the tables, although they lack the position itself.
        if position.board().occupied().count() > self.0.max_pieces() {
            return None;
        }
        Some(match self.0.probe_wdl_after_zeroing(position).ok()? {
            SyzygyWdl::Win => 2,
            SyzygyWdl::CursedWin => 1,
            SyzygyWdl::Draw => 0,
            SyzygyWdl::BlessedLoss => -1,
            SyzygyWdl::Loss => -2,
        })
    }
}

/// Opens files as memory maps.
struct MappedFiles;

impl Filesystem for MappedFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let about = fs::metadata(path)?;
        if about.is_file() { Ok(about.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(Mapped::open(path)?))
    }
}

impl RandomAccessFile for Mapped {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
