//! Every row of the table is read as the table says.

use super::super::options::{KeyRow, OptionRow, Words};
use super::super::printing::Form;
use super::*;
use threefold_games::pgn::PgnNotation;

fn read(peer: Peer, line: &str) -> Result<Settings, UsageError> {
    Settings::parse(peer, &line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

/// A command line with an option, or with one of its keys.
fn written(row: &OptionRow, key: Option<&KeyRow>) -> String {
    let word = match (key, row.words) {
        (Some(key), _) => {
            let name =
                if key.name.ends_with('.') { format!("{}Hash", key.name) } else { key.name.to_owned() };
            if key.is_bare { name } else { format!("{name}={}", key.example) }
        }
        (None, Words::OneWord(example, _) | Words::AnyWords(example, _)) => example.to_owned(),
        (None, Words::NoWord(_) | Words::Pairs(_) | Words::OptionalPairs(_)) => String::new(),
    };
    format!("{} {word}", row.flag())
}

#[test]
fn tables_are_one_rule() {
    for (line, rule) in [
        ("-tb a:b", Some("a:b")),
        ("-tbpieces 5 -tb a -tbignore50 -tbadjudicate DRAW", Some("a,pieces=5,ignore50=true,results=draws")),
        ("-tb a -tbpieces 5 -tbpieces 4", Some("a,pieces=4")),
        ("-tb a -tbadjudicate WIN_LOSS", Some("a,results=wins")),
        ("-tb a -tbadjudicate BOTH", Some("a")),
        ("-tbpieces 5", None),
    ] {
        let settings = read(Peer::Fastchess, line).expect("understood");
        let rules: Vec<String> = settings.rules.iter().map(|rule| rule.settings_text()).collect();
        assert_eq!(rules, rule.as_slice(), "{line}");
    }
    for wrong in ["-tb a -tbadjudicate ALL", "-tbpieces many"] {
        assert!(read(Peer::Fastchess, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_row_is_accepted_or_refused_as_the_table_says() {
    for peer in [Peer::Fastchess, Peer::Cutechess] {
        for row in peer.options() {
            let mut cases: Vec<(String, Treatment)> =
                row.keys().map(|key| (written(row, Some(key)), key.treatment)).collect();
            cases.extend(row.words.treatment().map(|treatment| (written(row, None), treatment)));
            if row.name == "quick" {
                // Its keys are given together.
                cases = vec![("-quick cmd=a cmd=b book=c.epd".to_owned(), cases[0].1)];
            }
            for (line, treatment) in cases {
                match (read(peer, &line), treatment) {
                    (Ok(_), Treatment::Acts(text)) => assert!(!text.is_empty()),
                    (Err(error), Treatment::Refused(reason)) => {
                        let error = error.to_string();
                        assert!(error.contains(reason) && error.contains(&row.flag()), "{line}: {error}");
                    }
                    (read, treatment) => panic!("{line}: {treatment:?}, but {read:?}"),
                }
            }
        }
    }
}

#[test]
fn values_reach_their_settings() {
    let line = "-event two words -crc32 pgn=true -epdout file=e.epd -engine cmd=./a name=A tc=1+0.1 -engine cmd=./b -each option.Hash=16 proto=uci -concurrency -2 \
                -rounds 7 -games 1 -sprt elo0=-5 elo1=0 alpha=0.1 -tournament gauntlet -seeds 2 -srand 18446744073709551615 \
                -openings file=b.epd format=epd order=random plies=4 start=9 -draw movenumber=40 movecount=8 score=10 \
                -resign movecount=3 score=400 -maxmoves 90 -pgnout file=g.pgn append=false nodes=true pv=false seldepth=true min=true notation=uci match_line=^x -ratinginterval 1 -recover \
                -report penta=false -output format=cutechess -testEnv -config outname=r.sqlite -startup-ms 20000 -noswap";
    let settings = read(Peer::Fastchess, line).expect("sound");
    assert_eq!(settings.engines.len(), 2);
    assert_eq!(settings.each[0], ("option.Hash".to_owned(), "16".to_owned()));
    assert_eq!((settings.concurrency, settings.rounds, settings.games), (-2, Some(7), 1));
    assert_eq!((settings.seed, settings.book.start.get(), settings.book.plies), (Some(u64::MAX), 9, Some(4)));
    let test = settings.sprt.expect("a test");
    assert_eq!((test.elo0, test.elo1), (Some(-5.0), Some(0.0)));
    assert_eq!(test.risks, Risks { alpha: 0.1, beta: 0.05 });
    assert_eq!((settings.format, settings.seeds.get()), (TournamentFormat::Gauntlet, 2));
    assert_eq!(settings.book.order, BookOrder::Random);
    let rules: Vec<String> = settings.rules.iter().map(|rule| rule.settings_text()).collect();
    let resign = "movecount=3,score=400,twosided=false,like=fastchess";
    assert_eq!(rules, ["movenumber=40,movecount=8,score=10", resign, "90"]);
    let PgnOptions { details, notation, extent, event, site } = settings.pgn_options;
    assert_eq!((notation, extent), (PgnNotation::Uci, PgnExtent::Minimal));
    assert_eq!((event.as_deref(), site, details.match_lines.len()), (Some("two words"), None, 1));
    assert_eq!((settings.colours, settings.startup), (Colours::Fixed, Duration::from_secs(20)));
    let printing = settings.printing;
    assert!(printing.recovers && !printing.reports_pairs && settings.is_test_environment);
    assert_eq!((printing.form, printing.rating_interval), (Form::Cutechess, 1));
    assert!(settings.prints_checksum);
    assert_eq!(settings.pgn_fields, [MoveField::Nodes, MoveField::SelDepth]);
    assert_eq!(settings.epd.and_then(|epd| epd.file), Some(PathBuf::from("e.epd")));
    let pgn = settings.pgn.expect("a file");
    assert!(!pgn.appends && pgn.file == Some(PathBuf::from("g.pgn")));
}

#[test]
fn quick_is_two_engines_and_a_book() {
    let settings = read(Peer::Fastchess, "-quick cmd=./a cmd=./b book=c.epd").expect("sound");
    let commands: Vec<_> = settings.engines.iter().map(|engine| engine[0].clone()).collect();
    assert_eq!(commands, ["./a", "./b"].map(|command| ("cmd".to_owned(), command.to_owned())));
    assert_eq!(settings.book.file, Some(PathBuf::from("c.epd")));
    assert!(settings.engines.iter().all(|engine| engine[2] == ("tc".to_owned(), "10+0.1".to_owned())));
    assert_eq!((settings.games, settings.rounds, settings.concurrency), (2, Some(25_000), -2));
}

#[test]
fn longest_of_the_waits_counts() {
    for (line, seconds) in [
        ("-recover", 10),
        ("-startup-ms 20000", 20),
        ("-ucinewgame-ms 60000 -startup-ms 20000", 60),
        ("-ping-ms 45000", 45),
        ("-ping-ms 45", 10),
    ] {
        let startup = read(Peer::Fastchess, line).expect(line).startup;
        assert_eq!(startup, Duration::from_secs(seconds), "{line}");
    }
}

#[test]
fn pyramid_and_knockout_are_formats_of_cutechess() {
    for (name, format) in [("pyramid", TournamentFormat::Pyramid), ("knockout", TournamentFormat::Knockout)] {
        let settings = read(Peer::Cutechess, &format!("-tournament {name}")).expect(name);
        assert_eq!(settings.format, format);
    }
}

#[test]
fn wrong_values_are_errors_with_the_option_and_the_reason() {
    let table = [
        (Peer::Fastchess, "-rounds many", "`many` is no number in its range"),
        (Peer::Fastchess, "-openings start=0", "`0` is no number in its range"),
        (Peer::Fastchess, "-openings order=shuffled", "the values are sequential, random"),
        (Peer::Fastchess, "-openings book=x", "`book` is no key of -openings; the keys are file, format"),
        (Peer::Fastchess, "-variant atomic", "the variants are standard and fischerandom"),
        (Peer::Fastchess, "-tournament swiss", "the formats are roundrobin and gauntlet"),
        (
            Peer::Fastchess,
            "-pgnout file=a notation=fan",
            "`fan` is not known here; the values are san, lan, uci",
        ),
        (Peer::Fastchess, "-pgnout nodes=yes", "the values are true, false"),
        (Peer::Fastchess, "-srand -1", "`-1` is no number in its range"),
        (Peer::Fastchess, "-wait long", "`long` is no number in its range"),
        (Peer::Fastchess, "-use-affinity all", "give CPUs by number, such as 0-3,8"),
        (Peer::Fastchess, "-pgnout match_line=(", "regular expression"),
        (Peer::Fastchess, "-quick cmd=a", "takes two commands and a book"),
        (Peer::Cutechess, "-repeat 0", "an opening is played once at least"),
        (Peer::Fastchess, "-tournament pyramid", "the formats are roundrobin and gauntlet"),
        (Peer::Fastchess, "-tournament knockout", "the formats are roundrobin and gauntlet"),
        (Peer::Cutechess, "-tournament swiss", "the formats are round-robin, gauntlet, knockout and pyramid"),
        (Peer::Cutechess, "-pgnout g.pgn max", "takes a file, `min` and `fi`"),
        (Peer::Fastchess, "-debug", "use `-log file=FILE engine=true`"),
        (Peer::Cutechess, "-debug some", "takes nothing, or `all`"),
        (Peer::Cutechess, "-resultformat tall", "`tall` is no field or format"),
        (Peer::Cutechess, "-bookmode tape", "the values are ram, disk"),
    ];
    for (peer, line, message) in table {
        let error = read(peer, line).expect_err(line).to_string();
        let option = line.split(' ').next().expect("an option");
        assert!(error.contains(message) && error.contains(option), "{line}: {error}");
    }
}
