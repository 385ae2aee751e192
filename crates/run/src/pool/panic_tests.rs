//! A worker that panics.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::tests::{NOW, games, run, spec, workers};
use super::*;
use crate::job::Purpose;
use threefold_player::{Answer, ScriptedPlayer};

/// Delays the end of a worker that has panicked, as engines do that take time to shut down.
struct SlowEnd;

impl Drop for SlowEnd {
    fn drop(&mut self) {
        if thread::panicking() {
            thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn panic_of_a_worker_loses_no_job_of_the_others_and_ends_the_run() {
    let ended = Arc::new(AtomicUsize::new(0));
    let (alive, end) = channel::<()>();
    let observed = Arc::clone(&ended);
    let pool = thread::spawn(move || {
        let _alive = alive;
        let has_panicked = Arc::new(AtomicBool::new(false));
        let launch = |spec: &EngineSpec, _: &LaunchOptions| -> Result<Box<dyn Player>, EngineFault> {
            let (has_panicked, slow_end) = (Arc::clone(&has_panicked), SlowEnd);
            Ok(Box::new(ScriptedPlayer::new(&spec.name, move |_| {
                let _ = &slow_end;
                assert!(has_panicked.swap(true, Ordering::Relaxed), "the first question");
                Ok(Answer::silent())
            })))
        };
        let config = PoolConfig { launch: &launch, ..PoolConfig::new(workers(2), Stop::default()) };
        let parts = vec![games("match", &["echo,name=A", "echo,name=B"], 4, Purpose::Match)];
        let mut journal = Journal::in_memory(spec(parts), NOW).expect("memory");
        run(&mut journal, &config, &mut |event| {
            if let RunEvent::JobEnded { .. } = event {
                observed.fetch_add(1, Ordering::Relaxed);
            }
        })
    });
    // The other worker keeps the messages open, so a lost job would be waited for forever.
    assert_eq!(end.recv_timeout(Duration::from_mins(1)), Err(RecvTimeoutError::Disconnected));
    assert!(pool.join().is_err(), "the panic is reported");
    assert_eq!(ended.load(Ordering::Relaxed), 8);
}
