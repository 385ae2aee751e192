//! Limits of an engine's process on a worker.
//!
//! A permitted engine is still a foreign program. So a worker starts it through threefold itself, which
//! limits its own process and then becomes the engine: [`wrap`] makes the spec, and [`apply_and_exec`] is
//! what the started threefold calls. Each mechanism is used where the system has it. [`Confinement::report`]
//! tries them, and says what is enforced on this machine and what is not.

#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod probe;

use std::fmt;
use std::io;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use threefold_player::{EngineSource, EngineSpec};

/// The environment variables that an engine gets, if they are set. The others of a worker may be secrets.
#[cfg(unix)]
const KEPT_VARIABLES: [&str; 7] =
    ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "OMP_NUM_THREADS"];

/// The least memory of an engine, in MiB. With less, programs end before they can write why.
pub const LEAST_MEMORY: u32 = 64;

/// The limits of an engine's process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// The most memory of the process, in MiB, at least [`LEAST_MEMORY`]. The system counts its address space
    /// (`RLIMIT_AS`): hash tables, networks, the program and its libraries, and per thread up to 72 MiB that
    /// are reserved and mostly not used.
    pub memory: NonZeroU32,
    /// The most processes and threads (`RLIMIT_NPROC`). The system counts all processes and threads of the
    /// user who runs the worker, not only those of the engine. The limit does not count for root.
    pub processes: NonZeroU32,
    /// The files and folders that the engine may read, in addition to its program and to what programs need
    /// of the system. They must exist.
    pub read: Vec<PathBuf>,
}

/// Is a limit enforced on this machine?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enforced {
    /// Yes.
    Yes,
    /// Only in part: what is missing, and why.
    Partly(&'static str),
    /// No, and why.
    No(&'static str),
}

/// Why an engine was not started.
#[derive(Debug, thiserror::Error)]
pub enum ConfinementError {
    /// The memory is too small for any program.
    #[error("--memory {0} is too small to start a program; give at least {LEAST_MEMORY} MiB")]
    Memory(NonZeroU32),
    /// A file or folder that the engine may read is missing.
    #[error("--read {path:?}: {cause}; name files and folders that exist")]
    Read {
        /// The path that `--read` names.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// The system has a mechanism, but it fails.
    #[error("{what} can't be set: {cause}; the engine is not started")]
    Limit {
        /// The name of the limit.
        what: &'static str,
        /// What the system reported.
        cause: String,
    },
    /// A program, an argument or a variable has a zero byte.
    #[error("{text:?} has a zero byte, which no argument of a program can have")]
    ZeroByte {
        /// The text as given.
        text: String,
    },
    /// The limited process can't become the engine.
    #[error(
        "{program:?} can't be started within {memory} MiB of address space: {cause}; check the program, and raise --memory if it needs more"
    )]
    Start {
        /// The path of the program.
        program: PathBuf,
        /// The limit, in MiB.
        memory: NonZeroU32,
        /// The error of the system.
        cause: io::Error,
    },
    /// The system has no way to limit a process and then start another program in it.
    #[error("engines can't be confined on this system; run the worker on Linux")]
    NotSupported,
}

impl Confinement {
    /// What is limited, and whether it is enforced on this machine. Tries each mechanism in a thread of its
    /// own, which then ends.
    pub fn report() -> Vec<(&'static str, Enforced)> {
        probe::report()
    }

    /// The arguments of threefold that start a program with these limits, up to and with `--`.
    fn arguments(&self) -> Vec<String> {
        let options = ["fleet", "confine", "--memory"].map(str::to_owned).into_iter();
        let read =
            self.read.iter().flat_map(|path| ["--read".to_owned(), path.to_string_lossy().into_owned()]);
        let numbers = [self.memory.to_string(), "--processes".to_owned(), self.processes.to_string()];
        options.chain(numbers).chain(read).chain(["--".to_owned()]).collect()
    }
}

/// The spec whose program is threefold, which limits itself and then starts the spec's own program. The
/// built-in Echo is not changed, since it runs inside threefold; nor is any spec on Windows, where nothing is
/// enforced.
///
/// The spec's text does not change, so call this last: what parses the text again gets the program without
/// limits.
pub fn wrap(confinement: &Confinement, own_program: &Path, spec: &EngineSpec) -> EngineSpec {
    let mut spec = spec.clone();
    if cfg!(unix)
        && let EngineSource::Command { program, args, .. } = &mut spec.source
    {
        let own = own_program.to_string_lossy().into_owned();
        let inner = std::mem::replace(program, own);
        let after = std::mem::take(args);
        *args = confinement.arguments().into_iter().chain([inner]).chain(after).collect();
    }
    spec
}

/// Limits this process and becomes the program. Returns only if that fails. Call it in a process without
/// other threads.
///
/// The program is looked for as at the start of any engine. It gets standard input, output and error of this
/// process, and of the environment only `PATH`, `HOME`, `LANG`, `LC_ALL`, `TZ`, `LD_LIBRARY_PATH` and
/// `OMP_NUM_THREADS`.
#[cfg(unix)]
pub fn apply_and_exec(confinement: &Confinement, program: &str, args: &[String]) -> ConfinementError {
    match apply_and_become(confinement, program, args) {
        Ok(never) => match never {},
        Err(error) => error,
    }
}

/// Limits this process and becomes the program. Returns only if that fails.
#[cfg(not(unix))]
pub fn apply_and_exec(_confinement: &Confinement, _program: &str, _args: &[String]) -> ConfinementError {
    ConfinementError::NotSupported
}

#[cfg(unix)]
fn apply_and_become(
    confinement: &Confinement,
    program: &str,
    args: &[String],
) -> Result<std::convert::Infallible, ConfinementError> {
    let path = threefold_player::program_from(program, Path::new(""));
    if confinement.memory.get() < LEAST_MEMORY {
        return Err(ConfinementError::Memory(confinement.memory));
    }
    for read in &confinement.read {
        std::fs::metadata(read).map_err(|cause| ConfinementError::Read { path: read.clone(), cause })?;
    }
    let in_c = |text: &std::ffi::OsStr| {
        use std::os::unix::ffi::OsStrExt;
        let zero = |_| ConfinementError::ZeroByte { text: text.to_string_lossy().into_owned() };
        std::ffi::CString::new(text.as_bytes()).map_err(zero)
    };
    let file = in_c(path.as_os_str())?;
    let words = std::iter::once(path.as_os_str()).chain(args.iter().map(std::ffi::OsStr::new));
    let words = words.map(in_c).collect::<Result<Vec<_>, _>>()?;
    let variables = KEPT_VARIABLES.iter().filter_map(|name| {
        let mut variable = std::ffi::OsString::from(name);
        variable.push("=");
        variable.push(std::env::var_os(name)?);
        Some(variable)
    });
    let variables = variables.map(|variable| in_c(&variable)).collect::<Result<Vec<_>, _>>()?;
    limits::set_sizes()?;
    #[cfg(target_os = "linux")]
    {
        linux::restrict_thread(confinement.read.iter().map(PathBuf::as_path).chain([path.as_path()]))?;
        limits::set_amounts(confinement)?;
    }
    let failed = |errno| ConfinementError::Start {
        program: path.clone(),
        memory: confinement.memory,
        cause: io::Error::from(errno),
    };
    nix::unistd::execve(&file, &words, &variables).map_err(failed)
}

/// `yes`, or what is missing.
impl fmt::Display for Enforced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yes => f.write_str("yes"),
            Self::Partly(missing) => write!(f, "partly: {missing}"),
            Self::No(reason) => write!(f, "no: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confinement() -> Confinement {
        let number = |number| NonZeroU32::new(number).expect("positive");
        Confinement { memory: number(512), processes: number(64), read: vec![PathBuf::from("/nets")] }
    }

    #[cfg(unix)]
    #[test]
    fn wrapped_spec_starts_threefold_which_starts_the_engine() {
        let spec: EngineSpec = "stockfish bench 16,Hash=64,name=S".parse().expect("a spec");
        let wrapped = wrap(&confinement(), Path::new("/bin/threefold"), &spec);
        let EngineSource::Command { program, args, dir: None } = &wrapped.source else {
            panic!("{wrapped:?}")
        };
        assert_eq!(program, "/bin/threefold");
        assert_eq!(
            args.join(" "),
            "fleet confine --memory 512 --processes 64 --read /nets -- stockfish bench 16"
        );
        assert_eq!(EngineSpec { source: spec.source.clone(), ..wrapped }, spec);
    }

    #[test]
    fn built_in_echo_is_not_wrapped() {
        let echo: EngineSpec = "echo".parse().expect("a spec");
        assert_eq!(wrap(&confinement(), Path::new("/bin/threefold"), &echo), echo);
    }

    #[test]
    fn little_memory_missing_folder_and_zero_byte_are_errors() {
        let little = Confinement { memory: NonZeroU32::MIN, ..confinement() };
        let error = apply_and_exec(&little, "true", &[]);
        assert!(matches!(error, ConfinementError::Memory(_) | ConfinementError::NotSupported), "{error}");
        let missing = Confinement { read: vec![PathBuf::from("/no such folder")], ..confinement() };
        let error = apply_and_exec(&missing, "true", &[]);
        assert!(matches!(error, ConfinementError::Read { .. } | ConfinementError::NotSupported), "{error}");
        let all = Confinement { read: Vec::new(), ..confinement() };
        let error = apply_and_exec(&all, "true", &["a\0b".to_owned()]);
        assert!(
            matches!(error, ConfinementError::ZeroByte { .. } | ConfinementError::NotSupported),
            "{error}"
        );
    }
}
