//! A mock engine for tests, also for those of other crates: a shell script.

use tempfile::TempDir;

use crate::{EngineFault, EngineSpec, LaunchOptions, Player, launch};
use threefold_chess::clock::{ClockSource, Stop};

/// A mock engine with the options of its launches.
pub struct Mock {
    folder: TempDir,
    /// The options of its launches.
    pub options: LaunchOptions,
}

impl Mock {
    /// A new mock engine in a folder of its own. `begin` runs before the first command is read, and the arms
    /// of a shell's `case` answer commands.
    #[expect(clippy::disallowed_methods, reason = "a mock engine is written to a file")]
    pub fn new(begin: &str, arms: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = format!(
            "{begin}\nwhile read -r line; do case \"$line\" in\n{arms}\nuci) echo uciok;;\n\
             isready) echo readyok;;\nquit) exit;;\nesac; done"
        );
        std::fs::write(folder.path().join("engine.sh"), script).expect("it can be written");
        Self { folder, options: LaunchOptions::new(ClockSource::Wall, Stop::default()) }
    }

    /// The spec of the engine.
    pub fn spec(&self) -> EngineSpec {
        let folder = self.folder.path().display();
        format!("sh,name=Mock,args=engine.sh,dir={folder}").parse().expect("sound")
    }

    /// Starts the engine.
    pub fn launch(&self) -> Result<Box<dyn Player>, EngineFault> {
        launch(&self.spec(), &self.options)
    }

    /// The lines that it wrote to the file `said`.
    #[expect(clippy::disallowed_methods, reason = "what a mock engine notes is read")]
    pub fn said(&self) -> Vec<String> {
        let said = std::fs::read_to_string(self.folder.path().join("said")).unwrap_or_default();
        said.lines().map(str::to_owned).collect()
    }
}
