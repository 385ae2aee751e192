//! `--log-level`, and which commands write a log.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;

use super::{Command, RunOptions};

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
            Self::Init(_)
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
            | Self::BenchRunner(_)
            | Self::InstantEngine(_)
            | Self::Man(_) => None,
        }
    }
}
