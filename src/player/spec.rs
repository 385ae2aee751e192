//! How a user names an engine: `SOURCE[,key=value]…`.
//!
//! SOURCE is `echo`, or a command whose words are separated by spaces (`"…"` keeps a path with spaces in one
//! piece). Keys that [`Key`] lists, in lower case, are the harness's; anything else is a UCI option. A comma
//! inside a value is written `\,`; any other backslash stands for itself, so that Windows paths need no care,
//! except that backslashes just before a comma count double.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::fault_injector::BorderFault;
use super::pieces;
use crate::clock::control::ControlError;
use crate::clock::pace::PaceError;
use crate::clock::{Control, Pace};
use crate::closed_set;

/// Where an engine comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Echo, in this process.
    Echo,
    /// A child process that speaks UCI.
    Command {
        /// The program: a path, or a name that the system finds.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// Where it is started.
        dir: Option<PathBuf>,
    },
}

/// An engine as a user names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSpec {
    /// What was written, in full: parsing it again gives the same spec.
    pub text: String,
    /// The name in reports.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// UCI options, in the order given.
    pub options: Vec<(String, String)>,
    /// Limits of its own; what it leaves open comes from the match.
    pub control: Control,
    /// What makes its clock run in games, where that isn't left to the match.
    pub pace: Option<Pace>,
    /// Start a new process for every game?
    pub restart: bool,
    /// The fault of its interface, to prove that a suite can fail.
    pub fault: Option<BorderFault>,
}

closed_set! {
    /// The keys of a spec that are the harness's own.
    pub enum Key {
        /// The name in reports; if left out, the source with its options and limits.
        Name = "name",
        /// The folder that a command is started in.
        Dir = "dir",
        /// More arguments for a command, separated by spaces.
        Args = "args",
        /// Time control as cutechess writes it: `40/60+0.5`, `8+0.08`, `inf`.
        Tc = "tc",
        /// Seconds for each move.
        St = "st",
        /// Nodes for each move.
        Nodes = "nodes",
        /// Depth for each move, in plies.
        Depth = "depth",
        /// `on` starts a new process for every game.
        Restart = "restart",
        /// Milliseconds by which a flag may be overstepped.
        TimeMargin = "timemargin",
        /// What makes its clock run in games: `wall` or `virtual:NPS`.
        Clock = "clock",
        /// A fault injected into its interface, such as `ScoreFromWhite`, to prove that a suite can fail.
        Fault = "fault",
    }
}

impl Key {
    /// Only the exact spelling: `Nodes` would be a UCI option.
    fn of(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| key.name() == text)
    }

    /// Is it part of what tells one player from another, and so of its default name?
    const fn tells_apart(self) -> bool {
        match self {
            Self::Tc | Self::St | Self::Nodes | Self::Depth | Self::Clock | Self::Fault => true,
            Self::Name | Self::Dir | Self::Args | Self::Restart | Self::TimeMargin => false,
        }
    }
}

/// Why text names no engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing before the first comma.
    #[error("`{0}` names no engine; begin with `echo` or a command")]
    NoSource(String),
    /// A quotation mark without its partner.
    #[error("`{0}` opens a quotation mark and never closes it; add the second `\"`")]
    OpenQuote(String),
    /// A part without `=`.
    #[error("`{0}` is no key=value; write `\\,` for a comma inside a value")]
    NoValue(String),
    /// A key given twice.
    #[error("`{0}` is given twice; leave one")]
    Twice(String),
    /// A value that the key can't take.
    #[error("`{key}={given}` can't be read: {remedy}")]
    Value {
        /// One of the harness's keys.
        key: Key,
        /// What was given.
        given: String,
        /// What would be right.
        remedy: String,
    },
    /// A limit that can't be set.
    #[error(transparent)]
    Limit(#[from] ControlError),
    /// A clock that isn't known.
    #[error(transparent)]
    Clock(#[from] PaceError),
    /// A key that says how a process is started, given to the engine that needs none.
    #[error("`{0}` is for commands; Echo runs inside this process, so leave it out")]
    NotForEcho(Key),
}

impl EngineSpec {
    /// Adds what `--each` says wherever this spec says nothing of its own.
    ///
    /// Its name stays what it was without them: what all engines share tells none apart.
    pub fn with_defaults(&self, defaults: &[(&str, &str)]) -> Result<Self, SpecError> {
        if defaults.is_empty() {
            return Ok(self.clone());
        }
        let mut parts = pieces::split(&self.text);
        let pairs = parts.iter().skip(1).filter_map(|part| part.split_once('='));
        let mut given: Vec<String> = pairs.map(|(key, _)| identity(key.trim())).collect();
        let clocks = [Key::Tc.name(), Key::St.name()];
        let timed = given.iter().any(|known| clocks.contains(&known.as_str()));
        for (key, value) in defaults {
            let shut_out = timed && clocks.contains(key);
            if !shut_out && !given.contains(&identity(key)) {
                parts.push(format!("{key}={value}"));
                given.push(identity(key));
            }
        }
        if !given.contains(&identity(Key::Name.name())) {
            parts.push(format!("{}={}", Key::Name, self.name));
        }
        pieces::join(&parts).parse()
    }

    /// The same engine with other settings: each pair takes the place of what the spec says under its key.
    pub fn with(&self, settings: &[(&str, &str)]) -> Result<Self, SpecError> {
        let said = pieces::split(&self.text);
        let replaced: Vec<String> = settings.iter().map(|(key, _)| identity(key)).collect();
        let stays = |part: &&String| {
            part.split_once('=').is_none_or(|(key, _)| !replaced.contains(&identity(key.trim())))
        };
        let kept = said.iter().skip(1).filter(stays);
        let mut parts: Vec<String> = said.iter().take(1).chain(kept).cloned().collect();
        parts.extend(settings.iter().map(|(key, value)| format!("{key}={value}")));
        pieces::join(&parts).parse()
    }

    /// The command line, for people.
    pub fn command(&self) -> String {
        match &self.source {
            Source::Echo => "echo".to_owned(),
            Source::Command { program, args, .. } => {
                std::iter::once(program).chain(args).cloned().collect::<Vec<_>>().join(" ")
            }
        }
    }

    fn take(&mut self, key: Key, given: &str) -> Result<(), SpecError> {
        let wrong =
            |remedy: &str| SpecError::Value { key, given: given.to_owned(), remedy: remedy.to_owned() };
        match key {
            Key::Name if given.trim().is_empty() => return Err(wrong("give a name, or leave the key out")),
            Key::Name => given.clone_into(&mut self.name),
            Key::Dir | Key::Args => match &mut self.source {
                Source::Echo => return Err(SpecError::NotForEcho(key)),
                Source::Command { dir, .. } if key == Key::Dir => *dir = Some(PathBuf::from(given)),
                Source::Command { args, .. } => args.extend(pieces::words(given)?),
            },
            Key::Tc | Key::St | Key::Nodes | Key::Depth | Key::TimeMargin => {
                self.control.set(key.name(), given)?;
            }
            Key::Clock => self.pace = Some(given.parse()?),
            Key::Fault => {
                let fault = given.parse::<BorderFault>();
                self.fault = Some(
                    fault.map_err(|unknown| wrong(&format!("use one of {}", unknown.known.join(", "))))?,
                );
            }
            Key::Restart => match given {
                "on" => self.restart = true,
                "off" => self.restart = false,
                _ => return Err(wrong("give `on` or `off`")),
            },
        }
        Ok(())
    }
}

/// What makes a key the same as another: UCI's options don't care about case, the harness's keys do.
fn identity(key: &str) -> String {
    match Key::of(key) {
        Some(key) => key.name().to_owned(),
        None => format!("option {}", key.to_lowercase()),
    }
}

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let parts = pieces::split(text);
        let (source, pairs) = parts.split_first().ok_or_else(|| SpecError::NoSource(text.to_owned()))?;
        let mut words = pieces::words(source)?.into_iter();
        let program = words.next().ok_or_else(|| SpecError::NoSource(text.to_owned()))?;
        let (stem, source) = if program == "echo" && words.len() == 0 {
            (program, Source::Echo)
        } else {
            let stem = Path::new(&program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            (
                stem.unwrap_or_else(|| program.clone()),
                Source::Command { program, args: words.collect(), dir: None },
            )
        };
        let mut spec = Self {
            text: text.to_owned(),
            name: stem,
            source,
            options: Vec::new(),
            control: Control::default(),
            pace: None,
            restart: false,
            fault: None,
        };
        let mut given: Vec<String> = Vec::new();
        for pair in pairs {
            let (key, value) = pair.split_once('=').ok_or_else(|| SpecError::NoValue(pair.clone()))?;
            let key = key.trim();
            if key.is_empty() {
                return Err(SpecError::NoValue(pair.clone()));
            }
            if given.contains(&identity(key)) {
                return Err(SpecError::Twice(key.to_owned()));
            }
            given.push(identity(key));
            match Key::of(key) {
                Some(key) => spec.take(key, value)?,
                None => spec.options.push((key.to_owned(), value.to_owned())),
            }
        }
        if !given.contains(&identity(Key::Name.name())) {
            for pair in pairs {
                let key = pair.split_once('=').and_then(|(key, _)| Key::of(key.trim()));
                if key.is_none_or(Key::tells_apart) {
                    spec.name = format!("{} {pair}", spec.name);
                }
            }
        }
        Ok(spec)
    }
}

/// What was written.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::score::Ply;

    fn spec(text: &str) -> EngineSpec {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn settings_take_the_place_of_what_a_spec_says() {
        let table = [
            ("echo", "echo,name=E@5,nodes=5"),
            ("echo,name=E,Hash=4,nodes=9", "echo,Hash=4,name=E@5,nodes=5"),
            ("./name=x --quiet,Nodes=7", "./name=x --quiet,Nodes=7,name=E@5,nodes=5"),
        ];
        for (text, expected) in table {
            let changed = spec(text).with(&[("name", "E@5"), ("nodes", "5")]).expect("sound settings");
            assert_eq!(changed, spec(expected));
        }
    }

    #[test]
    fn a_spec_is_taken_apart() {
        let fish = spec(
            r#""./my dir/stockfish" bench,name=SF,Threads=1,Clear Hash=,args=-v "a b",dir=/tmp,Log=a\,b"#,
        );
        assert_eq!(fish.name, "SF");
        assert_eq!(fish.options, [("Threads", "1"), ("Clear Hash", ""), ("Log", "a,b")].map(own));
        let Source::Command { program, args, dir } = fish.source else { panic!("a command") };
        assert_eq!((program.as_str(), dir), ("./my dir/stockfish", Some(PathBuf::from("/tmp"))));
        assert_eq!(args, ["bench", "-v", "a b"]);
        let echo = spec("echo,st=0.25,nodes=1000,depth=9,timemargin=50,clock=virtual:3,restart=on,Nodes=7");
        assert_eq!(
            echo.control,
            Control {
                time: None,
                movetime: Some(Duration::from_millis(250)),
                nodes: Some(1000),
                depth: Some(Ply(9)),
                margin: Duration::from_millis(50),
            }
        );
        assert!(echo.restart);
        assert_eq!(echo.pace.map(|pace| pace.to_string()).as_deref(), Some("virtual:3"));
        assert_eq!((echo.source, echo.options), (Source::Echo, vec![own(("Nodes", "7"))]));
    }

    fn own((name, value): (&str, &str)) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_player_is_named_by_what_tells_it_apart() {
        let table = [
            ("echo", "echo"),
            (
                "echo,RepetitionPolicy=HistoryDraw,nodes=500,restart=off",
                "echo RepetitionPolicy=HistoryDraw nodes=500",
            ),
            ("/usr/games/stockfish", "stockfish"),
            ("./engine.sh -x,name=Mine", "Mine"),
        ];
        for (text, name) in table {
            assert_eq!(spec(text).name, name, "{text}");
        }
    }

    #[test]
    fn what_all_share_fills_the_gaps_only() {
        let each = [("tc", "8+0.08"), ("Hash", "16"), ("nodes", "9")];
        let merged = spec(r"echo,st=1,hash=4,Path=C:\x\\").with_defaults(&each).expect("sound");
        assert_eq!(merged.options, [("hash", "4"), ("Path", r"C:\x\\")].map(own));
        assert_eq!((merged.control.time, merged.control.nodes), (None, Some(9)));
        assert_eq!(merged.name, r"echo st=1 hash=4 Path=C:\x\\");
        assert_eq!(spec(&merged.text), merged);
        assert_eq!(spec("echo").with_defaults(&[("name", "all")]).expect("sound").name, "all");
    }

    #[test]
    fn every_error_names_the_culprit_and_the_remedy() {
        let table = [
            ("", "`` names no engine; begin with `echo` or a command"),
            ("\"./a b,nodes=1", "`\"./a b` opens a quotation mark and never closes it; add the second `\"`"),
            ("echo,Hash", "`Hash` is no key=value; write `\\,` for a comma inside a value"),
            ("echo,Hash=1,hash=2", "`hash` is given twice; leave one"),
            ("echo,nodes=0", "`nodes=0` can't be read; it takes a number of nodes from 1"),
            ("echo,restart=yes", "`restart=yes` can't be read: give `on` or `off`"),
            ("echo,tc=1+1,st=1", "`tc` and `st` can't be given together; keep one of them"),
            (
                "echo,clock=soon",
                "clock `soon` is not known; use `wall`, or `virtual:NPS` with nodes per second, such as `virtual:500000`",
            ),
            ("echo,dir=/tmp", "`dir` is for commands; Echo runs inside this process, so leave it out"),
        ];
        for (text, message) in table {
            assert_eq!(text.parse::<EngineSpec>().expect_err(text).to_string(), message);
        }
        assert!("echo,tc=fast".parse::<EngineSpec>().is_err());
        let unknown = "echo,fault=Late".parse::<EngineSpec>().expect_err("no such fault").to_string();
        let message = "`fault=Late` can't be read: use one of ForgetHistory, HistoryLostWithFen, ";
        assert!(unknown.starts_with(message), "{unknown}");
    }

    #[test]
    fn a_fault_is_part_of_the_players_name_and_no_option() {
        let sabotaged = spec("./engine,fault=scorefromwhite,Hash=4");
        assert_eq!(sabotaged.fault, Some(BorderFault::ScoreFromWhite));
        assert_eq!(sabotaged.options, [own(("Hash", "4"))]);
        assert_eq!(sabotaged.name, "engine fault=scorefromwhite Hash=4");
        assert_eq!(spec("./engine").fault, None);
    }
}
