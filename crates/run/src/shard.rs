//! Shards: a run divided among machines that do not communicate, such as the jobs of a CI matrix.
//!
//! With N shards, each has every Nth case of a suite. The games of a match stay in one shard: a test counts
//! them in schedule order, so a part of them does not show when it is decided. [`merge`](crate::merge) adds
//! the results up to one run.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// One of several machines that share a run: `2/4` is the second of four.
///
/// ```
/// use threefold_run::shard::Shard;
///
/// let shard: Shard = "2/4".parse().expect("the second of four");
/// assert_eq!(shard.to_string(), "2/4");
/// assert!("0/4".parse::<Shard>().is_err() && "5/4".parse::<Shard>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// From 1.
    number: NonZeroUsize,
    /// The number of shards.
    count: NonZeroUsize,
}

/// Why a text is no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("give the number of the shard and the number of shards, such as 2/4")]
pub struct ShardError;

impl Shard {
    /// The number of the shard, from 1.
    pub const fn number(self) -> usize {
        self.number.get()
    }

    /// The number of shards.
    pub const fn count(self) -> usize {
        self.count.get()
    }

    /// All shards of the run, this one among them.
    pub fn all(self) -> impl Iterator<Item = Self> {
        (1..=self.count()).filter_map(NonZeroUsize::new).map(move |number| Self { number, ..self })
    }

    /// The cases of a suite that it does. The first case of each part is another shard's, so that suites of
    /// one case are spread, too.
    pub(crate) const fn cases(self, part: usize) -> JobShare {
        let (number, count) = (self.number(), self.count());
        // `count` is added before the subtraction, because the numbers are unsigned.
        JobShare::Every { first: (number - 1 + count - part % count) % count, step: self.count }
    }

    /// The games of a match that it does: all or none.
    pub(crate) const fn games(self, part: usize) -> JobShare {
        if part % self.count() == self.number() - 1 { JobShare::All } else { JobShare::Nothing }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(given: &str) -> Result<Self, ShardError> {
        let (number, count) = given.split_once('/').ok_or(ShardError)?;
        let shard = Self {
            number: number.parse().map_err(|_| ShardError)?,
            count: count.parse().map_err(|_| ShardError)?,
        };
        if shard.number > shard.count { Err(ShardError) } else { Ok(shard) }
    }
}

/// The jobs of a part that a process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobShare {
    /// All of them.
    All,
    /// None of them.
    Nothing,
    /// Every nth one.
    Every {
        /// The index of the first one, less than `step`.
        first: usize,
        /// The distance to the next one.
        step: NonZeroUsize,
    },
}

impl JobShare {
    /// Is this job among them?
    pub const fn has(self, job: usize) -> bool {
        match self {
            Self::All => true,
            Self::Nothing => false,
            Self::Every { first, step } => job % step.get() == first,
        }
    }

    /// The number of them among this number of jobs.
    pub fn count(self, jobs: usize) -> usize {
        match self {
            Self::All => jobs,
            Self::Nothing => 0,
            Self::Every { first, step } => jobs.saturating_sub(first).div_ceil(step.get()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shards(count: usize) -> Vec<Shard> {
        let first: Shard = format!("1/{count}").parse().expect("a shard");
        first.all().collect()
    }

    #[test]
    fn every_job_is_done_by_one_shard() {
        for count in 1..=5 {
            let all = shards(count);
            for part in 0..7 {
                for share in [Shard::cases as fn(Shard, usize) -> JobShare, Shard::games] {
                    let shares: Vec<JobShare> = all.iter().map(|&shard| share(shard, part)).collect();
                    for job in 0..23 {
                        let number = shares.iter().filter(|it| it.has(job)).count();
                        assert_eq!(number, 1, "{count} shards, job {job} of part {part}");
                    }
                    for jobs in 0..23 {
                        let sum: usize = shares.iter().map(|it| it.count(jobs)).sum();
                        assert_eq!(sum, jobs, "{count} shards of part {part}");
                    }
                }
            }
        }
    }

    #[test]
    fn suites_of_one_case_are_spread() {
        let all = shards(3);
        let of_first_case = |part| all.iter().position(|shard| shard.cases(part).has(0));
        assert_eq!([0, 1, 2, 3].map(of_first_case), [0, 1, 2, 0].map(Some));
    }

    #[test]
    fn wrong_shard_is_refused() {
        for given in ["", "1", "/", "0/1", "2/1", "1/0", "-1/2", "1/2/3", "1.5/2", " 1/2", "a/b"] {
            assert_eq!(given.parse::<Shard>(), Err(ShardError), "{given}");
        }
        assert_eq!("3/3".parse::<Shard>().map(|shard| (shard.number(), shard.count())), Ok((3, 3)));
    }
}
