//! Published statistics of endings: longest mates, and numbers of won, drawn and lost positions.
//!
//! The counts are those of Syzygy's generator (`rtbgen --stats` and `rtbgenp --stats` of
//! github.com/syzygy1/tb), in the convention of [`super::wdl_counts`]. Longest mates have three sources. From
//! lists of Nalimov's maxima by Karrer on Kryukov's forum and by Conrady (Computer Chess Club, June 2000):
//! KQK, KRK, KPK, KBNK, Black's of KRKP, KBNKN. Commonly quoted: KBBK, KQKR, KRKN, KRKB, KQKP, White's of
//! KRKP, KNPK, KBPK, KPKP, KBBKN, KNNKP, KQPKQ. Measured by another program: KRPKR. All others are what our
//! tables gave when they first agreed with Syzygy's counts; they are no independent evidence, but detect
//! changes.

use shakmaty::Color;

use super::material::Material;
use super::table::Table;
use super::wdl_counts::WdlCounts;
use threefold_chess::score::MateDistance;

/// Won, drawn, lost.
type Counts = [u64; 3];

/// Endings with three and four pieces: name, longest mates of White and of Black in moves (0: none), counts
/// with White and with Black to move, for the side to move.
const SMALL: &[(&str, [i32; 2], [Counts; 2])] = &[
    ("KQK", [10, 0], [[18_081, 0, 0], [0, 2_896, 25_160]]),
    ("KRK", [16, 0], [[21_959, 0, 0], [0, 2_796, 25_260]]),
    ("KBK", [0, 0], [[0, 24_178, 0], [0, 28_056, 0]]),
    ("KNK", [0, 0], [[0, 25_750, 0], [0, 28_056, 0]]),
    ("KPK", [28, 0], [[62_480, 19_184, 0], [0, 35_210, 48_802]]),
    ("KQQK", [4, 0], [[707_175, 0, 0], [0, 35_294, 1_672_594]]),
    ("KQRK", [6, 0], [[864_052, 0, 0], [0, 17_684, 1_690_204]]),
    ("KQBK", [8, 0], [[962_339, 0, 0], [0, 160_147, 1_547_741]]),
    ("KQNK", [9, 0], [[1_030_802, 0, 0], [0, 164_666, 1_543_222]]),
    ("KQPK", [10, 0], [[3_273_697, 0, 0], [0, 145_936, 4_978_796]]),
    ("KRRK", [7, 0], [[1_040_963, 0, 0], [0, 4_900, 1_702_988]]),
    ("KRBK", [16, 0], [[1_170_995, 0, 0], [0, 150_238, 1_557_650]]),
    ("KRNK", [16, 0], [[1_238_446, 0, 0], [0, 156_789, 1_551_099]]),
    ("KRPK", [16, 0], [[3_938_586, 0, 0], [0, 125_934, 4_998_798]]),
    ("KBBK", [19, 0], [[625_902, 644_640, 0], [0, 1_004_378, 703_510]]),
    ("KBNK", [33, 0], [[1_352_913, 6_665, 0], [0, 309_147, 1_398_741]]),
    ("KBPK", [31, 0], [[4_141_811, 174_804, 0], [0, 859_923, 4_264_809]]),
    ("KNNK", [1, 0], [[154, 1_437_574, 0], [0, 1_707_858, 30]]),
    ("KNPK", [27, 0], [[4_405_320, 169_405, 0], [0, 947_832, 4_176_900]]),
    ("KPPK", [32, 0], [[3_555_030, 58_312, 0], [0, 302_686, 3_522_058]]),
    ("KQKQ", [13, 13], [[467_214, 646_911, 5_091], [467_214, 646_911, 5_091]]),
    ("KQKR", [35, 19], [[1_108_111, 8_963, 2_142], [386_313, 78_518, 883_075]]),
    ("KQKB", [17, 0], [[1_115_754, 3_462, 0], [0, 342_019, 1_137_179]]),
    ("KQKN", [21, 0], [[1_111_906, 7_310, 0], [0, 305_896, 1_261_326]]),
    ("KQKP", [28, 29], [[3_349_631, 21_317, 20], [385_976, 601_733, 3_993_795]]),
    ("KRKR", [19, 19], [[392_459, 946_389, 9_058], [392_459, 946_389, 9_058]]),
    ("KRKB", [29, 0], [[473_447, 874_459, 0], [0, 1_431_462, 47_736]]),
    ("KRKN", [40, 1], [[651_492, 696_413, 1], [4, 1_396_546, 170_672]]),
    ("KRKP", [26, 43], [[3_703_102, 340_191, 6_727], [816_810, 871_949, 3_292_745]]),
    ("KBKB", [1, 1], [[52, 1_479_132, 14], [52, 1_479_132, 14]]),
    ("KBKN", [1, 1], [[2, 1_479_195, 1], [5, 1_567_216, 1]]),
    ("KBKP", [1, 29], [[104, 4_212_608, 232_968], [1_174_317, 3_807_159, 28]]),
    ("KNKN", [1, 1], [[5, 1_567_216, 1], [5, 1_567_216, 1]]),
    ("KNKP", [7, 29], [[208, 4_095_612, 608_446], [1_622_140, 3_359_329, 35]]),
    ("KPKP", [33, 33], [[1_606_514, 1_242_545, 868_985], [1_606_514, 1_242_545, 868_985]]),
];

/// Endings with five pieces: name, longest mate of White in moves.
const FIVE: &[(&str, i32)] = &[("KBBKN", 78), ("KBNKN", 107), ("KNNKP", 115), ("KQPKQ", 124), ("KRPKR", 74)];

/// A difference between a table and published statistics.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatisticsMismatch {
    /// The longest mate differs.
    #[error("{material}: the longest mate of {winner} takes {found} moves instead of {known}")]
    Longest {
        /// The table's material.
        material: Material,
        /// The mating side.
        winner: Color,
        /// In the table; 0: no mate.
        found: i32,
        /// Published.
        known: i32,
    },
    /// The counts differ.
    #[error("{material}, {turn} to move: {found:?} instead of {known:?}")]
    Counts {
        /// The table's material.
        material: Material,
        /// The side to move.
        turn: Color,
        /// In the table.
        found: WdlCounts,
        /// Published.
        known: WdlCounts,
    },
}

/// The number of published statistics that the table agrees with; none is known for most endings with five
/// pieces.
pub fn check(table: &Table) -> Result<usize, StatisticsMismatch> {
    let material = table.material();
    let name = material.to_string();
    let longest = |winner: Color, known: i32| {
        let found = table.longest_win(winner).map_or(0, MateDistance::moves);
        if found == known {
            Ok(1)
        } else {
            Err(StatisticsMismatch::Longest { material, winner, found, known })
        }
    };
    if let Some(&(_, known)) = FIVE.iter().find(|&&(known, _)| known == name) {
        return longest(Color::White, known);
    }
    let Some((_, mates, counts)) = SMALL.iter().find(|&&(known, _, _)| known == name) else { return Ok(0) };
    let mut held = 0;
    for ((turn, &mate), &[wins, draws, losses]) in Color::ALL.into_iter().zip(mates).zip(counts) {
        held += longest(turn, mate)?;
        let (found, known) = (table.wdl_counts(turn), WdlCounts { wins, draws, losses });
        if found != known {
            return Err(StatisticsMismatch::Counts { material, turn, found, known });
        }
        held += 3;
    }
    Ok(held)
}

/// The materials of all endings with three or four pieces, in the order of the statistics.
pub fn endings(pieces: usize) -> impl Iterator<Item = Material> {
    SMALL
        .iter()
        .map(|(name, _, _)| name.parse::<Material>().expect("the names are ours"))
        .filter(move |material| material.piece_count() == pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_list_every_small_ending_once() {
        let mut listed: Vec<Material> =
            SMALL.iter().map(|(name, _, _)| name.parse().expect("a name")).collect();
        let mut all = Vec::new();
        for white in "QRBNP".chars() {
            all.push(format!("K{white}K"));
            for other in "QRBNP".chars() {
                all.extend([format!("K{white}{other}K"), format!("K{white}K{other}")]);
            }
        }
        let mut all: Vec<Material> = all.iter().map(|name| name.parse().expect("a name")).collect();
        for names in [&mut listed, &mut all] {
            names.sort_unstable();
        }
        all.dedup();
        assert_eq!(listed, all);
        assert_eq!((endings(3).count(), endings(4).count()), (5, 30));
    }
}
