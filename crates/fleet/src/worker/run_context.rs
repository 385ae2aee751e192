//! A run that is ready to be worked for.

use std::io::Read;
use std::sync::Arc;

use threefold_chess::clock::Stop;
use threefold_oracle::Tables;
use threefold_run::Scheduler;
use threefold_run::journal::rows;
use threefold_run::pool::tables_of;
use threefold_run::prepared::PreparedRun;

use super::engines::LocalEngines;
use super::load_error::LoadError;
use super::received::Received;
use super::{WorkerOptions, engines};
use crate::broker::{Asked, Broker, BrokerError};
use crate::package::RunPackage;
use crate::protocol::{self, RunId, RunNotice};

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
    /// Fetches and prepares a run.
    pub(crate) fn load(
        broker: &Broker,
        options: &WorkerOptions,
        notice: &RunNotice,
    ) -> Result<Self, LoadError> {
        let packed = Self::checked_package(broker, options, notice)?;
        let package = RunPackage::unpack(&packed).map_err(|error| refused(&error))?;
        let mut spec = rows::read_spec(&package.spec)?;
        let engines = LocalEngines::prepare(broker, options, &package, &mut spec)?;
        if let Some(reference) = notice.reference_speed {
            engines::scale_clocks(&mut spec, reference as f64 / options.speed.max(1) as f64);
        }
        let prepared = PreparedRun::prepare(Arc::new(spec)).and_then(PreparedRun::with_books);
        let prepared = prepared.map_err(|error| refused(&error))?;
        let stop = Stop::default();
        let tables = tables_of(&prepared, &stop).map_err(|error| refused(&error))?;
        let tables = tables.ok_or_else(|| refused(&"it was withdrawn"))?;
        let jobs = prepared.scheduler();
        Ok(Self { notice: notice.clone(), prepared, jobs, engines, tables, stop })
    }

    /// The package of a run, if this worker can work for it.
    fn checked_package(
        broker: &Broker,
        options: &WorkerOptions,
        notice: &RunNotice,
    ) -> Result<Vec<u8>, LoadError> {
        if notice.bench != options.bench {
            return Err(LoadError::Refused(format!(
                "its Echo has the bench signature {}, and this one {}; use the same version of threefold everywhere",
                notice.bench, options.bench
            )));
        }
        let packed = fetch(broker, &notice.run)?;
        let found = protocol::sha256(&packed);
        if found != notice.spec_sha256 {
            return Err(LoadError::Refused(format!(
                "its specification has the SHA-256 {found}, not {}",
                notice.spec_sha256
            )));
        }
        Ok(packed)
    }
}

fn refused(why: &impl ToString) -> LoadError {
    LoadError::Refused(why.to_string())
}

/// The packed specification of a run.
fn fetch(broker: &Broker, run: &RunId) -> Result<Vec<u8>, BrokerError> {
    const WHAT: &str = "give the specification of the run";
    let mut received = Received::request(broker, run.spec_object(), WHAT)?;
    let mut packed = Vec::new();
    // A larger package is cut here, and then refused by its checksum.
    let read = (&mut received).take(protocol::LARGEST_SPEC).read_to_end(&mut packed);
    received.check()?;
    read.asked(WHAT)?;
    Ok(packed)
}
