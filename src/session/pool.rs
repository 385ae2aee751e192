//! The workers of a session: how many, and on which CPUs.

use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::Context;

use crate::args::{Affinity, RunOptions};
use crate::machine::cpus::Cpus;
use crate::output::engine_log::EngineLog;
use crate::session::fleet_link;
use crate::session::interrupt::Interruption;
use crate::streams;
use threefold_player::{NoticeSender, SearchTimeout};
use threefold_run::live::LiveJobs;
use threefold_run::pool::{PoolConfig, check_affinity};

/// Maximum number of jobs for each core without --force.
const JOBS_PER_CORE: NonZeroUsize = NonZeroUsize::new(4).expect("not zero");

/// The pool configuration; Ctrl-C ends the run.
pub(super) fn open(run_options: &RunOptions) -> anyhow::Result<PoolConfig<'static>> {
    if run_options.tui {
        anyhow::ensure!(
            fleet_link::workers().is_none(),
            "--tui shows the workers of this process, not those of a fleet; leave it out and give `fleet submit --serve ADDRESS`, \
             or see `fleet status`"
        );
    }
    let Interruption { stop, control } = Interruption::installed()?;
    let mut pool = PoolConfig { control, ..PoolConfig::new(run_options.workers(), stop) };
    pool.remote = fleet_link::workers();
    pool.live = run_options.tui.then(|| Arc::new(LiveJobs::new(pool.workers)));
    if let Some(Affinity::Cpus(list)) = &run_options.affinity {
        pool.cpus = Cpus::present()
            .of_jobs(pool.workers.get(), list)
            .map_err(anyhow::Error::msg)
            .context("--affinity")?;
        check_affinity(&pool.cpus).map_err(|(cpu, error)| {
            anyhow::anyhow!("--affinity: a thread can't be moved to CPU {cpu}: {error}")
        })?;
    }
    pool.launch_options.startup = run_options.startup.unwrap_or(pool.launch_options.startup);
    pool.launch_options.search_timeout =
        run_options.search_timeout.map_or_else(SearchTimeout::default, SearchTimeout::fixed);
    // During the run, the progress display shows the notices.
    pool.launch_options.notices = NoticeSender::to(|notice| streams::notice(&notice.to_string()));
    pool.launch_options.traffic = pool.launch_options.traffic.with_log(EngineLog::places());
    pool.launch_options
        .clock
        .watch(&pool.launch_options.groups)
        .context("can't watch for suspensions of the machine")?;
    Ok(pool)
}

/// With far more jobs than cores, engines wait for each other and lose on time.
pub(super) fn check_jobs(jobs: NonZeroUsize, cores: NonZeroUsize, force: bool) -> anyhow::Result<()> {
    let most = cores.saturating_mul(JOBS_PER_CORE);
    anyhow::ensure!(
        force || jobs <= most,
        "--jobs {jobs}: more than {JOBS_PER_CORE} for each of {cores} cores; give at most {most}, or add --force"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_four_jobs_for_each_core_need_force() {
        let number = |number| NonZeroUsize::new(number).expect("not zero");
        for (jobs, cores, force, is_accepted) in
            [(8, 2, false, true), (9, 2, false, false), (9, 2, true, true), (1_000_000, 64, false, false)]
        {
            let checked = check_jobs(number(jobs), number(cores), force);
            assert_eq!(checked.is_ok(), is_accepted, "{jobs} jobs on {cores} cores");
        }
        let error = check_jobs(number(300), number(2), false).expect_err("too many").to_string();
        assert!(error.ends_with("give at most 8, or add --force"), "{error}");
    }
}
