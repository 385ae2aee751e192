//! `tablebase`: what is made answers and holds, and what is damaged never answers.

use std::fs;

use crate::room::Room;

const PROBE: &str = "tablebase probe --dir tables";
/// Mate in one.
const WON: &str = "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1";

fn built(materials: &str) -> Room {
    let room = Room::new();
    let said = room.run(&format!("tablebase build {materials} --dir tables"));
    assert_eq!(said.code, Some(0), "{}", said.err);
    room
}

#[test]
fn tables_are_made_once_with_what_they_need_and_hold() {
    let room = Room::new();
    let build = "tablebase build KPK KRK --dir tables";
    let said = room.run(build);
    assert_eq!(said.code, Some(0), "{}", said.err);
    for line in
        ["KQK      made", "KRK      made", "KPK      made", "white mates in 28 at most, black never mates"]
    {
        assert!(said.out.contains(line), "{line}:\n{}", said.out);
    }
    let made = room.files();
    let said = room.run(build);
    assert_eq!((said.code, said.out.matches("is there already").count()), (Some(0), 5), "{}", said.out);
    assert!(made == room.files(), "made again");
    let said = room.run("tablebase verify --dir tables");
    assert_eq!(said.code, Some(0), "{}", said.err);
    let positions: Vec<&str> = said.out.lines().filter(|line| line.contains("positions follow")).collect();
    assert_eq!(positions.len(), 5, "{}", said.out);
    assert!(positions.iter().any(|line| line.starts_with("KPK") && line.ends_with("8 known facts hold")));
}

#[test]
fn a_probe_is_a_line_of_json() {
    let room = built("KQK");
    let table = [
        (WON, r#""wdl":"win","dtm":1}"#),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", r#""wdl":"loss","dtm":0}"#),
        ("7k/8/8/8/8/1q6/8/K7 w - - 0 1", r#""wdl":"draw","dtm":null}"#),
    ];
    for (fen, says) in table {
        let said = room.run_words(&PROBE.split(' ').chain([fen]).collect::<Vec<_>>());
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(said.out, format!("{{\"fen\":\"{fen}\",{says}\n"));
    }
}

type Spoil = fn(&mut Vec<u8>);

#[test]
fn a_damaged_table_never_answers() {
    let room = built("KQK");
    let file = room.path("tables/KQK.dtm");
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
            let said = room.run_words(&command.split(' ').chain(fen).collect::<Vec<_>>());
            assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{command}: {}", said.err);
            for part in ["KQK.dtm: ", reason, "remove it"] {
                assert!(said.err.contains(part), "{command}\nlacks `{part}`:\n{}", said.err);
            }
        }
    }
}

#[test]
fn what_no_table_holds_is_refused_with_the_remedy() {
    let room = built("KQK");
    let table: [(&[&str], &[&str]); 6] = [
        (&["build", "KXK"], &["KXK"]),
        (&["build", "KPPKP"], &["KPPKP", "more than 251 plies"]),
        (&["build", "KQRBKN"], &["KQRBKN"]),
        (&["probe", "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1"], &["castle", "clear the third field"]),
        (
            &["probe", "7k/8/6K1/8/8/8/8/1R6 w - - 0 1"],
            &["KRK.dtm: there is no such table", "tablebase build KRK"],
        ),
        (&["verify", "KQK", "--syzygy", "nowhere"], &["nowhere"]),
    ];
    for (arguments, parts) in table {
        let arguments = [&["tablebase"], arguments, &["--dir", "tables"]].concat();
        let said = room.run_words(&arguments);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{arguments:?}: {}", said.err);
        for part in parts {
            assert!(said.err.contains(part), "{arguments:?}\nlacks `{part}`:\n{}", said.err);
        }
    }
}
