//! The options of cutechess-cli 1.4 that fastchess does not have, or has in another form.

use super::Style::{Free, None, One, Pairs};
use super::{Acts, KeyRow, OptionRow, bare, key, keyed, option};

/// Keys of an engine.
const ENGINE_KEYS: &[KeyRow] = &[
    key("cmd", "./engine", Acts("`--engine CMD`", "engines_have_their_keys_and_those_of_each")),
    key("name", "A", Acts("`name=`", "engines_have_their_keys_and_those_of_each")),
    key(
        "dir",
        ".",
        Acts("`dir=`; a relative command is looked up in it", "relative_command_is_looked_up_in_its_folder"),
    ),
    key("arg", "-x", Acts("`args=`; may be repeated", "engines_have_their_keys_and_those_of_each")),
    key(
        "tc",
        "8+0.08",
        Acts("`tc=`; an hourglass (`hg`) is refused", "engines_have_their_keys_and_those_of_each"),
    ),
    key("st", "0.5", Acts("`st=`", "engines_have_their_keys_and_those_of_each")),
    key("timemargin", "20", Acts("`timemargin=`", "engines_have_their_keys_and_those_of_each")),
    key("nodes", "5000", Acts("`nodes=`", "engines_have_their_keys_and_those_of_each")),
    key("depth", "8", Acts("`depth=`", "engines_have_their_keys_and_those_of_each")),
    key("restart", "on", Acts("`restart=on`; `auto` is `off`", "engines_have_their_keys_and_those_of_each")),
    key("proto", "uci", Acts("`proto=uci`; `xboard` is refused", "unusable_engines_are_refused")),
    key("option.", "16", Acts("`NAME=VALUE`", "engines_have_their_keys_and_those_of_each")),
    key(
        "conf",
        "A",
        Acts(
            "the engine of `engines.json`; threefold's own files are `@engines.toml#NAME`",
            "engines_of_cute_chess_are_played_by_name",
        ),
    ),
    key("initstr", "x", Acts("`init=`; may be repeated", "keys_of_cutechess_are_those_of_the_harness")),
    key("stderr", "e.log", Acts("`stderr=`", "keys_of_cutechess_are_those_of_the_harness")),
    bare("debug", Acts("`debug=on`", "keys_of_cutechess_are_those_of_the_harness")),
    key(
        "book",
        "b.bin",
        Acts("`book=`; moves are chosen by weight with the seed of `-srand`", "cutechess_book_is_used"),
    ),
    key("bookdepth", "8", Acts("`bookdepth=`", "book_ends_after_its_depth_and_outside_of_its_positions")),
    bare("whitepov", Acts("`whitepov=on`", "keys_of_cutechess_are_those_of_the_harness")),
    bare(
        "ponder",
        Acts("`ponder=on`; needs `tc=` or `st=`", "game_ponders_on_the_expected_reply_until_it_is_over"),
    ),
    bare("trust", Acts("`trust=on`", "keys_of_cutechess_are_those_of_the_harness")),
    key(
        "tscale",
        "2",
        Acts("`startup=`, that many times the usual wait", "keys_of_cutechess_are_those_of_the_harness"),
    ),
];

pub(super) const OPTIONS: &[OptionRow] = &[
    keyed("engine", Pairs, Acts("`--engine`", "engines_have_their_keys_and_those_of_each"), ENGINE_KEYS),
    keyed("each", Pairs, Acts("`--each`", "engines_have_their_keys_and_those_of_each"), ENGINE_KEYS),
    option(
        "engines",
        None,
        "",
        Acts("lists the engines of `engines.json`", "engines_of_cute_chess_are_played_by_name"),
    ),
    option("games", One, "2", Acts("games of an encounter, any number", "games_are_those_of_each_program")),
    option(
        "repeat",
        Free,
        "",
        Acts("pairs from one opening, or any number of games in a row", "games_are_those_of_each_program"),
    ),
    keyed(
        "sprt",
        Pairs,
        Acts("`threefold sprt --model logistic --counts games`", "words_are_those_of_the_native_command"),
        &[
            key("elo0", "0", Acts("`--elo0`", "words_are_those_of_the_native_command")),
            key("elo1", "5", Acts("`--elo1`", "words_are_those_of_the_native_command")),
            key("alpha", "0.05", Acts("`--alpha`", "words_are_those_of_the_native_command")),
            key("beta", "0.05", Acts("`--beta`", "test_stops_at_its_decision")),
        ],
    ),
    option(
        "tournament",
        One,
        "gauntlet",
        Acts(
            "`--tournament`; a knockout seeds all engines in the order of `-engine`, and refuses `-rounds` and `-sprt`",
            "cutechess_knockout_prints_its_bracket",
        ),
    ),
    option(
        "variant",
        One,
        "standard",
        Acts(
            "not needed: the position decides; other variants are refused",
            "wrong_values_are_errors_with_the_option_and_the_reason",
        ),
    ),
    keyed(
        "openings",
        Pairs,
        Acts("`--openings`", "values_reach_their_settings"),
        &[
            key(
                "file",
                "book.epd",
                Acts("`--openings FILE`, plain or gzip", "openbench_command_prints_the_lines_that_it_reads"),
            ),
            key(
                "format",
                "epd",
                Acts("the file's name decides in `--openings`", "book_format_follows_from_the_file_name"),
            ),
            key(
                "order",
                "random",
                Acts(
                    "`--order fastchess:SEED`; cutechess-cli has another order",
                    "random_order_is_that_of_fastchess_with_the_seed",
                ),
            ),
            key("plies", "8", Acts("`--plies`, for PGN", "pgn_openings_are_read_and_truncated")),
            key("start", "1", Acts("`--start`", "random_order_is_that_of_fastchess_with_the_seed")),
            key(
                "policy",
                "round",
                Acts("the openings of cutechess-cli", "games_are_in_the_order_of_cutechess"),
            ),
        ],
    ),
    option(
        "pgnout",
        Free,
        "games.pgn",
        Acts(
            "`--pgn FILE`; `min` is `--pgn-min`, and `fi` changes nothing: games are always whole",
            "values_reach_their_settings",
        ),
    ),
    option("epdout", One, "end.epd", Acts("`--epd-out FILE`", "values_reach_their_settings")),
    option(
        "bookmode",
        One,
        "ram",
        Acts("the same moves in both modes; a Polyglot book is read into memory", "cutechess_book_is_used"),
    ),
    option(
        "debug",
        Free,
        "all",
        Acts("prints the UCI traffic; `all` is `debug=on` for each engine", "debug_prints_the_traffic"),
    ),
    option(
        "resultformat",
        One,
        "small",
        Acts("the columns of the table of players; `help` lists them", "tables_are_those_of_cutechess"),
    ),
    option(
        "outcomeinterval",
        One,
        "10",
        Acts("the interval of the list of outcomes", "tables_are_those_of_cutechess"),
    ),
];
