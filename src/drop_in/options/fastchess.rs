//! The options of fastchess 1.8.2.

use super::Style::{Free, None, One, OptionalPairs, Pairs};
use super::fastchess_keys as keys;
use super::{Acts, OptionRow, Refused, key, keyed, option};

pub(super) const OPTIONS: &[OptionRow] = &[
    keyed("engine", Pairs, Acts("`--engine`", "engines_have_their_keys_and_those_of_each"), keys::ENGINE),
    keyed("each", Pairs, Acts("`--each`", "engines_have_their_keys_and_those_of_each"), keys::ENGINE),
    keyed(
        "quick",
        Pairs,
        Acts("two engines at 10+0.1", "quick_is_two_engines_and_a_book"),
        &[
            key(
                "cmd",
                "./engine",
                Acts("`--engine CMD,tc=10+0.1`, given twice", "quick_is_two_engines_and_a_book"),
            ),
            key("book", "book.epd", Acts("`--openings FILE`", "quick_is_two_engines_and_a_book")),
        ],
    ),
    option(
        "concurrency",
        One,
        "1",
        Acts("`-j N`; 0 or less is the number of cores minus N", "concurrency_below_one_leaves_cores_free"),
    ),
    option(
        "force-concurrency",
        None,
        "",
        Acts(
            "`--force`; more jobs than cores are refused without it",
            "concurrency_below_one_leaves_cores_free",
        ),
    ),
    option("rounds", One, "2", Acts("`--games`, the number of all games", "games_are_those_of_each_program")),
    option(
        "games",
        One,
        "2",
        Acts(
            "`--games-per-round`; above 2 it is exchanged with `-rounds`",
            "games_are_those_of_each_program",
        ),
    ),
    option("repeat", Free, "", Acts("pairs, the default", "games_are_those_of_each_program")),
    option("noswap", None, "", Acts("`--noswap`", "schedule_rules_set_encounters_colours_and_seeds")),
    option("reverse", None, "", Acts("`--reverse`", "schedule_rules_set_encounters_colours_and_seeds")),
    option("wait", One, "5", Acts("`--wait`", "wait_separates_games")),
    keyed(
        "sprt",
        Pairs,
        Acts("`threefold sprt`", "words_are_those_of_the_native_command"),
        &[
            key("elo0", "0", Acts("`--elo0`", "words_are_those_of_the_native_command")),
            key("elo1", "5", Acts("`--elo1`", "words_are_those_of_the_native_command")),
            key("alpha", "0.05", Acts("`--alpha`", "words_are_those_of_the_native_command")),
            key("beta", "0.05", Acts("`--beta`", "test_stops_at_its_decision")),
            key(
                "model",
                "normalized",
                Acts("`--model`; `bayesian` is `bayeselo`", "words_are_those_of_the_native_command"),
            ),
        ],
    ),
    option(
        "tournament",
        One,
        "gauntlet",
        Acts("`--tournament`; `roundrobin` is `round-robin`", "values_reach_their_settings"),
    ),
    option("seeds", One, "1", Acts("`--seeds`", "schedule_rules_set_encounters_colours_and_seeds")),
    option(
        "variant",
        One,
        "standard",
        Acts(
            "not needed: the position decides; `fischerandom` needs `-openings`",
            "wrong_values_are_errors_with_the_option_and_the_reason",
        ),
    ),
    keyed(
        "draw",
        Pairs,
        Acts("`--draw`", "values_reach_their_settings"),
        &[
            key("movenumber", "40", Acts("`--draw movenumber=`", "values_reach_their_settings")),
            key("movecount", "8", Acts("`--draw movecount=`", "values_reach_their_settings")),
            key("score", "10", Acts("`--draw score=`", "values_reach_their_settings")),
        ],
    ),
    keyed(
        "resign",
        Pairs,
        Acts("`--resign`", "values_reach_their_settings"),
        &[
            key("movecount", "3", Acts("`--resign movecount=`", "values_reach_their_settings")),
            key("score", "400", Acts("`--resign score=`", "values_reach_their_settings")),
            key(
                "twosided",
                "true",
                Acts(
                    "`--resign twosided=` with `like=`: the rule of the program that is replaced",
                    "resignation_is_that_of_each_program",
                ),
            ),
        ],
    ),
    option("maxmoves", One, "200", Acts("`--maxmoves`", "openbench_command_prints_the_lines_that_it_reads")),
    option("tb", One, "syzygy", Acts("`--tb DIR`", "tables_are_one_option_of_match")),
    option("tbpieces", One, "5", Acts("`pieces=` of `--tb`", "tables_are_one_option_of_match")),
    option("tbignore50", None, "", Acts("`ignore50=true` of `--tb`", "tables_are_one_option_of_match")),
    option(
        "tbadjudicate",
        One,
        "BOTH",
        Acts("`results=` of `--tb`: BOTH, WIN_LOSS or DRAW", "tables_are_one_option_of_match"),
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
                    "`--order fastchess:SEED`, the same order",
                    "random_order_is_that_of_fastchess_with_the_seed",
                ),
            ),
            key("plies", "8", Acts("`--plies`, for PGN", "pgn_openings_are_read_and_truncated")),
            key("start", "1", Acts("`--start`", "random_order_is_that_of_fastchess_with_the_seed")),
            key(
                "policy",
                "round",
                Acts("the only policy: one opening for each round", "schedules_have_the_documented_order"),
            ),
        ],
    ),
    option(
        "srand",
        One,
        "42",
        Acts(
            "the seed of `--order fastchess:SEED`; without it a random one",
            "random_order_is_that_of_fastchess_with_the_seed",
        ),
    ),
    keyed(
        "pgnout",
        OptionalPairs,
        Acts("`--pgn`; without `file=` a name with the time", "comments_have_the_fields_that_are_asked_for"),
        keys::PGN,
    ),
    keyed(
        "epdout",
        OptionalPairs,
        Acts(
            "`--epd-out`; without `file=` a name with the time",
            "final_positions_and_checksums_are_written",
        ),
        &[
            key("file", "end.epd", Acts("`--epd-out FILE`", "final_positions_and_checksums_are_written")),
            key(
                "append",
                "true",
                Acts("`--append`, for both files", "final_positions_and_checksums_are_written"),
            ),
        ],
    ),
    option("event", Free, "test", Acts("`--event`", "values_reach_their_settings")),
    option("site", Free, "here", Acts("`--site`", "resumed_run_and_its_reports_keep_the_options")),
    option(
        "ratinginterval",
        One,
        "10",
        Acts("the interval of the results block", "results_blocks_count_whole_pairs_one_at_a_time"),
    ),
    option(
        "scoreinterval",
        One,
        "1",
        Acts("the interval of the score line", "cutechess_lines_have_scores_and_games"),
    ),
    keyed(
        "report",
        Pairs,
        Acts("the results block", "words_are_those_of_the_native_command"),
        &[key(
            "penta",
            "true",
            Acts(
                "`false` prints games instead of pairs, and `-sprt` is `--counts games`",
                "words_are_those_of_the_native_command",
            ),
        )],
    ),
    keyed(
        "output",
        Pairs,
        Acts("the form of the printed lines", "cutechess_lines_have_scores_and_games"),
        &[key(
            "format",
            "fastchess",
            Acts("the form of the printed lines", "cutechess_lines_have_scores_and_games"),
        )],
    ),
    keyed("config", Pairs, Acts("the journal", "run_stops_at_a_crash_without_recover"), keys::CONFIG),
    option(
        "autosaveinterval",
        One,
        "20",
        Acts(
            "every game is saved in the journal at once, whatever the interval",
            "killed_test_resumes_without_loss_or_repetition",
        ),
    ),
    option(
        "recover",
        None,
        "",
        Acts(
            "the run goes on after a crash; without it, the run stops",
            "run_stops_at_a_crash_without_recover",
        ),
    ),
    keyed(
        "crc32",
        Pairs,
        Acts("`--pgn-crc32`", "final_positions_and_checksums_are_written"),
        &[key("pgn", "true", Acts("`--pgn-crc32`", "final_positions_and_checksums_are_written"))],
    ),
    option(
        "check-mate-pvs",
        None,
        "",
        Acts(
            "warnings about variations of mate scores are printed, too",
            "variations_of_mate_scores_are_warned_of_on_request",
        ),
    ),
    option(
        "show-latency",
        None,
        "",
        Acts(
            "`--pgn-fields latency`, a line for each move in the log, and one for each engine at the end",
            "latency_is_shown_for_each_engine",
        ),
    ),
    option(
        "testEnv",
        None,
        "",
        Acts(
            "the default journal is removed after the run",
            "openbench_command_prints_the_lines_that_it_reads",
        ),
    ),
    option(
        "strict",
        None,
        "",
        Acts(
            "`--strict`: a printed warning sets exit code 1",
            "wrong_output_is_a_warning_that_fails_a_strict_run",
        ),
    ),
    keyed("log", Pairs, Acts("`--log`", "log_of_engines_is_written_on_request"), keys::LOG),
    option(
        "use-affinity",
        Free,
        "",
        Acts(
            "`--affinity [CPUS]`; refused for engines with several threads",
            "each_game_runs_on_a_cpu_of_its_own",
        ),
    ),
    option("startup-ms", One, "10000", Acts("`--startup`, in seconds", "values_reach_their_settings")),
    option(
        "ucinewgame-ms",
        One,
        "60000",
        Acts("`--startup`, which limits this wait, too", "longest_of_the_waits_counts"),
    ),
    option(
        "ping-ms",
        One,
        "60000",
        Acts("`--startup`, which limits this wait, too", "longest_of_the_waits_counts"),
    ),
    option(
        "-compliance",
        Free,
        "./engine",
        Acts("`threefold suite compliance --engine CMD`", "compliance_is_the_suite"),
    ),
    option("debug", Free, "", Refused("use `-log file=FILE engine=true`")),
    option("version", None, "", Acts("`--version`", "version_begins_with_a_number_that_is_new_enough")),
    option("-version", None, "", Acts("`--version`", "version_begins_with_a_number_that_is_new_enough")),
    option("v", None, "", Acts("`--version`", "version_begins_with_a_number_that_is_new_enough")),
    option("-v", None, "", Acts("`--version`", "version_begins_with_a_number_that_is_new_enough")),
    option("help", None, "", Acts("`--help`", "help_has_every_option")),
    option("-help", None, "", Acts("`--help`", "help_has_every_option")),
];
