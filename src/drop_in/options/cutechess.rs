//! The options of cutechess-cli 1.4 that fastchess does not have, or has in another form.

use super::Style::{Free, None, One, Pairs};
use super::{Acts, KeyRow, NoEffect, OptionRow, Refused, bare, key, keyed, option};

const NO_XBOARD: &str = "engines are UCI only";

/// Keys of an engine.
const ENGINE_KEYS: &[KeyRow] = &[
    key("cmd", "./engine", Acts("`--engine CMD`")),
    key("name", "A", Acts("`name=`")),
    key("dir", ".", Acts("`dir=`; a relative command is looked up in it")),
    key("arg", "-x", Acts("`args=`; may be repeated")),
    key("tc", "8+0.08", Acts("`tc=`; an hourglass (`hg`) is refused")),
    key("st", "0.5", Acts("`st=`")),
    key("timemargin", "20", Acts("`timemargin=`")),
    key("nodes", "5000", Acts("`nodes=`")),
    key("depth", "8", Acts("`depth=`")),
    key("restart", "on", Acts("`restart=on`; `auto` is `off`")),
    key("proto", "uci", Acts("`proto=uci`; `xboard` is refused")),
    key("option.", "16", Acts("`NAME=VALUE`")),
    key("conf", "A", Refused("write the engine as `cmd=`; threefold's own files are `@engines.toml#NAME`")),
    key("initstr", "x", Refused(NO_XBOARD)),
    key("stderr", "e.log", NoEffect("`--log` has it, and faults quote its last lines")),
    key("book", "b.bin", Acts("`book=`; moves are chosen by weight with the seed of `-srand`")),
    key("bookdepth", "8", Acts("`bookdepth=`")),
    bare("whitepov", Refused("scores are from the mover's view, as UCI says")),
    bare("ponder", Acts("`ponder=on`; needs `tc=` or `st=`")),
    bare("trust", NoEffect("results are never taken from engines")),
    key("tscale", "2", NoEffect("`--startup` is for slow engines")),
];

pub(super) const OPTIONS: &[OptionRow] = &[
    keyed("engine", Pairs, Acts("`--engine`"), ENGINE_KEYS),
    keyed("each", Pairs, Acts("`--each`"), ENGINE_KEYS),
    option("engines", None, "", Refused("there is no list of engines; write `cmd=`")),
    option("games", One, "2", Acts("games of an encounter, any number")),
    option("repeat", Free, "", Acts("pairs from one opening; more games from one opening are refused")),
    keyed(
        "sprt",
        Pairs,
        Acts("`threefold sprt --model logistic --counts games`"),
        &[
            key("elo0", "0", Acts("`--elo0`")),
            key("elo1", "5", Acts("`--elo1`")),
            key("alpha", "0.05", Acts("`--alpha`")),
            key("beta", "0.05", Acts("`--beta`")),
        ],
    ),
    option("tournament", One, "gauntlet", Acts("`--tournament`; `knockout` is refused")),
    option("variant", One, "standard", Acts("not needed: the position decides; other variants are refused")),
    keyed(
        "openings",
        Pairs,
        Acts("`--openings`"),
        &[
            key("file", "book.epd", Acts("`--openings FILE`, plain or gzip")),
            key("format", "epd", Acts("the file's name decides in `--openings`")),
            key("order", "random", Acts("`--order fastchess:SEED`; cutechess-cli has another order")),
            key("plies", "8", Acts("`--plies`, for PGN")),
            key("start", "1", Acts("`--start`")),
            key(
                "policy",
                "round",
                Acts("one opening for each round; `encounter` and `default` are the same for two engines"),
            ),
        ],
    ),
    option(
        "pgnout",
        Free,
        "games.pgn",
        Acts("`--pgn FILE`; `min` is `--pgn-min`, and `fi` changes nothing: games are always whole"),
    ),
    option("epdout", One, "end.epd", Acts("`--epd-out FILE`")),
    option("bookmode", One, "ram", NoEffect("Polyglot books are read into memory")),
    option("debug", Free, "", Refused("use `threefold match --log FILE`")),
    option("resultformat", One, "small", Refused("the lines have one form")),
    option("outcomeinterval", One, "10", Refused("the report has the outcomes")),
];
