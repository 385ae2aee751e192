//! Wrong usage and unreadable input: exit code 2, the file and the line, the error and the remedy, and no
//! file written.

use crate::sandbox::{GAMES, Sandbox};

/// Runs an invalid command; checks its exit code, its message, and that no file changed.
fn refused(sandbox: &Sandbox, command: &str, parts: &[&str]) {
    let before = sandbox.files();
    let output = sandbox.run(command);
    assert_eq!((output.code, output.out.as_str()), (Some(2), ""), "{command}\n{}", output.err);
    for part in parts {
        assert!(output.err.contains(part), "{command}\nlacks `{part}`:\n{}", output.err);
    }
    assert!(before == sandbox.files(), "{command}\nchanged {:?}", sandbox.files().keys());
}

#[test]
fn invalid_arguments_are_refused() {
    let sandbox = Sandbox::new();
    let table: &[(&str, &[&str])] = &[
        ("", &["Usage: threefold"]),
        ("play", &["unrecognized subcommand 'play'"]),
        ("match", &["--engine <SPEC>"]),
        ("match --engine echo --nodes 9", &["needs two engines", "give --engine at least twice"]),
        ("match --engine echo --engine echo", &["`echo` has no search limit", "give --tc 8+0.08"]),
        ("match --engine echo --engine echo,timemargin=5", &["`echo` has no search limit"]),
        ("match --engine echo --engine echo --nodes 0", &["'--nodes <N>'", "give a whole number from 1"]),
        ("match --engine echo --engine echo --depth 0", &["'--depth <N>'", "0 is not in 1.."]),
        ("suite mates.toml --engine echo --nodes 0", &["'--nodes <N>'", "give a whole number from 1"]),
        ("suite mates.toml --engine echo --movetime 0", &["'--movetime <MS>'", "give a whole number from 1"]),
        ("suite mates.toml", &["--engine <SPEC>"]),
        ("suite --engine echo", &["<SUITE>"]),
        ("suite --positions mates.epd --engine echo", &["--kind <KIND>"]),
        (
            "suite --positions mates.epd --kind mates --engine echo",
            &["`mates`", "use one of repetition, rule, value, policy, mate"],
        ),
        ("suite --positions mates.epd --kind mate --engine echo", &["mates.epd: ", "limit it by nodes"]),
        ("suite mates.toml mates.toml --engine echo", &["two parts are called `mates`"]),
        ("sprt --engine echo --engine echo --nodes 9 --elo0 5 --elo1 0", &["elo0 must be less than elo1"]),
        ("sprt --engine echo --engine echo --nodes 9 --elo0 nan --elo1 0", &["both finite"]),
        ("sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --alpha 2", &["such as 0.05"]),
        ("sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --model x", &["normalized, logistic"]),
        (
            "sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --model bayeselo --counts pairs",
            &["BayesElo supports single games only; count games"],
        ),
        ("sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --batch 0", &["'--batch <PAIRS>'"]),
        (
            "sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --games 200 --deadline",
            &["--deadline: 200 games are too few to test 0 against 5 normalized Elo", "52255 with 95 %"],
        ),
        (
            "sprt --engine echo --engine echo --tc 8+0.08 --elo0 0 --elo1 5 --budget 10m --deadline -j 2",
            &["games are too few to test 0 against 5 normalized Elo"],
        ),
        (
            "sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --model bayeselo --deadline",
            &["--deadline: a test with a deadline counts pairs"],
        ),
        (
            "sprt --engine echo --engine echo --nodes 9 --elo0 0 --elo1 5 --batch 8 --deadline",
            &["'--batch <PAIRS>'"],
        ),
        ("sprt --engine echo --nodes 9 --elo0 0 --elo1 5", &["exactly two engines"]),
        (
            "match --engine echo --engine echo --engine echo --nodes 9 --markdown",
            &["--markdown: the lines are those of two engines"],
        ),
        ("regress --quick --accept", &["cannot be used with"]),
        ("perft 3 here", &["`here` is not a FEN"]),
        ("report gone.sqlite", &["gone.sqlite: can't be opened", "check the path"]),
    ];
    for (command, parts) in table {
        refused(&sandbox, command, parts);
    }
}

#[test]
fn invalid_game_options_are_refused() {
    let sandbox = Sandbox::new();
    let table: &[(&str, &[&str])] = &[
        ("--games 0", &["'--games <N>'", "at least two games are needed"]),
        ("--games -2", &["'--games <N>'", "give a whole number of games from 2 to 10000000"]),
        ("--games 18446744073709551615", &["give a whole number of games from 2 to 10000000"]),
        ("--games 4294967295", &["give a whole number of games from 2 to 10000000"]),
        ("--max-faults many", &["`many` is not a number of faults", "or a share of the games such as 2%"]),
        ("--max-faults 101%", &["`101%` is not a number of faults"]),
        ("-j 1000000", &["--jobs 1000000: more than 4 for each of", "or add --force"]),
        (
            "--plies 4",
            &["--plies: book.epd is an EPD file, which has no moves", "omit --plies, or give a PGN file"],
        ),
        ("--tournament cup", &["--tournament: `cup`", "use one of round-robin, gauntlet"]),
        ("--order upwards", &["--order: order `upwards`", "use `sequential`, or `random:SEED`"]),
        ("--draw soon", &["--draw `soon` can't be read", "movenumber=34,movecount=8,score=20"]),
        ("--resign movecount=2", &["--resign: score must be a whole number", "score=600"]),
        ("--maxmoves 0", &["0 is not in 1.."]),
        ("--jobs 0", &["'--jobs <N>'"]),
        ("--startup 0", &["give seconds above 0, such as 2.5"]),
        ("--each Hash", &["--each `Hash` is not KEY=VALUE"]),
        ("--run book.epd", &["book.epd: exists already", "`resume` it"]),
    ];
    for (more, parts) in table {
        refused(&sandbox, &format!("{} {more}", GAMES.replace("--games 4 ", "")), parts);
    }
}

#[test]
fn invalid_calibrations_are_refused() {
    let sandbox = Sandbox::new();
    let table: &[(&str, &[&str])] = &[
        ("calibrate --nodes 50 --openings book.epd", &["a ladder takes two or more", "[50]"]),
        ("calibrate --nodes 50,50 --openings book.epd", &["each once", "[50, 50]"]),
        ("calibrate --nodes 50,many", &["'--nodes <N,N,…>'"]),
        ("calibrate --levels 600 --openings book.epd", &["--levels `600`", "at least two levels"]),
        ("calibrate --levels 9:1:2 --openings book.epd", &["--levels `9:1:2`", "such as 600:2600:200"]),
        ("calibrate --levels 600,1000 --nodes 5", &["cannot be used with"]),
        ("calibrate --anchor ./fish --openings book.epd", &["--anchor", "write SPEC=ELO"]),
        ("calibrate --seconds 0 --openings book.epd", &["--seconds 0", "such as 7200"]),
        ("calibrate --precision 0 --openings book.epd", &["--precision 0", "such as 20"]),
        (
            "calibrate --anchor ./a/fish,name=Fish=1275 --anchor ./b/fish,name=Fish=1886 --openings book.epd",
            &["two anchors have the name `Fish`", "name=Stash 21=2713"],
        ),
        ("calibrate --seed 3000000000 --openings book.epd", &["3000000000 is not in"]),
        (
            "calibrate --anchor ./fish,name=Fish,Hash=16 --openings book.epd",
            &["--anchor", "Hash=16` has no rating", "write SPEC=ELO"],
        ),
        (
            "calibrate --games 20 --openings book.epd",
            &["--games 20", "the first round alone needs", "fewer --levels"],
        ),
        ("calibrate --clock soon --openings book.epd", &["--clock", "`soon` is not known"]),
        ("calibrate --tc soon --openings book.epd", &["--tc", "`soon`"]),
    ];
    for (command, parts) in table {
        refused(&sandbox, command, parts);
    }
}

#[test]
fn invalid_specs_and_time_controls_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.toml", "good = \"echo\"\nbad = echo\n");
    let table: &[(&str, &[&str])] = &[
        ("--engine echo,Hash --depth 2", &["engine `echo,Hash`: `Hash` is no key=value"]),
        ("--engine echo,Hash=big --depth 2", &["option `Hash` can't be `big`; use a whole number from 1"]),
        (
            "--engine echo,TimeManager=hasty --depth 2",
            &["`TimeManager` can't be `hasty`; use one of Classic, Fixed, Legacy, Smooth, SmoothPiggybank"],
        ),
        (
            "--engine echo,TimeManager=smooth(pace=1) --depth 2",
            &[
                "`TimeManager` can't be `smooth(pace=1)`; use in its brackets, for `pace`, one of init-tree-reuse",
            ],
        ),
        (
            "--engine echo,Hsh=16 --depth 2",
            &["`echo,Hsh=16`", "option `Hsh` is not an option of Echo; use one of Hash"],
        ),
        ("--engine echo,dir=/tmp", &["`dir` is for commands"]),
        ("--engine echo,tc=9x9", &["time control `9x9`", "such as `40/60+0.5`, `8+0.08`"]),
        ("--engine @gone.toml#a", &["gone.toml: can't be read; check the path"]),
        (
            "--engine @engines.toml",
            &["`@engines.toml`: the name of the engine is missing; write @FILE.toml#NAME"],
        ),
        ("--engine @engines.toml#a", &["engines.toml: has no `a`; it has new, number, old"]),
        (
            "--engine @engines.toml#number",
            &["engines.toml: `number` is not a string; write number = \"./engine"],
        ),
        (
            "--engine @broken.toml#good",
            &["broken.toml:2: ", "; write one engine per line, NAME = \"./engine,Hash=16\""],
        ),
        ("--engine echo --tc 8+x", &["time control `8+x`: its increment can't be read; write `[moves/]"]),
        (
            "--engine echo --tc 8,0.08",
            &["--tc: time control `8,0.08`: a comma has no meaning here", "as in `8+0.08`"],
        ),
        ("--engine echo --tc 8+0,08", &["--tc: time control `8+0,08`: a comma has no meaning here"]),
        ("--engine echo --tc 60,40", &["--tc: time control `60,40`: a comma has no meaning here"]),
        ("--engine echo --tc 0.2+0.01,nodes=50", &["--tc: time control `0.2+0.01,nodes=50`: a comma"]),
        ("--engine echo --tc 0.2+0.01,depth=1,40/60", &["--tc: time control", "a comma has no meaning here"]),
        ("--engine echo --st 0.1,0.2", &["--st: `st=0.1,0.2` can't be read; it takes seconds for each move"]),
        ("--engine echo --st 0", &["`st=0` can't be read; it takes seconds for each move"]),
        ("--engine echo --tc 1 --clock sun", &["clock `sun` is not known; use `wall`, or `virtual:NPS`"]),
        ("--engine echo --tc 1 --clock virtual:1500", &["1500 nodes a second can't be set; use thousands"]),
        (
            "--engine echo,nodestime=5 --tc 1 --clock virtual:9000",
            &["`nodestime` is set by the virtual clock"],
        ),
        ("--engine echo --each Hash=x --nodes 9", &["option `Hash` can't be `x`"]),
        ("--engine echo --each tc=x", &["with the settings of --each: time control `x`"]),
    ];
    for (more, parts) in table {
        refused(&sandbox, &format!("match --engine echo --openings book.epd --games 2 {more}"), parts);
    }
}

#[test]
fn invalid_openings_are_refused() {
    let sandbox = Sandbox::new();
    let table: &[(&str, &[u8], &[&str])] = &[
        (
            "short.epd",
            b"4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8 w - -\n",
            &["short.epd: line 2", "is not a FEN", "write a position such as"],
        ),
        ("kings.epd", b"\n4k3/8/8/8/8/8/4P3/8 w - -\n", &["kings.epd: line 2", "no legal position"]),
        ("over.epd", b"7k/5Q2/6K1/8/8/8/8/8 b - -\n", &["over.epd: line 1", "the game is over there"]),
        ("empty.epd", b"# nothing\n", &["empty.epd: the book is empty", "a position a line"]),
        ("latin.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - -\n\xe9\n", &["latin.epd: line 2, opening 2: `é`"]),
        (
            "letters.pgn",
            b"1. e4 e5\n2. Sf3 Sc6 *\n",
            &["letters.pgn: line 2, opening 1: `Sf3`", "no English piece letter", "correct the move"],
        ),
        (
            "lines.pgn",
            b"4k3/8/8/8/8/8/4P3/4K3 w - -\n",
            &["lines.pgn: is read as pgn by its name", "the form of epd: a position a line"],
        ),
        ("games.epd", b"[Event \"x\"]\n\n1. e4 *\n", &["games.epd: is read as epd", "the form of pgn"]),
        (
            "move.pgn",
            b"1. e4 e5 *\n\n1. e4 e5 2. Ke3 *\n",
            &["move.pgn: line 3, opening 2: `Ke3`", "correct the move"],
        ),
        ("fen.pgn", b"[FEN \"here\"]\n\n1. e4 *\n", &["fen.pgn: line 1", "`here`", "give the tag a FEN"]),
        ("empty.pgn", b"\n", &["empty.pgn: the book is empty", "1. e4 e5 *"]),
        ("torn.pgn.gz", b"\x1f\x8bjunk", &["torn.pgn.gz: the gzip data is damaged", "fetch it again"]),
    ];
    for (file, bytes, parts) in table {
        sandbox.write(file, bytes);
        refused(&sandbox, &format!("{GAMES} --run new/run.sqlite").replace("book.epd", file), parts);
    }
    refused(&sandbox, &GAMES.replace("book.epd", "gone.epd"), &["gone.epd: can't be read; check the path"]);
    refused(&sandbox, &GAMES.replace("book.epd", "."), &[".: can't be read"]);
}

#[test]
fn invalid_suites_and_positions_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.vary("mates.toml", "\"mate\"", "\"mating\"", "kind.toml");
    sandbox.vary("mates.toml", "nodes = 300", "nodes = 0", "limit.toml");
    sandbox.vary("mates.toml", "mates.epd", "gone.epd", "gone.toml");
    sandbox.vary("clocks.toml", "1+0.01", "1+x", "control.toml");
    sandbox.write("half.toml", "version = 1\nkind = ");
    sandbox.write("bad.epd", "8/8/8/8/8/8/8/K7 w - - bm #1;\n");
    sandbox.write("latin.toml", b"version = 1\nkind = \"mate\"\ntitle = \"x\"\nsummary = \"\xe9\"\n");
    sandbox.write("games.epd", "[Event \"x\"]\n\n1. e4 *\n");
    sandbox.vary("mates.toml", "mates.epd", "games.epd", "games.toml");
    sandbox.write("bad.csv", "id,class,fen,moves,best\na,x,7k/8/8/8/8/8/R7/K7 w - - 0 1,,a2a9\n");
    let table: &[(&str, &[&str])] = &[
        ("suite none.toml", &["none.toml: can't be read; check the path"]),
        (
            "suite kind.toml",
            &["kind.toml:2: there is no kind `mating`; use one of repetition, rule, value, policy, mate"],
        ),
        ("suite limit.toml", &["limit.toml:5: a limit of 0", "give at least 1"]),
        ("suite gone.toml", &["named in gone.toml: gone.epd: can't be read"]),
        ("suite control.toml", &["control.toml:8: time control `1+x`", "such as `40/60+0.5`"]),
        ("suite half.toml", &["half.toml:2: ", "a suite file has version, kind"]),
        ("suite latin.toml", &["latin.toml: line 4: is not UTF-8 text; save it as UTF-8"]),
        ("suite games.toml", &["games.epd:1: this is the form of PGN", "give a file of FEN or EPD"]),
        ("suite mates.epd", &["mates.epd:", "a suite file has version, kind"]),
        ("suite --positions bad.epd --kind mate --nodes 9", &["bad.epd:1: "]),
        ("suite --positions bad.csv --kind repetition --nodes 9", &["bad.csv:2: ", "a2a9"]),
    ];
    for (command, parts) in table {
        refused(&sandbox, &format!("{command} --engine echo --out new --run new/run.sqlite"), parts);
    }
    refused(&sandbox, "positions check bad.epd", &["bad.epd:1: "]);
    refused(&sandbox, "positions check gone.epd", &["gone.epd: can't be read"]);
    refused(
        &sandbox,
        "positions check plan.toml",
        &[
            "plan.toml: unknown kind of file; the name must end in .csv or .epd",
            "judged, rules, fifty-move counters, values, special moves, perpetual bonus, perpetual checks, field, traps",
        ],
    );
}

#[test]
fn invalid_plans_and_baselines_are_refused() {
    let sandbox = Sandbox::new();
    let made = sandbox.run("regress --plan plan.toml --quick --out made");
    assert_eq!(made.code, Some(0), "{}", made.err);
    sandbox.vary("plan.toml", "elo0 = -10", "elo0 = 30", "bounds.toml");
    sandbox.vary("plan.toml", "mates.toml", "none.toml", "suites.toml");
    sandbox.vary("plan.toml", "book.epd", "none.epd", "books.toml");
    sandbox.vary("plan.toml", "pairs = 4", "pears = 4", "keys.toml");
    sandbox.vary("plan.toml", "echo,name=Echo", "echo,Echo", "spec.toml");
    sandbox.write("torn/cases.csv", "suite,id,class,verdict,reason,played\nmates,m1\n");
    sandbox.write("torn/figures.json", "{}");
    sandbox.write("json/cases.csv", "suite,id,class,verdict,reason,played\n");
    sandbox.write("json/figures.json", "{\"version\": 1,\n");
    sandbox.write("half/cases.csv", "suite,id,class,verdict,reason,played\n");
    let table: &[(&str, &[&str])] = &[
        ("--plan none.toml", &["none.toml: can't be read; check the path"]),
        ("--plan bounds.toml", &["bounds.toml:8: elo0 = 30 and elo1 = 10", "such as elo0 = -10"]),
        ("--plan suites.toml", &["named in suites.toml: none.toml: can't be read"]),
        ("--plan books.toml", &["named in books.toml: none.epd: can't be read"]),
        ("--plan keys.toml", &["keys.toml:13: unknown field `pears`", "a plan has version, title"]),
        ("--plan spec.toml", &["spec.toml:4: `Echo` is no key=value", "name an engine such as `echo`"]),
        ("--plan plan.toml --engine echo,Echo", &["engine `echo,Echo`"]),
        (
            "--plan plan.toml --baseline torn",
            &["torn/cases.csv:2: ", "renew the baseline with `regress --accept`"],
        ),
        ("--plan plan.toml --baseline json", &["json/figures.json:", "regress --accept"]),
        ("--plan plan.toml --baseline half", &["half/figures.json: can't be read"]),
        ("--plan plan.toml --out plan.toml", &["plan.toml: can't be written"]),
    ];
    for (more, parts) in table {
        // The reports of the run before stay, and so does its journal.
        let out = if more.contains("--out") { "" } else { "--out made" };
        refused(&sandbox, &format!("regress {out} {more}"), parts);
    }
}

#[test]
fn implausible_time_control_is_warned_about() {
    let sandbox = Sandbox::new();
    let games =
        "match --engine echo,name=A,Hash=1 --games 2 --maxmoves 2 --openings book.epd --clock virtual:1000";
    let table = [
        (
            "--engine echo,name=B,Hash=1 --tc 8/0.08",
            "`8/0.08` is 8 moves in 0.08 s; for 8 s and 0.08 s a move",
        ),
        ("--engine echo,name=B,Hash=1 --tc 8:0.08", "`480.08` is 8 minutes and 0.08 s"),
        ("--engine echo,name=B,Hash=1,tc=0.09 --tc 8+0.08", "`0.09` grants 90 ms for a game of 40 moves"),
        ("--engine echo,name=B,Hash=1 --tc 8+0.08", ""),
    ];
    for (more, warning) in table {
        let output = sandbox.run(&format!("{games} {more}"));
        assert_eq!(output.code, Some(0), "{}", output.err);
        assert_eq!(output.err.contains("warning:"), !warning.is_empty(), "{}", output.err);
        assert!(output.err.contains(warning), "{}", output.err);
    }
}
