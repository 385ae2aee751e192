//! Builds missing tables in layers: fewer pieces first, then fewer pawns.
//!
//! The tables of a layer are independent. Small ones are built in parallel, a large one with all threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::index::PositionIndex;
use super::material::Material;
use super::retrograde::{self, MateTooLong};
use super::table::Table;
use super::tables::{LARGE, TableError, Tables};

impl Tables {
    /// Builds the missing tables of these materials and of their conversions. `made` is called with each
    /// table.
    pub fn make(
        &mut self,
        wanted: &[Material],
        made: &mut (dyn FnMut(&Table) + Send),
    ) -> Result<(), TableError> {
        for layer in self.missing(wanted)? {
            let (large, small): (Vec<_>, Vec<_>) =
                layer.into_iter().partition(|&material| PositionIndex::new(material).addresses() > LARGE);
            for table in self.make_small(&small)? {
                made(&table);
                self.insert(table);
            }
            for material in large {
                let table = self.make_one(material, self.threads())?;
                made(&table);
                self.insert(table);
            }
        }
        Ok(())
    }

    fn make_small(&self, layer: &[Material]) -> Result<Vec<Table>, TableError> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut tables = Vec::new();
            while let Some(&material) = layer.get(next.fetch_add(1, Ordering::Relaxed)) {
                tables.push(self.make_one(material, NonZeroUsize::MIN)?);
            }
            Ok(tables)
        };
        thread::scope(|scope| {
            let others: Vec<_> =
                (1..self.threads().get().min(layer.len())).map(|_| scope.spawn(work)).collect();
            let mut tables = work()?;
            for other in others {
                tables.extend(other.join().expect("making a table does not panic")?);
            }
            Ok(tables)
        })
    }

    fn make_one(&self, material: Material, threads: NonZeroUsize) -> Result<Table, TableError> {
        if let Some(table) = self.mapped(material)? {
            return Ok(table);
        }
        retrograde::make(material, self, threads).map_err(|MateTooLong| TableError::TooLong(material))
    }
}
