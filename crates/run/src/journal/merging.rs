//! Adds the results of another journal of the same run, as they are written there.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::{Journal, JournalContents, JournalError, traffic};

impl Journal {
    /// Adds all results of a journal whose run has the same jobs, with their sessions, their traffic and their
    /// void games. Its workers get numbers of their own: they are those of another machine.
    ///
    /// # Errors
    /// If a journal can't be read or written, or if both have a result of the same job.
    pub fn add_results(&mut self, from: &JournalContents) -> Result<(), JournalError> {
        let cannot_read = |cause: rusqlite::Error| JournalError::of_sqlite(from.path(), &cause);
        let there = Rows::read(&from.db).map_err(cannot_read)?;
        let (results, kept_traffic) = (there.results.len(), self.kept_traffic);
        let added = there.write(&self.contents.db, traffic::MOST_FAULTS.saturating_sub(kept_traffic));
        let (traffic, session) = added.map_err(|cause| self.cannot_write(cause))?;
        self.results += results;
        self.kept_traffic += traffic;
        self.session = session.or(self.session);
        Ok(())
    }
}

/// Part, job, result, end, worker and session.
type ResultRow = (u32, u32, String, i64, Option<i64>, Option<i64>);

/// The rows of a journal.
struct Rows {
    /// Builds and begin, by number.
    sessions: Vec<(i64, String, i64)>,
    results: Vec<ResultRow>,
    /// Part, job and lines.
    traffic: Vec<(u32, u32, String)>,
    /// Part, job, attempt and game.
    void: Vec<(u32, u32, i64, String)>,
}

impl Rows {
    fn read(db: &Connection) -> rusqlite::Result<Self> {
        Ok(Self {
            sessions: all(db, "SELECT id, builds, begun FROM session ORDER BY id", |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?,
            results: all(
                db,
                "SELECT part, job, found, ended, slot, session FROM finding ORDER BY part, job",
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)),
            )?,
            traffic: all(db, "SELECT part, job, said FROM traffic ORDER BY part, job", |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })?,
            void: all(db, "SELECT part, job, attempt, found FROM void ORDER BY part, job, attempt", |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })?,
        })
    }

    /// Writes all rows, or none; at most this number of rows of traffic. Returns how many there were, and the
    /// last session.
    fn write(&self, db: &Connection, most_traffic: usize) -> rusqlite::Result<(usize, Option<i64>)> {
        // An error drops the transaction, which rolls it back.
        let transaction = db.unchecked_transaction()?;
        let mut sessions = BTreeMap::new();
        for (id, builds, begun) in &self.sessions {
            // Shards with the same programs are one session: reports name a change of the builds.
            let last: Option<(i64, String)> =
                all(db, "SELECT id, builds FROM session ORDER BY id DESC LIMIT 1", |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?
                .pop();
            let known = last.filter(|(_, known)| known == builds).map(|(id, _)| id);
            let new = known.map_or_else(
                || {
                    db.execute(
                        "INSERT INTO session (builds, begun) VALUES (?1, ?2)",
                        params![builds, begun],
                    )?;
                    Ok::<_, rusqlite::Error>(db.last_insert_rowid())
                },
                Ok,
            )?;
            sessions.insert(*id, new);
        }
        let workers: i64 =
            db.query_row("SELECT coalesce(max(slot) + 1, 0) FROM finding", [], |row| row.get(0))?;
        for (part, job, found, ended, worker, session) in &self.results {
            let worker = worker.map(|worker| worker + workers);
            let session = session.and_then(|session| sessions.get(&session).copied());
            db.prepare_cached(
                "INSERT INTO finding (part, job, found, ended, slot, session) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![part, job, found, ended, worker, session])?;
        }
        let kept = self.traffic.len().min(most_traffic);
        for (part, job, said) in &self.traffic[..kept] {
            db.execute(
                "INSERT INTO traffic (part, job, said) VALUES (?1, ?2, ?3)",
                params![part, job, said],
            )?;
        }
        for (part, job, attempt, found) in &self.void {
            db.execute(
                "INSERT INTO void (part, job, attempt, found) VALUES (?1, ?2, ?3, ?4)",
                params![part, job, attempt, found],
            )?;
        }
        transaction.commit()?;
        Ok((kept, sessions.into_values().last()))
    }
}

/// All rows of a query.
fn all<T>(
    db: &Connection,
    sql: &str,
    row: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut select = db.prepare(sql)?;
    let rows = select.query_map([], row)?;
    rows.collect()
}
