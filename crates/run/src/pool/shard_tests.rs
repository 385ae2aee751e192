//! A run that is divided into shards and merged is the run of one machine.

use std::path::{Path, PathBuf};

use super::tests::{NOW, counted, real_order, run, workers};
use super::*;
use crate::fault_budget::{FaultBudget, FaultLimit};
use crate::merge::Shards;
use crate::run_record::RunRecord;
use threefold_player::ScriptedPlayer;

/// Does a shard of a run, in a file of its own, and returns the status.
fn do_shard(file: &Path, spec: RunSpec, shard: &str, launch: &LaunchFn<'_>) -> RunStatus {
    let spec = RunSpec { shard: Some(shard.parse().expect("a shard")), ..spec };
    let mut journal = Journal::create(file, &spec, NOW).expect("a new file");
    let config = PoolConfig { launch, ..PoolConfig::new(workers(2), Stop::default()) };
    run(&mut journal, &config, &mut |_| {}).expect("no trouble")
}

/// A player that crashes in each search.
fn crashing() -> Box<dyn Player> {
    let ended = || EngineFault::Ended {
        status: "exit status: 1".to_owned(),
        task: "searching".to_owned(),
        last_output: String::new(),
    };
    Box::new(ScriptedPlayer::new("Crashing", move |_| Err(ended())))
}

/// The journals of the shards of a run.
fn shards(folder: &Path, count: usize) -> Vec<PathBuf> {
    (1..=count)
        .map(|number| {
            let file = folder.join(format!("{number}-of-{count}.sqlite"));
            let status =
                do_shard(&file, real_order(), &format!("{number}/{count}"), &threefold_player::launch);
            assert_eq!(status, RunStatus::ShardFinished);
            file
        })
        .collect()
}

/// The journal of the merged run.
fn merged(files: &[PathBuf]) -> Journal {
    let shards = Shards::read(files).expect("all shards");
    shards.check_builds().expect("one program");
    let mut journal = Journal::in_memory(shards.spec().expect("a shard"), NOW).expect("memory");
    shards.add_to(&mut journal).expect("memory");
    journal
}

#[test]
fn merged_shards_equal_a_run_on_one_machine() {
    let mut whole = Journal::in_memory(real_order(), NOW).expect("memory");
    run(&mut whole, &PoolConfig::new(workers(2), Stop::default()), &mut |_| {}).expect("no trouble");
    let folder = tempfile::tempdir().expect("a folder");
    for count in [1, 2, 4] {
        let mut files = shards(folder.path(), count);
        let results = files.iter().map(|file| RunRecord::read(file).expect("sound"));
        let results: Vec<usize> =
            results.map(|run| run.parts().iter().map(|part| part.progress.ended).sum()).collect();
        assert!(results.iter().all(|&results| count == 4 || results > 0), "{results:?}");
        // Their order does not matter.
        files.reverse();
        let mut journal = merged(&files);
        assert_eq!(journal.results(), results.iter().sum::<usize>());
        let status = run(&mut journal, &PoolConfig::new(workers(1), Stop::default()), &mut |event| {
            assert!(!matches!(event, RunEvent::JobStarted { .. }), "all jobs are done");
        });
        assert_eq!(status.expect("no trouble"), RunStatus::Finished);
        assert_eq!(counted(&journal), counted(&whole), "{count} shards");
    }
}

#[test]
fn journals_that_are_not_all_shards_of_one_run_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let files = shards(folder.path(), 2);
    let [first, second] = &files[..] else { panic!("two shards") };
    drop(Journal::create(&path("whole.sqlite"), &real_order(), NOW).expect("a new file"));
    let open = RunSpec { shard: "2/2".parse().ok(), ..real_order() };
    drop(Journal::create(&path("open.sqlite"), &open, NOW).expect("a new file"));
    let seeded = RunSpec { seed: 2, ..real_order() };
    do_shard(&path("seeded.sqlite"), seeded, "2/2", &threefold_player::launch);
    let tolerant = RunSpec { max_faults: Some(FaultBudget::SUITE), ..real_order() };
    do_shard(&path("tolerant.sqlite"), tolerant, "2/2", &threefold_player::launch);
    do_shard(&path("third.sqlite"), real_order(), "2/3", &threefold_player::launch);
    let table: [(Vec<PathBuf>, &str); 7] = [
        (vec![first.clone()], "shard 2/2 is missing; give the journals of all shards"),
        (vec![first.clone(), second.clone(), first.clone()], "is shard 1/2, as "),
        (vec![first.clone(), path("whole.sqlite")], "is no shard of a run"),
        (vec![first.clone(), path("open.sqlite")], "shard 2/2 is not finished; continue it with"),
        (vec![first.clone(), path("seeded.sqlite")], "its seed is 1, not 2"),
        (vec![first.clone(), path("tolerant.sqlite")], "its baseline, fault limit or rules are others"),
        (vec![first.clone(), path("third.sqlite")], "it is divided into 3 shards, not 2"),
    ];
    for (files, expected) in table {
        let error = Shards::read(&files).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a program of the test")]
fn shards_of_different_programs_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = folder.path().join("engine");
    std::fs::write(&engine, "first").expect("room on the disk");
    let mut spec = real_order();
    spec.parts.truncate(1);
    let Task::Suite(suite) = &mut spec.parts[0].task else { panic!("a suite") };
    suite.engine = format!("{},name=Own", engine.display()).parse().expect("sound");
    let launch = |_: &EngineSpec, _: &LaunchOptions| Ok(crashing());
    let files = ["1/2", "2/2"].map(|shard| {
        let file = folder.path().join(shard.replace('/', "-"));
        do_shard(&file, spec.clone(), shard, &launch);
        std::fs::write(&engine, "second").expect("room on the disk");
        file
    });
    let shards = Shards::read(&files).expect("all shards");
    let error = shards.check_builds().expect_err("two programs").to_string();
    assert!(
        error.contains("is another build than in") && error.contains("--allow-changed-engine"),
        "{error}"
    );
}

#[test]
fn shard_with_too_many_faults_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut spec = real_order();
    spec.max_faults = Some(FaultBudget::uniform(FaultLimit::Count(0)));
    let launch = |spec: &EngineSpec, options: &LaunchOptions| {
        if spec.name == "Echo" { Ok(crashing()) } else { threefold_player::launch(spec, options) }
    };
    let files: Vec<PathBuf> = ["1/2", "2/2"]
        .iter()
        .map(|shard| {
            let file = folder.path().join(shard.replace('/', "-"));
            assert_eq!(do_shard(&file, spec.clone(), shard, &launch), RunStatus::ShardFinished);
            let shard = RunRecord::read(&file).expect("sound");
            assert!(shard.has_stopped_shard());
            let later: usize = shard.parts()[1..].iter().map(|part| part.progress.ended).sum();
            assert!(later <= 1, "of later parts, only what the other worker had begun is done: {later}");
            file
        })
        .collect();
    let run = RunRecord::from_journal(&merged(&files)).expect("sound");
    assert!(run.is_done() && run.is_stopped_by_faults());
}
