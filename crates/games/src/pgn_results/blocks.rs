//! Cuts a stream of games into blocks of whole games.
//!
//! A block is about a megabyte: it fits a processor's cache, and there are enough blocks for any number of
//! threads. Memory does not grow with the stream.
//!
//! A cut is before a tag that follows a line of moves. If a block has none (a file of tags only), the cut is
//! before the tag `Event`, provided that the file's games begin with it. Otherwise the block grows.

use std::io::{self, Read};

use memchr::{memmem, memrchr};

use super::game_start::{Context, is_tag_line};
use super::tags::{self, FirstTag};
use crate::foreign_text::MARK;

/// Bytes read at a time.
const SIZE: usize = 1 << 20;

/// The largest game, in bytes; real games are smaller by orders of magnitude.
const LIMIT: usize = 1 << 26;

/// A block of whole games. Its buffer is reused without being cleared.
#[derive(Debug, Default)]
pub struct Block {
    bytes: Vec<u8>,
    filled: usize,
}

impl Block {
    /// The bytes read.
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }

    fn fill_with(&mut self, start: &[u8]) {
        self.filled = 0;
        self.room(start.len()).copy_from_slice(start);
        self.filled = start.len();
    }

    /// Returns a buffer of this many bytes after the filled part.
    fn room(&mut self, wanted: usize) -> &mut [u8] {
        let end = self.filled + wanted;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        &mut self.bytes[self.filled..end]
    }
}

/// A stream of games, cut into blocks.
#[derive(Debug)]
pub struct Blocks<R> {
    source: R,
    size: usize,
    head: FirstTag,
    /// Bytes read after the last cut.
    rest: Vec<u8>,
    state: StreamState,
}

#[derive(Debug)]
enum StreamState {
    Beginning,
    Going,
    /// The stream cannot be read further; the next call returns the error.
    Torn(io::Error),
    Ended,
}

impl<R: Read> Blocks<R> {
    /// Blocks of a stream of plain text.
    pub const fn new(source: R) -> Self {
        Self::of_size(source, SIZE)
    }

    const fn of_size(source: R, size: usize) -> Self {
        Self { source, size, head: FirstTag::Any, rest: Vec::new(), state: StreamState::Beginning }
    }

    /// Fills `block` with the next games; returns false, and an empty block, at the end.
    ///
    /// # Errors
    /// If the stream cannot be read further. Everything before that has been returned already.
    pub fn next(&mut self, block: &mut Block) -> io::Result<bool> {
        block.fill_with(&self.rest);
        self.rest.clear();
        if matches!(self.state, StreamState::Beginning) {
            self.read_head(block);
        }
        while matches!(self.state, StreamState::Going) {
            // A block without a cut is searched again as a whole. Doubling it keeps the total time linear.
            let wanted = self.size.max(block.filled);
            self.read(block, wanted);
            if matches!(self.state, StreamState::Going)
                && let Some(cut) = last_border(block.text(), self.head)
            {
                self.rest.extend_from_slice(&block.text()[cut..]);
                block.filled = cut;
                break;
            }
        }
        if block.filled > 0 {
            return Ok(true);
        }
        match std::mem::replace(&mut self.state, StreamState::Ended) {
            StreamState::Torn(error) => Err(error),
            StreamState::Beginning | StreamState::Going | StreamState::Ended => Ok(false),
        }
    }

    /// The first tag of the file's games; known after the first block.
    pub const fn head(&self) -> FirstTag {
        self.head
    }

    /// Appends this many bytes, or fewer at the end of the stream.
    fn read(&mut self, block: &mut Block, wanted: usize) {
        let end = block.filled + wanted;
        while block.filled < end {
            match self.source.read(block.room(end - block.filled)) {
                Ok(0) => {
                    self.state = StreamState::Ended;
                    return;
                }
                Ok(count) => block.filled += count,
                // A signal interrupted the read before any byte was read.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.state = StreamState::Torn(error);
                    return;
                }
            }
        }
        if block.filled > LIMIT {
            let cause = format!("no game ends within {} MiB", LIMIT >> 20);
            self.state = StreamState::Torn(io::Error::new(io::ErrorKind::InvalidData, cause));
        }
    }

    /// Detects the first tag of games, and removes a byte order mark.
    fn read_head(&mut self, block: &mut Block) {
        const ENOUGH: usize = 256;
        self.state = StreamState::Going;
        self.read(block, ENOUGH);
        if let Some(rest) = block.text().strip_prefix(MARK).map(<[u8]>::to_vec) {
            block.fill_with(&rest);
        }
        self.head = FirstTag::from_file_start(block.text());
    }
}

/// The last place to cut a block; never its beginning.
fn last_border(block: &[u8], head: FirstTag) -> Option<usize> {
    memmem::rfind_iter(block, b"\n[")
        .map(|newline| newline + 1)
        .find(|&at| is_tag_line(block, 0, at, Context::MoreFollows) && follows_moves(&block[..at]))
        .or_else(|| match head {
            FirstTag::Event => memmem::rfind_iter(block, tags::EVENT).find(|&at| {
                at > 0 && block[at - 1] == b'\n' && is_tag_line(block, 0, at, Context::MoreFollows)
            }),
            FirstTag::Any => None,
        })
}

/// Is the last non-blank line a line of moves? Then the next tag belongs to another game.
fn follows_moves(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let line = &before[memrchr(b'\n', before).map_or(0, |newline| newline + 1)..];
    !line.is_empty() && !line.starts_with(b"[") && !line.starts_with(b"%")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::block_results::BlockResults;
    use super::super::{BrokenOffGames, scan};
    use super::*;

    /// A stream with a read error.
    struct Breaking<'b>(&'b [u8]);

    impl Read for Breaking<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "torn")),
                count => Ok(count),
            }
        }
    }

    fn cut(text: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut blocks = Blocks::of_size(text, size);
        let mut block = Block::default();
        let mut all = Vec::new();
        while blocks.next(&mut block).expect("memory is read") {
            all.push(block.text().to_vec());
        }
        assert!(!blocks.next(&mut block).expect("memory is read"), "the end stays the end");
        all
    }

    /// All games and issues, read in blocks of this size.
    fn whole(text: &[u8], size: usize) -> (BlockResults, Vec<(String, String)>) {
        let mut sum = BlockResults::default();
        let mut games = Vec::new();
        for block in cut(text, size) {
            let block_results = scan(&block, FirstTag::from_file_start(text), BrokenOffGames::Ignored);
            for game in &block_results.games {
                games
                    .push((block_results.names[game.white].clone(), block_results.names[game.black].clone()));
            }
            sum.issues.extend(block_results.issues.into_iter().map(|mut complaint| {
                complaint.game += sum.read;
                complaint.line += sum.lines;
                complaint
            }));
            sum.read += block_results.read;
            sum.lines += block_results.lines;
        }
        (sum, games)
    }

    #[test]
    fn blocks_begin_at_games() {
        let game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%clk 1]\n[%eval 2]}\n1-0\n\n";
        let text = game.repeat(20);
        let blocks = cut(text.as_bytes(), 100);
        assert!(blocks.len() > 5);
        assert!(blocks.iter().all(|block| block.len() % game.len() == 0), "{blocks:?}");
        assert_eq!(blocks.concat(), text.as_bytes());
        // Tags only: `Event` starts each game.
        let tags = "[Event \"x\"]\n[Result \"1-0\"]\n\n".repeat(200);
        assert!(cut(tags.as_bytes(), 100).len() > 3);
        assert_eq!(cut(b"\xef\xbb\xbf1. e4", 100), [b"1. e4"]);
        assert!(cut(b"", 100).is_empty());
    }

    #[test]
    fn blocks_before_a_read_error_are_returned() {
        for text in ["", "x", "1. e4 e5 1-0\n", "[White \"A\"]\n\n1-0\n[White \"A\"]\n\n1-0\n"] {
            let mut blocks = Blocks::of_size(Breaking(text.as_bytes()), 16);
            let mut block = Block::default();
            let mut read = Vec::new();
            let error = loop {
                match blocks.next(&mut block) {
                    Ok(more) => assert!(more, "{text}: no error"),
                    Err(error) => break error,
                }
                read.extend_from_slice(block.text());
            };
            assert_eq!((read.as_slice(), error.to_string().as_str()), (text.as_bytes(), "torn"));
            assert!(!blocks.next(&mut block).expect("the error is reported once"), "{text}");
        }
    }

    proptest! {
        /// Cutting changes no game, no issue and no line number.
        #[test]
        fn results_do_not_depend_on_block_borders(
            parts in prop::collection::vec(prop::sample::select(vec![
                "[Event \"x\"]\n", "[White \"A\"]\n", "[Black \"B\"]\r\n", "[Result \"1-0\"]\n", "[Round \"1.1\"]\n",
                "[Whi", "[White \"A\n", "\n", "\n", "\n\n", "1. e4 e5\n", "1-0\n", "0-1", " *\n", "{", "}", "% x\n", "words ",
                "[%clk 1]\n", "; ", "(", "[Site \"?\"]\n", "[Round 1]\n", "*[Event \"x\"]\n", "\u{feff}", "[A \"x\"]",
            ]), 0..60),
            size in 1..80_usize,
        ) {
            let text = parts.concat();
            prop_assert_eq!(whole(text.as_bytes(), size), whole(text.as_bytes(), 1 << 16));
        }
    }
}
