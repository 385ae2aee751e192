//! The engines of a run on a worker: allowed, fetched, verified and confined.

use std::path::PathBuf;

use tokio::io::AsyncReadExt;

use threefold_chess::clock::{ClockSource, Control, TimeControl};
use threefold_harness::player::EngineSpec;
use threefold_harness::run::{RunSpec, Task};

use super::WorkerOptions;
use crate::broker::{Asked, Broker, BrokerError};
use crate::confinement::{Confinement, wrap};
use crate::engine_files::{EngineFile, EngineFiles, EnginePermissions, EngineStore, Machine};
use crate::package::{RunPackage, engines_of, object_name};

/// What a worker may run, and how.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// What its owner allows.
    pub permissions: EnginePermissions,
    /// The folder of fetched files.
    pub store: PathBuf,
    /// The limits of engines; more is read than these folders.
    pub confinement: Confinement,
    /// The program threefold, which starts engines under these limits.
    pub own_program: PathBuf,
}

/// Replaces the engines of a run by those on this machine; an error is the reason why this worker does not work for it.
pub(super) fn prepare(
    broker: &Broker,
    options: &WorkerOptions,
    package: &RunPackage,
    spec: &mut RunSpec,
) -> Result<(), String> {
    let engines = &options.engines;
    for engine in &package.engines {
        let checked = engines.permissions.check(&engine.files, &package.signatures, Machine::present());
        checked.map_err(|refusal| refusal.to_string())?;
    }
    if let Some(engine) = engines_of(spec).find(|engine| files_of(package, engine).is_none()) {
        return Err(format!("the files of engine `{}` are not listed", engine.name));
    }
    let store = EngineStore::open(&engines.store).map_err(|error| error.to_string())?;
    for file in package.engines.iter().flat_map(|engine| engine.files.files()) {
        if store.get(file).map_err(|error| error.to_string())?.is_none() {
            let bytes = broker.runtime.block_on(fetch(broker, file)).map_err(|error| error.to_string())?;
            store.insert(file, bytes.as_slice()).map_err(|error| error.to_string())?;
        }
    }
    let local = |engine: &EngineSpec| -> Result<EngineSpec, String> {
        let files = files_of(package, engine).ok_or("an engine without files")?;
        let relocated =
            files.relocate(engine, &|file| store.place(file)).map_err(|error| error.to_string())?;
        let data = files.files().iter().map(|file| store.place(file));
        let read = engines.confinement.read.iter().cloned().chain(data).collect();
        let confinement = Confinement { read, ..engines.confinement.clone() };
        Ok(wrap(&confinement, &engines.own_program, &relocated))
    };
    for part in &mut spec.parts {
        match &mut part.task {
            Task::Suite(suite) => suite.engine = local(&suite.engine)?,
            Task::Match(games) => {
                games.engines = games.engines.iter().map(local).collect::<Result<_, _>>()?;
            }
        }
    }
    Ok(())
}

/// The files of an engine; the built-in Echo has an empty list.
fn files_of<'p>(package: &'p RunPackage, engine: &EngineSpec) -> Option<&'p EngineFiles> {
    let packed = package.engines.iter().find(|packed| packed.text == engine.text);
    packed.map(|packed| &packed.files)
}

async fn fetch(broker: &Broker, file: &EngineFile) -> Result<Vec<u8>, BrokerError> {
    let what = format!("give `{}`", file.name);
    let object = broker.files().await?.get(object_name(file)).await.asked(&what)?;
    let mut bytes = Vec::new();
    // One byte more than it has shows that it is another file.
    object.take(file.size + 1).read_to_end(&mut bytes).await.asked(&what)?;
    Ok(bytes)
}

/// Stretches the wall clocks of a run's games by a factor: on a machine of half the speed they have twice the time.
pub(super) fn scale_clocks(spec: &mut RunSpec, factor: f64) {
    for part in &mut spec.parts {
        let Task::Match(games) = &mut part.task else { continue };
        for engine in &mut games.engines {
            if engine.pace.unwrap_or(games.pace) == ClockSource::Wall {
                engine.control = scaled(engine.control.or(games.control), factor);
            }
        }
    }
}

/// Limits with their times multiplied.
fn scaled(control: Control, factor: f64) -> Control {
    let time = control.time.map(|TimeControl { moves, base, increment }| TimeControl {
        moves,
        base: base.mul_f64(factor),
        increment: increment.mul_f64(factor),
    });
    Control { time, movetime: control.movetime.map(|time| time.mul_f64(factor)), ..control }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_machines_have_more_time() {
        let control: Control = "40/10+0.1,timemargin=20".parse().expect("sound");
        assert_eq!(scaled(control, 2.0), "40/20+0.2,timemargin=20".parse().expect("sound"));
        let control: Control = "st=0.5,nodes=100".parse().expect("sound");
        assert_eq!(scaled(control, 0.5), "st=0.25,nodes=100".parse().expect("sound"));
    }
}
