//! Stored values that hide a repetition.

use super::{Question, ask, plain};
use crate::feature_switches::Feature;
use crate::options::Settings;
use crate::search::thread_data::SearchMemory;
use crate::table::{HashBounds, HashScores};
use crate::value::Value;

/// Two searches: the first stores a value that hides a repetition from the second.
struct Bait {
    first: (&'static str, &'static str, i32),
    second: (&'static str, &'static str, i32),
    /// Is it the quiescence search that repeats a position, by evasions?
    quiescence: bool,
}

/// Found by random searches with cutoffs at equal depth everywhere.
const BAITS: [Bait; 4] = [
    Bait {
        first: ("8/8/8/8/8/k1p5/2P5/1K6 b - - 0 1", "a3a4", 3),
        second: ("8/8/8/8/8/k1p5/2P5/1K6 b - - 0 1", "a3b4", 7),
        quiescence: false,
    },
    Bait {
        first: ("8/8/8/8/8/k1p5/2P5/K7 w - - 0 1", "a1b1", 6),
        second: ("8/8/8/8/1k6/2p5/2P5/1K6 w - - 0 1", "b1a1", 6),
        quiescence: false,
    },
    Bait {
        first: ("8/8/8/p7/P7/1k6/8/K7 w - - 0 1", "a1b1", 4),
        second: ("8/8/8/p7/P7/k7/8/K7 b - - 0 1", "a3b4", 5),
        quiescence: false,
    },
    Bait {
        first: ("4Q1k1/6p1/8/8/8/8/qq6/7K b - - 0 1", "g8h7", 1),
        second: ("8/6pk/8/7Q/8/8/qq6/7K b - - 0 1", "h7g8", 3),
        quiescence: true,
    },
];

/// The value of the second search of each bait, and that of a search without cutoffs.
pub(super) fn values_and_truths(settings: &Settings) -> Vec<[Value; 2]> {
    let values = BAITS.iter().map(|&Bait { first, second, quiescence }| {
        [true, false].map(|cuts| {
            let mut settings = *settings;
            settings.features.switch(Feature::TableCut, cuts);
            settings.features.switch(Feature::Quiescence, quiescence);
            let mut memory = SearchMemory::new(1, HashBounds::Single);
            let mut answer = |(fen, mv, depth): (&str, &str, i32)| {
                let (root, mv) = (fen.parse().expect("sound"), mv.parse().expect("a move"));
                ask(&mut memory, &Question::new(&settings, &root, mv, depth)).expect("nothing stops it")
            };
            answer(first);
            answer(second)
        })
    });
    values.collect()
}

#[test]
fn a_stored_value_hides_no_repetition_with_guarded_scores_and_twins_alone() {
    for scores in [HashScores::Guarded, HashScores::BaseTwin, HashScores::Shadow] {
        for (number, [value, truth]) in values_and_truths(&plain(scores, true)).into_iter().enumerate() {
            assert_eq!(value == truth, scores != HashScores::Shadow, "{scores} {number}");
        }
    }
}
