//! Reads a journal's tables, and diagnoses files that are not journals.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension, params};

use super::parallel_parsing::parse_in_order;
use super::{APPLICATION, JobContext, JournalError, TRAFFIC, VERSION, rows, void_games};
use crate::job::{JobKey, JobResult, Part, RunSpec, Task, WorkerId};

/// How long to wait for a process that is about to release the file.
const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

/// Opens a file, or its copy at `place`, for this process alone, without changing it: it may not be a
/// journal.
pub(super) fn connect(file: &Path, place: &Path) -> Result<Connection, JournalError> {
    // `Connection` is not `Sync`, so the mutex of SQLite is not needed.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(place, flags)
        .map_err(|error| JournalError::CannotOpen { file: file.to_owned(), cause: error.to_string() })?;
    let prepare = || {
        db.busy_timeout(LOCK_TIMEOUT)?;
        // In this order: a log opened with an exclusive lock needs no shared-memory file.
        db.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        // SQLite reads a file only at the first query: this one also finds a foreign file and a lock.
        db.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
    };
    match prepare() {
        Ok(check) if check == "ok" => Ok(db),
        Ok(what) => Err(JournalError::Damaged { file: file.to_owned(), what }),
        Err(error) => Err(JournalError::of_sqlite(file, &error)),
    }
}

/// Turns on the write-ahead log.
pub(super) fn keep_log(file: &Path, db: &Connection) -> Result<(), JournalError> {
    db.pragma_update(None, "journal_mode", "WAL")
        .and_then(|()| db.pragma_update(None, "synchronous", "NORMAL"))
        .map_err(|error| JournalError::of_sqlite(file, &error))
}

/// Adds the tables that a journal of 0.2 lacks, so that it can be written like any other.
pub(super) fn upgrade(file: &Path, db: &Connection) -> Result<(), JournalError> {
    let change = || {
        let transaction = db.unchecked_transaction()?;
        db.execute_batch(TRAFFIC)?;
        db.execute_batch(void_games::TABLE)?;
        transaction.commit()
    };
    change().map_err(|error| JournalError::of_sqlite(file, &error))
}

/// The specification of the run.
pub(super) fn spec(file: &Path, db: &Connection) -> Result<RunSpec, JournalError> {
    let number = |pragma| db.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let diagnose = |error: rusqlite::Error| JournalError::of_sqlite(file, &error);
    if number("application_id").map_err(diagnose)? != APPLICATION {
        return Err(JournalError::NotAJournal { file: file.to_owned() });
    }
    let found = number("user_version").map_err(diagnose)?;
    if found != VERSION {
        return Err(JournalError::OtherFormat { file: file.to_owned(), found });
    }
    let text: String = db.query_row("SELECT ordered FROM run", [], |row| row.get(0)).map_err(diagnose)?;
    rows::read_spec(&text)
        .map_err(|what| JournalError::Damaged { file: file.to_owned(), what: format!("its order: {what}") })
}

/// When the run began, in seconds since 1970.
pub(super) fn begun(file: &Path, db: &Connection) -> Result<i64, JournalError> {
    let milliseconds: i64 = db
        .query_row("SELECT begun FROM run", [], |row| row.get(0))
        .map_err(|error| JournalError::of_sqlite(file, &error))?;
    Ok(milliseconds.div_euclid(1000))
}

/// Passes every wanted result to `each` in schedule order.
pub(super) fn results(
    file: &Path,
    spec: &RunSpec,
    db: &Connection,
    wanted: &dyn Fn(JobKey) -> bool,
    each: &mut dyn FnMut(JobKey, JobResult) -> Result<(), String>,
) -> Result<(), JournalError> {
    let diagnose = |error: rusqlite::Error| JournalError::of_sqlite(file, &error);
    let mut select =
        db.prepare("SELECT part, job, found FROM finding ORDER BY part, job").map_err(diagnose)?;
    let mut rows = select.query([]).map_err(diagnose)?;
    let next = || {
        while let Some(row) = rows.next().map_err(diagnose)? {
            let key = || Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?));
            let (part, job) = key().map_err(diagnose)?;
            let key = JobKey { part: part as usize, job: job as usize };
            if wanted(key) {
                return Ok(Some((key, row.get(2).map_err(diagnose)?)));
            }
        }
        Ok(None)
    };
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    parse_in_order(threads, next, |key, parsed| {
        let taken = parsed.and_then(|result| each(key, result));
        taken.map_err(|what| damaged(file, spec, key, &what))
    })
}

/// Passes the results of these jobs to `each`, in this order, as far as the journal has them.
pub(super) fn results_of(
    file: &Path,
    spec: &RunSpec,
    db: &Connection,
    keys: &[JobKey],
    each: &mut dyn FnMut(JobKey, JobResult) -> Result<(), String>,
) -> Result<(), JournalError> {
    let diagnose = |error: rusqlite::Error| JournalError::of_sqlite(file, &error);
    let mut select =
        db.prepare("SELECT found FROM finding WHERE part = ?1 AND job = ?2").map_err(diagnose)?;
    for &key in keys {
        let [part, job] = [key.part, key.job].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let text = select.query_row(params![part, job], |row| row.get::<_, String>(0)).optional();
        let Some(text) = text.map_err(diagnose)? else { continue };
        let taken = rows::read_result(&text).and_then(|result| each(key, result));
        taken.map_err(|what| damaged(file, spec, key, &what))?;
    }
    Ok(())
}

/// A journal whose result of a job is wrong.
fn damaged(file: &Path, spec: &RunSpec, key: JobKey, what: &str) -> JournalError {
    JournalError::Damaged { file: file.to_owned(), what: format!("{}: {what}", name_of(spec, key)) }
}

/// A job as reports name it.
fn name_of(spec: &RunSpec, JobKey { part, job }: JobKey) -> String {
    match spec.parts.get(part) {
        Some(Part { name, task: Task::Match(_), .. }) => format!("game {} of `{name}`", job + 1),
        Some(Part { name, task: Task::Suite(_), .. }) => format!("case {} of `{name}`", job + 1),
        None => format!("job {job} of part {part}"),
    }
}

/// The circumstances of each job.
pub(super) fn job_contexts(
    file: &Path,
    db: &Connection,
) -> Result<BTreeMap<JobKey, JobContext>, JournalError> {
    let read = || {
        let mut select = db.prepare("SELECT part, job, slot, session FROM finding")?;
        let rows = select.query_map([], |row| {
            let [part, job] = [row.get::<_, u32>(0)?, row.get(1)?].map(|number| number as usize);
            let worker = row.get::<_, Option<u32>>(2)?.map(|worker| WorkerId(worker as usize));
            // Rows of sessions are numbered from 1 and are never removed.
            let session = row.get::<_, Option<u32>>(3)?.and_then(|row| (row as usize).checked_sub(1));
            Ok((JobKey { part, job }, JobContext { worker, session }))
        })?;
        rows.collect::<rusqlite::Result<_>>()
    };
    read().map_err(|error| JournalError::of_sqlite(file, &error))
}
