//! How long engines are waited for: `--patience` where no clock limits a search, and `--movetime` where one does.

use std::time::Instant;

use crate::room::{DEADLINE, Room};

#[test]
fn patience_ends_a_search_that_no_clock_limits() {
    let room = Room::new();
    let hang = room.engine("hang", "go*) ;;");
    for limit in ["nodes", "depth"] {
        let limit = format!("--{limit}=9");
        let words = [
            "match",
            "--engine",
            "echo,name=E",
            "--engine",
            &hang,
            &limit,
            "--games",
            "2",
            "--openings",
            "book.epd",
            "--patience",
            "1",
            "--pgn",
            "all.pgn",
            "--run",
            "run.sqlite",
            "-j",
            "1",
        ];
        let begun = Instant::now();
        let said = room.run_words(&words);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert!(begun.elapsed() < DEADLINE / 4, "{:?}", begun.elapsed());
        let pgn = room.read("all.pgn").split_whitespace().collect::<Vec<_>>().join(" ");
        let reason =
            format!("it was not done answering `go {} 9` within 2.0 s", &limit[2..7].trim_end_matches('='));
        assert_eq!(pgn.matches(&reason).count(), 2, "{reason}: {pgn}");
        assert!(pgn.contains("--patience"), "{pgn}");
        for file in ["all.pgn", "run.sqlite"] {
            std::fs::remove_file(room.path(file)).expect("it was written");
        }
    }
}
