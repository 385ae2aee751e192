//! `--log` and its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;

/// Content of the engine log; each level includes the levels before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Engine faults
    Error,
    /// The same as `error`
    Warn,
    /// Text that engines write to standard error
    Info,
    /// Commands and replies
    Debug,
    /// `info` lines of searches
    Trace,
}

/// `--log` and its options.
#[derive(Debug, Clone, Args)]
pub struct LogOptions {
    /// Write the UCI traffic of every engine to this file. A full file (64 MiB of text) is followed by
    /// FILE.2, and so on; the newest four are kept. A name that ends with `.gz` is compressed
    #[arg(id = "log", long = "log", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Level of detail of --log
    #[arg(
        id = "log_level",
        long = "log-level",
        value_name = "LEVEL",
        requires = "log",
        default_value = "trace"
    )]
    pub level: LogLevel,
    /// Append to the file of --log instead of replacing it; not for a compressed one
    #[arg(id = "log_append", long = "log-append", requires = "log")]
    pub append: bool,
    /// Write the lines of --log in blocks, which costs less; faults and the end of the run write what is held
    /// back
    #[arg(id = "log_buffered", long = "log-buffered", requires = "log")]
    pub buffered: bool,
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
            LogLevel::Trace => Self::TRACE,
        }
    }
}
