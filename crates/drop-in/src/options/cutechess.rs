//! The options of cutechess-cli 1.5.1 that fastchess does not have, or has in another form.

use super::Words::{AnyWords, NoWord, OneWord, Pairs};
use super::{Acts, OptionRow, key, keys, option};

pub(super) const OPTIONS: &[OptionRow] = &[
    option("engine", Pairs(keys::CUTECHESS_ENGINE)),
    option("each", Pairs(keys::CUTECHESS_ENGINE)),
    option("engines", NoWord(Acts("lists the engines of `engines.json`"))),
    option("games", OneWord("2", Acts("games of an encounter, any number"))),
    option("repeat", AnyWords("", Acts("pairs from one opening, or any number of games in a row"))),
    option("sprt", Pairs(&[keys::TEST])),
    option(
        "tournament",
        OneWord(
            "gauntlet",
            Acts(
                "`--tournament`; a knockout seeds all engines in the order of `-engine`, and refuses `-rounds` and `-sprt`",
            ),
        ),
    ),
    option(
        "variant",
        OneWord("standard", Acts("not needed: the position decides; other variants are refused")),
    ),
    option(
        "openings",
        Pairs(&[
            keys::BOOK,
            &[key("order", "random", Acts("`--order fastchess:SEED`; cutechess-cli has another order"))],
            keys::BOOK_PART,
            &[key("policy", "round", Acts("the openings of cutechess-cli"))],
        ]),
    ),
    option(
        "pgnout",
        AnyWords(
            "games.pgn",
            Acts("`--pgn FILE`; `min` is `--pgn-min`, and `fi` changes nothing: games are always whole"),
        ),
    ),
    option("epdout", OneWord("end.epd", Acts("`--epd-out FILE`"))),
    option(
        "bookmode",
        OneWord("ram", Acts("the same moves in both modes; a Polyglot book is read into memory")),
    ),
    option("debug", AnyWords("all", Acts("prints the UCI traffic; `all` is `debug=on` for each engine"))),
    option("resultformat", OneWord("small", Acts("the columns of the table of players; `help` lists them"))),
    option("outcomeinterval", OneWord("10", Acts("the interval of the list of outcomes"))),
];
