//! `-j, --jobs` of the commands that compute on several threads.

use std::num::NonZeroUsize;

use clap::Args;

use super::from_one;
use crate::machine;

/// The number of worker threads.
#[derive(Debug, Clone, Copy, Args)]
pub struct Jobs {
    /// Number of worker threads; the result does not depend on it [default: the number of CPU cores]
    #[arg(long, short = 'j', value_name = "N", aliases = ["threads", "concurrency"], value_parser = from_one::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
}

impl Jobs {
    /// As many as were requested, or one for each core.
    pub fn count(self) -> NonZeroUsize {
        self.jobs.unwrap_or_else(machine::cores)
    }
}
