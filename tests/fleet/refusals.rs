//! What is refused, and that it disturbs nothing else.

use crate::processes::{self, Fleet};
use crate::raw_client::RawClient;

const COMMAND: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 300 --games 20 --maxmoves 40 -j 2 --out out";

#[test]
fn missing_server_is_named() {
    let fleet = Fleet::unstarted();
    for command in
        ["fleet work -j 1", "fleet status", "fleet submit match --engine echo --engine echo,name=B --games 2"]
    {
        let words = command.replacen("fleet work", &format!("fleet work --nats {}", fleet.url()), 1);
        let words = words.replacen("fleet status", &format!("fleet status --nats {}", fleet.url()), 1);
        let words = words.replacen("fleet submit", &format!("fleet submit --nats {}", fleet.url()), 1);
        let ended = fleet.locally("here", &words);
        assert_eq!(ended.code, Some(2), "{}", ended.text);
        assert!(ended.text.contains("no connection to the NATS server"), "{}", ended.text);
        assert!(ended.text.contains("nats-server -js"), "{}", ended.text);
    }
}

#[test]
fn server_without_jetstream_is_named() {
    if !processes::is_there() {
        return;
    }
    let config = "listen: \"127.0.0.1:PORT\"\nauthorization { user: coordinator, password: \"COORDINATOR-PASSWORD\" }\n";
    let fleet = Fleet::with_config(Some(config));
    let ended = fleet.submit("fleet", COMMAND).wait();
    assert_eq!(ended.code, Some(2), "{}", ended.text);
    assert!(ended.text.contains("nats-server -js"), "{}", ended.text);
}

#[test]
fn wrong_credentials_are_refused_and_not_shown() {
    if !processes::is_there() {
        return;
    }
    let config = "listen: \"127.0.0.1:PORT\"\njetstream { store_dir: \"STORE\" }\n\
        authorization { users = [ { user: coordinator, password: right } ] }\n";
    let fleet = Fleet::with_config(Some(config));
    let address = |password: &str| format!("nats://coordinator:{password}@127.0.0.1:{}", fleet.port());
    let wrong = fleet.locally("here", &format!("fleet status --nats {}", address("wrong-secret")));
    assert_eq!(wrong.code, Some(2), "{}", wrong.text);
    assert!(wrong.text.contains("authorization"), "{}", wrong.text);
    assert!(!wrong.text.contains("wrong-secret"), "{}", wrong.text);
    let right = fleet.locally("here", &format!("fleet status --nats {}", address("right")));
    assert!(right.text.contains("the first `fleet submit` creates it"), "{}", right.text);
    let none = fleet.locally("here", &format!("fleet work --nats {} -j 1", fleet.url()));
    assert!(none.code == Some(2) && none.text.contains("authorization"), "{}", none.text);
}

#[test]
fn nkey_and_tls_are_used() {
    // A key for this test alone.
    const SEED: &str = "SUAHLKX3QDT2B72TVULQ6CJBG6ER5X5VCBYZIRXY337MGVGGJWD7LZ6GQQ";
    const KEY: &str = "UDBZMA6XHUTWFMQKAMXJUABJIDCACMFE3NA3ESAPRUV63IZULB6SFB45";
    if !processes::is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let made = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args([
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout",
            &place("key"),
            "-out",
            &place("cert"),
        ])
        .output();
    let made = made.expect("openssl is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (cert, key) = (place("cert"), place("key"));
    let config = format!(
        "listen: \"127.0.0.1:PORT\"\njetstream {{ store_dir: \"STORE\" }}\n\
         tls {{ cert_file: \"{cert}\", key_file: \"{key}\" }}\nauthorization {{ users = [ {{ nkey: {KEY} }} ] }}\n"
    );
    let fleet = Fleet::with_config(Some(&config));
    std::fs::write(place("seed"), SEED).expect("writable");
    let status = |options: &str| {
        fleet.locally("here", &format!("fleet status --nats tls://127.0.0.1:{} {options}", fleet.port()))
    };
    let right = status(&format!("--nkey {} --tls-ca {cert}", place("seed")));
    assert!(right.text.contains("the first `fleet submit` creates it"), "{}", right.text);
    let without_key = status(&format!("--tls-ca {cert}"));
    assert!(without_key.text.contains("authorization violation"), "{}", without_key.text);
    let without_authority = status(&format!("--nkey {}", place("seed")));
    assert!(without_authority.text.contains("certificate"), "{}", without_authority.text);
    assert!([&right, &without_key, &without_authority].iter().all(|ended| !ended.text.contains(SEED)));
}

#[test]
fn documented_rights_of_a_worker_suffice_and_are_few() {
    /// The documented configuration, in the test's folder.
    const CONFIG: &str = include_str!("../../docs/src/fleet/nats-server.conf");
    if !processes::is_there() {
        return;
    }
    let config = CONFIG.replace("0.0.0.0:4222", "127.0.0.1:PORT").replace("/var/lib/nats", "STORE");
    assert!(config.contains("PORT") && config.contains("STORE"));
    let mut fleet = Fleet::with_config(Some(&config));
    fleet.start_worker("");
    fleet.start_worker("");
    let ended = fleet.submit("fleet", COMMAND).wait();
    assert_eq!(
        ended.code,
        Some(0),
        "{}\n{}\n{}",
        ended.text,
        fleet.text("workers.log"),
        fleet.text("server.log")
    );
    assert!(!fleet.text("server.log").contains("Violation"), "{}", fleet.text("server.log"));
    // With a worker's password nothing else can be done.
    let forbidden = [
        "threefold.jobs.0123456789abcdef",
        "$KV.threefold-runs.0123456789abcdef",
        "$KV.threefold-quarantine.0123456789abcdef.w0",
        "$O.threefold-files.C.x",
        "$JS.API.STREAM.CREATE.mine",
        "$JS.API.STREAM.PURGE.threefold-jobs",
        "$JS.API.STREAM.DELETE.threefold-results",
        "$JS.API.CONSUMER.DELETE.threefold-jobs.0123456789abcdef",
        "$JS.API.CONSUMER.CREATE.threefold-results",
        "$JS.API.STREAM.MSG.GET.threefold-results",
    ];
    for subject in forbidden {
        let mut client = RawClient::connect_as(fleet.port(), "worker", "WORKER-PASSWORD");
        client.publish(subject, b"{}");
        let refusal = client.error().expect("a refusal");
        assert!(refusal.contains("Permissions Violation"), "{subject}: {refusal}");
    }
    let ended = fleet.locally("here", &format!("fleet submit --nats {} {COMMAND}", fleet.url_of("worker")));
    assert_eq!(ended.code, Some(2), "{}", ended.text);
}

#[test]
fn foreign_messages_disturb_nothing() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    // More games than are queued while no worker is there, so games remain behind the malformed jobs.
    let submitted = fleet.submit("fleet", &COMMAND.replace("--games 20", "--games 200"));
    let mut client = RawClient::connect(fleet.port());
    client.subscribe("threefold.jobs.*");
    let subject = (0..100).find_map(|_| client.next()).expect("a job").0;
    let results = subject.replace("jobs", "results");
    for payload in [&b""[..], b"{}", b"\x28\xb5\x2f\xfd", &vec![0; 1_000_000]] {
        client.publish(&subject, payload);
        client.publish(&results, payload);
        client.publish("$KV.threefold-runs.0123456789abcdef", payload);
        client.publish("$KV.threefold-workers.w9", payload);
    }
    // Beyond the limit of the server.
    RawClient::connect(fleet.port()).publish_too_much(&results, &vec![0; 2_000_000]);
    fleet.start_worker("");
    let ended = submitted.wait();
    assert_eq!(ended.code, Some(0), "{}\n{}", ended.text, fleet.text("workers.log"));
    assert!(ended.text.contains("a message of results is refused"), "{}", ended.text);
    let log = fleet.text("workers.log");
    assert!(log.contains("a malformed job is removed"), "{log}");
    assert!(log.contains("an entry is ignored"), "{log}");
}

#[test]
fn journal_has_no_secret() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    fleet.start_worker("");
    let url = fleet.url().replace("nats://", "nats://somebody:a-secret@");
    let place = fleet.path("here");
    std::fs::create_dir_all(&place).expect("a writable folder");
    let ended = fleet.locally("here", &format!("fleet submit --nats {url} {COMMAND} --run run.sqlite"));
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    for entry in std::fs::read_dir(&place)
        .expect("a folder")
        .chain(std::fs::read_dir(place.join("out")).expect("reports"))
    {
        let path = entry.expect("readable").path();
        if path.is_file() {
            let bytes = std::fs::read(&path).expect("readable");
            assert!(!String::from_utf8_lossy(&bytes).contains("a-secret"), "{}", path.display());
        }
    }
}
