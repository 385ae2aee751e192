//! `watch`: a round after each change of the source, up to the first suite that is worse.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::keyboard::Keyboard;
use crate::sandbox::{DEADLINE, Sandbox, THREEFOLD};

/// A repository with an engine that `make` builds, a plan and a baseline.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.vary("traps.toml", "Traps", "Short traps", "repetition.toml");
    sandbox.write("engine.sh", sound());
    sandbox.write("Makefile", "mine: engine.sh\n\tsh -n engine.sh\n\tcp engine.sh mine && chmod +x mine\n");
    sandbox.write(".gitignore", "mine\nreports\n");
    sandbox.write(
        "threefold.toml",
        "version = 1\ntitle = \"Mine\"\nseed = 1\nengine = \"./mine,name=mine,Hash=1\"\nbuild = \"make\"\n\
         thresholds = \"ignore\"\nsuites = [\"mates.toml\", \"perft.toml\", \"repetition.toml\"]\n",
    );
    sandbox.write(
        "perft.toml",
        "version = 1\nkind = \"perft\"\ntitle = \"Perft\"\npositions = [\"perft.epd\"]\n[limits]\nnodes = 100\n",
    );
    sandbox.write("perft.epd", "8/8/8/8/8/k7/8/K7 w - - 0 1 D1 1; D2 3; id \"corner.1\"; c0 \"corner\";\n");
    let made = sandbox.shell("git init -q . && git add -A . && make -s");
    assert_eq!(made.code, Some(0), "{}", made.err);
    let accepted = sandbox.run("regress --accept");
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    sandbox
}

fn sound() -> String {
    format!("#!/bin/sh\nexec {THREEFOLD} uci\n")
}

/// An engine that ends at the first search.
fn crashing() -> String {
    format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in *nodes*) exit 3;; esac; echo \"$line\"; done | {THREEFOLD} uci\n"
    )
}

/// The standard output of one round, with its exit code.
fn once(sandbox: &Sandbox) -> (Option<i32>, String) {
    let output = sandbox.run("watch --once");
    assert!(output.code != Some(2), "{}{}", output.out, output.err);
    (output.code, output.out)
}

#[test]
fn round_stops_at_the_first_suite_that_is_worse() {
    let sandbox = repository();
    let (code, out) = once(&sandbox);
    assert_eq!(code, Some(0), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("build") && lines[0].ends_with(" s  done"), "{out}");
    assert!(lines[1].starts_with("perft") && lines[1].ends_with(" s  1 of 1 passed"), "{out}");
    assert!(lines[2].starts_with("repetition") && lines[2].contains(" of 8 passed"), "{out}");
    assert_eq!(lines[3..], ["no regression in 9 cases of 2 suites"], "{out}");

    sandbox.write("engine.sh", crashing());
    let (code, out) = once(&sandbox);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("\n  repetition/") && out.ends_with("regression in repetition\n"), "{out}");
    // The whole test loses a case of another suite, which the next rounds ask, too.
    let whole = sandbox.run("regress");
    assert_eq!(whole.code, Some(3), "{}{}", whole.out, whole.err);
    sandbox.write("engine.sh", sound());
    let (code, out) = once(&sandbox);
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("\nlost before ") && out.ends_with("\nno regression in 10 cases of 3 suites\n"),
        "{out}"
    );

    sandbox.write("engine.sh", "if\n");
    let (code, out) = once(&sandbox);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.starts_with("build") && out.contains(" s  failed: exit status: 2\n  "), "{out}");
    assert!(!out.contains("repetition"), "nothing is asked after a failed build: {out}");
}

/// Its benchmark ends once the engine is asked for a leaf count.
#[test]
fn leaves_are_counted_while_the_benchmark_runs() {
    if thread::available_parallelism().is_ok_and(|cores| cores.get() == 1) {
        return;
    }
    let sandbox = repository();
    sandbox.write(
        "engine.sh",
        format!(
            "#!/bin/sh\nif [ \"$1\" = bench ]; then\n  tries=0\n  while [ ! -e counted ] && [ $tries -lt 200 ]; do sleep 0.05; \
             tries=$((tries+1)); done\n  [ -e counted ] && echo 100 nodes 50 nps || echo 7 nodes 50 nps\n  exit\nfi\n\
             while read -r line; do case \"$line\" in *perft*) echo > counted;; esac; echo \"$line\"; done | {THREEFOLD} uci\n"
        ),
    );
    sandbox.vary("threefold.toml", "mates.toml", "builtin:bench", "threefold.toml");
    sandbox.write("counted", "");
    let accepted = sandbox.shell(&format!("make -s && {THREEFOLD} regress --accept && rm counted"));
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    let (code, out) = once(&sandbox);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains(" s  100 nodes, 50 nps\n"), "{out}");
    assert!(out.ends_with("\nno regression in 10 cases of 3 suites\n"), "{out}");
}

#[test]
fn engine_that_does_not_start_is_named_once() {
    let sandbox = repository();
    sandbox.vary("threefold.toml", "mates.toml", "builtin:bench", "threefold.toml");
    let accepted = sandbox.shell(&format!("make -s && {THREEFOLD} regress --accept"));
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    sandbox.write("engine.sh", "#!/bin/sh\necho broken >&2\nexit 1\n");
    let (code, out) = once(&sandbox);
    assert_eq!(code, Some(1), "{out}");
    assert_eq!(out.matches("broken").count(), 1, "{out}");
}

#[test]
fn wrong_set_up_is_refused() {
    let sandbox = Sandbox::new();
    let plan = "version = 1\ntitle = \"T\"\nseed = 1\nengine = \"ENGINE\"\nsuites = [\"SUITE\"]\n";
    let plan = |engine: &str, suite: &str| plan.replace("ENGINE", engine).replace("SUITE", suite);
    sandbox.write("echo.toml", plan("echo", "traps.toml"));
    let engine = sandbox.script("mine", &format!("exec {THREEFOLD} uci"));
    sandbox.write("own.toml", plan(&engine, "traps.toml"));
    let accepted = sandbox.run("regress --plan own.toml --accept --baseline base");
    assert_eq!(accepted.code, Some(0), "{}{}", accepted.out, accepted.err);
    for (words, expected) in [
        ("watch", "threefold.toml: there is no plan; `threefold init` writes one"),
        ("watch --plan echo.toml", "the plan tests Echo, which is built in"),
        ("watch --plan own.toml --once", "there is no baseline to compare with"),
        ("watch --plan own.toml --baseline base --once", "the plan has none of the suites bench, perft"),
    ] {
        let output = sandbox.run(words);
        assert_eq!(output.code, Some(2), "{words}: {}{}", output.out, output.err);
        assert!(output.err.contains(expected), "{words}: {}", output.err);
    }
}

/// Waits until a text has been printed this often.
#[expect(clippy::disallowed_methods, reason = "a test that waits for a process gives up some time")]
fn wait_for(text: &dyn Fn() -> String, expected: &str, times: usize) {
    let began = Instant::now();
    while text().matches(expected).count() < times {
        assert!(began.elapsed() < DEADLINE, "`{expected}` never came {times} times: {}", text());
        thread::sleep(Duration::from_millis(20));
    }
}

fn interrupt(child: &Child) {
    kill(Pid::from_raw(i32::try_from(child.id()).expect("a process")), Signal::SIGINT).expect("it is there");
}

#[test]
fn change_of_a_source_begins_a_round() {
    let sandbox = repository();
    let out = File::create(sandbox.path("out.txt")).expect("a file");
    let mut child = Command::new(THREEFOLD)
        .arg("watch")
        .current_dir(sandbox.path("."))
        .stdin(Stdio::null())
        .stdout(out)
        .spawn()
        .expect("it starts");
    let text = || sandbox.read("out.txt");
    // A new file that appears before this is taken for one that the build wrote.
    wait_for(&text, "waiting for a change\n", 1);
    sandbox.write("engine.sh", format!("{}# changed\n", sound()));
    wait_for(&text, "waiting for a change\n", 2);
    assert!(text().contains("changed: engine.sh\n"), "{}", text());
    sandbox.write("mine.log", "");
    wait_for(&text, "waiting for a change\n", 3);
    assert!(text().contains("changed: mine.log\n"), "{}", text());
    // A file that git ignores begins none.
    sandbox.write("reports/note.txt", "");
    // The build writes a file that git does not track; once it does, the file is a source.
    sandbox.write(
        "Makefile",
        "mine: engine.sh Makefile\n\ttouch made.h\n\tcp engine.sh mine && chmod +x mine\n",
    );
    wait_for(&text, "waiting for a change\n", 4);
    assert!(text().contains("changed: Makefile\n"), "{}", text());
    thread::sleep(Duration::from_secs(1));
    assert_eq!(text().matches("changed: ").count(), 3, "{}", text());
    sandbox.shell("git add made.h");
    wait_for(&text, "waiting for a change\n", 5);
    assert!(text().contains("changed: made.h\n"), "{}", text());
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_eq!(text().matches("changed: ").count(), 4, "{}", text());
}

#[test]
fn keys_on_a_terminal_explain_and_end() {
    let sandbox = repository();
    sandbox.write("engine.sh", crashing());
    let mut keyboard = Keyboard::start(&sandbox, "watch");
    keyboard.wait_for("e: explain repetition/", 1);
    keyboard.press('e');
    keyboard.wait_for("run again", 1);
    keyboard.wait_for("q: quit", 2);
    let text = keyboard.text();
    assert!(text.contains("\x1b[31mregression in repetition\x1b[0m"), "the verdict is red: {text}");
    keyboard.press('q');
    assert_eq!(keyboard.end().0, Some(0));
}
