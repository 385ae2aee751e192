//! A run that is ready to be worked for.

use std::sync::Arc;

use tokio::io::AsyncReadExt;

use threefold_chess::clock::Stop;
use threefold_harness::run::Scheduler;
use threefold_harness::run::journal::rows;
use threefold_harness::run::pool::tables_of;
use threefold_harness::run::prepared::PreparedRun;
use threefold_oracle::Tables;

use super::engines::LocalEngines;
use super::{WorkerOptions, engines};
use crate::broker::{Asked, Broker, BrokerError};
use crate::package::RunPackage;
use crate::protocol::{self, RunNotice};

/// A run with everything that its jobs need.
pub(crate) struct RunContext {
    pub(crate) notice: RunNotice,
    pub(crate) prepared: PreparedRun,
    /// No job has ended in it: it knows which jobs there are.
    pub(crate) jobs: Scheduler,
    pub(super) engines: LocalEngines,
    pub(crate) tables: Arc<Tables>,
    /// Raised when the run is gone.
    pub(crate) stop: Stop,
}

impl RunContext {
    /// Fetches and prepares a run; an error is the reason why this worker does not work for it.
    pub(crate) fn load(broker: &Broker, options: &WorkerOptions, notice: &RunNotice) -> Result<Self, String> {
        if notice.bench != options.bench {
            return Err(format!(
                "its Echo has the bench signature {}, and this one {}; use the same version of threefold everywhere",
                notice.bench, options.bench
            ));
        }
        let packed = broker.runtime.block_on(fetch(broker, notice)).map_err(|error| error.to_string())?;
        let found = protocol::sha256(&packed);
        if found != notice.spec_sha256 {
            return Err(format!("its specification has the SHA-256 {found}, not {}", notice.spec_sha256));
        }
        let text =
            protocol::decompress(&packed, protocol::LARGEST_SPEC).map_err(|error| error.to_string())?;
        let package: RunPackage = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        let mut spec = rows::read_spec(&package.spec)?;
        let engines = LocalEngines::prepare(broker, options, &package, &mut spec)?;
        if let Some(reference) = notice.reference_speed {
            engines::scale_clocks(&mut spec, reference as f64 / options.speed.max(1) as f64);
        }
        let prepared = PreparedRun::read(Arc::new(spec)).and_then(PreparedRun::with_books);
        let prepared = prepared.map_err(|error| error.to_string())?;
        let stop = Stop::default();
        let tables = tables_of(&prepared, &stop).map_err(|error| error.to_string())?;
        let tables = tables.ok_or("it was withdrawn")?;
        let jobs = prepared.scheduler();
        Ok(Self { notice: notice.clone(), prepared, jobs, engines, tables, stop })
    }
}

async fn fetch(broker: &Broker, notice: &RunNotice) -> Result<Vec<u8>, BrokerError> {
    let files = broker.files().await?;
    let object = files.get(notice.run.spec_object()).await.asked("give the specification of the run")?;
    let mut packed = Vec::new();
    object
        .take(protocol::LARGEST_SPEC)
        .read_to_end(&mut packed)
        .await
        .asked("give the specification of the run")?;
    Ok(packed)
}
