//! All tables made so far, and the making of more.
//!
//! A material's captures and promotions lead to others, so tables are made in layers: fewer men first, then
//! fewer pawns. Within a layer none needs another, and they are made side by side.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use shakmaty::{Chess, EnPassantMode, Position};

use super::fact::Fact;
use super::index::MOST_MEN;
use super::material::Material;
use super::retrograde;
use super::table::Table;

/// Why a table can't be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no table of {material}: it has {} men, and tables are made of at most {MOST_MEN}", material.men())]
pub struct TooManyMen {
    /// What was asked for.
    pub material: Material,
}

/// Where tables and positions part ways: one of the two is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{material}, address {index}: the table says {stored:?}, its successors {derived:?}")]
pub struct Disagreement {
    /// The table's material.
    pub material: Material,
    /// The address.
    pub index: usize,
    /// What stands there; `None`: no position.
    pub stored: Option<Fact>,
    /// What follows from the moves that shakmaty finds.
    pub derived: Option<Fact>,
}

/// Tables in memory, by material. A copy shares them.
#[derive(Debug, Clone)]
pub struct Tables {
    tables: BTreeMap<Material, Arc<Table>>,
    threads: NonZeroUsize,
}

impl Tables {
    /// None yet; making some will use this many threads.
    pub const fn new(threads: NonZeroUsize) -> Self {
        Self { tables: BTreeMap::new(), threads }
    }

    /// One table, if it has been made.
    pub fn table(&self, material: Material) -> Option<&Table> {
        self.tables.get(&material.canonical().0).map(Arc::as_ref)
    }

    /// Makes what is missing for these materials, their conversions included. `made` hears of each table.
    pub fn make(
        &mut self,
        wanted: &[Material],
        made: &mut (dyn FnMut(&Table) + Send),
    ) -> Result<(), TooManyMen> {
        let mut layers: BTreeMap<(usize, usize), Vec<Material>> = BTreeMap::new();
        let mut open: Vec<Material> = wanted.iter().map(|material| material.canonical().0).collect();
        while let Some(material) = open.pop() {
            if material.men() > MOST_MEN {
                return Err(TooManyMen { material });
            }
            let layer = layers.entry((material.men(), material.pawns())).or_default();
            if !material.is_bare() && !self.tables.contains_key(&material) && !layer.contains(&material) {
                layer.push(material);
                open.extend(material.after_conversion());
            }
        }
        let made = Mutex::new(made);
        for layer in layers.into_values() {
            let tables = self.make_layer(layer, &made);
            self.tables.extend(tables.into_iter().map(|table| (table.material(), Arc::new(table))));
        }
        Ok(())
    }

    fn make_layer(&self, layer: Vec<Material>, made: &Mutex<&mut (dyn FnMut(&Table) + Send)>) -> Vec<Table> {
        let open = Mutex::new(layer);
        let work = || {
            let mut tables = Vec::new();
            loop {
                let material = open.lock().expect("no maker panics while it takes a material").pop();
                let Some(material) = material else { break tables };
                let table = retrograde::make(material, self);
                made.lock().expect("who listens does not panic")(&table);
                tables.push(table);
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.get()).map(|_| scope.spawn(work)).collect();
            let mut tables = work();
            for other in others {
                tables.extend(other.join().expect("making a table does not panic"));
            }
            tables
        })
    }

    /// The value of a position, if its table has been made. Positions with castling rights stand in none.
    pub fn probe(&self, position: &Chess) -> Option<Fact> {
        if !position.castles().is_empty() {
            return None;
        }
        if position.ep_square(EnPassantMode::Legal).is_some() {
            let after: Option<Vec<Fact>> =
                position.legal_moves().into_iter().map(|mv| self.probe_after(position, mv)).collect();
            return Fact::best_of(after?);
        }
        let material = Material::of(position.board());
        if material.is_bare() {
            return Some(Fact::Draw);
        }
        self.table(material)?.probe(position)
    }

    /// The value of the position after a legal move, for the side to move there.
    pub fn probe_after(&self, position: &Chess, mv: shakmaty::Move) -> Option<Fact> {
        let mut after = position.clone();
        after.play_unchecked(mv);
        self.probe(&after)
    }

    /// Holds every `step`th address of a table against its successors, as shakmaty generates them, and says
    /// how many positions were held. `None` where the table has not been made.
    pub fn verify(&self, material: Material, step: NonZeroUsize) -> Option<Result<usize, Disagreement>> {
        let table = self.table(material)?;
        let mut held = 0;
        for index in (0..table.addresses()).step_by(step.get()) {
            let stored = table.at(index);
            let derived = table.position(index).and_then(|position| self.derive(&position));
            if stored != derived {
                return Some(Err(Disagreement { material: table.material(), index, stored, derived }));
            }
            held += usize::from(stored.is_some());
        }
        Some(Ok(held))
    }

    /// A position's value from its successors'.
    fn derive(&self, position: &Chess) -> Option<Fact> {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Some(if position.is_check() { Fact::mate_in(0) } else { Fact::Draw });
        }
        let after: Option<Vec<Fact>> = moves.into_iter().map(|mv| self.probe_after(position, mv)).collect();
        Fact::best_of(after?)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Color};

    use super::*;
    use crate::score::MateDistance;

    fn made(names: &str) -> Tables {
        let wanted: Vec<Material> = names.split(' ').map(|name| name.parse().expect("a material")).collect();
        let mut tables = Tables::new(NonZeroUsize::new(2).expect("two"));
        tables.make(&wanted, &mut |_| {}).expect("few men");
        tables
    }

    /// Holds the longest win of a table's White, in moves, and every `step`th address.
    fn hold(tables: &Tables, name: &str, moves: Option<i32>, step: usize) {
        let material = name.parse().expect("a material");
        let longest = tables.table(material).expect("made").longest_win(Color::White);
        assert_eq!(longest.map(MateDistance::moves), moves, "{name}");
        let step = NonZeroUsize::new(step).expect("a step");
        let held = tables.verify(material, step).expect("made").expect("agrees with shakmaty");
        assert!(held > 20_000, "{name}: {held}");
    }

    #[test]
    fn endings_of_three_men_have_their_known_lengths_and_agree_with_shakmaty() {
        let tables = made("KPK");
        for (name, moves) in
            [("KQK", Some(10)), ("KRK", Some(16)), ("KPK", Some(28)), ("KBK", None), ("KNK", None)]
        {
            hold(&tables, name, moves, 1);
        }
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "a minute when optimised, many without: cargo test --release")]
    fn endings_of_four_men_have_their_known_lengths_and_agree_with_shakmaty() {
        let tables = made("KPKP KRKP KNPK KBPK");
        let table = [
            ("KBBK", 19),
            ("KBNK", 33),
            ("KQKR", 35),
            ("KRKN", 40),
            ("KRKB", 29),
            ("KRKP", 26),
            ("KQKP", 28),
            ("KNPK", 27),
            ("KBPK", 31),
            ("KPKP", 33),
        ];
        for (name, moves) in table {
            hold(&tables, name, Some(moves), 61);
        }
    }

    #[test]
    fn single_positions_have_their_known_values() {
        let tables = made("KPK");
        let table = [
            ("8/8/8/8/8/8/8/K1k5 w - - 0 1", Fact::Draw),
            ("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Fact::mate_in(0)),
            ("7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", Fact::mate_in(1)),
            // The opposition decides; the same upside down.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Fact::mate_in(21)),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Fact::Draw),
            ("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1", Fact::mate_in(21)),
        ];
        for (fen, fact) in table {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
            assert_eq!(tables.probe(&position), Some(fact), "{fen}");
        }
    }

    #[test]
    fn five_men_are_refused_with_the_reason() {
        let error = Tables::new(NonZeroUsize::MIN)
            .make(&["KRPKR".parse().expect("a material")], &mut |_| {})
            .expect_err("too many");
        assert_eq!(error.to_string(), "no table of KRPKR: it has 5 men, and tables are made of at most 4");
    }
}
