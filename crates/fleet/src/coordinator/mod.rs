//! The coordinator's side: it announces a run, hands out its jobs, and receives their results.

mod announcement;
mod failure;
mod fleet_run;
mod job_tokens;
mod outbox;
mod pace;
mod receiver;
mod watch;

use std::sync::Arc;
use std::time::Duration;

use threefold_run::journal::{Journal, rows};
use threefold_run::pool::{RemoteError, RemoteRun, RemoteWorkers};
use threefold_run::prepared::PreparedRun;

use self::announcement::Announcement;
use self::fleet_run::FleetRun;
use self::job_tokens::JobTokens;
use crate::broker::{Broker, BrokerError};
use crate::engine_files::Signature;
use crate::package::{RunPackage, is_timed};
use crate::protocol::{self, MessageError, RunId, RunNotice, VERSION};
use crate::status;

/// What a submission asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Runs with a higher priority go first.
    pub priority: i32,
    /// The share of the fleet among the runs of its priority; at least 1.
    pub share: u32,
    /// The node count of this program's `bench`.
    pub bench: u64,
    /// Signatures of engine files.
    pub signatures: Vec<Signature>,
    /// The speed of this machine, in nodes per second of Echo's `bench`; time controls are meant for it.
    pub speed: u64,
    /// The tokens of jobs are derived from it. It is never sent.
    pub secret: JobSecret,
}

/// A secret of a coordinator. Its text does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct JobSecret(pub [u8; 32]);

impl std::fmt::Debug for JobSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JobSecret")
    }
}

/// A connection to the fleet, for the runs of one command.
#[derive(Debug)]
pub struct Coordinator {
    broker: Arc<Broker>,
    submission: Submission,
}

impl Coordinator {
    /// The connection to the server.
    pub fn broker(&self) -> Arc<Broker> {
        Arc::clone(&self.broker)
    }

    /// Creates what the fleet needs on the server.
    ///
    /// # Errors
    ///
    /// If the server has no JetStream, or refuses.
    pub fn new(broker: Broker, submission: Submission) -> Result<Self, BrokerError> {
        broker.set_up()?;
        Ok(Self { broker: Arc::new(broker), submission })
    }
}

/// How long the progress of a run is watched before it is taken to have no coordinator.
const PROGRESS_TIMEOUT: Duration = Duration::from_secs(3);

/// Why a run is not removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// The server can't be asked.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// There is none.
    #[error("the server has no run {0}; `threefold fleet status` lists its runs")]
    Unknown(RunId),
    /// Somebody is at it.
    #[error("run {0} is going on: its coordinator reports progress; end that `fleet submit` with Ctrl-C")]
    GoesOn(RunId),
}

/// Removes a run whose coordinator was killed, with its queues. Its journal can still be resumed.
///
/// # Errors
///
/// If there is no such run, if its coordinator reports progress, or if the server refuses.
pub fn remove_run(broker: &Broker, run: &RunId) -> Result<(), RemoveError> {
    broker.runtime.block_on(async {
        if !status::runs(broker).await?.iter().any(|notice| notice.run == *run) {
            return Err(RemoveError::Unknown(run.clone()));
        }
        let before = announcement::progress_number(broker, run).await?;
        tokio::time::sleep(PROGRESS_TIMEOUT).await;
        if announcement::progress_number(broker, run).await? != before {
            return Err(RemoveError::GoesOn(run.clone()));
        }
        Ok(announcement::remove(broker, run).await?)
    })
}

impl From<BrokerError> for RemoteError {
    fn from(error: BrokerError) -> Self {
        Self(error.to_string())
    }
}

impl From<MessageError> for RemoteError {
    fn from(error: MessageError) -> Self {
        Self(error.to_string())
    }
}

impl RemoteWorkers for Coordinator {
    fn open(&self, prepared: &PreparedRun, journal: &Journal) -> Result<Box<dyn RemoteRun>, RemoteError> {
        let spec = prepared.spec();
        let begun = journal.contents().begun().map_err(|error| RemoteError(error.to_string()))?;
        let place = journal.contents().absolute_path().display().to_string();
        // With the path, since two journals of one specification may begin in the same second.
        let run = RunId::new(&format!("{place}\n{}", rows::write_spec(spec)), begun);
        let package = RunPackage::new(spec, &self.submission.signatures)
            .map_err(|error| RemoteError(error.to_string()))?;
        let packed = package.pack()?;
        let notice = RunNotice {
            version: VERSION,
            run: run.clone(),
            title: spec.title.clone(),
            bench: self.submission.bench,
            priority: self.submission.priority,
            share: self.submission.share.max(1),
            spec_sha256: protocol::sha256(&packed),
            reference_speed: is_timed(spec).then_some(self.submission.speed),
        };
        let part_names = spec.parts.iter().map(|part| part.name.clone()).collect();
        let announcement = Announcement { package, packed, notice };
        let done = journal.results() as u64;
        Ok(Box::new(FleetRun::open(
            Arc::clone(&self.broker),
            announcement,
            part_names,
            JobTokens::new(&self.submission.secret.0, &run),
            done,
        )?))
    }
}
