//! The journal: a `SQLite` file with the specification of a run and the result of every finished job.
//!
//! A job is in the file completely or not at all: each is one transaction of a write-ahead log. A killed
//! process loses nothing that it wrote, because the log is already with the operating system. A power failure
//! may lose the last few jobs (`synchronous = NORMAL`), which a resumed run repeats, but never leaves half a
//! job. A job's key is unique, so nothing is counted twice. The writer locks the file: two processes that
//! resume one run would do all jobs twice. Readers use a copy (`snapshot`).
//!
//! The log is written back into the file at intervals, and removed when the journal is closed. So after its
//! end or an interruption a run is one file, and even after a kill the file alone holds nearly all results.

mod contents;
mod error;
mod exclusion;
mod fields;
mod game_warning;
mod games;
mod job_result;
mod merging;
mod move_record;
mod origin;
mod parallel_parsing;
mod pgn_options;
mod place;
mod publish;
mod reading;
pub mod rows;
mod run_spec;
mod session;
mod shadow_end;
mod snapshot;
mod takes;
mod traffic;
mod trend;
mod tune;
mod void_games;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, params};

pub use self::contents::{JobContext, JournalContents};
pub use self::error::JournalError;
pub use self::exclusion::ExcludedResults;
use self::place::Place;
use super::job::{JobKey, JobResult, Outputs, RunSpec, WorkerId};
use super::prepared::PreparedRun;
use threefold_games::calendar::milliseconds;
use threefold_player::system::file_system;
use threefold_player::{EngineBuild, FaultTraffic};

/// The application id of a journal: "3fld" as a number.
const APPLICATION: i32 = i32::from_be_bytes(*b"3fld");

/// The version of the tables and their contents: that of 0.2, the first release. Other versions are refused.
const VERSION: i32 = 3;

/// The log is written back after this number of results, or after this share of all results, whichever is
/// larger, ...
const FEW_RESULTS: usize = 4;
const PART_OF_FINDINGS: usize = 16;
/// ... and after this time, so that slow results are not delayed by others.
const WRITE_BACK_INTERVAL: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE run (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        ordered TEXT NOT NULL,
        begun INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE finding (
        part INTEGER NOT NULL,
        job INTEGER NOT NULL,
        found TEXT NOT NULL,
        ended INTEGER NOT NULL,
        slot INTEGER,
        session INTEGER,
        PRIMARY KEY (part, job)
    ) STRICT;
";

const SESSIONS: &str = "
    CREATE TABLE session (
        id INTEGER PRIMARY KEY,
        builds TEXT NOT NULL,
        begun INTEGER NOT NULL
    ) STRICT;
";

/// The last traffic of engines with faults; no result depends on it.
const TRAFFIC: &str = "
    CREATE TABLE IF NOT EXISTS traffic (
        part INTEGER NOT NULL,
        job INTEGER NOT NULL,
        said TEXT NOT NULL,
        PRIMARY KEY (part, job)
    ) STRICT;
";

/// A journal that is open for writing.
///
/// ```
/// use std::time::SystemTime;
///
/// use threefold_games::opening::Opening;
/// use threefold_run::journal::Journal;
/// use threefold_run::{MatchTask, RunRecord, single_match};
///
/// let engines = vec!["echo,name=A".parse().expect("a spec"), "echo,name=B".parse().expect("a spec")];
/// let task = MatchTask::new(engines, vec![Opening::start_position()], 10);
/// let journal = Journal::in_memory(single_match::spec("A – B", task), SystemTime::UNIX_EPOCH)?;
/// assert_eq!(journal.results(), 0);
///
/// let record = RunRecord::from_journal(&journal).expect("a sound journal");
/// assert!(!record.is_done(), "20 games are to be played");
/// # Ok::<(), threefold_run::journal::JournalError>(())
/// ```
#[derive(Debug)]
pub struct Journal {
    contents: JournalContents,
    /// Where its file is; `None` in memory.
    place: Option<Place>,
    /// The row of the present session; none before the first.
    session: Option<i64>,
    results: usize,
    /// The number of faults with recorded traffic.
    kept_traffic: usize,
    /// Results since the log was last written back, and the time of that.
    logged: usize,
    written_back: SystemTime,
}

impl Journal {
    /// Creates a journal in a new file.
    pub fn create(file: &Path, spec: &RunSpec, now: SystemTime) -> Result<Self, JournalError> {
        publish::publish(file, &database_image(file, spec, now)?)?;
        Self::open_at(file, now)
    }

    /// A journal in memory, without a file.
    pub fn in_memory(spec: RunSpec, now: SystemTime) -> Result<Self, JournalError> {
        let file = Path::new(":memory:");
        let db = new_database(file, &spec, now)?;
        Self::from_contents(JournalContents::new(file.to_owned(), db, Arc::new(spec)), now)
    }

    /// Opens an existing journal to continue its run.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        // A time long ago, so that the first result is written back at once.
        Self::open_at(file, SystemTime::UNIX_EPOCH)
    }

    fn open_at(file: &Path, now: SystemTime) -> Result<Self, JournalError> {
        snapshot::check_writable(file)?;
        place::check_names(file)?;
        let db = reading::connect(file, file)?;
        // This fails for the database of another program, which must not be changed.
        let spec = Arc::new(reading::spec(file, &db)?);
        reading::keep_log(file, &db)?;
        reading::upgrade(file, &db)?;
        publish::remove_drafts(file);
        let place = Place::of_file(file);
        Ok(Self { place, ..Self::from_contents(JournalContents::new(file.to_owned(), db, spec), now)? })
    }

    fn from_contents(contents: JournalContents, now: SystemTime) -> Result<Self, JournalError> {
        // The `max` of no rows is NULL.
        let number = |sql| contents.db.query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
        let count =
            |sql| number(sql).map(|count| count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0));
        let counts = || {
            let results = count("SELECT count(*) FROM finding")?;
            let kept_traffic = count("SELECT count(*) FROM traffic")?;
            Ok((results, kept_traffic, number("SELECT max(id) FROM session")?))
        };
        let (results, kept_traffic, session) =
            counts().map_err(|error| JournalError::of_sqlite(&contents.file, &error))?;
        // A journal without results has nothing to check.
        contents.is_checked.store(results == 0, Relaxed);
        Ok(Self { contents, place: None, session, results, kept_traffic, logged: 0, written_back: now })
    }

    /// The path of the journal.
    pub fn file(&self) -> &Path {
        &self.contents.file
    }

    /// The specification of the run.
    pub const fn spec(&self) -> &Arc<RunSpec> {
        &self.contents.spec
    }

    /// Its present contents.
    pub const fn contents(&self) -> &JournalContents {
        &self.contents
    }

    /// The number of jobs in it.
    pub const fn results(&self) -> usize {
        self.results
    }

    /// Makes this process write the results elsewhere. The journal keeps the recorded paths.
    pub fn redirect(&mut self, outputs: Outputs) {
        self.contents.spec = Arc::new(RunSpec { outputs, ..(*self.contents.spec).clone() });
    }

    /// Replaces the specification of the run. The jobs that have results must be the same as before;
    /// [`RunRecord::under`](crate::RunRecord::under) checks that.
    ///
    /// # Errors
    /// If the run cannot be prepared under the new specification, or if the journal can't be written. It is unchanged then.
    pub fn renew(&mut self, spec: RunSpec) -> Result<(), JournalError> {
        let spec = Arc::new(spec);
        // A journal with a wrong specification could not be read any more.
        PreparedRun::prepare(Arc::clone(&spec))?;
        let text = rows::write_spec(&spec);
        self.contents
            .db
            .execute("UPDATE run SET ordered = ?1", params![text])
            .map_err(|cause| self.cannot_write(cause))?;
        self.contents.spec = spec;
        Ok(())
    }

    /// Records that from now on these builds of the engines do the jobs.
    pub fn begin_session(&mut self, builds: &[EngineBuild], now: SystemTime) -> Result<(), JournalError> {
        let sessions = self.contents.sessions()?;
        let known = sessions.last().map_or(&[][..], Vec::as_slice);
        let builds = session::renewed(known, builds);
        if self.session.is_none() || builds != known {
            self.contents
                .db
                .execute(
                    "INSERT INTO session (builds, begun) VALUES (?1, ?2)",
                    params![session::written(&builds), milliseconds(now)],
                )
                .map_err(|cause| self.cannot_write(cause))?;
            self.session = Some(self.contents.db.last_insert_rowid());
            self.write_back(now);
        }
        Ok(())
    }

    /// Records the result of a job and its worker. It is durable when this returns.
    pub fn record(
        &mut self,
        key: JobKey,
        result: &JobResult,
        worker: WorkerId,
        now: SystemTime,
    ) -> Result<(), JournalError> {
        const INSERT: &str = "INSERT INTO finding (part, job, found, ended, slot, session) \
                              VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        // SQLite goes on writing to a file that was removed or replaced, and the results would be lost with
        // the process.
        if self.place.as_ref().is_some_and(|place| !place.is_kept()) {
            return Err(JournalError::Gone { file: self.contents.file.clone() });
        }
        let found = rows::write_result(result);
        let [part, job, worker] = [key.part, key.job, worker.0]
            .map(|number| i64::try_from(number).expect("neither orders nor machines are that large"));
        self.contents
            .db
            .prepare_cached(INSERT)
            .and_then(|mut insert| {
                insert.execute(params![part, job, found, milliseconds(now), worker, self.session])
            })
            .map_err(|cause| self.cannot_write(cause))?;
        self.results += 1;
        self.logged += 1;
        // Each write-back copies the changed pages, so it becomes rarer as the journal grows; the time limit
        // bounds the log of slow runs.
        let many = self.logged >= FEW_RESULTS.max(self.results / PART_OF_FINDINGS);
        if many || now.duration_since(self.written_back).is_ok_and(|since| since >= WRITE_BACK_INTERVAL) {
            self.write_back(now);
        }
        Ok(())
    }

    /// Records the last traffic of the engine whose fault ended a job, unless the journal has that of many
    /// faults already. Call it before the job is recorded, so that a recorded job is complete.
    pub fn keep_traffic(&mut self, key: JobKey, traffic: &FaultTraffic) -> Result<(), JournalError> {
        if self.kept_traffic < traffic::MOST_FAULTS {
            let added = traffic::write(&self.contents.db, key, traffic);
            self.kept_traffic += added.map_err(|cause| self.cannot_write(cause))?;
        }
        Ok(())
    }

    /// Writes the log back into the file. If that fails, the log still has everything, and a later attempt
    /// may succeed.
    fn write_back(&mut self, now: SystemTime) {
        // `PASSIVE` does not wait for readers, such as `threefold report` on a running journal.
        let _ = self.contents.db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        (self.logged, self.written_back) = (0, now);
    }

    fn cannot_write(&self, cause: rusqlite::Error) -> JournalError {
        JournalError::CannotWrite { file: self.contents.file.clone(), cause }
    }
}

/// Is another process running the run of a journal? Systems without locks of byte ranges answer no.
///
/// This process must not have the journal open.
pub fn is_in_use(file: &Path) -> bool {
    /// The bytes that `SQLite` locks: <https://sqlite.org/src/file/src/os.h>, `PENDING_BYTE`.
    const LOCK_BYTES: std::ops::Range<i64> = 0x4000_0000..0x4000_0200;
    // Closing any handle of a file ends all POSIX locks of the process on it, those of SQLite included.
    file_system::is_locked(file, LOCK_BYTES)
}

/// Removes a journal with all its files.
pub fn remove(file: &Path) -> io::Result<()> {
    publish::remove(file)
}

/// The bytes of a new journal.
fn database_image(file: &Path, spec: &RunSpec, now: SystemTime) -> Result<Vec<u8>, JournalError> {
    /// The bytes of the header with the versions of the file format for writing and reading; 2 is a
    /// write-ahead log.
    const FORMATS: std::ops::Range<usize> = 18..20;
    let mut db = new_database(file, spec, now)?;
    let mut image = db
        .serialize("main")
        .map_err(|cause| JournalError::CannotWrite { file: file.to_owned(), cause })?
        .to_vec();
    // A database in memory cannot be in this mode, so its image is changed by hand.
    image[FORMATS].fill(2);
    Ok(image)
}

/// A database in memory that has only the specification.
fn new_database(file: &Path, spec: &RunSpec, now: SystemTime) -> Result<Connection, JournalError> {
    let write = || {
        let db = Connection::open_in_memory()?;
        db.pragma_update(None, "application_id", APPLICATION)?;
        db.pragma_update(None, "user_version", VERSION)?;
        db.execute_batch(TABLES)?;
        db.execute_batch(SESSIONS)?;
        db.execute_batch(TRAFFIC)?;
        db.execute_batch(void_games::TABLE)?;
        db.execute(
            "INSERT INTO run (id, ordered, begun) VALUES (1, ?1, ?2)",
            params![rows::write_spec(spec), milliseconds(now)],
        )?;
        Ok(db)
    };
    write().map_err(|cause| JournalError::CannotWrite { file: file.to_owned(), cause })
}

#[cfg(test)]
mod cause_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod reported_tests;
#[cfg(test)]
mod safety_tests;
#[cfg(test)]
mod spec_fixture;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod time_forfeit_tests;
