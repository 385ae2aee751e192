//! Families of openings in reports.

use std::fmt::Write as _;

use crate::sandbox::Sandbox;

#[test]
fn openings_with_moves_have_families_and_positions_have_none() {
    let sandbox = Sandbox::new();
    // 24 orders of two pawn moves; each opening is a family of its own.
    let mut book = String::new();
    for number in 0..24 {
        let file = |index: usize| char::from(b"abcdefgh"[index % 8]);
        let (first, second) = (file(number), file(number + 1 + number / 8));
        let _ = write!(book, "[Event \"{number}\"]\n\n1. {first}3 a6 2. {second}3 b6 3. h4 c6 *\n\n");
    }
    sandbox.write("book.pgn", book);
    let families = |openings: &str| -> serde_json::Value {
        let run = sandbox.run(&format!(
            "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=2,nodes=90 --nodes 60 --games 48 --maxmoves 30 \
             --order sequential --openings {openings} --out {openings}.out"
        ));
        assert_eq!(run.code, Some(0), "{}", run.err);
        let report = sandbox.read(&format!("{openings}.out/report.json"));
        let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
        report["matches"][0]["opening_families"].clone()
    };
    let known = families("book.pgn");
    assert_eq!(
        (&known["families"], &known["trials"], &known["largest"]),
        (&24.into(), &24.into(), &1.into())
    );
    assert_eq!(
        (&known["error_ratio"].as_f64().map(f64::round), &known["correlated"]),
        (&Some(1.0), &false.into())
    );
    assert!(families("book.epd").is_null());
}
