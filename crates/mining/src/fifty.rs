//! Moves whose result depends on the fifty-move counter, each with the counter of an earlier search of the
//! same position that had the other result.
//!
//! The first search fills the hash table, and an engine whose table does not know the counter may answer the
//! second one wrong. All cases have a queen or a rook against a bare king: only a capture by the king resets
//! the counter, and then nothing is left to win with. So the tables know what the rule does to a win. Echo's
//! MTD(f) selects the cases, since its windows have zero width: a principal-variation search corrects most
//! wrong scores with its open windows.

use std::num::NonZeroUsize;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Position};

use super::random_positions::{self, NameCounter};
use super::{engine_query, ordered_parallel, rules};
use threefold_chess::position::GamePosition;
use threefold_echo::Echo;
use threefold_echo::table::HashFifty;
use threefold_named_enum::named_enum;
use threefold_oracle::{Material, Referee, Tables, Wdl};
use threefold_suites::kinds::rule;
use threefold_suites::trap::{AnswerSource, TrueResult};

named_enum! {
    /// The values of Echo's option `HashFifty` that answer a case wrong.
    pub enum FiftyClass {
        /// A win after a search near the limit; wrong with `Ignore` alone.
        Ignore = "ignore",
        /// A win after a search near the limit; wrong with `Ignore` and `Late`.
        Late = "late",
        /// A draw by the rule after a search with a fresh counter; right with `Bounds` alone.
        Keyed = "keyed",
    }
}

/// The endings of the cases.
const ENDINGS: [&str; 2] = ["KQK", "KRK"];
/// The counter at which a game is drawn, in plies.
const LIMIT: u32 = 100;
/// The number of positions per case before the search is given up.
const MOST_ATTEMPTS: u64 = 400_000;
/// The node limit of Echo's searches, which is that of suite `hash-fifty`.
const NODES: u64 = 5_000;
/// The columns, in order.
const COLUMNS: [&str; 9] = ["id", "class", "fen", "moves", "best", "result", "before", "source", "note"];

impl FiftyClass {
    /// The possible counters of the position, and the counter of the earlier search.
    const fn counters(self) -> (std::ops::RangeInclusive<u32>, u32) {
        match self {
            Self::Ignore | Self::Late => (0..=0, 95),
            Self::Keyed => (93..=97, 0),
        }
    }

    /// Whether an answer with this value is wrong.
    const fn is_wrong_with(self, fifty: HashFifty) -> bool {
        match self {
            Self::Ignore => matches!(fifty, HashFifty::Ignore),
            Self::Late => matches!(fifty, HashFifty::Ignore | HashFifty::Late),
            Self::Keyed => !matches!(fifty, HashFifty::Bounds),
        }
    }
}

/// The result of a move that begins a mate of this number of plies, its own included. The counter is that
/// before the move.
fn result_of(counter: u32, plies: u32) -> TrueResult {
    if counter + plies > LIMIT { TrueResult::Draw } else { TrueResult::Win }
}

/// The materials whose tables are used.
pub fn materials() -> Vec<Material> {
    ENDINGS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// The result of a move of a class, after an earlier search with the counter `before`; `None` if the counters
/// are not those of the class, or if both searches have the same result.
pub fn derive(
    tables: &Tables,
    class: FiftyClass,
    position: &GamePosition,
    mv: UciMove,
    before: u32,
) -> Option<TrueResult> {
    let referee = Referee::new(position).ok()?;
    let counter = referee.position().halfmoves();
    let (of_class, before_of_class) = class.counters();
    let fits = of_class.contains(&counter) && before == before_of_class && position.moves.is_empty();
    if !fits || referee.ending().is_some() {
        return None;
    }
    let mut after = referee;
    after.play(mv).ok()?;
    if after.ending().is_some() {
        return None;
    }
    let fact = tables.probe(after.position())?.one_ply_earlier();
    let plies = u32::from(fact.plies()?);
    let [result, other] = [counter, before].map(|counter| result_of(counter, plies));
    (fact.wdl() == Wdl::Win && result != other).then_some(result)
}

/// Whether the right values of `HashFifty` answer right, and the others wrong.
fn separates(case: &MinedFiftyCase) -> bool {
    // The last value fails most often, so it is tried first.
    HashFifty::ALL.iter().rev().all(|&fifty| is_right(case, fifty) != case.class.is_wrong_with(fifty))
}

/// Whether Echo, after the earlier search, gives the move its true result.
fn is_right(case: &MinedFiftyCase, fifty: HashFifty) -> bool {
    let mut echo = Echo::new();
    let options = [("HashFifty", fifty.name()), ("SearchDriver", "MTDF")];
    if options.iter().any(|(name, value)| echo.set(name, value).is_err()) {
        return false;
    }
    let mut score = None;
    for line in [&case.line_before, &case.history] {
        engine_query::search(&mut echo, line, NODES, &[case.mv], &mut |report| score = Some(report.score));
    }
    score.is_some_and(|score| rule::agrees(score, case.result))
}

/// A case that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MinedFiftyCase {
    /// The position of the move.
    pub history: GamePosition,
    /// The same position with the fifty-move counter of the earlier search.
    pub line_before: GamePosition,
    /// The move whose result depends on the counter.
    pub mv: UciMove,
    /// The counter of the earlier search.
    pub before: u32,
    /// Which values answer wrong.
    pub class: FiftyClass,
    /// The result of the move.
    pub result: TrueResult,
}

/// Mines this number of cases of each class; the same seed gives the same result with any number of threads.
/// `found` is called for each.
pub fn mine(
    tables: &Tables,
    seed: u64,
    per_class: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<MinedFiftyCase> {
    let mut mined: Vec<MinedFiftyCase> = Vec::new();
    for (class_number, &class) in FiftyClass::ALL.iter().enumerate() {
        for number in 0..per_class {
            let attempt = |attempt_number| {
                let stream = ((class_number * per_class + number) as u64) << 32 | attempt_number;
                draw(tables, class, &mut ordered_parallel::rng_for(seed, stream))
            };
            let if_new = |case: MinedFiftyCase| {
                mined.iter().all(|known| known.history != case.history).then_some(case)
            };
            let case = ordered_parallel::first_in_order(threads, 0..MOST_ATTEMPTS, attempt, if_new);
            mined.extend(case.inspect(|_| found()));
        }
    }
    mined
}

/// A case of the class from a random position and move, if they make one.
fn draw(tables: &Tables, class: FiftyClass, rng: &mut ChaCha8Rng) -> Option<MinedFiftyCase> {
    let material = ENDINGS.choose(rng)?.parse().ok()?;
    let here = random_positions::randomly_flipped(&random_positions::of_material(material, rng)?, rng)?;
    let (counters, before) = class.counters();
    let mv = here.legal_moves().choose(rng)?.to_uci(CastlingMode::Standard);
    let [line, line_before] = [rng.random_range(counters), before].map(|counter| {
        let start = rules::start_with_counter(&here, counter);
        start.map(|start| GamePosition { start, moves: Vec::new() })
    });
    let (line, line_before) = (line?, line_before?);
    let result = derive(tables, class, &line, mv, before)?;
    let case = MinedFiftyCase { history: line, line_before, mv, before, class, result };
    separates(&case).then_some(case)
}

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(tables: &Tables, seed: u64, per_class: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mut numbers = NameCounter::default();
    let mut rows = csv::Writer::from_writer(Vec::new());
    let mut written = rows.write_record(COLUMNS);
    for MinedFiftyCase { history: line, mv, before, class, result, .. } in
        mine(tables, seed, per_class, threads, found)
    {
        let number = numbers.next(class.name());
        written = written.and_then(|()| {
            rows.write_record([
                format!("{class}.{number:03}"),
                class.to_string(),
                line.start.to_string(),
                String::new(),
                mv.to_string(),
                result.to_string(),
                before.to_string(),
                AnswerSource::Tablebase.to_string(),
                class.summary().to_owned(),
            ])
        });
    }
    written.expect("memory takes every write, and every row has as many columns as the header");
    let rows = rows.into_inner().expect("memory takes every write");
    let rows = String::from_utf8(rows).expect("made of strings");
    format!(
        "# Moves whose result depends on the fifty-move counter: `result` is what `best` comes to, and `before` is the counter of \
         a search before, with the other result.\n\
         # Made by: threefold-lab positions fifty --seed {seed} --per-class {per_class}\n\
         {}\
         # Proven again by: threefold positions check\n\
         {rows}",
        engine_query::engine_header()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_mined_and_derived_again() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&materials(), &mut |_| {}).expect("few pieces");
        let two = NonZeroUsize::MIN.saturating_add(1);
        let mined = mine(&tables, 3, 1, two, &|| {});
        assert_eq!(mined.len(), FiftyClass::ALL.len());
        for MinedFiftyCase { class, history: line, mv, before, result, .. } in &mined {
            assert_eq!(derive(&tables, *class, line, *mv, *before), Some(*result), "{line}");
            // Other counters are of no class, and equal ones have one result.
            for wrong in [before + 1, line.start.as_setup().halfmoves] {
                assert_eq!(derive(&tables, *class, line, *mv, wrong), None, "{line} {wrong}");
            }
        }
        assert_eq!(mine(&tables, 3, 1, NonZeroUsize::MIN, &|| {}), mined);
    }

    #[test]
    fn result_depends_on_the_counter() {
        assert_eq!([95, 96].map(|counter| result_of(counter, 5)), [TrueResult::Win, TrueResult::Draw]);
    }
}
