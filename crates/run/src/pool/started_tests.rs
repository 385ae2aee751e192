//! The players of the check before the first job play on.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::tests::{NOW, games, run, spec, workers};
use super::*;
use crate::job::Purpose;

#[test]
fn the_processes_that_were_checked_play() {
    // engines, workers, launches
    let table = [(["echo,name=A", "echo,name=B"], 1, 2), (["echo,name=A,restart=on", "echo,name=B"], 1, 5)];
    for (engines, number, expected) in table {
        let parts = vec![games("match", &engines, 2, Purpose::Match)];
        let mut journal = Journal::in_memory(spec(parts), NOW).expect("memory");
        let launches = AtomicUsize::new(0);
        let launch = |spec: &EngineSpec, options: &LaunchOptions| {
            launches.fetch_add(1, Ordering::Relaxed);
            threefold_player::launch(spec, options)
        };
        let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(number), Stop::default()) };
        assert_eq!(run(&mut journal, &config, &mut |_| {}).expect("no trouble"), RunStatus::Finished);
        // With `restart=on` each of four games has a new process, and that of the first was checked.
        assert_eq!(launches.load(Ordering::Relaxed), expected, "{engines:?}");
    }
}
