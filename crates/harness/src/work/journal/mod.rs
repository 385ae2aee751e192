//! The journal: one `SQLite` file that holds what a run was asked to do and every job as it ended.
//!
//! A job is either in the file, whole, or it isn't: each is one transaction of a write-ahead log. A process
//! that is killed loses nothing it wrote, because the log is the operating system's by then; a power cut may
//! take the last few jobs with it (`synchronous = NORMAL`), which a resumed run then does again, and never
//! leaves half of one. A job's key is unique, so nothing can be counted twice. Whoever writes to the file keeps
//! other writers out: two processes that resume one run would do everything twice. Readers read a copy (`snapshot`).
//!
//! The log is written back into the file from time to time, and removed when the journal is closed: after an end or an
//! interruption a run is one file, and even of a killed one the file alone holds nearly everything.

mod birth;
mod contents;
mod games;
mod origin;
mod record;
mod replay;
pub mod rows;
mod run_spec;
mod session;
mod snapshot;
mod traffic;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rusqlite::{Connection, params};

pub use self::contents::{JobContext, JournalContents};
use super::job::{JobKey, JobResult, Outputs, RunSpec, WorkerId};
use crate::player::{EngineBuild, FaultTraffic};

/// Marks the file as a journal of ours: "3fld" as a number.
const APPLICATION: i32 = i32::from_be_bytes(*b"3fld");

/// The version of the tables and of what is written in them. Version 1 didn't say which slot did a job,
/// nor how a test is carried out; version 2 didn't say which builds of the engines did it, nor where the run was begun.
const VERSION: i32 = 3;

/// The log is written back after so many findings, or after this part of all findings, whichever are more, ...
const FEW_RESULTS: usize = 4;
const PART_OF_FINDINGS: usize = 16;
/// ... and after this time, so that slow findings don't wait for others.
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

/// The last traffic of engines at fault, which no result depends on.
const TRAFFIC: &str = "
    CREATE TABLE IF NOT EXISTS traffic (
        part INTEGER NOT NULL,
        job INTEGER NOT NULL,
        said TEXT NOT NULL,
        PRIMARY KEY (part, job)
    ) STRICT;
";

/// What can go wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// There is a file of this name already.
    #[error("{file}: exists already; `resume` it, remove it, or choose another name")]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The file can't be opened or made.
    #[error("{file}: can't be opened: {cause}; check the path and its permissions")]
    CannotOpen {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// Not ours.
    #[error("{file}: is no journal of a run; give the file that a run was begun with")]
    NotAJournal {
        /// The file.
        file: PathBuf,
    },
    /// From a later version of this program.
    #[error(
        "{file}: was written in format {found}, and this program reads format {VERSION}; use a newer one"
    )]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: i32,
    },
    /// Ours, but broken.
    #[error("{file}: is damaged: {what}; restore it from a copy, or begin the run anew")]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Another process has it.
    #[error("{file}: is in use by another process; wait until that run ends, or end it")]
    InUse {
        /// The file.
        file: PathBuf,
    },
    /// It can be read, not written.
    #[error(
        "{file}: can't be written: {cause}; `report` reads it where it is; to go on, `resume` a copy elsewhere, or change \
         its permissions"
    )]
    ReadOnly {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// There is no room for a new one.
    #[error("{file}: can't be written: {cause}; free some space, then give the same command again")]
    CannotCreate {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// It is read from a copy, and there is no room for that.
    #[error("{file}: can't be copied to be read: {cause}; free some space for temporary files")]
    CannotCopy {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// It can't be written to any more.
    #[error("{file}: can't be written: {cause}; free some space, then `resume` it")]
    CannotWrite {
        /// The file.
        file: PathBuf,
        /// What `SQLite` says.
        cause: rusqlite::Error,
    },
}

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    contents: JournalContents,
    /// The row of the session that is under way; none before the first.
    session: Option<i64>,
    results: usize,
    /// Faults whose traffic it holds.
    kept_traffic: usize,
    /// Findings since the log was last written back into the file, and when that was.
    logged: usize,
    written_back: SystemTime,
}

impl Journal {
    /// Begins a journal in a new file.
    pub fn create(file: &Path, spec: &RunSpec, now: SystemTime) -> Result<Self, JournalError> {
        birth::publish(file, &database_image(file, spec, now)?)?;
        Self::open_at(file, now)
    }

    /// A journal that is forgotten with the process.
    pub fn in_memory(spec: RunSpec, now: SystemTime) -> Result<Self, JournalError> {
        let file = Path::new(":memory:");
        let db = new_database(file, &spec, now)?;
        Self::of(JournalContents::of(file.to_owned(), db, Arc::new(spec)), now)
    }

    /// Opens the journal of a run that was begun before, to go on with it.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        Self::open_at(file, SystemTime::UNIX_EPOCH)
    }

    fn open_at(file: &Path, now: SystemTime) -> Result<Self, JournalError> {
        snapshot::check_writable(file)?;
        let db = replay::connect(file, file)?;
        let spec = Arc::new(replay::spec(file, &db)?);
        replay::keep_log(file, &db)?;
        replay::upgrade(file, &db)?;
        birth::remove_drafts(file);
        Self::of(JournalContents::of(file.to_owned(), db, spec), now)
    }

    fn of(contents: JournalContents, now: SystemTime) -> Result<Self, JournalError> {
        let number = |sql| contents.db.query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
        let count =
            |sql| number(sql).map(|count| count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0));
        let counts = || {
            let results = count("SELECT count(*) FROM finding")?;
            let kept_traffic = count("SELECT count(*) FROM traffic")?;
            Ok((results, kept_traffic, number("SELECT max(id) FROM session")?))
        };
        let (results, kept_traffic, session) =
            counts().map_err(|error| replay::diagnose(&contents.file, &error))?;
        Ok(Self { contents, session, results, kept_traffic, logged: 0, written_back: now })
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.contents.file
    }

    /// What the run was asked to do.
    pub const fn spec(&self) -> &Arc<RunSpec> {
        &self.contents.spec
    }

    /// What it holds by now.
    pub const fn contents(&self) -> &JournalContents {
        &self.contents
    }

    /// How many jobs are in it.
    pub const fn results(&self) -> usize {
        self.results
    }

    /// Makes this process write the results elsewhere. The journal keeps the recorded places.
    pub fn redirect(&mut self, outputs: Outputs) {
        self.contents.spec = Arc::new(RunSpec { outputs, ..(*self.contents.spec).clone() });
    }

    /// Writes down what the run is asked to do now. The jobs must be the same as before.
    pub fn renew(&mut self, spec: RunSpec) -> Result<(), JournalError> {
        let text = rows::write_spec(&spec);
        self.contents
            .db
            .execute("UPDATE run SET ordered = ?1", params![text])
            .map_err(|cause| self.cannot_write(cause))?;
        self.contents.spec = Arc::new(spec);
        Ok(())
    }

    /// From here on, jobs are done by these builds of the engines.
    pub fn begin_session(&mut self, builds: &[EngineBuild], now: SystemTime) -> Result<(), JournalError> {
        let sessions = self.contents.sessions()?;
        let known = sessions.last().map_or(&[][..], Vec::as_slice);
        let builds = session::renewed(known, builds);
        if self.session.is_none() || builds != known {
            self.contents
                .db
                .execute(
                    "INSERT INTO session (builds, begun) VALUES (?1, ?2)",
                    params![session::written(&builds), unix_millis(now)],
                )
                .map_err(|cause| self.cannot_write(cause))?;
            self.session = Some(self.contents.db.last_insert_rowid());
            self.write_back(now);
        }
        Ok(())
    }

    /// Writes down what a job came to, and in which slot it was done. When this returns, it is kept.
    pub fn record(
        &mut self,
        key: JobKey,
        result: &JobResult,
        worker: WorkerId,
        now: SystemTime,
    ) -> Result<(), JournalError> {
        const INSERT: &str = "INSERT INTO finding (part, job, found, ended, slot, session) \
                              VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let found = rows::write_result(result);
        let [part, job, worker] = [key.part, key.job, worker.0]
            .map(|number| i64::try_from(number).expect("neither orders nor machines are that large"));
        self.contents
            .db
            .prepare_cached(INSERT)
            .and_then(|mut insert| {
                insert.execute(params![part, job, found, unix_millis(now), worker, self.session])
            })
            .map_err(|cause| self.cannot_write(cause))?;
        self.results += 1;
        self.logged += 1;
        let many = self.logged >= FEW_RESULTS.max(self.results / PART_OF_FINDINGS);
        if many || now.duration_since(self.written_back).is_ok_and(|since| since >= WRITE_BACK_INTERVAL) {
            self.write_back(now);
        }
        Ok(())
    }

    /// Keeps the last traffic of the engine whose fault ended a job, unless the journal holds that of many faults already.
    /// To be called before the job is recorded: a job that is in the journal is there with all that belongs to it.
    pub fn keep_traffic(&mut self, key: JobKey, traffic: &FaultTraffic) -> Result<(), JournalError> {
        if self.kept_traffic < traffic::MOST_FAULTS {
            let added = traffic::write(&self.contents.db, key, traffic);
            self.kept_traffic += added.map_err(|cause| self.cannot_write(cause))?;
        }
        Ok(())
    }

    /// Writes the log back into the file. Where that fails, the log still holds everything, and the next attempt is the
    /// one that counts.
    fn write_back(&mut self, now: SystemTime) {
        let _ = self.contents.db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        (self.logged, self.written_back) = (0, now);
    }

    fn cannot_write(&self, cause: rusqlite::Error) -> JournalError {
        JournalError::CannotWrite { file: self.contents.file.clone(), cause }
    }
}

/// Removes a journal with whatever belongs to it.
pub fn remove(file: &Path) -> io::Result<()> {
    birth::remove(file)
}

/// The bytes of a new journal.
fn database_image(file: &Path, spec: &RunSpec, now: SystemTime) -> Result<Vec<u8>, JournalError> {
    /// Where the header says by which versions of the format the file may be written and read; 2 is a write-ahead log's.
    const FORMATS: std::ops::Range<usize> = 18..20;
    let mut db = new_database(file, spec, now)?;
    let mut image = db
        .serialize("main")
        .map_err(|cause| JournalError::CannotWrite { file: file.to_owned(), cause })?
        .to_vec();
    image[FORMATS].fill(2);
    Ok(image)
}

/// A database in memory with nothing but the order in it.
fn new_database(file: &Path, spec: &RunSpec, now: SystemTime) -> Result<Connection, JournalError> {
    let write = || {
        let db = Connection::open_in_memory()?;
        db.pragma_update(None, "application_id", APPLICATION)?;
        db.pragma_update(None, "user_version", VERSION)?;
        db.execute_batch(TABLES)?;
        db.execute_batch(SESSIONS)?;
        db.execute_batch(TRAFFIC)?;
        db.execute(
            "INSERT INTO run (id, ordered, begun) VALUES (1, ?1, ?2)",
            params![rows::write_spec(spec), unix_millis(now)],
        )?;
        Ok(db)
    };
    write().map_err(|cause| JournalError::CannotWrite { file: file.to_owned(), cause })
}

/// Milliseconds since 1970. For people who look into the file; nothing is decided by it.
fn unix_millis(now: SystemTime) -> i64 {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod older_tests;
#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod safety_tests;
#[cfg(test)]
mod tests;
