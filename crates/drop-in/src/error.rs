//! Why the games of a command line can't be played, in the words of fastchess and cutechess-cli.

use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::words::UsageError;
use threefold_games::pairing::MOST_GAMES;
use threefold_player::SpecError;
use threefold_stats::sequential::InvalidTest;

/// The error of a file that can't be read.
pub type ReadError = Box<dyn Error + Send + Sync>;

/// Why a command line can't be played. Most begin with an upper-case letter, as these programs print them.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// An option or its words.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// No engine to check.
    #[error("Error: --compliance takes an engine")]
    NoComplianceEngine,
    /// Fewer than two engines.
    #[error("Error: at least two engines are needed; give -engine twice")]
    FewEngines,
    /// An engine that may think for ever.
    #[error("Error: engine {0} has no search limit; give tc=, st=, nodes= or depth=")]
    NoLimit(String),
    /// An engine without `cmd=`.
    #[error("Error: an engine has no command; give cmd=")]
    NoCommand,
    /// A command without a name.
    #[error("Error: `{0}` is no command")]
    NoProgramName(String),
    /// A command that is not in its folder.
    #[error("Engine binary does not exist: {}", .0.display())]
    NoProgram(PathBuf),
    /// A factor that is too small or too large.
    #[error("Error: tscale={0}: give a factor from 0.2 to 120")]
    TimeScale(String),
    /// Keys of an engine that can't be used.
    #[error("Error: engine `{command}`")]
    Engine {
        /// The engine's command, as given.
        command: String,
        /// Why.
        source: SpecError,
    },
    /// A program or a name that can't be written.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The working folder is not known.
    #[error("the current folder can't be read")]
    Folder(#[source] io::Error),
    /// No file of engines.
    #[error(
        "Error: there is no engines.json, neither here nor in ~/.config/cutechess; write the engine as cmd="
    )]
    NoEnginesFile,
    /// The file of engines can't be read.
    #[error("Error: {}", file.display())]
    Unreadable {
        /// The path of the file of engines.
        file: PathBuf,
        /// Why.
        source: ReadError,
    },
    /// The file of engines has another content.
    #[error("Error: {} is no list of engines of Cute Chess", file.display())]
    NoEngines {
        /// The path of the file of engines.
        file: PathBuf,
        /// What is wrong in it.
        source: serde_json::Error,
    },
    /// The file of engines lacks the engine.
    #[error("Error: {} has no engine {name}; it has {}", file.display(), known.join(", "))]
    UnknownEngine {
        /// The path of the file of engines.
        file: PathBuf,
        /// The name that is asked for.
        name: String,
        /// The names in the file.
        known: Vec<String>,
    },
    /// An engine of the file that can't be used.
    #[error("Error: {}: engine {name}: {cause}", file.display())]
    Entry {
        /// The path of the file of engines.
        file: PathBuf,
        /// The engine's name.
        name: String,
        /// Why.
        cause: String,
    },
    /// A position set without a book.
    #[error("Error: -variant fischerandom needs a book; give -openings file=")]
    NoBook,
    /// A knockout with a test.
    #[error("Error: -sprt: a knockout tournament has no sequential test; leave -tournament knockout out")]
    KnockoutTest,
    /// A knockout with rounds.
    #[error(
        "Error: -rounds: the number of engines decides the rounds of a knockout; give the games of an encounter by -games"
    )]
    KnockoutRounds,
    /// No games.
    #[error("Error: -games must be at least 1")]
    NoGames,
    /// Games that make no pair.
    #[error("Error: -games must be 1 or 2, and -rounds at least 1")]
    Games,
    /// More games than a schedule has.
    #[error("Error: -rounds: {0} games are more than {MOST_GAMES}; give fewer")]
    TooManyGames(usize),
    /// More games at a time than CPUs.
    #[error("Error: -concurrency {jobs} is more than the {cores} CPUs; give -force-concurrency to use it")]
    Concurrency {
        /// The number given.
        jobs: i64,
        /// The number of logical CPUs of the machine.
        cores: NonZeroUsize,
    },
    /// A test with another number of engines.
    #[error("Error: -sprt takes two engines")]
    TestEngines,
    /// A test without a hypothesis.
    #[error("Error: -sprt has no {0}=")]
    NoHypothesis(&'static str),
    /// A test that can't be made.
    #[error(transparent)]
    Test(#[from] InvalidTest),
    /// A second journal for a run that goes on.
    #[error(
        "Error: -config outname={}: the run goes on in its own journal; leave outname= out, or give stats=false",
        .0.display()
    )]
    OtherJournal(PathBuf),
}
