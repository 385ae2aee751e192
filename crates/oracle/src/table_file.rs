//! The binary form of a table, identical in memory and in a file.
//!
//! ```text
//!   0  magic "3foldDTM"
//!   8  version, u32
//!  12  material, 16 bytes of ASCII, padded with zeros
//!  28  addresses, u64
//!  36  XXH3-64 of all bytes except these 8, u64
//!  44  number of values in White's half, u16; in Black's, u16
//!  48  White's values, 256 bytes; Black's values, 256 bytes; unused ones are 255
//! 560  White's half, then Black's: for each address the index of its value, with the smallest bit width,
//!      lowest bit first; each half is padded to whole bytes
//!   …  a zero byte, so that every entry can be read as two bytes
//! ```
//!
//! Integers are little-endian. Each half is packed separately because it has about half of the values: one
//! side mates in odd numbers of plies, the other is mated in even ones. Reading an entry takes two look-ups.

use std::io;
use std::ops::Deref;
use std::path::Path;

use shakmaty::Color;
use xxhash_rust::xxh3::Xxh3Default;

use super::entry::TableEntry;
use super::index::PositionIndex;
use super::mapped_file::Mapped;
use super::material::Material;

/// The format version; no other version is read.
pub const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"3foldDTM";
const NAME: std::ops::Range<usize> = 12..28;
const CHECKSUM: std::ops::Range<usize> = 36..44;
const NUMBERS: usize = 44;
const VALUES: usize = 48;
const BODY: usize = VALUES + 2 * 256;

/// Why bytes are not a table of a material.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    /// The file can't be opened or mapped.
    #[error("can't be mapped: {0}")]
    Unmapped(#[from] io::Error),
    /// Not a table file.
    #[error("is not a table of this program: its first bytes are wrong")]
    Foreign,
    /// Another format version.
    #[error("has format version {found}; this program reads version {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// The table of another material.
    #[error("is the table of {found}, not of {wanted}")]
    Material {
        /// The material in the file, as text.
        found: String,
        /// The expected material.
        wanted: Material,
    },
    /// The length does not match the header.
    #[error("has {found} bytes and should have {wanted}: it is truncated or damaged")]
    Length {
        /// The length in bytes.
        found: usize,
        /// The length by the header.
        wanted: usize,
    },
    /// The checksum does not match.
    #[error("is damaged: its checksum is wrong")]
    Checksum,
}

/// The half of a table for one side to move.
#[derive(Debug, Clone)]
struct Half {
    /// The offset of its entries.
    start: usize,
    /// Bits per entry.
    width: usize,
    /// The values by index.
    values: [TableEntry; 256],
    /// The number of values that occur.
    number: usize,
}

/// The storage of the bytes.
#[derive(Debug)]
enum Bytes {
    Made(Vec<u8>),
    Mapped(Mapped),
}

/// The validated bytes of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    bytes: Bytes,
    /// Addresses per half.
    half: usize,
    halves: [Half; 2],
}

/// The values that occur in a half, in ascending order.
pub(super) struct ValueSet(Vec<u8>);

impl ValueSet {
    /// From flags of the values that occur.
    pub(super) fn met(met: &[bool; 256]) -> Self {
        Self((0..=u8::MAX).filter(|&value| met[usize::from(value)]).collect())
    }

    /// Bits per entry.
    pub(super) fn width(&self) -> usize {
        width(self.0.len())
    }

    /// The index of each value.
    pub(super) fn numbers(&self) -> [u8; 256] {
        let mut numbers = [0; 256];
        for (number, &value) in self.0.iter().enumerate() {
            numbers[usize::from(value)] = number as u8;
        }
        numbers
    }
}

/// Bits needed for this number of values.
const fn width(values: usize) -> usize {
    if values <= 1 { 0 } else { (values - 1).ilog2() as usize + 1 }
}

impl TableFile {
    /// Assembles a table from the values of its halves; `pack` appends the entries of each half.
    pub(super) fn new(
        material: Material,
        layout: &PositionIndex,
        values: &[ValueSet; 2],
        mut pack: impl FnMut(Color, &ValueSet, &mut Vec<u8>),
    ) -> Self {
        let half = layout.addresses() / 2;
        // A half has a multiple of eight addresses, so it fills whole bytes.
        let packed: usize = values.iter().map(|values| half / 8 * values.width()).sum();
        let mut bytes = Vec::with_capacity(BODY + packed + 1);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let mut name = material.to_string().into_bytes();
        name.resize(NAME.len(), 0);
        bytes.extend(name);
        bytes.extend((layout.addresses() as u64).to_le_bytes());
        bytes.extend([0; CHECKSUM.end - CHECKSUM.start]);
        for values in values {
            bytes.extend((values.0.len() as u16).to_le_bytes());
        }
        for values in values {
            let mut listed = values.0.clone();
            listed.resize(256, u8::MAX);
            bytes.extend(listed);
        }
        for (turn, values) in Color::ALL.into_iter().zip(values) {
            pack(turn, values, &mut bytes);
        }
        bytes.push(0);
        let sum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        Self::parse(material, layout, Bytes::Made(bytes)).expect("what was just written is sound")
    }

    /// Maps a file and validates that it is the table of this material.
    pub(super) fn map(
        material: Material,
        layout: &PositionIndex,
        file: &Path,
    ) -> Result<Self, TableFileError> {
        Self::parse(material, layout, Bytes::Mapped(Mapped::open(file)?))
    }

    fn parse(material: Material, layout: &PositionIndex, bytes: Bytes) -> Result<Self, TableFileError> {
        let all: &[u8] = &bytes;
        if !all.starts_with(&MAGIC) {
            return Err(TableFileError::Foreign);
        }
        // After the magic: a short file of another kind is foreign and not truncated.
        if all.len() < BODY {
            return Err(TableFileError::Length { found: all.len(), wanted: BODY });
        }
        let version = u32::from_le_bytes(array(all, MAGIC.len()));
        if version != VERSION {
            return Err(TableFileError::Version { found: version });
        }
        let found = String::from_utf8_lossy(&all[NAME]).trim_end_matches('\0').to_owned();
        if found != material.to_string() {
            return Err(TableFileError::Material { found, wanted: material });
        }
        let half = layout.addresses() / 2;
        let mut start = BODY;
        let halves = [0, 1].map(|side| {
            let number = usize::from(u16::from_le_bytes(array(all, NUMBERS + 2 * side)));
            let listed: [u8; 256] = array(all, VALUES + 256 * side);
            let half_read =
                Half { start, width: width(number), values: listed.map(TableEntry::from_byte), number };
            start += half / 8 * half_read.width;
            half_read
        });
        if all.len() != start + 1 {
            return Err(TableFileError::Length { found: all.len(), wanted: start + 1 });
        }
        let claimed = u64::from_le_bytes(array(all, CHECKSUM.start));
        let addresses = u64::from_le_bytes(array(all, NAME.end));
        // With a matching checksum the sizes can differ only in a file made by hand.
        if claimed != checksum(all)
            || addresses != layout.addresses() as u64
            || halves.iter().any(Half::overfull)
        {
            return Err(TableFileError::Checksum);
        }
        Ok(Self { bytes, half, halves })
    }

    /// The entry at a valid address.
    #[inline]
    pub(super) fn entry(&self, address: usize) -> TableEntry {
        let black = usize::from(address >= self.half);
        let half = &self.halves[black];
        let bit = (address - black * self.half) * half.width;
        let at = half.start + bit / 8;
        let bytes: &[u8] = &self.bytes;
        let both = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        half.values[usize::from(both >> (bit % 8)) & ((1 << half.width) - 1)]
    }

    /// The values that occur with this side to move.
    pub(super) fn values(&self, turn: Color) -> &[TableEntry] {
        let half = &self.halves[usize::from(turn.is_black())];
        &half.values[..half.number]
    }

    /// Addresses per half.
    pub(super) const fn half(&self) -> usize {
        self.half
    }

    /// The contents of its file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Half {
    /// Whether there are more values than a byte can index.
    const fn overfull(&self) -> bool {
        self.number > 256
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Made(bytes) => bytes,
            Self::Mapped(mapped) => mapped,
        }
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Xxh3Default::new();
    sum.update(&bytes[..CHECKSUM.start]);
    sum.update(&bytes[CHECKSUM.end..]);
    sum.digest()
}

#[cfg(test)]
impl TableFile {
    /// A copy with another value at one address and a valid checksum, for tests.
    pub(super) fn with(
        &self,
        material: Material,
        layout: &PositionIndex,
        address: usize,
        entry: TableEntry,
    ) -> Self {
        let black = usize::from(address >= self.half);
        let half = &self.halves[black];
        let number =
            half.values[..half.number].iter().position(|&value| value == entry).expect("a value of the half");
        let mut bytes = self.bytes.to_vec();
        for within in 0..half.width {
            let bit = (address - black * self.half) * half.width + within;
            let byte = &mut bytes[half.start + bit / 8];
            *byte = *byte & !(1 << (bit % 8)) | ((number >> within & 1) as u8) << (bit % 8);
        }
        let sum = checksum(&bytes);
        bytes[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
        Self::parse(material, layout, Bytes::Made(bytes)).expect("sound")
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;
    use crate::tables::Tables;

    static KRK: LazyLock<(Material, PositionIndex, Vec<u8>)> = LazyLock::new(|| {
        let material: Material = "KRK".parse().expect("a material");
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&[material], &mut |_| {}).expect("few pieces");
        (material, PositionIndex::new(material), tables.table(material).expect("made").bytes().to_vec())
    });

    fn krk() -> (Material, PositionIndex, Vec<u8>) {
        KRK.clone()
    }

    type Spoil = fn(&mut Vec<u8>);

    #[test]
    fn table_file_errors_name_the_reason() {
        let (material, layout, bytes) = krk();
        let spoilt: &[(&str, Spoil)] = &[
            ("is not a table of this program", |bytes| bytes.clear()),
            ("is not a table of this program", |bytes| bytes[0] ^= 1),
            ("has 8 bytes and should have 560", |bytes| bytes.truncate(8)),
            ("has format version 2; this program reads version 1", |bytes| bytes[8] = 2),
            ("is the table of KQK, not of KRK", |bytes| bytes[13] = b'Q'),
            ("it is truncated or damaged", |bytes| bytes.truncate(bytes.len() - 1)),
            ("it is truncated or damaged", |bytes| bytes.push(0)),
            ("it is truncated or damaged", |bytes| bytes[NUMBERS] = 200),
            ("its checksum is wrong", |bytes| bytes[28] ^= 1),
            ("its checksum is wrong", |bytes| bytes[CHECKSUM.start] ^= 1),
            ("its checksum is wrong", |bytes| bytes[VALUES] ^= 1),
            ("its checksum is wrong", |bytes| bytes[BODY + 1000] ^= 1),
        ];
        for (reason, spoil) in spoilt {
            let mut bytes = bytes.clone();
            spoil(&mut bytes);
            let error =
                TableFile::parse(material, &layout, Bytes::Made(bytes)).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}");
        }
        assert!(TableFile::parse(material, &layout, Bytes::Made(bytes)).is_ok());
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]

        #[test]
        fn forged_checksum_never_panics(changes in prop::collection::vec((0_usize..1 << 16, any::<u8>()), 1..9)) {
            let (material, layout, mut bytes) = krk();
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            let sum = checksum(&bytes);
            bytes[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
            if let Ok(image) = TableFile::parse(material, &layout, Bytes::Made(bytes)) {
                for address in 0..layout.addresses() {
                    let _ = image.entry(address).fact();
                }
            }
        }
    }
}
