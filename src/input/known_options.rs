//! The UCI options of engines that ran before, for completions: no engine is started for them.
//!
//! Every run records what its engines offer, in a file of the user's cache. A file that is damaged or can't be written is
//! no error, since only suggestions depend on it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{files, user_folders};
use threefold_chess::uci::UciOption;
use threefold_player::{EngineSource, EngineSpec, program_from};

/// The most engines that are remembered; the ones that ran last are kept.
const MOST: usize = 100;

/// The file: engines, the one that ran last at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KnownOptions {
    version: u32,
    engines: Vec<KnownEngine>,
}

/// What an engine offered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KnownEngine {
    /// The absolute path of its program, and its arguments.
    command: Vec<String>,
    /// The names of its options.
    options: Vec<String>,
}

impl Default for KnownOptions {
    fn default() -> Self {
        Self { version: 1, engines: Vec::new() }
    }
}

/// Remembers the options that engines offer.
pub fn remember(offers: &[(EngineSpec, Vec<UciOption>)]) {
    if let Some(file) = file() {
        let known = read(&file);
        let mut now = known.clone();
        for (spec, options) in offers {
            now.add(spec, options);
        }
        if now != known
            && let Ok(text) = serde_json::to_string(&now)
        {
            // A cache that can't be written is no error.
            _ = files::write_whole(&file, text.as_bytes());
        }
    }
}

/// The names of the options of an engine; empty if it has not run before.
pub fn of(spec: &EngineSpec) -> Vec<String> {
    if spec.source == EngineSource::Echo {
        return threefold_echo::options::table().into_iter().map(|row| row.name.to_owned()).collect();
    }
    file().map_or_else(Vec::new, |file| read(&file).of(spec))
}

fn file() -> Option<PathBuf> {
    Some(user_folders::cache()?.join("threefold").join("engine-options.json"))
}

fn read(file: &Path) -> KnownOptions {
    let known: Option<KnownOptions> =
        files::text_if_there(file).ok().flatten().and_then(|text| serde_json::from_str(&text).ok());
    known.filter(|known| known.version == KnownOptions::default().version).unwrap_or_default()
}

impl KnownOptions {
    fn add(&mut self, spec: &EngineSpec, options: &[UciOption]) {
        let Some(command) = command(spec) else { return };
        let options = options.iter().map(|option| option.name.clone()).collect();
        let engine = KnownEngine { command, options };
        self.engines.retain(|known| known.command != engine.command);
        self.engines.push(engine);
        self.engines.drain(..self.engines.len().saturating_sub(MOST));
    }

    fn of(&self, spec: &EngineSpec) -> Vec<String> {
        let command = command(spec);
        let known = self.engines.iter().find(|known| Some(&known.command) == command.as_ref());
        known.map(|known| known.options.clone()).unwrap_or_default()
    }
}

/// The absolute path of an engine's program, and its arguments; `None` for Echo.
fn command(spec: &EngineSpec) -> Option<Vec<String>> {
    let EngineSource::Command { program, args, .. } = &spec.source else { return None };
    let program = program_from(program, Path::new("")).to_str()?.to_owned();
    Some(std::iter::once(program).chain(args.iter().cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::uci::UciOptionKind;

    #[test]
    fn options_of_the_last_run_of_an_engine_are_known() {
        let mut known = KnownOptions::default();
        let option = |name: &str| UciOption { name: name.to_owned(), kind: UciOptionKind::Button };
        let spec = |text: &str| text.parse::<EngineSpec>().expect("sound");
        known.add(&spec("./a,Hash=1"), &[option("Hash")]);
        known.add(&spec("./a --net=x"), &[option("Net")]);
        known.add(&spec("echo"), &[option("Hash")]);
        assert_eq!(known.engines.len(), 2, "Echo's are in the program");
        known.add(&spec("./a"), &[option("Hash"), option("Clear Hash")]);
        assert_eq!(known.of(&spec("./a,name=other")), ["Hash", "Clear Hash"]);
        assert_eq!(
            (known.of(&spec("./a --net=x")), known.of(&spec("./b")).len()),
            (vec!["Net".to_owned()], 0)
        );
        for number in 0..MOST {
            known.add(&spec(&format!("./engine{number}")), &[option("Hash")]);
        }
        assert_eq!((known.engines.len(), known.of(&spec("./a")).len()), (MOST, 0));
        known.add(&spec("./engine0"), &[option("Hash")]);
        known.add(&spec("./new"), &[option("Hash")]);
        assert_eq!(["./engine0", "./engine1"].map(|text| known.of(&spec(text)).len()), [1, 0]);
        let text = serde_json::to_string(&known).expect("names");
        assert_eq!(serde_json::from_str::<KnownOptions>(&text).expect("its own text"), known);
    }
}
