//! Random input: any bytes, changed files of the corpus, and words of the kind.

use proptest::prelude::*;
use proptest::sample::Index;

/// Maximum number of bytes of arbitrary input, and of words of generated input.
const BYTES: usize = 600;
const WORDS: usize = 60;

/// Maximum number of bytes of a mutated input, because duplicated lines and long numbers grow.
const LONGEST: usize = 1 << 16;

/// Numbers at the limits of parsers.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "255",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "1e400",
    "-0",
    "00000000000000000000000000000000000001",
];

/// A mutation of a corpus file.
#[derive(Debug, Clone)]
enum Change {
    FlipBit { at: Index, bit: u8 },
    Replace { at: Index, byte: u8 },
    Truncate { at: Index },
    Remove { at: Index, length: usize },
    Splice { at: Index, other: Index, from: Index, length: usize },
    DuplicateLine { line: Index },
    RemoveLine { line: Index },
    SwapLines { one: Index, other: Index },
    Number { which: Index, number: usize },
    Insert { at: Index, word: Index },
}

fn changes() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        (at(), 0..8_u8).prop_map(|(at, bit)| Change::FlipBit { at, bit }),
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Replace { at, byte }),
        at().prop_map(|at| Change::Truncate { at }),
        (at(), 1..20_usize).prop_map(|(at, length)| Change::Remove { at, length }),
        (at(), at(), at(), 1..200_usize).prop_map(|(at, other, from, length)| Change::Splice {
            at,
            other,
            from,
            length
        }),
        at().prop_map(|line| Change::DuplicateLine { line }),
        at().prop_map(|line| Change::RemoveLine { line }),
        (at(), at()).prop_map(|(one, other)| Change::SwapLines { one, other }),
        (at(), 0..NUMBERS.len()).prop_map(|(which, number)| Change::Number { which, number }),
        (at(), at()).prop_map(|(at, word)| Change::Insert { at, word }),
    ]
}

/// Inputs of a kind from a corpus and words, neither of which is empty.
pub(crate) fn inputs(
    corpus: Vec<Vec<u8>>,
    vocabulary: &'static [&'static str],
) -> impl Strategy<Value = Vec<u8>> {
    let starts = prop::sample::select((0..corpus.len()).collect::<Vec<_>>());
    let changed = (starts, prop::collection::vec(changes(), 1..6)).prop_map(move |(start, changes)| {
        changes.iter().fold(corpus[start].clone(), |mut bytes, change| {
            change.apply(&mut bytes, &corpus, vocabulary);
            bytes.truncate(LONGEST.max(corpus[start].len()));
            bytes
        })
    });
    let word = prop_oneof![
        8 => prop::sample::select(vocabulary).prop_map(str::to_owned),
        1 => prop::sample::select(&NUMBERS[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    let words = prop::collection::vec(word, 0..WORDS).prop_map(|words| words.concat().into_bytes());
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..BYTES),
        4 => changed,
        2 => words,
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>, corpus: &[Vec<u8>], vocabulary: &[&str]) {
        // The end is a position as well.
        let place = |at: &Index, bytes: &[u8]| at.index(bytes.len() + 1);
        match self {
            Self::FlipBit { at, bit } if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << bit;
            }
            Self::Replace { at, byte } if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Self::FlipBit { .. } | Self::Replace { .. } => {}
            Self::Truncate { at } => bytes.truncate(place(at, bytes)),
            Self::Remove { at, length } => {
                let at = place(at, bytes);
                bytes.drain(at..bytes.len().min(at + length));
            }
            Self::Splice { at, other, from, length } => {
                let other = &corpus[other.index(corpus.len())];
                let from = place(from, other);
                let piece = other[from..other.len().min(from + length)].iter().copied();
                let at = place(at, bytes);
                bytes.splice(at..at, piece);
            }
            Self::DuplicateLine { line } => edit_lines(bytes, |lines| {
                let line = line.index(lines.len());
                lines.insert(line, lines[line].clone());
            }),
            Self::RemoveLine { line } => edit_lines(bytes, |lines| {
                lines.remove(line.index(lines.len()));
            }),
            Self::SwapLines { one, other } => edit_lines(bytes, |lines| {
                let (one, other) = (one.index(lines.len()), other.index(lines.len()));
                lines.swap(one, other);
            }),
            Self::Number { which, number } => {
                let digit = |at: &usize| bytes[*at].is_ascii_digit();
                let starts: Vec<usize> =
                    (0..bytes.len()).filter(|at| digit(at) && (*at == 0 || !digit(&(at - 1)))).collect();
                if !starts.is_empty() {
                    let start = starts[which.index(starts.len())];
                    let end = (start..bytes.len()).find(|at| !digit(at)).unwrap_or(bytes.len());
                    bytes.splice(start..end, NUMBERS[*number].bytes());
                }
            }
            Self::Insert { at, word } => {
                let at = place(at, bytes);
                bytes.splice(at..at, vocabulary[word.index(vocabulary.len())].bytes());
            }
        }
    }
}

/// Changes the lines, each with its end. There is one line at least.
fn edit_lines(bytes: &mut Vec<u8>, edit: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if !lines.is_empty() {
        edit(&mut lines);
        *bytes = lines.concat();
    }
}
