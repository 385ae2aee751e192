//! The options of fastchess 1.8.2.

use super::Words::{AnyWords, NoWord, OneWord, OptionalPairs, Pairs};
use super::{Acts, OptionRow, Refused, key, keys, option};

pub(super) const OPTIONS: &[OptionRow] = &[
    option("engine", Pairs(keys::ENGINE)),
    option("each", Pairs(keys::ENGINE)),
    option(
        "quick",
        Pairs(&[&[
            key("cmd", "./engine", Acts("`--engine CMD,tc=10+0.1`, given twice")),
            key("book", "book.epd", Acts("`--openings FILE`")),
        ]]),
    ),
    option("concurrency", OneWord("1", Acts("`-j N`; 0 or less is the number of cores minus N"))),
    option("force-concurrency", NoWord(Acts("`--force`; more jobs than cores are refused without it"))),
    option("rounds", OneWord("2", Acts("`--games`, the number of all games"))),
    option("games", OneWord("2", Acts("`--games-per-round`; above 2 it is exchanged with `-rounds`"))),
    option("repeat", AnyWords("", Acts("pairs, the default"))),
    option("noswap", NoWord(Acts("`--noswap`"))),
    option("reverse", NoWord(Acts("`--reverse`"))),
    option("wait", OneWord("5", Acts("`--wait`"))),
    option(
        "sprt",
        Pairs(&[keys::TEST, &[key("model", "normalized", Acts("`--model`; `bayesian` is `bayeselo`"))]]),
    ),
    option("tournament", OneWord("gauntlet", Acts("`--tournament`; `roundrobin` is `round-robin`"))),
    option("seeds", OneWord("1", Acts("`--seeds`"))),
    option(
        "variant",
        OneWord("standard", Acts("not needed: the position decides; `fischerandom` needs `-openings`")),
    ),
    option(
        "draw",
        Pairs(&[&[
            key("movenumber", "40", Acts("`--draw movenumber=`")),
            key("movecount", "8", Acts("`--draw movecount=`")),
            key("score", "10", Acts("`--draw score=`")),
        ]]),
    ),
    option(
        "resign",
        Pairs(&[&[
            key("movecount", "3", Acts("`--resign movecount=`")),
            key("score", "400", Acts("`--resign score=`")),
            key(
                "twosided",
                "true",
                Acts("`--resign twosided=` with `like=`: the rule of the program that is replaced"),
            ),
        ]]),
    ),
    option("maxmoves", OneWord("200", Acts("`--maxmoves`"))),
    option("tb", OneWord("syzygy", Acts("`--tb DIR`"))),
    option("tbpieces", OneWord("5", Acts("`pieces=` of `--tb`"))),
    option("tbignore50", NoWord(Acts("`ignore50=true` of `--tb`"))),
    option("tbadjudicate", OneWord("BOTH", Acts("`results=` of `--tb`: BOTH, WIN_LOSS or DRAW"))),
    option(
        "openings",
        Pairs(&[
            keys::BOOK,
            &[key("order", "random", Acts("`--order fastchess:SEED`, the same order"))],
            keys::BOOK_PART,
            &[key("policy", "round", Acts("the only policy: one opening for each round"))],
        ]),
    ),
    option("srand", OneWord("42", Acts("the seed of `--order fastchess:SEED`; without it a random one"))),
    option("pgnout", OptionalPairs(&[keys::PGN])),
    option(
        "epdout",
        OptionalPairs(&[&[
            key("file", "end.epd", Acts("`--epd-out FILE`")),
            key("append", "true", Acts("`--append`, for this file; `false` is `--force`")),
        ]]),
    ),
    option("event", AnyWords("test", Acts("`--event`"))),
    option("site", AnyWords("here", Acts("`--site`"))),
    option("ratinginterval", OneWord("10", Acts("the interval of the results block"))),
    option("scoreinterval", OneWord("1", Acts("the interval of the score line"))),
    option(
        "report",
        Pairs(&[&[key(
            "penta",
            "true",
            Acts("`false` prints games instead of pairs, and `-sprt` is `--counts games`"),
        )]]),
    ),
    option("output", Pairs(&[&[key("format", "fastchess", Acts("the form of the printed lines"))]])),
    option("config", Pairs(&[keys::CONFIG])),
    option(
        "autosaveinterval",
        OneWord("20", Acts("every game is saved in the journal at once, whatever the interval")),
    ),
    option("recover", NoWord(Acts("the run goes on after a crash; without it, the run stops"))),
    option("crc32", Pairs(&[&[key("pgn", "true", Acts("`--pgn-crc32`"))]])),
    option("check-mate-pvs", NoWord(Acts("warnings about variations of mate scores are printed, too"))),
    option(
        "show-latency",
        NoWord(Acts(
            "`--pgn-fields latency`, a line for each move in the log, and one for each engine at the end",
        )),
    ),
    option("testEnv", NoWord(Acts("the default journal is removed after the run"))),
    option("strict", NoWord(Acts("`--strict`: a printed warning sets exit code 1"))),
    option("log", Pairs(&[keys::LOG])),
    option(
        "use-affinity",
        AnyWords("", Acts("`--affinity [CPUS]`; refused for engines with several threads")),
    ),
    option("startup-ms", OneWord("10000", Acts("`--startup`, in seconds"))),
    option("ucinewgame-ms", OneWord("60000", Acts("`--startup`, which limits this wait, too"))),
    option("ping-ms", OneWord("60000", Acts("`--startup`, which limits this wait, too"))),
    option("-compliance", AnyWords("./engine", Acts("`threefold suite compliance --engine CMD`"))),
    option("debug", AnyWords("", Refused("use `-log file=FILE engine=true`"))),
    option("version", NoWord(Acts("`--version`"))),
    option("-version", NoWord(Acts("`--version`"))),
    option("v", NoWord(Acts("`--version`"))),
    option("-v", NoWord(Acts("`--version`"))),
    option("help", NoWord(Acts("`--help`"))),
    option("-help", NoWord(Acts("`--help`"))),
];
