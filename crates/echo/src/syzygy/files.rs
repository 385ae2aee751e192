//! Syzygy table files, through shakmaty-syzygy.

use std::env;

use cozy_chess::{Board, Color, Piece};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, Setup};
use shakmaty_syzygy::{Tablebase, Wdl};

use super::{EndgameTables, TablebaseOutcome};

/// Why folders have no tables, with the remedy.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SyzygyPathError {
    /// A folder cannot be read.
    #[error("folders that can be read ({folder}: {cause})")]
    Unreadable {
        /// The folder as given.
        folder: String,
        /// The system's error.
        cause: String,
    },
    /// The folders have no tables.
    #[error("folders that hold Syzygy tables (.rtbw, .rtbz)")]
    Empty,
}

/// The tables of some folders. Files are opened on the first probe.
pub(crate) struct SyzygyFiles(Tablebase<Chess>);

impl SyzygyFiles {
    /// Opens folders, separated by the system's path separator.
    pub(crate) fn open(folders: &str) -> Result<Self, SyzygyPathError> {
        let mut tables = Tablebase::new();
        let mut found = 0;
        for folder in env::split_paths(folders) {
            found += tables.add_directory(&folder).map_err(|cause| SyzygyPathError::Unreadable {
                folder: folder.display().to_string(),
                cause: cause.to_string(),
            })?;
        }
        if found == 0 { Err(SyzygyPathError::Empty) } else { Ok(Self(tables)) }
    }
}

impl EndgameTables for SyzygyFiles {
    fn max_pieces(&self) -> u32 {
        self.0.max_pieces() as u32
    }

    fn outcome(&self, board: &Board) -> Option<TablebaseOutcome> {
        // A missing or unreadable file leaves the position unknown, and the search continues without it.
        self.0.probe_wdl_after_zeroing(&position(board)?).ok().map(|wdl| match wdl {
            Wdl::Win => TablebaseOutcome::Win,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => TablebaseOutcome::Draw,
            Wdl::Loss => TablebaseOutcome::Loss,
        })
    }

    fn distance(&self, board: &Board) -> Option<i32> {
        self.0.probe_dtz(&position(board)?).ok().map(|distance| distance.ignore_rounding().0)
    }
}

/// The position as a shakmaty position.
fn position(board: &Board) -> Option<Chess> {
    let role = |piece: Piece| Bitboard(board.pieces(piece).0);
    let color = |color: Color| Bitboard(board.colors(color).0);
    let bitboards = shakmaty::Board::try_from_bitboards(
        ByRole {
            pawn: role(Piece::Pawn),
            knight: role(Piece::Knight),
            bishop: role(Piece::Bishop),
            rook: role(Piece::Rook),
            queen: role(Piece::Queen),
            king: role(Piece::King),
        },
        ByColor { black: color(Color::Black), white: color(Color::White) },
    );
    let rank = cozy_chess::Rank::Sixth.relative_to(board.side_to_move());
    let behind = board.en_passant().map(|file| cozy_chess::Square::new(file, rank));
    let setup = Setup {
        board: bitboards.ok()?,
        turn: shakmaty::Color::from_white(board.side_to_move() == Color::White),
        ep_square: behind.map(|square| shakmaty::Square::new(square as u32)),
        halfmoves: u32::from(board.halfmove_clock()),
        // Without castling rights: `covers` excludes positions that have any.
        ..Setup::empty()
    };
    Chess::from_setup(setup, CastlingMode::Chess960).ok()
}
