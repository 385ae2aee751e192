//! `suite --stop-after N`: the run stops at the same case with any number of jobs.

use crate::case_choice::names;
use crate::sandbox::Sandbox;

const ENGINE: &str = "echo,name=Echo,Hash=1";
const SUITES: &str = "suite traps.toml others.toml clocks.toml --nodes 20 --engine";

/// A sandbox with two suites in which cases fail.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.vary("traps.toml", "Traps", "Others", "others.toml");
    sandbox
}

#[test]
fn run_stops_after_a_number_of_failed_cases() {
    let sandbox = sandbox();
    let whole = sandbox.run(&format!("suite traps.toml others.toml --nodes 20 --engine {ENGINE} --json"));
    assert_eq!(whole.code, Some(0), "there is no threshold: {}", whole.err);
    let lines: Vec<&str> = whole.out.lines().collect();
    let failed: Vec<usize> =
        (0..lines.len()).filter(|&line| lines[line].contains("\"verdict\":\"failed\"")).collect();
    let traps = lines.iter().filter(|line| line.contains("\"suite\":\"traps\"")).count();
    assert!(failed.iter().any(|&line| line < traps) && failed.iter().any(|&line| line > traps), "{failed:?}");

    for (number, &last) in failed.iter().enumerate() {
        let (number, expected) = (number + 1, format!("{}\n", lines[..=last].join("\n")));
        for jobs in [1, 4] {
            let stopped = sandbox.run(&format!(
                "{SUITES} {ENGINE} --stop-after {number} -j {jobs} --json --run {number}-{jobs}.sqlite"
            ));
            assert_eq!(
                (stopped.code, &stopped.out),
                (Some(1), &expected),
                "{number}, -j {jobs}: {}",
                stopped.err
            );
        }
    }
    let never = sandbox.run(&format!(
        "suite traps.toml others.toml --nodes 20 --engine {ENGINE} --stop-after 99 --json --run never.sqlite"
    ));
    assert_eq!((never.code, &never.out), (Some(0), &whole.out), "{}", never.err);
}

#[test]
fn stopped_run_says_so_in_every_report_and_stays_stopped() {
    let sandbox = sandbox();
    let stopped = sandbox.run(&format!("{SUITES} {ENGINE} --stop-after 1 --out out --run run.sqlite"));
    assert_eq!(stopped.code, Some(1), "{}", stopped.err);
    let sentence = "The run stopped after 1 failed case (--stop-after); ";
    let reason = "! early stop in traps: stopped after 1 failed case (--stop-after)";
    assert!(stopped.out.contains(sentence) && stopped.out.contains(reason), "{}", stopped.out);
    for file in ["index.html", "summary.md", "junit.xml", "report.json"] {
        assert!(sandbox.read(&format!("out/{file}")).contains("stopped after 1 failed case"), "{file}");
    }
    let resumed = sandbox.run("resume run.sqlite");
    assert_eq!(resumed.code, Some(1), "{}", resumed.err);
    assert!(resumed.out.contains(sentence), "{}", resumed.out);
    assert!(resumed.err.contains("the run is finished"), "{}", resumed.err);
    // What did not run is not failed.
    let again = sandbox.run(&format!("suite traps.toml others.toml --engine {ENGINE} --json --last-failed"));
    assert_eq!(again.code, Some(2), "run.sqlite is not among the journals: {}", again.err);
}

#[test]
fn engine_faults_stop_the_run_by_their_own_limit() {
    let sandbox = Sandbox::new();
    let engine = sandbox.engine("mute", "go*) exit 1;;");
    let run = |more: &str| {
        sandbox.run_words(
            &[&["suite", "mates.toml", "--engine", &engine, "--json"], &*more.split(' ').collect::<Vec<_>>()]
                .concat(),
        )
    };
    let faults = run("--stop-after 2 --run a.sqlite");
    assert_eq!((faults.code, names(&faults).len()), (Some(3), 1), "{}", faults.err);
    let failed = run("--stop-after 2 --max-faults 3 --run b.sqlite");
    assert_eq!((failed.code, names(&failed).len()), (Some(1), 2), "{}", failed.err);
}
