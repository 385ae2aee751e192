//! The engines of a run on a worker: allowed, fetched, verified and confined.

use std::path::PathBuf;

use threefold_chess::clock::{ClockSource, Control, TimeControl};
use threefold_player::{EngineFault, EngineSpec, LaunchOptions, Player};
use threefold_run::{RunSpec, Task};

use super::WorkerOptions;
use super::load_error::LoadError;
use super::received::Received;
use crate::broker::Broker;
use crate::confinement::{Confinement, wrap};
use crate::engine_files::{EngineFile, EnginePermissions, EngineStore, Machine};
use crate::package::{PackedEngine, RunPackage, object_name};

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

/// The engines of a run on this machine.
pub(crate) struct LocalEngines {
    engines: Vec<PackedEngine>,
    store: EngineStore,
    options: EngineOptions,
}

impl LocalEngines {
    /// Checks and fetches the engines of a run, and names local opening books in its specification.
    pub(super) fn prepare(
        broker: &Broker,
        options: &WorkerOptions,
        package: &RunPackage,
        spec: &mut RunSpec,
    ) -> Result<Self, LoadError> {
        let options = &options.engines;
        // All engines are checked before a file is fetched: a run that is not allowed costs no traffic.
        for engine in &package.engines {
            let checked = options.permissions.check(&engine.files, &package.signatures, Machine::present());
            checked.map_err(|refusal| refusal.to_string())?;
        }
        let store = EngineStore::open(&options.store).map_err(|error| error.to_string())?;
        for file in package.engines.iter().flat_map(|engine| engine.files.files()) {
            if store.get(file).map_err(|error| error.to_string())?.is_none() {
                let mut received =
                    Received::request(broker, object_name(file), &format!("give `{}`", file.name))?;
                let inserted = store.insert(file, &mut received);
                // The server's error comes first: it may pass, while a wrong file makes this worker refuse
                // the run.
                received.check()?;
                inserted.map_err(|error| error.to_string())?;
            }
        }
        let local = Self { engines: package.engines.clone(), store, options: options.clone() };
        for part in &mut spec.parts {
            let engines = match &mut part.task {
                Task::Suite(suite) => std::slice::from_mut(&mut suite.engine),
                Task::Match(games) => games.engines.as_mut_slice(),
            };
            for engine in engines {
                // The books are read by threefold itself.
                engine.book = local.relocated(engine)?.book;
            }
        }
        Ok(local)
    }

    /// Launches an engine: the program in the store, with limits. A spec is only replaced here, since a spec
    /// with other options is parsed from its text again.
    pub(super) fn launch(
        &self,
        spec: &EngineSpec,
        options: &LaunchOptions,
    ) -> Result<Box<dyn Player>, EngineFault> {
        let refused = |cause: String| EngineFault::CannotStart { command: spec.command(), cause };
        threefold_player::launch(&self.confined(spec).map_err(refused)?, options)
    }

    /// The spec of the program in the store, started with limits.
    fn confined(&self, spec: &EngineSpec) -> Result<EngineSpec, String> {
        let relocated = self.relocated(spec)?;
        let data = self.engines.iter().flat_map(|engine| engine.files.files());
        let data = data.filter(|file| !file.is_program()).map(|file| self.store.place(file));
        let read = self.options.confinement.read.iter().cloned().chain(data).collect();
        let confinement = Confinement { read, ..self.options.confinement.clone() };
        Ok(wrap(&confinement, &self.options.own_program, &relocated))
    }

    /// The spec with the files of the store. Of several lists with its name, the one with most of its files
    /// counts.
    fn relocated(&self, spec: &EngineSpec) -> Result<EngineSpec, String> {
        let of_name = self.engines.iter().filter(|engine| engine.name == spec.name);
        let names = |file: &&EngineFile| spec.text.contains(&file.text);
        let packed = of_name.max_by_key(|engine| engine.files.files().iter().filter(names).count());
        let files =
            &packed.ok_or_else(|| format!("the files of engine `{}` are not listed", spec.name))?.files;
        files.relocate(spec, &|file| self.store.place(file)).map_err(|error| error.to_string())
    }
}

/// Stretches the wall clocks of a run's games by a factor: on a machine of half the speed they have twice the
/// time.
pub(super) fn scale_clocks(spec: &mut RunSpec, factor: f64) {
    for part in &mut spec.parts {
        let Task::Match(games) = &mut part.task else { continue };
        for engine in &mut games.engines {
            if engine.pace.unwrap_or(games.clock_source) == ClockSource::Wall {
                // Each engine gets limits of its own, since those of the match also apply to engines on
                // virtual clocks.
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
    use std::num::NonZeroU32;

    use super::*;
    use crate::engine_files::EngineFiles;
    use threefold_player::EngineSource;

    /// The engines of a run with one program, which is at another place here.
    fn local(spec: &EngineSpec) -> (tempfile::TempDir, LocalEngines) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let limit = NonZeroU32::new(1_024).expect("not 0");
        let options = EngineOptions {
            permissions: EnginePermissions::default(),
            store: folder.path().to_owned(),
            confinement: Confinement { memory: limit, processes: limit, read: Vec::new() },
            own_program: PathBuf::from("/own/threefold"),
        };
        let engines = vec![PackedEngine {
            name: spec.name.clone(),
            text: spec.text.clone(),
            files: EngineFiles::read_for(spec).expect("a program"),
        }];
        let store = EngineStore::open(folder.path()).expect("a folder");
        (folder, LocalEngines { engines, store, options })
    }

    #[test]
    fn engines_are_started_with_limits_whatever_their_options() {
        let program = std::env::current_exe().expect("this test").display().to_string();
        let spec: EngineSpec = format!("{program},name=E,Hash=1").parse().expect("sound");
        let (folder, local) = local(&spec);
        // A case of a suite sets options, for which the text is parsed again.
        for spec in [spec.clone(), spec.with(&[("Threads", "2")]).expect("sound")] {
            let EngineSource::Command { program: started, args, .. } =
                local.confined(&spec).expect("listed").source
            else {
                panic!("a program");
            };
            assert_eq!(started, "/own/threefold");
            assert!(args.starts_with(&["fleet".to_owned(), "confine".to_owned()]), "{args:?}");
            let inner = args.last().expect("a program");
            assert!(inner.starts_with(&folder.path().display().to_string()), "{inner}");
        }
        // Another program under the same name, and another name.
        for text in ["/bin/sh,name=E", &format!("{program},name=F")] {
            let error = local.confined(&text.parse().expect("sound")).expect_err("not listed");
            assert!(error.contains("list"), "{error}");
        }
    }

    #[test]
    fn slow_machines_have_more_time() {
        let control: Control = "40/10+0.1,timemargin=20".parse().expect("sound");
        assert_eq!(scaled(control, 2.0), "40/20+0.2,timemargin=20".parse().expect("sound"));
        let control: Control = "st=0.5,nodes=100".parse().expect("sound");
        assert_eq!(scaled(control, 0.5), "st=0.25,nodes=100".parse().expect("sound"));
    }
}
