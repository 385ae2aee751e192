//! `tablebase`: built tables answer and verify, and damaged tables are refused.

use std::fs;

use crate::sandbox::Sandbox;

const PROBE: &str = "tablebase probe --dir tables";
/// Mate in one.
const WON: &str = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";

fn built(materials: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let output = sandbox.run(&format!("tablebase build {materials} --dir tables"));
    assert_eq!(output.code, Some(0), "{}", output.err);
    sandbox
}

#[test]
fn tables_are_built_once_with_their_dependencies() {
    let sandbox = Sandbox::new();
    let build = "tablebase build KPK KRK --dir tables";
    let output = sandbox.run(build);
    assert_eq!(output.code, Some(0), "{}", output.err);
    for line in
        ["KQK      built", "KRK      built", "KPK      built", "white mates in at most 28, black never mates"]
    {
        assert!(output.out.contains(line), "{line}:\n{}", output.out);
    }
    let made = sandbox.files();
    let output = sandbox.run(build);
    assert_eq!((output.code, output.out.matches("exists already").count()), (Some(0), 5), "{}", output.out);
    assert!(made == sandbox.files(), "made again");
    let output = sandbox.run("tablebase verify --dir tables");
    assert_eq!(output.code, Some(0), "{}", output.err);
    let positions: Vec<&str> = output.out.lines().filter(|line| line.contains("positions agree")).collect();
    assert_eq!(positions.len(), 5, "{}", output.out);
    assert!(
        positions
            .iter()
            .any(|line| line.starts_with("KPK") && line.ends_with("8 published statistics match"))
    );
}

#[test]
fn probe_prints_one_json_line() {
    let sandbox = built("KQK");
    let table = [
        (WON, r#""wdl":"win","dtm":1}"#),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", r#""wdl":"loss","dtm":0}"#),
        ("7k/8/8/8/8/1q6/8/K7 w - - 0 1", r#""wdl":"draw","dtm":null}"#),
    ];
    for (fen, says) in table {
        let output = sandbox.run_words(&PROBE.split(' ').chain([fen]).collect::<Vec<_>>());
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(output.out, format!("{{\"fen\":\"{fen}\",{says}\n"));
    }
}

type Spoil = fn(&mut Vec<u8>);

#[test]
fn damaged_table_is_refused() {
    let sandbox = built("KQK");
    let file = sandbox.path("tables/KQK.dtm");
    let sound = fs::read(&file).expect("just made");
    let table: [(&str, Spoil); 5] = [
        ("is not a table of this program", |bytes| bytes[0] ^= 1),
        ("has format version 9; this program reads version 1", |bytes| bytes[8] = 9),
        ("it is truncated or damaged", |bytes| bytes.truncate(bytes.len() / 2)),
        ("has 9 bytes", |bytes| bytes.truncate(9)),
        ("its checksum is wrong", |bytes| *bytes.last_mut().expect("bytes") ^= 1),
    ];
    for (reason, spoil) in table {
        let mut bytes = sound.clone();
        spoil(&mut bytes);
        fs::write(&file, bytes).expect("the folder is ours");
        for command in [PROBE, "tablebase verify --dir tables", "tablebase build KQK --dir tables"] {
            let fen = (command == PROBE).then_some(WON);
            let output = sandbox.run_words(&command.split(' ').chain(fen).collect::<Vec<_>>());
            assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}: {}", output.err);
            for part in ["KQK.dtm: ", reason, "remove it"] {
                assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
            }
        }
    }
}

#[test]
fn position_without_a_table_is_refused_with_a_remedy() {
    let sandbox = built("KQK");
    let table: [(&[&str], &[&str]); 6] = [
        (&["build", "KXK"], &["KXK"]),
        (&["build", "KPPKP"], &["KPPKP", "more than 251 plies"]),
        (&["build", "KQRBKN"], &["KQRBKN"]),
        (&["probe", "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1"], &["castling rights", "set the third field"]),
        (
            &["probe", "7k/8/6K1/8/8/8/8/1R6 w - - 0 1"],
            &["KRK.dtm: there is no such table", "tablebase build KRK"],
        ),
        (&["verify", "KQK", "--syzygy", "nowhere"], &["nowhere"]),
    ];
    for (arguments, parts) in table {
        let arguments = [&["tablebase"], arguments, &["--dir", "tables"]].concat();
        let output = sandbox.run_words(&arguments);
        assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{arguments:?}: {}", output.err);
        for part in parts {
            assert!(output.err.contains(part), "{arguments:?}\nlacks `{part}`:\n{}", output.err);
        }
    }
}
