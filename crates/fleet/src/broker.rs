//! The connection to the NATS server, and what the fleet keeps there.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, kv, object_store};
use async_nats::{Client, ConnectOptions, jetstream::Context};
use tokio::runtime::Runtime;

use crate::protocol::{self, RunId, WorkerName};

/// How long a job may be without a sign of life from its worker before another one gets it.
pub const JOB_TIMEOUT: Duration = Duration::from_secs(30);
/// How often a worker gives a sign of life for each job, and for itself.
pub const HEARTBEAT: Duration = Duration::from_secs(10);
/// How long a worker without a sign of life is listed.
pub const WORKER_TIMEOUT: Duration = Duration::from_secs(45);
/// How long a coordinator has for its results before they are sent again.
const RESULT_TIMEOUT: Duration = Duration::from_mins(1);
/// The largest message of the streams, in bytes.
const LARGEST_MESSAGE: i32 = 1 << 20;
const _: () = assert!(protocol::LARGEST_MESSAGE == 1 << 20);
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a request may take. The client itself waits for a lost connection without a limit.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The most results that a coordinator holds without having acknowledged them.
pub const RESULTS_AHEAD: i64 = 1_024;

/// The first words of the subjects on which answers come to this program. Each role has its own, so that a
/// server can forbid workers to read what it answers a coordinator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inbox {
    /// The inbox of coordinators, and of commands that look at the fleet.
    Coordinator,
    /// The inbox of the worker with this name.
    Worker(WorkerName),
}

impl Display for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinator => f.write_str("_INBOX_coordinator"),
            Self::Worker(name) => write!(f, "_INBOX_worker.{name}"),
        }
    }
}

/// How to reach the server.
#[derive(Clone, Default)]
pub struct ServerOptions {
    /// Its address, such as `nats://localhost:4222` or `tls://fleet.example:4222`.
    pub url: String,
    /// A user's JWT and seed, as `nsc` writes them.
    pub credentials: Option<String>,
    /// The seed of an nkey.
    pub nkey: Option<String>,
    /// A file with the certificates of the authority that signed the server's.
    pub tls_ca: Option<PathBuf>,
    /// Files with the client's certificate and its key.
    pub tls_client: Option<(PathBuf, PathBuf)>,
}

/// Why the server can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// It can't be reached, or refuses the connection.
    #[error(
        "{url}: no connection to the NATS server: {cause}; start it with `nats-server -js`, and check the address and the credentials"
    )]
    NotConnected {
        /// Its address, without a password.
        url: String,
        /// The error of the NATS client.
        cause: String,
    },
    /// The credentials have another form.
    #[error(
        "the credentials are not those of a NATS user: {0}; give the file that `nsc generate creds` writes"
    )]
    Credentials(String),
    /// A request failed.
    #[error("the NATS server can't {what}: {cause}")]
    Request {
        /// What it was asked for.
        what: String,
        /// The error of the NATS client.
        cause: String,
    },
    /// It does not answer.
    #[error("the NATS server does not answer in time")]
    NoAnswer,
    /// It has no fleet yet.
    #[error(
        "nothing was submitted to this NATS server yet: it has no {0}; the first `fleet submit` creates it"
    )]
    NoFleet(String),
    /// The runtime can't be started.
    #[error("no thread can be started: {0}")]
    NoRuntime(std::io::Error),
}

/// Adds the request to an error of the client.
pub(crate) trait Asked<T> {
    /// The value, or the error with what was asked for: a verb with its object.
    fn asked(self, what: &str) -> Result<T, BrokerError>;
}

impl<T, E: Display> Asked<T> for Result<T, E> {
    fn asked(self, what: &str) -> Result<T, BrokerError> {
        self.map_err(|cause| BrokerError::Request { what: what.to_owned(), cause: cause.to_string() })
    }
}

/// A connection, with its runtime.
#[derive(Debug)]
pub struct Broker {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
}

impl Broker {
    /// Connects to the server. After this, lost connections are made again.
    ///
    /// # Errors
    ///
    /// If the server can't be reached or refuses the credentials.
    pub fn connect(options: &ServerOptions, name: &str, inbox: &Inbox) -> Result<Self, BrokerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .thread_name("nats")
            .build()
            .map_err(BrokerError::NoRuntime)?;
        let client = runtime.block_on(connect(options, name, inbox))?;
        let jetstream = {
            // The context spawns a task when it is created.
            let _context = runtime.enter();
            jetstream::new(client.clone())
        };
        Ok(Self { runtime, client, jetstream })
    }

    /// Creates the streams and buckets that are not there. Only coordinators do this: workers have no right
    /// to.
    ///
    /// # Errors
    ///
    /// If the server has no JetStream, or refuses.
    pub fn set_up(&self) -> Result<(), BrokerError> {
        self.request(self.create_all())
    }

    pub(crate) async fn create_all(&self) -> Result<(), BrokerError> {
        for (name, subjects) in
            [(protocol::JOBS, "threefold.jobs.*"), (protocol::RESULTS, "threefold.results.*")]
        {
            self.jetstream
                .get_or_create_stream(stream::Config {
                    name: name.to_owned(),
                    subjects: vec![subjects.to_owned()],
                    retention: RetentionPolicy::WorkQueue,
                    max_message_size: LARGEST_MESSAGE,
                    ..stream::Config::default()
                })
                .await
                .asked(&format!("create the stream {name} (it needs `nats-server -js`)"))?;
        }
        // For the server, a maximum age of zero means no limit.
        let lasting = Duration::ZERO;
        for (bucket, max_age) in [
            (protocol::RUNS, lasting),
            (protocol::WORKERS, WORKER_TIMEOUT),
            (protocol::NUMBERS, lasting),
            (protocol::QUARANTINE, lasting),
            (protocol::PROGRESS, lasting),
        ] {
            // The stream of a bucket, as `create_key_value` makes it; that asks for account information which
            // servers before 2.10 do not have.
            let config = stream::Config {
                name: format!("KV_{bucket}"),
                subjects: vec![format!("$KV.{bucket}.>")],
                max_messages_per_subject: 1,
                max_message_size: LARGEST_MESSAGE,
                max_age,
                discard: DiscardPolicy::New,
                deny_delete: true,
                allow_rollup: true,
                allow_direct: true,
                ..stream::Config::default()
            };
            self.jetstream
                .get_or_create_stream(config)
                .await
                .asked(&format!("create the bucket {bucket}"))?;
        }
        // The client has no request that gets or creates a store of files.
        if self.jetstream.get_object_store(protocol::FILES).await.is_err() {
            let config = object_store::Config {
                bucket: protocol::FILES.to_owned(),
                ..object_store::Config::default()
            };
            self.jetstream.create_object_store(config).await.asked("create the store of files")?;
        }
        Ok(())
    }

    /// Waits for the end of some requests, but not for long.
    pub(crate) fn request<T>(
        &self,
        requests: impl Future<Output = Result<T, BrokerError>>,
    ) -> Result<T, BrokerError> {
        self.runtime.block_on(in_time(requests))
    }

    pub(crate) async fn bucket(&self, bucket: &str) -> Result<kv::Store, BrokerError> {
        let opened = self.jetstream.get_key_value(bucket).await;
        missing_or(opened, &format!("bucket {bucket}"))
    }

    pub(crate) async fn files(&self) -> Result<object_store::ObjectStore, BrokerError> {
        let opened = self.jetstream.get_object_store(protocol::FILES).await;
        missing_or(opened, &format!("store of files {}", protocol::FILES))
    }

    /// The queue of a run's jobs; created if it is not there.
    pub(crate) async fn create_job_queue(&self, run: &RunId) -> Result<PullConsumer, BrokerError> {
        let config = pull::Config {
            durable_name: Some(run.to_string()),
            filter_subject: run.jobs_subject(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: JOB_TIMEOUT,
            // Without a limit: a job that is given up would be missing from its run.
            max_deliver: -1,
            // Each slot of the fleet has a message in work or a request that waits. The server's defaults are
            // too small for a large fleet.
            max_ack_pending: 100_000,
            max_waiting: 20_000,
            ..pull::Config::default()
        };
        self.jetstream
            .create_consumer_on_stream(config, protocol::JOBS)
            .await
            .asked("create the queue of the jobs")
    }

    /// The queue of a run's results; created if it is not there.
    pub(crate) async fn create_result_queue(&self, run: &RunId) -> Result<PullConsumer, BrokerError> {
        let config = pull::Config {
            durable_name: Some(run.to_string()),
            filter_subject: run.results_subject(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: RESULT_TIMEOUT,
            max_ack_pending: RESULTS_AHEAD,
            ..pull::Config::default()
        };
        self.jetstream
            .create_consumer_on_stream(config, protocol::RESULTS)
            .await
            .asked("create the queue of the results")
    }
}

/// The result of some requests; an error if they take long.
pub(crate) async fn in_time<T>(
    requests: impl Future<Output = Result<T, BrokerError>>,
) -> Result<T, BrokerError> {
    tokio::time::timeout(REQUEST_TIMEOUT, requests).await.unwrap_or(Err(BrokerError::NoAnswer))
}

/// What was opened, or whether it is missing. The client has no kind of error for that in all its requests.
fn missing_or<T, E: Display>(opened: Result<T, E>, what: &str) -> Result<T, BrokerError> {
    match opened {
        Err(cause) if cause.to_string().contains("stream not found") => {
            Err(BrokerError::NoFleet(what.to_owned()))
        }
        opened => opened.asked(&format!("open the {what}")),
    }
}

async fn connect(options: &ServerOptions, name: &str, inbox: &Inbox) -> Result<Client, BrokerError> {
    let mut connect = ConnectOptions::new()
        .name(name)
        .custom_inbox_prefix(inbox)
        .connection_timeout(CONNECT_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT));
    if let Some(text) = &options.credentials {
        // The client reads no seed whose last line does not end.
        let text = format!("{text}\n");
        connect = connect.credentials(&text).map_err(|error| BrokerError::Credentials(error.to_string()))?;
    }
    if let Some(seed) = &options.nkey {
        connect = connect.nkey(seed.trim().to_owned());
    }
    if let Some(file) = &options.tls_ca {
        connect = connect.add_root_certificates(file.clone());
    }
    if let Some((certificate, key)) = &options.tls_client {
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    let (url, login) = split_login(&options.url);
    if let Some((user, password)) = login {
        connect = connect.user_and_password(user, password);
    }
    connect
        .connect(url.as_str())
        .await
        .map_err(|error| BrokerError::NotConnected { url, cause: cause_of(&error) })
}

/// The message of an error with its sources.
fn cause_of(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let more = cause.to_string();
        // Some errors have the text of their source in their own.
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        source = cause.source();
    }
    text
}

/// An address without user and password, and these.
fn split_login(url: &str) -> (String, Option<(String, String)>) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    // The last `@`, since a password may contain one.
    match rest.rsplit_once('@') {
        Some((login, host)) => {
            let (user, password) = login.split_once(':').unwrap_or((login, ""));
            (format!("{scheme}://{host}"), Some((user.to_owned(), password.to_owned())))
        }
        None => (format!("{scheme}://{rest}"), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_split_from_passwords() {
        let login = |user: &str, password: &str| Some((user.to_owned(), password.to_owned()));
        let table = [
            ("nats://user:se@cret@host:4222", "nats://host:4222", login("user", "se@cret")),
            ("tls://user@host", "tls://host", login("user", "")),
            ("host:4222", "nats://host:4222", None),
        ];
        for (url, address, login) in table {
            assert_eq!(split_login(url), (address.to_owned(), login), "{url}");
        }
    }

    #[test]
    fn missing_server_is_named() {
        let options =
            ServerOptions { url: "nats://u:secret@127.0.0.1:1".to_owned(), ..ServerOptions::default() };
        let error = Broker::connect(&options, "test", &Inbox::Coordinator)
            .expect_err("no server at port 1")
            .to_string();
        assert!(
            error.contains("nats://127.0.0.1:1: no connection") && error.contains("nats-server -js"),
            "{error}"
        );
        assert!(!error.contains("secret"), "{error}");
    }
}
