//! Seeded bugs in what the table stores. Each makes a plain alpha-beta search store or use a wrong value,
//! which no suite shows surely: a suite sees moves and scores of the full search.

use super::*;
use super::{SMALL, plain, untrue};
use crate::mutants::Mutant;
use crate::table::HashFifty;

fn seeded(settings: &Settings, mutant: Option<Mutant>) -> Settings {
    Settings { bug: mutant.map_or(SeededBug::NONE, SeededBug::new), ..*settings }
}

/// The number of wrong entries after searches of small endings without probing.
fn wrong_entries(scores: HashScores, mutant: Option<Mutant>) -> usize {
    let settings = seeded(&plain(scores, false), mutant);
    let roots = SMALL.iter().map(|fen| fen.parse::<Board>().expect("sound"));
    let wrong = |root: Board| -> usize {
        let of_move = |mv| {
            let mut memory = SearchMemory::new(1, HashBounds::Single);
            ask(&mut memory, &Question::new(&settings, &root, mv, 5)).expect("nothing stops it");
            let mut after = root.clone();
            after.play_unchecked(mv);
            untrue(&memory, &after, 5).len()
        };
        legal_moves(&root).into_iter().map(of_move).sum()
    };
    roots.map(wrong).sum()
}

#[test]
fn shadow_mutants_store_wrong_entries() {
    for mutant in [Mutant::ShadowResetToScore, Mutant::ShadowOfBestMove] {
        assert!(wrong_entries(HashScores::Shadow, Some(mutant)) > 0, "{mutant}");
    }
    assert_eq!(wrong_entries(HashScores::Shadow, None), 0);
}

#[test]
fn quiescence_mutant_loses_the_dependence_on_the_path() {
    let found = |mutant| evasion_that_repeats(&seeded(&plain(HashScores::Shadow, false), mutant)).dependence;
    assert_eq!(found(None), PathDependence::on_ply(1));
    assert_eq!(found(Some(Mutant::QuiescencePathIgnored)), PathDependence::NONE);
}

#[test]
fn open_guard_hides_repetitions() {
    for scores in [HashScores::Guarded, HashScores::BaseTwin] {
        let wrong = |mutant| {
            let found = baits::values_and_truths(&seeded(&plain(scores, true), mutant));
            found.iter().filter(|[value, truth]| value != truth).count()
        };
        assert_eq!(wrong(None), 0, "{scores}");
        assert!(wrong(Some(Mutant::GuardOpen)) > 0, "{scores}");
    }
}

#[test]
fn twins_without_path_and_entries_without_counters_give_wrong_values() {
    let wrong = |mutant| {
        let with = |cuts| {
            seeded(&Settings { hash_fifty: HashFifty::Bounds, ..plain(HashScores::BaseTwin, cuts) }, mutant)
        };
        fifty::wrong_values(&with(true), &with(false)).0
    };
    assert_eq!(wrong(None), 0);
    for mutant in [Mutant::TwinPathIgnored, Mutant::EntryCountersIgnored] {
        assert!(wrong(Some(mutant)) > 0, "{mutant}");
    }
}
