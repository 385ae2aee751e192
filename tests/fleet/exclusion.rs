//! A worker's results are removed from a journal, and its jobs are done again.

use std::fs;

use rusqlite::Connection;

use crate::processes::{self, Fleet};

#[test]
fn excluded_results_are_done_again() {
    if !processes::is_there() {
        return;
    }
    let mut fleet = Fleet::new();
    fleet.start_worker("");
    fleet.start_worker("");
    let command = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1,RepetitionPolicy=HistoryDraw --nodes 300 \
        --games 40 --maxmoves 40 -j 2 --run run.sqlite --out out";
    let ended = fleet.submit("fleet", command).wait();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    let games = fleet.path("fleet/out/games.pgn");
    let before = fs::read(&games).expect("games");
    let workers = || -> Vec<i64> {
        let db = Connection::open(fleet.path("fleet/run.sqlite")).expect("a journal");
        let mut select = db.prepare("SELECT slot FROM finding").expect("a journal");
        let rows = select.query_map([], |row| row.get(0)).expect("a journal");
        rows.collect::<Result<_, _>>().expect("sound")
    };
    let first = workers()[0];
    let own = workers().iter().filter(|&&worker| worker == first).count();
    let excluded = fleet.locally("fleet", &format!("fleet exclude run.sqlite --worker {first}"));
    assert_eq!(excluded.code, Some(0), "{}", excluded.text);
    assert!(excluded.text.starts_with(&format!("{own} results removed")), "{}", excluded.text);
    assert_eq!(workers().len(), 40 - own);
    let again = fleet.locally("fleet", &format!("fleet exclude run.sqlite --worker {first}"));
    assert!(again.code == Some(2) && again.text.contains("has no result of worker"), "{}", again.text);
    fs::remove_dir_all(fleet.path("fleet/out")).expect("reports");
    let ended = fleet.submit("fleet", "resume run.sqlite").wait();
    assert_eq!(ended.code, Some(0), "{}", ended.text);
    assert_eq!(workers().len(), 40);
    assert!(fs::read(&games).expect("games") == before);
}
