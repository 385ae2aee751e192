//! Clients with a worker's credentials that do not act as workers: they cannot decide a test or stop other
//! workers.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::processes::{self, Ended, Fleet, Submitted};
use crate::raw_client::RawClient;
use threefold_fleet::protocol::RunId;
use threefold_fleet::sender::WorkerKey;

/// The documented configuration, in the test's folder.
const CONFIG: &str = include_str!("../../docs/src/fleet/nats-server.conf");
const COMMAND: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 300 --games 20 --maxmoves 40 --openings one.epd -j 2 --out out";

const OPENING: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A server with the documented rights, a run without workers, and a client with a worker's credentials.
struct Scene {
    fleet: Fleet,
    submitted: Submitted,
    client: RawClient,
    run: RunId,
    key: WorkerKey,
}

fn scene() -> Option<Scene> {
    if !processes::is_there() {
        return None;
    }
    let config = CONFIG.replace("0.0.0.0:4222", "127.0.0.1:PORT").replace("/var/lib/nats", "STORE");
    let fleet = Fleet::with_config(Some(&config));
    for folder in ["fleet", "here"] {
        std::fs::create_dir_all(fleet.path(folder)).expect("a writable folder");
        std::fs::write(fleet.path(folder).join("one.epd"), format!("{OPENING}\n")).expect("space");
    }
    let submitted = fleet.submit("fleet", COMMAND);
    // A coordinator may see the subjects.
    let mut owner = RawClient::connect_as(fleet.port(), "coordinator", "COORDINATOR-PASSWORD");
    owner.subscribe("threefold.jobs.*");
    let subject = (0..100).find_map(|_| owner.next()).expect("a job").0;
    let run = subject.rsplit('.').next().expect("a run").parse().expect("an id");
    let client = RawClient::connect_as(fleet.port(), "worker", "WORKER-PASSWORD");
    Some(Scene { fleet, submitted, client, run, key: WorkerKey::new(None).expect("a key") })
}

impl Scene {
    /// Takes a number, as a worker does.
    fn register(&mut self) {
        self.client.publish(&format!("$KV.threefold-numbers.{}", self.key.public()), b"evil");
        // The number must be there before the first message.
        thread::sleep(Duration::from_millis(300));
    }

    /// Takes a message of jobs, as a worker does.
    fn take_jobs(&mut self) -> Vec<Value> {
        self.client.subscribe("_INBOX_worker.evil.*");
        let next = format!("$JS.API.CONSUMER.MSG.NEXT.threefold-jobs.{}", self.run);
        self.client.request(&next, "_INBOX_worker.evil.1", "{\"batch\":1}");
        let packed = (0..100).find_map(|_| self.client.next()).expect("a job").1;
        let job: Value =
            serde_json::from_slice(&zstd::decode_all(packed.as_slice()).expect("compressed")).expect("JSON");
        job["jobs"].as_array().expect("jobs").clone()
    }

    /// A message of these results, as a worker with this name would write it.
    fn packed(&self, name: &str, reports: &[Value]) -> Vec<u8> {
        let message = json!({ "version": 2, "run": self.run.to_string(), "worker": name, "jobs": reports });
        zstd::encode_all(message.to_string().as_bytes(), 3).expect("small")
    }

    /// Sends a message signed with the key of this client.
    fn send(&mut self, packed: &[u8]) {
        let signed = self.key.sign(&self.run, packed).expect("small");
        self.client.publish(&self.run.results_subject(), &signed);
    }

    /// Ends the run with an honest worker, and compares its games with those of one machine.
    fn end(mut self) -> Ended {
        self.fleet.start_worker("");
        let ended = self.submitted.wait();
        assert_eq!(ended.code, Some(0), "{}\n{}", ended.text, self.fleet.text("workers.log"));
        let here = self.fleet.locally("here", COMMAND);
        assert_eq!(here.code, Some(0), "{}", here.text);
        let games = |folder: &str| std::fs::read(self.fleet.path(folder).join("out/games.pgn"));
        assert!(games("fleet").expect("games") == games("here").expect("games"), "the same games");
        ended
    }
}

/// A result without a game.
fn forged(job: &Value, token: &str) -> Value {
    let result = json!({ "game": {
        "players": ["A", "B"],
        "opening": { "fen": OPENING, "moves": "" },
        "outcome": "white", "end": "checkmate", "played": [],
    } });
    json!({ "part": 0, "job": job, "token": token, "result": result.to_string() })
}

#[test]
fn results_of_a_client_without_a_job_are_refused() {
    let Some(mut scene) = scene() else { return };
    // Unsigned, then signed by a key that took no number, then by one that did.
    let all: Vec<Value> = (0..20).map(|job| forged(&json!(job), &"0".repeat(32))).collect();
    let packed = scene.packed("w0", &all);
    scene.client.publish(&scene.run.results_subject(), &packed);
    scene.send(&packed);
    thread::sleep(Duration::from_secs(1));
    scene.register();
    scene.send(&packed);
    thread::sleep(Duration::from_millis(500));
    let ended = scene.end();
    for expected in [
        "it is not signed by a worker for this run",
        "its sender is no worker of this fleet",
        "sent results of jobs that it was not handed",
    ] {
        assert!(ended.text.contains(expected), "lacks `{expected}`: {}", ended.text);
    }
    assert!(!ended.text.contains("quarantine"), "{}", ended.text);
}

#[test]
fn result_without_a_game_puts_its_sender_in_quarantine() {
    let Some(mut scene) = scene() else { return };
    scene.register();
    let jobs = scene.take_jobs();
    let reports: Vec<Value> =
        jobs.iter().map(|job| forged(&job["job"], job["token"].as_str().expect("a token"))).collect();
    let packed = scene.packed("evil", &reports);
    scene.send(&packed);
    thread::sleep(Duration::from_millis(500));
    let ended = scene.end();
    assert!(ended.text.contains("a position in which the game goes on"), "{}", ended.text);
    assert!(ended.text.contains("takes no more results of this worker"), "{}", ended.text);
}

#[test]
fn client_can_not_put_another_worker_in_quarantine() {
    let Some(mut scene) = scene() else { return };
    scene.register();
    let jobs = scene.take_jobs();
    // In the name of the worker that comes later, with a line of its own for the log.
    let error = |job: &Value| {
        let text = "I cannot do this\nfake line\u{1b}[2J";
        json!({ "part": job["part"], "job": job["job"], "token": job["token"], "error": text })
    };
    let reports: Vec<Value> = jobs.iter().map(error).collect();
    let packed = scene.packed("w0", &reports);
    scene.send(&packed);
    thread::sleep(Duration::from_millis(500));
    let log = scene.fleet.path("workers.log");
    let ended = scene.end();
    assert!(ended.text.contains("I cannot do this␊fake line␛[2J"), "{}", ended.text);
    assert!(!ended.text.contains('\u{1b}'), "{}", ended.text);
    let log = std::fs::read_to_string(log).unwrap_or_default();
    assert!(!log.contains("quarantine"), "{log}");
}

#[test]
fn small_messages_that_become_large_are_bounded() {
    const MESSAGES: usize = 30;
    /// Far less than the sum of all messages, which is 1.8 GB.
    const MOST_MEMORY: u64 = 1_000_000;
    let Some(mut scene) = scene() else { return };
    scene.register();
    let jobs = scene.take_jobs();
    let error = "x".repeat(60_000_000);
    let report = json!({
        "part": jobs[0]["part"], "job": jobs[0]["job"], "token": jobs[0]["token"], "error": error,
    });
    let packed = scene.packed("evil", std::slice::from_ref(&report));
    assert!(packed.len() < 20_000, "{}", packed.len());
    for _ in 0..MESSAGES {
        scene.send(&packed);
    }
    scene.fleet.start_worker("");
    let mut most = 0;
    while !scene.submitted.has_ended() {
        most = most.max(scene.submitted.most_memory());
        thread::sleep(Duration::from_millis(20));
    }
    let ended = scene.end();
    assert!(most < MOST_MEMORY, "{most} KiB");
    assert!(ended.text.len() < 100_000, "{} bytes", ended.text.len());
}

#[test]
fn worker_reads_no_answers_to_a_coordinator() {
    let Some(mut scene) = scene() else { return };
    for subject in ["_INBOX.>", "_INBOX_coordinator.>", "threefold.results.*", "threefold.jobs.*", ">"] {
        scene.client.subscribe(subject);
        let refusal = scene.client.error().unwrap_or_default();
        assert!(refusal.contains("Permissions Violation"), "{subject}: {refusal}");
    }
    scene.end();
}
