//! Conversions: won endings, to be won in time.
//!
//! Every ending has as many, from short wins to its longest. The rules leave time for each: mate is at most
//! fifty moves away, counted from a fresh counter, and the shortest way never needs a position twice. So who
//! knows the way mates whatever the defender does.

use std::num::NonZeroUsize;

use shakmaty::fen::Epd;
use shakmaty::{Chess, Color, EnPassantMode, Position};

use super::mates::{drawn, head};
use super::{crew, scatter};
use threefold_chess::score::MateDistance;
use threefold_oracle::{Material, ProvenValue, Tables};

/// Endings that can be won.
const MATERIALS: [&str; 15] = [
    "KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KQKB", "KQKN", "KQKP", "KRKB", "KRKN", "KRKP", "KNPK",
    "KBPK", "KPKP",
];

/// The shortest win worth playing out, in moves.
const SHORTEST: i32 = 5;

/// The counter at which the fifty-move rule ends a game, in plies. A mate at that very ply stands.
pub(super) const FIFTY_MOVES: u32 = 100;

/// How many boards are drawn in one piece of work.
const DRAWS: usize = 20_000;

/// How many pieces of work are done in vain before a win one move shorter will do, for one that is rare or
/// does not exist.
pub(super) const PATIENCE: u64 = 40;

/// The materials whose tables [`mine`] draws from.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// A won ending with its distance to mate, for the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The position.
    pub position: Chess,
    /// The distance.
    pub distance: MateDistance,
}

/// Why a position is no conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoConversion {
    /// No table knows it.
    #[error("no table holds the position: write one of at most four men")]
    NotInTables,
    /// The side to move does not win.
    #[error("the side to move does not win")]
    NotWon,
    /// Mate comes after the fifty-move rule has ended the game.
    #[error("mate takes {0} plies by the table, and the fifty-move rule leaves fewer")]
    TooLate(u16),
}

/// Derives a conversion from its position alone.
pub fn derive(tables: &Tables, position: &Chess) -> Result<Conversion, NoConversion> {
    let fact = tables.probe(position).ok_or(NoConversion::NotInTables)?;
    let distance = fact.mate().filter(|mate| mate.is_win()).ok_or(NoConversion::NotWon)?;
    if position.halfmoves() + u32::from(distance.plies().0) > FIFTY_MOVES {
        return Err(NoConversion::TooLate(distance.plies().0));
    }
    Ok(Conversion { position: position.clone(), distance })
}

/// Mines so many, no position twice, the endings in turn. The same seed finds the same on any number of
/// threads. `found` hears of each.
pub fn mine(
    tables: &Tables,
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<Conversion> {
    let mut mined: Vec<Conversion> = Vec::new();
    for number in 0..count {
        let material = materials()[number % MATERIALS.len()];
        let longest = tables.table(material).and_then(|table| table.longest_win(Color::White));
        let Some(longest) = longest else { continue };
        let (nth, of) = (number / MATERIALS.len(), count.div_ceil(MATERIALS.len()));
        let moves = spread(longest.moves(), nth, of);
        let attempt = |piece| {
            let mut lot = crew::lot(seed, (number as u64) << 32 | piece);
            let moves = moves - (piece / PATIENCE) as i32;
            let wanted = |fact: ProvenValue| fact.mate().is_some_and(|mate| mate.moves() == moves);
            derive(tables, &drawn(tables, material, &mut lot, DRAWS, wanted)?).ok()
        };
        let new = |it: Conversion| mined.iter().all(|known| known.position != it.position).then_some(it);
        let conversion = crew::first(threads, 0..PATIENCE * moves as u64, attempt, new);
        mined.extend(conversion);
        found();
    }
    mined
}

/// The `nth` `of` so many distances, from the shortest to the longest.
pub(super) fn spread(longest: i32, nth: usize, of: usize) -> i32 {
    let steps = i32::try_from(of.max(2) - 1).unwrap_or(i32::MAX);
    let nth = i32::try_from(nth).unwrap_or(steps).min(steps);
    SHORTEST.min(longest) + (longest - SHORTEST).max(0) * nth / steps
}

/// The file that [`mine`] makes of a seed, to the byte.
pub fn file(tables: &Tables, seed: u64, count: usize, threads: NonZeroUsize, found: &dyn Fn()) -> String {
    let mined = mine(tables, seed, count, threads, found);
    let made_by = format!("threefold positions conversions --seed {seed} --count {count}");
    let mut numbers = scatter::Numbers::default();
    let rows = mined.iter().map(|Conversion { position, distance }| {
        let material = Material::of(position.board()).canonical().0;
        format!(
            "{} dm {}; id \"{material}.{:03}\"; c0 \"tablebase, {material}\";\n",
            Epd::from_position(position, EnPassantMode::Legal),
            distance.moves(),
            numbers.next(&material.to_string()),
        )
    });
    head("Won endings, mate in `dm` moves: by the table, and within the fifty-move rule.", &made_by)
        + &rows.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_spread_from_short_to_longest() {
        let spread = |longest, of| (0..of).map(|nth| spread(longest, nth, of)).collect::<Vec<i32>>();
        assert_eq!(spread(10, 6), [5, 6, 7, 8, 9, 10]);
        assert_eq!(spread(33, 3), [5, 19, 33]);
        assert_eq!(spread(4, 2), [4, 4]);
        assert_eq!(spread(20, 1), [5]);
    }

    #[test]
    fn a_win_is_a_conversion_while_the_counter_leaves_time() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few men");
        let table = [
            // KPK with the opposition: mate in 11, which is 21 plies
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Ok(11)),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 79 90", Ok(11)),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 80 90", Err(NoConversion::TooLate(21))),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Err(NoConversion::NotWon)),
            ("4k3/4P3/4K3/8/8/8/8/R7 w - - 0 1", Err(NoConversion::NotInTables)),
        ];
        for (fen, moves) in table {
            let position: Chess = fen
                .parse::<shakmaty::fen::Fen>()
                .expect("a FEN")
                .into_position(shakmaty::CastlingMode::Standard)
                .expect("a position");
            assert_eq!(derive(&tables, &position).map(|found| found.distance.moves()), moves, "{fen}");
        }
    }
}
