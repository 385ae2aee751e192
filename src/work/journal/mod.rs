//! The journal: one `SQLite` file that holds what a run was asked to do and every job as it ended.
//!
//! A job is either in the file, whole, or it isn't: each is one transaction of a write-ahead log. A process
//! that is killed loses nothing it wrote, because the log is the operating system's by then; a power cut may
//! take the last few jobs with it (`synchronous = NORMAL`), which a resumed run then does again, and never
//! leaves half of one. A job's key is unique, so nothing can be counted twice. Whoever has the file open keeps
//! everybody else out: two processes that resume one run would do everything twice.

mod games;
mod order;
mod record;
mod replay;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rusqlite::{Connection, params};

use self::order::OrderV1;
use self::record::FindingV1;
use super::job::{Finding, JobKey, Order, Slot};

/// Marks the file as a journal of ours: "3fld" as a number.
const APPLICATION: i32 = i32::from_be_bytes(*b"3fld");

/// The version of the tables and of what is written in them. Version 1 didn't say which slot did a job,
/// nor how a test is carried out.
const VERSION: i32 = 2;

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
    Unopened {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: String,
    },
    /// Not ours.
    #[error("{file}: is no journal of a run; give the file that a run was begun with")]
    Foreign {
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
    /// It can't be written to any more.
    #[error("{file}: can't be written: {cause}; free some space, then `resume` it")]
    Unwritten {
        /// The file.
        file: PathBuf,
        /// What `SQLite` says.
        cause: rusqlite::Error,
    },
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: PathBuf,
    db: Connection,
    order: Arc<Order>,
}

impl Journal {
    /// Begins a journal in a new file.
    pub fn create(file: &Path, order: Order, now: SystemTime) -> Result<Self, JournalError> {
        File::create_new(file).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists { file: file.to_owned() },
            _ => JournalError::Unopened { file: file.to_owned(), cause: error.to_string() },
        })?;
        let db = replay::connect(file)?;
        replay::keep_log(file, &db)?;
        Self::begin(file, db, order, now)
    }

    /// A journal that is forgotten with the process.
    pub fn in_memory(order: Order, now: SystemTime) -> Result<Self, JournalError> {
        let file = Path::new(":memory:");
        let db = Connection::open_in_memory()
            .map_err(|error| JournalError::Unopened { file: file.to_owned(), cause: error.to_string() })?;
        Self::begin(file, db, order, now)
    }

    /// Opens the journal of a run that was begun before.
    pub fn open(file: &Path) -> Result<Self, JournalError> {
        let db = replay::connect(file)?;
        let order = Arc::new(replay::order(file, &db)?);
        replay::keep_log(file, &db)?;
        replay::upgrade(file, &db)?;
        Ok(Self { file: file.to_owned(), db, order })
    }

    /// Its file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What the run was asked to do.
    pub const fn order(&self) -> &Arc<Order> {
        &self.order
    }

    /// Writes down what a job came to, and in which slot it was done. When this returns, it is kept.
    pub fn record(
        &mut self,
        key: JobKey,
        finding: &Finding,
        slot: Slot,
        now: SystemTime,
    ) -> Result<(), JournalError> {
        let found = json(&FindingV1::from(finding));
        let [part, job, slot] = [key.part, key.job, slot.0]
            .map(|number| i64::try_from(number).expect("neither orders nor machines are that large"));
        self.db
            .prepare_cached("INSERT INTO finding (part, job, found, ended, slot) VALUES (?1, ?2, ?3, ?4, ?5)")
            .and_then(|mut insert| insert.execute(params![part, job, found, stamp(now), slot]))
            .map(|_| ())
            .map_err(|cause| JournalError::Unwritten { file: self.file.clone(), cause })
    }

    /// Hands out every finding in the order of the schedule. What `each` complains of is damage.
    pub fn replay(
        &self,
        each: &mut dyn FnMut(JobKey, Finding) -> Result<(), String>,
    ) -> Result<(), JournalError> {
        replay::findings(&self.file, &self.db, each)
    }

    /// In which slot each job was done, as far as the journal knows.
    pub fn slots(&self) -> Result<BTreeMap<JobKey, Slot>, JournalError> {
        replay::slots(&self.file, &self.db)
    }

    /// Everything at once or nothing: a process killed in between leaves an empty file.
    fn begin(file: &Path, db: Connection, order: Order, now: SystemTime) -> Result<Self, JournalError> {
        let write = |db: &Connection| {
            let transaction = db.unchecked_transaction()?;
            db.pragma_update(None, "application_id", APPLICATION)?;
            db.pragma_update(None, "user_version", VERSION)?;
            db.execute_batch(TABLES)?;
            db.execute(
                "INSERT INTO run (id, ordered, begun) VALUES (1, ?1, ?2)",
                params![json(&OrderV1::from(&order)), stamp(now)],
            )?;
            transaction.commit()
        };
        write(&db).map_err(|cause| JournalError::Unwritten { file: file.to_owned(), cause })?;
        Ok(Self { file: file.to_owned(), db, order: Arc::new(order) })
    }
}

fn json<T: serde::Serialize>(written: &T) -> String {
    serde_json::to_string(written).expect("no map with keys that aren't text, and no writer that fails")
}

/// Milliseconds since 1970. For people who look into the file; nothing is decided by it.
fn stamp(now: SystemTime) -> i64 {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
