//! Player names: decodes them and gives each a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::tags;

/// The players of a block, by their names as written.
pub(super) struct PlayerNames<'b> {
    indices: HashMap<&'b [u8], usize, BuildHasherDefault<DefaultHasher>>,
    encodings: Vec<Encoding>,
    /// Recently used names, in slots chosen by length and last letter.
    lately: [(&'b [u8], usize); 64],
}

/// A text encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    /// ISO 8859-1, which the PGN standard of 1994 requires.
    Latin,
}

impl<'b> PlayerNames<'b> {
    pub(super) fn new() -> Self {
        Self { indices: HashMap::default(), encodings: Vec::new(), lately: [(b"", 0); 64] }
    }

    /// The encoding of a player's name.
    pub(super) fn encoding(&self, index: usize) -> Encoding {
        self.encodings[index]
    }

    /// The index of a name, which is not empty.
    pub(super) fn index(&mut self, name: &'b [u8], names: &mut Vec<String>) -> usize {
        // Names recur from game to game, and a comparison is cheaper than a hash.
        let last = name.last().copied().map_or(0, usize::from);
        let place = (last ^ name.len() << 4) % self.lately.len();
        let (known, index) = self.lately[place];
        // An unused slot has an empty name, which no player has.
        if known == name {
            return index;
        }
        let index = *self.indices.entry(name).or_insert_with(|| {
            let (text, encoding) = decoded(&tags::unescaped(name));
            names.push(text);
            self.encodings.push(encoding);
            names.len() - 1
        });
        self.lately[place] = (name, index);
        index
    }
}

/// Decodes text as UTF-8, or else as Latin-1.
pub(super) fn decoded(bytes: &[u8]) -> (String, Encoding) {
    match std::str::from_utf8(bytes.trim_ascii()) {
        Ok(text) => (text.to_owned(), Encoding::Utf8),
        Err(_) => (bytes.trim_ascii().iter().map(|&byte| char::from(byte)).collect(), Encoding::Latin),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BrokenOffGames, FirstTag, IssueKind, scan};

    #[test]
    fn player_names_are_read_as_utf8_or_latin1() {
        let text = b"[White \"M\xfcller\"]\n[Black \"a \\\"b\\\"\"]\n[Result \"1-0\"]\n\n1-0\n\n\
            [White \"M\xc3\xbcller\"]\n[Black \"c\"]\n[Result \"1-0\"]\n\n1-0\n";
        let block_results = scan(text, FirstTag::Any, BrokenOffGames::Ignored);
        assert_eq!(block_results.names, ["Müller", "a \"b\"", "Müller", "c"]);
        assert_eq!(block_results.issues.len(), 1);
        assert_eq!((block_results.issues[0].reason, block_results.games.len()), (IssueKind::Encoding, 2));
    }
}
