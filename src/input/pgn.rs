//! PGN files, parsed in blocks on several threads and returned in order.
//!
//! One thread at a time reads, all of them parse. The result does not depend on the number of threads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};

use threefold_games::packed;
use threefold_games::pgn_results::{
    Block, BlockResults, Blocks, BrokenOffGames, FirstTag, IssueKind, PgnIssue, ScoredBlock, scan,
    scan_scores,
};
use threefold_player::visible::visible;

/// A file's bytes.
type Bytes = Box<dyn Read + Send>;

/// Reads a PGN file (`-` is standard input) and passes the results of its blocks on in order. A read error in
/// the middle of the file becomes a warning of the last block.
///
/// # Errors
/// If the file can't be opened.
pub fn read_blocks(
    path: &Path,
    threads: NonZeroUsize,
    broken_off: BrokenOffGames,
    mut take: impl FnMut(&BlockResults),
) -> anyhow::Result<()> {
    let (mut games, mut lines) = (0, 0);
    scan_in_order(
        path,
        threads,
        |block, head| scan(block, head, broken_off),
        |read| {
            let mut block_results = read.unwrap_or_else(|error| unread_block(&error));
            block_results.shift(games, lines);
            games += block_results.read;
            lines += block_results.lines;
            take(&block_results);
        },
    )
}

/// Reads a PGN file in the same way, with the scores in the comments on the moves.
///
/// # Errors
/// If the file can't be opened.
pub fn read_scores(
    path: &Path,
    threads: NonZeroUsize,
    mut take: impl FnMut(ScoredBlock),
) -> anyhow::Result<()> {
    let (mut games, mut lines) = (0, 0);
    scan_in_order(path, threads, scan_scores, |read| {
        let mut block = read
            .unwrap_or_else(|error| ScoredBlock { results: unread_block(&error), ..ScoredBlock::default() });
        block.results.shift(games, lines);
        games += block.results.read;
        lines += block.results.lines;
        take(block);
    })
}

/// Scans the blocks of a file on several threads, and passes the results on in the order of the file.
fn scan_in_order<T: Send>(
    path: &Path,
    threads: NonZeroUsize,
    scan: impl Fn(&[u8], FirstTag) -> T + Sync,
    mut pass_on: impl FnMut(io::Result<T>),
) -> anyhow::Result<()> {
    let open_error = |error: io::Error| match error.kind() {
        // The file was read, but it cannot be decompressed.
        io::ErrorKind::Other => anyhow::anyhow!("{}: {error}", path.display()),
        _ => anyhow::Error::new(error).context(format!("{}: can't be read; check the path", path.display())),
    };
    let (source, bar) = open(path).map_err(open_error)?;
    let bytes = packed::stream(Box::new(bar.wrap_read(source))).map_err(open_error)?;
    let shared = Mutex::new(Shared { blocks: Blocks::new(bytes), next: 0 });
    thread::scope(|scope| {
        // Bounded, so that the threads wait if `pass_on` is slower than they are.
        let (sender, receiver) = sync_channel(2 * threads.get());
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let (shared, scan) = (&shared, &scan);
            scope.spawn(move || scan_all(shared, scan, &sender));
        }
        // The loop below ends when the last thread has dropped its sender.
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (number, found) in receiver {
            waiting.insert(number, found);
            while let Some(found) = waiting.remove(&next) {
                next += 1;
                pass_on(found);
            }
        }
    });
    bar.finish_and_clear();
    Ok(())
}

/// The results of a block that could not be read.
fn unread_block(error: &io::Error) -> BlockResults {
    let what = format!("the rest of the file can't be read: {error}; the games before count");
    BlockResults {
        issues: vec![PgnIssue { reason: IssueKind::Unreadable, game: 0, line: 1, what }],
        ..BlockResults::default()
    }
}

/// The reader that the threads share.
struct Shared {
    blocks: Blocks<Bytes>,
    next: u64,
}

fn scan_all<T>(
    shared: &Mutex<Shared>,
    scan: &impl Fn(&[u8], FirstTag) -> T,
    sender: &SyncSender<(u64, io::Result<T>)>,
) {
    let mut block = Block::default();
    loop {
        let (number, head, read) = {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            // Block and number are taken under one lock, so the numbers have the order of the file.
            let read = shared.blocks.next(&mut block);
            shared.next += 1;
            (shared.next - 1, shared.blocks.head(), read)
        };
        let found = match read {
            Ok(true) => Ok(scan(block.text(), head)),
            Ok(false) => return,
            Err(error) => Err(error),
        };
        if sender.send((number, found)).is_err() {
            return;
        }
    }
}

/// Opens a file or standard input, with a progress bar for large files.
fn open(path: &Path) -> io::Result<(Bytes, ProgressBar)> {
    /// Smaller files need no bar.
    const LARGE: u64 = 1 << 28;
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), ProgressBar::hidden()));
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let bar = if length < LARGE { ProgressBar::hidden() } else { ProgressBar::new(length) };
    bar.set_style(
        ProgressStyle::with_template("{prefix} {bar:32.cyan/dim} {bytes}/{total_bytes} {elapsed:>4}")
            .expect("the template is ours"),
    );
    bar.set_prefix(visible(&path.display().to_string()));
    Ok((Box::new(file), bar))
}
