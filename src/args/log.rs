//! `--log` and its options, and which commands write a log.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tracing::level_filters::LevelFilter;

use super::{Command, FleetCommand, RunOptions};

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
    /// Write the UCI traffic of every engine to this file. A full file (64 MiB of text) is followed by FILE.2, and so on; the
    /// newest four are kept. A name that ends with `.gz` is compressed
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
    /// Write the lines of --log in blocks, which costs less; faults and the end of the run write what is held back
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

impl Command {
    /// Run options of the command; `None` for commands without a run.
    pub const fn run_options(&self) -> Option<&RunOptions> {
        match self {
            Self::Regress(args) => Some(&args.run_options),
            Self::Suite(args) => Some(&args.run_options),
            Self::Match(args) => Some(&args.game.run_options),
            Self::Sprt(args) => Some(&args.game.run_options),
            Self::Calibrate(args) => Some(&args.run_options),
            Self::Resume(args) => Some(&args.run_options),
            Self::Fleet(FleetCommand::Submit(args)) => Some(args.command.run_options()),
            Self::Fleet(
                FleetCommand::Exclude(_)
                | FleetCommand::Remove(_)
                | FleetCommand::Work(_)
                | FleetCommand::Status(_)
                | FleetCommand::Sign(_)
                | FleetCommand::Confine(_),
            )
            | Self::Init(_)
            | Self::Fastchess(_)
            | Self::CutechessCli(_)
            | Self::Plan(_)
            | Self::Rate(_)
            | Self::Report(_)
            | Self::Explain(_)
            | Self::Bundle(_)
            | Self::History(_)
            | Self::Positions(_)
            | Self::Tablebase(_)
            | Self::Uci(_)
            | Self::Bench
            | Self::Perft(_)
            | Self::Completions(_)
            | Self::Doctor(_)
            | Self::Man(_) => None,
        }
    }
}
