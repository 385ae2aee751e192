//! The golden games: reading each file gives exactly the games and pairs of its cases.

use std::collections::BTreeMap;
use std::path::Path;

use threefold_games::pgn_results::{
    Block, Blocks, BrokenOffGames, RepeatedGames, ResultCounter, Results, scan,
};

use crate::case::Input;

/// Games by the names of White and Black: won, drawn and lost by White.
type Colours = BTreeMap<(String, String), [u64; 3]>;

/// The differences between a case and the games read from its file, in words.
pub(crate) fn disagreements(input: &Input, folder: &Path) -> Vec<String> {
    let path = folder.join(input.text("pgn"));
    let results = results(&path);
    let names: Vec<String> = input.read("players");
    let mut wrong = Vec::new();
    if input.has("games") {
        let mut expected = Colours::new();
        for (white, black, wins, draws, losses) in input.read::<Vec<(usize, usize, u64, u64, u64)>>("games") {
            expected.insert((names[white].clone(), names[black].clone()), [wins, draws, losses]);
        }
        let found = colours(&results);
        if found != expected {
            wrong.push(format!("{}: games {found:?}, expected {expected:?}", path.display()));
        }
    }
    if input.has("pairs") {
        let mut expected = BTreeMap::new();
        for (first, second, pairs) in input.read::<Vec<(usize, usize, [[u64; 3]; 3])>>("pairs") {
            add(&mut expected, [&names[first], &names[second]], pairs);
        }
        let mut found = BTreeMap::new();
        for (first, second, encounter) in results.table.encounters() {
            let players = [first, second].map(|seat| results.table.names()[seat.0].as_str());
            add(&mut found, players, encounter.pairs);
        }
        if found != expected {
            wrong.push(format!("{}: pairs {found:?}, expected {expected:?}", path.display()));
        }
    }
    wrong
}

/// Counts pairs from the side of the player whose name comes first.
fn add(
    sum: &mut BTreeMap<(String, String), [[u64; 3]; 3]>,
    [first, second]: [&str; 2],
    pairs: [[u64; 3]; 3],
) {
    for (white, row) in pairs.into_iter().enumerate() {
        for (black, count) in row.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            if first < second {
                sum.entry((first.to_owned(), second.to_owned())).or_default()[white][black] += count;
            } else {
                sum.entry((second.to_owned(), first.to_owned())).or_default()[2 - black][2 - white] += count;
            }
        }
    }
}

fn colours(results: &Results) -> Colours {
    let mut games = Colours::new();
    let names = results.table.names();
    for (first, second, encounter) in results.table.encounters() {
        let [with_white, with_black] = [(first, second), (second, first)]
            .map(|(white, black)| (names[white.0].clone(), names[black.0].clone()));
        for (result, count) in encounter.single.into_iter().enumerate().filter(|(_, count)| *count > 0) {
            games.entry(with_white.clone()).or_default()[2 - result] += count;
        }
        for (white, row) in encounter.pairs.into_iter().enumerate() {
            for (black, count) in row.into_iter().enumerate().filter(|(_, count)| *count > 0) {
                games.entry(with_white.clone()).or_default()[2 - white] += count;
                games.entry(with_black.clone()).or_default()[black] += count;
            }
        }
    }
    games
}

fn results(path: &Path) -> Results {
    let file = std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut blocks = Blocks::new(file);
    // The games of the cases are made up: only their players and results differ.
    let mut counter = ResultCounter::default().with_repeats(RepeatedGames::All);
    let mut block = Block::default();
    while blocks.next(&mut block).expect("the file is sound") {
        let block_results = scan(block.text(), blocks.head(), BrokenOffGames::Ignored);
        assert_eq!(block_results.issues, [], "{}", path.display());
        counter.count(&block_results);
    }
    counter.close()
}
