//! Users with a JWT and a seed, as `nsc` makes them, at a server in operator mode.
//!
//! The tests need `nats-server`. Without it they are skipped, and fail where `CI` is set.

#![expect(clippy::disallowed_methods, reason = "tests start a server, and read and write files")]

use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::ConnectOptions;
use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use nkeys::KeyPair;
use serde_json::{Value, json};
use sha2::{Digest, Sha512_256};
use tempfile::TempDir;
use threefold_fleet::broker::{Broker, BrokerError, Inbox, ServerOptions};
use threefold_fleet::protocol::WorkerName;
use threefold_fleet::{protocol, status};

/// Time limit of the server's start, far more than needed, so that a hang is a failure.
const DEADLINE: Duration = Duration::from_mins(1);
/// The time at which all tokens were made, in seconds since 1970, and an hour before it.
const MADE: i64 = 1_700_000_000;
const EXPIRED: i64 = MADE - 3_600;

/// A server in operator mode, with an account that has JetStream.
struct Server {
    process: Child,
    url: String,
    account: KeyPair,
    _folder: TempDir,
}

/// The rights of a user.
#[derive(Clone, Copy)]
enum Role {
    Coordinator,
    Worker,
}

impl Server {
    /// A running server; `None` without `nats-server`, whose absence is a failure in CI.
    fn start() -> Option<Self> {
        let found = Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_ok();
        assert!(found || std::env::var_os("CI").is_none(), "nats-server is not installed; CI needs it");
        if !found {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
        let account = KeyPair::new_account();
        let config = folder.path().join("server.conf");
        fs::write(&config, configuration(&free.to_string(), &account, folder.path())).expect("space");
        let log = folder.path().join("log");
        let process = Command::new("nats-server")
            .arg("-c")
            .arg(&config)
            .stdout(Stdio::null())
            .stderr(File::create(&log).expect("a writable folder"))
            .spawn()
            .expect("nats-server starts");
        let server = Self { process, url: format!("nats://{free}"), account, _folder: folder };
        let begun = Instant::now();
        while TcpStream::connect(free).is_err() {
            let log = || fs::read_to_string(&log).unwrap_or_default();
            assert!(begun.elapsed() < DEADLINE, "the server does not listen: {}", log());
            thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    fn connect(&self, credentials: Option<&str>, inbox: &Inbox) -> Result<Broker, BrokerError> {
        let credentials = credentials.map(str::to_owned);
        Broker::connect(
            &ServerOptions { url: self.url.clone(), credentials, ..ServerOptions::default() },
            "test",
            inbox,
        )
    }

    /// The credentials of a new user of the account.
    fn credentials(&self, role: Role) -> String {
        let user = KeyPair::new_user();
        credentials(&user_token(&self.account, &user, role, None), &user)
    }

    fn user(&self, role: Role) -> Broker {
        let inbox = match role {
            Role::Coordinator => Inbox::Coordinator,
            Role::Worker => Inbox::Worker(WorkerName::near("w")),
        };
        self.connect(Some(&self.credentials(role)), &inbox).expect("a user of the account")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// The configuration of a server, with a new operator and a system account. JetStream needs the latter.
fn configuration(address: &str, account: &KeyPair, folder: &Path) -> String {
    let (operator, system) = (KeyPair::new_operator(), KeyPair::new_account());
    let (account_key, system_key) = (account.public_key(), system.public_key());
    let of_operator = token(
        &operator,
        &operator.public_key(),
        None,
        json!({ "system_account": system_key, "type": "operator", "version": 2 }),
    );
    let unlimited = ["subs", "data", "payload", "imports", "exports", "conn", "leaf"];
    let mut limits: Value = unlimited.iter().map(|&limit| (limit.to_owned(), json!(-1))).collect();
    let of_account = |limits: &Value| json!({ "limits": limits, "type": "account", "version": 2 });
    let of_system = token(&operator, &system_key, None, of_account(&limits));
    for limit in ["mem_storage", "disk_storage", "streams", "consumer"] {
        limits[limit] = json!(-1);
    }
    let of_account = token(&operator, &account_key, None, of_account(&limits));
    let store = folder.join("store").display().to_string();
    format!(
        r#"listen: "{address}"
operator: "{of_operator}"
system_account: "{system_key}"
resolver: MEMORY
resolver_preload: {{
  {account_key}: "{of_account}"
  {system_key}: "{of_system}"
}}
jetstream {{ store_dir: "{store}" }}
"#
    )
}

/// A JWT of version 2 for the key `subject`: <https://github.com/nats-io/jwt>.
fn token(issuer: &KeyPair, subject: &str, expires: Option<i64>, rights: Value) -> String {
    let mut claims = json!({ "iat": MADE, "iss": issuer.public_key(), "name": "a test", "sub": subject });
    if let Some(expires) = expires {
        claims["exp"] = json!(expires);
    }
    claims["jti"] = json!(BASE32_NOPAD.encode(&Sha512_256::digest(claims.to_string())));
    claims["nats"] = rights;
    let header = json!({ "typ": "JWT", "alg": "ed25519-nkey" });
    let encode = |part: &Value| BASE64URL_NOPAD.encode(part.to_string().as_bytes());
    let signed = format!("{}.{}", encode(&header), encode(&claims));
    let signature = issuer.sign(signed.as_bytes()).expect("a key with its seed");
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
}

fn user_token(account: &KeyPair, user: &KeyPair, role: Role, expires: Option<i64>) -> String {
    let mut rights = json!({ "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2 });
    if matches!(role, Role::Worker) {
        rights["pub"] = json!({ "allow": documented("publish") });
        rights["sub"] = json!({ "allow": documented("subscribe") });
    }
    token(account, &user.public_key(), expires, rights)
}

/// The subjects that the book's configuration allows a worker.
fn documented(verb: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/fleet/nats-server.conf");
    let text = fs::read_to_string(&file).expect("a file of the book");
    let list = text.split(&format!("{verb}: [")).nth(1).and_then(|rest| rest.split(']').next());
    let subjects: Vec<String> =
        list.expect("a list").split('"').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(!subjects.is_empty(), "{verb}");
    subjects
}

/// The file that `nsc generate creds` writes.
fn credentials(token: &str, user: &KeyPair) -> String {
    let seed = user.seed().expect("a key with its seed");
    format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    )
}

#[test]
fn coordinator_sets_up_the_server() {
    let Some(server) = Server::start() else { return };
    let coordinator = server.user(Role::Coordinator);
    for _ in 0..2 {
        coordinator.set_up().expect("all rights");
        let status = status::status(&coordinator).expect("all rights");
        assert_eq!((status.workers, status.runs), (Vec::new(), Vec::new()));
    }
}

#[test]
fn worker_creates_no_streams() {
    let Some(server) = Server::start() else { return };
    server.user(Role::Worker).set_up().expect_err("a worker has no right to");
    let error = status::status(&server.user(Role::Coordinator)).expect_err("nothing is there").to_string();
    assert!(error.contains("threefold-runs"), "{error}");
}

#[test]
fn worker_reads_runs_and_announces_itself() {
    let Some(server) = Server::start() else { return };
    server.user(Role::Coordinator).set_up().expect("all rights");
    let credentials = server.credentials(Role::Worker);
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let options = ConnectOptions::new().credentials(&credentials).expect("a token and a seed");
        let options = options.custom_inbox_prefix(Inbox::Worker(WorkerName::near("w0")));
        let client = options.connect(&server.url).await.expect("a user of the account");
        let jetstream = async_nats::jetstream::new(client);
        let runs = jetstream.get_key_value(protocol::RUNS).await.expect("a worker reads runs");
        assert_eq!(runs.get("run").await.expect("a worker reads runs"), None);
        let workers = jetstream.get_key_value(protocol::WORKERS).await.expect("a worker announces itself");
        workers.put("w0", "here".into()).await.expect("a worker announces itself");
    });
}

#[test]
fn foreign_and_expired_users_are_refused() {
    let Some(server) = Server::start() else { return };
    let (user, other) = (KeyPair::new_user(), KeyPair::new_user());
    let of = |account, expires| user_token(account, &user, Role::Coordinator, expires);
    let own = of(&server.account, None);
    let own_credentials = credentials(&own, &user);
    server.connect(Some(&own_credentials), &Inbox::Coordinator).expect("a user of the account");
    server
        .connect(Some(own_credentials.trim_end()), &Inbox::Coordinator)
        .expect("the same without the last line break");
    for (what, given) in [
        ("no credentials", None),
        ("another account", Some(credentials(&of(&KeyPair::new_account(), None), &user))),
        ("an expired token", Some(credentials(&of(&server.account, Some(EXPIRED)), &user))),
        ("the seed of another user", Some(credentials(&own, &other))),
    ] {
        let error = server.connect(given.as_deref(), &Inbox::Coordinator).expect_err(what).to_string();
        assert!(
            error.contains("authorization violation") && error.contains("credentials"),
            "{what}: {error}"
        );
        is_not_repeated(&error, &[&user, &other], &own);
    }
    for (what, given) in [
        ("no file of credentials", own.clone()),
        ("a damaged seed", own_credentials.replace("KEY SEED-----\nSU", "KEY SEED-----\nSUA")),
    ] {
        let error = server.connect(Some(&given), &Inbox::Coordinator).expect_err(what).to_string();
        assert!(error.contains("nsc generate creds"), "{what}: {error}");
        is_not_repeated(&error, &[&user], &own);
    }
}

/// A message shows neither a seed nor a token.
fn is_not_repeated(error: &str, users: &[&KeyPair], token: &str) {
    assert!(!error.contains(&token[..40]), "{error}");
    for user in users {
        let seed = user.seed().expect("a key with its seed");
        assert!(!error.contains(&seed[4..20]) && !error.contains(&seed[seed.len() - 16..]), "{error}");
    }
}
