//! `--log-level`, and which commands keep a log.

use clap::ValueEnum;
use tracing::level_filters::LevelFilter;

use super::{Carrying, Command};

/// What the log of engines holds; each level holds what is above it as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Engine faults
    Error,
    /// The same: no line of an engine is a warning
    Warn,
    /// What engines write to standard error
    Info,
    /// Commands and answers
    Debug,
    /// The reports of searches (`info …`)
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
    /// How the run of the command is carried out; `None` where it is no run.
    pub const fn carrying(&self) -> Option<&Carrying> {
        match self {
            Self::Regress(args) => Some(&args.carrying),
            Self::Suite(args) => Some(&args.carrying),
            Self::Match(args) => Some(&args.game.carrying),
            Self::Sprt(args) => Some(&args.game.carrying),
            Self::Calibrate(args) => Some(&args.carrying),
            Self::Resume(args) => Some(&args.carrying),
            Self::Plan(_)
            | Self::Rate(_)
            | Self::Report(_)
            | Self::Positions(_)
            | Self::Tablebase(_)
            | Self::Uci(_)
            | Self::Bench
            | Self::Perft(_)
            | Self::Completions(_)
            | Self::Man(_) => None,
        }
    }
}
