//! Conversions: won endings, to be won within the fifty-move rule.
//!
//! Every ending has the same number of positions, from short wins to its longest. The rules leave enough time
//! for each: mate is at most fifty moves away with a fresh counter, and the shortest way never repeats a
//! position. So the right moves mate against any defence.

use std::num::NonZeroUsize;

use shakmaty::fen::Epd;
use shakmaty::{Chess, Color, EnPassantMode, Position};

use super::mates::{drawn, head};
use super::{ordered_parallel, random_positions};
use threefold_chess::score::MateDistance;
use threefold_oracle::{Material, ProvenValue, Tables};

/// Endings that can be won.
const MATERIALS: [&str; 15] = [
    "KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KQKB", "KQKN", "KQKP", "KRKB", "KRKN", "KRKP", "KNPK",
    "KBPK", "KPKP",
];

/// The shortest win to use, in moves.
const SHORTEST: i32 = 5;

/// The counter at which the fifty-move rule ends a game, in plies. A mate at that ply counts.
pub(super) const FIFTY_MOVES: u32 = 100;

/// Random positions per number.
const DRAWS: usize = 20_000;

/// Numbers without success before a win that is one move shorter is accepted, for lengths that are rare or do
/// not exist.
pub(super) const ATTEMPTS_PER_LENGTH: u64 = 40;

/// The materials of which [`mine`] makes conversions, unless others are given.
pub fn materials() -> Vec<Material> {
    MATERIALS.iter().map(|name| name.parse().expect("the list above holds materials")).collect()
}

/// A won ending with its distance to mate, for the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WonEnding {
    /// The position in which the move is asked for.
    pub position: Chess,
    /// The distance to mate.
    pub distance: MateDistance,
}

/// Why a position is not a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAConversion {
    /// No table has it.
    #[error("no table covers the position; give one of at most four pieces")]
    NotInTables,
    /// The side to move does not win.
    #[error("the side to move does not win")]
    NotWon,
    /// Mate comes after the fifty-move rule has ended the game.
    #[error("mate takes {0} plies by the table, and the fifty-move rule leaves fewer")]
    TooLate(u16),
}

/// Derives a conversion from a position.
pub fn derive(tables: &Tables, position: &Chess) -> Result<WonEnding, NotAConversion> {
    let fact = tables.probe(position).ok_or(NotAConversion::NotInTables)?;
    let distance = fact.mate().filter(|mate| mate.is_win()).ok_or(NotAConversion::NotWon)?;
    if position.halfmoves() + u32::from(distance.plies().0) > FIFTY_MOVES {
        return Err(NotAConversion::TooLate(distance.plies().0));
    }
    Ok(WonEnding { position: position.clone(), distance })
}

/// Mines this number of conversions of these materials, at least one, without duplicate positions, taking the endings in turn. The same seed
/// gives the same result with any number of threads. `found` is called for each.
pub fn mine(
    tables: &Tables,
    materials: &[Material],
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> Vec<WonEnding> {
    let mut mined: Vec<WonEnding> = Vec::new();
    for number in 0..count {
        let material = materials[number % materials.len()];
        let longest = tables.table(material).and_then(|table| table.longest_win(Color::White));
        let Some(longest) = longest else { continue };
        let (nth, of) = (number / materials.len(), count.div_ceil(materials.len()));
        let moves = spread(longest.moves(), nth, of);
        let attempt = |piece| {
            let mut rng = ordered_parallel::rng_for(seed, (number as u64) << 32 | piece);
            let moves = moves - (piece / ATTEMPTS_PER_LENGTH) as i32;
            let wanted = |fact: ProvenValue| fact.mate().is_some_and(|mate| mate.moves() == moves);
            derive(tables, &drawn(tables, material, &mut rng, DRAWS, wanted)?).ok()
        };
        let new = |it: WonEnding| mined.iter().all(|known| known.position != it.position).then_some(it);
        // The required length falls with the attempts, and is one move at the last ones.
        let conversion =
            ordered_parallel::first_in_order(threads, 0..ATTEMPTS_PER_LENGTH * moves as u64, attempt, new);
        mined.extend(conversion.inspect(|_| found()));
    }
    mined
}

/// The `nth` `of` this number of distances, from the shortest to the longest.
pub(super) fn spread(longest: i32, nth: usize, of: usize) -> i32 {
    // Without the 2, a single position would give zero, and the division below would fail.
    let steps = i32::try_from(of.max(2) - 1).unwrap_or(i32::MAX);
    let nth = i32::try_from(nth).unwrap_or(steps).min(steps);
    SHORTEST.min(longest) + (longest - SHORTEST).max(0) * nth / steps
}

/// The file that [`mine`] makes of a seed; the same seed gives the same bytes.
pub fn file(
    tables: &Tables,
    materials: &[Material],
    seed: u64,
    count: usize,
    threads: NonZeroUsize,
    found: &dyn Fn(),
) -> String {
    let mined = mine(tables, materials, seed, count, threads, found);
    let mut made_by = format!("threefold-lab positions conversions --seed {seed} --count {count}");
    if *materials != self::materials() {
        made_by.extend(materials.iter().map(|material| format!(" --material {material}")));
    }
    let mut numbers = random_positions::NameCounter::default();
    let rows = mined.iter().map(|WonEnding { position, distance }| {
        let material = Material::from_board(position.board()).canonical().0;
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
    fn win_is_a_conversion_within_the_fifty_move_rule() {
        let mut tables = Tables::new(NonZeroUsize::MIN);
        tables.make(&["KPK".parse().expect("a material")], &mut |_| {}).expect("few pieces");
        let table = [
            // KPK with the opposition: mate in 11, which is 21 plies
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Ok(11)),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 79 90", Ok(11)),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 80 90", Err(NotAConversion::TooLate(21))),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", Err(NotAConversion::NotWon)),
            ("4k3/4P3/4K3/8/8/8/8/R7 w - - 0 1", Err(NotAConversion::NotInTables)),
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
