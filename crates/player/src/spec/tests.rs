//! Texts of specs and what they mean.

use std::time::Duration;

use super::*;
use threefold_chess::score::Ply;

fn spec(text: &str) -> EngineSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn setting_is_a_uci_option_or_a_harness_key() {
    assert_eq!(SpecKey::from("nodes"), SpecKey::Harness(HarnessKey::Nodes));
    assert_eq!(SpecKey::from("Nodes"), SpecKey::Option("NODES".to_owned()), "options have no case");
    assert_ne!(SpecKey::from("Nodes"), SpecKey::Harness(HarnessKey::Nodes));
    let set = spec("echo,nodes=5,Hash=1").with(&[(HarnessKey::Nodes, "7"), (HarnessKey::Name, "a,b\\")]);
    let set = set.expect("sound settings");
    assert_eq!((set.control.nodes, set.name.as_str()), (Some(7), "a,b\\"));
    assert_eq!(spec(&set.text), set, "its text is read back");
    let set = spec("echo,nodes=5,Hash=1").with(&[(SpecKey::Option("hash".to_owned()), "2")]);
    assert_eq!(set.expect("sound").options, [own(("hash", "2"))]);
}

#[test]
fn another_program_takes_the_same_arguments_and_settings() {
    let table = [
        ("./mine,Hash=16", "/b/mine", "/b/mine,Hash=16"),
        ("./mine -x \"a b\",name=M", "/a dir/mine,1", "\"/a dir/mine\\,1\" -x \"a b\",name=M"),
    ];
    for (text, program, expected) in table {
        assert_eq!(spec(text).with_program(program), Ok(spec(expected)), "{text}");
    }
}

#[test]
fn settings_replace_those_of_the_spec() {
    let table = [
        ("echo", "echo,name=E@5,nodes=5"),
        ("echo,name=E,Hash=4,nodes=9", "echo,Hash=4,name=E@5,nodes=5"),
        ("./name=x --quiet,Nodes=7", "./name=x --quiet,Nodes=7,name=E@5,nodes=5"),
    ];
    for (text, expected) in table {
        let changed = spec(text).with(&[("name", "E@5"), ("nodes", "5")]).expect("sound settings");
        assert_eq!(changed, spec(expected));
    }
}

#[test]
fn spec_is_parsed_into_its_parts() {
    let fish =
        spec(r#""./my dir/stockfish" bench,name=SF,Threads=1,Clear Hash=,args=-v "a b",dir=/tmp,Log=a\,b"#);
    assert_eq!(fish.name, "SF");
    assert_eq!(fish.options, [("Threads", "1"), ("Clear Hash", ""), ("Log", "a,b")].map(own));
    let EngineSource::Command { program, args, dir } = fish.source else { panic!("a command") };
    assert_eq!((program.as_str(), dir), ("./my dir/stockfish", Some(PathBuf::from("/tmp"))));
    assert_eq!(args, ["bench", "-v", "a b"]);
    let echo = spec("echo,st=0.25,nodes=1000,depth=9,timemargin=50,clock=virtual:3,restart=on,Nodes=7");
    assert_eq!(
        echo.control,
        Control {
            time: None,
            movetime: Some(Duration::from_millis(250)),
            nodes: Some(1000),
            depth: Some(Ply(9)),
            margin: Some(Duration::from_millis(50)),
        }
    );
    assert!(echo.restart);
    assert_eq!(echo.pace.map(|pace| pace.to_string()).as_deref(), Some("virtual:3"));
    assert_eq!((echo.source, echo.options), (EngineSource::Echo, vec![own(("Nodes", "7"))]));
}

#[test]
fn former_option_name_is_the_same_key() {
    assert_eq!(
        "echo,UpcomingRepetition=true,CycleDetection=false".parse::<EngineSpec>(),
        Err(SpecError::DuplicateKey("CycleDetection".to_owned()))
    );
    let own_value = spec("echo,name=E,MoveOverhead=5");
    assert_eq!(own_value.with_defaults(&[("Move Overhead", "9")]), Ok(own_value));
}

fn own((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn players_are_named_by_their_different_settings() {
    let table = [
        ("echo", "echo"),
        (
            "echo,RepetitionPolicy=HistoryDraw,nodes=500,restart=off",
            "echo RepetitionPolicy=HistoryDraw nodes=500",
        ),
        ("/usr/games/stockfish", "stockfish"),
        ("./engine.sh -x,name=Mine", "Mine"),
    ];
    for (text, name) in table {
        assert_eq!(spec(text).name, name, "{text}");
    }
}

#[test]
fn common_settings_fill_missing_ones_only() {
    let each = [("tc", "8+0.08"), ("Hash", "16"), ("nodes", "9")];
    let merged = spec(r"echo,st=1,hash=4,Path=C:\x\\").with_defaults(&each).expect("sound");
    assert_eq!(merged.options, [("hash", "4"), ("Path", r"C:\x\\")].map(own));
    assert_eq!((merged.control.time, merged.control.nodes), (None, Some(9)));
    assert_eq!(merged.name, r"echo st=1 hash=4 Path=C:\x\\");
    assert_eq!(spec(&merged.text), merged);
    assert_eq!(spec("echo").with_defaults(&[("name", "all")]).expect("sound").name, "all");
}

#[test]
fn options_of_another_engine_are_added_where_there_is_none() {
    let engine = spec("./new,Hash=64,Threads=2,nodes=5,name=New,dir=/tmp");
    for (base, text, added) in [
        ("./old", "./old,HASH=64,THREADS=2,name=old", &["Hash", "Threads"][..]),
        ("./old,hash=16,name=Old", "./old,hash=16,name=Old,THREADS=2", &["Threads"]),
        ("./old,Hash=1,Threads=1", "./old,Hash=1,Threads=1", &[]),
    ] {
        let (found, names) = spec(base).with_options_of(&engine).expect("sound");
        assert_eq!((found.options.len(), found.control.nodes), (2, None), "{base}: {}", found.text);
        assert_eq!(
            (found.text.to_lowercase(), names),
            (text.to_lowercase(), added.iter().map(|&name| name.to_owned()).collect())
        );
    }
}

#[test]
fn spec_errors_name_the_text_and_the_remedy() {
    let table = [
        ("", "`` names no engine; begin with `echo` or a command"),
        ("\"./a b,nodes=1", "`\"./a b` opens a quotation mark and never closes it; add the second `\"`"),
        (
            "cmd=./mine,name=M",
            "`cmd=./mine` is the form of fastchess and cutechess-cli; begin with the command, such as \
             `./mine,name=Mine,Hash=16`, or run `threefold fastchess -engine cmd=…`",
        ),
        ("echo,Hash", "`Hash` is no key=value; write `\\,` for a comma inside a value"),
        ("echo,Hash=1,hash=2", "`hash` is given twice; leave one"),
        ("echo,nodes=0", "`nodes=0` can't be read; it takes a number of nodes from 1"),
        ("echo,stderr=e.log", "`stderr` is for commands; Echo runs inside this process, so leave it out"),
        ("./a,stderr=", "`stderr=` can't be read: give a file"),
        ("./a,startup=0", "`startup=0` can't be read: give seconds above 0, such as 2.5"),
        ("./a,debug=yes", "`debug=yes` can't be read: give `on` or `off`"),
        ("echo,restart=yes", "`restart=yes` can't be read: give `on` or `off`"),
        ("echo,tc=1+1,st=1", "`tc` and `st` can't be given together; keep one of them"),
        (
            "echo,clock=soon",
            "clock `soon` is not known; use `wall`, or `virtual:NPS` with nodes per second, such as `virtual:500000`",
        ),
        ("echo,dir=/tmp", "`dir` is for commands; Echo runs inside this process, so leave it out"),
    ];
    for (text, message) in table {
        assert_eq!(text.parse::<EngineSpec>().expect_err(text).to_string(), message);
    }
    assert!(spec("echo").warnings && !spec("echo").trust && spec("echo,trust=on").trust);
    assert!(!spec("echo,warnings=off").warnings);
    assert_eq!(spec("echo,warnings=off,trust=on").name, "echo");
    for key in ["warnings", "trust"] {
        let error = format!("echo,{key}=maybe").parse::<EngineSpec>().expect_err(key).to_string();
        assert_eq!(error, format!("`{key}=maybe` can't be read: give `on` or `off`"));
    }
    assert_eq!(spec("echo,plies=9").control.depth, Some(Ply(9)));
    assert_eq!(spec("echo,proto=uci,Proto=x").options, [own(("Proto", "x"))]);
    let xboard = "echo,proto=xboard".parse::<EngineSpec>().expect_err("not UCI").to_string();
    assert_eq!(xboard, "`proto=xboard` can't be read: engines are UCI only; use an adapter to UCI");
    assert!("echo,tc=fast".parse::<EngineSpec>().is_err());
    let unknown = "echo,fault=Late".parse::<EngineSpec>().expect_err("no such fault").to_string();
    let message = "`fault=Late` can't be read: use one of ForgetHistory, HistoryLostWithFen, ";
    assert!(unknown.starts_with(message), "{unknown}");
}

#[test]
fn fault_is_part_of_the_player_name() {
    let sabotaged = spec("./engine,fault=scorefromwhite,Hash=4");
    assert_eq!(sabotaged.fault, Some(BorderFault::ScoreFromWhite));
    assert_eq!(sabotaged.options, [own(("Hash", "4"))]);
    assert_eq!(sabotaged.name, "engine fault=scorefromwhite Hash=4");
    assert_eq!(spec("./engine").fault, None);
}
