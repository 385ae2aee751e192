//! The text form of an engine: `SOURCE[,key=value]…`.
//!
//! SOURCE is `echo`, or a command whose words are separated by spaces (`"…"` keeps a path with spaces
//! together). The keys of [`HarnessKey`], in lower case, belong to the harness; anything else is a UCI
//! option. A comma inside a value is written `\,`. Any other backslash is literal, so Windows paths need no
//! escapes; only backslashes just before a comma count double.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::border_fault::BorderFault;
pub use super::spec_error::SpecError;
pub use super::spec_key::{HarnessKey, SpecKey};
use super::spec_syntax::{self, SpecSetting, SpecText};
use threefold_chess::clock::{ClockSource, Control};

/// Where an engine comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineSource {
    /// Echo, in this process.
    Echo,
    /// A child process that uses UCI.
    Command {
        /// The program: a path, or a name that the system finds.
        program: String,
        /// The arguments of the program.
        args: Vec<String>,
        /// Where it is started.
        dir: Option<PathBuf>,
    },
}

/// An engine as the user specifies it.
///
/// ```
/// use threefold_player::EngineSpec;
///
/// let spec: EngineSpec = "./engine,name=New,nodes=5000,Hash=64".parse()?;
/// assert_eq!(spec.name, "New");
/// assert_eq!(spec.control.to_string(), "nodes=5000");
/// assert_eq!(spec.options, [("Hash".to_owned(), "64".to_owned())]);
/// # Ok::<(), threefold_player::SpecError>(())
/// ```
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the text form")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSpec {
    /// The full text; parsing it again gives the same spec.
    pub text: String,
    /// The name in reports.
    pub name: String,
    /// The program that it runs.
    pub source: EngineSource,
    /// UCI options, in the order given.
    pub options: Vec<(String, String)>,
    /// Its own limits; the match provides those that are missing.
    pub control: Control,
    /// Its own source of clocks in games, if it is not the match's.
    pub pace: Option<ClockSource>,
    /// Is a new process started for every game?
    pub restart: bool,
    /// Is its output checked for warnings?
    pub warnings: bool,
    /// Does a mate score of it end a game?
    pub trust: bool,
    /// Are its scores from White's view?
    pub white_pov: bool,
    /// How long it may take to start and to get ready for a game; `None` for the time of the run.
    pub startup: Option<Duration>,
    /// Lines that it is sent before `uci`.
    pub init: Vec<String>,
    /// Is it sent `debug on` after its start?
    pub debug: bool,
    /// The file to which its standard error is appended.
    pub stderr: Option<PathBuf>,
    /// Does it think on the opponent's time?
    pub ponder: bool,
    /// The Polyglot book that its first moves are taken from.
    pub book: Option<PathBuf>,
    /// The number of full moves of a game in which the book is used.
    pub book_depth: usize,
    /// A fault injected into its interface, to prove that a suite can fail.
    pub fault: Option<BorderFault>,
}

impl EngineSpec {
    /// The value of the option `Threads`; 1 if it is not set.
    pub fn threads(&self) -> usize {
        let set = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        set.and_then(|(_, threads)| threads.parse().ok()).unwrap_or(1)
    }

    /// Adds the settings of `--each` for keys that this spec does not set.
    ///
    /// Its name does not change: settings shared by all engines do not distinguish them.
    pub fn with_defaults<K: Into<SpecKey> + Clone>(&self, defaults: &[(K, &str)]) -> Result<Self, SpecError> {
        if defaults.is_empty() {
            return Ok(self.clone());
        }
        let mut text = SpecText::parse(&self.text)?;
        let is_clock = |key: &SpecKey| matches!(key, SpecKey::Harness(key) if key.is_clock());
        let timed = text.settings.iter().any(|setting| is_clock(&setting.key));
        for (key, value) in defaults {
            let key = key.clone().into();
            // `tc` and `st` exclude each other, so a spec with either takes neither from the defaults.
            let is_shut_out = timed && is_clock(&key);
            if !is_shut_out && !text.sets(&key) {
                text.settings.push(SpecSetting::new(key, value));
            }
        }
        if !text.sets(&HarnessKey::Name.into()) {
            text.settings.push(SpecSetting::new(HarnessKey::Name.into(), &self.name));
        }
        Self::from_parts(text.to_string(), &text)
    }

    /// Adds the UCI options of another engine that this spec does not set. Returns their names, too.
    ///
    /// # Errors
    /// If a value can't be read again.
    pub fn with_options_of(&self, other: &Self) -> Result<(Self, Vec<String>), SpecError> {
        let is_own = |name: &str| self.setting(&SpecKey::Option(name.to_owned())).is_some();
        let added: Vec<&(String, String)> = other.options.iter().filter(|(name, _)| !is_own(name)).collect();
        let defaults: Vec<(SpecKey, &str)> =
            added.iter().map(|(name, value)| (SpecKey::Option(name.clone()), value.as_str())).collect();
        let names = added.iter().map(|(name, _)| name.clone()).collect();
        Ok((self.with_defaults(&defaults)?, names))
    }

    /// The engine with other settings: each pair replaces the spec's setting of its key.
    pub fn with<K: Into<SpecKey> + Clone>(&self, settings: &[(K, &str)]) -> Result<Self, SpecError> {
        let mut text = SpecText::parse(&self.text)?;
        let settings = settings.iter().map(|(key, value)| SpecSetting::new(key.clone().into(), value));
        let settings: Vec<SpecSetting> = settings.collect();
        text.settings.retain(|said| settings.iter().all(|other| other.key != said.key));
        text.settings.extend(settings);
        Self::from_parts(text.to_string(), &text)
    }

    /// The engine with another program; its arguments and settings stay.
    pub fn with_program(&self, program: &str) -> Result<Self, SpecError> {
        let mut text = SpecText::parse(&self.text)?;
        let words = spec_syntax::words(&text.source)?.into_iter().skip(1);
        let words = std::iter::once(program.to_owned()).chain(words);
        text.source = words.map(|word| spec_syntax::quoted(&word)).collect::<Vec<_>>().join(" ");
        Self::from_parts(text.to_string(), &text)
    }

    /// The spec's value for a key.
    pub fn setting(&self, key: &SpecKey) -> Option<String> {
        let settings = SpecText::parse(&self.text).ok()?.settings;
        settings.into_iter().find(|setting| setting.key == *key).map(|setting| setting.value)
    }

    /// The command line, for messages.
    pub fn command(&self) -> String {
        match &self.source {
            EngineSource::Echo => "echo".to_owned(),
            EngineSource::Command { program, args, .. } => {
                std::iter::once(program).chain(args).cloned().collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Sets a key that only an engine in a process of its own has.
    fn set_process_key(&mut self, key: HarnessKey, given: &str) -> Result<(), SpecError> {
        let wrong =
            |remedy: &str| SpecError::Value { key, given: given.to_owned(), remedy: remedy.to_owned() };
        if self.source == EngineSource::Echo {
            return Err(SpecError::NotForEcho(key));
        }
        match key {
            HarnessKey::WhitePov => self.white_pov = switch(given).ok_or_else(|| wrong(SWITCH))?,
            HarnessKey::Debug => self.debug = switch(given).ok_or_else(|| wrong(SWITCH))?,
            HarnessKey::Startup => {
                let time = given.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                let time = time.filter(|time| !time.is_zero());
                self.startup = Some(time.ok_or_else(|| wrong("give seconds above 0, such as 2.5"))?);
            }
            HarnessKey::Init => self.init = given.split("\\n").map(str::to_owned).collect(),
            _ if given.is_empty() => return Err(wrong("give a file")),
            _ => self.stderr = Some(PathBuf::from(given)),
        }
        Ok(())
    }

    fn set_key(&mut self, key: HarnessKey, given: &str) -> Result<(), SpecError> {
        let wrong =
            |remedy: &str| SpecError::Value { key, given: given.to_owned(), remedy: remedy.to_owned() };
        match key {
            HarnessKey::Name if given.trim().is_empty() => {
                return Err(wrong("give a name, or leave the key out"));
            }
            HarnessKey::Name => given.clone_into(&mut self.name),
            HarnessKey::Dir | HarnessKey::Args => match &mut self.source {
                EngineSource::Echo => return Err(SpecError::NotForEcho(key)),
                EngineSource::Command { dir, .. } if key == HarnessKey::Dir => {
                    *dir = Some(PathBuf::from(given));
                }
                EngineSource::Command { args, .. } => args.extend(spec_syntax::words(given)?),
            },
            HarnessKey::Tc
            | HarnessKey::St
            | HarnessKey::Nodes
            | HarnessKey::Depth
            | HarnessKey::TimeMargin => {
                if let Some(limit) = key.limit() {
                    self.control.set(limit, given)?;
                }
            }
            HarnessKey::Clock => self.pace = Some(given.parse()?),
            HarnessKey::Fault => {
                let fault = given.parse::<BorderFault>();
                self.fault = Some(
                    fault.map_err(|unknown| wrong(&format!("use one of {}", unknown.known.join(", "))))?,
                );
            }
            HarnessKey::Proto if given == "uci" => {}
            HarnessKey::Proto => return Err(wrong("engines are UCI only; use an adapter to UCI")),
            HarnessKey::Restart => self.restart = switch(given).ok_or_else(|| wrong(SWITCH))?,
            HarnessKey::Warnings => self.warnings = switch(given).ok_or_else(|| wrong(SWITCH))?,
            HarnessKey::Ponder => {
                self.ponder = switch(given).ok_or_else(|| wrong(SWITCH))?;
                if self.ponder && self.source == EngineSource::Echo {
                    return Err(wrong(
                        "Echo inside this process does not ponder; run it as a process: `--engine 'threefold uci,ponder=on'`",
                    ));
                }
            }
            HarnessKey::Book => self.book = Some(PathBuf::from(given)),
            HarnessKey::BookDepth => {
                let depth = given.parse().ok().filter(|&depth| depth > 0);
                self.book_depth = depth.ok_or_else(|| wrong("give a number of moves from 1"))?;
            }
            HarnessKey::Trust => self.trust = switch(given).ok_or_else(|| wrong(SWITCH))?,
            HarnessKey::WhitePov
            | HarnessKey::Startup
            | HarnessKey::Init
            | HarnessKey::Debug
            | HarnessKey::Stderr => return self.set_process_key(key, given),
        }
        Ok(())
    }
}

/// The number of full moves in which a book is used without `bookdepth`, as in cutechess-cli.
const BOOK_DEPTH: usize = 1000;

/// The remedy for a wrong switch.
const SWITCH: &str = "give `on` or `off`";

/// `on` or `off`.
fn switch(given: &str) -> Option<bool> {
    match given {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Self::from_parts(text.to_owned(), &SpecText::parse(text)?)
    }
}

impl EngineSpec {
    /// From a parsed text.
    fn from_parts(text: String, parts: &SpecText) -> Result<Self, SpecError> {
        let mut words = spec_syntax::words(&parts.source)?.into_iter();
        let program = words.next().ok_or_else(|| SpecError::NoSource(text.clone()))?;
        if program.starts_with("cmd=") {
            return Err(SpecError::PeerForm(program));
        }
        // `echo` with arguments is the command of the system.
        let (stem, source) = if program == "echo" && words.len() == 0 {
            (program, EngineSource::Echo)
        } else {
            let stem = Path::new(&program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            (
                stem.unwrap_or_else(|| program.clone()),
                EngineSource::Command { program, args: words.collect(), dir: None },
            )
        };
        let mut spec = Self {
            text,
            name: stem,
            source,
            options: Vec::new(),
            control: Control::default(),
            pace: None,
            restart: false,
            warnings: true,
            trust: false,
            white_pov: false,
            startup: None,
            init: Vec::new(),
            debug: false,
            stderr: None,
            ponder: false,
            book: None,
            book_depth: BOOK_DEPTH,
            fault: None,
        };
        for (index, setting) in parts.settings.iter().enumerate() {
            let SpecSetting { key, value, .. } = setting;
            if parts.settings[..index].iter().any(|earlier| earlier.key == *key) {
                return Err(SpecError::DuplicateKey(key.name().to_owned()));
            }
            match key {
                SpecKey::Harness(key) => spec.set_key(*key, value)?,
                SpecKey::Option(name) => spec.options.push((name.clone(), value.clone())),
            }
        }
        if !parts.sets(&HarnessKey::Name.into()) {
            for SpecSetting { written, .. } in
                parts.settings.iter().filter(|setting| setting.key.distinguishes_players())
            {
                spec.name = format!("{} {written}", spec.name);
            }
        }
        Ok(spec)
    }
}

/// The text as written.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests;
