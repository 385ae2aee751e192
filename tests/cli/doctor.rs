//! `doctor`, and the short form of it before a match.

use super::sandbox::Sandbox;

#[test]
fn the_machine_is_described_and_a_busy_engine_is_named() {
    let sandbox = Sandbox::new();
    sandbox.engine("calm", "");
    // It computes while it waits.
    sandbox.script(
        "busy",
        "(while :; do :; done) &\nwhile read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
         quit) kill $!; exit;;\nesac; done\n",
    );
    let words = "doctor -j 1 --seconds 1 --json --engine sh+busy.sh,name=busy --engine sh+calm.sh,name=calm";
    let words: Vec<String> = words.split(' ').map(|word| word.replace('+', " ")).collect();
    let output = sandbox.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.code, Some(1), "{}{}", output.out, output.err);
    let report: serde_json::Value = serde_json::from_str(output.out.trim()).expect("one object");
    assert!(
        report["cores"].as_u64() >= Some(1) && report["recommended"]["games_at_a_time"].as_u64() >= Some(1)
    );
    let delay = |name: &str| report["wakeup_delay_us"][name].as_f64().expect("a time");
    assert!(delay("p50") <= delay("p99") && delay("p99") <= delay("max"), "{report}");
    let share = |index: usize| report["waiting_engines"][index]["cpu_share"].as_f64();
    if let (Some(busy), Some(calm)) = (share(0), share(1)) {
        assert!(busy > 0.02 && calm < 0.02, "{report}");
        assert!(report["warnings"].to_string().contains("busy uses"), "{report}");
        assert!(!report["warnings"].to_string().contains("calm uses"), "{report}");
    }
}

#[test]
fn absent_engine_has_the_exit_code_of_engine_faults() {
    let output = Sandbox::new().run("doctor --seconds 1 --engine ./nope");
    assert_eq!((output.code, output.out.as_str()), (Some(3), ""), "{}", output.err);
}

#[test]
fn more_games_than_cores_are_warned_of() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("doctor -j 512 --seconds 1");
    assert_eq!(output.code, Some(1), "{}", output.out);
    assert!(
        output
            .out
            .contains("warning: 512 games at a time with 1 thinking thread per game need more than the"),
        "{}",
        output.out
    );
    let words = "match --engine echo,name=A --engine echo,name=B --tc 0.1+0.01 --games 600 --maxmoves 1 -j 512 --machine-check 1";
    let output = sandbox.run(&words.replace("--games 600", "--games 2"));
    assert!(
        !output.err.contains("512 games"),
        "a match of two games plays no more at a time: {}",
        output.err
    );
    let output = sandbox.run(
        "match --engine echo,name=A --engine echo,name=B --nodes 10 --games 2 -j 512 --maxmoves 1 --force",
    );
    assert!(!output.err.contains("games at a time"), "no clock, no warning: {}", output.err);
}

#[test]
fn each_game_runs_on_a_cpu_of_its_own() {
    let sandbox = Sandbox::new();
    // It reports on which CPUs it may run.
    sandbox.engine(
        "where",
        "ucinewgame) grep Cpus_allowed_list /proc/$$/status >> cpus;;\ngo*) echo bestmove 0000;;",
    );
    let words = "match --engine sh+where.sh,name=A --engine sh+where.sh,name=B --nodes 1 --games 2 -j 1 --max-faults 9 --affinity";
    let words: Vec<String> = words.split(' ').map(|word| word.replace('+', " ")).collect();
    let output = sandbox.run_words(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(output.code, Some(0), "{}{}", output.out, output.err);
    if std::path::Path::new("/proc/self/status").exists() {
        let text = sandbox.read("cpus");
        let lists: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
        assert!(
            lists.len() >= 2 && lists.iter().all(|list| list.parse::<usize>().is_ok()),
            "one CPU each: {text}"
        );
    }
    let refused = |words: &str, cause: &str| {
        let output = sandbox
            .run(&format!("match --engine echo,name=A --engine echo,name=B --nodes 1 --games 2 {words}"));
        assert_eq!(output.code, Some(2), "{}", output.out);
        assert!(output.err.contains(cause), "{}", output.err);
    };
    refused("-j 1 --affinity 99999", "this process may not use CPU 99999");
    refused("-j 1 --affinity x", "give CPUs by number, such as 0-3,8");
    refused("-j 1 --each Threads=2 --affinity", "--affinity gives each game one CPU, and A has Threads=2");
}
