//! The keys of the larger options of fastchess.

use super::{Acts, KeyRow, key};

/// Keys of an engine.
pub(super) const ENGINE: &[KeyRow] = &[
    key("cmd", "./engine", Acts("`--engine CMD`", "engines_have_their_keys_and_those_of_each")),
    key("name", "A", Acts("`name=`", "engines_have_their_keys_and_those_of_each")),
    key(
        "dir",
        ".",
        Acts("`dir=`; a relative command is looked up in it", "relative_command_is_looked_up_in_its_folder"),
    ),
    key("args", "-x", Acts("`args=`", "engines_have_their_keys_and_those_of_each")),
    key(
        "tc",
        "8+0.08",
        Acts(
            "`tc=`, exact to the nanosecond; an hourglass (`hg`) is refused, as by fastchess itself",
            "times_reach_the_engine_to_the_millisecond",
        ),
    ),
    key("st", "0.5", Acts("`st=`", "times_reach_the_engine_to_the_millisecond")),
    key("timemargin", "20", Acts("`timemargin=`", "engines_have_their_keys_and_those_of_each")),
    key("nodes", "5000", Acts("`nodes=`", "engines_have_their_keys_and_those_of_each")),
    key("depth", "8", Acts("`depth=`", "engines_have_their_keys_and_those_of_each")),
    key("plies", "8", Acts("`depth=`", "engines_have_their_keys_and_those_of_each")),
    key("restart", "on", Acts("`restart=on`", "engines_have_their_keys_and_those_of_each")),
    key("proto", "uci", Acts("`proto=uci`; another protocol is refused", "unusable_engines_are_refused")),
    key(
        "option.",
        "16",
        Acts(
            "`NAME=VALUE`; with a warning if the engine lacks the option",
            "option_that_an_engine_lacks_is_left_out_with_a_warning",
        ),
    ),
];

/// Keys of the file of games.
pub(super) const PGN: &[KeyRow] = &[
    key("file", "games.pgn", Acts("`--pgn FILE`", "openbench_command_prints_the_lines_that_it_reads")),
    key("append", "true", Acts("`--append`; `false` is `--force`", "games_are_appended_to_an_existing_file")),
    key("nodes", "true", Acts("`--pgn-fields nodes`", "words_are_those_of_the_native_command")),
    key("notation", "san", Acts("`--pgn-notation`", "pgn_with_everything_is_the_golden_file")),
    key("seldepth", "true", Acts("`--pgn-fields seldepth`", "comments_have_the_fields_that_are_asked_for")),
    key("nps", "true", Acts("`--pgn-fields nps`", "comments_have_the_fields_that_are_asked_for")),
    key("hashfull", "true", Acts("`--pgn-fields hashfull`", "comments_have_the_fields_that_are_asked_for")),
    key("tbhits", "true", Acts("`--pgn-fields tbhits`", "pgn_with_everything_is_the_golden_file")),
    key("pv", "true", Acts("`--pgn-fields pv`", "comments_have_the_fields_that_are_asked_for")),
    key("timeleft", "true", Acts("`--pgn-fields timeleft`", "pgn_with_everything_is_the_golden_file")),
    key("latency", "true", Acts("`--pgn-fields latency`", "pgn_with_everything_is_the_golden_file")),
    key("min", "true", Acts("`--pgn-min`", "values_reach_their_settings")),
    key("match_line", "^info", Acts("`--pgn-match-line`", "matching_lines_are_quoted")),
];

/// Keys of the journal.
pub(super) const CONFIG: &[KeyRow] = &[
    key(
        "file",
        "run.sqlite",
        Acts(
            "continues the run of a journal, as `threefold resume`; `-rounds` can lengthen it",
            "config_file_continues_the_run",
        ),
    ),
    key("outname", "run.sqlite", Acts("`--run FILE.sqlite`", "run_stops_at_a_crash_without_recover")),
    key(
        "discard",
        "true",
        Acts("leaves `file=` aside", "options_that_describe_games_are_refused_with_a_journal"),
    ),
    key(
        "stats",
        "true",
        Acts(
            "`false` plays the games of `file=` from the start, as a new run",
            "config_file_without_its_results_is_a_new_run",
        ),
    ),
];

/// Keys of the log.
pub(super) const LOG: &[KeyRow] = &[
    key("file", "engines.log", Acts("`--log FILE`", "log_of_engines_is_written_on_request")),
    key(
        "level",
        "trace",
        Acts("`--log-level`, if `engine=` is not `true`", "log_keys_are_options_of_the_native_command"),
    ),
    key("append", "true", Acts("`--log-append`", "log_keys_are_options_of_the_native_command")),
    key("compress", "true", Acts("`--log FILE.TIME.gz`", "log_keys_are_options_of_the_native_command")),
    key(
        "realtime",
        "true",
        Acts("`false` is `--log-buffered`", "log_keys_are_options_of_the_native_command"),
    ),
    key(
        "engine",
        "true",
        Acts("`--log-level trace`, the UCI traffic", "log_of_engines_is_written_on_request"),
    ),
];
