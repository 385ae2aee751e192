//! Endless files: an error that names the file and the limit, with bounded memory. Of a large opening book
//! only the lines that games can use are checked.

use std::io::{self, Read};
use std::os::unix::fs::symlink;

use crate::sandbox::Sandbox;

/// Memory limit of a command, in KiB: above all size limits, below an unlimited read.
const MEMORY: &str = "ulimit -v 3000000;";

#[test]
fn endless_book_is_refused() {
    let sandbox = Sandbox::new();
    // 64 members of 64 MiB, which one decoder reads as one text: more than `MEMORY`.
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    io::copy(&mut io::repeat(0).take(64 << 20), &mut packer).expect("memory");
    let member = packer.finish().expect("memory");
    sandbox.write("bomb.epd.gz", member.repeat(64));
    symlink(sandbox.path("bomb.epd.gz"), sandbox.path("bomb.pgn.gz")).expect("a link");
    symlink("/dev/zero", sandbox.path("zero.pgn")).expect("a link");
    for book in ["bomb.epd.gz", "bomb.pgn.gz", "/dev/zero", "zero.pgn"] {
        let output = sandbox.shell(&format!(
            "{MEMORY} $T match --engine echo --engine echo --nodes 10 --games 2 --openings {book}"
        ));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{book}\n{}", output.err);
        assert!(output.err.contains(&format!("error: {book}: ")), "{book}\n{}", output.err);
        assert!(output.err.contains("line 1 has more than 16 MiB"), "{book}\n{}", output.err);
    }
}

#[test]
fn endless_text_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("base/figures.json", "{}");
    symlink("/dev/zero", sandbox.path("base/cases.csv")).expect("a link");
    sandbox
        .write("endless.toml", "version = 1\nkind = \"mate\"\ntitle = \"x\"\npositions = [\"/dev/zero\"]\n");
    let table = [
        ("match --engine @/dev/zero#x --engine echo --nodes 10 --games 2 --openings book.epd", "/dev/zero"),
        ("suite /dev/zero --engine echo", "/dev/zero"),
        ("suite endless.toml --engine echo", "/dev/zero"),
        ("suite --positions /dev/zero --kind mate --engine echo", "/dev/zero"),
        ("regress --plan /dev/zero --baseline base --out new", "/dev/zero"),
        ("regress --plan plan.toml --quick --baseline base --out new", "base/cases.csv"),
        ("positions verify-proof /dev/zero", "/dev/zero"),
    ];
    for (command, file) in table {
        let output = sandbox.shell(&format!("{MEMORY} $T {command}"));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
        assert!(
            output.err.contains(&format!("{file}: line 1 has more than 16 MiB")),
            "{command}\n{}",
            output.err
        );
    }
}

#[test]
fn endless_lines_are_refused_by_total_size() {
    let sandbox = Sandbox::new();
    // A pipe that is fed for as long as anybody reads.
    let output = sandbox.shell(&format!(
        "{MEMORY} $T suite --positions <(yes '4k3/8/8/8/8/8/4P3/4K3 w - - dm 1;') --kind mate --engine echo"
    ));
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{}", output.err);
    assert!(output.err.contains("has more than 1 GiB"), "{}", output.err);
}

/// A match from a book.
const PLAYERS: &str = "match --engine echo,name=A,Hash=1 --engine echo,name=B,Hash=1 --nodes 1 --maxmoves 2 \
                       --openings large.epd --order sequential";

#[test]
fn lines_that_no_game_can_use_are_not_checked() {
    let sandbox = Sandbox::new();
    let mut lines = vec!["4k3/8/8/8/8/8/4P3/4K3 w - -"; 10_010];
    lines[10_004] = "hello";
    sandbox.write("large.epd", lines.join("\n"));
    let output = sandbox.shell(&format!("$T {PLAYERS} --games 2"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    // The line is among the openings of the games, or of those that `resume --games` can add.
    for start in [10_005, 20] {
        let output = sandbox.shell(&format!("$T {PLAYERS} --games 2 --start {start}"));
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{start}\n{}", output.err);
        assert!(
            output.err.contains("large.epd: line 10005, opening 10005: `hello`"),
            "{start}\n{}",
            output.err
        );
    }
}

#[test]
fn openings_that_are_played_again_are_reported() {
    let sandbox = Sandbox::new();
    sandbox.write("large.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/3P4/4K3 w - -\n");
    for (games, expected) in [(4, false), (6, true)] {
        let output = sandbox.shell(&format!("$T {PLAYERS} --games {games}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        let found = output.err.contains("2 openings for 3 rounds: from round 3 on they are played again");
        assert_eq!(found, expected, "{games}\n{}", output.err);
    }
}
