//! A file that is written game by game during a run, and its checksum.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crc32fast::Hasher;

use threefold_chess::clock::Stop;
use threefold_player::output_file::{self, Target};

/// What separates games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameSeparator {
    /// A blank line, as in PGN.
    BlankLine,
    /// A line feed, as in EPD.
    LineFeed,
}

/// A file that is written game by game.
pub struct GameOutput {
    destination: Destination,
    /// Of the whole file, if it is asked for.
    checksum: Option<Hasher>,
}

/// Where the games go.
enum Destination {
    /// A regular file. `separator` is written before the next game.
    File { file: File, separator: &'static str },
    /// A regular file whose existing games are compared with those of the journal.
    Compared { file: File, separator: &'static str },
    /// A device, a pipe or an open descriptor.
    Stream(File),
    /// Nothing: writing failed, or the wait for a reader was stopped.
    Closed,
}

impl GameOutput {
    /// Opens the destination of a new run. A regular file that the user allowed to replace is truncated.
    pub fn begin(path: &Path, start: u64, between: GameSeparator, stop: &Stop) -> io::Result<Self> {
        // Opening locks the file, so one that another run writes is refused before it is truncated.
        let out = Self::resume(path, start, between, stop)?;
        if let Destination::Compared { file, .. } = &out.destination
            && start == 0
        {
            file.set_len(0)?;
        }
        Ok(out)
    }

    /// Opens the destination without changing its content.
    pub fn resume(path: &Path, start: u64, between: GameSeparator, stop: &Stop) -> io::Result<Self> {
        Ok(Self { destination: Destination::open(path, start, between, stop)?, checksum: None })
    }

    /// From now on, the checksum of the whole file is known. `start` is the size of what was in it before.
    pub fn with_checksum(mut self, path: &Path, start: u64) -> io::Result<Self> {
        let mut checksum = Hasher::new();
        if start > 0 {
            let mut kept = File::open(path)?.take(start);
            let mut buffer = vec![0; 1 << 16];
            loop {
                match kept.read(&mut buffer)? {
                    0 => break,
                    length => checksum.update(&buffer[..length]),
                }
            }
        }
        self.checksum = Some(checksum);
        Ok(self)
    }

    /// The CRC-32 of the file; `None` if it is not asked for, or if the output is closed.
    pub fn checksum(&self) -> Option<u32> {
        let is_closed = matches!(self.destination, Destination::Closed);
        self.checksum.clone().filter(|_| !is_closed).map(Hasher::finalize)
    }

    /// Writes a game, or compares it with the file.
    pub fn write(&mut self, game: &str) -> io::Result<()> {
        let text = match &mut self.destination {
            Destination::File { separator, .. } | Destination::Compared { separator, .. } => {
                format!("{}{game}", mem::take(separator))
            }
            Destination::Stream(_) | Destination::Closed => game.to_owned(),
        };
        if let Some(checksum) = &mut self.checksum {
            checksum.update(text.as_bytes());
        }
        self.destination.write(text.as_bytes())
    }

    /// Ends the comparison after the games of the journal: further games are appended.
    pub fn end_comparison(&mut self) -> io::Result<()> {
        if let Destination::Compared { file, separator } = &mut self.destination {
            // Text after the journal's games is from another program. It is refused, and never cut off.
            if file.read(&mut [0])? > 0 {
                return Err(changed());
            }
            self.destination = Destination::File { file: file.try_clone()?, separator };
        }
        Ok(())
    }

    /// No further game is written.
    pub fn close(&mut self) {
        self.destination = Destination::Closed;
    }
}

impl Destination {
    fn open(path: &Path, start: u64, between: GameSeparator, stop: &Stop) -> io::Result<Self> {
        let target = output_file::target(path)?;
        match &target {
            Target::Regular(_) => {
                let mut file = output_file::open(&target)?;
                match file.try_lock() {
                    Err(TryLockError::WouldBlock) => {
                        return Err(io::Error::other("another run is writing to it"));
                    }
                    // Not every file system has locks.
                    Ok(()) | Err(TryLockError::Error(_)) => {}
                }
                let length = file.metadata()?.len();
                // The file may have become shorter since the run began, or have been removed.
                let start = start.min(length);
                let separator = separator(&mut file, start, between)?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Self::Compared { file, separator })
            }
            Target::Stream(pipe) if output_file::is_fifo(pipe) => open_fifo_when_read(pipe, stop),
            Target::Stream(_) | Target::Stdout | Target::Stderr => {
                Ok(Self::Stream(output_file::open(&target)?))
            }
        }
    }

    fn write(&mut self, game: &[u8]) -> io::Result<()> {
        match self {
            Self::File { file, .. } | Self::Stream(file) => file.write_all(game),
            Self::Compared { file, .. } => {
                let mut existing = Vec::with_capacity(game.len());
                Read::by_ref(file).take(game.len() as u64).read_to_end(&mut existing)?;
                if existing == game {
                    return Ok(());
                }
                if !game.starts_with(&existing) {
                    return Err(changed());
                }
                // The last game of the file is truncated, or the file ends here.
                file.write_all(&game[existing.len()..])?;
                // `game` begins with its separator already.
                *self = Self::File { file: file.try_clone()?, separator: "" };
                Ok(())
            }
            Self::Closed => Ok(()),
        }
    }
}

fn changed() -> io::Error {
    io::Error::other(
        "has changed since this run wrote to it; move it away, and `threefold resume` writes this run's games again",
    )
}

/// What the file lacks before `start` to separate two games.
fn separator(file: &mut File, start: u64, between: GameSeparator) -> io::Result<&'static str> {
    file.seek(SeekFrom::Start(start.saturating_sub(4)))?;
    let mut last = Vec::new();
    Read::by_ref(file).take(start.min(4)).read_to_end(&mut last)?;
    let ends_with = |ends: &[&[u8]]| ends.iter().any(|&end| last.ends_with(end));
    Ok(match () {
        () if last.is_empty() || ends_with(&[b"\n\n", b"\n\r\n"]) => "",
        () if ends_with(&[b"\n"]) && between == GameSeparator::LineFeed => "",
        () if ends_with(&[b"\n"]) || between == GameSeparator::LineFeed => "\n",
        () => "\n\n",
    })
}

/// A named pipe, opened when it has a reader. Opening it earlier would block without a way to interrupt.
fn open_fifo_when_read(pipe: &Path, stop: &Stop) -> io::Result<Destination> {
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    while !stop.is_raised() {
        if let Some(file) = output_file::open_pipe(pipe)? {
            return Ok(Destination::Stream(file));
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(Destination::Closed)
}
